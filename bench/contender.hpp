// Something that is timed.
//
// How: a repetition runs every contender once, so that drift of clocks hits all alike, in an order
// of its own, so that nobody always follows the same one's leavings in the L2, with an event
// between one and the next; the time of a contender is the median over the repetitions. Large
// copies keep the stream busy while the host enqueues a repetition: nothing waits for the host
// then, and what the events enclose is the time of the device, also where a launch takes a few
// microseconds. Such short ones are launched many times between two events, each after the one
// before has ended, and the time is divided; it holds what a launch costs the device beside the
// work. The data of a short launch is in the L2 from the one before, for every contender.
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
  /// Enqueued before each repetition and not timed; may be empty.
  std::function<void()> prepare = {};
};

struct Repetitions {
  int count = 15;    ///< medians are over them
  int launches = 1;  ///< of each contender in a repetition; all of them together below 1000, as
                     ///< many as a stream takes before it makes the host wait
};

/// Device times in milliseconds of a launch of each contender, in the order of the repetitions.
[[nodiscard]] std::vector<std::vector<double>> sample_contenders(
    const std::vector<Contender>& contenders, const GpuStream& stream,
    const Repetitions& repetitions);

/// Their medians.
[[nodiscard]] std::vector<double> time_contenders(const std::vector<Contender>& contenders,
                                                  const GpuStream& stream,
                                                  const Repetitions& repetitions);

}  // namespace sonoma::bench
