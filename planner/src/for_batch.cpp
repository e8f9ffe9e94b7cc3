// The same steps in other blocks, where a batch does not fill the GPU.
#include "for_batch.hpp"

#include <algorithm>

#include "sonoma/pass.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

bool says_shapes(const Tuning& t) {
  return t.columns || t.points_per_thread || t.registers || t.block_points || t.rounds ||
         t.cluster || t.fused || t.workspace_points;
}

// Two launches that are sections of the tree. Measured on an H200, 2^16 points: one transform 4.1
// us, 8 of them 6.6, 16 of them 9.1, 32 of them 18.4 (by 16 blocks each 6.5, 9.2, 11.8 and 19.2, in
// rounds 11.1, 11.6, 14.4 and 18.6); 2^17: 4.8, 9.6, 19.2 and 37.7 (9.6, 14.6, 22.4 and 41.7; 14.6,
// 15.0, 23.0 and 41.5). In columns of 4, or of 8 from where those are more blocks than there are
// SMs.
std::optional<Tuning> in_sections(const Tuning& made, const FftProblem& problem,
                                  const Target& target, const Tuning& given) {
  constexpr std::int64_t fewest_points = 1 << 16, most_points = 1 << 21;
  const std::int64_t n = problem.n();
  const bool few = n >= fewest_points && n * problem.batch <= most_points;
  const bool plain = problem.storage == Storage::f32 && !problem.out_storage &&
                     problem.order == Order::natural && problem.ends == Ends{} &&
                     is_contiguous(single_pass(problem));
  if (!few || !plain || made.rounds.value_or(1) == 1 || says_shapes(given)) return std::nullopt;
  std::int64_t length = 1;
  for (const unsigned radix : made.decomposition->radices) {
    if (length * radix * length * radix > n) break;
    length *= radix;
  }
  Tuning sections;
  sections.engine = made.engine, sections.twiddles = made.twiddles;
  sections.decomposition = made.decomposition;
  sections.pass_lengths = {length, n / length};
  sections.fused = false;
  sections.columns = problem.batch * (n / length) <= 4 * target.sms ? 4 : 8;
  return sections;
}

// Measured on an H200, one transform of 2^14 to 2^17 points: 8.8, 12.0, 11.5 and 14.7 us in rounds,
// 4.4, 5.5, 6.6 and 9.4 by so many blocks; as fast as each other where these are two an SM.
std::optional<Tuning> over_blocks(const Tuning& made, const FftProblem& problem,
                                  const Target& target, const Tuning& given) {
  const std::int64_t blocks = problem.n() <= 32768 ? 8 : 16;
  const bool few = problem.batch <= 2 * target.sms / blocks;
  if (made.rounds.value_or(1) == 1 || given.rounds || given.cluster || !few) return std::nullopt;
  if (!target.has_clusters()) return std::nullopt;
  Tuning spread = made;
  spread.rounds = 1, spread.cluster = static_cast<unsigned>(blocks);
  return spread;
}

// Passes of bits over rows that follow each other, each with a launch of its own.
bool serves(const Program& program) {
  const auto of_bits = [](const Launch& launch) {
    return launch.tuning.engine == Engine::simt && is_of_bits(launch.pass) &&
           !launch.pass.convolution && !launch.fusion;
  };
  return is_contiguous(single_pass(program.problem)) &&
         std::all_of(program.launches.begin(), program.launches.end(), of_bits);
}

// What the bits of the results depend on: twiddles between passes do not, see roots.cuh.
bool same_steps(const Program& a, const Program& b) {
  return std::equal(a.launches.begin(), a.launches.end(), b.launches.begin(), b.launches.end(),
                    [](const Launch& one, const Launch& other) {
                      return one.tuning.decomposition == other.tuning.decomposition &&
                             one.tuning.twiddles == other.tuning.twiddles;
                    });
}

// Where half of the multiprocessors have no block. Measured on an H200, one transform of 2^18
// points: 10.8 us in columns of 16, 6.9 of 8, 6.4 of 4, 9.2 of 2, which are half sectors; of
// 2^19 11.1, 9.2, 9.0 and 14.6; threads of 32 points 7.7 and 9.2. 2^20, of which 128 blocks have 8
// columns: 11.3 of 8, 13.3 of 4.
std::optional<Tuning> in_fewer_columns(const Program& program, const Tuning& tuning,
                                       std::int64_t batch, const Target& target) {
  constexpr std::int64_t sector = 32, warp = 32;
  Tuning fewer = tuning;
  std::int64_t blocks = target.sms, columns = 1;
  unsigned points = 16;
  for (const Launch& launch : program.launches) {
    blocks = std::min(blocks, program.problem.n() * batch / *launch.tuning.block_points);
    for (const unsigned radix : launch.tuning.decomposition->radices) {
      points = std::max(points, radix);
    }
    const Pass& pass = launch.pass;
    const auto bytes = std::min(point_bytes(pass.in_storage), point_bytes(pass.out_storage));
    columns = std::max({columns, sector / bytes, warp * points / pass.n()});
  }
  if (2 * blocks >= target.sms) return std::nullopt;
  fewer.columns = static_cast<unsigned>(columns);
  fewer.points_per_thread = points;
  fewer.registers.reset();
  fewer.fused = false;
  return fewer;
}

}  // namespace

std::optional<Tuning> for_batch(const Program& program, const Tuning& tuning, std::int64_t batch,
                                const Target& target, const Tuning& given) {
  if (program.launches.size() == 1) {
    FftProblem problem = program.problem;
    problem.batch = batch;
    const Tuning& made = program.launches.front().tuning;
    const auto sections = in_sections(made, problem, target, given);
    return sections ? sections : over_blocks(made, problem, target, given);
  }
  if (says_shapes(given) || !serves(program)) return std::nullopt;
  auto fewer = in_fewer_columns(program, tuning, batch, target);
  if (fewer && !same_steps(program, make_program(program.problem, target, *fewer))) fewer.reset();
  return fewer;
}

}  // namespace sonoma
