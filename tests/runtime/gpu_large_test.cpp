// More than 2^31 elements in two and three dimensions, on a real GPU: distances, indices and sizes
// that 32 bits do not hold. Skipped where there is none, or where its memory does not suffice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "driver.hpp"
#include "every_kind.hpp"
#include "gpu_support.hpp"
#include "runtime.hpp"

namespace sonoma::testing {
namespace {

using Bytes = std::vector<std::byte>;
using Shape = std::vector<std::int64_t>;

constexpr std::int64_t many = std::int64_t{1} << 31;

FftProblem in_place(const Shape& lengths, std::int64_t batch, Domain domain = Domain::c2c) {
  FftProblem problem;
  problem.lengths = lengths, problem.batch = batch, problem.domain = domain;
  problem.placement = Placement::in_place;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return problem;
}

class GpuLarge : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  }

  // Whether the GPU has that much memory free, and a little.
  static bool has_room(std::size_t bytes) {
    const auto driver = Runtime::process().driver();
    const ContextScope scope(driver->functions(), driver->current_device().context);
    std::size_t free = 0, total = 0;
    EXPECT_EQ(open_graph_functions().memory_info(&free, &total), 0);
    return free > bytes + (std::size_t{1} << 30);
  }

  static std::string too_large(std::size_t bytes) {
    return "the GPU has not " + std::to_string(bytes >> 30) + " GiB free";
  }
};

void copy_all(void* to, const void* from, std::size_t bytes) {
  const GpuStream stream;
  copy_on_device(to, from, bytes, stream.get());
  stream.synchronize();
}

// The first `filled` bytes again and again.
void repeat(const DeviceBuffer& buffer, std::size_t filled) {
  auto* const bytes = static_cast<std::byte*>(buffer.data());
  while (filled < buffer.bytes()) {
    const std::size_t more = std::min(filled, buffer.bytes() - filled);
    copy_all(bytes + filled, bytes, more);
    filled += more;
  }
}

/// A batch beside one transform of it at a time: the bits of a transform do not depend on others.
class Batch {
 public:
  explicit Batch(const FftProblem& problem)
      : plan_(make_plan(problem, on_gpu())),
        one_(make_plan(alone(problem), on_gpu())),
        bytes_(test::bytes_of(one_.problem(), true)),
        all_(Device::gpu, test::bytes_of(problem, true)),
        single_(Device::gpu, bytes_) {
    const std::vector<Axis> axes = problem.axes();
    const unsigned point = problem.bytes_of_point(false);
    row_ = static_cast<std::size_t>(axes[axes.size() - 2].out_stride) * point;
    stored_ = static_cast<std::size_t>(axes.back().out_length) * point;
  }

  // All have the same points, those of seed 0, but for `some`, which have those of their number.
  void execute(const std::vector<std::int64_t>& some) {
    put(all_, 0, 0);
    repeat(all_, bytes_);
    for (const std::int64_t b : some) put(all_, b, b);
    plan_.execute(all_.data(), all_.data());
  }
  // What follows is compared with the transform of these points, made alone.
  void expect(std::int64_t seed) {
    put(single_, 0, seed);
    one_.execute(single_.data(), single_.data());
  }
  // The first row of transform b that is not as expected, or -1. At most that many are looked at.
  [[nodiscard]] std::int64_t other_row(std::int64_t b, std::size_t most = SIZE_MAX) const {
    const std::size_t rows = std::min(most, bytes_ / row_);
    Bytes expected(rows * row_), result(rows * row_);
    single_.download(expected.data(), expected.size());
    all_.download(result.data(), result.size(), static_cast<std::size_t>(b) * bytes_);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t at = i * row_;
      if (std::memcmp(&expected[at], &result[at], stored_) != 0)
        return static_cast<std::int64_t>(i);
    }
    return -1;
  }

 private:
  static FftProblem alone(FftProblem problem) {
    problem.batch = 1;
    return problem;
  }
  void put(DeviceBuffer& buffer, std::int64_t b, std::int64_t seed) const {
    const Bytes points = test::noise(bytes_, static_cast<std::uint64_t>(seed));
    buffer.upload(points.data(), bytes_, static_cast<std::size_t>(b) * bytes_);
  }

  Plan plan_, one_;
  std::size_t bytes_;                 // of a transform
  std::size_t row_ = 0, stored_ = 0;  // from one of its rows to the next, and of what is stored
  DeviceBuffer all_, single_;
};

// Every row of the first one and of `some`, of the others the first row.
void expect_batch(const FftProblem& problem, const std::vector<std::int64_t>& some) {
  Batch batch(problem);
  batch.execute(some);
  for (const std::int64_t b : some) {
    batch.expect(b);
    EXPECT_EQ(batch.other_row(b), -1) << "transform " << b;
  }
  batch.expect(0);
  EXPECT_EQ(batch.other_row(0), -1) << "transform 0";
  for (std::int64_t b = 1; b < problem.batch; ++b) {
    if (std::ranges::find(some, b) != some.end()) continue;
    EXPECT_EQ(batch.other_row(b, 1), -1) << "transform " << b;
  }
}

TEST_F(GpuLarge, BatchesOfPlanes) {
  for (const Domain domain : {Domain::c2c, Domain::r2c, Domain::c2r}) {
    SCOPED_TRACE(to_string(domain));
    const FftProblem problem = in_place({4096, 4096}, 129, domain);
    ASSERT_GT(problem.batch * problem.points(), many);
    const std::size_t bytes = 2 * test::bytes_of(problem, true);
    if (!has_room(bytes)) GTEST_SKIP() << too_large(bytes);
    expect_batch(problem, {63, 127, 128});
  }
}

TEST_F(GpuLarge, BatchesOfVolumes) {
  const FftProblem problem = in_place({512, 512, 512}, 17);
  ASSERT_GT(problem.batch * problem.points(), many);
  const std::size_t bytes = 2 * test::bytes_of(problem, true);
  if (!has_room(bytes)) GTEST_SKIP() << too_large(bytes);
  expect_batch(problem, {16});
}

/// The transform of a one at `where` and zeros elsewhere, whose frequency k is
/// exp(-2 pi i (k1 where1 / n1 + k2 where2 / n2 + ...)).
class Impulse {
 public:
  Impulse(const Shape& lengths, const Shape& where)
      : lengths_(lengths),
        where_(where),
        plan_(make_plan(in_place(lengths, 1), on_gpu())),
        points_(Device::gpu, test::bytes_of(plan_.problem(), true)) {
    const std::size_t zeros = std::size_t{1} << 20;
    points_.upload(Bytes(zeros).data(), zeros);
    repeat(points_, zeros);
    const std::complex<float> one = 1;
    points_.upload(&one, sizeof one, offset_of(where));
    plan_.execute(points_.data(), points_.data());
  }

  // The largest error of a row of the last axis.
  [[nodiscard]] double error_of_row(Shape k) const {
    k.back() = 0;
    std::vector<std::complex<float>> row(static_cast<std::size_t>(lengths_.back()));
    points_.download(row.data(), row.size() * sizeof row[0], offset_of(k));
    double worst = 0;
    for (const auto& value : row) {
      worst = std::max(worst, std::abs(std::complex<double>(value) - exact(k)));
      ++k.back();
    }
    return worst;
  }

 private:
  [[nodiscard]] std::size_t offset_of(const Shape& point) const {
    std::int64_t place = 0;
    for (std::size_t a = 0; a < lengths_.size(); ++a) place = place * lengths_[a] + point[a];
    return static_cast<std::size_t>(place) * sizeof(std::complex<float>);
  }
  [[nodiscard]] std::complex<double> exact(const Shape& k) const {
    double turns = 0;
    for (std::size_t a = 0; a < k.size(); ++a) {
      const std::int64_t turned = k[a] * where_[a] % lengths_[a];
      turns += static_cast<double>(turned) / static_cast<double>(lengths_[a]);
    }
    return std::polar(1.0, -2 * std::numbers::pi * turns);
  }

  Shape lengths_, where_;
  Plan plan_;
  DeviceBuffer points_;
};

// Rows from the first to the last one, an odd number apart.
void expect_impulse(const Shape& lengths, const Shape& where) {
  const Impulse impulse(lengths, where);
  std::int64_t rows = 1;
  for (std::size_t a = 0; a + 1 < lengths.size(); ++a) rows *= lengths[a];
  for (std::int64_t i = 0; i < 64; ++i) {
    std::int64_t row = i == 63 ? rows - 1 : i * (rows / 63 | 1) % rows;
    Shape k(lengths.size());
    for (std::size_t a = lengths.size() - 1; a-- > 0; row /= lengths[a]) k[a] = row % lengths[a];
    ASSERT_LT(impulse.error_of_row(k), 2e-6) << to_shape(lengths) << " row " << i;
  }
}

// The transforms along the first axis reach beyond 2^31 points, in one launch and in passes.
TEST_F(GpuLarge, APlane) {
  for (const Shape& lengths : {Shape{8192, 262440}, {65536, 33000}}) {
    const FftProblem problem = in_place(lengths, 1);
    ASSERT_GT(problem.points(), many);
    const std::size_t bytes = 2 * test::bytes_of(problem, true);
    if (!has_room(bytes)) GTEST_SKIP() << too_large(bytes);
    expect_impulse(lengths, {lengths[0] - 3, lengths[1] - 7});
  }
}

TEST_F(GpuLarge, AVolume) {
  const Shape lengths = {2048, 1024, 1050};
  const FftProblem problem = in_place(lengths, 1);
  ASSERT_GT(problem.points(), many);
  const std::size_t bytes = 2 * test::bytes_of(problem, true);
  if (!has_room(bytes)) GTEST_SKIP() << too_large(bytes);
  expect_impulse(lengths, {2045, 1001, 13});
}

}  // namespace
}  // namespace sonoma::testing
