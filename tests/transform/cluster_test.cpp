// Transforms that a cluster of blocks makes together, and their mutants.
#include <gtest/gtest.h>

#include "mutants.hpp"
#include "sonoma/errors.hpp"

namespace sonoma::test {
namespace {

TEST(Clusters, KernelsAreRight) { EXPECT_EQ(faults_of_all(cluster_cases()), ""); }

std::vector<std::uint32_t> result(const KernelCase& c, bool in_place, unsigned points = 16) {
  Tuning tuning = c.tuning();
  tuning.points_per_thread = points;
  const CudaSource source = generate(c.problem(), target_for("sm_90"), tuning).source;
  const auto [bits, report] = emulated(source, c, 3, in_place);
  EXPECT_EQ(report.blocks, 3u * c.cluster);
  EXPECT_EQ(report.cluster_barriers, c.cluster > 1 ? 3u * 2 : 0u);
  return bits;
}

// The same bits as of one block, in place too: nobody stores what another one has yet to load.
TEST(Clusters, NothingDependsOnTheNumberOfBlocks) {
  KernelCase c{4096, Direction::forward, Engine::simt, decompose(4096)};
  const auto expected = result(c, false);
  for (const unsigned cluster : {2u, 4u, 8u, 16u}) {
    // Of 16 blocks half a warp each, points of 16 a thread: too few.
    c.cluster = cluster;
    if (cluster == 16) {
      EXPECT_THROW((void)source_of(c), UnsupportedProblem);
      continue;
    }
    EXPECT_EQ(result(c, false), expected) << c;
    EXPECT_EQ(result(c, true), expected) << c << " in place";
  }
}

// Of a length that is no power of two, in any number of blocks.
TEST(Clusters, OfAnyLengthGiveTheSameBits) {
  KernelCase c{3600, Direction::forward, Engine::simt, {{15, 15, 16}}};
  const auto expected = result(c, false, 32);
  for (const unsigned cluster : {3u, 5u}) {
    c.cluster = cluster;
    EXPECT_EQ(result(c, false, 32), expected) << c;
    EXPECT_EQ(result(c, true, 32), expected) << c << " in place";
  }
  EXPECT_EQ(survivors(without_each<op::Barrier>(c)), "");
}

// Half of the way neither has fives on both sides: (2, 25, 25) has them before the last step, (10,
// 10, 9, 9) after the first one.
TEST(Clusters, ChangeTheirPointsWhereTheStepsCanNumberThem) {
  const auto test = [](const Decomposition& tree, unsigned points) {
    KernelCase c{tree.n(), Direction::forward, Engine::simt, tree};
    const auto expected = result(c, false, points);
    c.cluster = 5;
    EXPECT_EQ(result(c, false, points), expected) << c;
    EXPECT_EQ(result(c, true, points), expected) << c << " in place";
    EXPECT_EQ(survivors(without_each<op::Barrier>(c)), "") << c;
    c.cluster = 7;
    EXPECT_THROW((void)source_of(c), UnsupportedProblem);
  };
  test({{2, 25, 25}}, 25);
  test({{10, 10, 9, 9}}, 10);
}

// A thread has points for fewer blocks than there are: which ones, depends on the thread.
TEST(Clusters, ThreadsMayWriteToOtherBlocksThanTheirNeighbours) {
  KernelCase c{8192, Direction::forward, Engine::simt, decompose(8192, 8)};
  const auto expected = result(c, false, 8);
  c.cluster = 16;
  EXPECT_EQ(result(c, false, 8), expected);
  EXPECT_EQ(result(c, true, 8), expected);
}

// Both barriers of the cluster, those of its blocks, and the numbers of block and thread.
TEST(Clusters, EveryPieceIsNeeded) {
  // Four exchanges, the second one far.
  KernelCase c{8192, Direction::forward, Engine::simt, {{16, 2, 16, 16}}};
  c.cluster = 4;
  std::vector<Mutant> mutants = {replaced(c, " * block_in_cluster();", ";"),
                                 replaced(c, "(block_index() / 4)", "block_index()"),
                                 replaced(c, "cluster_address(dynamic_shared() + 8 * place, block)",
                                          "cluster_address(dynamic_shared() + 8 * place, 0)")};
  append(mutants, each_op<op::Barrier>(c, "only the block's barrier", [](op::Barrier& barrier) {
           barrier.scope = op::Barrier::Scope::block;
         }));
  append(mutants, without_each<op::Barrier>(c));
  append(mutants, in_each_function(c));
  EXPECT_GE(mutants.size(), 3u + 2 + 3 + 20);
  EXPECT_EQ(survivors(mutants), "");
}

// The size of a block's part, also where the next block is the only other one.
TEST(Clusters, APlaceBehindABlockIsNotInTheNextOne) {
  for (const unsigned cluster : {2u, 4u}) {
    KernelCase c{4096, Direction::forward, Engine::simt, decompose(4096)};
    c.cluster = cluster;
    const std::string text = source_of(c).text, point = "cluster_point\\(([^,]*), ([^)]*)\\)",
                      behind = std::to_string(4096 / cluster);
    const std::vector<Mutant> far = {
        mutant(c, in_function(text, "write_1", point, "cluster_point($1, ($2) ^ 1)")),
        mutant(c, in_function(text, "write_1", point, "cluster_point(($1) + " + behind + ", $2)"))};
    EXPECT_EQ(survivors(far), "") << cluster;
  }
}

// Factors that are products of two from a smaller table, which is the default from 16384 points on.
TEST(Clusters, ProductsOfFactors) {
  KernelCase c{16384, Direction::inverse, Engine::simt, decompose(16384)};
  c.cluster = 2;
  EXPECT_EQ(faults_of(c), "");
  const std::string product = "complex_product\\((w[0-9.a-z]*), (w[0-9.a-z]*)\\)\\)";
  auto near = each_match(c, {"twiddle_1"}, product, "$1)"),
       far = each_match(c, {"twiddle_1"}, product, "$2)");
  EXPECT_GE(near.size(), 9u);
  EXPECT_EQ(survivors({near.front(), near[4], near.back(), far.front(), far[4], far.back()}), "");
}

// The argument, its value and the way out.
TEST(Clusters, WhatTheyCannotIsRefusedByName) {
  const auto why = [](std::int64_t n, unsigned cluster, const char* arch, auto&& change) {
    FftProblem problem;
    problem.lengths = {n};
    Tuning tuning;
    tuning.engine = Engine::simt;
    tuning.cluster = cluster;
    tuning.block_points = static_cast<unsigned>(n);
    change(tuning);
    try {
      (void)generate(problem, target_for(arch), tuning);
    } catch (const UnsupportedProblem& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto same = [](Tuning&) {};
  EXPECT_EQ(why(4096, 2, "sm_90", same), "accepted");
  EXPECT_NE(why(4096, 2, "sm_80", same).find("cluster = 2"), std::string::npos);
  EXPECT_NE(why(4096, 3, "sm_90", same).find("cluster = 3"), std::string::npos);
  EXPECT_NE(why(4096, 32, "sm_90", same).find("cluster = 32"), std::string::npos);
  EXPECT_NE(why(524288, 16, "sm_90", same).find("n = 524288"), std::string::npos);
  const auto refused = [&](auto&& change) {
    EXPECT_NE(why(4096, 2, "sm_90", change).find("cluster = 2"), std::string::npos);
  };
  refused([](Tuning& tuning) { tuning.stage_load = true; });
}

}  // namespace
}  // namespace sonoma::test
