// Few transforms: fewer in a block, of more threads.
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

// With the registers that two blocks leave each other on an SM. Nothing where it has more than so
// many phases.
std::optional<Shape> without_laps(const Tuning& tuning, const Pass& pass, const Target& target,
                                  std::size_t most_phases) {
  constexpr unsigned enough = 128, step = 8;
  try {
    Shape shape = resolve(tuning, pass, target);
    shape.threads = 0;
    const Schedule made = outline(pass, target, shape);
    const unsigned room =
        static_cast<unsigned>(target.registers) / (2 * made.launch.threads) / step * step;
    shape.registers = std::max(shape.registers, std::min(room, enough));
    return made.phases.size() <= most_phases ? std::optional(shape) : std::nullopt;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

// 20 of 9587 points, of which an SM holds one block: 17.6 us, with a thread for each
// butterfly 19.3. `usual`: without pads, of at most a sixth, which are searched for where they
// decide.
bool has_an_sm_alone(const Schedule& usual, const Pass& pass, const Shape& made,
                     const Target& target) {
  const unsigned half = static_cast<unsigned>(target.shared_bytes) / 2;
  const unsigned least = usual.launch.shared_bytes;
  if (least > half || least + least / 6 <= half) return least > half;
  return schedule(pass, target, made).launch.shared_bytes > half;
}

// 64 of 25000 points, in 1000 threads of 40 with 64 registers: 21.7 us, cuFFT 14.2.
bool lacks_registers(const Shape& shape) {
  constexpr unsigned beside = 14;  // those of the points
  return shape.mixed() && shape.registers < 2 * largest_of(shape.tree.decomposition) + beside;
}

}  // namespace

std::optional<Program> by_smaller_blocks(const Program& program, const FftProblem& problem,
                                         const Target& target, const Tuning& wish) {
  const FewRules& rules = profile_of(target).few;
  const auto& [pass, made, from, to, fusion] = program.launches.front();
  const auto length = static_cast<unsigned>(made.length());
  const unsigned before = made.block_points / length, fewer = fewer_transforms(made, rules);
  const std::int64_t crowd = fewer < before ? rules.crowd_of_smaller : rules.crowd_of_faster;
  const bool few = problem.batch <= before * crowd * target.sms;
  const bool simt = made.arithmetic == Arithmetic::simt && made.shares.parts() == 1;
  const bool same_bits = !problem.convolution && !depends_on_threads(made.twiddles);
  if (made.tree.decomposition.radices.size() == 1) return std::nullopt;  // all in a thread
  if (!few || !simt || !same_bits || wish != Tuning{} || !is_contiguous(pass)) {
    return std::nullopt;
  }
  Tuning tuning = tuning_of(made);
  tuning.block_points = fewer * length;
  tuning.registers.reset(), tuning.threads.reset();
  tuning.prefetch = Prefetch::none;  // no block follows
  const Schedule usual = outline(pass, target, made);
  if (made.convolves() && has_an_sm_alone(usual, pass, made, target)) {
    return std::nullopt;
  }
  // Of a convolution coprime steps of a thread take no factors, so that it matters which they are.
  const unsigned least =
      made.convolves() ? made.points_per_thread : largest_of(made.tree.decomposition);
  for (const unsigned points : {least, made.points_per_thread}) {
    tuning.points_per_thread = points;
    const auto shape = without_laps(tuning, pass, target, usual.phases.size());
    if (!shape || lacks_registers(*shape)) continue;
    const bool same = fewer == before && points == made.points_per_thread &&
                      outline(pass, target, *shape).launch.threads == usual.launch.threads;
    if (same) return std::nullopt;
    Program sooner = program;
    sooner.launches.front().shape = *shape;
    return sooner;
  }
  return std::nullopt;
}

}  // namespace sonoma
