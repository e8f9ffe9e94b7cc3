// What wisdom has, measured again: which kernels are made for an entry.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sonoma/tuning.hpp"

namespace sonoma::bench {

/// What the compiler made of a tuning: the worst of its launches.
struct Made {
  unsigned registers = 0;    ///< that a thread was allowed
  unsigned local_bytes = 0;  ///< more than 0: it spills
};

/// Nothing where the generator or the compiler refuses a tuning.
using Maker = std::function<std::optional<Made>(const Tuning&)>;

/// The tunings that are measured in place of `known` ones: these, and beside those that spill or
/// are refused the generator's `defaults`; beside those that spill the same with 8, 16 and 32
/// registers more. All are made, so that they are found in the cache of kernels.
[[nodiscard]] std::vector<Tuning> tunings_again(const std::vector<Tuning>& known, const Maker& make,
                                                const std::function<Tuning()>& defaults);

}  // namespace sonoma::bench
