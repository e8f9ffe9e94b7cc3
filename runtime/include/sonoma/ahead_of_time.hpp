// Makes kernels ahead of time: what `sonoma aot` does, without its files. Needs NVRTC, but neither
// a GPU nor its driver. See docs/ahead-of-time.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/error_estimate.hpp"
#include "sonoma/planned.hpp"

namespace SONOMA_API sonoma {

struct AheadRequest {
  FftProblem problem;
  /// The kernels serve every batch, and are those of a batch that fills the GPU. False: they serve
  /// the batch of `problem` alone, and are what a plan of it takes on the largest GPU of its
  /// architecture.
  bool any_batch = true;
  Tuning tuning = {};  ///< a plan finds them if it is asked for the same one; usually all open
  WorkspacePolicy workspace_policy = WorkspacePolicy::fast;
};

/// A launch of a program. The kernel of several may be the same one.
struct AheadKernel {
  CudaSource source;
  ErrorEstimate error;  ///< of all passes of the launch
  Cubin cubin;          ///< empty before AheadOfTime::add()
  std::string ptx;      ///< where it was asked for
};

/// What serves a request on an architecture.
struct AheadProgram {
  Target target;
  Choice choice;
  Program program;
  std::vector<AheadKernel> kernels;  ///< of its launches
};

/// Decides and generates: by what is shipped of wisdom and the user's own file, for no GPU in
/// particular, whatever was made before. Compiles nothing. Throws UnsupportedProblem.
[[nodiscard]] AheadProgram generate_ahead(const AheadRequest& request, const Target& target);

/// Collects programs and makes a bundle of them, which load_kernels() takes.
class AheadOfTime {
 public:
  AheadOfTime();
  ~AheadOfTime();

  /// Compiles the kernels of `made`, which is what generate_ahead() made of `request`, or finds
  /// them in the disk cache. `ptx`: also as PTX. Safe from many threads. Throws FftError.
  void add(const AheadRequest& request, AheadProgram& made, bool ptx);

  /// Equal requests give equal bytes, in whatever order they were added: by the same version of
  /// Sonoma, the same wisdom and the same NVRTC.
  [[nodiscard]] std::string bundle() const;

  /// Of NVRTC: product, version and build. Throws FftError (Stage::load_library).
  [[nodiscard]] static std::string compiler();
  [[nodiscard]] static std::string made_by();  ///< "sonoma 0.1.0"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sonoma
