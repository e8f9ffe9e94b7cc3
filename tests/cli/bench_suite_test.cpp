// What a suite runs, and how its results are judged.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "child_process.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/reference.hpp"
#include "suite.hpp"
#include "workload.hpp"

namespace sonoma::bench {
namespace {

TEST(BenchSuite, Pow2FillsTheSameBytesForEveryLength) {
  Selection selection;
  selection.storages = {Storage::f32, Storage::bf16};
  const Suite suite = pow2_suite(selection);
  EXPECT_EQ(suite.name, "pow2");
  EXPECT_NE(suite.about.find("2^26 points"), std::string::npos);
  for (const FftProblem& problem : suite.problems) EXPECT_EQ(launches_of(problem), 1);
  ASSERT_EQ(suite.problems.size(), 52u);
  for (std::size_t i = 0; i < 52; ++i) {
    const FftProblem& problem = suite.problems[i];
    EXPECT_EQ(problem.lengths, std::vector<std::int64_t>{2 << (i % 26)});
    EXPECT_EQ(problem.storage, i < 26 ? Storage::f32 : Storage::bf16);
    EXPECT_EQ(points_of(problem), 1 << 26);
    EXPECT_EQ(bytes_of(problem), std::size_t{1} << (i < 26 ? 29 : 28));
  }
  EXPECT_EQ(dims_of(suite.problems[12]), "8192");
}

TEST(BenchSuite, SingleHasOneTransformAndManyLaunches) {
  const Suite suite = single_suite({});
  ASSERT_EQ(suite.problems.size(), 26u);
  for (const auto& problem : suite.problems) EXPECT_EQ(problem.batch, 1);
  EXPECT_GE(launches_of(suite.problems.front()), 50);
  EXPECT_EQ(launches_of(suite.problems.back()), 1);
}

// As many as a stream takes before the host waits: see Repetitions.
TEST(BenchSuite, ShortLaunchesAreRepeated) {
  FftProblem problem;
  for (const auto& [lengths, batch, launches] : {std::tuple{std::vector<std::int64_t>{64}, 1, 100},
                                                 {{256, 256}, 1, 50},
                                                 {{1024, 1024}, 1, 32},
                                                 {{64, 64, 64}, 1, 33},
                                                 {{256, 256, 256}, 1, 2},
                                                 {{1 << 20}, 1, 32},
                                                 {{4096}, 1 << 14, 1}}) {
    problem.lengths = lengths, problem.batch = batch;
    EXPECT_EQ(launches_of(problem), launches) << to_string(problem);
  }
}

TEST(BenchSuite, PlanHasEveryKindOfPlan) {
  Selection selection;
  selection.storages = {Storage::f32, Storage::f16};
  std::size_t singles = 0, batches = 0, columns = 0;
  const Suite suite = plan_suite(selection);
  for (const auto& problem : suite.problems) {
    const bool by_columns = place_of(problem) == "out-columns";
    ++(by_columns ? columns : problem.batch > 1 ? batches : singles);
  }
  EXPECT_GT(singles, 2u * 26);
  EXPECT_GT(batches, 0u);
  EXPECT_GT(columns, 0u);
  selection.storages = {Storage::f16};
  EXPECT_EQ(plan_suite(selection).problems.size(), 26u);
  selection.storages = {Storage::f32};
  selection.lengths = {64, 1000003};
  EXPECT_EQ(plan_suite(selection).problems.size(), 2u);
}

TEST(BenchSuite, LengthsAndPointsAreLimited) {
  Selection selection;
  selection.shortest = 100;
  selection.longest = 1024;
  std::vector<std::string> dims;
  for (const auto& problem : single_suite(selection).problems) dims.push_back(dims_of(problem));
  EXPECT_EQ(dims, (std::vector<std::string>{"128", "256", "512", "1024"}));
  selection.log2_points = 8;
  EXPECT_EQ(pow2_suite(selection).problems.size(), 2u);
}

TEST(BenchSuite, SmoothFillsAboutTheSameBytes) {
  const Suite suite = smooth_suite({});
  EXPECT_EQ(suite.name, "smooth");
  ASSERT_EQ(suite.problems.size(), 60u);
  for (const auto& problem : suite.problems) {
    EXPECT_LE(points_of(problem), 1 << 26);
    EXPECT_GT(points_of(problem) + problem.n(), 1 << 26);
  }
}

TEST(BenchSuite, ColumnsLieSideBySideInPlanes) {
  const Suite suite = columns_suite({});
  ASSERT_EQ(suite.problems.size(), 7u);  // 64 to 4096
  const FftProblem& problem = suite.problems[2];
  EXPECT_EQ(dims_of(problem), "256");
  EXPECT_EQ(problem.batch, 1024);
  EXPECT_EQ(transforms_of(problem), 1 << 18);
  EXPECT_EQ(points_of(problem), 1 << 26);
  EXPECT_EQ(problem.in_points(), 1 << 26);
  EXPECT_EQ(problem.layout.loops, (std::vector<Loop>{{256, 1, 1}}));
}

TEST(BenchSuite, ProblemsAreLikeTheOneThatIsGiven) {
  Selection selection;
  selection.lengths = {64};
  selection.like.layout = advanced_layout(3, 200, 1, 0);
  selection.like.ends.in_length = 40;
  selection.like.out_storage = Storage::f16;
  selection.batch = 5;
  for (const Suite& suite : {pow2_suite(selection), smooth_suite(selection)}) {
    const FftProblem& problem = suite.problems.at(0);
    EXPECT_EQ(problem.layout, selection.like.layout);
    EXPECT_EQ(problem.ends, selection.like.ends);
    EXPECT_EQ(problem.batch, 5);
    EXPECT_EQ(bytes_of(problem), 5u * (40 * 8 + 64 * 4) / 2);
    EXPECT_NE(suite.about.find("5 transforms"), std::string::npos) << suite.about;
  }
}

// As often as makes the points, at least once; one at a time as they are.
TEST(BenchSuite, ArraysAreRepeated) {
  FftProblem columns;
  columns.lengths = {16, 8}, columns.batch = 5;
  columns.layout = {3, 3, 384, 384, {{3, 1, 1}}};
  Selection selection;
  selection.problems = {columns}, selection.log2_points = 13;
  selection.storages = {Storage::f32, Storage::f16};
  for (const Suite& suite : {pow2_suite(selection), planes_suite(selection)}) {
    ASSERT_EQ(suite.problems.size(), 2u) << suite.name;
    FftProblem repeated = columns;
    repeated.batch = 5 * (8192 / (5 * 3 * 128));
    EXPECT_EQ(suite.problems[0], repeated);
    EXPECT_EQ(suite.problems[1].storage, Storage::f16);
    EXPECT_EQ(place_of(suite.problems[0]), "out in 3,384 out 3,384 loops 3:1:1");
  }
  EXPECT_EQ(single_suite(selection).problems.at(0), columns);
  selection.log2_points = 3;
  EXPECT_EQ(pow2_suite(selection).problems.at(0), columns);
  EXPECT_EQ(repeated(columns, 1 << 20).batch, 5 * ((1 << 20) / (5 * 3 * 128)));
}

// What they read counts, and what is stored.
TEST(BenchSuite, ChannelsArePointsOfABatch) {
  Selection selection;
  selection.lengths = {64}, selection.log2_points = 13;
  selection.like.convolution.emplace().channels = {4, 0, 64};
  const FftProblem problem = pow2_suite(selection).problems.at(0);
  EXPECT_EQ(problem.batch, 8192 / 256);
  EXPECT_EQ(bytes_of(problem), 32u * (4 + 1) * 64 * 8 / 2);
  EXPECT_EQ(type_of(problem), "4-channel convolution f32");
}

TEST(BenchSuite, NamedLengthsAreTaken) {
  Selection selection;
  selection.lengths = {1000, 343};
  for (const Suite& suite : {smooth_suite(selection), single_suite(selection)}) {
    ASSERT_EQ(suite.problems.size(), 2u);
    EXPECT_EQ(dims_of(suite.problems[0]) + " " + dims_of(suite.problems[1]), "1000 343");
  }
}

TEST(BenchSuite, DimsOfSeveralAxes) {
  FftProblem problem;
  problem.lengths = {64, 32};
  problem.batch = 3;
  EXPECT_EQ(dims_of(problem), "64x32");
  EXPECT_EQ(points_of(problem), 3 * 64 * 32);
}

TEST(BenchSuite, PlanesAndCubesFillTheSameBytes) {
  const auto dims = [](const Suite& suite) {
    std::string text;
    for (const auto& problem : suite.problems) text += dims_of(problem) + " ";
    return text;
  };
  EXPECT_EQ(dims(planes_suite({})),
            "16x16 32x32 64x64 128x128 256x256 512x512 1024x1024 2048x2048 4096x4096 8192x8192 "
            "1080x1920 640x480 100x100 1000x1000 ");
  EXPECT_EQ(dims(cubes_suite({})),
            "16x16x16 32x32x32 64x64x64 128x128x128 256x256x256 512x512x512 100x100x100 "
            "192x192x192 ");
  EXPECT_EQ(planes_suite({}).name + cubes_suite({}).name, "2d3d");
  for (const Suite& suite : {planes_suite({}), cubes_suite({})}) {
    for (const auto& problem : suite.problems) {
      validate(problem);
      EXPECT_LE(points_of(problem), problem.batch == 1 ? 1 << 27 : 1 << 26);
      EXPECT_GT(points_of(problem) + problem.n(), 1 << 26);
      EXPECT_EQ(bytes_of(problem), static_cast<std::size_t>(points_of(problem)) * 8);
      EXPECT_EQ(place_of(problem), "out");
    }
  }
}

TEST(BenchSuite, ShapesAreTakenInPlaceOfLengths) {
  Selection selection;
  selection.shapes = {{64, 32}, {8, 8, 8}};
  for (const Suite& suite :
       {pow2_suite(selection), smooth_suite(selection), single_suite(selection),
        planes_suite(selection), cubes_suite(selection)}) {
    ASSERT_EQ(suite.problems.size(), 2u) << suite.name;
    EXPECT_EQ(dims_of(suite.problems[0]) + " " + dims_of(suite.problems[1]), "64x32 8x8x8");
    EXPECT_EQ(suite.problems[0].batch, suite.name == "single" ? 1 : 1 << 15);
  }
}

/// The exact result as `workload` stores it, into its output.
void transform(Workload& workload, const FftProblem& problem) {
  const auto exact =
      verification::reference_dft(workload.host(), problem.n(), problem.direction, 1.0);
  const std::vector<std::complex<float>> rounded(exact.begin(), exact.end());
  const auto bytes = pack(problem.storage, rounded);
  std::memcpy(workload.out(), bytes.data(), bytes.size());
}

TEST(BenchSample, JudgesTheStoredResultOfTheStoredInput) {
  const std::vector<std::pair<Storage, double>> roundings = {
      {Storage::f32, 0x1p-24}, {Storage::f16, 0x1p-11}, {Storage::bf16, 0x1p-8}};
  for (const auto& [storage, roundoff] : roundings) {
    FftProblem problem;
    problem.lengths = {64};
    problem.batch = 40;
    problem.storage = storage;
    Workload workload(Device::cpu, storage, static_cast<std::size_t>(points_of(problem)));
    transform(workload, problem);
    const double error = Sample(workload, problem).relative_l2(workload.output());
    EXPECT_GT(error, 0.2 * roundoff) << to_string(storage);
    EXPECT_LT(error, 0.6 * roundoff) << to_string(storage);
  }
}

// Rows far from each other in, side by side out; padded, cropped and converted.
TEST(BenchSample, FindsThePointsOfALayout) {
  FftProblem problem;
  problem.lengths = {64};
  problem.batch = 7;
  problem.layout = advanced_layout(2, 101, 8, 1);
  problem.ends.in_length = 50, problem.ends.out_length = 33;
  problem.storage = Storage::i16, problem.out_storage = Storage::f32;
  const std::int64_t points = std::max(problem.in_points(), 2 * problem.out_points());
  Workload workload(Device::cpu, problem.storage, static_cast<std::size_t>(points));
  auto* out = static_cast<std::complex<float>*>(workload.out());
  for (std::size_t b = 0; b < 7; ++b) {
    std::vector<std::complex<float>> row(64);
    for (std::size_t t = 0; t < 50; ++t) row[t] = workload.host()[b * 101 + t * 2];
    const auto exact = verification::reference_dft(row, 64, problem.direction);
    for (std::size_t k = 0; k < 33; ++k) out[b + 8 * k] = std::complex<float>(exact[k]);
  }
  const Sample sample(workload, problem);
  EXPECT_GT(sample.relative_l2(workload.output()), 0.2 * 0x1p-24);
  EXPECT_LT(sample.relative_l2(workload.output()), 0.6 * 0x1p-24);
  for (const std::size_t point : {std::size_t{0}, std::size_t{6 + 8 * 32}}) {
    const std::complex<float> right = out[point];
    out[point] += 20000.0F;
    EXPECT_GT(sample.relative_l2(workload.output()), 0.05) << point;
    out[point] = right;
  }
  out[7] += 1000.0F;  // of no transform
  EXPECT_LT(sample.relative_l2(workload.output()), 0.6 * 0x1p-24);
}

// Of several axes, in arrays that are larger than they are, and with the axes in another order.
TEST(BenchSample, FindsThePointsOfAxes) {
  FftProblem problem;
  problem.lengths = {8, 16};
  problem.batch = 3;
  problem.layout = advanced_layout({9, 20}, 1, 200, {8, 16}, 8, 128);
  problem.layout.out_strides = {1};
  validate(problem);
  Workload workload(Device::cpu, Storage::f32, 600);
  auto* out = static_cast<std::complex<float>*>(workload.out());
  for (std::size_t b = 0; b < 3; ++b) {
    std::vector<std::complex<float>> plane(128);
    for (std::size_t t = 0; t < 128; ++t) {
      plane[t] = workload.host()[b * 200 + t / 16 * 20 + t % 16];
    }
    const auto exact = verification::reference_dft(plane, problem.lengths, problem.direction, 1.0);
    for (std::size_t k = 0; k < 128; ++k) {
      out[b * 128 + k / 16 + k % 16 * 8] = std::complex<float>(exact[k]);
    }
  }
  const Sample sample(workload, problem);
  EXPECT_GT(sample.relative_l2(workload.output()), 0.2 * 0x1p-24);
  EXPECT_LT(sample.relative_l2(workload.output()), 0.6 * 0x1p-24);
  out[3 * 128 - 1] += 1000.0F;
  EXPECT_GT(sample.relative_l2(workload.output()), 0.05);
}

// Each result a sum over signals with spectra of their own.
TEST(BenchSample, SumsChannels) {
  FftProblem problem;
  problem.lengths = {4, 8}, problem.batch = 2;
  problem.convolution.emplace().channels = {3, 0, 32};
  Workload workload(Device::cpu, Storage::f32, 2 * 3 * 32);
  auto* out = static_cast<std::complex<float>*>(workload.out());
  const auto spectrum = verification::random_spectrum(problem, seed_of_spectrum);
  FftProblem one = problem;
  one.convolution->channels = {};
  for (std::size_t b = 0; b < 2; ++b) {
    std::vector<std::complex<double>> sum(32);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto x = workload.host().begin() + static_cast<std::ptrdiff_t>((b * 3 + c) * 32);
      const auto s = spectrum.begin() + static_cast<std::ptrdiff_t>(c * 32);
      const auto y = verification::reference_convolution({x, x + 32}, one, {s, s + 32});
      for (std::size_t t = 0; t < 32; ++t) sum[t] += y[t];
    }
    for (std::size_t t = 0; t < 32; ++t) out[b * 32 + t] = std::complex<float>(sum[t]);
  }
  const Sample sample(workload, problem);
  EXPECT_GT(sample.relative_l2(workload.output()), 0.2 * 0x1p-24);
  EXPECT_LT(sample.relative_l2(workload.output()), 0.6 * 0x1p-24);
  out[40] += 1000.0F;
  EXPECT_GT(sample.relative_l2(workload.output()), 0.05);
}

TEST(BenchSample, SeesTheFirstAndTheLastRow) {
  FftProblem problem;
  problem.lengths = {64};
  problem.batch = 2000;
  for (const std::size_t point : {std::size_t{0}, std::size_t{64 * 2000 - 1}}) {
    Workload workload(Device::cpu, Storage::f32, 64 * 2000);
    transform(workload, problem);
    auto* out = static_cast<std::complex<float>*>(workload.out());
    out[point] += 10.0F;
    const Sample sample(workload, problem);
    EXPECT_GT(sample.relative_l2(workload.output()), 0.1) << point;
    out[point] = std::nanf("");
    EXPECT_TRUE(std::isinf(sample.relative_l2(workload.output()))) << point;
  }
}

TEST(BenchWorkload, InputIsWhatTheDeviceHolds) {
  const std::size_t points = (std::size_t{1} << 20) + 5;  // more than are converted at a time
  const Workload workload(Device::cpu, Storage::f16, points);
  ASSERT_EQ(workload.host().size(), points);
  const std::span bytes(static_cast<const std::byte*>(workload.in()), 4 * points);
  EXPECT_EQ(unpack(Storage::f16, bytes), workload.host());
  EXPECT_NE(workload.host()[0], workload.host()[std::size_t{1} << 20]);
}

TEST(BenchChildProcess, ReturnsAndThrowsWhatItsTaskDoes) {
  EXPECT_EQ(in_child_process([] { return std::string(100000, 'x'); }), std::string(100000, 'x'));
  EXPECT_EQ(in_child_process([] { return std::string(); }), "");
  try {
    (void)in_child_process([]() -> std::string { throw FftError(Stage::compile, "no compiler"); });
    FAIL();
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::compile);
    EXPECT_EQ(error.message(), "no compiler");
  }
  EXPECT_THROW((void)in_child_process([]() -> std::string { throw std::logic_error("bug"); }),
               std::runtime_error);
  EXPECT_THROW((void)in_child_process([]() -> std::string { _exit(0); }), std::runtime_error);
}

TEST(BenchChildProcess, LeavesThisProcessAsItWas) {
  ASSERT_EQ(setenv("SONOMA_TEST_CHILD", "parent", 1), 0);
  EXPECT_EQ(in_child_process([] {
              setenv("SONOMA_TEST_CHILD", "child", 1);
              return std::string(std::getenv("SONOMA_TEST_CHILD"));
            }),
            "child");
  EXPECT_STREQ(std::getenv("SONOMA_TEST_CHILD"), "parent");
}

}  // namespace
}  // namespace sonoma::bench
