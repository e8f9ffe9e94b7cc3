// A kernel ready to run, on whichever device.
#pragma once

#include <cstdint>

#include "sonoma/plan.hpp"

namespace sonoma {

class Kernel {
 public:
  virtual ~Kernel() = default;

  /// in, out, workspace (null where none is taken): checked by the caller. Throws FftError
  /// (Stage::launch or emulate).
  virtual void launch(const void* in, void* out, void* workspace, std::uint64_t batch,
                      Stream stream) const = 0;
};

}  // namespace sonoma
