#include "sonoma/resolve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cluster_choice.hpp"
#include "mixed_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "tensor_steps.hpp"

namespace sonoma {
namespace {

constexpr unsigned most_block_points = 16384;

bool is_bluestein(const Tuning& tuning) { return tuning.method == Method::bluestein; }
bool convolves(const Tuning& tuning) { return tuning.method && tuning.method != Method::radix; }

// Blocks that a transform is spread over, the rounds of each, and both together.
unsigned cluster_of(const Tuning& tuning) { return tuning.cluster.value_or(1); }
unsigned rounds_of(const Tuning& tuning) { return tuning.rounds.value_or(1); }
unsigned parts_of(const Tuning& tuning) { return cluster_of(tuning) * rounds_of(tuning); }

// Points of the transforms that a block makes.
std::int64_t length_of(const FftProblem& problem, const Tuning& tuning) {
  return convolves(tuning) ? convolution_length(tuning, problem.n()) : problem.n();
}

bool is_mma(const Tuning& tuning) { return tuning.engine == Engine::mma; }

// A tile that is addressed by sums of digits, not by bits.
bool is_mixed(const FftProblem& problem, const Tuning& tuning) {
  const std::int64_t length = length_of(problem, tuning);
  return !std::has_single_bit(static_cast<std::uint64_t>(length)) ||
         (tuning.block_points && *tuning.block_points % length == 0 &&
          !std::has_single_bit(*tuning.block_points) &&
          *tuning.block_points > static_cast<unsigned>(length));
}

unsigned largest_of(const Decomposition& decomposition) {
  return *std::max_element(decomposition.radices.begin(), decomposition.radices.end());
}

bool is_bit(std::int64_t n) { return std::has_single_bit(static_cast<std::uint64_t>(n)); }

void check_decomposition(const Tuning& tuning, const FftProblem& problem) {
  if (tuning.radix && tuning.decomposition) {
    throw UnsupportedProblem("radix", std::to_string(*tuning.radix),
                             "a radix or a decomposition, not both");
  }
  if (!tuning.decomposition) return;
  const bool bits = is_bit(length_of(problem, tuning)) && !is_mixed(problem, tuning);
  for (const unsigned radix : tuning.decomposition->radices) {
    const bool served = radix >= 2 && radix <= largest_radix;
    if (served && (!bits || std::has_single_bit(radix))) continue;
    throw UnsupportedProblem(
        "decomposition", to_string(*tuning.decomposition),
        bits ? "steps of radix 2, 4, 8, 16 or 32 for a power of two" : "steps of radix 2 to 32");
  }
  const std::int64_t length = tuning.decomposition->n();
  if (is_bluestein(tuning)) {
    const bool alone = cluster_of(tuning) == 1 && !bits;
    const std::int64_t most =
        alone ? largest_mixed_tile : std::int64_t{most_block_points} * cluster_of(tuning);
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

void check_engine(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  if (is_mma(tuning) && tuning.method == Method::rader) {
    throw UnsupportedProblem("engine", "mma",
                             "simt with the method rader, whose n - 1 points come one by one in "
                             "the order of powers; or the method bluestein");
  }
  if (is_mma(tuning) && is_mixed(problem, tuning)) {
    throw UnsupportedProblem("engine", "mma",
                             "simt for a tile that is no power of two: tensor cores multiply 16 x "
                             "16 points at a time");
  }
  if (tuning.engine == Engine::simt && tuning.mma_form) {
    throw UnsupportedProblem("mma_form", to_string(*tuning.mma_form),
                             "only the engine mma has warp-matrix products; drop one of the two");
  }
  if (tuning.engine == Engine::simt && tuning.products) {
    throw UnsupportedProblem("products", std::to_string(*tuning.products),
                             "only the engine mma has FP16 products; drop one of the two");
  }
  if (tuning.products && *tuning.products != 1 && *tuning.products != 3 && *tuning.products != 4) {
    throw UnsupportedProblem("products", std::to_string(*tuning.products),
                             "1 (high halves only), 3, or 4 (low times low too)");
  }
  if (tuning.mma_form == MmaForm::ptx && !target.has_mma_m16n8k16()) {
    throw UnsupportedProblem(
        "mma_form", "ptx",
        "mma.sync.m16n8k16 needs sm_80 or later; " + arch_name(target) + " takes wmma");
  }
}

// Blocks of a cluster. Every GPU with clusters promises 8.
constexpr unsigned largest_cluster = 16;

void check_power_of_two(const char* field, const std::optional<unsigned>& value, unsigned least,
                        unsigned most, const std::string& why) {
  if (!value || (std::has_single_bit(*value) && *value >= least && *value <= most)) return;
  throw UnsupportedProblem(
      field, std::to_string(*value),
      "a power of two from " + std::to_string(least) + " to " + std::to_string(most) + why);
}

// Blocks and rounds are numbered by digits of the tile.
void check_parts(const FftProblem& problem, const Tuning& tuning) {
  check_power_of_two("rounds", tuning.rounds, 1, 2, "");
  if (!is_mixed(problem, tuning)) {
    return check_power_of_two("cluster", tuning.cluster, 1, largest_cluster, " (blocks)");
  }
  if (cluster_of(tuning) >= 1 && cluster_of(tuning) <= largest_cluster) return;
  throw UnsupportedProblem("cluster", std::to_string(*tuning.cluster),
                           "1 to " + std::to_string(largest_cluster) + " (blocks)");
}

// Of a tuning whose engine and decomposition are known.
void check_shape(const Tuning& tuning, const FftProblem& problem) {
  const auto length = static_cast<unsigned>(tuning.decomposition->n());
  const unsigned largest = largest_of(*tuning.decomposition);
  if (tuning.registers && (*tuning.registers < 32 || *tuning.registers > 255)) {
    throw UnsupportedProblem("registers", std::to_string(*tuning.registers), "32 to 255");
  }
  check_parts(problem, tuning);
  if (is_mixed(problem, tuning)) return check_mixed_shape(tuning, length);
  if (is_mma(tuning)) {
    check_power_of_two("points_per_thread", tuning.points_per_thread, std::max(16u, largest), 32,
                       " (two tiles of eight points, or four; a thread holds a whole butterfly)");
  } else {
    check_power_of_two("points_per_thread", tuning.points_per_thread, largest, 32,
                       " (a thread holds a whole butterfly)");
  }
  const unsigned warp = 32 * tuning.points_per_thread.value_or(largest);
  const unsigned cluster = cluster_of(tuning), parts = parts_of(tuning);
  check_power_of_two("block_points", tuning.block_points, std::max(length, warp * parts),
                     most_block_points * parts, " (whole transforms and whole warps)");
  if (tuning.block_points && tuning.points_per_thread &&
      *tuning.block_points / *tuning.points_per_thread > 1024 * parts) {
    const unsigned most = 1024 * *tuning.points_per_thread * parts;
    throw UnsupportedProblem("block_points", std::to_string(*tuning.block_points),
                             "at most 1024 threads in each of " + std::to_string(cluster) +
                                 " block(s): with " + std::to_string(*tuning.points_per_thread) +
                                 " points a thread at most " + std::to_string(most));
  }
}

// The engine and the number of products that a named arithmetic stands for.
Tuning tuning_of(Arithmetic arithmetic) {
  Tuning tuning;
  tuning.engine = arithmetic == Arithmetic::simt ? Engine::simt : Engine::mma;
  if (arithmetic == Arithmetic::split3) tuning.products = 3;
  if (arithmetic == Arithmetic::split4) tuning.products = 4;
  if (arithmetic == Arithmetic::half) tuning.products = 1;
  return tuning;
}

void demand(Tuning& tuning, Arithmetic arithmetic) {
  const Tuning wanted = tuning_of(arithmetic);
  if ((tuning.engine && tuning.engine != wanted.engine) ||
      (tuning.products && tuning.products != wanted.products) ||
      (tuning.mma_form && wanted.engine == Engine::simt)) {
    throw UnsupportedProblem(
        "accuracy", to_string(arithmetic),
        "what goes with the tuning, which is " + to_string(tuning) + "; drop one of the two");
  }
  tuning.engine = wanted.engine;
  tuning.products = wanted.products;
}

// Below 16 points a tensor-core step would multiply mostly zeros; above radix 16 butterflies take
// less.
void choose_engine(Tuning& tuning, const FftProblem& problem) {
  if (tuning.engine) return;
  const bool matrix = tuning.mma_form || tuning.products;
  const bool large = tuning.radix.value_or(2) > 16 ||
                     (tuning.decomposition && largest_of(*tuning.decomposition) > 16);
  const bool suits =
      problem.n() >= 16 && !large && !convolves(tuning) && !is_mixed(problem, tuning);
  tuning.engine = suits || matrix ? Engine::mma : Engine::simt;
}

// How much a thread holds, and the registers it may take for that. Measured on an H200: more
// resident warps beat more registers as long as nothing spills; the 8192 points of the default
// decomposition in threads of 16 leave one block an SM, in threads of 32 two, with an exchange
// less.
void choose_simt_shape(Tuning& tuning) {
  const std::int64_t n = tuning.decomposition->n();
  const bool one_block = n / parts_of(tuning) > 8192;
  const bool largest =
      n >= 8192 && (one_block || tuning.decomposition == decompose(n) || convolves(tuning));
  const bool whole = largest_of(*tuning.decomposition) > 16;
  if (!tuning.points_per_thread) tuning.points_per_thread = largest || whole ? 32 : 16;
  // Small radices that share a phase carry more factors than one large one.
  const bool chained = *tuning.decomposition != decompose(n, 16) || n >= 8192;
  const bool small = one_block && *tuning.points_per_thread <= 16;
  const unsigned most = small ? 64 : *tuning.points_per_thread <= 16 && !chained ? 80 : 128;
  if (!tuning.registers) tuning.registers = convolves(tuning) && most == 80 ? 96 : most;
}

void choose_mma_shape(Tuning& tuning, const FftProblem& problem, const Target& target) {
  const std::int64_t n = tuning.decomposition->n();
  const bool ptx_default =
      tuning.mma_form == MmaForm::ptx && !convolves(tuning) && tuning.decomposition == decompose(n);
  // What was measured on an H200 is tight: others would spill.
  const bool measured =
      target.arch == 90 && ptx_default && problem.storage == Storage::f32 && tuning.products == 3u;
  const bool more = (measured && n == 8192) || largest_of(*tuning.decomposition) > 16;
  if (!tuning.points_per_thread) tuning.points_per_thread = more ? 32 : 16;
  if (tuning.registers) return;
  // Scales of several transforms in a warp tile, and staged fragments, take more.
  unsigned most = n < 256 || tuning.mma_form == MmaForm::wmma ? 160 : 128;
  if ((*tuning.points_per_thread > 16 && n != 8192) || convolves(tuning)) most = 160;
  const bool tight = measured && *tuning.points_per_thread == 16;
  if (tight && most == 128 && n != 512) most = n == 4096 ? 80 : 96;
  tuning.registers = most;
}

bool may_take_products(const Tuning& tuning, const FftProblem& problem) {
  return !is_mma(tuning) && !is_mixed(problem, tuning) && !convolves(tuning);
}

void choose_twiddles(Tuning& tuning, const FftProblem& problem) {
  if (tuning.twiddles == Twiddles::products && !may_take_products(tuning, problem)) {
    throw UnsupportedProblem("twiddles", "products",
                             "engine simt, powers of two and the method radix; or table");
  }
  if (!tuning.twiddles) tuning.twiddles = default_twiddles(tuning, problem);
}

// What tells it before there is a schedule: see require_rounds().
void check_rounds(const Tuning& tuning, const FftProblem& problem) {
  const auto points = tuning.block_points.value_or(static_cast<unsigned>(problem.n()));
  const bool serves = !convolves(tuning) && (points >= 1024 || is_mixed(problem, tuning));
  if (rounds_of(tuning) == 1 || serves) return;
  throw UnsupportedProblem("rounds", std::to_string(*tuning.rounds),
                           "1, or the method radix and block_points of 1024 or more");
}

void require_one_pass(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  const Method method = method_for(tuning, problem, target);
  const std::int64_t largest = largest_of_one_pass(target, problem.n(), method, parts_of(tuning),
                                                   takes_mma(tuning, problem));
  if (problem.n() > largest) {
    throw UnsupportedProblem("n", std::to_string(problem.n()),
                             "at most " + std::to_string(largest) +
                                 " in one kernel; make_program() and make_plan() take several");
  }
  if (tuning.pass_lengths || tuning.columns || tuning.workspace_points || tuning.fused) {
    throw UnsupportedProblem("pass_lengths", to_string(tuning),
                             "for transforms in several passes: make_program() and make_plan()");
  }
}

void check_accuracy(const Tuning& resolved, const FftProblem& problem) {
  const auto& most = problem.accuracy.max_rel_l2;
  if (!most || error_limit(problem, resolved) <= *most) return;
  const Accuracy possible{{}, error_limit(problem, resolved)};
  throw UnsupportedProblem("accuracy", to_string(problem.accuracy),
                           to_string(possible) + " or more for this length, storage and tuning");
}

// Three phases, which fill 32 registers, where a block takes a long transform. Measured on an H200:
// 16384 points .79 to .83, four phases to three; radix 32 .81.
Decomposition default_decomposition(const Tuning& tuning, const FftProblem& problem) {
  const std::int64_t length = length_of(problem, tuning);
  if (is_mma(tuning)) return decompose(length, tuning.radix);
  if (tuning.radix) return decompose(length, tuning.radix);
  const bool one_block = cluster_of(tuning) == 1;
  if (parts_of(tuning) > 1 && !is_bit(length)) return steps_in_parts(tuning, length);
  if (rounds_of(tuning) > 1) return steps_in_rounds(length);
  if (one_block && length == 16384) return {{16, 2, 16, 2, 16}};
  if (one_block && length == 8192 && convolves(tuning)) return {{32, 16, 16}};
  if (one_block && length > most_block_points && convolves(tuning)) return large_tile(problem.n());
  if (length == 32768 && convolves(tuning)) return {{16, 2, 16, 2, 16, 2}};
  return decompose(length, tuning.radix);
}

}  // namespace

// The table is as large as the tile, which the L1 cache keeps up to 8192 points.
Twiddles default_twiddles(const Tuning& tuning, const FftProblem& problem) {
  const bool products = may_take_products(tuning, problem) && problem.n() > 8192;
  return products ? Twiddles::products : Twiddles::table;
}

Tuning resolve(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  validate(problem);
  require_one_pass(tuning, problem, target);
  Tuning result = tuning;
  result.method = method_for(tuning, problem, target);
  if (problem.accuracy.arithmetic) demand(result, *problem.accuracy.arithmetic);
  check_decomposition(result, problem);
  choose_engine(result, problem);
  check_engine(result, problem, target);
  if (!result.decomposition) result.decomposition = default_decomposition(result, problem);
  result.radix.reset();
  if (!result.cluster) result.cluster = 1;
  if (!result.rounds) result.rounds = 1;
  check_rounds(result, problem);
  choose_twiddles(result, problem);
  if (is_mma(result)) {
    choose_tensor_steps(result);
    if (!result.products) result.products = is_half(problem.storage) ? 1 : 3;
    if (!result.mma_form) {
      result.mma_form = target.has_mma_m16n8k16() ? MmaForm::ptx : MmaForm::wmma;
    }
    choose_mma_shape(result, problem, target);
  } else if (!is_mixed(problem, result)) {
    choose_simt_shape(result);
  }
  check_tensor_steps(result);
  check_shape(result, problem);
  if (is_mixed(problem, result)) choose_mixed_shape(result, result.decomposition->n());
  if (!result.block_points) {
    const auto length = static_cast<unsigned>(result.decomposition->n());
    result.block_points =
        rounds_of(result) > 1 ? length : std::max({length, 1024u, 32 * *result.points_per_thread});
  }
  check_shape(result, problem);
  check_accuracy(result, problem);
  return result;
}

}  // namespace sonoma
