// Mutants of kernels between 16-bit storage, and of those with one product.
#include <gtest/gtest.h>

#include "mutants.hpp"

namespace sonoma::test {
namespace {

KernelCase kernel(std::int64_t n, Engine engine, Storage storage) {
  KernelCase c{n, Direction::forward, engine, decompose(n)};
  c.storage = storage;
  if (engine == Engine::mma) c.products = 1;
  return c;
}

const KernelCase f16 = kernel(256, Engine::simt, Storage::f16);
const KernelCase bf16 = kernel(256, Engine::simt, Storage::bf16);
const KernelCase grouped = kernel(64, Engine::mma, Storage::f16);  // several transforms in a warp
const KernelCase wide_grouped = kernel(64, Engine::mma, Storage::bf16);
const KernelCase words = kernel(1024, Engine::mma, Storage::f16);  // one scale for a transform
const KernelCase wide_words = kernel(1024, Engine::mma, Storage::bf16);
const KernelCase one_product = kernel(1024, Engine::mma, Storage::f32);

TEST(StorageMutants, TheUnmutatedKernelsAreRight) {
  for (const auto& c : {f16, bf16, grouped, wide_grouped, words, wide_words, one_product}) {
    EXPECT_EQ(faults_of(c), "") << c;
  }
}

TEST(StorageMutants, EveryPieceOfTheStorageIsNeeded) {
  const std::string half = "pack_halves(a.x, a.y)", bfloat = "pack_bfloats(a.x, a.y)";
  const std::string saturated =
      "pack_halves(a.x > 65504 ? 65504 : a.x < -65504 ? -65504 : a.x, "
      "a.y > 65504 ? 65504 : a.y < -65504 ? -65504 : a.y)";
  EXPECT_EQ(survivors({
                replaced(f16, half, saturated),
                replaced(words, half, saturated),
                replaced(f16, half, "pack_halves(a.x > 65504 ? 65504 : a.x, a.y)"),
                replaced(f16, half, "pack_halves(a.y, a.x)"),
                // Infinite from 65504 on, subnormals flushed, rounded twice.
                replaced(f16, half, "pack_halves(a.x > 65504 ? 2 * a.x : a.x, a.y)"),
                replaced(f16, half, "pack_halves(a.x * a.x < 0x1p-28f ? 0 : a.x, a.y)"),
                replaced(f16, half, "pack_halves(float_of(bits_of(a.x) & 0xffffe000u), a.y)"),
                replaced(bf16, bfloat, "bits_of(a.x) >> 16 | (bits_of(a.y) & 0xffff0000u)"),
                replaced(bf16, bfloat, "pack_halves(a.x, a.y)"),
                replaced(bf16, "low_bfloat(a.parts), high", "high_bfloat(a.parts), low"),
            }),
            "");
}

TEST(StorageMutants, OneProductNeedsItsScale) {
  EXPECT_EQ(
      survivors({
          replaced(grouped, "127 + 14 + 127", "127 + 16 + 127"),
          replaced(wide_grouped, "127 + 14 + 127", "127 - 4 + 127"),
          replaced(wide_grouped, "const float scale = scale_of(exponent);",
                   "const float scale = 1.0f;"),
          replaced(grouped, "group_scales<7, 3, false>", "group_scales<3, 3, false>"),
          replaced(wide_grouped, "group_scales<7, 3, false>", "group_scales<7, 31, false>"),
          replaced(one_product, "x.at[r].x * scale, x.at[r].y * scale", "x.at[r].x, x.at[r].y"),
          replaced(wide_words, "low_bfloat(words.at[r]) * scale", "low_bfloat(words.at[r])"),
          replaced(wide_words, "high_bfloat(words.at[r]) * scale", "high_bfloat(words.at[r])"),
          replaced(words, "pack_halves(scale, scale)", "pack_halves(1.0f, 1.0f)"),
          replaced(words, "max_halves(max_halves(largest, a), b), c), d)",
                   "max_halves(max_halves(largest, a), a), b), b)"),
          replaced(wide_words, "max_bfloats(max_bfloats(largest, a), b), c), d)",
                   "max_bfloats(max_bfloats(largest, a), a), b), b)"),
          replaced(words, "max_magnitude(low_half(largest), high_half(largest))",
                   "low_half(largest)"),
          replaced(words, "127 + target - 1 + 127", "127 + target + 4 + 127"),
          replaced(wide_words, "127 + target - 1 + 127", "127 + target - 15 + 127"),
          replaced(one_product, "127 + target - 1 + 127", "127 + target - 15 + 127"),
          replaced(words, "254 + power", "255 + power"),
          replaced(wide_words, "wanted < 127 + most ? wanted : 127 + most", "wanted"),
          replaced(words, "wanted < 127 + most ? wanted : 127 + most", "wanted"),
      }),
      "");
}

TEST(StorageMutants, EveryProductOfWordsIsNeeded) {
  const std::string product = "mma_m16n8k16\\(d, [^;]*;";
  auto mutants = each_match(words, {"left_words", "right_words"}, product, ";");
  EXPECT_EQ(mutants.size(), 3u);
  append(mutants, {replaced(words, "f.part[m + 2 * s]", "f.part[m]"),
                   replaced(words, "b.z, b.w", "b.w, b.z"),
                   replaced(words, "y.at[2 * m + 4 * i2] = make_float2(d[0], d[2])",
                            "y.at[2 * m + 4 * i2] = make_float2(d[0], d[1])")});
  EXPECT_EQ(survivors(mutants), "");
}

}  // namespace
}  // namespace sonoma::test
