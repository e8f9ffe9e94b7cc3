#include "sonoma/check_shape.hpp"

#include <algorithm>
#include <string>

#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// Blocks of a cluster. Every GPU with clusters promises 8.
constexpr unsigned largest_cluster = 16;

void check_products(const Shape& shape) {
  if (engine_of(shape.arithmetic) == Engine::simt) return;
  if (shape.method == Method::rader) {
    throw UnsupportedProblem("engine", "mma",
                             "simt with the method rader, whose n - 1 points come one by one in "
                             "the order of powers; or the method bluestein");
  }
  if (shape.mixed()) {
    throw UnsupportedProblem("engine", "mma",
                             "simt for a tile that is no power of two: tensor cores multiply 16 x "
                             "16 points at a time");
  }
}

// Which steps are products.
void check_tensor_steps(const Shape& shape) {
  if (engine_of(shape.arithmetic) == Engine::simt) return;
  const auto& radices = shape.tree.decomposition.radices;
  const unsigned mask = shape.tree.tensor_steps;
  const auto refuse = [&](const std::string& allowed) {
    throw UnsupportedProblem("tensor_steps", to_step_list(mask), allowed);
  };
  if (mask == 0 || mask >> radices.size() != 0) {
    refuse("at least one of the steps 1 to " + std::to_string(radices.size()));
  }
  unsigned largest = 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (mask >> s & 1u) largest = std::max(largest, radices[s]);
  }
  for (std::size_t s = 0; s < radices.size(); ++s) {
    const bool product = mask >> s & 1u;
    if (product && radices[s] > 16) refuse("no step of radix 32: that is butterflies");
    if (product && takes_sixteen(largest) && radices[s] < 16) {
      refuse("beside products of radix 16 no smaller ones of radix 2, 4, 8: they are butterflies");
    }
  }
}

void check_power_of_two(const char* field, unsigned value, unsigned least, unsigned most,
                        const std::string& why) {
  if (is_power_of_two(value) && value >= least && value <= most) return;
  throw UnsupportedProblem(
      field, std::to_string(value),
      "a power of two from " + std::to_string(least) + " to " + std::to_string(most) + why);
}

// Any number of transforms a block, phases as they come.
void check_mixed(const Shape& shape) {
  const auto n = static_cast<unsigned>(shape.length());
  const unsigned largest = largest_of(shape.tree.decomposition);
  const unsigned points = shape.points_per_thread, block = shape.block_points;
  const unsigned most = largest_mixed_tile * shape.shares.parts();
  if (points < largest || points > most_mixed_points) {
    throw UnsupportedProblem("points_per_thread", std::to_string(points),
                             std::to_string(largest) + " to " + std::to_string(most_mixed_points) +
                                 " (a thread holds a whole butterfly)");
  }
  if (block % n != 0 || block < n || block > most) {
    throw UnsupportedProblem(
        "block_points", std::to_string(block),
        "a multiple of " + std::to_string(n) + " up to " + std::to_string(most));
  }
}

void check_threads(const Shape& shape) {
  const unsigned threads = shape.threads;
  if (threads == 0) return;
  if (!shape.mixed()) {
    throw UnsupportedProblem("threads", std::to_string(threads),
                             "nothing for a tile of a power of two, whose block_points / "
                             "points_per_thread they are");
  }
  if (threads % 32 == 0 && threads <= 1024) return;
  throw UnsupportedProblem("threads", std::to_string(threads), "whole warps: 32, 64, ... 1024");
}

void check_points_per_thread(const Shape& shape) {
  const unsigned largest = largest_of(shape.tree.decomposition);
  const bool mma = engine_of(shape.arithmetic) == Engine::mma;
  check_power_of_two("points_per_thread", shape.points_per_thread,
                     mma ? std::max(16u, largest) : largest, 32,
                     mma ? " (two tiles of eight points, or four; a thread holds a whole butterfly)"
                         : " (a thread holds a whole butterfly)");
}

// Blocks and rounds are numbered by digits of the tile.
void check_parts(const Shape& shape) {
  const auto& [cluster, rounds] = shape.shares;
  check_power_of_two("rounds", rounds, 1, 2, "");
  if (!shape.mixed()) {
    return check_power_of_two("cluster", cluster, 1, largest_cluster, " (blocks)");
  }
  if (cluster >= 1 && cluster <= largest_cluster) return;
  throw UnsupportedProblem("cluster", std::to_string(cluster),
                           "1 to " + std::to_string(largest_cluster) + " (blocks)");
}

void check_block(const Shape& shape) {
  if (shape.registers < 32 || shape.registers > 255) {
    throw UnsupportedProblem("registers", std::to_string(shape.registers), "32 to 255");
  }
  check_parts(shape);
  check_threads(shape);
  if (shape.mixed()) return check_mixed(shape);
  check_points_per_thread(shape);
  const auto length = static_cast<unsigned>(shape.length());
  const unsigned points = shape.points_per_thread, parts = shape.shares.parts();
  check_power_of_two("block_points", shape.block_points, std::max(length, 32 * points * parts),
                     most_block_points * parts, " (whole transforms and whole warps)");
  if (shape.block_points / points > 1024 * parts) {
    throw UnsupportedProblem("block_points", std::to_string(shape.block_points),
                             "at most 1024 threads in each of " +
                                 std::to_string(shape.shares.cluster) + " block(s): with " +
                                 std::to_string(points) + " points a thread at most " +
                                 std::to_string(1024 * points * parts));
  }
}

// What tells it before there is a schedule: see require_rounds().
void check_rounds(const Shape& shape) {
  const bool serves = !shape.convolves() && (shape.block_points >= 1024 || shape.mixed());
  if (shape.shares.rounds == 1 || serves) return;
  throw UnsupportedProblem("rounds", std::to_string(shape.shares.rounds),
                           "1, or the method radix and block_points of 1024 or more");
}

// What else opposite butterflies need is told by the schedule: see require_opposite().
void check_opposite(const Shape& shape) {
  if (!shape.opposite || !shape.convolves()) return;
  throw UnsupportedProblem("opposite", "1", "0 but for the method radix");
}

void check_twiddles(const Shape& shape) {
  const bool butterflies = engine_of(shape.arithmetic) == Engine::simt;
  if (shape.twiddles != Twiddles::table && !butterflies)
    throw UnsupportedProblem("twiddles", to_string(shape.twiddles), "engine simt; or table");
  if (shape.twiddles == Twiddles::cosines && shape.arithmetic == Arithmetic::packed)
    throw UnsupportedProblem("twiddles", to_string(shape.twiddles),
                             "table, products, powers or constants where points are packed");
}

void check_accuracy(const Shape& shape, const FftProblem& problem) {
  const auto& most = problem.accuracy.max_rel_l2;
  const Accuracy possible{{}, error_limit(problem, roundings_of(shape, problem))};
  if (!most || possible.max_rel_l2 <= most) return;
  throw UnsupportedProblem("accuracy", to_string(problem.accuracy),
                           to_string(possible) + " or more for this length, storage and tuning");
}

}  // namespace

unsigned largest_of(const Decomposition& tree) { return *std::ranges::max_element(tree.radices); }

// Of shorter ones there is little to gain: factors are few. Of real transforms cuFFT errs little,
// and of lengths for which it has butterflies where Sonoma convolves.
bool takes_powers(const Pass& pass) {
  constexpr std::int64_t least = 256;
  const FftProblem& whole = pass.whole();
  const bool complex = whole.domain == Domain::c2c && !pass.mirrors();
  return complex && !whole.convolution && pass.problem.n() >= least &&
         std::ranges::none_of(whole.lengths, errs_less_in_cufft);
}

// The table is as large as the tile in FP32, of which the L1 cache keeps 8192 points. Where points
// have 16 bits, or n is no power of two so that a block reads each factor once, products are faster
// from 4097 points on. Powers are faster still, and err more. See bench/NOTES.md. Real transforms
// by clusters err .6 of what cuFFT's do with powers, too; so products would be spilled for nothing.
Twiddles default_twiddles(const Shape& shape, const Pass& pass) {
  const FftProblem& problem = pass.problem;
  const bool butterflies = engine_of(shape.arithmetic) == Engine::simt;
  if (!butterflies || problem.convolution) return Twiddles::table;
  const bool fp32 = shape.sums == Sums::fp32;
  const bool pairs_of_cluster = shape.opposite && shape.shares.cluster > 1;
  if (shape.mixed() && fp32 && (takes_powers(pass) || pairs_of_cluster)) return Twiddles::powers;
  if (shape.convolves()) return Twiddles::table;
  const bool large = problem.n() > (shape.mixed() || is_half(problem.storage) ? 4096 : 8192);
  return large ? Twiddles::products : Twiddles::table;
}

void check_decomposition(const Shape& shape, const FftProblem& problem, unsigned block_points) {
  const Decomposition& tree = shape.tree.decomposition;
  const std::int64_t n = problem.n();
  const std::int64_t wanted = shape.method == Method::bluestein ? shape.length()
                              : shape.method == Method::rader   ? n - 1
                                                                : n;
  const bool bits = !is_mixed_tile(wanted, block_points);
  for (const unsigned radix : tree.radices) {
    const bool served = is_radix(radix);
    if (served && (!bits || is_power_of_two(radix))) continue;
    throw UnsupportedProblem("decomposition", to_string(tree),
                             bits ? "steps of radix 2, 4, 8, 16 or 32 for a power of two"
                                  : "steps of radix 2 to 49, or of a prime to 61");
  }
  const std::int64_t length = shape.length();
  if (shape.method == Method::bluestein) {
    const bool alone = shape.shares.cluster == 1 && !bits;
    const std::int64_t most =
        alone ? largest_mixed_tile : std::int64_t{most_block_points} * shape.shares.cluster;
    if (length >= 2 * n - 1 && length <= most) return;
    throw UnsupportedProblem("decomposition", to_string(tree),
                             "of " + std::to_string(2 * n - 1) + " to " + std::to_string(most) +
                                 " points with the method bluestein, its radices multiply to " +
                                 std::to_string(length));
  }
  if (length != wanted) {
    throw UnsupportedProblem("decomposition", to_string(tree),
                             "its radices multiply to " + std::to_string(length) + ", n is " +
                                 std::to_string(n) +
                                 (shape.convolves() ? "; the method rader takes n - 1" : ""));
  }
}

void check(const Shape& shape, const FftProblem& problem) {
  check_products(shape);
  check_rounds(shape);
  check_opposite(shape);
  check_twiddles(shape);
  check_tensor_steps(shape);
  check_block(shape);
  check_accuracy(shape, problem);
}

}  // namespace sonoma
