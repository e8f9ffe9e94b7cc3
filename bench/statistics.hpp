// Statistics of repeated measurements.
#pragma once

#include <vector>

namespace sonoma::bench {

/// Of an even number of values: the mean of the middle two. At least one value.
[[nodiscard]] double median(std::vector<double> values);

/// A median, and bounds between which that of all that could be drawn lies in 95 of 100 cases,
/// whatever its distribution (order statistics; below 6 values: the least and the largest).
struct MedianInterval {
  double median = 0, low = 0, high = 0;
};
[[nodiscard]] MedianInterval median_interval(std::vector<double> values);

}  // namespace sonoma::bench
