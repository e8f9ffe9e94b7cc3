// What a phase of a block takes, as it is counted for the cost model, is what schedules have.
#include "sonoma/filling.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sonoma/errors.hpp"
#include "sonoma/half_length.hpp"
#include "sonoma/schedule.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

std::vector<std::pair<unsigned, unsigned>> counted(const Shape& shape) {
  std::vector<std::pair<unsigned, unsigned>> phases;
  const MixedShape block{shape.points_per_thread, shape.block_points, shape.shares};
  for (const auto& [items, points] : work_of(shape.tree.decomposition, block)) {
    phases.emplace_back(items, points);
  }
  return phases;
}

std::vector<std::pair<unsigned, unsigned>> scheduled(const Shape& shape) {
  const FftProblem problem = problem_of(shape.tree.decomposition.n());
  const Schedule made = schedule(problem, target_for("sm_90"), shape);
  std::vector<std::pair<unsigned, unsigned>> phases;
  for (const Phase& phase : made.phases) {
    phases.emplace_back(made.work_items(phase.in), count_of(made.digits, phase.in.registers));
  }
  return phases;
}

// False where the steps cannot number the blocks, or leave a phase more threads than a block has.
bool compare_opposite(const FftProblem& problem, const Shape& shape) {
  const Pass pass = half_length_pass(problem);
  MixedShape block{shape.points_per_thread, shape.block_points, shape.shares};
  block.opposite = problem.domain == Domain::r2c ? OppositePhase::last : OppositePhase::first;
  try {
    const Schedule made = schedule(pass, target_for("sm_90"), shape);
    const BlockWork work = work_of(shape.tree.decomposition, block);
    EXPECT_EQ(work.size(), made.phases.size()) << to_string(made);
    for (std::size_t p = 0; p < std::min(work.size(), made.phases.size()); ++p) {
      const Layout& layout = made.phases[p].in;
      const unsigned both = made.is_opposite(layout) ? 2 : 1;
      EXPECT_EQ(work[p].items, made.work_items(layout)) << to_string(made);
      EXPECT_EQ(work[p].points, both * count_of(made.digits, layout.registers)) << to_string(made);
    }
    return true;
  } catch (const UnsupportedProblem&) {
    return false;
  }
}

TEST(Filling, IsThatOfSchedules) {
  const std::vector<std::vector<unsigned>> trees = {
      {14, 25, 25}, {9, 9, 9, 9}, {7, 7, 2, 7, 7}, {26, 12, 13}, {5, 5}, {11, 3}, {30}, {17, 6, 3}};
  int compared = 0;
  for (const auto& radices : trees) {
    Shape shape;
    shape.arithmetic = Arithmetic::simt;
    shape.tree.decomposition = Decomposition{radices};
    const auto n = static_cast<unsigned>(shape.tree.decomposition.n());
    shape.registers = 255, shape.threads = 256;
    for (const unsigned transforms : {1u, 2u, 3u, 10u}) {
      shape.block_points = transforms * n;
      if (shape.block_points > 12288) continue;
      for (unsigned points = std::ranges::max(radices); points <= 49; ++points) {
        shape.points_per_thread = points;
        EXPECT_EQ(counted(shape), scheduled(shape))
            << to_string(shape.tree.decomposition) << " " << transforms << " " << points;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

// Of real transforms, by one block or by those of a cluster, on threads for all of a phase.
TEST(Filling, IsThatOfOppositeButterflies) {
  const std::vector<std::vector<unsigned>> trees = {
      {24, 12, 12, 20}, {24, 5, 25, 24}, {5, 25, 25, 24}, {16, 2, 9, 9, 16}, {8, 3, 5, 3, 8},
      {2, 9, 9, 8},     {8, 9, 9, 2},    {12, 25, 5},     {4, 4, 7},         {3, 4, 6}};
  int compared = 0;
  for (const auto& radices : trees) {
    Shape shape;
    shape.arithmetic = Arithmetic::simt, shape.opposite = true;
    shape.tree.decomposition = Decomposition{radices};
    shape.registers = 255, shape.block_points = static_cast<unsigned>(shape.tree.decomposition.n());
    for (const Domain domain : {Domain::r2c, Domain::c2r}) {
      FftProblem problem = problem_of(2 * shape.tree.decomposition.n());
      problem.domain = domain;
      if (domain == Domain::c2r) problem.direction = Direction::inverse;
      for (const unsigned blocks : {1u, 2u, 4u, 6u}) {
        shape.shares.cluster = blocks;
        for (unsigned points = std::ranges::max(radices); points <= 64; ++points) {
          shape.points_per_thread = points;
          compared += compare_opposite(problem, shape) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

// Where no factors are between the last two steps, on threads for all of a phase.
TEST(Filling, IsThatOfConvolutions) {
  int coprime = 0;
  for (const std::vector<unsigned>& radices : std::vector<std::vector<unsigned>>{
           {16, 13, 16}, {8, 28, 27}, {3, 4, 8, 7}, {4, 5, 7}, {16, 16, 14}, {5, 5, 16}}) {
    Shape shape;
    shape.arithmetic = Arithmetic::simt, shape.method = Method::bluestein;
    shape.tree.decomposition = Decomposition{radices};
    const auto m = static_cast<unsigned>(shape.tree.decomposition.n());
    shape.registers = 255, shape.block_points = m;
    for (unsigned points = std::ranges::max(radices); points <= 49; ++points) {
      shape.points_per_thread = points;
      const Schedule made = schedule(problem_of((m + 1) / 2), target_for("sm_90"), shape);
      MixedShape block{points, m};
      block.coprime = true;
      const BlockWork work = work_of(shape.tree.decomposition, block);
      ASSERT_EQ(work.size(), made.phases_there());
      for (std::size_t p = 0; p < work.size(); ++p) {
        const Layout& layout = made.phases[p].in;
        EXPECT_EQ(work[p].items, made.work_items(layout)) << to_string(made);
        EXPECT_EQ(work[p].points, count_of(made.digits, layout.registers)) << to_string(made);
      }
      coprime += made.coprime_phase > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(coprime, 50);
}

}  // namespace
}  // namespace sonoma::testing
