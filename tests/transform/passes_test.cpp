// Transforms in several passes on the emulated device, by the whole protocol, and mutants of them.
#include <gtest/gtest.h>

#include "plan_transform.hpp"
#include "sonoma/device_buffer.hpp"

namespace sonoma::test {
namespace {

struct Case {
  std::int64_t n;
  std::vector<std::int64_t> lengths;  // empty: the default
  Storage storage = Storage::f32;
  Direction direction = Direction::forward;
  Engine engine = Engine::simt;
  Placement placement = Placement::out_of_place;
  bool fused = false;
  unsigned columns = 0;  // of a block; 0: the default
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.n << " " << to_list(c.lengths) << " " << to_string(c.storage)
             << (c.fused ? " fused" : "") << " by " << c.columns;
}

FftProblem problem_of(const Case& c, std::int64_t batch = 1) {
  FftProblem problem;
  problem.lengths = {c.n};
  problem.batch = batch;
  problem.storage = c.storage;
  problem.direction = c.direction;
  problem.placement = c.placement;
  return problem;
}

Plan plan_of(const Case& c, std::int64_t batch) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning.engine = c.engine;
  if (!c.lengths.empty()) options.tuning.pass_lengths = c.lengths;
  if (c.fused) options.tuning.fused = true;
  if (c.columns > 0) options.tuning.columns = c.columns;
  options.tuning.workspace_points = 2 * c.n;  // two transforms together: several rounds
  return make_plan(problem_of(c, batch), options);
}

class Passes : public ::testing::TestWithParam<Case> {};

TEST_P(Passes, MeetTheProtocol) {
  const PlanTransform transform([](std::int64_t batch) { return plan_of(GetParam(), batch); });
  const auto report = transform.check({.random_transforms = 2});
  EXPECT_TRUE(report.pass()) << to_string(report);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, Passes,
    ::testing::Values(
        Case{2048, {32, 64}}, Case{4096, {64, 64}, Storage::f32, Direction::inverse},
        Case{16384, {}}, Case{16384, {128, 128}, Storage::f16},
        Case{32768, {}, Storage::bf16, Direction::inverse},
        Case{16384, {128, 128}, Storage::f32, Direction::forward, Engine::mma},
        Case{8192, {256, 32}, Storage::f32, Direction::forward, Engine::simt, Placement::in_place},
        Case{59049, {}}, Case{30030, {}, Storage::f32, Direction::inverse},
        Case{3000, {50, 60}, Storage::f16}, Case{9261, {21, 21, 21}},
        Case{6144, {64, 96}, Storage::f32, Direction::inverse, Engine::simt, Placement::in_place},
        Case{4096, {64, 64}, Storage::f16, Direction::inverse, Engine::simt, Placement::in_place},
        Case{16384, {128, 128}, Storage::bf16}, Case{9261, {21, 21, 21}, Storage::f16},
        Case{32768, {32, 32, 32}, Storage::bf16, Direction::inverse},
        Case{16384, {128, 128}, Storage::f16, Direction::forward, Engine::mma},
        Case{4096,
             {64, 64},
             Storage::bf16,
             Direction::inverse,
             Engine::simt,
             Placement::in_place,
             true},
        Case{2048,
             {32, 64},
             Storage::f32,
             Direction::forward,
             Engine::simt,
             Placement::out_of_place,
             true},
        Case{8192,
             {128, 64},
             Storage::f32,
             Direction::inverse,
             Engine::simt,
             Placement::in_place,
             true},
        Case{16384,
             {},
             Storage::f16,
             Direction::forward,
             Engine::simt,
             Placement::out_of_place,
             true},
        Case{16384,
             {},
             Storage::f32,
             Direction::forward,
             Engine::mma,
             Placement::out_of_place,
             true},
        Case{32768, {32, 32, 32}},
        Case{65536,
             {64, 32, 32},
             Storage::f32,
             Direction::inverse,
             Engine::simt,
             Placement::in_place}));

// The last block of a row has fewer columns than the others.
constexpr auto out_of_place = Placement::out_of_place, in_place = Placement::in_place;
constexpr auto forward = Direction::forward, inverse = Direction::inverse;
INSTANTIATE_TEST_SUITE_P(
    Ragged, Passes,
    ::testing::Values(
        Case{714, {21, 34}, Storage::f32, forward, Engine::simt, out_of_place, false, 5},
        Case{1001, {77, 13}, Storage::f32, inverse, Engine::simt, in_place, false, 4},
        Case{1155, {33, 35}, Storage::f16, forward, Engine::simt, out_of_place, false, 8},
        Case{1250, {25, 50}, Storage::bf16, inverse, Engine::simt, in_place, false, 16},
        Case{3375, {15, 15, 15}, Storage::f32, forward, Engine::simt, out_of_place, false, 4},
        Case{4096, {64, 64}, Storage::f32, forward, Engine::simt, out_of_place, false, 12},
        Case{1184, {32, 37}, Storage::f32, inverse, Engine::simt, out_of_place, false, 6},
        Case{11319, {77, 147}, Storage::f32, forward, Engine::simt, in_place, false, 10}));

std::vector<Complex> transformed(const std::vector<Complex>& in, std::int64_t n,
                                 const Tuning& tuning) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning = tuning;
  const auto batch = static_cast<std::int64_t>(in.size()) / n;
  std::vector<Complex> out(in.size());
  make_plan(problem_of({n, {}}, batch), options).execute(in.data(), out.data());
  return out;
}

// A transform has the same bits whatever blocks take its passes: the batch decides on those.
TEST(Passes, BitsDoNotDependOnTheBlocks) {
  constexpr std::int64_t n = 65536;
  std::vector<Complex> in(n);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {std::sin(0.1f * static_cast<float>(i)), 1};
  Tuning tuning;
  tuning.engine = Engine::simt, tuning.pass_lengths = {256, 256}, tuning.columns = 16;
  const auto expected = transformed(in, n, tuning);
  Tuning fewer = tuning, larger = tuning, rounds = tuning, cluster = tuning, fused = tuning;
  fewer.columns = 4;
  larger.points_per_thread = 32;
  rounds.rounds = 2, rounds.points_per_thread = 32;
  cluster.cluster = 2;
  fused.fused = true;
  for (const Tuning& other : {fewer, larger, rounds, cluster, fused}) {
    EXPECT_EQ(transformed(in, n, other), expected) << to_string(other);
  }
}

// Of a length that is no power of two the factors between passes are products of two roots.
TEST(Passes, BitsOfAnyLengthDoNotDependOnTheBlocks) {
  constexpr std::int64_t n = 8100;
  std::vector<Complex> in(n);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {std::sin(0.1f * static_cast<float>(i)), 1};
  Tuning tuning;
  tuning.engine = Engine::simt, tuning.pass_lengths = {90, 90}, tuning.columns = 15;
  tuning.decomposition = Decomposition{{9, 10}};
  const auto expected = transformed(in, n, tuning);
  Tuning fewer = tuning, laps = tuning, larger = tuning, fused = tuning;
  fewer.columns = 5;
  laps.threads = 64;
  larger.points_per_thread = 30;
  fused.columns.reset(), fused.fused = true;
  for (const Tuning& other : {fewer, laps, larger, fused}) {
    EXPECT_EQ(transformed(in, n, other), expected) << to_string(other);
  }
}

TEST(Passes, ResultsDoNotDependOnTheWorkspace) {
  const Case c{2048, {32, 64}};
  std::vector<Complex> in(5 * 2048), a(in.size()), b(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {std::sin(0.1f * static_cast<float>(i)), 1};
  plan_of(c, 5).execute(in.data(), a.data());
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning.engine = Engine::simt;
  options.tuning.pass_lengths = c.lengths;
  options.workspace_owner = WorkspaceOwner::caller;
  options.workspace_policy = WorkspacePolicy::minimal;
  const Plan minimal = make_plan(problem_of(c, 5), options);
  EXPECT_EQ(minimal.workspace_bytes(), 2048u * 8);
  EXPECT_THROW(minimal.execute(in.data(), b.data()), std::invalid_argument);
  EXPECT_THROW(minimal.execute(in.data(), b.data(), b.data(), nullptr), std::invalid_argument);
  const DeviceBuffer workspace(Device::cpu, minimal.workspace_bytes());
  minimal.execute(in.data(), b.data(), workspace.data(), nullptr);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace sonoma::test
