// Convolutions without factors between their last two steps: who has them, where points lie by
// remainders, and what the verifier rejects. See Schedule::coprime_phase.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "damage.hpp"
#include "sonoma/check.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"
#include "trips.hpp"

namespace sonoma::test {
namespace {

struct Tree {
  std::int64_t n;
  const char* steps;
  unsigned points = 0, block = 0, threads = 0;
};

Tuning tuning_of(const Tree& tree, Method method = Method::bluestein) {
  Tuning tuning;
  tuning.method = method;
  tuning.decomposition = parse_decomposition(tree.steps);
  if (tree.points > 0) tuning.points_per_thread = tree.points;
  if (tree.block > 0) tuning.block_points = tree.block;
  if (tree.threads > 0) tuning.threads = tree.threads;
  return tuning;
}

KernelIr ir_of(const Tree& tree, Method method = Method::bluestein) {
  const FftProblem problem{.lengths = {tree.n}};
  return generate(problem, target_for("sm_90"), tuning_of(tree, method)).ir;
}

const Tree trees[] = {{67, "(gs 4 (gs 5 (dft 7)))", 7},
                      {67, "(gs 4 (gs 5 (dft 7)))", 7, 420},
                      {1637, "(gs 16 (gs 13 (dft 16)))"},
                      {1637, "(gs 8 (gs 28 (dft 27)))", 28, 0, 128},
                      {331, "(gs 3 (gs 4 (gs 8 (dft 7))))", 8, 672, 256},
                      {331, "(gs 4 (gs 14 (dft 15)))", 15, 1680}};

// Which steps have factors behind them.
std::set<unsigned> steps_with_factors(const KernelIr& ir) {
  std::set<unsigned> steps;
  for (const Op& op : ir.ops) {
    if (const auto* twiddle = std::get_if<op::Twiddle>(&op)) steps.insert(twiddle->step);
  }
  return steps;
}

TEST(Coprime, LastTwoStepsHaveNoFactorsBetweenThem) {
  for (const Tree& tree : trees) {
    const KernelIr ir = ir_of(tree);
    EXPECT_EQ(verify(ir), "") << tree.steps;
    EXPECT_GT(ir.schedule.coprime_phase, 0u) << tree.steps;
    const auto steps = static_cast<unsigned>(ir.schedule.shape.tree.decomposition.radices.size());
    std::set<unsigned> others;
    for (unsigned step = 0; step + 2 < steps; ++step) others.insert(step);
    EXPECT_EQ(steps_with_factors(ir), others) << tree.steps;
    const std::string text = to_string(ir);
    EXPECT_NE(text.find("WriteShared residues"), std::string::npos) << text;
    EXPECT_NE(text.find("ReadShared residues"), std::string::npos) << text;
  }
}

TEST(Coprime, WhoHasThem) {
  const auto phase = [](const Tree& tree, Method method = Method::bluestein) {
    return ir_of(tree, method).schedule.coprime_phase;
  };
  EXPECT_EQ(phase({1009, "(gs 9 (gs 7 (dft 16)))", 16}, Method::rader), 0u);  // is staged
  EXPECT_EQ(phase({1637, "(gs 16 (gs 16 (dft 14)))"}), 0u);                   // a common factor
  EXPECT_EQ(phase({83, "(gs 12 (dft 14))"}), 0u);                             // nothing before them
  EXPECT_EQ(phase({97, "(gs 5 (gs 5 (dft 16)))", 32}), 0u);  // no exchange before them
  EXPECT_EQ(phase({1637, "(gs 16 (gs 16 (dft 16)))"}), 0u);  // bits
  EXPECT_EQ(phase({3360, "(gs 16 (gs 14 (dft 15)))"}, Method::radix), 0u);  // in order
}

TEST(Coprime, NotWhereLoadsAreStaged) {
  Tuning tuning = tuning_of(trees[0]);
  tuning.stage_load = true;
  const KernelIr staged = generate({.lengths = {67}}, target_for("sm_90"), tuning).ir;
  EXPECT_EQ(verify(staged), "");
  ASSERT_TRUE(staged.schedule.load.staged);
  EXPECT_EQ(staged.schedule.coprime_phase, 0u);
}

// Of Schedule::threads, laps in the phase before: where that reads, points of all of them would
// have to be read before the first are written.
TEST(Coprime, NoLapsWherePointsAreReadAndWrittenElsewhere) {
  const KernelIr reads_none = ir_of({67, "(gs 4 (gs 5 (dft 7)))", 7, 420, 32}),
                 reads = ir_of({331, "(gs 3 (gs 4 (gs 8 (dft 7))))", 8, 672, 64});
  for (const KernelIr* ir : {&reads_none, &reads}) {
    EXPECT_EQ(verify(*ir), "");
    EXPECT_GT(ir->schedule.laps(ir->schedule.phases.front().in), 1u);
  }
  EXPECT_GT(reads_none.schedule.coprime_phase, 0u);
  EXPECT_EQ(reads.schedule.coprime_phase, 0u);
}

TEST(Coprime, PointsLieWhereTheirRemaindersSay) {
  for (const Tree& tree : trees) {
    const Schedule s = ir_of(tree).schedule;
    const auto& radices = s.shape.tree.decomposition.radices;
    const std::uint32_t a = radices.end()[-2], b = radices.back();
    const Layout& layout = s.phases[s.coprime_phase - 1].out;
    const LinearMap there = shared_access(s, layout, {}, true).positions,
                    as_read = shared_access(s, s.phases[s.coprime_phase].in).positions;
    const LinearMap index = index_map(s.digits, layout, Side::time);
    std::map<std::uint32_t, std::uint32_t> of_remainders;  // by what is left of the time, and those
    const std::vector<Digit>& digits = s.digits;
    const LinearMap natural = index_map(digits, s.phases[s.coprime_phase].in, Side::time);
    for (std::uint32_t t = 0; t < natural.threads(); ++t) {
      for (std::uint32_t reg = 0; reg < natural.registers(); ++reg) {
        of_remainders[natural.of(t, reg)] = as_read.of(t, reg);  // t1 (a b) + t2 b + t3
      }
    }
    for (std::uint32_t t = 0; t < there.threads(); ++t) {
      for (std::uint32_t reg = 0; reg < there.registers(); ++reg) {
        const std::uint32_t time = index.of(t, reg), last = time % (a * b);
        const std::uint32_t number = time - last + last % a * b + last % b;
        ASSERT_EQ(there.of(t, reg), of_remainders.at(number)) << tree.steps;
      }
    }
  }
}

TEST(Coprime, ConflictsAreCountedLaneByLane) {
  for (const Tree& tree : trees) {
    const Schedule s = ir_of(tree).schedule;
    const Layout& layout = s.phases[s.coprime_phase - 1].out;
    const SharedAccess access = shared_access(s, layout, {}, true);
    unsigned cycles = 0;
    for (std::uint32_t first = 0; first < access.positions.threads(); first += 16) {
      std::map<std::uint32_t, unsigned> in_bank;
      unsigned worst = 0;
      for (std::uint32_t t = first; t < std::min(first + 16, access.positions.threads()); ++t) {
        worst = std::max(worst, ++in_bank[access.positions.of_thread(t) % 16]);
      }
      cycles += worst;
    }
    EXPECT_EQ(count_wavefronts(access, {}).total, cycles * access.positions.registers());
  }
}

// Of one number both remainders, whatever stands before and behind it.
TEST(Coprime, MapsOfRemainders) {
  const LinearMap map{{1, 100, 1000, 5000, 70000}, {}, {3, 2, 2, 5, 7}, {}, {1, 3, 4}};
  for (std::uint32_t t = 0; t < map.threads(); ++t) {
    const std::uint32_t number = t / 3 % 20;
    const std::uint32_t four = number % 4, five = number % 5;
    EXPECT_EQ(map.of_thread(t),
              t % 3 + four % 2 * 100 + four / 2 * 1000 + five * 5000 + t / 60 * 70000);
  }
}

TEST(Coprime, EveryOperationIsNeededOnce) {
  for (const Tree& tree : trees) expect_each_needed_once(ir_of(tree));
}

TEST(Coprime, DamageIsFound) {
  const KernelIr ir = ir_of(trees[2]);
  const auto turn = [](auto& op) { op.residues = !op.residues; };
  EXPECT_EQ(expect_each_rejected<op::WriteShared>(ir, turn, "by remainders"), 4u);
  EXPECT_EQ(expect_each_rejected<op::ReadShared>(ir, turn, "by remainders"), 4u);
  KernelIr damaged = ir;
  for (const std::size_t phase : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
    damaged.schedule.coprime_phase = phase;
    EXPECT_NE(verify(damaged), "") << phase;
  }
  for (std::size_t id = 0; id < ir.schedule.digits.size(); ++id) {
    damaged = ir;
    if (damaged.schedule.digits[id].step < 1) continue;
    damaged.schedule.digits[id].freq_stride += 1;
    EXPECT_EQ(verify(damaged), "frequencies that are not the remainders'");
  }
}

}  // namespace
}  // namespace sonoma::test
