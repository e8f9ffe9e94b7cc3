// A kernel of the caller's own beside the plans': what a benchmark needs to do what others do.
#pragma once

#include <memory>
#include <span>

#include "sonoma/api.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/plan.hpp"

namespace SONOMA_API sonoma {

/// Cheap to copy; belongs to the context that was current when it was made.
class GpuFunction {
 public:
  /// Compiles and loads `source`: its name, its text, and of its launch the threads of a block. Any
  /// arguments, no dynamic shared memory, no tables. Throws FftError.
  explicit GpuFunction(const CudaSource& source);

  /// Enqueues so many blocks. `arguments`: a pointer to each. Throws FftError (Stage::launch).
  void launch(unsigned blocks, std::span<void* const> arguments, Stream stream) const;

 private:
  struct Loaded;
  unsigned threads_;
  std::shared_ptr<const Loaded> loaded_;
};

}  // namespace sonoma
