#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "kernel_fixture.hpp"
#include "mma_reference.hpp"

namespace {

using sonoma::CudaSource;
using sonoma::EmulationOptions;
using sonoma::testing::Halves;
using sonoma::testing::kernel;
using sonoma::testing::ramp;
using sonoma::testing::reference_dot;
using sonoma::testing::run;

TEST(Collectives, BlockBarrierExchangesBetweenWarps) {
  const CudaSource source = kernel(R"(
    store_shared(shared + t, load_global(x + t));
    block_barrier();
    const float value = load_shared(shared + 127 - t);
    block_barrier();
    store_shared(shared + t, 2.0f * value);
    block_barrier();
    store_global(y + t, load_shared(shared + (t + 32) % 128));)",
                                   128, 512);
  const auto result = run(source, ramp(128), 128, {.check_races = true});
  for (unsigned t = 0; t < 128; ++t) {
    EXPECT_EQ(result.out[t], 2.0f * static_cast<float>(127 - (t + 32) % 128)) << t;
  }
  EXPECT_EQ(result.report.block_barriers, 3u);
  EXPECT_EQ(result.report.blocks, 1u);
}

TEST(Collectives, Shuffles) {
  const CudaSource source = kernel(R"(
    store_global(y + t, float(shuffle_xor(100 + t, 5)));
    store_global(y + 64 + t, float(shuffle(200 + t, (t + 1) % 32)));)",
                                   64);
  const auto result = run(source, ramp(128), 128);
  for (unsigned t = 0; t < 64; ++t) {
    EXPECT_EQ(result.out[t], static_cast<float>(100 + (t ^ 5u)));
    EXPECT_EQ(result.out[64 + t], static_cast<float>(200 + t / 32 * 32 + (t + 1) % 32));
  }
}

TEST(Collectives, WarpMaxIsOfUnsignedsAndOfOneWarp) {
  const CudaSource source = kernel(R"(
    const unsigned value = t == 7 ? 0x80000000u : t;
    store_global(y + t, float(warp_max(value)));)",
                                   64);
  const auto result = run(source, ramp(64), 64);
  for (unsigned t = 0; t < 64; ++t) {
    EXPECT_EQ(result.out[t], t < 32 ? 2147483648.0f : 63.0f) << t;
  }
}

TEST(Collectives, WarpBarrierOrdersSharedMemory) {
  const CudaSource source = kernel(R"(
    for (unsigned i = 0; i < 5; ++i) {
      store_shared(shared + t, float(t + i));
      warp_barrier();
      const float value = load_shared(shared + (t ^ 1));
      warp_barrier();
      if (i == 4) store_global(y + t, value);
    })",
                                   64, 256);
  const auto result = run(source, ramp(64), 64, {.check_races = true});
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(result.out[t], static_cast<float>((t ^ 1u) + 4));
  EXPECT_EQ(result.report.warp_barriers, 20u);
}

TEST(Collectives, Arithmetic) {
  const CudaSource source = kernel(R"(
    const float a = load_global(x), b = load_global(x + 1), c = load_global(x + 2);
    store_global(y, fused_multiply_add(a, b, c));
    store_global(y + 1, a * b + c);
    const unsigned packed = pack_halves(a, b);
    store_global(y + 2, low_half(packed));
    store_global(y + 3, high_half(packed));
    store_global(y + 4, float_of(bits_of(a) ^ 0x80000000u));
    store_global(y + 5, float(bits_of(c) >> 31));
  )",
                                   1);
  const float a = 1.0f + 0x1p-23f, b = 1.0f - 0x1p-23f;
  const auto result = run(source, {a, b, -1.0f, 0.0f}, 6);
  EXPECT_EQ(result.out, (std::vector<float>{-0x1p-46f, 0.0f, 1.0f, 1.0f, -a, 1.0f}));
}

struct Multiplied {
  std::vector<float> in;
  sonoma::testing::Run result;

  /// 16 of them from a word on; zeros from number `depth` on.
  [[nodiscard]] Halves halves(unsigned word, unsigned depth) const {
    Halves row{};
    for (unsigned k = 0; k < depth; ++k) {
      const auto bits = std::bit_cast<std::uint32_t>(in[word + k / 2]);
      row[k] = static_cast<std::uint16_t>(bits >> 16 * (k % 2));
    }
    return row;
  }
};

// `product` twice. Each lane loads its fragments by the layout of instructions.cuh.
Multiplied multiplied(const std::string& product) {
  const CudaSource source = kernel(R"(
    const unsigned* words = reinterpret_cast<const unsigned*>(in);
    const unsigned lane = t % 32, g = lane / 4, p = lane % 4;
    // A: 16 rows of 8 words; B: 8 columns of 8 words from word 128; C: rows of 8 from word 192.
    unsigned a[4], b[2];
    for (unsigned r = 0; r < 4; ++r) {
      a[r] = load_global(words + (g + 8 * (r % 2)) * 8 + p + 4 * (r / 2));
    }
    for (unsigned r = 0; r < 2; ++r) b[r] = load_global(words + 128 + g * 8 + p + 4 * r);
    float d[4];
    for (unsigned i = 0; i < 4; ++i) {
      d[i] = load_global(x + 192 + (g + 8 * (i / 2)) * 8 + 2 * p + i % 2);
    }
    for (unsigned i = 0; i < 2; ++i) )" +
                                       product + R"(
    for (unsigned i = 0; i < 4; ++i) {
      store_global(y + t / 32 * 128 + (g + 8 * (i / 2)) * 8 + 2 * p + i % 2, d[i]);
    })",
                                   64);
  std::mt19937 random(11);
  std::vector<float> in(320);
  for (unsigned i = 0; i < 192; ++i)
    in[i] = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0xbfffbfffu);
  for (unsigned i = 192; i < 320; ++i) in[i] = static_cast<float>(random()) * 0x1p-30f;
  return {in, run(source, in, 256)};
}

TEST(Collectives, MmasAreTheReferenceToTheBit) {
  for (const unsigned depth : {8u, 16u}) {
    const auto m = multiplied(depth == 16 ? "mma_m16n8k16(d, a[0], a[1], a[2], a[3], b[0], b[1]);"
                                          : "mma_m16n8k8(d, a[0], a[1], b[0]);");
    EXPECT_EQ(m.result.report.mmas, 4u);
    for (unsigned i = 0; i < 128; ++i) {
      const Halves a = m.halves(i / 8 * 8, depth), b = m.halves(128 + i % 8 * 8, depth);
      const auto once = reference_dot(a, b, std::bit_cast<std::uint32_t>(m.in[192 + i]));
      const auto twice = reference_dot(a, b, once);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(m.result.out[i]), twice) << depth << ", " << i;
      EXPECT_EQ(std::bit_cast<std::uint32_t>(m.result.out[128 + i]), twice) << depth << ", " << i;
    }
  }
}

}  // namespace
