// The checker passes correct transforms and must fail every wrong one.
#include "sonoma/verify/check.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "model_fft.hpp"

namespace sonoma::verification {
namespace {

constexpr std::int64_t kN = 64;

// FP32 transforms between f32 storage.
Report check_transform(const TransformFn& transform, std::int64_t n, Direction direction,
                       double scale = 1.0, const CheckOptions& options = {}) {
  const FftProblem problem{.lengths = {n}, .direction = direction, .scale = scale};
  return verification::check_transform(transform, problem, {}, options);
}

const Finding* failure(const Report& report, const std::string& check) {
  for (const auto& f : report.findings) {
    if (!f.pass && f.check == check) return &f;
  }
  return nullptr;
}

// The oracle itself, rounded to float row by row: the best result FP32 can hold.
TransformFn rounded_reference(std::int64_t n, Direction direction, double scale = 1.0) {
  return [=](const Complex* in, Complex* out, std::int64_t batch) {
    for (std::int64_t b = 0; b < batch; ++b) {
      const auto X = reference_dft({in + b * n, in + (b + 1) * n}, n, direction, scale);
      for (std::int64_t k = 0; k < n; ++k) out[b * n + k] = Complex(X[static_cast<std::size_t>(k)]);
    }
  };
}

// `correct`, and then `spoil(in, out, row)` for every row.
template <class Spoil>
TransformFn spoiled(Spoil spoil) {
  return [=](const Complex* in, Complex* out, std::int64_t batch) {
    model::fft(kN, Direction::forward)(in, out, batch);
    for (std::int64_t b = 0; b < batch; ++b) spoil(in, out, b);
  };
}

Report check(const TransformFn& transform) {
  return check_transform(transform, kN, Direction::forward);
}

TEST(Check, PassesTheRoundedReference) {
  for (const auto direction : {Direction::forward, Direction::inverse}) {
    for (const std::int64_t n : {1, 2, 3, 4, 16, 17, 60, 256, 1009, 8192}) {
      const auto report = check_transform(rounded_reference(n, direction), n, direction);
      EXPECT_TRUE(report.pass()) << summary(report);
      EXPECT_LT(report.worst_e2(), 1.0);
    }
  }
}

TEST(Check, PassesAPlainFp32Fft) {
  for (const auto direction : {Direction::forward, Direction::inverse}) {
    for (std::int64_t n = 2; n <= 8192; n *= 2) {
      const auto report = check_transform(model::fft(n, direction), n, direction);
      EXPECT_TRUE(report.pass()) << summary(report);
    }
  }
}

TEST(Check, PassesAPlainFp32FftOfAnyLength) {
  for (const auto direction : {Direction::forward, Direction::inverse}) {
    for (const std::int64_t n : {1, 3, 5, 6, 7, 12, 80, 224, 3072}) {
      const auto report = check_transform(model::fft(n, direction), n, direction);
      EXPECT_TRUE(report.pass()) << summary(report);
    }
  }
}

TEST(Check, PassesAFactor) {
  for (const double scale : {1.0 / kN, 0.125, -3.7}) {
    const auto report =
        check_transform(model::fft(kN, Direction::inverse, scale), kN, Direction::inverse, scale);
    EXPECT_TRUE(report.pass()) << summary(report);
  }
}

TEST(Check, FailsFp16) {
  const auto report = check(model::fft(kN, Direction::forward, 1.0,
                                       {.store = [](float v) { return model::keep_bits(v, 11); }}));
  ASSERT_NE(failure(report, "normal"), nullptr);
  EXPECT_GT(report.worst_e2(), 1000);
}

TEST(Check, FailsThreeLostBits) {
  const auto lossy = model::fft(kN, Direction::forward, 1.0,
                                {.store = [](float v) { return model::keep_bits(v, 21); }});
  EXPECT_NE(failure(check(lossy), "normal"), nullptr);
}

TEST(Check, FailsOneLostBitOfTheInput) {
  const TransformFn exact = model::fft(4, Direction::forward);
  const auto report = check_transform(
      [&](const Complex* in, Complex* out, std::int64_t batch) {
        std::vector<Complex> x(in, in + 4 * batch);
        for (auto& v : x) v = {model::keep_bits(v.real(), 23), model::keep_bits(v.imag(), 23)};
        exact(x.data(), out, batch);
      },
      4, Direction::forward);
  EXPECT_NE(failure(report, "one 24-bit integer"), nullptr);
}

TEST(Check, FailsOneTwiddleInHalfPrecision) {
  const auto report =
      check(model::fft(kN, Direction::forward, 1.0,
                       {.twiddle = [](std::int64_t n, std::int64_t k, Complex w) -> Complex {
                         if (n != kN || k != 5) return w;
                         return {model::keep_bits(w.real(), 11), model::keep_bits(w.imag(), 11)};
                       }}));
  EXPECT_NE(failure(report, "normal"), nullptr);
  EXPECT_FALSE(report.pass());
}

TEST(Check, FailsTheOtherDirection) {
  const auto report = check(model::fft(kN, Direction::inverse));
  EXPECT_NE(failure(report, "impulse at 1"), nullptr);
  EXPECT_NE(failure(report, "impulse"), nullptr);
  EXPECT_NE(failure(report, "shift"), nullptr);
}

TEST(Check, FailsWrongTransformsOfAnOddLength) {
  constexpr std::int64_t n = 7;
  const auto direction = Direction::inverse;
  const auto forward = model::fft(n, Direction::forward);
  EXPECT_NE(failure(check_transform(forward, n, direction), "shift"), nullptr);
  const auto rough = model::fft(
      n, direction, 1.0, {.twiddle = [](std::int64_t, std::int64_t k, Complex w) -> Complex {
        return k == 3 ? Complex(model::keep_bits(w.real(), 18), w.imag()) : w;
      }});
  EXPECT_NE(failure(check_transform(rough, n, direction), "normal"), nullptr);
  const TransformFn correct = model::fft(n, direction);
  const auto cropped = check_transform(
      [&](const Complex* in, Complex* out, std::int64_t batch) {
        const Complex kept = out[batch * n - 1];
        correct(in, out, batch);
        out[batch * n - 1] = kept;
      },
      n, direction);
  EXPECT_FALSE(cropped.pass());
}

TEST(Check, FailsAWrongFactor) {
  const auto report = check(model::fft(kN, Direction::forward, 1 + 0x1p-20));
  EXPECT_NE(failure(report, "normal"), nullptr);
  EXPECT_NE(failure(report, "constant 1"), nullptr);
}

TEST(Check, FailsOneWrongElement) {
  const auto report = check(spoiled([](const Complex*, Complex* out, std::int64_t b) {
    if (b == 2) out[b * kN + 17] *= 1 + 0x1p-17f;
  }));
  EXPECT_NE(failure(report, "normal"), nullptr);
}

TEST(Check, FailsAMissingStore) {
  const TransformFn correct = model::fft(kN, Direction::forward);
  const auto report = check([&](const Complex* in, Complex* out, std::int64_t batch) {
    const Complex kept = out[batch * kN - 1];
    correct(in, out, batch);
    out[batch * kN - 1] = kept;
  });
  EXPECT_FALSE(report.pass());
  EXPECT_NE(failure(report, "batch of one"), nullptr);
}

TEST(Check, FailsAFunctionThatIsNotLinear) {
  const auto report = check(spoiled([](const Complex* in, Complex* out, std::int64_t b) {
    const float size = std::abs(in[b * kN + 3]);
    if (size > 1000 && size < 1e6f) out[b * kN + 1] += 1.0f;
  }));
  EXPECT_NE(failure(report, "linearity"), nullptr);
}

TEST(Check, FailsContamination) {
  const auto report = check(spoiled([](const Complex* in, Complex* out, std::int64_t b) {
    for (std::int64_t t = 0; b > 0 && t < kN; ++t) out[b * kN] += 0.0f * in[(b - 1) * kN + t];
  }));
  EXPECT_NE(failure(report, "containment"), nullptr);
}

TEST(Check, FailsSaturation) {
  const auto report = check(spoiled([](const Complex*, Complex* out, std::int64_t b) {
    for (Complex* v = out + b * kN; v < out + (b + 1) * kN; ++v) {
      *v = {std::fmin(std::fmax(v->real(), -FLT_MAX), FLT_MAX),
            std::fmin(std::fmax(v->imag(), -FLT_MAX), FLT_MAX)};
    }
  }));
  EXPECT_NE(failure(report, "NaN in one row"), nullptr);
}

TEST(Check, FailsFlushToZero) {
  const auto report =
      check(model::fft(kN, Direction::forward, 1.0,
                       {.store = [](float v) { return std::abs(v) < FLT_MIN ? 0.0f : v; }}));
  EXPECT_NE(failure(report, "max = 1e-44"), nullptr);
  EXPECT_NE(failure(report, "max = 1e-40"), nullptr);
  EXPECT_EQ(failure(report, "normal"), nullptr);
}

TEST(Check, FailsAFixedScale) {  // FP16's range around 1: what no scale, or a shared one, does
  const auto report =
      check(model::fft(kN, Direction::forward, 1.0,
                       {.store = [](float v) { return std::rint(v * 0x1p24f) * 0x1p-24f; }}));
  EXPECT_NE(failure(report, "normal * 1e-10"), nullptr);
  EXPECT_NE(failure(report, "normal * 1e-30"), nullptr);
  EXPECT_NE(failure(report, "factor 2^-20"), nullptr);
}

TEST(Check, FailsAnOverflowOfFiniteInput) {  // (re + im) * sqrt(1/2) where |re| + |im| > FLT_MAX
  const auto report = check(spoiled([](const Complex*, Complex* out, std::int64_t b) {
    for (Complex* v = out + b * kN; v < out + (b + 1) * kN; ++v) {
      const volatile float sum = std::abs(v->real()) + std::abs(v->imag());
      if (std::isinf(sum)) *v = {sum, sum};
    }
  }));
  EXPECT_NE(failure(report, "3e38 one-hot at 45 degrees"), nullptr);
}

TEST(Check, FailsResultsThatDependOnThePlace) {
  const auto report = check(spoiled([](const Complex*, Complex* out, std::int64_t b) {
    if (b % 2 == 1) out[b * kN] = std::nextafter(out[b * kN].real(), 1e30f);
  }));
  EXPECT_NE(failure(report, "permutation"), nullptr);
}

TEST(Check, FailsNearlyZeroBins) {
  const auto report = check(spoiled([](const Complex*, Complex* out, std::int64_t b) {
    if (out[b * kN + 9] == Complex{}) out[b * kN + 9] = {1e-9f, 0};
  }));
  EXPECT_NE(failure(report, "constant 1"), nullptr);
  EXPECT_NE(failure(report, "all zero"), nullptr);
  EXPECT_NE(failure(report, "-0.0"), nullptr);
}

TEST(Check, TellsBiasAndRaisesAlarms) {
  const auto truncating =
      model::fft(kN, Direction::forward, 1.0, {.store = [](float v) {
                   return std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) & ~1u);
                 }});
  const auto report = check(truncating);
  bool alarm = false, biased = false;
  for (const auto& f : report.findings) {
    alarm = alarm || f.alarm;
    biased = biased || (f.metric == "bias" && f.value < -1 && !f.limit);
  }
  EXPECT_TRUE(alarm) << to_string(report);
  EXPECT_TRUE(biased) << to_string(report);
}

TEST(Check, RejectsBadArguments) {
  const auto good = model::fft(kN, Direction::forward);
  const auto direction = Direction::forward;
  EXPECT_THROW((void)check_transform(nullptr, kN, direction), std::invalid_argument);
  EXPECT_THROW((void)check_transform(good, 0, direction), std::invalid_argument);
  EXPECT_THROW((void)check_transform(good, kN, direction, 0), std::invalid_argument);
  EXPECT_THROW((void)check_transform(good, kN, direction, 1e-60), std::invalid_argument);
  EXPECT_THROW((void)check_transform(good, kN, direction, 1, {.random_transforms = 0}),
               std::invalid_argument);
}

TEST(Check, SummaryNamesWhatFailed) {
  const auto report = check(model::fft(kN, Direction::inverse));
  EXPECT_NE(summary(report).find("f32 n=64 forward scale=1: FAILED"), std::string::npos);
  EXPECT_NE(summary(report).find("shift"), std::string::npos);
}

}  // namespace
}  // namespace sonoma::verification
