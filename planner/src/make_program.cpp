// A transform as launches: one, several passes, or two of them in one.
#include <algorithm>
#include <numeric>

#include "axes.hpp"
#include "decide.hpp"
#include "fuse.hpp"
#include "half.hpp"
#include "kernel_tuning.hpp"
#include "packed.hpp"
#include "pass_lengths.hpp"
#include "pass_shape.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/passes.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// By default where that was measured to be faster: plain passes of powers of two.
bool is_fused(const FftProblem& problem, const Tuning& tuning, const std::vector<Pass>& passes,
              const DeviceProfile& profile) {
  if (tuning.fused.value_or(false)) {
    const bool alone = shares_of(tuning).parts() == 1;
    if (passes.size() == 2 && alone && !has_hermitian(problem.domain)) return true;
    throw UnsupportedProblem("fused", to_list(passes.front().part->lengths),
                             "two passes in one launch, of as many tiles, whose blocks take "
                             "tickets one by one: not in rounds, nor by clusters, nor of real "
                             "numbers, which leave half of the rows; drop it");
  }
  const bool plain =
      passes.size() == 2 && is_power_of_two(problem.n()) && transforms_of(problem) == 1 &&
      !single_pass(problem).has_ends() &&
      std::all_of(passes.begin(), passes.end(), [](const Pass& pass) { return is_of_bits(pass); });
  const std::int64_t largest =
      problem.lengths.size() > 1 ? profile.axes.fused.back().most : profile.passes.largest_fused;
  return !tuning.fused && plain && problem.n() <= largest &&
         problem.n() * problem.batch >= profile.passes.fewest_fused_points;
}

void store_between(Program& program, Storage storage) {
  std::vector<Launch>& launches = program.launches;
  for (std::size_t i = 0; i + 1 < launches.size(); ++i) {
    launches[i].pass.out.storage = launches[i + 1].pass.in.storage = storage;
  }
}

// What a pass leaves for the next one: half the bytes of FP32 where the result has floating-point
// parts of 16 bits and its accuracy allows that; not where an arithmetic is named that is more
// accurate than `half`. Convolutions keep FP32.
void choose_storage_between(Program& program) {
  const Accuracy& wanted = program.problem.accuracy;
  const bool half = wanted.arithmetic.value_or(Arithmetic::half) == Arithmetic::half;
  if (!half || !is_half(program.problem.result_storage())) return;
  store_between(program, Storage::c12e8);
  const double limit = error_limit(program);
  if (limit > wanted.max_rel_l2.value_or(limit)) store_between(program, Storage::f32);
}

// Blocks of passes that nobody asked for are not meant.
void require_no_shares(const Tuning& tuning, const FftProblem& problem) {
  if (tuning.pass_lengths) return;
  const std::string one = "1 for n = " + std::to_string(problem.n()) + " in several passes";
  const std::string way_out = ", or pass_lengths, whose blocks are to be such ones";
  if (tuning.rounds.value_or(1) > 1) {
    throw UnsupportedProblem("rounds", std::to_string(*tuning.rounds), one + way_out);
  }
  if (tuning.cluster.value_or(1) > 1) {
    throw UnsupportedProblem("cluster", std::to_string(*tuning.cluster),
                             one + ", blocks enough to take it in one" + way_out);
  }
}

void check_convolution(const Tuning& tuning) {
  if (!tuning.fused.value_or(false)) return;
  throw UnsupportedProblem("fused", "true", "the method radix and no convolution; drop it");
}

// The sum of channels takes as many registers as their points.
void make_room_for_sum(Shape& shape) {
  constexpr unsigned most = 255, of_block = 65536;
  const unsigned threads = shape.block_points / shape.shares.parts() / shape.points_per_thread;
  const unsigned wanted = shape.registers + 2 * shape.points_per_thread;
  shape.registers = std::min({most, of_block / threads / 8 * 8, wanted});
}

Launch launch_of(const Pass& pass, const Tuning& tuning, const Target& target, bool fused) {
  const Tuning own = kernel_tuning(tuning, pass, target, fused);
  if (pass.problem.lengths.size() > 1) return {pass, shape_over_axes(pass, own, target)};
  Launch launch{pass, shape_of_pass(pass, tuning, own, target)};
  if (pass.channels() > 1 && !tuning.registers) make_room_for_sum(launch.shape);
  return launch;
}

Program one_launch(const FftProblem& problem, const Tuning& tuning, const Target& target) {
  const Pass pass = single_pass(problem);
  if (!is_plain(problem, tuning)) return {problem, {launch_of(pass, tuning, target, false)}};
  return {problem, {{pass, resolve(tuning, problem, target)}}};
}

// Of a tree of the whole transform the sections that its passes are; nothing: it is none of them.
std::vector<Decomposition> sections_of(const FftProblem& problem, const Tuning& given) {
  const auto& tree = given.decomposition;
  if (!tree || !given.pass_lengths || tree->n() != problem.n()) return {};
  const bool simt =
      given.engine.value_or(Engine::simt) == Engine::simt && admits_simt(problem.accuracy);
  return sections(problem, *tree, *given.pass_lengths, simt);
}

// Each pass has a launch of its own, but where two are fused. `trees`: of each, or empty.
Program launched(const FftProblem& problem, const std::vector<Pass>& passes,
                 const std::vector<Decomposition>& trees, const Tuning& given, const Target& target,
                 bool fused) {
  Program program{alone(problem), {}};
  for (std::size_t p = 0; p < passes.size(); ++p) {
    Tuning own = given;
    if (!trees.empty()) own.decomposition = trees[p];
    const bool of_another = own.decomposition && own.decomposition->n() != passes[p].n();
    if (of_another && problem.lengths.size() > 1) own.decomposition.reset();
    if (fused) choose_common_tile(own, passes, p, target);
    Launch& launch = program.launches.emplace_back(launch_of(passes[p], own, target, fused));
    if (p > 0) launch.from = Buffer::workspace;
    if (p + 1 < passes.size()) launch.to = Buffer::workspace;
  }
  if (!passes.front().part->convolution) choose_storage_between(program);
  check_accuracy(program, problem.accuracy);
  program.workspace_points = passes.front().out.dist;
  if (fused) {
    program.launches = {fuse(program.launches[0], program.launches[1], given, target)};
  } else {
    program.transforms_together =
        transforms_together(problem, given, program.workspace_points, profile_of(target).passes);
  }
  return program;
}

Program several_launches(const FftProblem& problem, const Tuning& wish, const Target& target,
                         Method method) {
  const Tuning given = with_passes(problem, wish, target, method);
  const Lengths& lengths = *given.pass_lengths;
  const bool bluestein = method != Method::radix;
  const bool convolution = bluestein || problem.convolution;
  bluestein ? check_convolution_lengths(lengths, problem) : check_pass_lengths(lengths, problem);
  if (convolution) check_convolution(given);
  const auto trees = convolution ? std::vector<Decomposition>{} : sections_of(problem, given);
  const FftProblem one = alone(problem);
  const auto passes = convolution     ? convolution_passes(one, lengths)
                      : trees.empty() ? passes_of(one, lengths)
                                      : section_passes(one, *given.decomposition, lengths);
  const bool fused = !convolution && is_fused(problem, given, passes, profile_of(target));
  return launched(problem, passes, trees, given, target, fused);
}

}  // namespace

std::int64_t transforms_together(const FftProblem& problem, const Tuning& tuning,
                                 std::int64_t points, const PassRules& rules) {
  const std::int64_t room = tuning.workspace_points.value_or(rules.workspace_points) / points;
  const std::int64_t in_bytes = problem.in_dist() % 16 * problem.bytes_of_point(true);
  const std::int64_t out_bytes = problem.out_dist() % 16 * problem.bytes_of_point(false);
  std::int64_t step = 1;
  while (step * in_bytes % 16 != 0 || step * out_bytes % 16 != 0) {
    step *= 2;
  }
  return (std::max<std::int64_t>(1, room) + step - 1) / step * step;
}

Program of_passes(const FftProblem& problem, const std::vector<Pass>& passes, const Tuning& given,
                  const Target& target) {
  const bool fused = is_fused(problem, given, passes, profile_of(target));
  return launched(problem, passes, {}, given, target, fused);
}

void check_accuracy(const Program& program, const Accuracy& accuracy) {
  const double limit = error_limit(program);
  if (!accuracy.max_rel_l2 || limit <= *accuracy.max_rel_l2) return;
  throw UnsupportedProblem("accuracy", to_string(accuracy),
                           to_string(Accuracy{{}, limit}) + " or more for this length and storage");
}

FftProblem alone(const FftProblem& problem) {
  FftProblem one = problem;
  one.batch = 1;
  return one;
}

Program make_program(const FftProblem& problem, const Target& target, const Tuning& given) {
  validate(target), validate(given);
  require_packed(problem);
  if (problem.lengths.size() > 1) {
    const std::vector<AxisTransform> axes = launched_axes(problem, target, given);
    if (share_a_launch(axes)) {
      Program whole = axes_together(axes.front().problem, target, given).value();
      check_accuracy(whole, problem.accuracy);
      return whole;
    }
    std::vector<Program> parts;
    for (const AxisTransform& axis : axes) {
      parts.push_back(make_program(axis.problem, target, of_axis(given, problem, axis)));
    }
    return joined(problem, axes, parts);
  }
  if (auto program = in_packed(problem, target, given)) return *program;
  return unpacked_program(problem, target, given);
}

Program unpacked_program(const FftProblem& problem, const Target& target, const Tuning& given) {
  if (problem.lengths.size() > 1) return make_program(problem, target, given);  // never packed
  if (auto program = in_pairs(problem, target, given)) return *program;
  const Way way = way_of(problem, target, given);
  Tuning tuning = given;
  if (!tuning.engine && takes_mma(given, problem)) tuning.engine = Engine::mma;
  if (way.passes) {
    require_no_shares(given, problem);
    return several_launches(problem, tuning, target, way.method);
  }
  tuning.method = way.method;
  tuning.cluster = way.shares.cluster, tuning.rounds = way.shares.rounds;
  if (way.block_points) tuning.block_points = way.block_points;
  return one_launch(alone(problem), tuning, target);
}

Generated generate(const FftProblem& problem, const Target& target, const Tuning& wish) {
  validate(problem);
  if (names_packed(problem)) {
    return generate(make_program(problem, target, wish).launches.front(), target).passes.front();
  }
  return generate(single_pass(problem), target, wish);
}

Generated generate(const Pass& pass, const Target& target, const Tuning& wish) {
  validate(pass);
  return generate(Launch{pass, resolve(wish, pass, target)}, target).passes.front();
}

}  // namespace sonoma
