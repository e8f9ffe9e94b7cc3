// Requests and targets: what is refused, and what the message says.
#include "sonoma/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "sonoma/errors.hpp"
#include "sonoma/target.hpp"

namespace sonoma {
namespace {

FftProblem problem(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  return problem;
}

void expect_refused(const std::function<void()>& call, const std::string& field,
                    const std::string& value, const std::string& allowed) {
  try {
    call();
    ADD_FAILURE() << field << " = " << value << " was accepted";
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), field);
    EXPECT_EQ(error.value(), value);
    EXPECT_NE(error.allowed().find(allowed), std::string::npos) << error.allowed();
    EXPECT_EQ(error.what(), field + " = " + value + " is not supported: " + error.allowed());
  }
}

TEST(Problem, EveryPowerOfTwoOfTheScopeIsValid) {
  for (std::int64_t n = 2; n <= std::int64_t{1} << 31; n *= 2)
    EXPECT_NO_THROW(validate(problem(n))) << n;
}

TEST(Problem, LengthsOutsideTheScopeAreRefused) {
  for (const std::int64_t n :
       {std::int64_t{-8}, std::int64_t{0}, std::int64_t{67108867}, std::int64_t{67108866},
        std::int64_t{1} << 32, std::numeric_limits<std::int64_t>::min()}) {
    expect_refused([n] { validate(problem(n)); }, "n", std::to_string(n),
                   "1 to 67108864, or a product");
  }
}

TEST(Problem, ItHasAnAxisAtLeastAndAStrideForEach) {
  FftProblem none, plane = problem(8), strided = plane;
  expect_refused([&] { validate(none); }, "lengths.size()", "0", "one axis or more");
  plane.lengths = {8, 4};
  EXPECT_NO_THROW(validate(plane));
  EXPECT_EQ(plane.n(), 32);
  EXPECT_EQ(plane.axes(), (std::vector<Axis>{{8, 4, 4}, {4, 1, 1}}));
  plane.layout.in_strides = {8};  // rows of 8 points, of which a transform takes 4
  EXPECT_EQ(plane.in_dist(), 64);
  EXPECT_EQ(plane.out_dist(), 32);
  EXPECT_EQ(plane.in_points(), 60);
  strided.layout.in_strides = {8};
  expect_refused([&] { validate(strided); }, "layout.in_strides.size()", "1", "before the last: 0");
  plane.layout.in_strides = {3};
  expect_refused([&] { validate(plane); }, "layout.in_strides[0]", "3", "4 or more");
}

TEST(Problem, OfSeveralAxesItHasNoEndsAndTheNaturalOrder) {
  FftProblem plane = problem(8);
  plane.lengths = {8, 4};
  plane.ends.in_length = 6;
  expect_refused([&] { validate(plane); }, "ends", "in 6", "axis by axis");
  plane.ends = {}, plane.order = Order::transposed;
  expect_refused([&] { validate(plane); }, "order", "transposed", "natural");
}

TEST(Problem, BatchesFromOneToWhatMemoryCanAddress) {
  FftProblem p = problem(16);
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max() / 16 / 8;
  for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{1000001}, largest}) {
    p.batch = batch;
    EXPECT_NO_THROW(validate(p)) << batch;
  }
  for (const std::int64_t batch : {std::int64_t{0}, std::int64_t{-1}}) {
    p.batch = batch;
    expect_refused([&] { validate(p); }, "batch", std::to_string(batch), "at least 1");
  }
  p.batch = largest + 1;
  expect_refused([&] { validate(p); }, "batch", std::to_string(p.batch), "split the batch");
}

TEST(Problem, FactorsAreFiniteAndNotZeroAsFloats) {
  FftProblem p = problem(16);
  for (const double scale : {1.0, -2.5, 1e-40, 3.4e38}) {
    p.scale = scale;
    EXPECT_NO_THROW(validate(p)) << scale;
  }
  const std::pair<double, const char*> refused[] = {
      {0.0, "0"}, {1e-60, "1e-60"}, {1e40, "1e+40"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};
  for (const auto& [scale, shown] : refused) {
    p.scale = scale;
    try {
      validate(p);
      ADD_FAILURE() << shown;
    } catch (const UnsupportedProblem& error) {
      EXPECT_EQ(error.field(), "scale");
      EXPECT_EQ(std::stod(error.value()), scale);
      EXPECT_NE(error.allowed().find("finite and not zero"), std::string::npos);
    }
  }
  p.scale = std::nan("");
  EXPECT_THROW(validate(p), UnsupportedProblem);
}

TEST(Problem, NormalizationsAreThoseOfNumpy) {
  const auto factor = [](Normalization norm, Direction direction) {
    return scale_factor(norm, direction, 16);
  };
  EXPECT_EQ(factor(Normalization::backward, Direction::forward), 1.0);
  EXPECT_EQ(factor(Normalization::backward, Direction::inverse), 1.0 / 16);
  EXPECT_EQ(factor(Normalization::forward, Direction::forward), 1.0 / 16);
  EXPECT_EQ(factor(Normalization::forward, Direction::inverse), 1.0);
  EXPECT_EQ(factor(Normalization::ortho, Direction::forward), 0.25);
  EXPECT_EQ(factor(Normalization::ortho, Direction::inverse), 0.25);
}

TEST(Problem, PrintsOnOneLine) {
  FftProblem p = problem(4096);
  p.batch = 16;
  EXPECT_EQ(to_string(p), "c2c f32 n=4096 batch=16 forward out-of-place scale=1");
  p.direction = Direction::inverse;
  p.placement = Placement::in_place;
  p.scale = 0.5;
  EXPECT_EQ(to_string(p), "c2c f32 n=4096 batch=16 inverse in-place scale=0.5");
}

TEST(Target, EveryKnownArchHasItsThreeNames) {
  for (const int arch : known_archs()) {
    const std::string number = std::to_string(arch);
    const Target target = target_for("sm_" + number);
    EXPECT_EQ(target.arch, arch);
    EXPECT_EQ(target_for(number), target);
    EXPECT_EQ(target_for("compute_" + number), target);
    EXPECT_EQ(arch_name(target), "sm_" + number);
    EXPECT_GE(target.shared_bytes, 64 * 1024);
    EXPECT_EQ(target.has_mma_m16n8k16(), arch >= 80);
    EXPECT_EQ(target.has_words(), arch >= 80);
  }
  EXPECT_EQ(known_archs(), (std::vector<int>{75, 80, 86, 89, 90, 100, 120}));
}

TEST(Target, OtherNamesAreRefused) {
  for (const char* arch : {"", "sm_", "sm_60", "sm_70", "sm_91", "sm-90", "SM_90", " sm_90",
                           "sm_90a", "9.0", "sm_sm_90", "sm_compute_90", "090"}) {
    expect_refused([arch] { (void)target_for(arch); }, "arch", arch, "one of sm_75 sm_80");
  }
}

}  // namespace
}  // namespace sonoma
