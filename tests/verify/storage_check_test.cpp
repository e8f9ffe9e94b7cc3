// The checker on transforms between 16-bit storage and on those that multiply FP16 numbers: it
// passes right ones and must fail every wrong one.
#include <gtest/gtest.h>

#include <cmath>

#include "model_fft.hpp"
#include "sonoma/float16.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::verification {
namespace {

constexpr std::int64_t kN = 64;
constexpr float infinity = std::numeric_limits<float>::infinity();

FftProblem problem(std::int64_t n, Storage storage, double scale = 1.0) {
  return {.lengths = {n}, .storage = storage, .scale = scale};
}

// One FP16 product a step: the model rounds its data after every butterfly.
Roundings half(std::int64_t n) {
  Shape shape;
  shape.arithmetic = Arithmetic::half;
  shape.tree.decomposition = decompose(n, 2);
  shape.tree.tensor_steps = (1u << shape.tree.decomposition.radices.size()) - 1;
  return roundings_of(shape);
}

float rounded_to_half(float v) {
  const float tiny = 0x1p-100f;  // the group's scale keeps what is small beside nothing larger
  return std::abs(v) < tiny ? model::keep_bits(v / tiny, 11) * tiny : model::keep_bits(v, 11);
}

TransformFn half_fft(std::int64_t n, double scale = 1.0) {
  return model::fft(n, Direction::forward, scale, {.store = rounded_to_half});
}

bool failed(const Report& report, const std::string& check, const std::string& metric = {}) {
  for (const auto& f : report.findings) {
    if (!f.pass && f.check == check && (metric.empty() || f.metric == metric)) return true;
  }
  return false;
}

class StorageCheck : public testing::TestWithParam<Storage> {
 protected:
  const Storage storage_ = GetParam();

  Report check(const TransformFn& transform, std::int64_t n = kN, double scale = 1.0) const {
    return check_transform(transform, problem(n, storage_, scale), {});
  }
  TransformFn model(std::int64_t n, double scale = 1.0) const {
    return model::stored(storage_, n, model::fft(n, Direction::forward, scale));
  }
  /// The model with `change(in, out, row)` after every row.
  template <class Change>
  TransformFn spoiled(Change change) const {
    return [=, right = model(kN)](const Complex* in, Complex* out, std::int64_t batch) {
      right(in, out, batch);
      for (std::int64_t b = 0; b < batch; ++b) change(in + b * kN, out + b * kN, b);
    };
  }
};

TEST_P(StorageCheck, PassesAnFp32FftBetweenRoundings) {
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    const auto report = check(model(n), n);
    EXPECT_TRUE(report.pass()) << summary(report);
    EXPECT_GT(report.worst_e2(), 1000 * e2_limit(n) / 10);  // the roundings are told
  }
}

TEST_P(StorageCheck, PassesAFactor) {
  for (const double scale : {1.0 / 64, 1.0 / 4096, -1.0 / 3, -3.7, 1000.0, 1e6, 1e-6}) {
    const auto report = check(model(kN, scale), kN, scale);
    EXPECT_TRUE(report.pass()) << summary(report);
  }
}

TEST_P(StorageCheck, PassesTheArithmeticHalf) {
  for (std::int64_t n = 2; n <= 1024; n *= 4) {
    const auto transform = model::stored(storage_, n, half_fft(n));
    const auto report = check_transform(transform, problem(n, storage_), half(n));
    EXPECT_TRUE(report.pass()) << summary(report);
  }
}

// What only storage may do is seen: FP16 on the way is as good as the result.
TEST_P(StorageCheck, FailsFp16OnTheWay) {
  const auto report = check(model::stored(storage_, kN, half_fft(kN)));
  EXPECT_TRUE(failed(report, "normal", "E2 unrounded")) << to_string(report);
  EXPECT_TRUE(failed(report, "impulse"));
}

TEST_P(StorageCheck, FailsTruncation) {
  const bool is_half = storage_ == Storage::f16;
  const auto truncated = [=](float v) {
    const unsigned short nearest = is_half ? half_from_float(v) : bfloat_from_float(v);
    const auto widened = is_half ? float_from_half : float_from_bfloat;
    const bool away = std::abs(widened(nearest)) > std::abs(v);
    return widened(static_cast<unsigned short>(away ? nearest - 1 : nearest));
  };
  const auto fft = model::fft(kN, Direction::forward);
  const auto report = check(model::stored(storage_, kN, fft, truncated));
  EXPECT_TRUE(failed(report, "normal", "E2 unrounded")) << to_string(report);
  EXPECT_TRUE(failed(report, "normal", "E2")) << to_string(report);
}

TEST_P(StorageCheck, FailsOneWrongElement) {
  const auto report = check(spoiled([this](const Complex*, Complex* out, std::int64_t b) {
    const float v = out[17].real();
    const float next = v * (storage_ == Storage::f16 ? 1 + 0x1p-10f : 1 + 0x1p-7f);
    if (b == 2) out[17] = {rounded_to(storage_, next), out[17].imag()};
  }));
  EXPECT_TRUE(failed(report, "normal", "E2 unrounded")) << to_string(report);
}

TEST_P(StorageCheck, FailsWhatTheStorageDoesNotHold) {
  const auto report = check(model::fft(kN, Direction::forward));
  EXPECT_TRUE(failed(report, "normal")) << to_string(report);
}

TEST_P(StorageCheck, FailsARowScaledByItsNeighbour) {
  // Products under a scale that the largest of two neighbours decides: 11 bits below that.
  const auto fft = model(kN);
  const TransformFn shared = [&](const Complex* in, Complex* out, std::int64_t batch) {
    std::vector<Complex> x(in, in + kN * batch);
    for (std::int64_t b = 0; b < batch; ++b) {
      float most = 0;
      for (std::int64_t t = b / 2 * 2 * kN; t < std::min(b / 2 + 1, batch / 2) * 2 * kN; ++t) {
        if (std::isfinite(std::abs(in[t]))) most = std::max(most, std::abs(in[t]));
      }
      const float quantum = std::ldexp(1.0f, most > 0 ? std::ilogb(most) - 24 : -149);
      for (std::int64_t t = b * kN; t < (b + 1) * kN; ++t) {
        if (std::abs(in[t]) / quantum < 0x1p30f) {
          x[static_cast<std::size_t>(t)] = {std::rint(in[t].real() / quantum) * quantum,
                                            std::rint(in[t].imag() / quantum) * quantum};
        }
      }
    }
    fft(x.data(), out, batch);
  };
  EXPECT_FALSE(check(shared).pass());
}

TEST_P(StorageCheck, FailsContamination) {
  const auto report = check(spoiled([](const Complex* in, Complex* out, std::int64_t b) {
    for (std::int64_t t = 1; b > 0 && t <= kN; ++t) out[0] += 0.0f * in[-t];
  }));
  EXPECT_TRUE(failed(report, "containment")) << to_string(report);
}

TEST_P(StorageCheck, FailsFlushToZero) {
  const auto smallest = static_cast<float>(format_of(storage_).smallest);
  const auto report = check(spoiled([=](const Complex*, Complex* out, std::int64_t) {
    for (std::int64_t k = 0; k < kN; ++k) {
      if (std::abs(out[k].real()) < smallest) out[k] = {0, out[k].imag()};
    }
  }));
  EXPECT_TRUE(failed(report, storage_ == Storage::f16 ? "max = 2^-20" : "max = 2^-133"))
      << to_string(report);
}

INSTANTIATE_TEST_SUITE_P(Both, StorageCheck, testing::Values(Storage::f16, Storage::bf16),
                         [](const auto& tested) { return to_string(tested.param); });

// f16: what becomes infinite, and what must not.
Report check_half(const std::function<float(float)>& store) {
  const auto fft = model::fft(kN, Direction::forward);
  return check_transform(model::stored(Storage::f16, kN, fft, store), problem(kN, Storage::f16),
                         {});
}

TEST(HalfRange, FailsSaturation) {
  const auto report = check_half([](float v) {
    return rounded_to(Storage::f16, std::fmin(std::fmax(v, -65504.0f), 65504.0f));
  });
  for (const char* row : {"constant 2^15", "near 65504", "tone of 6e4", "just above 65520"}) {
    EXPECT_TRUE(failed(report, row)) << row;
  }
  EXPECT_FALSE(failed(report, "just below 65520"));
  EXPECT_FALSE(failed(report, "normal"));
}

TEST(HalfRange, FailsInfinityTooEarly) {
  const auto report = check_half([](float v) {
    return std::abs(v) > 65504 ? std::copysign(infinity, v) : rounded_to(Storage::f16, v);
  });
  EXPECT_TRUE(failed(report, "just below 65520"));
  EXPECT_FALSE(failed(report, "just above 65520"));
}

TEST(HalfRange, FailsInfinityOfTheWrongSign) {
  const auto report = check_half([](float v) {
    const float r = rounded_to(Storage::f16, v);
    return std::isinf(r) ? infinity : r;
  });
  EXPECT_TRUE(failed(report, "constant 2^15"));
  EXPECT_TRUE(failed(report, "just above 65520"));
}

TEST(HalfRange, FailsNanForInfinity) {
  const auto report = check_half([](float v) {
    const float r = rounded_to(Storage::f16, v);
    return std::isinf(r) ? std::nanf("") : r;
  });
  EXPECT_TRUE(failed(report, "near 65504"));
}

// Sums that overflow on the way, in the range of FP16 instead of FP32's.
TEST(HalfRange, FailsSumsWithoutAScale) {
  const auto narrow = [](float v) { return std::abs(v) >= 65520 ? std::copysign(infinity, v) : v; };
  const auto fft = model::fft(kN, Direction::forward, 1.0, {.store = narrow});
  const auto report =
      check_transform(model::stored(Storage::f16, kN, fft), problem(kN, Storage::f16), {});
  EXPECT_TRUE(failed(report, "near 65504")) << to_string(report);
}

// Products of FP16 numbers between f32 storage.
TEST(HalfArithmetic, IsHeldToItsOwnLimits) {
  const std::int64_t n = 256;
  const auto transform = half_fft(n);
  const auto report = check_transform(transform, problem(n, Storage::f32), half(n));
  EXPECT_TRUE(report.pass()) << summary(report);
  EXPECT_FALSE(check_transform(transform, problem(n, Storage::f32), {}).pass());
  const auto worse = model::fft(n, Direction::forward, 1.0,
                                {.store = [](float v) { return model::keep_bits(v, 10); }});
  EXPECT_FALSE(check_transform(worse, problem(n, Storage::f32), half(n)).pass());
}

TEST(HalfArithmetic, FailsWithoutAScale) {  // FP16's own quantum
  const auto unscaled = model::fft(kN, Direction::forward, 1.0,
                                   {.store = [](float v) { return rounded_to(Storage::f16, v); }});
  for (const Storage storage : {Storage::f32, Storage::bf16}) {
    const auto report =
        check_transform(model::stored(storage, kN, unscaled), problem(kN, storage), half(kN));
    EXPECT_TRUE(failed(report, "normal * 1e-10"));
    EXPECT_TRUE(failed(report, "normal * 1e10"));
    EXPECT_TRUE(failed(report, "factor 2^-20"));
  }
}

TEST(Unpacked, ConvertsAtBothEdges) {
  const auto doubled =
      unpacked(Storage::f16, Storage::f16, 2, [](const std::byte* in, std::byte* out, auto batch) {
        EXPECT_EQ(batch, 1);
        const auto old = unpack(Storage::f16, {out, 8});
        EXPECT_TRUE(std::isnan(old[1].imag()));  // the caller's
        auto x = unpack(Storage::f16, {in, 8});
        x[0] *= 2.0f;
        const auto bytes = pack(Storage::f16, {x.data(), 1});
        std::copy(bytes.begin(), bytes.end(), out);
      });
  const std::vector<Complex> x = {{1.0f / 3, 40000}, {1, 1}};
  std::vector<Complex> y(2, {std::nanf(""), std::nanf("")});
  doubled(x.data(), y.data(), 1);
  EXPECT_EQ(y[0], (Complex{2 * rounded_to(Storage::f16, 1.0f / 3), infinity}));
  EXPECT_TRUE(std::isnan(y[1].real()));
}

}  // namespace
}  // namespace sonoma::verification
