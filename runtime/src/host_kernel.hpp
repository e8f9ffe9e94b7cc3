// A kernel on the emulated device.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cache_entry.hpp"
#include "kernel.hpp"
#include "sonoma/config.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/program.hpp"

namespace sonoma {

/// Throws FftError (Stage::load_library) where the compiler cannot be run.
[[nodiscard]] std::shared_ptr<const HostCompiler> make_host_compiler(const Config& config);

/// Everything that decides the object of `source`.
[[nodiscard]] CompileInputs host_inputs(const HostCompiler& compiler, const CudaSource& source);

/// Throws FftError (Stage::compile).
[[nodiscard]] Binary compile_for_host(const HostCompiler& compiler, const CudaSource& source);

class HostKernel final : public Kernel {
 public:
  /// Throws FftError (Stage::load_module).
  HostKernel(const CudaSource& source, const std::string& object, const Launch& launch);

  void launch(KernelArguments arguments, Stream stream) const override;

 private:
  EmulatedKernel kernel_;
  std::vector<std::uint32_t> tables_;
  std::size_t counter_bytes_;
  Launch launch_;
};

}  // namespace sonoma
