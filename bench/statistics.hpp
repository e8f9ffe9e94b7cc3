// Statistics of repeated measurements.
#pragma once

#include <vector>

namespace sonoma::bench {

/// Of an even number of values: the mean of the middle two. At least one value.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace sonoma::bench
