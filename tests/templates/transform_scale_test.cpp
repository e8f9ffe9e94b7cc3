// The one scale of a transform: found by its warps together, applied, and undone to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

const auto text = [] { return primitives({"fold.cuh", "split.cuh"}); };
constexpr unsigned lanes = 32, registers = 8;

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

// out: what each of 256 threads is told, by the transform of 1, 2, 4 or 8 warps it belongs to.
Points told(const Points& in, unsigned warps) {
  const std::string count = std::to_string(warps);
  return run(kernel(text(),
                    "  float2 x[2] = {in[2 * thread], in[2 * thread + 1]};\n"
                    "  publish_max(64, bits_of(with_point(with_point(0.0f, x[0]), x[1])));\n"
                    "  block_barrier();\n"
                    "  const unsigned largest = published_max<" +
                        count + ">(64);\n  out[thread] = make_float2(float_of(largest), 0.0f);",
                    256, 64 + 8 * 4),
             in, 256);
}

TEST(PublishedMax, IsThatOfTheWarpsOfTheTransformAlone) {
  const Points in = random_points(512, 31);
  for (const unsigned warps : {1u, 2u, 4u, 8u}) {
    const Points out = told(in, warps);
    for (unsigned thread = 0; thread < 256; ++thread) {
      const unsigned size = 2 * lanes * warps, first = 2 * thread / size * size;
      float largest = 0;
      for (unsigned p = first; p < first + size; ++p) {
        largest = std::max({largest, std::fabs(in[p].real()), std::fabs(in[p].imag())});
      }
      EXPECT_EQ(out[thread].real(), largest) << warps << " warps, thread " << thread;
    }
  }
}

// Wherever the largest stands, in either part, with either sign.
TEST(PublishedMax, MissesNoPoint) {
  for (unsigned p = 0; p < 512; p += 7) {
    Points in(512, {1.0f, -1.0f});
    in[p] = p % 2 ? std::complex(-3.0f, 0.0f) : std::complex(0.0f, 3.0f);
    const Points out = told(in, 8);
    for (const auto& largest : out) EXPECT_EQ(largest.real(), 3.0f) << p;
  }
}

TEST(MaxOfCopied, IsThatOfTheThreadsOwnPoints) {
  const CudaSource source = kernel(text(), R"(
    float largest = 0;
    for (unsigned p = 2 * thread; p < 256; p += 64) copy_pair(shared_point(p), in + p);
    wait_for_copies();
    for (unsigned p = 2 * thread; p < 256; p += 64) {
      largest = with_copied_pair(largest, shared_point(p));
    }
    out[thread] = make_float2(largest, 0.0f);)",
                                   32, 8 * 256);
  const Points in = random_points(256, 33), out = run(source, in, lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    float largest = 0;
    for (unsigned p = 0; p < 256; ++p) {
      if (p % 64 / 2 != lane) continue;
      largest = std::max({largest, std::fabs(in[p].real()), std::fabs(in[p].imag())});
    }
    EXPECT_EQ(out[lane].real(), largest) << lane;
  }
}

template <int target, int power, int most = 126>
Points scales(const Points& in) {
  const std::string t = std::to_string(target), p = std::to_string(power);
  const std::string m = std::to_string(most);
  return run(kernel(text(),
                    "  const unsigned i = 32 * block_index() + thread;\n"
                    "  const unsigned largest = magnitude<false>(in[i]);\n"
                    "  out[i] = make_float2(transform_scale<" +
                        t + ", " + m + ">(largest), transform_undo<" + t + ", " + m + ", " + p +
                        ">(largest));"),
             in, in.size(), {}, in.size() / lanes);
}

template <int target, int power, int most = 126>
void check_scales() {
  Points in(9 * lanes);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = {0.0f, std::ldexp(i % 2 ? 1.0f : -1.9999999f, static_cast<int>(i) - 149)};
    if (!std::isfinite(in[i].imag())) in[i] = {0.0f, FLT_MAX};
  }
  in[0] = {FLT_MAX, 1.0f}, in[1] = {0.0f, -0.0f}, in[2] = {FLT_MIN, 0.0f};
  const Points out = scales<target, power, most>(in);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double largest = std::max(std::fabs(in[i].real()), std::fabs(in[i].imag()));
    const double scale = out[i].real(), undo = out[i].imag();
    EXPECT_LT(largest * scale, std::ldexp(1.0, target)) << largest;
    EXPECT_EQ(scale * undo, std::ldexp(1.0, power)) << largest;  // exact, subnormal or not
    const double largest_scale = std::ldexp(1.0, most);
    EXPECT_LE(scale, largest_scale);
    EXPECT_GE(scale, 0x1p-126);
    if (scale < largest_scale) {
      EXPECT_GE(largest * scale, std::ldexp(1.0, target - 1)) << largest;
    }
  }
}

TEST(TransformScale, TakesEveryMagnitudeToItsTargetAndBack) {
  check_scales<14, 0>();
  check_scales<14, -10>();
  check_scales<11, 6>();
  check_scales<15, -4>();
  check_scales<13, 2, 15>();  // as a factor of FP16 words
}

// Powers of two alone, so that what is not finite stays so in every later operation.
TEST(TransformScale, OfWhatIsNotFiniteIsAFinitePowerOfTwo) {
  Points in(lanes, {1.0f, INFINITY});
  in[1] = {-INFINITY, 0.0f};
  in[2] = {std::numeric_limits<float>::quiet_NaN(), 0.0f};
  for (const auto& s : scales<14, -10>(in)) {
    EXPECT_TRUE(std::isfinite(s.real()) && s.real() > 0);
    EXPECT_TRUE(std::isfinite(s.imag()) && s.imag() > 0);
    EXPECT_EQ(bits(s.real()) & 0x7fffffu, 0u);
  }
}

// hi + lo is the scaled value to 2^-23 of it or to what FP16 resolves; with no scale named, 1.
TEST(SplitOfTransform, KeepsTheScaledValue) {
  const CudaSource source = kernel(text(), R"(
    Tile x;
    for (int r = 0; r < 8; ++r) x.at[r] = in[8 * thread + r];
    const SplitTile s = block_index() ? split_transform<SplitTile>(x) : split_transform<SplitTile>(x, 4096.0f);
    const SplitTile3 t = block_index() ? split_transform<SplitTile3>(x) : split_transform<SplitTile3>(x, 4096.0f);
    out += 32 * 8 * 2 * block_index() + 16 * thread;
    const auto value = [](const unsigned (&words)[4], int r) {
      return r % 2 ? high_half(words[r / 2]) : low_half(words[r / 2]);
    };
    for (int r = 0; r < 8; ++r) {
      out[2 * r] = make_float2(value(s.re_hi, r) + value(s.re_lo, r),
                               value(s.im_hi, r) + value(s.im_lo, r));
      out[2 * r + 1] = make_float2(value(t.re_hi, r) + value(t.re_lo, r) + value(t.re_rest, r),
                                   value(t.im_hi, r) + value(t.im_lo, r) + value(t.im_rest, r));
    })");
  const Points in = random_points(lanes * registers, 35);
  const Points out = run(source, in, 4 * in.size(), {}, 2);
  for (unsigned block = 0; block < 2; ++block) {
    for (unsigned p = 0; p < in.size(); ++p) {
      const std::complex<float> exact = in[p] * (block ? 1.0f : 4096.0f);
      const auto* found = &out[2 * (in.size() * block + p)];
      const double bound_re = std::max(0x1p-22 * std::fabs(exact.real()), 0x1p-24);
      const double bound_im = std::max(0x1p-22 * std::fabs(exact.imag()), 0x1p-24);
      EXPECT_NEAR(found[0].real(), exact.real(), bound_re);
      EXPECT_NEAR(found[0].imag(), exact.imag(), bound_im);
      EXPECT_NEAR(found[1].real(), exact.real(), block ? 0x1p-24 : 0.0);
      EXPECT_NEAR(found[1].imag(), exact.imag(), block ? 0x1p-24 : 0.0);
    }
  }
}

// Each part of each register is its own main product and correction; of one product, that alone.
TEST(Join, SumsThePartsOfEveryRegister) {
  const CudaSource source = kernel(text(), R"(
    Tile x;
    Product y;
    for (int r = 0; r < 8; ++r) {
      const float2 main = in[16 * thread + 2 * r], correction = in[16 * thread + 2 * r + 1];
      y.re[r] = main.x, y.im[r] = main.y;
      y.re_correction[r] = correction.x, y.im_correction[r] = correction.y;
    }
    if (block_index() == 0) join<3>(x, y); else join<1>(x, y);
    for (int r = 0; r < 8; ++r) out[256 * block_index() + 8 * thread + r] = x.at[r];)");
  const Points in = random_points(512, 37), out = run(source, in, 512, {}, 2);
  for (unsigned p = 0; p < 256; ++p) {
    const auto main = in[2 * p], correction = in[2 * p + 1];
    EXPECT_EQ(out[p], main + correction) << p;
    EXPECT_EQ(out[256 + p], main) << p;
  }
}

}  // namespace
}  // namespace sonoma::test
