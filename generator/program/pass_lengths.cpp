// Into which passes a transform is split, and how many transforms a block of a pass takes.
#include "pass_lengths.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

constexpr unsigned most_block_points = 16384;

// That a tile of bits may have, and one by sums, which is padded by an eighth at most.
unsigned tile_of_bits(const Target& target) {
  return std::min(most_block_points,
                  std::bit_floor(static_cast<unsigned>(target.shared_bytes) / 8));
}
unsigned tile_of_sums(const Target& target) {
  return std::min(most_block_points, (static_cast<unsigned>(target.shared_bytes) - 8) / 9);
}

bool is_bit(std::int64_t n) { return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)); }

// The divisor of n nearest to its root of that degree, at most largest_pass; 0: there is none.
std::int64_t divisor_near_root(std::int64_t n, unsigned degree) {
  const double root = std::pow(static_cast<double>(n), 1.0 / degree);
  const auto distance = [&](std::int64_t d) {
    return std::abs(std::log(static_cast<double>(d) / root));
  };
  std::int64_t best = 0;
  for (std::int64_t d = 2; d <= std::min(n, largest_pass); ++d) {
    if (n % d == 0 && (best == 0 || distance(d) < distance(best))) best = d;
  }
  return best;
}

std::vector<std::int64_t> lengths_of_bits(std::int64_t n, std::int64_t longest) {
  const int bits = std::countr_zero(static_cast<std::uint64_t>(n));
  const int most = std::countr_zero(static_cast<std::uint64_t>(longest));
  const int passes = std::max(2, (bits + most - 1) / most);
  std::vector<std::int64_t> lengths;
  for (int p = 0, rest = bits; p < passes; ++p) {
    const int own = rest / (passes - p);
    lengths.push_back(std::int64_t{1} << own);
    rest -= own;
  }
  return lengths;
}

// Powers of two: whole sectors of 32 bytes on the side where columns lie side by side, two or four
// where the tile has room for that, and a warp of threads of 16 points, or of a longer step's.
unsigned columns_of_bits(unsigned n, std::int64_t side_by_side, unsigned longest_step,
                         const Target& target) {
  const unsigned room = (n <= 256 ? 4096u : n <= 1024 ? 8192u : tile_of_bits(target)) / n;
  const unsigned least = 32 * std::max(16u, longest_step) / n;
  const auto most = static_cast<unsigned>(std::min<std::int64_t>(side_by_side, 16));
  unsigned columns = std::max(std::min(room, most), least);
  // Fewer, where the last block of a row would not have all of them.
  while (columns > 4 && columns > least && side_by_side % columns != 0 &&
         side_by_side % (columns / 2) == 0) {
    columns /= 2;
  }
  return columns;
}

// How much more than its points the columns of a block move: sectors of 32 bytes that are not
// theirs, where rows do not begin with one, and short pieces of DRAM's pages; and what large tiles
// lose, of which few fit an SM. On an H200 100000 points as 200 x 500 take 0.79 ms in columns of
// 10, 0.72 of 25, 0.60 of 20.
double waste_of_columns(unsigned n, std::int64_t side_by_side, unsigned columns) {
  constexpr std::int64_t sector = 4;
  const bool aligned = side_by_side % sector == 0 && columns % sector == 0;
  return 1 + (aligned ? 1.0 : 4.0) / columns + 1e-5 * n * columns;
}

// Others: a divisor, up to 32, that the tile has room for, with the least waste. Beside columns by
// the bits a length by the bits would make a tile of bits, whose strides in memory are not. Of a
// whole transform, where there is none worth while, the last block of a row has fewer.
unsigned mixed_columns(unsigned n, std::int64_t side_by_side, bool whole, unsigned tile) {
  constexpr unsigned two_blocks = 11264;  // points of an SM's shared memory for each
  const unsigned most = std::min({std::max(4u, two_blocks / n), 32u, std::max(1u, tile / n)});
  unsigned best = 1;
  for (unsigned c = 2; c <= most; ++c) {
    if (side_by_side % c != 0 || (is_bit(n) && is_bit(c))) continue;
    const bool better =
        waste_of_columns(n, side_by_side, c) < waste_of_columns(n, side_by_side, best);
    if (best == 1 || better) best = c;
  }
  if (whole && best < 4) {
    best = static_cast<unsigned>(std::min<std::int64_t>({most, side_by_side, 16}));
  }
  return best;
}

// Whole convolutions. By the bits: a power of two of them, for a tile of bits and a warp of threads
// of 16 points; whole sectors, though the last block of a row then has fewer.
unsigned convolution_columns(std::int64_t length, std::int64_t side_by_side, const Target& target) {
  if (!is_bit(length)) {
    return mixed_columns(static_cast<unsigned>(length), side_by_side, true, tile_of_sums(target));
  }
  auto columns = static_cast<unsigned>(std::max<std::int64_t>(1, 512 / length));
  const auto fits = [&](std::int64_t more) {
    return length * more <= 8192 &&
           (side_by_side % more == 0 || (more <= 4 && more <= side_by_side));
  };
  while (columns < 16 && fits(2 * columns)) columns *= 2;
  return columns;
}

// Two of about equal length, whose columns waste little; nothing: there are none.
std::vector<std::int64_t> two_lengths(std::int64_t n) {
  std::vector<std::int64_t> best;
  double least = 0;
  for (std::int64_t a = 2; a * a <= n; ++a) {
    const std::int64_t b = n / a;
    if (n % a != 0 || b > largest_pass) continue;
    const auto waste = [](std::int64_t own, std::int64_t other) {
      const auto length = static_cast<unsigned>(own);
      return waste_of_columns(length, other,
                              mixed_columns(length, other, false, most_block_points));
    };
    const double cost = waste(a, b) + waste(b, a) +
                        0.1 * std::log2(static_cast<double>(b) / static_cast<double>(a));
    if (best.empty() || cost < least) best = {a, b}, least = cost;
  }
  return best;
}

// Three of about equal length.
std::vector<std::int64_t> three_lengths(std::int64_t n) {
  const std::int64_t a = divisor_near_root(n, 3);
  const std::int64_t b = a == 0 ? 0 : divisor_near_root(n / a, 2);
  if (b == 0) return {};
  std::vector<std::int64_t> lengths = {a, b, n / a / b};
  std::sort(lengths.begin(), lengths.end());
  if (lengths.front() == 1 || lengths.back() > largest_pass) return {};
  return lengths;
}

// Where those do not have room for all large prime factors: 19^7 is 361 x 361 x 361 x 19.
std::vector<std::int64_t> four_lengths(std::int64_t n) {
  const std::int64_t a = divisor_near_root(n, 4);
  if (a == 0) return {};
  std::vector<std::int64_t> lengths = three_lengths(n / a);
  if (!lengths.empty()) lengths.insert(lengths.begin(), a);
  return lengths;
}

bool all_bits(const std::vector<std::int64_t>& lengths) {
  return std::all_of(lengths.begin(), lengths.end(), is_bit);
}

}  // namespace

std::vector<std::int64_t> pass_lengths(std::int64_t n, std::int64_t longest) {
  if (is_bit(n)) return lengths_of_bits(n, longest);
  for (const auto find : {two_lengths, three_lengths, four_lengths}) {
    std::vector<std::int64_t> lengths = find(n);
    if (!lengths.empty()) return lengths;
  }
  throw UnsupportedProblem("n", std::to_string(n),
                           "a product of four lengths up to " + std::to_string(largest_pass));
}

void check_pass_lengths(const std::vector<std::int64_t>& lengths, const FftProblem& problem) {
  std::int64_t product = 1;
  for (const std::int64_t length : lengths) {
    const bool served = is_bit(length) ? length >= shortest_pass || !is_bit(problem.n())
                                       : length >= 2 && is_smooth(length);
    if (!served || length > largest_pass || product > problem.n() / length) {
      throw UnsupportedProblem("pass_lengths", to_list(lengths),
                               "powers of two from " + std::to_string(shortest_pass) +
                                   ", or products of primes up to 31, up to " +
                                   std::to_string(largest_pass) +
                                   ", whose product is n = " + std::to_string(problem.n()));
    }
    product *= length;
  }
  if (product == problem.n() && lengths.size() >= 2) return;
  throw UnsupportedProblem(
      "pass_lengths", to_list(lengths),
      "two or more lengths whose product is n = " + std::to_string(problem.n()));
}

namespace {

// Of a batch whose transforms lie between each other's points as many as are worth while.
std::int64_t transforms_side_by_side(const Pass& pass) {
  if (!pass.loops.empty()) return pass.loops.front().count;
  return pass.in_dist < pass.in_stride || pass.out_dist < pass.out_stride ? 16 : 1;
}

}  // namespace

unsigned columns_of(const Tuning& tuning, const Pass& pass, const Target& target) {
  if (tuning.columns) return *tuning.columns;
  const std::int64_t side_by_side = transforms_side_by_side(pass);
  const auto n = static_cast<unsigned>(pass.n());
  if (!pass.part && method_for(tuning, pass.n()) != Method::radix) {
    return convolution_columns(convolution_length(tuning, pass.n()), side_by_side, target);
  }
  const bool bits = is_bit(pass.n()) && (!pass.part || all_bits(pass.part->lengths));
  if (!bits) return mixed_columns(n, side_by_side, !pass.part, tile_of_sums(target));
  unsigned longest_step = 1;
  if (tuning.decomposition) longest_step = *std::ranges::max_element(tuning.decomposition->radices);
  return columns_of_bits(n, side_by_side, longest_step, target);
}

// Columns of a tile of 4096 points are four, which in 16 bits are half a sector. Measured on an
// H200 with f16: 2^24 as 4096 x 4096 .13.
std::int64_t longest_pass(Storage storage, const Target& target) {
  constexpr std::int64_t fewest_columns = 4;
  const bool small = point_bytes(storage) < 8;
  return std::min(small ? largest_pass / 2 : largest_pass, tile_of_bits(target) / fewest_columns);
}

}  // namespace sonoma
