// Transforms of several axes: all in one launch, or the plan of each, one after the other.
#include "axes.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "decide.hpp"
#include "for_batch.hpp"
#include "half.hpp"
#include "measured.hpp"
#include "remembered.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/half_length.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/trigonometric.hpp"
#include "way.hpp"

namespace sonoma {

std::optional<Decomposition> cut_at_axes(const Decomposition& tree,
                                         const std::vector<std::int64_t>& lengths) {
  Decomposition result;
  auto length = lengths.begin();
  std::int64_t left = *length;  // of the axis
  for (std::int64_t radix : tree.radices) {
    while (radix > 1) {
      if (left == 1 && ++length == lengths.end()) return std::nullopt;
      if (left == 1) left = *length;
      const std::int64_t within = std::gcd(radix, left);
      if (within != radix && within != left) return std::nullopt;
      result.radices.push_back(static_cast<unsigned>(within));
      radix /= within, left /= within;
    }
  }
  return result;
}

Decomposition side_by_side(const std::vector<std::int64_t>& lengths) {
  Decomposition result;
  for (const std::int64_t n : lengths) {
    const Decomposition own = decompose(n);
    result.radices.insert(result.radices.end(), own.radices.begin(), own.radices.end());
  }
  return result;
}

FftProblem of_long_axes(FftProblem problem) {
  const auto end = problem.lengths.end() - (problem.domain == Domain::c2c ? 0 : 1);
  problem.lengths.erase(std::remove(problem.lengths.begin(), end, 1), end);
  return problem;
}

namespace {

bool suits(const FftProblem& problem, const Tuning& wish) {
  const bool smooth =
      std::ranges::all_of(problem.lengths, [](std::int64_t n) { return is_smooth(n); });
  const auto& filter = problem.convolution;  // of real numbers points mirror each other
  return smooth && !(filter && filter->real) && problem.lengths.size() > 1 &&
         is_contiguous(single_pass(problem)) &&
         wish.engine.value_or(Engine::simt) == Engine::simt && !wish.pass_lengths &&
         !wish.fused.value_or(false) && !convolves(wish) && admits_simt(problem.accuracy) &&
         problem.ends == Ends{};
}

// Steps that leave an axis in the registers of a thread store points far apart.
bool fills_sectors(const Schedule& schedule) {
  const auto fills = [&](const Transfer& transfer, Side side) {
    const Storage storage = schedule.pass.side(side == Side::time).storage;
    // Of 16 bits, half a sector still moves less than FP32 between the axes would.
    const double most = storage == Storage::f32 ? 1.5 : 2;
    return transfer.staged ||
           sector_overhead(schedule.digits, transfer.layout, side, point_bytes(storage)) <= most;
  };
  return fills(schedule.load, Side::time) && fills(schedule.store, Side::frequency);
}

// Of an odd last axis, whose rows are complex points.
std::optional<FftProblem> as_complex_rows(const FftProblem& problem) {
  const bool rows = problem.lengths.size() > 1 && problem.lengths.back() % 2 == 1 &&
                    problem.lengths.back() > 1 && !is_trigonometric(problem.domain);
  const bool apart = problem.placement == Placement::out_of_place &&
                     problem.layout == DataLayout{} && problem.ends == Ends{} &&
                     !problem.convolution && problem.alignment >= 16;
  if (!rows || !apart) return std::nullopt;
  FftProblem complex = problem;
  complex.domain = Domain::c2c;
  return complex;
}

// Of real numbers: their pairs, or of an odd last axis all of them.
std::optional<Program> real_in_one_launch(const FftProblem& problem, const Target& target,
                                          const Tuning& tuning) try {
  const FftProblem whole = of_long_axes(problem);
  auto points = half_length(whole);
  if (!points) points = as_complex_rows(whole);
  const auto program = points ? in_one_launch(*points, target, tuning) : std::nullopt;
  return program ? over_memory_of(whole, *program, target, tuning) : std::nullopt;
} catch (const UnsupportedProblem&) {
  return std::nullopt;  // axis by axis, then
}

bool is_of_all_axes(const Tuning& tuning, const FftProblem& problem) {
  return tuning.decomposition && tuning.decomposition->n() == problem.n() &&
         long_axes(problem).size() > 1;
}

std::optional<Program> with_tuning(const FftProblem& problem, const Target& target,
                                   const Tuning& tuning) {
  const FftProblem points = as_one_axis(problem, tuning);
  if (way_of(points, target, tuning).passes) return std::nullopt;
  const Program one = make_program(points, target, tuning);
  if (one.launches.size() > 1 || one.launches.front().fusion) return std::nullopt;
  Shape shape = one.launches.front().shape;
  const auto tree = cut_at_axes(shape.tree.decomposition, problem.lengths);
  if (!tree || shape.method != Method::radix) return std::nullopt;
  shape.tree.decomposition = *tree;
  const Pass pass = single_pass(alone(problem));
  const Schedule made = outline(pass, target, shape);
  // Whoever asks for all steps in a cluster knows what runs its blocks have.
  const bool few = shape.shares.cluster > 1 && is_of_all_axes(tuning, problem);
  const bool said = tuning.stage_load || tuning.stage_store || few;
  if (!said && !fills_sectors(made)) return std::nullopt;
  return Program{alone(problem), {{pass, shape}}};
}

}  // namespace

FftProblem as_one_axis(const FftProblem& problem, const Tuning& wish) {
  FftProblem one = problem;
  one.lengths = {problem.n()}, one.layout = {};  // as far as points follow each other
  one.accuracy = {takes_fp64(wish, problem) ? Arithmetic::simt64 : Arithmetic::simt, {}};
  return one;
}

namespace {

std::optional<Program> found_in_one_launch(const FftProblem& whole, const Target& target,
                                           const Tuning& tuning) {
  if (whole.domain != Domain::c2c) return real_in_one_launch(whole, target, tuning);
  const FftProblem problem = of_long_axes(whole);
  if (!suits(problem, tuning)) return std::nullopt;
  std::vector<Tuning> ways = {tuning};
  if (!tuning.decomposition) {
    ways.push_back(tuning);
    ways.back().decomposition = side_by_side(problem.lengths);
  }
  for (const Tuning& way : ways) {
    try {
      if (auto program = with_tuning(problem, target, way)) return program;
    } catch (const UnsupportedProblem&) {
      continue;  // axis by axis, then
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Program> in_one_launch(const FftProblem& whole, const Target& target,
                                     const Tuning& tuning) {
  using Arguments = std::tuple<FftProblem, Target, Tuning>;
  static Remembered<Arguments, std::optional<Program>> remembered;
  return remembered.of({whole, target, tuning},
                       [&] { return found_in_one_launch(whole, target, tuning); });
}

std::optional<Program> few_in_one_launch(const Program& program, const Tuning& tuning,
                                         const FftProblem& problem, const Target& target,
                                         const Tuning& wish) {
  if (problem.domain != Domain::c2c) {
    return over_clusters(program.launches.front(), problem, target, wish);
  }
  if (auto apart = by_axes(program, problem, target, wish)) return apart;
  return for_batch(program, tuning, problem, target, wish);
}

Planned plan_in_one_launch(const FftProblem& problem, const Target& target, const Tuning& wish,
                           Choice choice) {
  const std::string all = "all axes in one launch, ";
  // Points lie otherwise than those of one axis.
  choice.tuning.stage_load = wish.stage_load, choice.tuning.stage_store = wish.stage_store;
  if (auto chosen = in_one_launch(problem, target, choice.tuning)) {
    check_accuracy(*chosen, problem.accuracy);
    choice.reason = all + "as " + std::to_string(problem.n()) + " points: " + choice.reason;
    choice.tuning = tuning_of(chosen->launches.front().shape);
    auto few = few_in_one_launch(*chosen, choice.tuning, problem, target, wish);
    return {std::move(choice), std::move(*chosen), std::move(few)};
  }
  const Program whole = in_one_launch(problem, target, wish).value();
  check_accuracy(whole, problem.accuracy);
  Choice own{tuning_of(whole.launches.front().shape), all + "each with its own default steps", {}};
  auto few = few_in_one_launch(whole, own.tuning, problem, target, wish);
  return {std::move(own), whole, std::move(few)};
}

bool says_each_axis(const Tuning& tuning, const FftProblem& problem) {
  std::vector<std::int64_t> lengths;
  for (const std::size_t axis : long_axes(problem)) lengths.push_back(problem.lengths[axis]);
  return lengths.size() > 1 && tuning.pass_lengths == lengths;
}

namespace {

// Of powers of two lengths of passes may be those of two axes too.
bool are_two_passes(const FftProblem& problem, const Target& target, const Tuning& tuning) try {
  return tuning.pass_lengths->size() == 2 && axes_in_passes(problem, target, tuning);
} catch (const UnsupportedProblem&) {
  return false;
}

}  // namespace

std::vector<AxisTransform> launched_axes(const FftProblem& problem, const Target& target,
                                         const Tuning& tuning) {
  if (is_of_all_axes(tuning, problem) && !ends_with_axes(*tuning.decomposition, problem.lengths)) {
    throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                             "steps that end where the axes do: " + to_shape(problem.lengths));
  }
  const bool each = says_each_axis(tuning, problem) && !are_two_passes(problem, target, tuning);
  for (std::size_t together = each ? 1 : long_axes(problem).size(); together > 1; --together) {
    std::vector<AxisTransform> axes = axis_transforms(problem, together);
    const auto serves = [&](const AxisTransform& axis) {
      return axis.problem.lengths.size() == 1 ||
             axes_together(axis.problem, target, of_axis(tuning, problem, axis));
    };
    if (std::ranges::all_of(axes, serves)) return axes;
  }
  std::vector<AxisTransform> axes = axis_transforms(problem);
  const auto takes_lengths = [&](const AxisTransform& axis) {
    return of_axis(tuning, problem, axis).pass_lengths.has_value();
  };
  if (tuning.pass_lengths && !each && std::ranges::none_of(axes, takes_lengths)) {
    throw UnsupportedProblem("pass_lengths", to_list(*tuning.pass_lengths),
                             "of " + to_shape(problem.lengths) +
                                 ": lengths whose product is an axis, or the last two or more, or "
                                 "each axis, the last one " +
                                 (problem.domain == Domain::c2r ? "last" : "first"));
  }
  if (axes.size() > 1 && tuning.fused.value_or(false)) {
    throw UnsupportedProblem("fused", to_shape(problem.lengths),
                             "two passes of axes in one launch: complex points of powers of two, "
                             "arrays one after the other, engine simt; drop it");
  }
  return axes;
}

std::optional<Program> axes_together(const FftProblem& problem, const Target& target,
                                     const Tuning& tuning) {
  auto one = in_one_launch(problem, target, tuning);
  return one ? one : axes_in_passes(problem, target, tuning);
}

Tuning of_axis(const Tuning& wish, const FftProblem& problem, const AxisTransform& axis) {
  Tuning own = wish;
  const bool alone = axis.problem.lengths.size() == 1 && long_axes(problem).size() > 1;
  if (alone && wish.fused.value_or(false)) own.fused.reset(), own.workspace_points.reset();
  if (says_each_axis(wish, problem)) own.fused.reset();
  if (wish.pass_lengths && axis.problem.n() != problem.n() &&
      product_of(*wish.pass_lengths) != axis.problem.n()) {
    own.pass_lengths.reset();
  }
  if (!is_of_all_axes(wish, problem)) return own;
  std::int64_t before = 1, left = axis.problem.n();
  for (std::size_t a = 0; a < axis.axis; ++a) before *= problem.lengths[a];
  own.decomposition = Decomposition{};
  for (const unsigned radix : wish.decomposition->radices) {
    if (before == 1 && left > 1) own.decomposition->radices.push_back(radix), left /= radix;
    if (before > 1) before /= radix;
  }
  return own;
}

bool share_a_launch(const std::vector<AxisTransform>& axes) {
  return axes.size() == 1 && axes.front().problem.lengths.size() > 1 && axes.front().repeat == 1;
}

FftProblem of_all_axes(const FftProblem& problem) {
  return axis_transforms(problem, long_axes(problem).size()).front().problem;
}

Planned plan_axes(const FftProblem& problem, const std::vector<AxisTransform>& axes,
                  const Tuning& wish, const PlanOfAxis& plan_one) {
  std::vector<Program> fast, taken;
  Planned whole;
  whole.choice.tuning = wish;
  bool few = false;
  for (const AxisTransform& axis : axes) {
    const Planned one =
        plan_one(axis.problem, of_axis(wish, problem, axis), whole.choice.axes.size());
    whole.choice.reason +=
        (fast.empty() ? "" : "; ") + to_shape(axis.problem.lengths) + ": " + one.choice.reason;
    whole.choice.axes.push_back(one.choice);
    fast.push_back(one.program);
    taken.push_back(one.taken());
    few = few || one.few;
  }
  whole.program = joined(problem, axes, fast);
  if (few) whole.few = joined(problem, axes, taken);
  return whole;
}

}  // namespace sonoma
