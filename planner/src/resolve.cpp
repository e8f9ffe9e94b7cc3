// What one kernel is made of, where a request leaves it open.
#include "sonoma/resolve.hpp"

#include <algorithm>
#include <utility>

#include "decide.hpp"
#include "sonoma/check_tuning.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/tuning_fields.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

void require_one_pass(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  const Method method = method_for(tuning, problem, target);
  const std::int64_t largest = largest_of_one_pass(target, problem.n(), method, parts_of(tuning));
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

// The arithmetic that the accuracy names.
void demand(Tuning& tuning, Arithmetic arithmetic) {
  if (rules_out(tuning, arithmetic)) {
    throw UnsupportedProblem(
        "accuracy", to_string(arithmetic),
        "what goes with the tuning, which is " + to_string(tuning) + "; drop one of the two");
  }
  tuning = with_arithmetic(tuning, arithmetic);
}

// The engine, and what it alone has.
void choose_arithmetic(Tuning& tuning, const FftProblem& problem, const Target& target) {
  if (problem.accuracy.arithmetic) demand(tuning, *problem.accuracy.arithmetic);
  choose_engine(tuning, problem);
  if (tuning.engine == Engine::mma) {
    if (!tuning.products) tuning.products = is_half(problem.storage) ? 1 : 3;
    if (!tuning.mma_form) {
      tuning.mma_form = target.has_mma_m16n8k16() ? MmaForm::ptx : MmaForm::wmma;
    }
    return;
  }
  for (const auto& [field, what] : {std::pair{"mma_form", "warp-matrix products"},
                                    {"products", "FP16 products"},
                                    {"tensor_steps", "steps on tensor cores"}}) {
    const auto text = text_of(tuning_field(field), tuning);
    if (!text) continue;
    throw UnsupportedProblem(
        field, *text, "only the engine mma has " + std::string(what) + "; drop one of the two");
  }
}

Decomposition default_decomposition(const Tuning& tuning, const FftProblem& problem,
                                    const DeviceProfile& profile) {
  using enum FastSteps::Of;
  const std::int64_t length = length_of(problem, tuning);
  if (tuning.engine == Engine::mma || tuning.radix) return decompose(length, tuning.radix);
  const bool one_block = *tuning.cluster == 1;
  const bool takes_large = one_block && convolves(tuning) && *tuning.rounds == 1;
  if (takes_large && length > most_block_points) return large_tile(problem.n());
  const FastSteps::Of kind = *tuning.rounds > 1   ? rounds
                             : !convolves(tuning) ? (one_block ? block : cluster)
                             : one_block          ? convolving_block
                                                  : convolving_cluster;
  const Decomposition* fast = profile.steps_of(kind, length);
  return fast != nullptr ? *fast : decompose(length);
}

// How much a thread holds, and the registers it may take for that: more resident warps beat more
// registers as long as nothing spills; the 8192 points of the default decomposition in threads of
// 16 leave one block an SM, in threads of 32 two, with an exchange less.
void choose_simt_shape(Tuning& tuning, const SimtShape& rules) {
  const Decomposition& tree = *tuning.decomposition;
  const std::int64_t n = tree.n();
  const bool one_block = n / parts_of(tuning) > rules.large;
  const bool large = n >= rules.large && (one_block || tree == decompose(n) || convolves(tuning));
  if (!tuning.points_per_thread)
    tuning.points_per_thread = large || largest_of(tree) > 16 ? 32 : 16;
  const bool small = *tuning.points_per_thread <= 16;
  const bool chained = tree != decompose(n, 16) || n >= rules.large;
  if (tuning.registers) return;
  tuning.registers = small && one_block  ? rules.crowded
                     : !small || chained ? rules.usual
                     : convolves(tuning) ? rules.few_of_convolution
                                         : rules.few;
}

void choose_mma_shape(Tuning& tuning, const FftProblem& problem, const DeviceProfile& profile) {
  const std::int64_t n = problem.n();
  const bool tight = profile.products && tuning.mma_form == MmaForm::ptx &&
                     tuning.decomposition == decompose(n) && problem.storage == Storage::f32 &&
                     tuning.products == 3u;
  const bool more =
      (tight && n == profile.products->threads_of_32) || largest_of(*tuning.decomposition) > 16;
  if (!tuning.points_per_thread) tuning.points_per_thread = more ? 32 : 16;
  if (tuning.registers) return;
  // Scales of several transforms in a warp tile, and staged fragments, take more.
  const bool many = n < 256 || tuning.mma_form == MmaForm::wmma;
  const bool large = *tuning.points_per_thread > 16;
  tuning.registers = many || (large && n != 8192) ? 160 : 128;
  if (large || many || !tight) return;
  const auto& others = profile.products->of_length;
  const auto other = std::ranges::find(others, n, &std::pair<std::int64_t, unsigned>::first);
  tuning.registers = other == others.end() ? profile.products->registers : other->second;
}

// A small product costs as much as one of radix 16, butterflies a tenth. A third product takes more
// instructions than butterflies of radix 16, and no exchange less: two are the fastest at 4096.
void choose_tensor_steps(Tuning& tuning) {
  const auto& radices = tuning.decomposition->radices;
  unsigned mask = 0;
  unsigned products = 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (radices[s] == 16 && products++ < 2) mask |= 1u << s;
  }
  for (std::size_t s = 0; products == 0 && s < radices.size(); ++s) {
    if (radices[s] < 16) mask |= 1u << s;
  }
  tuning.tensor_steps = mask;
}

// Points and registers of threads, and points of a block.
void choose_shape(Tuning& tuning, const FftProblem& problem, const DeviceProfile& profile) {
  if (tuning.engine == Engine::mma && !tuning.tensor_steps) choose_tensor_steps(tuning);
  if (is_mixed(problem, tuning)) return choose_mixed_shape(tuning);
  if (tuning.engine == Engine::mma) {
    choose_mma_shape(tuning, problem, profile);
  } else {
    choose_simt_shape(tuning, profile.simt);
  }
  if (tuning.block_points) return;
  const auto length = static_cast<unsigned>(tuning.decomposition->n());
  tuning.block_points =
      *tuning.rounds > 1 ? length : std::max({length, 1024u, 32 * *tuning.points_per_thread});
}

}  // namespace

Tuning resolve(const Tuning& wish, const FftProblem& problem, const Target& target) {
  validate(problem);
  require_one_pass(wish, problem, target);
  Tuning result = wish;
  result.method = method_for(wish, problem, target);
  if (wish.radix && wish.decomposition) {
    throw UnsupportedProblem("radix", std::to_string(*wish.radix),
                             "a radix or a decomposition, not both");
  }
  if (wish.decomposition) check_decomposition(result, problem);
  choose_arithmetic(result, problem, target);
  if (!result.cluster) result.cluster = 1;
  if (!result.rounds) result.rounds = 1;
  const DeviceProfile& profile = profile_of(target);
  if (!wish.decomposition) result.decomposition = default_decomposition(result, problem, profile);
  result.radix.reset();
  if (!result.twiddles) result.twiddles = default_twiddles(result, problem);
  choose_shape(result, problem, profile);
  check(result, problem, target);
  return result;
}

}  // namespace sonoma
