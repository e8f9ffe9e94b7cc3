// Transforms that a block makes in two rounds, and their mutants.
#include <gtest/gtest.h>

#include "mutants.hpp"
#include "sonoma/errors.hpp"

namespace sonoma::test {
namespace {

TEST(Rounds, KernelsAreRight) { EXPECT_EQ(faults_of_all(rounds_cases()), ""); }

std::vector<std::uint32_t> result(const KernelCase& c, bool in_place) {
  const auto [bits, report] = emulated(source_of(c), c, 3, in_place);
  EXPECT_EQ(report.blocks, 3u * c.cluster);
  return bits;
}

// The same bits as in one round, in place too: nothing is stored that has yet to be loaded.
TEST(Rounds, NothingDependsOnTheNumberOfRounds) {
  for (const Decomposition& tree : {decompose(4096), Decomposition{{16, 2, 16, 8}}}) {
    KernelCase c{4096, Direction::forward, Engine::simt, tree};
    const auto expected = result(c, false);
    c.rounds = 2;
    for (const unsigned cluster : {1u, 2u, 4u}) {
      c.cluster = cluster;
      EXPECT_EQ(result(c, false), expected) << c;
      EXPECT_EQ(result(c, true), expected) << c << " in place";
    }
  }
}

TEST(Rounds, EveryBarrierIsNeeded) {
  KernelCase c{8192, Direction::forward, Engine::simt, {{16, 2, 16, 16}}};
  c.rounds = 2;
  const auto of_scope = [&](op::Barrier::Scope scope) {
    return without_each<op::Barrier>(c, [=](const std::vector<Op>& ops, std::size_t i) {
      return std::get<op::Barrier>(ops[i]).scope == scope;
    });
  };
  const auto alone = of_scope(op::Barrier::Scope::block);
  EXPECT_GE(alone.size(), 3u + 4 + 2);
  EXPECT_EQ(survivors(alone), "");
  c.cluster = 2;
  const auto far = of_scope(op::Barrier::Scope::cluster);
  EXPECT_GE(far.size(), 4u);
  EXPECT_EQ(survivors(far), "");
}

// Of a length that is no power of two: each phase has threads of its own.
TEST(Rounds, OfAnyLengthGiveTheSameBits) {
  KernelCase c{3600, Direction::forward, Engine::simt, {{12, 20, 15}}};
  const auto expected = result(c, false);
  for (const unsigned cluster : {1u, 2u}) {
    c.rounds = 2, c.cluster = cluster;
    EXPECT_EQ(result(c, false), expected) << c;
    EXPECT_EQ(result(c, true), expected) << c << " in place";
  }
  c.cluster = 1;
  EXPECT_EQ(survivors(without_each<op::Barrier>(c)), "");
}

TEST(Rounds, EveryPieceIsNeeded) {
  KernelCase c{2048, Direction::forward, Engine::simt, {{16, 8, 16}}};
  c.rounds = 2;
  std::vector<Mutant> mutants = {replaced(c, "anew(thread_index()) + 64", "anew(thread_index())"),
                                 replaced(c, "  take(x, y);\n", ""),
                                 replaced(c, "  read_upper(y, ", "  read_upper(x, ")};
  append(mutants, in_each_function(c));
  EXPECT_GE(mutants.size(), 3u + 30);
  EXPECT_EQ(survivors(mutants), "");
}

// The argument, its value and the way out.
TEST(Rounds, WhatTheyCannotIsRefusedByName) {
  const auto why = [](std::int64_t n, auto&& change) {
    FftProblem problem;
    problem.lengths = {n};
    Tuning tuning;
    tuning.engine = Engine::simt;
    tuning.rounds = 2;
    change(tuning, problem);
    try {
      (void)generate(problem, target_for("sm_90"), tuning);
    } catch (const UnsupportedProblem& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(why(4096, [](Tuning&, FftProblem&) {}), "accepted");
  EXPECT_EQ(why(4096, [](Tuning& t, FftProblem&) { t.rounds = 1; }), "accepted");
  const auto refused = [&](std::int64_t n, auto&& change) {
    const std::string text = why(n, change);
    EXPECT_NE(text.find("rounds = "), std::string::npos) << n << ": " << text;
  };
  refused(4096, [](Tuning& t, FftProblem&) { t.rounds = 3; });
  refused(4096, [](Tuning& t, FftProblem&) { t.rounds = 4; });
  refused(4096, [](Tuning& t, FftProblem&) { t.stage_load = true; });
  refused(4096, [](Tuning& t, FftProblem&) { t.method = Method::bluestein; });
  refused(512, [](Tuning&, FftProblem&) {});
  refused(3125, [](Tuning&, FftProblem&) {});  // nothing to halve
  refused(1009, [](Tuning&, FftProblem&) {});
}

}  // namespace
}  // namespace sonoma::test
