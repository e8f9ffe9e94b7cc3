// What data sheets say of GPUs, from which the profile of one that nobody measured is derived.
#pragma once

#include <cstdint>
#include <string_view>

#include "sonoma/target.hpp"

namespace sonoma {

struct GpuFacts {
  std::string_view name;  ///< a part of the driver's name for it
  int arch = 90;
  int sms = 132;
  double clock = 0;           ///< of the SMs, the highest, Hz
  double bandwidth = 0;       ///< of memory, bytes a second
  std::int64_t l2_bytes = 0;  ///< of the L2 cache
};

/// That memory brings to each SM in a cycle. An H100 copies .709 of the bytes of an H200 in a
/// second; by its data sheet .698.
[[nodiscard]] inline double bytes_of_sm(const GpuFacts& facts) {
  return facts.bandwidth / (facts.sms * facts.clock);
}

/// The one that was measured.
[[nodiscard]] const GpuFacts& measured_gpu();

/// Of the device with this name; of another one, or none, those of the architecture's part in
/// target_for(). What decides the bits of a result must not ask for the device: GPUs of one
/// architecture give the same.
[[nodiscard]] const GpuFacts& gpu_facts(const Target& target, std::string_view device = {});

}  // namespace sonoma
