// A kernel ready to run, on whichever device.
#pragma once

#include <cstdint>

#include "sonoma/plan.hpp"

namespace sonoma {

/// Of a part of a batch. in, out, workspace (null where none is taken): checked by the caller.
struct KernelArguments {
  const void* in;
  void* out;
  void* workspace;
  std::uint64_t batch;
  std::uint64_t first_transform;  ///< of the part, in the whole batch
  const void* user;               ///< for code of the caller's
  const void* spectrum;           ///< of a convolution, for the first one of the part

  bool operator==(const KernelArguments&) const = default;
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  /// Throws FftError (Stage::launch or emulate).
  virtual void launch(KernelArguments arguments, Stream stream) const = 0;
};

}  // namespace sonoma
