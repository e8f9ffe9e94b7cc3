// Bounds, races, asynchronous copies and bank conflicts of whole kernels.
#include <gtest/gtest.h>

#include <cmath>

#include "kernel_fixture.hpp"

namespace {

using sonoma::EmulationError;
using sonoma::EmulationOptions;
using sonoma::WavefrontCount;
using sonoma::testing::compiled;
using sonoma::testing::error_of;
using sonoma::testing::kernel;
using sonoma::testing::ramp;
using sonoma::testing::run;

constexpr const char* prefix = "kernel kernel_under_test, block 0, thread ";
const EmulationOptions races{.check_races = true};

TEST(Bounds, Global) {
  EXPECT_EQ(error_of(kernel("if (t == 5) store_global(y, load_global(x + 1024));")),
            std::string(prefix) + "5: reads 4 bytes at in + 4096, outside its 4096 bytes");
  EXPECT_EQ(error_of(kernel("store_global(y - 1, 0.0f);")),
            std::string(prefix) + "0: writes 4 bytes at out - 4, outside its 4096 bytes");
  EXPECT_EQ(error_of(kernel("store_global(out + 511, make_float2(0, 0));")), "no error");
  EXPECT_EQ(error_of(kernel("store_global(y, load_global(y));", 1)).find(prefix), 0u);
  EXPECT_EQ(error_of(kernel("load_table(tables + 2);")),
            std::string(prefix) + "0: reads 16 bytes at tables + 32, outside its 0 bytes");
}

TEST(Bounds, Shared) {
  EXPECT_EQ(
      error_of(kernel("store_shared(shared + t, 0.0f);", 64, 128)),
      std::string(prefix) + "32: writes 4 bytes at shared memory + 128, outside its 128 bytes");
  EXPECT_EQ(error_of(kernel("load_shared(reinterpret_cast<float4*>(shared + 2));", 1, 128)),
            std::string(prefix) + "0: reads 16 bytes at an address that is not a multiple of 16");
}

// Words of 4, 8 and 16 bytes that hold pairs of 16-bit numbers.
TEST(Bounds, Words) {
  const auto behind = [](const std::string& type, const std::string& index) {
    const std::string cast = "reinterpret_cast<" + type + "*>";
    return error_of(kernel("const " + type + " word = load_global(reinterpret_cast<const " + type +
                           "*>(in));" + "store_global(" + cast + "(out) + " + index + ", word);"));
  };
  EXPECT_EQ(behind("unsigned", "t"), "no error");
  EXPECT_EQ(behind("unsigned", "1023 + t"),
            std::string(prefix) + "1: writes 4 bytes at out + 4096, outside its 4096 bytes");
  EXPECT_EQ(behind("uint2", "511 + t"),
            std::string(prefix) + "1: writes 8 bytes at out + 4096, outside its 4096 bytes");
  EXPECT_EQ(behind("uint4", "255 + t"),
            std::string(prefix) + "1: writes 16 bytes at out + 4096, outside its 4096 bytes");
  EXPECT_EQ(error_of(kernel("load_global(reinterpret_cast<const uint2*>(x + 1));")),
            std::string(prefix) + "0: reads 8 bytes at an address that is not a multiple of 8");
  EXPECT_EQ(
      error_of(
          kernel("store_shared(reinterpret_cast<uint2*>(shared) + t, make_uint2(t, t));", 32, 248)),
      std::string(prefix) + "31: writes 8 bytes at shared memory + 248, outside its 248 bytes");
}

TEST(Bounds, CopyReadsNothingWhereItIsNotValid) {
  const auto source = kernel(R"(
    float4* to = reinterpret_cast<float4*>(shared) + t;
    copy_async(to, reinterpret_cast<const float4*>(x + 4 * t), t < 2);
    wait_for_copies();
    store_global(reinterpret_cast<float4*>(y) + t, load_shared(to));)",
                             4, 64);
  const auto result = run(source, ramp(8), 16, races);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(result.out[i], i < 8 ? static_cast<float>(i) : 0.0f);
  }
}

TEST(Copies, AMissingWaitIsAnError) {
  EXPECT_EQ(error_of(kernel("copy_async(reinterpret_cast<float4*>(shared), "
                            "reinterpret_cast<const float4*>(x), t == 0);",
                            1, 64)),
            std::string(prefix) + "0: returns with 1 asynchronous copies that it never waited for");
}

// Until the wait, the old content is there: NaN, what nobody wrote.
TEST(Copies, HappenAtTheWait) {
  const auto source = kernel(R"(
    copy_async(reinterpret_cast<float4*>(shared), reinterpret_cast<const float4*>(x));
    store_global(y, load_shared(shared + 1));
    wait_for_copies();
    store_global(y + 1, load_shared(shared + 1));)",
                             1, 64);
  const auto result = run(source, ramp(4), 2);
  EXPECT_TRUE(std::isnan(result.out[0]));
  EXPECT_EQ(result.out[1], 1.0f);
  EXPECT_EQ(error_of(source, races),
            std::string(prefix) +
                "0: reads shared bytes 4.. while an asynchronous copy to them is under way");
}

// The wait is the thread's own: others need a barrier behind it.
TEST(Copies, WaitAloneDoesNotPublish) {
  const std::string head = R"(
    float4* to = reinterpret_cast<float4*>(shared) + t;
    copy_async(to, reinterpret_cast<const float4*>(x) + t);
    wait_for_copies();)";
  const std::string tail = "store_global(y + t, load_shared(shared + 4 * (t ^ 32)));";
  EXPECT_EQ(error_of(kernel(head + "block_barrier();" + tail, 64, 1024), races), "no error");
  EXPECT_NE(error_of(kernel(head + "warp_barrier();" + tail, 64, 1024), races), "no error");
}

TEST(Races, MissingBlockBarrier) {
  const std::string error = error_of(
      kernel("store_shared(shared + t, 1.0f); store_global(y, load_shared(shared + (t ^ 32)));", 64,
             256),
      races);
  EXPECT_NE(error.find("nobody has written"), std::string::npos) << error;
  const std::string late = error_of(kernel(R"(
    store_shared(shared + t, 1.0f);
    block_barrier();
    const float value = load_shared(shared + (t ^ 32));
    store_shared(shared + t, value);)",
                                           64, 256),
                                    races);
  EXPECT_NE(late.find("with no barrier between"), std::string::npos) << late;
}

// A shuffle brings the lanes together but does not publish what they wrote.
TEST(Races, ShuffleIsNoBarrier) {
  const std::string source = R"(
    store_shared(shared + t, 1.0f);
    store_global(y + 32 + t, float(shuffle(t, 0)));
    %
    store_global(y + t, load_shared(shared + (t ^ 1)));)";
  const auto with = [&](const std::string& barrier) {
    std::string body = source;
    return error_of(kernel(body.replace(body.find('%'), 1, barrier), 32, 128), races);
  };
  EXPECT_NE(with("").find("with no barrier between"), std::string::npos);
  EXPECT_EQ(with("warp_barrier();"), "no error");
}

TEST(Races, Words) {
  const std::string store = "store_shared(reinterpret_cast<uint2*>(shared) + t, make_uint2(t, t));";
  const std::string load =
      "const unsigned word = load_shared(reinterpret_cast<unsigned*>(shared) + 63 - t);"
      "store_global(reinterpret_cast<unsigned*>(out) + t, word);";
  EXPECT_NE(error_of(kernel(store + load, 32, 256), races), "no error");
  EXPECT_EQ(error_of(kernel(store + "warp_barrier();" + load, 32, 256), races), "no error");
  EXPECT_NE(
      error_of(kernel("store_global(reinterpret_cast<uint2*>(out) + t / 2, make_uint2(t, t));"),
               races),
      "no error");
}

// In place, everything is read before anything is written over it.
TEST(Races, InPlace) {
  const auto in_place = [](const std::string& barrier) {
    const auto source = kernel(
        "const float value = load_global(x + (t ^ 32));" + barrier + "store_global(y + t, value);",
        64);
    std::vector<float> data = ramp(64);
    try {
      compiled(source).launch(std::as_bytes(std::span(data)),
                              std::as_writable_bytes(std::span(data)), {}, 1, races);
    } catch (const EmulationError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(in_place("block_barrier();"), "no error");
  EXPECT_NE(in_place("warp_barrier();").find("with no barrier between"), std::string::npos);
}

TEST(Races, TwoBlocksWriteTheSameOutput) {
  const auto source = kernel("store_global(y + t, float(t));", 4);
  try {
    (void)run(source, ramp(4), 4, races, 2);
    FAIL() << "no error";
  } catch (const EmulationError& error) {
    EXPECT_NE(std::string(error.what()).find("of block"), std::string::npos) << error.what();
  }
}

TEST(Wavefronts, CountedByAccessOfTheWarp) {
  const auto source = kernel(R"(
    for (unsigned i = 0; i < 3; ++i) store_shared(shared + 2 * t + 64 * i, 0.0f);
    block_barrier();
    if (t < 16) load_shared(reinterpret_cast<float2*>(shared) + t);
    load_shared(reinterpret_cast<float4*>(shared) + t);
    copy_async(reinterpret_cast<float4*>(shared) + 8 * t, reinterpret_cast<const float4*>(x) + t);
    wait_for_copies();)",
                             32, 4096);
  const auto report = run(source, ramp(128), 4, {.count_wavefronts = true}).report;
  EXPECT_EQ(report.stores, (WavefrontCount{6, 3}));
  EXPECT_EQ(report.loads, (WavefrontCount{5, 5}));
  EXPECT_EQ(report.copies, (WavefrontCount{32, 4}));
}

}  // namespace
