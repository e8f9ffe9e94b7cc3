#include "search.hpp"

#include <algorithm>

#include "columns.hpp"
#include "mixed_registers.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma {

namespace {

// Columns move more than their points.
double waste_of(const Schedule& schedule, const FftProblem& problem, const Target& target) {
  const std::int64_t columns = subject_of(problem, {}).side_by_side;
  if (columns == 0) return 1;
  return waste_of_columns(static_cast<unsigned>(problem.n()), columns_of_last(columns),
                          schedule.launch.transforms_per_block,
                          profile_of(target).columns.of_arrays);
}

}  // namespace

Judged judged(Program program, const Tuning& wish, const Target& target) {
  Launch& launch = program.launches.front();
  if (program.launches.size() > 1 || launch.fusion) {  // several passes
    Tuning tuning = wish;
    tuning.fused = launch.fusion.has_value();
    return {program, {tuning, estimate_cost(program, target)}};
  }
  const Schedule made = schedule(launch.pass, target, launch.shape);
  launch.shape.staging = made.shape.staging, launch.shape.prefetch = made.shape.prefetch;
  CostEstimate cost = estimate_cost(made, target);
  cost.total *= waste_of(made, program.problem, target);
  return {program, {tuning_of(launch.shape), cost}};
}

Judged Search::made(const Tuning& wish) const {
  return judged(make_program(problem, target, wish), wish, target);
}

std::optional<Candidate> Search::unseen(const Tuning& wish) {
  try {
    const Judged one = made(wish);
    return seen_.insert(one.program).second ? std::optional(one.candidate) : std::nullopt;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

std::vector<Candidate> Search::found() const {
  std::vector<Candidate> all;
  for (const auto& [key, candidate] : found_) all.push_back(candidate);
  return all;
}

// Where a thread has the points of one lap alone, fewer registers than those without spills were
// often faster.
Tuning with_shape(Tuning tuning, const Decomposition& tree, const MixedShape& shape) {
  const unsigned points = shape.points_per_thread;
  const Sums sums = tuning.sums.value_or(Sums::fp32);
  const unsigned others = registers_of_large_primes(tree) + registers_of_sums(sums, tree);
  tuning.points_per_thread = points, tuning.block_points = shape.block_points;
  tuning.threads.reset();
  tuning.registers = std::clamp((2 * points + others + 31) / 8 * 8, 32u, 255u);
  if (shape.threads > 0)
    tuning.threads = shape.threads, tuning.registers = registers_of(tree, shape, sums);
  return tuning;
}

std::vector<std::optional<Twiddles>> twiddles_tried(const Search& search, const Tuning& tuning,
                                                    std::int64_t points) {
  constexpr std::int64_t least = 2048;
  if (!search.patient || tuning.engine == Engine::mma || points < least) return {std::nullopt};
  const bool convolves = tuning.method.value_or(Method::radix) != Method::radix;
  if (convolves) {
    return {std::nullopt, Twiddles::table, Twiddles::powers, Twiddles::constants,
            Twiddles::cosines};
  }
  const bool alone = points < profile_of(search.target).few.shortest_in_clusters;
  if (!alone) return {std::nullopt, Twiddles::table, Twiddles::powers};
  return {std::nullopt, Twiddles::table, Twiddles::powers, Twiddles::constants};
}

// The most registers of a thread, from few to many, as far as they change how many blocks an SM
// holds; not patient: of those around the fewest that the cost model finds enough so many with
// fewer and with more (measured on an H200: 112 for 80 gains .02 at 500 and 1000 points). Fewer
// than those of the points and a few for addresses and factors are out of the question.
void add_registers(Search& search, Tuning tuning, int fewer, int more) {
  const unsigned points = *tuning.points_per_thread;
  const unsigned all = *tuning.block_points / points / shares_of(tuning).parts();
  const unsigned threads = tuning.threads.value_or(all);
  std::vector<Candidate> shapes;
  unsigned last_blocks = 0;
  for (const unsigned registers : {32u, 40u, 48u, 56u, 64u, 80u, 96u, 112u, 128u, 168u, 255u}) {
    const unsigned blocks = static_cast<unsigned>(search.target.registers) / (registers * threads);
    if (blocks == last_blocks || registers < 2 * points + 16) continue;
    last_blocks = blocks;
    tuning.registers = registers;
    if (const auto one = search.unseen(tuning)) shapes.push_back(*one);
  }
  const auto enough = std::ranges::find_if(
      shapes, [](const Candidate& one) { return one.cost.missing_registers == 0; });
  for (auto at = shapes.begin(); at != shapes.end(); ++at) {
    const bool near = at - enough >= -fewer && at - enough <= more;
    if (search.patient || near) search.keep(*at);
  }
}

}  // namespace sonoma
