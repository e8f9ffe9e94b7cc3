// The words for oracles, and what they can do.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "mpfr_transforms.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {
namespace {

constexpr std::array<const char*, 3> words = {"fftw", "fftw-long", "mpfr"};

}  // namespace

std::string to_string(Oracle oracle) { return words.at(static_cast<std::size_t>(oracle)); }

std::optional<Oracle> parse_oracle(std::string_view word) {
  const auto* const found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Oracle>(found - words.begin());
}

void require_in_reach(Oracle oracle, const FftProblem& problem) {
  if (oracle != Oracle::mpfr) return;
  constexpr double most = 0x1p24;
  double products = 0;
  for (const std::int64_t n : problem.lengths) {
    const double rows = static_cast<double>(problem.points()) / static_cast<double>(n);
    const bool far = static_cast<double>(n) > most;
    products += far ? HUGE_VAL : rows * static_cast<double>(mpfr_products(n, problem.domain));
  }
  if (products <= most) return;
  throw std::invalid_argument("mpfr: " + to_string(problem) +
                              " takes it more than 2^24 products: ask for fftw-long");
}

}  // namespace sonoma::verification
