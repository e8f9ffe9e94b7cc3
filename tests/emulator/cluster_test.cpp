// Blocks of a cluster on the emulated device: barriers, each other's memory, races.
#include <gtest/gtest.h>

#include "kernel_fixture.hpp"

namespace {

using sonoma::CudaSource;
using sonoma::testing::error_of;
using sonoma::testing::kernel;
using sonoma::testing::ramp;
using sonoma::testing::run;

CudaSource in_clusters(const std::string& body, unsigned cluster) {
  CudaSource source = kernel(body, 64, 64 * sizeof(float) * 2);
  source.launch.cluster = cluster;
  return source;
}

// Every block gives its points to the next one.
const std::string to_next = R"(
    const unsigned rank = block_in_cluster(), all = 64 * block_index() + t;
    const float2 mine = make_float2(load_global(x + all), float(rank));
    cluster_barrier();
    store_cluster(cluster_address(dynamic_shared() + 8 * t, (rank + 1) % 4), mine);
    cluster_barrier();
    const float2 got = load_shared(reinterpret_cast<float2*>(shared) + 63 - t);
    store_global(y + all, got.x + 1000.0f * got.y);)";

TEST(Clusters, BlocksReachEachOthersMemory) {
  const auto result = run(in_clusters(to_next, 4), ramp(512), 512, {.check_races = true}, 2);
  for (unsigned i = 0; i < 512; ++i) {
    const unsigned rank = i / 64 % 4, from = (rank + 3) % 4;
    const std::size_t expected = i / 256 * 256 + from * 64 + 63 - i % 64 + 1000 * from;
    EXPECT_EQ(result.out[i], static_cast<float>(expected));
  }
  EXPECT_EQ(result.report.blocks, 8u);
  EXPECT_EQ(result.report.cluster_barriers, 4u);
  EXPECT_EQ(result.report.block_barriers, 0u);
}

// Every block takes the points of the next one.
const std::string from_next = R"(
    const unsigned rank = block_in_cluster(), all = 64 * block_index() + t;
    store_shared(reinterpret_cast<float2*>(shared) + t,
                 make_float2(load_global(x + all), float(rank)));
    cluster_barrier();
    const float2 got = load_cluster(
        cluster_address(dynamic_shared() + 8 * (63 - t), (rank + 1) % 4));
    store_global(y + all, got.x + 1000.0f * got.y);
    cluster_barrier();)";

TEST(Clusters, BlocksReadEachOthersMemory) {
  const auto result = run(in_clusters(from_next, 4), ramp(512), 512, {.check_races = true}, 2);
  for (unsigned i = 0; i < 512; ++i) {
    const unsigned next = (i / 64 + 1) % 4;
    const std::size_t expected = i / 256 * 256 + next * 64 + 63 - i % 64 + 1000 * next;
    EXPECT_EQ(result.out[i], static_cast<float>(expected));
  }
  EXPECT_EQ(result.report.cluster_barriers, 4u);
}

// Whichever of the two comes first.
TEST(Clusters, ABlockMustNotEndWhileOthersReadItsMemory) {
  std::string body = from_next;
  body.resize(body.rfind("cluster_barrier();"));
  const std::string error = error_of(in_clusters(body, 4), {.check_bounds = true});
  EXPECT_NE(error.find("no cluster_barrier"), std::string::npos) << error;
}

TEST(Clusters, ABarrierOfTheBlockOrdersOnlyItsOwn) {
  std::string body = to_next;
  const std::string barrier = "cluster_barrier();";
  body.replace(body.rfind(barrier), barrier.size(), "block_barrier();");
  const std::string error = error_of(in_clusters(body, 4), {.check_races = true});
  EXPECT_NE(error.find("shared bytes"), std::string::npos) << error;
}

TEST(Clusters, AllThreadsMustComeToABarrier) {
  const std::string error =
      error_of(in_clusters("if (block_in_cluster() == 0) cluster_barrier();", 2));
  EXPECT_NE(error.find("barrier"), std::string::npos) << error;
  const std::string mixed = error_of(in_clusters(
      "if (block_in_cluster() == 0) cluster_barrier(); else block_barrier(); cluster_barrier();",
      2));
  EXPECT_NE(mixed.find("barrier"), std::string::npos) << mixed;
}

TEST(Clusters, MisuseIsNamed) {
  EXPECT_NE(error_of(in_clusters("cluster_barrier();", 1)).find("without clusters"),
            std::string::npos);
  EXPECT_NE(error_of(in_clusters("cluster_address(dynamic_shared(), 2);", 2)).find("block 2"),
            std::string::npos);
  const std::string store =
      "store_cluster(cluster_address(dynamic_shared() + 8 * t, 1), make_float2(0.0f, 0.0f));";
  EXPECT_NE(error_of(in_clusters(store, 2)).find("may not have begun"), std::string::npos);
  std::string beyond = "cluster_barrier(); " + store;
  beyond.replace(beyond.find("8 * t"), 5, "512");
  EXPECT_NE(error_of(in_clusters(beyond, 2)).find("outside"), std::string::npos);
  beyond.replace(beyond.find(", 1)"), 4, ", 0)");  // where the next block's memory is not
  EXPECT_NE(error_of(in_clusters(beyond, 2)).find("outside"), std::string::npos);
}

}  // namespace
