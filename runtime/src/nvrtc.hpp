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

/// Whether the binary says which lines its instructions are of. It does not change them.
enum class LineInfo { no, yes };

class NvrtcCompiler {
 public:
  /// Opens nothing: there may be none.
  explicit NvrtcCompiler(const Config& config);

  /// Everything that decides what the cubin of `source` does. The same for every NVRTC.
  [[nodiscard]] static CompileInputs inputs_for(const CudaSource& source, const Target& target,
                                                LineInfo lines = LineInfo::no);

  /// The same of PTX, which drivers compile for newer GPUs.
  [[nodiscard]] static CompileInputs ptx_inputs_for(const CudaSource& source, const Target& target,
                                                    LineInfo lines);

  /// Throws FftError: with the compiler's log (Stage::compile), or with everything that was tried
  /// where NVRTC is not found (Stage::load_library). Safe from many threads.
  [[nodiscard]] Binary compile(const CompileInputs& inputs) const;

  /// Product, version and build. Opens the library where its file does not say them.
  [[nodiscard]] std::string identity() const;
  /// The same as far as the file says it; else empty.
  [[nodiscard]] const std::string& known_identity() const { return known_; }

 private:
  [[nodiscard]] std::shared_ptr<const NvrtcLibrary> library() const;

  Config config_;
  std::optional<NvrtcIdentity> found_;
  std::string known_;
  mutable Lazy<NvrtcLibrary> library_;
};

}  // namespace sonoma
