#include "sonoma/machine_code.hpp"

#include <filesystem>
#include <fstream>

#include "runtime.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/process.hpp"

namespace sonoma {
namespace {

namespace fs = std::filesystem;

// The first there is, else the name alone, which PATH may know.
std::string nvdisasm(const Config& config) {
  std::vector<fs::path> roots = {config.cuda_path};
  roots.insert(roots.end(), config.cuda_roots.begin(), config.cuda_roots.end());
  for (const fs::path& root : roots) {
    // A toolkit, a folder of its libraries, a folder of wheels.
    for (const char* folder : {"bin", "../bin", "nvidia/cu13/bin", "nvidia/cuda_nvdisasm/bin"}) {
      const fs::path file = root / folder / "nvdisasm";
      std::error_code error;
      if (!root.empty() && fs::exists(file, error)) return file.string();
    }
  }
  return "nvdisasm";
}

emulator::ProcessResult run(const std::string& program, const std::string& file) {
  try {
    return emulator::run_process({program, "-c", "-gi", file});
  } catch (const EmulationError&) {
    throw FftError(Stage::load_library,
                   "nvdisasm, which shows machine code, was not found. It comes with the CUDA "
                   "toolkit and as PyPI's nvidia-cuda-nvdisasm; SONOMA_CUDA_PATH names its root");
  }
}

}  // namespace

std::vector<Instruction> machine_code(const CudaSource& source, const Target& target) {
  const Cubin cubin = Runtime::process().compile(source, target, LineInfo::yes);
  const emulator::PrivateFolder folder(config().temporary_dir);
  const fs::path file = folder.path() / "kernel.cubin";
  std::ofstream(file, std::ios::binary) << cubin.bytes;
  const emulator::ProcessResult result = run(nvdisasm(config()), file.string());
  auto code = instructions_of(result.output, source.name + ".cu");
  if (result.exit_status != 0 || code.empty()) {
    throw FftError(
        Stage::load_library,
        "nvdisasm cannot read what NVRTC made of " + source.name + "; is it older than NVRTC?",
        result.output);
  }
  return code;
}

}  // namespace sonoma
