#include "sonoma/convolution_lengths.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// The least product of `odd` and a power of two that is `least` or more.
std::int64_t multiple(std::int64_t odd, std::int64_t least) {
  const auto parts = static_cast<std::uint64_t>((least + odd - 1) / odd);
  return odd * static_cast<std::int64_t>(std::bit_ceil(parts));
}

// What a length costs over its points: one that is no power of two, each factor of it, and few
// factors 2.
struct Weights {
  double mixed, three, five, seven, few_twos = 1;
};
constexpr std::int64_t short_convolution = 4096, enough_twos = 32,
                       measured_passes = std::int64_t{1} << 20;
constexpr Weights of_short = {0.93, 1.08, 1.08, 1.12}, of_long = {1.2, 1.02, 1.03, 1.05},
                  of_passes = {1.04, 1, 1, 1, 1.17};

std::vector<std::int64_t> cheapest(std::int64_t n, std::size_t most, const Weights& weights) {
  const std::int64_t least = std::max<std::int64_t>(2, 2 * n - 1), bits = multiple(1, least);
  const auto& [mixed, three, five, seven, few_twos] = weights;
  std::vector<std::pair<double, std::int64_t>> found;
  double of_sevens = mixed;
  for (std::int64_t sevens = 1; sevens < bits; sevens *= 7, of_sevens *= seven) {
    double of_fives = of_sevens;
    for (std::int64_t fives = sevens; fives < bits; fives *= 5, of_fives *= five) {
      double of_threes = of_fives;
      for (std::int64_t odd = fives; odd < bits; odd *= 3, of_threes *= three) {
        const std::int64_t m = multiple(odd, least);
        if (m > bits) continue;
        const double weight = of_threes * (m % enough_twos == 0 ? 1 : few_twos);
        found.emplace_back((odd == 1 ? 1 : weight) * static_cast<double>(m), m);
      }
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::int64_t> lengths;
  for (const auto& [cost, m] : found) {
    if (lengths.size() < most) lengths.push_back(m);
  }
  return lengths;
}

}  // namespace

std::vector<std::int64_t> convolution_lengths(std::int64_t n, std::size_t most) {
  const bool is_short = multiple(1, 2 * n - 1) <= short_convolution;
  return cheapest(n, most, is_short ? of_short : of_long);
}

std::vector<std::int64_t> convolution_lengths_of_passes(std::int64_t n, std::size_t most) {
  const bool is_measured = multiple(1, 2 * n - 1) <= measured_passes;
  return cheapest(n, most, is_measured ? of_passes : of_long);
}

std::int64_t convolution_length(const Tuning& tuning, std::int64_t n) {
  if (tuning.method == Method::rader) return n - 1;
  if (tuning.decomposition) return tuning.decomposition->n();
  if (tuning.cluster.value_or(1) > 1 || tuning.engine == Engine::mma) {
    return multiple(1, std::max<std::int64_t>(16, 2 * n - 1));
  }
  constexpr std::int64_t small = 8192;
  const bool large = n > small && n <= largest_of_large_tiles;
  return large ? large_tile(n).n() : convolution_lengths(n, 1).front();
}

bool errs_less_in_cufft(std::int64_t n) {
  constexpr std::int64_t largest_of_cufft = 127;
  const std::int64_t prime = largest_prime_factor(n);
  return prime > largest_radix && prime <= largest_of_cufft;
}

Decomposition large_tile(std::int64_t n) {
  constexpr unsigned radices[] = {24, 25, 27, 28, 30, 32}, most_threads = 896;
  Decomposition best;
  for (const unsigned a : radices) {
    for (const unsigned b : radices) {
      for (const unsigned c : radices) {
        const std::int64_t m = std::int64_t{a} * b * c;
        const bool ordered = a >= b && b >= c && a * b <= most_threads;
        if (!ordered || m < 2 * n - 1 || (!best.radices.empty() && m >= best.n())) continue;
        best = {{a, b, c}};
      }
    }
  }
  if (best.radices.empty()) throw InternalError("large_tile: too many points");
  return best;
}

}  // namespace sonoma
