// Into which passes a transform is split.
#include "pass_lengths.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "columns.hpp"
#include "profile.hpp"
#include "remembered.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// Those from 2 to largest_pass, ascending.
Lengths divisors_of(std::int64_t n) {
  Lengths divisors, large;
  for (std::int64_t d = 1; d <= largest_pass && d * d <= n; ++d) {
    if (n % d != 0) continue;
    if (d > 1) divisors.push_back(d);
    if (n / d <= largest_pass && n / d > d) large.push_back(n / d);
  }
  divisors.insert(divisors.end(), large.rbegin(), large.rend());
  return divisors;
}

// 0: there is none.
std::int64_t divisor_near_root(std::int64_t n, unsigned degree) {
  const Lengths divisors = divisors_near_root(n, degree);
  return divisors.empty() ? 0 : divisors.front();
}

Lengths lengths_of_bits(std::int64_t n, std::int64_t longest) {
  const int bits = std::countr_zero(static_cast<std::uint64_t>(n));
  const int most = std::countr_zero(static_cast<std::uint64_t>(longest));
  const int passes = std::max(2, (bits + most - 1) / most);
  Lengths lengths;
  for (int p = 0, rest = bits; p < passes; ++p) {
    const int own = rest / (passes - p);
    lengths.push_back(std::int64_t{1} << own);
    rest -= own;
  }
  return lengths;
}

// By the bits columns beside others are no power of two of them, see mixed_columns().
bool has_columns(std::int64_t own, std::int64_t other, std::int64_t longest) {
  const auto tile = static_cast<unsigned>(longest * 7 / 2);
  return mixed_columns(static_cast<unsigned>(own), columns_of_last(other), LastBlock::full, tile,
                       {}) > 1;
}

// A block has 512 points at least.
bool fills_block(std::int64_t own, std::int64_t other, std::int64_t longest) {
  constexpr std::int64_t least = 512;
  return !is_power_of_two(own) || own >= least || has_columns(own, other, longest);
}

// Where all blocks of a row have as many columns: of a convolution with a filter.
bool are_divided(const Lengths& lengths, std::int64_t longest) {
  if (lengths.size() != 2) return true;
  const auto divides = [&](std::int64_t own, std::int64_t other) {
    return !is_power_of_two(own) || is_power_of_two(other) || has_columns(own, other, longest);
  };
  return divides(lengths[0], lengths[1]) && divides(lengths[1], lengths[0]);
}

// What unequal lengths cost, for each time that one is twice the other. Of real transforms: fitted
// to 1,299 measured pairs of 100 even lengths from 132000 to 2^20 on an H200
// (bench/results/2026-11-29-h200-tune-long-real.csv.gz), and looked at beside 24 others.
double cost_of_unequal(Domain domain) { return has_hermitian(domain) ? 0.3 : 0.1; }

// Two of about equal length, whose columns waste little; nothing: there are none.
Lengths two_lengths(std::int64_t n, std::int64_t longest, LastBlock last, Domain domain) {
  Lengths best;
  double least = 0;
  for (const std::int64_t a : divisors_of(n)) {
    const std::int64_t b = n / a;
    if (b == 1 || b > largest_pass || (has_hermitian(domain) && b % 2 != n % 2)) continue;
    if (!fills_block(a, b, longest) || !fills_block(b, a, longest)) continue;
    if (last == LastBlock::full && !are_divided({a, b}, longest)) continue;
    const double apart = std::abs(std::log2(static_cast<double>(b) / static_cast<double>(a)));
    const double cost = cost_of_passes(a, b, last, domain) + cost_of_unequal(domain) * apart;
    if (best.empty() || cost < least) best = {a, b}, least = cost;
  }
  return best;
}

// Three of about equal length.
Lengths three_lengths(std::int64_t n) {
  const std::int64_t a = divisor_near_root(n, 3);
  const std::int64_t b = a == 0 ? 0 : divisor_near_root(n / a, 2);
  if (b == 0) return {};
  Lengths lengths = {a, b, n / a / b};
  std::sort(lengths.begin(), lengths.end());
  if (lengths.front() == 1 || lengths.back() > largest_pass) return {};
  return lengths;
}

// Where those do not have room for all large prime factors: 19^7 is 361 x 361 x 361 x 19.
Lengths four_lengths(std::int64_t n) {
  const std::int64_t a = divisor_near_root(n, 4);
  if (a == 0) return {};
  Lengths lengths = three_lengths(n / a);
  if (!lengths.empty()) lengths.insert(lengths.begin(), a);
  return lengths;
}

// Of what is no power of two.
Lengths lengths_of_product(std::int64_t n, std::int64_t longest, LastBlock last, Domain domain) {
  Lengths lengths = two_lengths(n, longest, last, domain);
  if (lengths.empty()) lengths = three_lengths(n);
  if (lengths.empty()) lengths = four_lengths(n);
  if (!lengths.empty()) return lengths;
  throw UnsupportedProblem("n", std::to_string(n),
                           "a product of four lengths up to " + std::to_string(largest_pass));
}

// Whole sectors of columns fit a block's shared memory.
std::int64_t longest_pass(Storage storage, const Target& target) {
  constexpr std::int64_t fewest_columns = 4;
  const std::int64_t most =
      point_bytes(storage) < 8 ? profile_of(target).passes.longest_of_half : largest_pass;
  return std::min(most, tile_of_bits(target) / fewest_columns);
}

}  // namespace

Lengths divisors_near_root(std::int64_t n, unsigned degree) {
  const double root = std::pow(static_cast<double>(n), 1.0 / degree);
  Lengths divisors = divisors_of(n);
  std::ranges::stable_sort(divisors, {}, [&](std::int64_t d) {
    return std::abs(std::log(static_cast<double>(d) / root));
  });
  return divisors;
}

Lengths pass_lengths(std::int64_t n, std::int64_t longest, LastBlock last, Domain domain) {
  if (is_power_of_two(n)) return lengths_of_bits(n, longest);
  static Remembered<std::tuple<std::int64_t, std::int64_t, LastBlock, Domain>, Lengths> remembered;
  return remembered.of({n, longest, last, domain},
                       [&] { return lengths_of_product(n, longest, last, domain); });
}

Lengths default_lengths(const FftProblem& problem, const Tuning& tuning, const Target& target,
                        Method method) {
  if (tuning.pass_lengths) return *tuning.pass_lengths;
  if (method == Method::radix) {
    const std::int64_t longest = longest_pass(problem.storage, target);
    Lengths lengths = pass_lengths(problem.n(), longest, LastBlock::fewer, problem.domain);
    if (!problem.convolution || are_divided(lengths, longest)) return lengths;
    return pass_lengths(problem.n(), longest, LastBlock::full);
  }
  const auto bits =
      static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(problem.n()) - 1));
  const std::int64_t length =
      takes_mma(tuning, problem) ? bits : convolution_lengths_of_passes(problem.n(), 1).front();
  const std::int64_t points = std::max(length, shortest_pass * shortest_pass);
  return pass_lengths(points, longest_pass(Storage::f32, target), LastBlock::full);
}

}  // namespace sonoma
