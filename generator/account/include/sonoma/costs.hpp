// What a kernel does, counted on the host from its IR. All per transform unless said otherwise.
#pragma once

#include <compare>
#include <cstdint>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

struct KernelCosts {
  double nominal_flops = 0;        ///< 5 n log2 n, the number every FFT paper divides by time
  double tensor_flops = 0;         ///< 2*16*8*16 per m16n8k16
  double mmas = 0;                 ///< m16n8k16 warp instructions, each two before sm_80
  double bytes_minimum = 0;        ///< each input read once, each output written once
  double bytes_moved = 0;          ///< global memory: data only, in whole 32-byte sectors
  double table_bytes = 0;          ///< twiddles and matrix fragments read (they stay in cache)
  unsigned passes = 0;             ///< launches
  unsigned barriers = 0;           ///< block barriers a thread meets
  unsigned exchanges = 0;          ///< trips through shared memory
  unsigned shared_wavefronts = 0;  ///< of one block, all shared-memory accesses
  unsigned shared_wavefronts_minimum = 0;  ///< the same with no bank conflict

  auto operator<=>(const KernelCosts&) const = default;

  /// Extra wavefronts caused by bank conflicts.
  [[nodiscard]] unsigned bank_conflicts() const {
    return shared_wavefronts - shared_wavefronts_minimum;
  }
};

}  // namespace sonoma
