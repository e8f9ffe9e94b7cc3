#include "host_kernel.hpp"

#include <algorithm>
#include <cstring>
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

HostKernel::HostKernel(const CudaSource& source, const std::string& object, const Launch& launch)
    : kernel_(load(source, object)),
      tables_(source.tables),
      counter_bytes_(source.launch.counter_bytes),
      launch_(launch) {}

void HostKernel::launch(KernelArguments arguments, Stream) const {
  const auto bytes = [](std::int64_t points, const Pass& pass, bool input) {
    return static_cast<std::size_t>(points) * pass.bytes_of_point(input);
  };
  const auto count = static_cast<std::int64_t>(arguments.batch);
  const Pass& first = launch_.pass;
  const Pass& last = launch_.fusion ? launch_.fusion->pass : first;
  std::span<std::byte> between;
  if (launch_.fusion) {
    const std::int64_t slots = std::min<std::int64_t>(count, launch_.fusion->slots);
    const std::size_t slot_bytes = bytes(out_points(first, slots), first, false);
    between = {static_cast<std::byte*>(arguments.workspace), counter_bytes_ + slot_bytes};
    std::memset(arguments.workspace, 0, counter_bytes_);
  }
  std::span<const std::byte> spectrum;
  if (first.filter) {
    spectrum = {static_cast<const std::byte*>(arguments.spectrum),
                static_cast<std::size_t>(filter_points(first, count)) * point_bytes(Storage::f32)};
  }
  const std::size_t in_bytes = bytes(in_points(first, count), first, true);
  const std::size_t out_bytes = bytes(out_points(last, count), last, false);
  try {
    kernel_.launch({static_cast<const std::byte*>(arguments.in), in_bytes},
                   {static_cast<std::byte*>(arguments.out), out_bytes}, tables_, arguments.batch,
                   {}, between, {arguments.first_transform, arguments.user, spectrum});
  } catch (const EmulationError& error) {
    throw FftError(Stage::emulate, error.what(), error.log());
  }
}

}  // namespace sonoma
