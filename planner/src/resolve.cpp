// What one kernel is made of, where a request leaves it open.
#include "sonoma/resolve.hpp"

#include <algorithm>
#include <utility>

#include "mixed_registers.hpp"
#include "mixed_shape.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/trigonometric.hpp"
#include "sonoma/tuning_fields.hpp"
#include "variants.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

void require_one_pass(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  const Method method = method_for(tuning, problem, target);
  const std::int64_t largest =
      longest_in_one_launch(problem, target, tuning, method, shares_of(tuning).parts());
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

// What the engine mma alone has.
void require_no_products(const Tuning& wish) {
  for (const auto& [field, what] :
       {std::pair{"products", "FP16 products"}, {"tensor_steps", "steps on tensor cores"}}) {
    const auto text = text_of(tuning_field(field), wish);
    if (!text) continue;
    throw UnsupportedProblem(
        field, *text, "only the engine mma has " + std::string(what) + "; drop one of the two");
  }
}

// Below 16 points a tensor-core step would multiply mostly zeros; above radix 16 butterflies take
// less.
Engine default_engine(const Tuning& known, const FftProblem& problem) {
  if (known.products) return Engine::mma;
  if (known.sums || known.opposite.value_or(false)) return Engine::simt;
  const bool large = known.radix.value_or(2) > 16 ||
                     (known.decomposition && largest_of(*known.decomposition) > 16);
  const bool mixed = is_mixed_tile(length_of(problem, known), known.block_points.value_or(0));
  const bool suits = problem.n() >= 16 && !large && !convolves(known) && !mixed;
  return suits ? Engine::mma : Engine::simt;
}

// The arithmetic that the accuracy names.
void demand(Tuning& known, Arithmetic named) {
  if (rules_out(known, named)) {
    throw UnsupportedProblem(
        "accuracy", to_string(named),
        "what goes with the tuning, which is " + to_string(known) + "; drop one of the two");
  }
  known = with_arithmetic(known, named);
}

Arithmetic arithmetic_for(const Tuning& known, const FftProblem& problem) {
  if (known.engine.value_or(default_engine(known, problem)) == Engine::simt) {
    require_no_products(known);
    return arithmetic_of(known.sums.value_or(Sums::fp32));
  }
  if (known.sums) {
    throw UnsupportedProblem(
        "sums", to_string(*known.sums),
        "only the engine simt has butterflies throughout; drop one of the two");
  }
  const unsigned products = known.products.value_or(is_half(problem.storage) ? 1 : 3);
  for (const Arithmetic arithmetic : {Arithmetic::half, Arithmetic::split3, Arithmetic::split4}) {
    if (products_of(arithmetic) == products) return arithmetic;
  }
  throw UnsupportedProblem("products", std::to_string(products),
                           "1 (high halves only), 3, or 4 (low times low too)");
}

MixedKernel kernel_of(const Shape& shape, const Pass& pass, const Target& target) {
  MixedKernel kernel = mixed_kernel(pass, shape.method, target, shape.opposite);
  kernel.sums = shape.sums;
  return kernel;
}

Decomposition default_decomposition(const Shape& shape, const Tuning& known, const Pass& pass,
                                    const Target& target) {
  const FftProblem& problem = pass.problem;
  using enum FastSteps::Of;
  const std::int64_t length = length_of(problem, known);
  const bool bits = is_power_of_two(length), simt = engine_of(shape.arithmetic) == Engine::simt;
  if (!simt || known.radix) return decompose(length, known.radix);
  const auto& [cluster, rounds] = shape.shares;
  const bool one_block = cluster == 1, whole = shape.convolves();
  const bool there_and_back = whole || problem.convolution;
  if (shape.shares.parts() > 1 && !bits && !shape.opposite) {
    return steps_in_parts(length, known, target);
  }
  if (one_block && whole && rounds == 1 && length > most_block_points) {
    return large_tile(problem.n());
  }
  if (shape.opposite || !bits) {
    MixedKernel kernel = kernel_of(shape, pass, target);
    // Else the last step would have the fewest points, and little would be in FP64.
    if (kernel.sums == Sums::fp64_last) kernel.sums = Sums::fp32;
    return fastest_steps(length, known, kernel);
  }
  if (shape.arithmetic == Arithmetic::simt64) return decompose(length);
  const FastSteps::Of kind = rounds > 1   ? in_rounds
                             : !one_block ? (there_and_back ? convolving_cluster : in_cluster)
                                          : (there_and_back ? convolving_block : in_block);
  const Decomposition* fast = profile_of(target).steps_of(kind, length);
  // Of a single transform, where those beside it are far: a warp has threads of 16 points or less.
  constexpr unsigned least = 32 * 32;
  const bool fills = known.block_points.value_or(least) >= least;
  return fast != nullptr && (fills || largest_of(*fast) <= 16) ? *fast : decompose(length);
}

// How much a thread holds, and the registers it may take for that: more resident warps beat more
// registers as long as nothing spills; the 8192 points of the default decomposition in threads of
// 16 leave one block an SM, in threads of 32 two, with an exchange less.
void choose_simt_shape(Shape& shape, const Tuning& wish, bool convolves, const SimtShape& rules) {
  const Decomposition& tree = shape.tree.decomposition;
  const std::int64_t n = tree.n();
  const bool one_block = n / shape.shares.parts() > rules.large;
  const std::int64_t from = convolves ? rules.large_convolution : rules.large;
  const bool large = n >= from && (one_block || tree == decompose(n) || convolves);
  shape.points_per_thread =
      wish.points_per_thread.value_or(large || largest_of(tree) > 16 ? 32 : 16);
  const bool small = shape.points_per_thread <= 16;
  const bool chained = tree != decompose(n, 16) || n >= rules.large;
  const unsigned few = convolves ? rules.few_of_convolution : rules.few;
  const unsigned most = small && one_block ? rules.crowded : !small || chained ? rules.usual : few;
  // Of 32 points in FP64 (508 points by convolution: 1.16 times as fast, H100).
  constexpr unsigned of_wide = 168, sums_of_wide = 64;
  const bool wide = registers_of_sums(shape.sums, tree) >= sums_of_wide;
  shape.registers = wish.registers.value_or(wide ? std::max(of_wide, most) : most);
}

// Each butterfly in FP64 takes twice the registers of its points, and some for its sums.
void choose_fp64_shape(Shape& shape, const Tuning& wish) {
  constexpr unsigned others = 40, most = 255, of_block = 65536;
  const Decomposition& tree = shape.tree.decomposition;
  const unsigned tile = wish.block_points.value_or(static_cast<unsigned>(tree.n())) /
                        std::max(1u, shape.shares.parts());
  const unsigned least = tile > 8192 ? 32 : 16;  // more threads would have fewer registers
  shape.points_per_thread = wish.points_per_thread.value_or(std::max(least, largest_of(tree)));
  const unsigned threads = std::max(32u, tile / std::max(1u, shape.points_per_thread));
  const unsigned needed =
      2 * shape.points_per_thread + registers_of_sums(Sums::fp64, tree) + others;
  shape.registers =
      wish.registers.value_or(std::clamp(std::min(needed, of_block / threads) / 8 * 8, 32u, most));
}

void choose_mma_shape(Shape& shape, const Tuning& wish, const FftProblem& problem,
                      const DeviceProfile& profile) {
  const Decomposition& tree = shape.tree.decomposition;
  const std::int64_t n = tree.n();
  const bool convolves = shape.convolves() || problem.convolution;
  // Numbers of a cosine or sine transform take registers of their own.
  const bool tight = profile.products && !convolves && tree == decompose(n) &&
                     problem.storage == Storage::f32 && shape.arithmetic == Arithmetic::split3 &&
                     !is_trigonometric(problem.domain);
  const bool more = (tight && n == profile.products->threads_of_32) || largest_of(tree) > 16;
  shape.points_per_thread = wish.points_per_thread.value_or(more ? 32 : 16);
  // Scales of several transforms in a warp tile take more.
  const bool many = n < 256 || convolves, large = shape.points_per_thread > 16;
  unsigned most = many || (large && n != 8192) ? 160 : 128;
  if (tight && !large && !many) {
    const auto& others = profile.products->of_length;
    const auto other = std::ranges::find(others, n, &std::pair<std::int64_t, unsigned>::first);
    most = other == others.end() ? profile.products->registers : other->second;
  }
  shape.registers = wish.registers.value_or(most);
}

// A small product costs as much as one of radix 16, butterflies a tenth. A third product takes more
// instructions than butterflies of radix 16, and no exchange less: two are the fastest at 4096.
unsigned default_tensor_steps(const Decomposition& tree) {
  const auto& radices = tree.radices;
  unsigned mask = 0;
  unsigned products = 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (radices[s] == 16 && products++ < 2) mask |= 1u << s;
  }
  for (std::size_t s = 0; products == 0 && s < radices.size(); ++s) {
    if (radices[s] < 16) mask |= 1u << s;
  }
  return mask;
}

// Points and registers of threads, and points of a block.
void choose_block(Shape& shape, const Tuning& wish, const Pass& pass, const Target& target) {
  const FftProblem& problem = pass.problem;
  const DeviceProfile& profile = profile_of(target);
  const auto length = static_cast<unsigned>(shape.length());
  const bool convolves = shape.convolves() || problem.convolution;
  if (shape.opposite || is_mixed_tile(length, wish.block_points.value_or(0))) {
    return choose_mixed_shape(shape, wish, kernel_of(shape, pass, target));
  }
  shape.threads = wish.threads.value_or(0);  // for check() to refuse
  if (shape.arithmetic == Arithmetic::simt) {
    choose_simt_shape(shape, wish, convolves, profile.simt);
  } else if (shape.arithmetic == Arithmetic::simt64) {
    choose_fp64_shape(shape, wish);
  } else {
    choose_mma_shape(shape, wish, problem, profile);
  }
  const unsigned least = std::max({length, 1024u, 32 * shape.points_per_thread});
  shape.block_points = wish.block_points.value_or(shape.shares.rounds > 1 ? length : least);
}

Staging staging_of(const std::optional<bool>& staged) {
  if (!staged) return Staging::by_sectors;
  return *staged ? Staging::staged : Staging::direct;
}

}  // namespace

Shape resolve(const Tuning& wish, const FftProblem& problem, const Target& target) {
  validate(problem);  // before it is looked at as a pass
  return resolve(wish, single_pass(problem), target);
}

Shape resolve(const Tuning& wish, const Pass& pass, const Target& target) {
  const FftProblem& problem = pass.problem;
  validate(problem), validate(target), validate(wish);
  require_one_pass(wish, problem, target);
  Tuning known = wish;
  // Of a pass the whole has decided.
  if (pass.part && !known.method) known.method = Method::radix;
  known.method = method_for(known, problem, target);
  if (problem.accuracy.arithmetic) demand(known, *problem.accuracy.arithmetic);
  if (wish.radix && wish.decomposition) {
    throw UnsupportedProblem("radix", std::to_string(*wish.radix),
                             "a radix or a decomposition, not both");
  }
  Shape shape;
  shape.method = *known.method;
  shape.shares = shares_of(wish);
  shape.opposite = wish.opposite.value_or(false);
  if (wish.decomposition) {
    shape.tree.decomposition = *wish.decomposition;
    check_decomposition(shape, problem, wish.block_points.value_or(0));
  }
  shape.arithmetic = arithmetic_for(known, problem);
  known.engine = engine_of(shape.arithmetic);
  if (known.engine == Engine::simt)
    shape.sums = known.sums.value_or(default_sums(shape.method, problem, target));
  if (!wish.decomposition) {
    shape.tree.decomposition = default_decomposition(shape, known, pass, target);
  }
  if (known.engine == Engine::mma) {
    shape.tree.tensor_steps =
        wish.tensor_steps.value_or(default_tensor_steps(shape.tree.decomposition));
  }
  choose_block(shape, wish, pass, target);
  shape.twiddles = wish.twiddles.value_or(default_twiddles(shape, pass));
  shape.staging = {staging_of(wish.stage_load), staging_of(wish.stage_store)};
  shape.prefetch = wish.prefetch;
  shape.rows = wish.rows.value_or(0);
  check(shape, problem);
  return shape;
}

}  // namespace sonoma
