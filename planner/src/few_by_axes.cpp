// A few planes or volumes, whose steps one launch takes otherwise: a launch for each axis, of more
// blocks, for the same bits.
#include <span>
#include <utility>

#include "axes.hpp"
#include "for_batch.hpp"
#include "profile.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/errors.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// What the bits depend on, and nothing of the block.
Tuning steps_of(const Shape& made, const FftProblem& axis, std::span<const unsigned>& radices) {
  Tuning own = tuning_of(made);
  own.points_per_thread.reset(), own.block_points.reset(), own.registers.reset();
  own.threads.reset(), own.stage_load.reset(), own.stage_store.reset();
  own.rounds = own.cluster = 1, own.prefetch = Prefetch::none;
  own.decomposition = Decomposition{};
  for (std::int64_t left = axis.n(); left > 1;
       left /= radices.front(), radices = radices.subspan(1)) {
    own.decomposition->radices.push_back(radices.front());
  }
  return own;
}

bool suits(const Program& program, const FftProblem& problem, const Tuning& wish,
           const FewRules& rules) {
  if (program.launches.size() != 1 || share_a_launch(program) || wish != Tuning{}) return false;
  const Shape& made = program.launches.front().shape;
  return problem.domain == Domain::c2c && !problem.convolution && problem.ends == Ends{} &&
         problem.storage == Storage::f32 && keeps_in_output(problem) &&
         is_contiguous(program.launches.front().pass) && !made.convolves() &&
         engine_of(made.arithmetic) == Engine::simt && !depends_on_threads(made.twiddles) &&
         rules.serve_by_axes(static_cast<double>(problem.n()), long_axes(problem).size(),
                             static_cast<double>(problem.batch));
}

}  // namespace

std::optional<Program> by_axes(const Program& program, const FftProblem& problem,
                               const Target& target, const Tuning& wish) try {
  if (!suits(program, problem, wish, profile_of(target).few)) return std::nullopt;
  const Shape& made = program.launches.front().shape;
  std::span<const unsigned> radices = made.tree.decomposition.radices;
  const std::vector<AxisTransform> axes = axis_transforms_first_axis_first(problem);
  std::vector<Program> parts;
  for (const AxisTransform& axis : axes) {
    const Tuning own = steps_of(made, axis.problem, radices);
    Program usual = make_program(axis.problem, target, own);
    auto few = for_batch(usual, own, axis.problem, target, {});
    parts.push_back(few ? *std::move(few) : std::move(usual));
  }
  return joined(problem, axes, parts);
} catch (const UnsupportedProblem&) {
  return std::nullopt;  // `program` serves, then
}

}  // namespace sonoma
