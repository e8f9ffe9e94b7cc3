// Padding, cropping and conversion of storage on the emulated device, against transforms of the
// same points in double precision; memory between and behind the points must stay as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/program.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/metrics.hpp"
#include "sonoma/verify/reference.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

struct Case {
  FftProblem problem;
  std::vector<std::int64_t> lengths = {};  // of passes; empty: one
};

void PrintTo(const Case& c, std::ostream* out) { *out << to_string(c.problem); }

Case case_of(std::int64_t n, std::int64_t batch, std::int64_t in_length, std::int64_t out_length) {
  Case c;
  c.problem.lengths = {n};
  c.problem.batch = batch;
  c.problem.ends.in_length = in_length, c.problem.ends.out_length = out_length;
  return c;
}

std::vector<Complex> random_points(std::int64_t count, float unit) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<Complex> points(static_cast<std::size_t>(count));
  for (auto& x : points) x = {unit * normal(random), unit * normal(random)};
  return points;
}

// What is behind the last point must stay as it is, and must not be read: the emulated device
// refuses accesses beyond the points of the problem.
constexpr Complex poison{12345.0f, -23456.0f};

// A point in memory.
std::size_t at(std::int64_t start, std::int64_t index, std::int64_t stride) {
  return static_cast<std::size_t>(start + index * stride);
}

// Of the arithmetic: points that are rounded between passes have their own limit.
double limit_of(const Plan& plan) {
  const Roundings roundings = roundings_of(plan.program());
  const bool rounded = !roundings.behind_boundaries.empty();
  return rounded ? error_limit_unrounded(plan.problem(), roundings) : 5 * 0x1p-24;
}

void expect_transforms(const Plan& plan, const std::vector<Complex>& in,
                       const std::vector<Complex>& out, std::vector<Complex> untouched) {
  const FftProblem& problem = plan.problem();
  const Storage storage = problem.result_storage();
  const auto from = starts(problem, true), to = starts(problem, false);
  for (std::size_t row = 0; row < from.size(); ++row) {
    std::vector<Complex> x(static_cast<std::size_t>(problem.n()));
    for (std::int64_t t = 0; t < std::min(problem.n(), problem.in_length()); ++t) {
      x[static_cast<std::size_t>(t)] = in[at(from[row], t, problem.layout.in_stride)];
    }
    const auto exact =
        verification::reference_dft(x, problem.n(), problem.direction, problem.scale);
    double error = 0, norm = 0;
    for (const ComplexD& X : exact) norm += std::norm(X);
    for (std::int64_t k = 0; k < problem.out_length(); ++k) {
      const std::size_t place = at(to[row], k, problem.layout.out_stride);
      error += std::norm(verification::error_beyond_rounding(storage, out[place],
                                                             exact[static_cast<std::size_t>(k)]));
      untouched[place] = out[place];
    }
    EXPECT_LT(std::sqrt(error / norm), limit_of(plan)) << "row " << row;
  }
  EXPECT_EQ(out, untouched);
}

class Ends : public ::testing::TestWithParam<Case> {};

TEST_P(Ends, TransformTheirPointsAndTouchNoOthers) {
  const FftProblem& problem = GetParam().problem;
  PlanOptions options;
  options.device = Device::cpu;
  if (!GetParam().lengths.empty()) options.tuning.pass_lengths = GetParam().lengths;
  const Plan plan = make_plan(problem, options);
  const bool in_place = problem.placement == Placement::in_place;
  const float unit = problem.storage == Storage::i16 ? 1000.0f : 1.0f;
  const std::int64_t points =
      in_place ? std::max(problem.in_points(), problem.out_points()) : problem.in_points();
  const auto in = pack(problem.storage, random_points(points, unit));
  const Storage result = problem.result_storage();
  auto out = in_place ? in
                      : pack(result, std::vector<Complex>(
                                         static_cast<std::size_t>(problem.out_points()), poison));
  const auto before = out;
  plan.execute(in_place ? out.data() : in.data(), out.data());
  expect_transforms(plan, unpack(problem.storage, in), unpack(result, out), unpack(result, before));
}

// From one storage to another.
std::vector<Case> conversion_cases() {
  std::vector<Case> all;
  using Pair = std::pair<Storage, Storage>;
  for (const auto& [from, to] :
       {Pair{Storage::f32, Storage::f16}, Pair{Storage::f16, Storage::f32},
        Pair{Storage::bf16, Storage::f16}, Pair{Storage::i16, Storage::f32},
        Pair{Storage::f32, Storage::i16}, Pair{Storage::i16, Storage::bf16}}) {
    for (Case c : {case_of(256, 3, 0, 0), case_of(60, 4, 31, 0), case_of(16384, 2, 0, 0)}) {
      c.problem.storage = from, c.problem.out_storage = to;
      if (to == Storage::i16) c.problem.scale = 100;
      all.push_back(c);
    }
  }
  return all;
}

std::vector<Case> cases() {
  std::vector<Case> all = {
      case_of(64, 5, 40, 0),  case_of(64, 5, 0, 33),     case_of(64, 3, 100, 64),
      case_of(64, 3, 1, 1),   case_of(4096, 2, 3000, 7), case_of(16, 37, 5, 11),
      case_of(60, 7, 41, 13), case_of(1000, 2, 999, 0),  case_of(2, 9, 1, 0),
      case_of(19, 6, 11, 7),  case_of(1009, 2, 500, 0),  case_of(17, 40, 20, 3),
  };
  const auto add = [&](Case c) -> Case& { return all.emplace_back(std::move(c)); };
  const auto in_passes = [&](Case c, std::vector<std::int64_t> lengths) -> Case& {
    c.lengths = std::move(lengths);
    return add(std::move(c));
  };
  in_passes(case_of(4096, 3, 1000, 0), {64, 64});
  in_passes(case_of(4096, 2, 0, 2049), {64, 64});
  in_passes(case_of(32768, 2, 20001, 12345), {32, 32, 32});
  in_passes(case_of(3600, 2, 1801, 77), {60, 60});
  in_passes(case_of(499, 3, 250, 300), {32, 64});
  in_passes(case_of(499, 2, 600, 1), {32, 32, 32});
  add(case_of(128, 4, 50, 70)).problem.direction = Direction::inverse;
  add(case_of(128, 4, 50, 70)).problem.scale = 0.125;
  Case& placed = add(case_of(128, 3, 50, 128));
  placed.problem.placement = Placement::in_place;
  placed.problem.layout.in_dist = placed.problem.layout.out_dist = 131;
  Case& strided = add(case_of(64, 2, 40, 48));
  strided.problem.layout.in_stride = strided.problem.layout.out_stride = 9;
  strided.problem.layout.loops = {{8, 1, 1}};
  Case& columns = in_passes(case_of(2048, 2, 1500, 1025), {64, 32});
  columns.problem.layout.in_stride = 4;
  columns.problem.layout.loops = {{4, 1, 1025}};
  columns.problem.layout.out_dist = 4 * 1025;
  for (const Storage storage : {Storage::f16, Storage::bf16, Storage::i16}) {
    add(case_of(64, 5, 40, 33)).problem.storage = storage;
    add(case_of(60, 5, 40, 33)).problem.storage = storage;
    in_passes(case_of(1024, 2, 401, 999), {32, 32}).problem.storage = storage;
  }
  const auto conversions = conversion_cases();
  all.insert(all.end(), conversions.begin(), conversions.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Ends, ::testing::ValuesIn(cases()));

FftProblem with(Case c, Storage out_storage) {
  c.problem.out_storage = out_storage;
  return c.problem;
}

TEST(Ends, IntegersSaturateAndNaNIsZero) {
  PlanOptions options;
  options.device = Device::cpu;
  const Plan plan = make_plan(with(case_of(1, 5, 0, 0), Storage::i16), options);
  const float nan = std::nanf("");
  const std::vector<Complex> in = {
      {40000, -40000}, {2.5f, 3.5f}, {nan, nan}, {1e30f, -1e30f}, {-0.5f, 32767.4f}};
  std::vector<short> out(10, 77);
  plan.execute(in.data(), static_cast<void*>(out.data()));
  EXPECT_EQ(out, (std::vector<short>{32767, -32768, 2, 4, 0, 0, 32767, -32768, 0, 32767}));
}

void expect_refused(const FftProblem& problem, const PlanOptions& options, const char* field) {
  try {
    (void)make_plan(problem, options);
    ADD_FAILURE() << "served: " << to_string(problem);
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), field) << error.what();
  }
}

TEST(Ends, RefusalsNameTheField) {
  PlanOptions options;
  options.device = Device::cpu;
  expect_refused(case_of(64, 1, -1, 0).problem, options, "ends.in_length");
  expect_refused(case_of(64, 1, 0, 65).problem, options, "ends.out_length");
  Case transposed = case_of(64, 1, 0, 40);
  transposed.problem.order = Order::transposed;
  expect_refused(transposed.problem, options, "order");
  FftProblem placed = with(case_of(64, 1, 0, 0), Storage::i16);
  placed.placement = Placement::in_place;
  expect_refused(placed, options, "out_storage");
  placed = with(case_of(64, 1, 0, 0), Storage::i16);
  placed.accuracy.max_rel_l2 = 1e-5;
  expect_refused(placed, options, "accuracy");
}

}  // namespace
}  // namespace sonoma::test
