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
  std::vector<Mutant> mutants = {
      replaced(c, " * block_in_cluster();", ";"),
      replaced(c, "(block_index() / 4)", "block_index()"),
      replaced(c, "\n  cluster_barrier();", "\n  block_barrier();"),
      replaced(c, "cluster_address(own, block)", "cluster_address(own, 0)")};
  append(mutants, without_each(c, "\n  cluster_barrier();"));
  append(mutants, without_each(c, "\n  block_barrier();"));
  EXPECT_GE(mutants.size(), 4u + 2 + 1);
  EXPECT_EQ(survivors(mutants), "");
}

// The size of a block's part, also where the next block is the only other one.
TEST(Clusters, APlaceBehindABlockIsNotInTheNextOne) {
  for (const unsigned cluster : {2u, 4u}) {
    KernelCase c{4096, Direction::forward, Engine::simt, decompose(4096)};
    c.cluster = cluster;
    const auto part = [&](unsigned points) {
      return "write_cluster<" + std::to_string(points) + ", ";
    };
    const unsigned right = 4096 / cluster;
    EXPECT_EQ(survivors({replaced(c, part(right), part(2 * right)),
                         replaced(c, part(right), part(right / 2))}),
              "")
        << cluster;
  }
}

// Factors that are products of two from a smaller table, which is the default from 16384 points on.
TEST(Clusters, ProductsOfFactors) {
  KernelCase c{16384, Direction::inverse, Engine::simt, decompose(16384)};
  c.cluster = 2;
  const std::string two = "two_factors(factors";
  EXPECT_EQ(faults_of(c), "");
  EXPECT_EQ(survivors({replaced(c, "complex_product(near[a], far[b])", "near[a]"),
                       replaced(c, two + ", near[1]", two + " + stride, near[1]"),
                       replaced(c, two + " + stride, near[3]", two + ", near[3]"),
                       replaced(c, two + " + (1 + b / 2) * stride", two + " + stride"),
                       replaced(c, "gather_bits(r, others) != set", "set != 0")}),
            "");
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
  refused([](Tuning& tuning) { tuning.engine = Engine::mma; });
  refused([](Tuning& tuning) { tuning.block_points = 8192; });
  refused([](Tuning& tuning) { tuning.stage_load = true; });
}

}  // namespace
}  // namespace sonoma::test
