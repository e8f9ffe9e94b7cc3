#include "sonoma/check_tuning.hpp"

#include <algorithm>
#include <string>

#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// Blocks of a cluster. Every GPU with clusters promises 8.
constexpr unsigned largest_cluster = 16;

void check_products(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  if (tuning.engine != Engine::mma) return;
  if (convolves(tuning)) {
    throw UnsupportedProblem("engine", "mma",
                             "simt with the method " + to_string(*tuning.method) +
                                 ", which this length or you asked for");
  }
  if (is_mixed(problem, tuning)) {
    throw UnsupportedProblem("engine", "mma",
                             "simt for a tile that is no power of two: tensor cores multiply 16 x "
                             "16 points at a time");
  }
  if (tuning.products != 1u && tuning.products != 3u && tuning.products != 4u) {
    throw UnsupportedProblem("products", std::to_string(*tuning.products),
                             "1 (high halves only), 3, or 4 (low times low too)");
  }
  if (tuning.mma_form == MmaForm::ptx && !target.has_mma_m16n8k16()) {
    throw UnsupportedProblem(
        "mma_form", "ptx",
        "mma.sync.m16n8k16 needs sm_80 or later; " + arch_name(target) + " takes wmma");
  }
}

// Which steps are products.
void check_tensor_steps(const Tuning& tuning) {
  if (!tuning.tensor_steps) return;
  const auto& radices = tuning.decomposition->radices;
  const unsigned mask = *tuning.tensor_steps;
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
void check_mixed_shape(const Tuning& tuning) {
  const auto n = static_cast<unsigned>(tuning.decomposition->n());
  const unsigned largest = largest_of(*tuning.decomposition);
  const unsigned points = *tuning.points_per_thread, block = *tuning.block_points;
  if (points < largest || points > most_mixed_points) {
    throw UnsupportedProblem("points_per_thread", std::to_string(points),
                             std::to_string(largest) + " to " + std::to_string(most_mixed_points) +
                                 " (a thread holds a whole butterfly)");
  }
  if (block % n != 0 || block < n || block > largest_mixed_tile) {
    throw UnsupportedProblem(
        "block_points", std::to_string(block),
        "a multiple of " + std::to_string(n) + " up to " + std::to_string(largest_mixed_tile));
  }
}

void check_points_per_thread(const Tuning& tuning) {
  const unsigned largest = largest_of(*tuning.decomposition);
  const bool mma = tuning.engine == Engine::mma;
  check_power_of_two("points_per_thread", *tuning.points_per_thread,
                     mma ? std::max(16u, largest) : largest, 32,
                     mma ? " (two tiles of eight points, or four; a thread holds a whole butterfly)"
                         : " (a thread holds a whole butterfly)");
}

void check_shape(const Tuning& tuning, const FftProblem& problem) {
  if (*tuning.registers < 32 || *tuning.registers > 255) {
    throw UnsupportedProblem("registers", std::to_string(*tuning.registers), "32 to 255");
  }
  if (is_mixed(problem, tuning)) return check_mixed_shape(tuning);
  check_points_per_thread(tuning);
  check_power_of_two("cluster", *tuning.cluster, 1, largest_cluster, " (blocks)");
  check_power_of_two("rounds", *tuning.rounds, 1, 2, "");
  const auto length = static_cast<unsigned>(tuning.decomposition->n());
  const unsigned points = *tuning.points_per_thread, parts = parts_of(tuning);
  check_power_of_two("block_points", *tuning.block_points, std::max(length, 32 * points * parts),
                     most_block_points * parts, " (whole transforms and whole warps)");
  if (*tuning.block_points / points > 1024 * parts) {
    throw UnsupportedProblem("block_points", std::to_string(*tuning.block_points),
                             "at most 1024 threads in each of " + std::to_string(*tuning.cluster) +
                                 " block(s): with " + std::to_string(points) +
                                 " points a thread at most " +
                                 std::to_string(1024 * points * parts));
  }
}

// What tells it before there is a schedule: see require_rounds().
void check_rounds(const Tuning& tuning, const FftProblem& problem) {
  const bool serves =
      !is_mixed(problem, tuning) && !convolves(tuning) && *tuning.block_points >= 1024;
  if (tuning.rounds == 1u || serves) return;
  throw UnsupportedProblem(
      "rounds", std::to_string(*tuning.rounds),
      "1, or a power of two, the method radix and block_points of 1024 or more");
}

void check_twiddles(const Tuning& tuning, const FftProblem& problem) {
  if (tuning.twiddles != Twiddles::products || may_take_products(problem, tuning)) return;
  throw UnsupportedProblem("twiddles", "products",
                           "engine simt, powers of two and the method radix; or table");
}

void check_accuracy(const Tuning& resolved, const FftProblem& problem) {
  const auto& most = problem.accuracy.max_rel_l2;
  if (!most || error_limit(problem, resolved) <= *most) return;
  const Accuracy possible{{}, error_limit(problem, resolved)};
  throw UnsupportedProblem("accuracy", to_string(problem.accuracy),
                           to_string(possible) + " or more for this length, storage and tuning");
}

}  // namespace

bool convolves(const Tuning& tuning) { return tuning.method && tuning.method != Method::radix; }

unsigned parts_of(const Tuning& tuning) {
  return tuning.cluster.value_or(1) * tuning.rounds.value_or(1);
}

std::int64_t length_of(const FftProblem& problem, const Tuning& tuning) {
  return convolves(tuning) ? convolution_length(tuning, problem.n()) : problem.n();
}

bool is_mixed(const FftProblem& problem, const Tuning& tuning) {
  const std::int64_t length = length_of(problem, tuning), block = tuning.block_points.value_or(0);
  return !is_power_of_two(length) ||
         (block > length && block % length == 0 && !is_power_of_two(block));
}

unsigned largest_of(const Decomposition& tree) { return *std::ranges::max_element(tree.radices); }

bool may_take_products(const FftProblem& problem, const Tuning& tuning) {
  return tuning.engine != Engine::mma && !is_mixed(problem, tuning) && !convolves(tuning);
}

// The table is as large as the tile, which the L1 cache keeps up to 8192 points.
Twiddles default_twiddles(const Tuning& tuning, const FftProblem& problem) {
  const bool products = may_take_products(problem, tuning) && problem.n() > 8192;
  return products ? Twiddles::products : Twiddles::table;
}

void check_decomposition(const Tuning& tuning, const FftProblem& problem) {
  const bool bits = !is_mixed(problem, tuning);
  for (const unsigned radix : tuning.decomposition->radices) {
    const bool served = radix >= 2 && radix <= largest_radix;
    if (served && (!bits || is_power_of_two(radix))) continue;
    throw UnsupportedProblem(
        "decomposition", to_string(*tuning.decomposition),
        bits ? "steps of radix 2, 4, 8, 16 or 32 for a power of two" : "steps of radix 2 to 32");
  }
  const std::int64_t length = tuning.decomposition->n();
  if (tuning.method == Method::bluestein) {
    const bool alone = tuning.cluster.value_or(1) == 1 && !bits;
    const std::int64_t most =
        alone ? largest_mixed_tile : std::int64_t{most_block_points} * tuning.cluster.value_or(1);
    if (length >= 2 * problem.n() - 1 && length <= most) return;
    throw UnsupportedProblem(
        "decomposition", to_string(*tuning.decomposition),
        "of " + std::to_string(2 * problem.n() - 1) + " to " + std::to_string(most) +
            " points with the method bluestein, its radices multiply to " + std::to_string(length));
  }
  if (length != length_of(problem, tuning)) {
    throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                             "its radices multiply to " + std::to_string(length) + ", n is " +
                                 std::to_string(problem.n()) +
                                 (convolves(tuning) ? "; the method rader takes n - 1" : ""));
  }
}

void check(const Tuning& resolved, const FftProblem& problem, const Target& target) {
  check_products(resolved, problem, target);
  check_rounds(resolved, problem);
  check_twiddles(resolved, problem);
  check_tensor_steps(resolved);
  check_shape(resolved, problem);
  check_accuracy(resolved, problem);
}

}  // namespace sonoma
