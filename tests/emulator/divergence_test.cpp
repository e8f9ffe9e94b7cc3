// Threads that do not come to where the others wait.
#include <gtest/gtest.h>

#include "kernel_fixture.hpp"

namespace {

using sonoma::testing::error_of;
using sonoma::testing::kernel;

TEST(Divergence, ReturnBeforeABlockBarrier) {
  EXPECT_EQ(error_of(kernel("if (t == 37) return; block_barrier();", 64)),
            "kernel kernel_under_test, block 0, thread 0: waits at block_barrier, but thread 37 "
            "returned without it");
}

TEST(Divergence, WholeWarpReturnsBeforeABlockBarrier) {
  EXPECT_EQ(error_of(kernel("if (t < 32) return; block_barrier();", 64)),
            "kernel kernel_under_test, block 0, thread 32: waits at block_barrier, but thread 0 "
            "(and 31 more of its warp) returned without it");
}

TEST(Divergence, ReturnBeforeACollective) {
  EXPECT_EQ(
      error_of(kernel("if (t == 3) return; store_global(y + t, float(warp_max(t)));")),
      "kernel kernel_under_test, block 0, thread 0: waits at warp_max, to which thread 3 does "
      "not come: it returned");
}

TEST(Divergence, BlockBarrierAgainstCollective) {
  EXPECT_EQ(error_of(kernel("if (t >= 40) block_barrier(); else warp_barrier();", 64)),
            "kernel kernel_under_test, block 0, thread 32: waits at warp_barrier, to which thread "
            "40 (and 23 more of its warp) does not come: it waits at block_barrier");
}

TEST(Divergence, DifferentCollectives) {
  const std::string error = error_of(kernel(R"(
    float d[4] = {};
    if (t % 2 == 0) store_global(y + t, float(shuffle(t, 0)));
    else mma_m16n8k16(d, t, t, t, t, t, t);
    store_global(y + t, d[0]);)"));
  EXPECT_EQ(error,
            "kernel kernel_under_test, block 0, thread 1: comes to mma_m16n8k16 while thread 0 of "
            "its warp waits at shuffle");
}

TEST(Divergence, CollectiveInAPartOfAWarp) {
  EXPECT_EQ(error_of(kernel("warp_barrier();", 16)),
            "kernel kernel_under_test, block 0, thread 0: waits at warp_barrier, to which all 32 "
            "lanes must come, but the block has only 16 threads");
  EXPECT_EQ(error_of(kernel("block_barrier();", 16)), "no error");
}

// A failed launch leaves nothing behind: the next one is right, and the next failure the same.
TEST(Divergence, LaunchesAfterAFailure) {
  const auto bad = kernel("if (t == 0) return; block_barrier();", 64);
  const auto good = kernel("block_barrier(); store_global(y + t, float(t));", 64);
  for (int i = 0; i < 20; ++i) {
    EXPECT_NE(error_of(bad), "no error");
    EXPECT_EQ(error_of(good), "no error");
  }
}

}  // namespace
