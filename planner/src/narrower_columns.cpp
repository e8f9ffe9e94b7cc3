// Fewer columns in a block, where those of a batch are too few for all multiprocessors.
#include <algorithm>
#include <utility>

#include "for_batch.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/pass.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {

bool are_columns(const Launch& launch) {
  const Pass& pass = launch.pass;
  const Shape& shape = launch.shape;
  return !pass.part && pass.domain() == Domain::c2c && !pass.loops.empty() &&
         pass.loops.front().in_stride == 1 && pass.loops.front().out_stride == 1 &&
         pass.in.stride > 1 && pass.out.stride > 1 && !shape.convolves() &&
         shape.shares.cluster == 1 && engine_of(shape.arithmetic) == Engine::simt &&
         !depends_on_threads(shape.twiddles);
}

namespace {

// Where half of the multiprocessors have no block of columns, of a length that is no power of two:
// so few columns that they have, whole sectors where that is possible; the steps stay. Of columns
// of an array, and of real transforms, whose frequencies are an odd number, the last block may have
// fewer. One transform on an H200, all else equal: 52920 points .64 of the time, 151875 .65, 342225
// .75. Where more than half of them have one, narrower columns take more: 784000 1.35 times,
// 640640 1.22. One plane, both launches: 600 x 315 8.9 us and 6.5, r2c of 1024 x 1024 19.0
// and 10.1.
Shape in_narrower_blocks(const Launch& launch, const FftProblem& problem, const Target& target) {
  const bool axis = are_columns(launch);
  const unsigned bytes =
      std::min(launch.pass.bytes_of_point(true), launch.pass.bytes_of_point(false));
  const unsigned sector = axis ? 32 / bytes : 4;
  const auto n = static_cast<unsigned>(launch.pass.n());
  const std::int64_t side_by_side = launch.pass.loops.front().count;
  std::int64_t groups = problem.batch;
  for (std::size_t i = 1; i < launch.pass.loops.size(); ++i) groups *= launch.pass.loops[i].count;
  const unsigned columns = launch.shape.block_points / n;
  const bool ragged = launch.pass.has_ends() || axis;
  const auto suffices = [&](unsigned some) {
    return 2 * ((side_by_side + some - 1) / some * groups) >= target.sms;
  };
  unsigned fewer = columns;
  const unsigned step = side_by_side % sector == 0 || ragged ? sector : 1;
  for (unsigned some = columns / step * step; some >= sector && !suffices(fewer); some -= step) {
    // Beside columns by the bits a length by the bits would make a tile of bits.
    const bool alike = is_mixed_tile(n, n * some) == is_mixed_tile(n, n * columns);
    if (alike && (side_by_side % some == 0 || ragged)) fewer = some;
  }
  if (fewer == columns) return launch.shape;
  Tuning tuning = tuning_of(launch.shape);
  tuning.block_points = n * fewer, tuning.rounds = 1;
  tuning.points_per_thread.reset(), tuning.registers.reset(), tuning.threads.reset();
  Shape shape = resolve(tuning, launch.pass, target);
  shape.threads = 0;  // no laps
  return shape;
}

// Points, or numbers, of a transform follow each other.
bool are_rows(const FftProblem& problem) {
  if (problem.domain == Domain::c2c) return is_contiguous(single_pass(problem));
  const DataLayout& layout = problem.layout;
  return has_hermitian(problem.domain) && problem.lengths.size() == 1 && problem.ends == Ends{} &&
         layout.in_stride == 1 && layout.out_stride == 1 && layout.loops.empty();
}

// Plain rows, whose passes have tiles that are no powers of two; of real transforms others too.
bool may_be_narrowed(const Program& program) {
  const bool real = program.problem.domain != Domain::c2c;
  const auto of_sums = [real](const Launch& launch) {
    const Shape& shape = launch.shape;
    return launch.pass.part && !launch.pass.part->convolution && !launch.fusion &&
           launch.pass.loops.size() == 1 && shape.shares.parts() == 1 &&
           engine_of(shape.arithmetic) == Engine::simt &&
           (real || is_mixed_tile(launch.pass.n(), shape.block_points));
  };
  return (real || !single_pass(program.problem).has_ends()) && are_rows(program.problem) &&
         std::ranges::all_of(program.launches, of_sums);
}

}  // namespace

std::optional<Program> over_more_blocks(const Program& program, const FftProblem& problem,
                                        const Target& target) try {
  if (!may_be_narrowed(program) && !are_columns(program.launches.front())) return std::nullopt;
  Program sooner = program;
  for (Launch& launch : sooner.launches) {
    Shape narrower = in_narrower_blocks(launch, problem, target);
    if (narrower == launch.shape) continue;
    launch.shape = std::move(narrower);
    (void)outline(launch.pass, target, launch.shape);
  }
  return sooner == program ? std::nullopt : std::optional(std::move(sooner));
} catch (const UnsupportedProblem&) {
  return std::nullopt;  // `program` serves, then
}

}  // namespace sonoma
