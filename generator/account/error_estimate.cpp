#include "sonoma/error_estimate.hpp"

#include <cmath>

namespace sonoma {

double ErrorEstimate::expected() const { return std::sqrt(mean_square + bias * bias); }

// What the first leaves, (1 + its bound) |X|, is what the later one's bound is relative to.
ErrorEstimate& ErrorEstimate::operator+=(const ErrorEstimate& later) {
  bound += later.bound + bound * later.bound;
  mean_square += later.mean_square, bias += later.bias;
  return *this;
}

}  // namespace sonoma
