// The same steps in other blocks, where a batch does not fill the GPU.
#include <algorithm>
#include <utility>

#include "decide.hpp"
#include "profile.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/pass.hpp"
#include "sonoma/resolve.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

bool says_shapes(const Tuning& t) {
  return t.columns || t.points_per_thread || t.registers || t.block_points || t.rounds ||
         t.cluster || t.fused || t.workspace_points;
}

// Two launches that are sections of the tree: see FewRules.
std::optional<Tuning> in_sections(const Shape& made, const FftProblem& problem,
                                  const Target& target, const Tuning& given) {
  const FewRules& rules = profile_of(target).few;
  const std::int64_t n = problem.n();
  const bool few = n >= rules.shortest_in_sections && n * problem.batch <= rules.most_in_sections;
  const bool plain = problem.lengths.size() == 1 && problem.storage == Storage::f32 &&
                     !problem.out_storage && problem.order == Order::natural &&
                     problem.ends == Ends{} && !problem.convolution &&
                     is_contiguous(single_pass(problem));
  if (!few || !plain || made.shares.rounds == 1 || says_shapes(given)) return std::nullopt;
  std::int64_t length = 1;
  for (const unsigned radix : made.tree.decomposition.radices) {
    if (length * radix * length * radix > n) break;
    length *= radix;
  }
  Tuning sections = with_arithmetic({}, made.arithmetic);
  sections.twiddles = made.twiddles;
  sections.decomposition = made.tree.decomposition;
  sections.pass_lengths = {length, n / length};
  sections.fused = false;
  sections.columns = problem.batch * (n / length) <= std::int64_t{4} * target.sms ? 4 : 8;
  return sections;
}

// By more blocks, of which none takes rounds.
std::optional<Tuning> over_blocks(const Shape& made, const FftProblem& problem,
                                  const Target& target, const Tuning& given) {
  const std::int64_t blocks = problem.n() <= profile_of(target).few.longest_of_8_blocks ? 8 : 16;
  const bool few = problem.batch <= std::int64_t{2} * target.sms / blocks;
  const bool columns = !problem.layout.loops.empty();
  if (made.shares.rounds == 1 || given.rounds || given.cluster || !few || columns) {
    return std::nullopt;
  }
  if (!target.has_clusters()) return std::nullopt;
  Tuning spread = tuning_of(made);
  spread.rounds = 1, spread.cluster = static_cast<unsigned>(blocks);
  return spread;
}

// Passes of bits over rows that follow each other, each with a launch of its own.
bool serves(const Program& program) {
  const auto of_bits = [](const Launch& launch) {
    return engine_of(launch.shape.arithmetic) == Engine::simt && is_power_of_two(launch.pass.n()) &&
           is_of_bits(launch.pass) && !launch.pass.part->convolution && !launch.fusion;
  };
  return is_contiguous(single_pass(program.problem)) &&
         std::all_of(program.launches.begin(), program.launches.end(), of_bits);
}

// What the bits of the results depend on: twiddles between passes do not, see roots.cuh.
bool same_steps(const Program& a, const Program& b) {
  return std::equal(a.launches.begin(), a.launches.end(), b.launches.begin(), b.launches.end(),
                    [](const Launch& one, const Launch& other) {
                      return one.shape.tree == other.shape.tree &&
                             one.shape.twiddles == other.shape.twiddles;
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
    blocks = std::min(blocks, program.problem.n() * batch / launch.shape.block_points);
    for (const unsigned radix : launch.shape.tree.decomposition.radices) {
      points = std::max(points, radix);
    }
    const Pass& pass = launch.pass;
    const unsigned bytes = std::min(pass.bytes_of_point(true), pass.bytes_of_point(false));
    columns = std::max({columns, sector / bytes, warp * points / pass.n()});
  }
  if (2 * blocks >= target.sms) return std::nullopt;
  // Sectors of real numbers may take more columns than a block has, or has room for.
  const bool are_fewer = std::ranges::all_of(program.launches, [&](const Launch& launch) {
    return columns * launch.pass.n() <= launch.shape.block_points;
  });
  if (!are_fewer) return std::nullopt;
  fewer.columns = static_cast<unsigned>(columns);
  fewer.points_per_thread = points;
  fewer.registers.reset();
  fewer.fused = false;
  return fewer;
}

}  // namespace

std::optional<Program> for_batch(const Program& program, const Tuning& tuning,
                                 const FftProblem& problem, const Target& target,
                                 const Tuning& wish) {
  std::optional<Tuning> other;
  if (program.launches.size() == 1) {
    const Shape& made = program.launches.front().shape;
    other = in_sections(made, problem, target, wish);
    if (!other) other = over_blocks(made, problem, target, wish);
  } else if (!says_shapes(wish) && serves(program)) {
    other = in_fewer_columns(program, tuning, problem.batch, target);
  }
  if (!other) return std::nullopt;
  try {
    Program sooner = make_program(problem, target, *other);
    const bool same = program.launches.size() == 1 || same_steps(program, sooner);
    return same ? std::optional(std::move(sooner)) : std::nullopt;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;  // `program` serves, then
  }
}

}  // namespace sonoma
