#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace sonoma::bench {

double median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("median of no values");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// Of n values so many lie below the median with the chances of n coins.
MedianInterval median_interval(std::vector<double> values) {
  constexpr double tail = 0.025;
  const std::size_t n = values.size();
  const double middle = median(values);  // refuses none
  std::ranges::sort(values);
  double chance = std::pow(0.5, static_cast<double>(n)), below = 0;
  std::size_t k = 0;
  while (below + chance <= tail && 2 * (k + 1) < n) {
    below += chance;
    chance *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
  }
  const std::size_t low = k == 0 ? 0 : k - 1;
  return {middle, values[low], values[n - 1 - low]};
}

}  // namespace sonoma::bench
