// Real transforms, and convolutions, of even length as complex ones of half the length, where those
// take one block. Of several axes in one launch: see axes.cpp.
#include "half.hpp"

#include <algorithm>

#include "decide.hpp"
#include "for_batch.hpp"
#include "measured.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/half_length.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/trigonometric.hpp"
#include "trees.hpp"
#include "variants.hpp"
#include "way.hpp"

namespace sonoma {

bool has_real_side(const FftProblem& problem) {
  return problem.domain != Domain::c2c || (problem.convolution && problem.convolution->real);
}

namespace {

// Four numbers of a cosine or sine transform take more registers than two points; so do rows that
// lie otherwise in shared memory than outside.
Shape with_room(Shape shape, const FftProblem& problem, const Pass& pass) {
  constexpr unsigned of_numbers = 48, of_rows = 72;
  unsigned least = 0;
  if (is_trigonometric(problem.domain)) least = of_numbers;
  if (pass.row_length() != 0 && is_half(problem.storage)) least = of_rows;
  shape.registers = std::max(shape.registers, least);
  return shape;
}

// The same steps, on blocks with threads for all of a phase, where the pass needs these.
Shape without_laps(const Shape& shape, const Pass& pass, const Target& target) {
  if (shape.threads == 0 || pass.may_go_round()) return shape;
  Tuning wish = with_arithmetic({}, shape.arithmetic);
  wish.sums = tuning_of(shape).sums;
  wish.method = shape.method, wish.twiddles = shape.twiddles;
  wish.decomposition = shape.tree.decomposition;
  return resolve(wish, pass, target);
}

// In FP64 where that is the default of the whole, though not of its half: see default_sums().
Shape with_sums(const Shape& shape, const FftProblem& problem, const Pass& pass,
                const Target& target, const Tuning& wish) {
  const Sums sums = default_sums(shape.method, problem, target);
  if (wish.sums || shape.sums == sums || shape.arithmetic != Arithmetic::simt) return shape;
  Tuning other = tuning_of(shape);
  other.sums = sums;
  other.registers.reset();
  return resolve(other, pass, target);
}

// How many blocks of a cluster share a tile that one has no room for, each with whole sectors of a
// step. Nothing: none can, or, unless it is asked for, passes are faster.
std::optional<unsigned> blocks_for(std::int64_t points, Domain domain, bool asked,
                                   const Target& target) {
  if (!target.has_clusters()) return std::nullopt;
  const OppositeRules& rules = profile_of(target).opposite;
  const auto& [usual, half_of_sm, alone, most] = domain == Domain::r2c ? rules.r2c : rules.c2r;
  const auto serve = [points](unsigned blocks, std::int64_t room) {
    return shares_sectors(points, blocks) && points <= room * blocks;
  };
  for (unsigned blocks = 2; blocks <= usual; ++blocks) {
    if (serve(blocks, half_of_sm)) return blocks;
  }
  for (unsigned blocks = alone; blocks > 1; --blocks) {
    if (serve(blocks, largest_mixed_tile)) return blocks;
  }
  for (unsigned blocks = alone + 1; blocks <= (asked ? most_blocks_of_pairs : most); ++blocks) {
    if (serve(blocks, largest_mixed_tile)) return blocks;
  }
  return std::nullopt;
}

// True where it is asked for, or nothing is and it was measured to be faster.
bool meet_in_registers(const FftProblem& problem, const Target& target, const Tuning& wish) {
  if (wish.opposite) return *wish.opposite;
  const bool filters = problem.convolution && problem.convolution->channels.count == 1;
  if ((!has_hermitian(problem.domain) && !filters) || problem.lengths.size() > 1) return false;
  const OppositeRules& rules = profile_of(target).opposite;
  const OppositeRules::From& from = filters ? rules.convolutions : rules.transforms;
  const std::int64_t n = problem.n();
  const std::int64_t longest =
      filters ? 2 * std::int64_t{largest_mixed_tile} : rules.longest_in_clusters;
  const bool faster =
      n >= (is_power_of_two(n) ? from.powers : from.others) && n <= longest && is_smooth(n, 13);
  const bool rows = problem.storage == Storage::f32 && problem.result_storage() == Storage::f32 &&
                    problem.layout.loops.empty() && problem.ends == Ends{};
  const bool open = leaves_shape_open(wish) && !wish.method && !wish.threads && !wish.cluster &&
                    !wish.rounds && !wish.twiddles;
  return faster && rows && open && !takes_mma(wish, problem);
}

Program over_opposites(const FftProblem& problem, const Target& target, const Tuning& wish) {
  const Pass pass = half_length_pass(alone(problem));
  Program program{alone(problem), {{pass, resolve(wish, pass, target)}}};
  (void)outline(pass, target, program.launches.front().shape);  // if there is room
  check_accuracy(program, problem.accuracy);
  return program;
}

[[noreturn]] void refuse_cluster(const FftProblem& problem, const Target& target) {
  throw UnsupportedProblem("opposite", "1",
                           "0 for " + std::to_string(problem.n()) + " numbers: a block takes " +
                               std::to_string(2 * largest_mixed_tile) +
                               ", and no cluster of 2 to " + std::to_string(most_blocks_of_pairs) +
                               " blocks on " + arch_name(target) +
                               " has 4 points of a step in each; --cluster asks for another");
}

// False where its tile is more than a block may hold, or of several axes a cluster: it takes
// several launches. A convolution's is by Rader's algorithm one point less, else twice as long.
bool may_take_one_launch(const FftProblem& half, const Target& target) {
  constexpr std::int64_t least_bytes = 4, of_fp32 = 8;  // of a point
  const std::int64_t n = half.n();
  const bool direct = is_smooth(n, largest_radix), prime = largest_prime_factor(n) == n;
  const std::int64_t bytes = direct ? n * least_bytes : of_fp32 * (prime ? n - 1 : 2 * n - 1);
  const unsigned blocks = half.lengths.size() > 1 ? largest_cluster(target) : 1;
  return bytes <= std::int64_t{target.shared_bytes} * blocks;
}

// Nothing where that does not serve, unless it is asked for.
std::optional<Program> in_registers(const FftProblem& problem, const Target& target, Tuning wish) {
  const auto half = half_length(problem);
  if (!half || !meet_in_registers(problem, target, wish)) return std::nullopt;
  const bool asked = wish.opposite.has_value(), open = !wish.cluster && !wish.rounds;
  wish.opposite = true;
  if (open && half->n() > largest_mixed_tile) {
    wish.cluster = blocks_for(half->n(), problem.domain, asked, target);
    if (!wish.cluster && !asked) return std::nullopt;
    if (!wish.cluster) refuse_cluster(problem, target);
  }
  try {
    return over_opposites(problem, target, wish);
  } catch (const UnsupportedProblem&) {
    if (asked) throw;
    return std::nullopt;
  }
}

}  // namespace

std::optional<Program> over_memory_of(const FftProblem& problem, const Program& half,
                                      const Target& target, const Tuning& wish) {
  const Launch& launch = half.launches.front();
  const bool one = half.launches.size() == 1 && !launch.fusion;
  const bool nested = problem.convolution && launch.shape.convolves();
  const bool serves = one && !nested && launch.pass.n() > 1 && !launch.pass.packed;
  const bool pairs = half_length(problem).has_value();
  const Shares& shares = launch.shape.shares;
  const bool shared = shares.rounds == 1 && pairs && problem.lengths.size() > 1;
  if (!serves || (shares.parts() > 1 && !shared)) return std::nullopt;
  const Pass pass = pairs ? half_length_pass(alone(problem)) : pass_of_rows(alone(problem));
  const Shape all = without_laps(launch.shape, pass, target);
  const Shape shape = with_room(with_sums(all, problem, pass, target, wish), problem, pass);
  Program program{alone(problem), {{pass, shape}}};
  (void)outline(program.launches.front().pass, target, shape);  // if there is room
  check_accuracy(program, problem.accuracy);
  return program;
}

std::optional<Program> in_pairs(const FftProblem& problem, const Target& target,
                                const Tuning& tuning) {
  if (auto program = in_registers(problem, target, tuning)) return program;
  const auto half = half_length(problem);
  if (!half || tuning.threads || !may_take_one_launch(*half, target)) return std::nullopt;
  try {
    return over_memory_of(problem, unpacked_program(*half, target, tuning), target, tuning);
  } catch (const UnsupportedProblem&) {
    return std::nullopt;  // as complex numbers, then
  }
}

std::optional<Planned> plan_in_pairs(const FftProblem& problem, const Target& target,
                                     const Tuning& wish, const PlanOfHalf& plan_half) {
  if (auto program = in_registers(problem, target, wish)) {
    Choice choice;
    choice.tuning = tuning_of(program->launches.front().shape);
    choice.reason = "frequencies that mirror each other meet in registers";
    auto few = for_batch(*program, choice.tuning, problem, target, wish);
    return Planned{choice, std::move(*program), std::move(few)};
  }
  const auto half = half_length(problem);
  if (!half || wish.threads || !may_take_one_launch(*half, target)) return std::nullopt;
  try {
    Planned planned = plan_half(*half);
    auto program = over_memory_of(problem, planned.program, target, wish);
    if (!program) return std::nullopt;
    planned.program = std::move(*program);
    if (planned.few) planned.few = over_memory_of(problem, *planned.few, target, wish);
    return planned;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

}  // namespace sonoma
