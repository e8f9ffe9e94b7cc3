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

HostKernel::HostKernel(const CudaSource& source, const std::string& object, const Pass& pass)
    : kernel_(load(source, object)), tables_(source.tables), pass_(pass) {}

void HostKernel::launch(const void* in, void* out, std::uint64_t batch, Stream) const {
  const auto count = static_cast<std::int64_t>(batch);
  const auto bytes = [](std::int64_t points, Storage storage) {
    return static_cast<std::size_t>(points) * point_bytes(storage);
  };
  const std::size_t in_bytes = bytes(in_points(pass_, count), pass_.problem.storage);
  const std::size_t out_bytes = bytes(out_points(pass_, count), pass_.out_storage);
  try {
    kernel_.launch({static_cast<const std::byte*>(in), in_bytes},
                   {static_cast<std::byte*>(out), out_bytes}, tables_, batch);
  } catch (const EmulationError& error) {
    throw FftError(Stage::emulate, error.what(), error.log());
  }
}

}  // namespace sonoma
