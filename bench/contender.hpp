// Something that is timed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sonoma/gpu.hpp"

namespace sonoma::bench {

struct Contender {
  std::string name;
  std::function<void()> enqueue;  ///< on the stream that time_contenders gets
  std::size_t workspace = 0;      ///< bytes
};

/// Median device time in milliseconds of each contender over interleaved repetitions, by events.
[[nodiscard]] std::vector<double> time_contenders(const std::vector<Contender>& contenders,
                                                  const GpuStream& stream, int repetitions);

}  // namespace sonoma::bench
