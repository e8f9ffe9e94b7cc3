// How many columns a block of a pass takes where their number, or a pass's length, is no power of
// two.
#include "columns.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sonoma/choose.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/schedule.hpp"
#include "support.hpp"

namespace sonoma {
namespace {

using testing::problem_of;

unsigned columns(unsigned n, SideBySide all, LastBlock last = LastBlock::fewer) {
  return mixed_columns(n, all, last, 24576, {});
}

TEST(Columns, DivideTheirNumberWhereThatWastesLittle) {
  for (const LastBlock last : {LastBlock::full, LastBlock::fewer}) {
    EXPECT_EQ(columns(100, columns_of_last(200), last), 20u);
    EXPECT_EQ(columns(343, columns_of_last(364), last), 28u);
    EXPECT_EQ(columns(891, columns_of_last(1089), last), 11u);
  }
}

TEST(Columns, LeaveTheLastBlockFewerWhereDivisorsWasteMore) {
  EXPECT_EQ(columns(1001, columns_of_last(338), LastBlock::full), 2u);
  EXPECT_EQ(columns(1001, columns_of_last(338)), 11u);
  EXPECT_EQ(columns(1331, columns_of_last(169), LastBlock::full), 1u);
  EXPECT_EQ(columns(1331, columns_of_last(169)), 8u);
  EXPECT_EQ(columns(100, columns_of_last(1009)), 32u) << "a prime number of them";
}

// The fastest of those that were measured on an H200: bench/fit_columns.py.
TEST(Columns, OfArraysTakeWholeLinesOfMemory) {
  const auto columns = [](unsigned n, std::int64_t all) {
    return mixed_columns(n, columns_of_last(all), LastBlock::fewer, 24576, ColumnRules{}.of_arrays);
  };
  EXPECT_EQ(columns(54, 540), 32u);
  EXPECT_EQ(columns(100, 51), 32u);
  EXPECT_EQ(columns(250, 250), 32u);
  EXPECT_EQ(columns(960, 960), 8u);
  EXPECT_EQ(columns(729, 729), 16u);
  EXPECT_EQ(columns(1080, 1920), 8u);
  EXPECT_EQ(columns(2025, 2025), 8u);
}

TEST(Columns, OfRealPassesAreThoseOfTheirMemory) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    const bool back = domain == Domain::c2r;
    for (const auto& [a, b] : {std::pair{364, 392}, {525, 286}, {275, 273}}) {
      FftProblem problem = problem_of(a * b);
      problem.domain = domain;
      const std::vector<Pass> passes = passes_of(problem, {a, b});
      const Pass &numbers = passes[back ? 1 : 0], &frequencies = passes[back ? 0 : 1];
      const SideBySide of_numbers = columns_of_numbers(b, back),
                       of_frequencies = columns_of_frequencies(a, !back);
      EXPECT_EQ(numbers.n(), a);
      EXPECT_EQ(of_numbers.columns, numbers.loops.front().count) << b;
      EXPECT_EQ(of_numbers.apart, numbers.side(!back).stride) << b;
      EXPECT_EQ(frequencies.n(), b);
      EXPECT_EQ(of_frequencies.columns, frequencies.loops.front().count) << a;
      EXPECT_EQ(of_frequencies.apart, frequencies.side(back).stride) << a;
    }
  }
}

// Rows of the workspace begin with a sector, however many points they have.
TEST(Columns, OfTheFirstPassStoreWholeSectors) {
  for (const unsigned n : {143u, 169u, 539u, 891u, 1001u, 1331u}) {
    for (const std::int64_t other : {143, 338, 507, 847, 1089, 2079}) {
      EXPECT_EQ(columns(n, columns_of_first(other)) % 4, 0u) << n << " beside " << other;
      FftProblem problem = problem_of(n * other);
      const std::vector<Pass> passes = passes_of(problem, {n, other});
      EXPECT_EQ(passes[0].out.stride % 4, 0) << other;
      EXPECT_EQ(passes[1].loops.front().in_stride, passes[0].out.stride);
      problem.storage = Storage::f16;
      EXPECT_EQ(passes_of(problem, {n, other})[0].out.stride, other);
    }
  }
}

TEST(Columns, CostLeastOfAll) {
  for (const unsigned n : {77u, 338u, 1000u, 1859u}) {
    for (const std::int64_t all : {5, 64, 169, 338, 1001, 2048}) {
      const unsigned taken = columns(n, columns_of_last(all));
      for (unsigned c = 1; c <= std::min<std::int64_t>({all, 32, std::max(4u, 11264 / n)}); ++c) {
        EXPECT_LE(cost_of_columns(n, columns_of_last(all), taken, {}),
                  cost_of_columns(n, columns_of_last(all), c, {}))
            << n << " beside " << all << ": " << taken << ", " << c;
      }
    }
  }
}

// 338338 = 338 x 1001: blocks of two columns had half of the speed.
TEST(Columns, OfPassesAreAtLeastASector) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {224939, 338338, 531674, 628342, 399854}) {
    FftProblem problem = problem_of(n);
    problem.batch = (1 << 26) / n;
    const Planned made = plan(problem, target, testing::h200(), Wisdom{});
    ASSERT_EQ(made.taken().launches.size(), 2u) << n;
    for (const Launch& launch : made.taken().launches) {
      EXPECT_GE(launch.shape.block_points, 4 * launch.pass.n()) << n;
      EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << n;
    }
  }
}

// Threads of their passes do not go round: of more columns they would hold up to 91 points.
TEST(Columns, OfRealNumbersAreFewWhereStepsAreSmall) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {98098, 110110, 158466, 171366, 187278, 286286, 676676}) {
    FftProblem problem = problem_of(n);
    problem.domain = Domain::c2r, problem.direction = Direction::inverse;
    problem.batch = (1 << 26) / n;
    const Planned made = plan(problem, target, testing::h200(), Wisdom{});
    for (const Launch& launch : made.taken().launches) {
      EXPECT_LE(launch.shape.points_per_thread, 36u) << n;
      EXPECT_GE(launch.shape.block_points, 4 * launch.pass.n()) << n;
      EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << n;
    }
  }
}

}  // namespace
}  // namespace sonoma
