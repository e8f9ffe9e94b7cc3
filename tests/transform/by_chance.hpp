// A request of any kind and fields of its tuning, by chance: the same for a seed and a number.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sonoma/plan.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma::test {

class Chance {
 public:
  Chance(std::int64_t seed, std::int64_t number);

  /// One to three axes or a convolution, up to 600 points, laid out, padded and cropped at random.
  [[nodiscard]] FftProblem problem();
  /// None to three fields that are set to something, which may not fit.
  [[nodiscard]] Tuning tuning(const FftProblem& problem);
  [[nodiscard]] std::string arch();

 private:
  unsigned below(unsigned count);
  bool one_in(unsigned count);
  std::string one_of(const std::vector<std::string>& texts);
  FftProblem kind();
  std::string text(const std::string& field, std::int64_t n);

  std::mt19937 random_;
};

/// Executes on numbers by chance, between guards and on poisoned memory: what FFTW makes of them.
void expect_as_fftw(const Plan& plan);

/// The same all day.
[[nodiscard]] std::int64_t seed_of_today();

}  // namespace sonoma::test
