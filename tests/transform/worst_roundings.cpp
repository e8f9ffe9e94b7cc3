#include "worst_roundings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace sonoma::test {
namespace {

using Numbers = RecordedKernels::Numbers;
constexpr double u = 0x1p-24;

double norm_of(const Numbers& all) {
  return std::sqrt(std::inner_product(all.begin(), all.end(), all.begin(), 0.0));
}

// Of a value.
double largest(double value, Rounding rounding) {
  if (rounding == Rounding::relative || value == 0) return u * std::fabs(value);
  return u * std::exp2(std::floor(std::log2(std::fabs(value))));
}

/// From one input on.
class Climb {
 public:
  Climb(const RecordedKernels& kernels, Rounding rounding, std::mt19937& random)
      : kernels_(kernels), rounding_(rounding), signs_(kernels.values().size()) {
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < kernels_.inputs(); ++i) input_.push_back(normal(random));
    for (double& sign : signs_) sign = random() % 2 == 0 ? 1 : -1;
    values_ = kernels_.exact(input_);
  }

  double run(int turns) {
    double most = 0;
    for (int turn = 0; turn < turns; ++turn) {
      const Numbers error = kernels_.carried(roundings());
      most = std::max(most, norm_of(error) / norm_of(kernels_.results(values_)));
      effects_ = kernels_.effects(error);
      for (std::size_t i = 0; i < signs_.size(); ++i) {
        signs_[i] = effects_[i] * values_[i] < 0 ? -1 : 1;
      }
      turn_input();
    }
    return most;
  }

 private:
  // Of all values that are rounded.
  [[nodiscard]] Numbers roundings() const {
    Numbers errors(values_.size());
    for (std::size_t i = 1; i < errors.size(); ++i) {
      if (!kernels_.values()[i].rounded) continue;
      errors[i] = std::copysign(largest(values_[i], rounding_), signs_[i] * values_[i]);
    }
    return errors;
  }

  // To where the roundings, as parts of their values, err most in the direction of the error.
  void turn_input() {
    Numbers weights = roundings();
    for (std::size_t i = 1; i < weights.size(); ++i) {
      weights[i] = values_[i] == 0 ? 0 : weights[i] / values_[i] * effects_[i];
    }
    input_ = kernels_.gradient(weights);
    const double norm = norm_of(input_);
    for (double& x : input_) x /= norm;
    values_ = kernels_.exact(input_);
  }

  const RecordedKernels& kernels_;
  Rounding rounding_;
  Numbers input_, values_, effects_;
  Numbers signs_;  // of the roundings, relative to their values
};

}  // namespace

double worst_roundings(const RecordedKernels& kernels, Rounding rounding, int turns) {
  constexpr int starts = 3;
  std::mt19937 random(3);
  double most = 0;
  for (int start = 0; start < starts; ++start) {
    most = std::max(most, Climb(kernels, rounding, random).run(turns));
  }
  return most;
}

}  // namespace sonoma::test
