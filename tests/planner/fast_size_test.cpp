// Which lengths are padded to.
#include "sonoma/fast_size.hpp"

#include <gtest/gtest.h>

#include "sonoma/expected_time.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

using Lengths = std::vector<std::int64_t>;

FastSize found(std::int64_t n, const Wisdom& wisdom = {}, Storage storage = Storage::f32) {
  return fast_size(n, storage, target_for("sm_90"), h200(), [&](const auto&) { return wisdom; });
}

FastShape found(const FftProblem& least, const Wisdom& wisdom = {}) {
  return fast_shape(least, target_for("sm_90"), h200(), [&](const auto&) { return wisdom; });
}

// Of the default kernel.
WisdomEntry measured(std::int64_t n, double eff, const Platform& platform = h200()) {
  WisdomEntry entry = entry_of(Arithmetic::simt, eff, 96, platform);
  FftProblem problem = problem_of(n);
  problem.accuracy.arithmetic = Arithmetic::simt;
  entry.subject.lengths = {n};
  entry.tuning = generate(problem, target_for("sm_90"), {}).tuning;
  return entry;
}

FftProblem least_of(Lengths lengths, std::int64_t batch = 1000) {
  FftProblem problem;
  problem.lengths = std::move(lengths), problem.batch = batch;
  return problem;
}

TEST(FastSize, IsAtLeastAsLongAndAtMostTheNextPowerOfTwo) {
  for (const std::int64_t n : {1, 2, 17, 1009, 1024, 5000, 7001, 30011, 65537, 1000003}) {
    const FastSize size = found(n);
    EXPECT_GE(size.n, n);
    EXPECT_LE(size.n, 2 * n);
    EXPECT_TRUE(is_smooth(size.n)) << size.n;
    EXPECT_FALSE(size.measured);
    EXPECT_GT(size.eff, 0);
  }
  EXPECT_EQ(found(4096).n, 4096);
}

TEST(FastSize, TakesTheLeastTimeNotTheShortestLength) {
  Wisdom wisdom;
  wisdom.add(measured(7000, 0.5));
  for (const std::int64_t n : {7040, 7168}) wisdom.add(measured(n, 0.6));
  wisdom.add(measured(7200, 0.6));
  wisdom.add(measured(7680, 1));
  const FastSize size = found(7000, wisdom);
  EXPECT_EQ(size.n, 7680);
  EXPECT_NEAR(size.eff, 1, 0.01);  // the last blocks leave some idle
  EXPECT_TRUE(size.measured);
  Wisdom better;
  better.add(measured(7000, 0.99));
  better.add(measured(7680, 0.95));
  EXPECT_EQ(found(7000, better).n, 7000);
  EXPECT_NE(found(7001, better).n, 7000);
}

TEST(FastSize, OfOtherArchitecturesNothingIsTaken) {
  Wisdom wisdom;
  wisdom.add(measured(7000, 1, {"NVIDIA A100", 80, "13.0"}));
  EXPECT_FALSE(found(7000, wisdom).measured);
  wisdom.add(measured(7000, 1, {"NVIDIA H100", 90, "13.0"}));
  EXPECT_TRUE(found(7000, wisdom).measured);
}

TEST(FastSize, OfOneStorage) {
  Wisdom wisdom;
  wisdom.add(measured(7000, 0.99));
  EXPECT_TRUE(found(7000, wisdom).measured);
  EXPECT_FALSE(found(7000, wisdom, Storage::f16).measured);
}

TEST(FastSize, Range) {
  EXPECT_THROW((void)found(0), UnsupportedProblem);
  EXPECT_THROW((void)found((std::int64_t{1} << 31) + 1), UnsupportedProblem);
  EXPECT_THROW((void)found(least_of({8, 8, 8})), UnsupportedProblem);
  FftProblem strided = least_of({60});
  strided.layout.in_stride = 2;
  EXPECT_THROW((void)found(strided), UnsupportedProblem);
}

TEST(FastShape, OfTwoAxesIsSoonerThanWhatWasAskedFor) {
  for (const Lengths& lengths : {Lengths{97, 97}, {61, 127}, {251, 255}, {640, 480}}) {
    const FftProblem least = least_of(lengths);
    const FastShape shape = found(least);
    ASSERT_EQ(shape.lengths.size(), 2u);
    for (std::size_t a = 0; a < 2; ++a) EXPECT_GE(shape.lengths[a], lengths[a]);
    const Planned own = plan(least, target_for("sm_90"), h200(), {});
    const double copies = expected_time(own, least, target_for("sm_90")).copies;
    EXPECT_LE(shape.time(), copies * static_cast<double>(product_of(lengths)) * (1 + 1e-12));
  }
  EXPECT_NE(found(least_of({97, 97})).lengths, (Lengths{97, 97}));
}

TEST(FastShape, OfEveryDomain) {
  for (const Domain domain : {Domain::r2c, Domain::c2r, Domain::dct2, Domain::dst1}) {
    FftProblem least = least_of({1009});
    least.domain = domain;
    if (domain == Domain::c2r) least.direction = Direction::inverse;
    EXPECT_GE(found(least).lengths.front(), 1009) << to_string(domain);
    EXPECT_NE(found(least).lengths.front(), 1009) << to_string(domain);
  }
}

// One transform leaves all multiprocessors but a few idle.
TEST(ExpectedTime, CountsIdleMultiprocessors) {
  const Target target = target_for("sm_90");
  const auto copies = [&](std::int64_t batch) {
    const FftProblem problem = least_of({4096}, batch);
    return expected_time(plan(problem, target, h200(), {}), problem, target).copies;
  };
  EXPECT_GT(copies(1), 20 * copies(1 << 14));
  EXPECT_EQ(copies(1), 2 * copies(2)) << "two transforms take as long as one";
  EXPECT_LT(copies(1 << 14), 1.6);
}

}  // namespace
}  // namespace sonoma::testing
