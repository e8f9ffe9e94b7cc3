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

TEST(Problem, OfSeveralAxesItHasTheNaturalOrder) {
  FftProblem plane = problem(8);
  plane.lengths = {8, 4};
  plane.order = Order::transposed;
  expect_refused([&] { validate(plane); }, "order", "transposed", "natural");
}

TEST(Problem, EndsOfSeveralAxesAreThoseOfEach) {
  FftProblem plane = problem(8);
  plane.lengths = {8, 6, 4}, plane.batch = 2;
  plane.ends = {3, 2, "", "", {5, 0}, {0, 6}};
  EXPECT_NO_THROW(validate(plane));
  EXPECT_EQ(plane.axes(), (std::vector<Axis>{{8, 18, 12, 5, 8}, {6, 3, 2, 6, 6}, {4, 1, 1, 3, 2}}));
  EXPECT_EQ(plane.in_length(), 5 * 6 * 3);
  EXPECT_EQ(plane.out_length(), 8 * 6 * 2);
  EXPECT_EQ(plane.in_points(), 2 * 5 * 6 * 3);
  EXPECT_EQ(to_string(plane.ends), "in 5xnx3 out nx6x2");
  plane.ends.in_lengths = {5};
  expect_refused([&] { validate(plane); }, "ends.in_lengths.size()", "1", "before the last: 2");
  plane.ends.in_lengths = {5, -1};
  expect_refused([&] { validate(plane); }, "ends.in_lengths[1]", "-1", "0 (all n)");
  plane.ends.in_lengths = {20, 1}, plane.ends.out_lengths = {9, 1};
  expect_refused([&] { validate(plane); }, "ends.out_lengths[0]", "9", "1 to 8");
  plane.ends.out_lengths = {}, plane.ends.in_lengths = {std::int64_t{1} << 31, 1 << 30};
  expect_refused([&] { validate(plane); }, "ends.in_lengths[1]", "1073741824", "63 bits");
  FftProblem row = problem(8);
  row.ends.out_lengths = {4};
  expect_refused([&] { validate(row); }, "ends.out_lengths.size()", "1", "before the last: 0");
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

FftProblem real_problem(Domain domain, const std::vector<std::int64_t>& lengths) {
  FftProblem problem;
  problem.lengths = lengths, problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return problem;
}

TEST(RealProblem, MemoryHasHalfOfTheFrequencies) {
  for (const std::int64_t n : {1, 2, 3, 8, 9}) {
    const FftProblem forward = real_problem(Domain::r2c, {n}),
                     back = real_problem(Domain::c2r, {n});
    EXPECT_NO_THROW(validate(forward));
    EXPECT_NO_THROW(validate(back));
    EXPECT_EQ(forward.in_dist(), n);
    EXPECT_EQ(forward.out_dist(), n / 2 + 1);
    EXPECT_EQ(back.in_dist(), n / 2 + 1);
    EXPECT_EQ(back.out_dist(), n);
    EXPECT_EQ(back.in_points(), n / 2 + 1);
  }
  const FftProblem volume = real_problem(Domain::r2c, {4, 6, 9});
  EXPECT_EQ(volume.axes(), (std::vector<Axis>{{4, 54, 30}, {6, 9, 5}, {9, 1, 1, 9, 5}}));
  EXPECT_EQ(volume.in_dist(), 4 * 54);
  EXPECT_EQ(volume.out_dist(), 4 * 30);
  EXPECT_EQ(volume.in_length(), 216);
  EXPECT_EQ(volume.out_length(), 120);
}

TEST(RealProblem, PointsOfARealSideHaveHalfTheBytes) {
  FftProblem p = real_problem(Domain::c2r, {8});
  EXPECT_EQ(p.bytes_of_point(true), 8u);
  EXPECT_EQ(p.bytes_of_point(false), 4u);
  p.storage = Storage::f16;
  EXPECT_EQ(p.bytes_of_point(true), 4u);
  EXPECT_EQ(p.bytes_of_point(false), 2u);
  EXPECT_EQ(p.values(true), Values::hermitian);
  EXPECT_EQ(p.values(false), Values::real);
}

TEST(RealProblem, InPlaceRowsArePadded) {
  FftProblem plane = real_problem(Domain::r2c, {4, 9});
  plane.placement = Placement::in_place;
  EXPECT_NO_THROW(validate(plane));
  EXPECT_EQ(plane.axes(), (std::vector<Axis>{{4, 10, 5}, {9, 1, 1, 9, 5}}));
  EXPECT_EQ(plane.in_dist(), 40);
  EXPECT_EQ(plane.out_dist(), 20);
  FftProblem row = real_problem(Domain::c2r, {8});
  row.placement = Placement::in_place;
  EXPECT_NO_THROW(validate(row));
  EXPECT_EQ(row.in_dist(), 5);
  EXPECT_EQ(row.out_dist(), 10);
  EXPECT_EQ(row.out_points(), 8);
}

TEST(RealProblem, DirectionAndOrderAreThoseOfTheDomain) {
  FftProblem forward = real_problem(Domain::r2c, {8}), back = real_problem(Domain::c2r, {8});
  forward.direction = Direction::inverse, back.direction = Direction::forward;
  expect_refused([&] { validate(forward); }, "direction", "inverse", "forward for r2c");
  expect_refused([&] { validate(back); }, "direction", "forward", "inverse for c2r");
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    FftProblem p = real_problem(domain, {8});
    p.order = Order::transposed;
    expect_refused([&] { validate(p); }, "order", "transposed", "natural for " + to_string(domain));
  }
}

TEST(RealProblem, EndsAreThoseOfPointsInMemory) {
  FftProblem p = real_problem(Domain::r2c, {9});
  p.ends.out_length = 5, p.ends.in_length = 20;
  EXPECT_NO_THROW(validate(p));
  EXPECT_EQ(p.in_dist(), 20);
  p.ends.out_length = 6;
  expect_refused([&] { validate(p); }, "ends.out_length", "6", "1 to 5;");
  p = real_problem(Domain::c2r, {9});
  p.ends.out_length = 9, p.ends.in_length = 3;
  EXPECT_NO_THROW(validate(p));
  EXPECT_EQ(p.in_dist(), 3);
  p.ends.out_length = 10;
  expect_refused([&] { validate(p); }, "ends.out_length", "10", "1 to 9;");
  p = real_problem(Domain::c2r, {4, 9});
  p.ends.in_length = 3;
  EXPECT_NO_THROW(validate(p));
}

TEST(RealProblem, InPlaceBothSidesHaveTheSameBytes) {
  const auto refused = [](const FftProblem& base, const std::function<void(DataLayout&)>& change) {
    FftProblem p = base;
    p.placement = Placement::in_place;
    EXPECT_NO_THROW(validate(p));
    change(p.layout);
    expect_refused([&] { validate(p); }, "layout", to_string(p), "twice the strides");
  };
  FftProblem row = real_problem(Domain::r2c, {8});
  row.batch = 2;
  refused(row, [](DataLayout& layout) { layout.in_dist = 8; });
  refused(row, [](DataLayout& layout) { layout.in_stride = 2; });
  refused(row, [](DataLayout& layout) { layout.in_stride = layout.out_stride = 2; });
  refused(row, [](DataLayout& layout) { layout.in_dist = layout.out_dist = 20; });
  refused(row, [](DataLayout& layout) { layout.loops = {{3, 20, 20}}; });
  refused(real_problem(Domain::c2r, {4, 8}), [](DataLayout& layout) { layout.out_strides = {12}; });
  FftProblem wide = real_problem(Domain::c2r, {4, 8});
  wide.placement = Placement::in_place;
  wide.layout = {1, 1, 40, 80, {}, {6}, {12}};
  EXPECT_NO_THROW(validate(wide));
  wide.layout.loops = {{2, 40, 80}}, wide.layout.in_dist = 80, wide.layout.out_dist = 160;
  EXPECT_NO_THROW(validate(wide));
}

TEST(RealProblem, StridesCountThePointsInMemory) {
  FftProblem plane = real_problem(Domain::r2c, {4, 9});
  plane.layout.in_strides = {8};
  expect_refused([&] { validate(plane); }, "layout.in_strides[0]", "8", "9 or more");
  plane.layout.in_strides = {}, plane.layout.out_strides = {4};
  expect_refused([&] { validate(plane); }, "layout.out_strides[0]", "4", "5 or more");
  plane.layout.out_strides = {5};
  EXPECT_NO_THROW(validate(plane));
  plane.batch = 2, plane.layout.out_dist = 19;
  expect_refused([&] { validate(plane); }, "layout.out_dist", "19", "20 or more");
}

TEST(Problem, TransformsMayShareInputThatIsOnlyRead) {
  FftProblem frames = problem(8);
  frames.batch = 5, frames.layout.in_dist = 2;
  EXPECT_NO_THROW(validate(frames));
  EXPECT_TRUE(input_overlaps(frames));
  EXPECT_EQ(frames.in_points(), 16);
  FftProblem in_place = frames, output = problem(8);
  in_place.layout.out_dist = 2, in_place.placement = Placement::in_place;
  expect_refused([&] { validate(in_place); }, "layout.in_dist", "2", "8 or more");
  output.batch = 5, output.layout.out_dist = 2;
  expect_refused([&] { validate(output); }, "layout.out_dist", "2", "8 or more");
  EXPECT_FALSE(input_overlaps(output));
}

TEST(RealProblem, PrintsItsDomain) {
  EXPECT_EQ(to_string(real_problem(Domain::r2c, {16})),
            "r2c f32 n=16 batch=1 forward out-of-place scale=1");
  EXPECT_EQ(to_string(real_problem(Domain::c2r, {4, 16})),
            "c2r f32 n=4x16 batch=1 inverse out-of-place scale=1");
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
  EXPECT_EQ(known_archs(), (std::vector<int>{75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121}));
}

// The table of the CUDA C++ Programming Guide.
TEST(Target, AnSmHoldsWhatTheGuideSays) {
  struct Row {
    int arch, threads, blocks, shared_kb;
    bool clusters;
  };
  for (const Row& row :
       {Row{75, 1024, 16, 64, false}, Row{80, 2048, 32, 163, false}, Row{86, 1536, 16, 99, false},
        Row{87, 1536, 16, 163, false}, Row{89, 1536, 24, 99, false}, Row{90, 2048, 32, 227, true},
        Row{100, 2048, 32, 227, true}, Row{103, 2048, 32, 227, true}, Row{110, 1536, 24, 227, true},
        Row{120, 1536, 24, 99, true}, Row{121, 1536, 24, 99, true}}) {
    const Target target = target_for(std::to_string(row.arch));
    EXPECT_EQ(target.threads_of_sm(), row.threads) << row.arch;
    EXPECT_EQ(target.blocks_of_sm(), row.blocks) << row.arch;
    EXPECT_EQ(target.shared_bytes, row.shared_kb * 1024) << row.arch;
    EXPECT_EQ(target.has_clusters(), row.clusters) << row.arch;
    EXPECT_EQ(target.registers, 65536) << row.arch;
  }
}

TEST(Target, CubinsRunOnTheSameMajorNumberButNotOnAJetson) {
  EXPECT_TRUE(runs_on(80, 86));
  EXPECT_TRUE(runs_on(100, 103));
  EXPECT_TRUE(runs_on(120, 121));
  EXPECT_TRUE(runs_on(87, 87));
  EXPECT_FALSE(runs_on(86, 80));
  EXPECT_FALSE(runs_on(80, 87));
  EXPECT_FALSE(runs_on(87, 89));
  EXPECT_FALSE(runs_on(90, 100));
  EXPECT_FALSE(runs_on(100, 110));
}

TEST(Target, OtherNamesAreRefused) {
  for (const char* arch : {"", "sm_", "sm_60", "sm_70", "sm_91", "sm-90", "SM_90", " sm_90",
                           "sm_90a", "9.0", "sm_sm_90", "sm_compute_90", "090"}) {
    expect_refused([arch] { (void)target_for(arch); }, "arch", arch, "one of sm_75 sm_80");
  }
}

}  // namespace
}  // namespace sonoma
