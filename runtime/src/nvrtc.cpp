#include "nvrtc.hpp"

#include <algorithm>
#include <type_traits>

#include "sonoma/code_errors.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma {

NvrtcCompiler::NvrtcCompiler(const Config& config)
    : config_(config), found_(find_nvrtc(config)), known_(found_ ? to_string(*found_) : "") {}

std::string NvrtcCompiler::identity() const {
  return found_ ? known_ : to_string(library()->identity());
}

std::shared_ptr<const NvrtcLibrary> NvrtcCompiler::library() const {
  return library_.get([this] { return std::make_shared<NvrtcLibrary>(config_, found_); });
}

CompileInputs NvrtcCompiler::inputs_for(const CudaSource& source, const Target& target,
                                        LineInfo lines) {
  CompileInputs inputs;
  inputs.kind = "cubin";
  inputs.name = source.name;
  inputs.arch = arch_name(target);
  inputs.source = source.text;
  // A real architecture, so that a cubin comes out and the driver has nothing left to compile.
  // 177, a function that is not called: by templates that this kernel does not instantiate.
  inputs.options = {"--gpu-architecture=" + inputs.arch, "--std=c++17", "--fmad=false",
                    "--diag-suppress=177"};
  if (lines == LineInfo::yes) inputs.options.emplace_back("--generate-line-info");
  return inputs;
}

CompileInputs NvrtcCompiler::ptx_inputs_for(const CudaSource& source, const Target& target,
                                            LineInfo lines) {
  CompileInputs inputs = inputs_for(source, target, lines);
  inputs.kind = "ptx";
  inputs.options.front() = "--gpu-architecture=compute_" + std::to_string(target.arch);
  return inputs;
}

namespace {

using Functions = NvrtcLibrary::Functions;

std::string log_of(const Functions& nvrtc, nvrtcProgram program) {
  std::size_t size = 0;
  if (nvrtc.log_size(program, &size) != NVRTC_SUCCESS || size == 0) return {};
  std::string log(size, '\0');
  if (nvrtc.log(program, log.data()) != NVRTC_SUCCESS) return {};
  log.resize(log.find_last_not_of(std::string_view("\0\n ", 3)) + 1);
  return log;
}

// None: it does not say.
std::vector<int> supported_archs(const Functions& nvrtc) {
  int count = 0;
  if (nvrtc.num_supported_archs(&count) != NVRTC_SUCCESS || count <= 0) return {};
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (nvrtc.supported_archs(archs.data()) != NVRTC_SUCCESS) return {};
  return archs;
}

std::string listed(const std::vector<int>& archs) {
  std::string text = archs.empty() ? "unknown" : "";
  for (const int arch : archs) text += (text.empty() ? "sm_" : ", sm_") + std::to_string(arch);
  return text;
}

// Before it compiles: what the compiler itself says of an option is no help.
void require_arch(const CompileInputs& inputs, const NvrtcLibrary& library) {
  const std::vector<int> archs = supported_archs(library.functions());
  const bool known = std::ranges::any_of(
      archs, [&](int arch) { return inputs.arch == "sm_" + std::to_string(arch); });
  if (archs.empty() || known) return;
  throw FftError(Stage::compile, "kernel " + inputs.name + " for " + inputs.arch +
                                     " is not compiled: NVRTC (" + to_string(library.identity()) +
                                     ", " + library.identity().path.string() +
                                     ") does not know this GPU; it compiles for " + listed(archs) +
                                     "; SONOMA_CUDA_PATH names a toolkit of another version");
}

}  // namespace

Binary NvrtcCompiler::compile(const CompileInputs& inputs) const {
  const auto library = this->library();
  const Functions& nvrtc = library->functions();
  require_arch(inputs, *library);
  const auto check = [&](nvrtcResult result, nvrtcProgram program) {
    if (result == NVRTC_SUCCESS) return;
    const std::string log = program != nullptr ? log_of(nvrtc, program) : std::string();
    throw FftError(Stage::compile,
                   "NVRTC (" + library->identity().path.string() + ") cannot compile kernel " +
                       inputs.name + " for " + inputs.arch + ": " + nvrtc.error_string(result) +
                       "; it compiles for " + listed(supported_archs(nvrtc)) +
                       "; for another GPU, SONOMA_CUDA_PATH names another toolkit" +
                       code_error(log),
                   log);
  };
  nvrtcProgram program = nullptr;
  const std::string file = inputs.name + ".cu";
  check(nvrtc.create_program(&program, inputs.source.c_str(), file.c_str(), 0, nullptr, nullptr),
        nullptr);
  const auto destroy = [&nvrtc](nvrtcProgram p) { nvrtc.destroy_program(&p); };
  const std::unique_ptr<std::remove_pointer_t<nvrtcProgram>, decltype(destroy)> owner(program,
                                                                                      destroy);

  std::vector<const char*> options;
  for (const std::string& option : inputs.options) options.push_back(option.c_str());
  if (library->identity().version() >= 12009) options.push_back("--no-cache");  // one is enough
  check(nvrtc.compile_program(program, static_cast<int>(options.size()), options.data()), program);
  std::size_t size = 0;
  const bool ptx = inputs.kind == "ptx";
  check((ptx ? nvrtc.ptx_size : nvrtc.cubin_size)(program, &size), program);
  Binary binary{std::string(size, '\0'), log_of(nvrtc, program), identity()};
  check((ptx ? nvrtc.ptx : nvrtc.cubin)(program, binary.bytes.data()), program);
  return binary;
}

}  // namespace sonoma
