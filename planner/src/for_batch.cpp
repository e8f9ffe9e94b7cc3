// The same steps in other blocks, where a batch does not fill the GPU.
#include "for_batch.hpp"

#include <algorithm>
#include <utility>

#include "measured.hpp"
#include "pass_lengths.hpp"
#include "profile.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/pass.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

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
  if (!few || !plain || made.shares.rounds == 1 || says_shapes(given) ||
      depends_on_threads(made.twiddles)) {
    return std::nullopt;
  }
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
  const std::int64_t wanted = problem.n() <= profile_of(target).few.longest_of_8_blocks ? 8 : 16;
  const std::int64_t blocks = std::min<std::int64_t>(wanted, largest_cluster(target));
  const bool few = problem.batch <= std::int64_t{2} * target.sms / blocks;
  const bool columns = !problem.layout.loops.empty();
  if (made.shares.rounds == 1 || given.rounds || given.cluster || !few || columns ||
      depends_on_threads(made.twiddles)) {
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
                             one.shape.twiddles == other.shape.twiddles &&
                             !depends_on_threads(one.shape.twiddles);
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

// Of several passes. Of so few transforms the tiles of a second pass in the same launch would wait
// for those of the first one.
std::optional<Program> of_passes(const Program& program, const FftProblem& problem,
                                 const Target& target) {
  const bool shared = share_a_launch(program);
  const bool small = problem.n() * problem.batch < profile_of(target).passes.fewest_fused_points;
  if (shared && !small) return std::nullopt;
  const Program apart = shared ? in_two_launches(program, problem, {}, target) : program;
  if (auto sooner = over_more_blocks(apart, problem, target)) return sooner;
  return shared ? std::optional(apart) : std::nullopt;
}

}  // namespace

bool says_shapes(const Tuning& t) {
  return t.columns || t.points_per_thread || t.registers || t.block_points || t.rounds ||
         t.cluster || t.fused || t.workspace_points;
}

bool share_a_launch(const Program& program) {
  return program.launches.size() == 1 && program.launches.front().fusion;
}

Program in_two_launches(const Program& shared, const FftProblem& problem, const Tuning& tuning,
                        const Target& target) {
  const auto& [pass, shape, from, to, fusion] = shared.launches.front();
  Program apart = shared;
  apart.launches = {{pass, shape, from, Buffer::workspace},
                    {fusion->pass, fusion->shape, Buffer::workspace, to}};
  apart.transforms_together =
      transforms_together(problem, tuning, shared.workspace_points, profile_of(target).passes);
  return apart;
}

std::optional<Program> for_batch(const Program& program, const Tuning& tuning,
                                 const FftProblem& problem, const Target& target,
                                 const Tuning& wish) {
  std::optional<Tuning> other;
  if (program.launches.size() == 1 && !share_a_launch(program)) {
    const Launch& made = program.launches.front();
    other = in_sections(made.shape, problem, target, wish);
    if (!other) other = over_blocks(made.shape, problem, target, wish);
    if (!other) {
      if (are_columns(made) && wish == Tuning{}) return over_more_blocks(program, problem, target);
      auto clustered = over_clusters(made, problem, target, wish);
      return clustered ? clustered : by_smaller_blocks(program, problem, target, wish);
    }
  } else if (!says_shapes(wish) && serves(program)) {
    other = in_fewer_columns(program, tuning, problem.batch, target);
  } else if (!says_shapes(wish)) {
    return of_passes(program, problem, target);
  }
  if (!other) return std::nullopt;
  other->prefetch = Prefetch::none;  // no block follows
  try {
    Program sooner = make_program(problem, target, *other);
    if (program.launches.size() > 1 && !same_steps(program, sooner)) return std::nullopt;
    if (is_power_of_two(problem.n())) return sooner;
    for (const Launch& launch : sooner.launches) {  // steps may not number so many blocks
      (void)outline(launch.pass, target, launch.shape);
    }
    return sooner;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;  // `program` serves, then
  }
}

}  // namespace sonoma
