// Cosine and sine transforms as requests.
#include "sonoma/trigonometric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sonoma/axis_transform.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/half_length.hpp"

namespace sonoma {
namespace {

using enum Domain;
constexpr Domain domains[] = {dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4};

FftProblem trigonometric(Domain domain, const std::vector<std::int64_t>& lengths) {
  FftProblem problem;
  problem.lengths = lengths, problem.domain = domain;
  return problem;
}

TEST(Trigonometric, TypesAndInverses) {
  const Domain inverses[] = {dct1, dct3, dct2, dct4, dst1, dst3, dst2, dst4};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_TRUE(is_trigonometric(domains[i]));
    EXPECT_EQ(type_of(domains[i]), static_cast<int>(i % 4) + 1);
    EXPECT_EQ(is_sine(domains[i]), i >= 4);
    EXPECT_EQ(inverse_of(domains[i]), inverses[i]);
    EXPECT_EQ(to_string(domains[i]), (i < 4 ? "dct" : "dst") + std::to_string(i % 4 + 1));
  }
  for (const Domain domain : {c2c, r2c, c2r}) EXPECT_FALSE(is_trigonometric(domain));
}

TEST(Trigonometric, PointsAreThoseOfTheDft) {
  const std::int64_t of_9[] = {16, 9, 9, 9, 20, 9, 9, 9}, of_8[] = {14, 8, 8, 4, 18, 8, 8, 4};
  const std::int64_t gains[] = {14, 16, 16, 16, 18, 16, 16, 16};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(dft_length(domains[i], 9), of_9[i]);
    EXPECT_EQ(dft_length(domains[i], 8), of_8[i]);
    EXPECT_EQ(gain_of(domains[i], 8), gains[i]);
    const FftProblem problem = trigonometric(domains[i], {9, 8});
    EXPECT_EQ(problem.n(), of_9[i] * of_8[i]);
    EXPECT_EQ(problem.points(), 72);
    EXPECT_EQ(problem.in_length(), 72);
    EXPECT_EQ(problem.in_dist(), 72);
    EXPECT_EQ(problem.bytes_of_point(true), 4u);
    EXPECT_EQ(problem.bytes_of_point(false), 4u);
  }
}

TEST(Trigonometric, NormsAreScipys) {
  FftProblem problem = trigonometric(dct1, {9, 5});
  normalize(problem, Normalization::backward);
  EXPECT_EQ(problem.scale, 1);
  EXPECT_FALSE(problem.orthogonal);
  normalize(problem, Normalization::forward);
  EXPECT_EQ(problem.scale, 1.0 / (16 * 8));
  normalize(problem, Normalization::ortho);
  EXPECT_EQ(problem.scale, 1 / std::sqrt(128.0));
  EXPECT_TRUE(problem.orthogonal);
  EXPECT_NE(to_string(problem).find("orthogonal"), std::string::npos);
  problem = trigonometric(c2c, {9, 5}), problem.direction = Direction::inverse;
  normalize(problem, Normalization::backward);
  EXPECT_EQ(problem.scale, 1.0 / 45);
  EXPECT_FALSE(problem.orthogonal);
}

// All but those of type 4, and of odd numbers of types 2 and 3.
TEST(Trigonometric, HalfAsManyPointsDo) {
  for (const Domain domain : domains) {
    for (const std::int64_t n : {8, 9}) {
      const bool pairs = type_of(domain) == 1 || (type_of(domain) < 4 && n == 8);
      FftProblem problem = trigonometric(domain, {n});
      problem.batch = 3, problem.layout = {2, 5, 20, 50, {}}, problem.orthogonal = true;
      const auto half = half_length(problem);
      ASSERT_EQ(half.has_value(), pairs) << to_string(problem);
      if (!pairs) continue;
      EXPECT_EQ(half->lengths, std::vector<std::int64_t>{problem.n() / 2});
      EXPECT_EQ(half->domain, c2c);
      const Pass pass = half_length_pass(problem);
      EXPECT_TRUE(pass.is_mirrored(type_of(domain) == 3));
      EXPECT_EQ(pass.domain(), domain);
      EXPECT_EQ(pass.values(true), Values::trigonometric);
      EXPECT_EQ(pass.points_at_end(false), n);
      EXPECT_EQ(in_points(pass, 3), problem.in_points());
      EXPECT_EQ(out_points(pass, 3), problem.out_points());
      problem.ends.in_length = n - 1;
      EXPECT_FALSE(half_length(problem));
    }
  }
}

// The same along each, real numbers between them; axes of one number are transformed too.
TEST(Trigonometric, AxesAreTransformedOneByOne) {
  const FftProblem problem = trigonometric(dst2, {4, 1, 6});
  const auto axes = axis_transforms(problem);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].problem.lengths, std::vector<std::int64_t>{6});
  EXPECT_EQ(axes[0].problem.batch, 4);
  EXPECT_EQ(axes[2].problem.lengths, std::vector<std::int64_t>{4});
  EXPECT_EQ(axes[2].problem.layout.loops.size() + axes[2].problem.layout.in_stride, 7);
  for (const AxisTransform& axis : axes) EXPECT_EQ(axis.problem.domain, dst2);
  EXPECT_TRUE(keeps_in_output(problem));
  EXPECT_EQ(bytes_between(problem), 4u);
}

TEST(Trigonometric, InPlaceBothSidesLieAlike) {
  FftProblem problem = trigonometric(dct2, {4, 9});
  problem.placement = Placement::in_place;
  EXPECT_EQ(problem.in_dist(), 36);
  EXPECT_NO_THROW(validate(problem));
  problem.layout.in_stride = problem.layout.out_stride = 3;
  EXPECT_NO_THROW(validate(problem));
  problem.layout.out_stride = 2;
  EXPECT_THROW(validate(problem), UnsupportedProblem);
}

void expect_refused(const FftProblem& problem, const std::string& field, const std::string& way) {
  try {
    validate(problem);
    ADD_FAILURE() << "served: " << to_string(problem);
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), field);
    EXPECT_NE(error.allowed().find(way), std::string::npos) << error.what();
  }
}

TEST(Trigonometric, RequestsSayWhatThereIsNot) {
  FftProblem problem = trigonometric(dct2, {16});
  problem.direction = Direction::inverse;
  expect_refused(problem, "direction", "its inverse is dct3, divided by 32");
  expect_refused(trigonometric(dct1, {1}), "n", "2 or more numbers of dct1");
  // Twice as many points, and 2 more.
  expect_refused(trigonometric(dst1, {66000000}), "n", "whose DFT has 1 to 67108864");
  problem = trigonometric(dst2, {16}), problem.ends.store_code = "value";
  expect_refused(problem, "ends", "no code of the caller's with dst2");
  problem = trigonometric(c2c, {16}), problem.orthogonal = true;
  expect_refused(problem, "orthogonal", "false for c2c");
  problem = trigonometric(dct4, {16}), problem.order = Order::transposed;
  expect_refused(problem, "order", "natural for dct4");
}

}  // namespace
}  // namespace sonoma
