// Few transforms, of which a block takes several among many.
#include <algorithm>
#include <bit>
#include <utility>

#include "for_batch.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {
namespace {

// As few as make a small block whose warps have few idle lanes.
unsigned fewer_transforms(const Shape& made, const FewRules& rules) {
  constexpr unsigned warp = 32;
  const auto length = static_cast<unsigned>(made.length());
  const unsigned before = made.block_points / length;
  const unsigned threads = length / largest_of(made.tree.decomposition);
  const auto fills = [&](unsigned transforms) {
    const unsigned lanes = (transforms * threads + warp - 1) / warp * warp;
    return transforms * threads >= rules.busy_lanes * lanes;
  };
  const bool bits = !made.mixed();
  unsigned fewer = std::max(1u, rules.points_of_small_block / length);
  if (bits) fewer = std::bit_floor(fewer);
  while (fewer < before && !fills(fewer)) fewer = bits ? 2 * fewer : fewer + 1;
  return std::min(fewer, before);
}

}  // namespace

std::optional<Program> by_smaller_blocks(const Program& program, const FftProblem& problem,
                                         const Target& target, const Tuning& wish) {
  const FewRules& rules = profile_of(target).few;
  const auto& [pass, made, from, to, fusion] = program.launches.front();
  const auto length = static_cast<unsigned>(made.length());
  const unsigned before = made.block_points / length, fewer = fewer_transforms(made, rules);
  const bool few = problem.batch <= std::int64_t{before} * rules.blocks_of_sm * target.sms;
  const bool simt = engine_of(made.arithmetic) == Engine::simt && made.shares.parts() == 1;
  if (!few || !simt || fewer == before || says_shapes(wish) || wish.threads ||
      depends_on_threads(made.twiddles) || !is_contiguous(pass)) {
    return std::nullopt;
  }
  Tuning tuning = tuning_of(made);
  tuning.block_points = fewer * length;
  tuning.points_per_thread.reset(), tuning.registers.reset(), tuning.threads.reset();
  tuning.prefetch = Prefetch::none;  // no block follows
  try {
    Program sooner = program;
    Shape& shape = sooner.launches.front().shape;
    shape = resolve(tuning, pass, target);
    shape.threads = 0;  // no laps
    (void)schedule(pass, target, shape);
    return sooner;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;  // `program` serves, then
  }
}

}  // namespace sonoma
