// The compiler of kernels: NVRTC.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache_entry.hpp"
#include "lazy.hpp"
#include "nvrtc_library.hpp"
#include "sonoma/config.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

class NvrtcCompiler {
 public:
  /// Throws FftError (Stage::load_library) with everything that was tried where there is none.
  explicit NvrtcCompiler(const Config& config);

  /// Everything that decides the cubin of `source`.
  [[nodiscard]] CompileInputs inputs_for(const CudaSource& source, const Target& target) const;

  /// Throws FftError with the compiler's log (Stage::compile), or where NVRTC cannot be opened.
  /// Safe from many threads.
  [[nodiscard]] Binary compile(const CompileInputs& inputs) const;

  /// Product, version and build.
  [[nodiscard]] const std::string& identity() const { return identity_; }

 private:
  [[nodiscard]] std::shared_ptr<const NvrtcLibrary> library() const;

  Config config_;
  std::optional<NvrtcIdentity> found_;
  // Opened to compile, or where its file does not say what it is.
  mutable Lazy<NvrtcLibrary> library_;
  int version_ = 0;  // 1000 * major + minor
  std::string identity_;
};

}  // namespace sonoma
