#include "nvrtc.hpp"

#include <array>
#include <system_error>

#include "cuda_headers.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma {
namespace {

namespace fs = std::filesystem;

// Newest first. From CUDA 11.3 to 11.8 the name stayed .11.2.
constexpr const char* library_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                         "libnvrtc.so"};

// A toolkit's or a wheel's library folders below its root.
constexpr const char* library_suffixes[] = {"",
                                            "lib64",
                                            "lib",
                                            "targets/x86_64-linux/lib",
                                            "targets/sbsa-linux/lib",
                                            "nvidia/cu13/lib",
                                            "nvidia/cuda_nvrtc/lib"};

void add_files(const std::vector<fs::path>& roots, std::vector<std::string>& candidates) {
  for (const fs::path& folder : cuda_folders(roots, library_suffixes)) {
    for (const char* name : library_names) {
      std::error_code error;
      if (fs::exists(folder / name, error)) candidates.push_back((folder / name).string());
    }
  }
}

std::string joined(const std::vector<fs::path>& paths) {
  std::string text;
  for (const fs::path& path : paths) {
    if (!path.empty()) text += (text.empty() ? "" : ", ") + path.string();
  }
  return text.empty() ? "none" : text;
}

DynamicLibrary open_nvrtc(const Config& config) {
  std::vector<std::string> candidates;
  add_files({config.cuda_path}, candidates);
  candidates.insert(candidates.end(), std::begin(library_names), std::end(library_names));
  add_files(config.cuda_roots, candidates);
  std::string searched;
  if (auto library = DynamicLibrary::open(candidates, searched)) return *library;
  throw FftError(Stage::load_library,
                 "NVRTC, CUDA's run-time compiler, was not found. Folders searched besides the "
                 "loader's own: SONOMA_CUDA_PATH=" +
                     joined({config.cuda_path}) + "; " + joined(config.cuda_roots) +
                     ". Set SONOMA_CUDA_PATH to a CUDA toolkit, or get NVRTC alone: pip install "
                     "nvidia-cuda-nvrtc. Tried:" +
                     searched);
}

}  // namespace

NvrtcCompiler::NvrtcCompiler(const Config& config) : config_(config), library_(open_nvrtc(config)) {
  load_functions();
  int major = 0, minor = 0;
  nvrtc_.version(&major, &minor);
  version_ = 1000 * major + minor;
  // The device library is a file beside NVRTC, which NVRTC opens by name alone: in a folder that
  // the loader does not know, such as a wheel's, it is found because it is open already.
  const fs::path builtins =
      library_.path().parent_path() /
      ("libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor));
  std::error_code error;
  const auto size = fs::file_size(builtins, error);
  std::string searched;
  if (!error) (void)DynamicLibrary::open(std::array{builtins.string()}, searched);
  identity_ = "NVRTC " + std::to_string(major) + "." + std::to_string(minor) + " build " +
              library_.build_id() + (error ? "" : " builtins " + std::to_string(size));
}

void NvrtcCompiler::load_functions() {
  library_.require("nvrtcVersion", nvrtc_.version);
  library_.require("nvrtcGetNumSupportedArchs", nvrtc_.num_supported_archs);
  library_.require("nvrtcGetSupportedArchs", nvrtc_.supported_archs);
  library_.require("nvrtcGetErrorString", nvrtc_.error_string);
  library_.require("nvrtcCreateProgram", nvrtc_.create_program);
  library_.require("nvrtcDestroyProgram", nvrtc_.destroy_program);
  library_.require("nvrtcCompileProgram", nvrtc_.compile_program);
  library_.require("nvrtcGetCUBINSize", nvrtc_.cubin_size);
  library_.require("nvrtcGetCUBIN", nvrtc_.cubin);
  library_.require("nvrtcGetProgramLogSize", nvrtc_.log_size);
  library_.require("nvrtcGetProgramLog", nvrtc_.log);
}

CompileInputs NvrtcCompiler::inputs_for(const CudaSource& source, const Target& target) const {
  CompileInputs inputs;
  inputs.kind = "cubin";
  inputs.name = source.name;
  inputs.arch = arch_name(target);
  inputs.compiler = identity_;
  inputs.source = source.text;
  // A real architecture, so that a cubin comes out and the driver has nothing left to compile.
  inputs.options = {"--gpu-architecture=" + inputs.arch, "--std=c++17", "--fmad=false"};
  if (version_ >= 12009) inputs.options.emplace_back("--no-cache");  // one cache is enough
  if (const auto header = first_include(source.text)) {
    const auto folder = find_include_folder(config_, *header);
    if (!folder) {
      throw FftError(Stage::compile,
                     "kernel " + source.name + " includes <" + *header +
                         ">, and CUDA's headers were not found. Set SONOMA_CUDA_PATH to a CUDA "
                         "toolkit (or use the PTX form of the matrix product, which needs none)");
    }
    inputs.options.push_back("--include-path=" + folder->string());
    inputs.headers = hash_of_includes(source.text, *folder);
  }
  return inputs;
}

std::string NvrtcCompiler::log_of(Program program) const {
  std::size_t size = 0;
  if (nvrtc_.log_size(program, &size) != 0 || size == 0) return {};
  std::string log(size, '\0');
  if (nvrtc_.log(program, log.data()) != 0) return {};
  log.resize(log.find_last_not_of(std::string_view("\0\n ", 3)) + 1);
  return log;
}

std::string NvrtcCompiler::supported_archs() const {
  int count = 0;
  if (nvrtc_.num_supported_archs(&count) != 0 || count <= 0) return "unknown";
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (nvrtc_.supported_archs(archs.data()) != 0) return "unknown";
  std::string text;
  for (const int arch : archs) text += (text.empty() ? "sm_" : ", sm_") + std::to_string(arch);
  return text;
}

Binary NvrtcCompiler::compile(const CompileInputs& inputs) const {
  const auto check = [&](int result, Program program) {
    if (result == 0) return;
    throw FftError(Stage::compile,
                   "NVRTC (" + library_.path().string() + ") cannot compile kernel " + inputs.name +
                       " for " + inputs.arch + ": " + nvrtc_.error_string(result) +
                       "; it compiles for " + supported_archs() +
                       "; for another GPU, SONOMA_CUDA_PATH names another toolkit (CUDA 12 knows "
                       "sm_70)",
                   program != nullptr ? log_of(program) : std::string());
  };
  Program program = nullptr;
  const std::string file = inputs.name + ".cu";
  check(nvrtc_.create_program(&program, inputs.source.c_str(), file.c_str(), 0, nullptr, nullptr),
        nullptr);
  const auto destroy = [this](Program p) { nvrtc_.destroy_program(&p); };
  const std::unique_ptr<OpaqueProgram, decltype(destroy)> owner(program, destroy);

  std::vector<const char*> options;
  for (const std::string& option : inputs.options) options.push_back(option.c_str());
  check(nvrtc_.compile_program(program, static_cast<int>(options.size()), options.data()), program);
  std::size_t size = 0;
  check(nvrtc_.cubin_size(program, &size), program);
  Binary binary{std::string(size, '\0'), log_of(program)};
  check(nvrtc_.cubin(program, binary.bytes.data()), program);
  return binary;
}

}  // namespace sonoma
