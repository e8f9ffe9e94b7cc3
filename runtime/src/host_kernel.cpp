#include "host_kernel.hpp"

#include <span>

namespace sonoma {
namespace {

EmulatedKernel load(const CudaSource& source, const std::string& object) {
  try {
    return {std::vector<std::uint8_t>(object.begin(), object.end()), source};
  } catch (const EmulationError& error) {
    throw FftError(Stage::load_module, error.what(), error.log());
  }
}

}  // namespace

std::shared_ptr<const HostCompiler> make_host_compiler(const Config& config) {
  try {
    return std::make_shared<HostCompiler>(
        config.host_compiler.empty() ? "c++" : config.host_compiler, config.temporary_dir);
  } catch (const EmulationError& error) {
    throw FftError(Stage::load_library,
                   std::string(error.what()) +
                       "; the emulated device compiles kernels with a C++20 compiler: install g++, "
                       "or set SONOMA_CXX to the name or path of one",
                   error.log());
  }
}

CompileInputs host_inputs(const HostCompiler& compiler, const CudaSource& source) {
  CompileInputs inputs;
  inputs.kind = "host";
  inputs.name = source.name;
  inputs.arch = "host";
  inputs.compiler = compiler.identity();
  inputs.source = source.text;
  return inputs;
}

Binary compile_for_host(const HostCompiler& compiler, const CudaSource& source) {
  try {
    const std::vector<std::uint8_t> object = compiler.compile(source);
    return {std::string(object.begin(), object.end()), {}};
  } catch (const EmulationError& error) {
    throw FftError(Stage::compile, error.what(), error.log());
  }
}

SideBytes bytes_of_sides(const Pass& pass) {
  return {static_cast<std::size_t>(pass.in_dist) * point_bytes(pass.problem.storage),
          static_cast<std::size_t>(pass.out_dist) * point_bytes(pass.out_storage)};
}

HostKernel::HostKernel(const CudaSource& source, const std::string& object, SideBytes bytes)
    : kernel_(load(source, object)), tables_(source.tables), bytes_(bytes) {}

void HostKernel::launch(const void* in, void* out, std::uint64_t batch, Stream) const {
  try {
    kernel_.launch({static_cast<const std::byte*>(in), bytes_.in * batch},
                   {static_cast<std::byte*>(out), bytes_.out * batch}, tables_, batch);
  } catch (const EmulationError& error) {
    throw FftError(Stage::emulate, error.what(), error.log());
  }
}

}  // namespace sonoma
