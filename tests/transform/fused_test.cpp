// Two passes in one launch: the emulated device knows which blocks the counters order, so that a
// wait or a signal that is missing, or stands in the wrong place, is a race or a block that waits
// for ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "host_compiler.hpp"
#include "plan_transform.hpp"
#include "sonoma/device_buffer.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

constexpr std::int64_t n = 2048, batch = 7;
constexpr unsigned slots = 3;

LaunchKernel fused_kernel() {
  FftProblem problem;
  problem.lengths = {n};
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.pass_lengths = {32, 64};
  tuning.columns = 16;
  tuning.fused = true;
  tuning.workspace_points = slots * n;
  const Target target = target_for("sm_90");
  const Program program = make_program(problem, target, tuning);
  EXPECT_EQ(program.launches.size(), 1u);
  return generate(program.launches.front(), target);
}

// What is wrong with the order of its accesses; empty if nothing is.
std::string faults_of(const CudaSource& source, bool in_place = false, std::uint64_t seed = 1,
                      std::int64_t points = n) {
  const auto one = static_cast<std::size_t>(points) * 8, bytes = one * batch;
  const DeviceBuffer in(Device::cpu, bytes), out(Device::cpu, bytes);
  const std::size_t counters = source.launch.counter_bytes;
  const DeviceBuffer workspace(Device::cpu, counters + slots * one);
  std::memset(in.data(), 0, bytes);
  std::memset(workspace.data(), 0, counters);
  const auto span = [](const DeviceBuffer& buffer, std::size_t size) {
    return std::span<std::byte>(static_cast<std::byte*>(buffer.data()), size);
  };
  try {
    const EmulatedKernel kernel(compiled(source), source);
    kernel.launch(span(in_place ? out : in, bytes), span(out, bytes), source.tables, batch,
                  {.check_races = true, .order_seed = seed},
                  span(workspace, counters + slots * one));
  } catch (const EmulationError& error) {
    return error.what();
  }
  return {};
}

CudaSource replaced(const std::string& from, const std::string& to) {
  CudaSource source = fused_kernel().source;
  const std::size_t at = source.text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) source.text.replace(at, from.size(), to);
  return source;
}

TEST(Fused, HasNoRaces) {
  const CudaSource source = fused_kernel().source;
  EXPECT_EQ(faults_of(source), "");
  EXPECT_EQ(faults_of(source, true, 2), "");
}

TEST(Fused, DamagedOrderIsCaught) {
  const std::pair<const char*, const char*> damages[] = {
      {"    wait_for(left + slot,", "    // wait_for(left + slot,"},
      {"    wait_for(written + slot,", "    // wait_for(written + slot,"},
      {"    signal(left + slot);", "    // signal(left + slot);"},
      {"    signal(written + slot);", "    // signal(written + slot);"},
      {"(round + 1) *", "(round + 0) *"},
      {"    wait_for(left + slot, round *", "    wait_for(written + slot, round *"},
      {"  const unsigned tile = first ? turn : turn -",
       "  const unsigned tile = first ? turn : turn + 0 *"},
      {"    while (load_acquire(signals) < count) pause();\n  }\n  block_barrier();",
       "    while (load_acquire(signals) < count) pause();\n  }"},
      {"  block_barrier();\n  if (thread_index() == 0) add_release(signals);",
       "  if (thread_index() == 0) add_release(signals);\n  block_barrier();"},
      {"slot = transform % 3u", "slot = transform % 2u"},
  };
  for (const auto& [from, to] : damages) EXPECT_NE(faults_of(replaced(from, to)), "") << from;
}

PlanOptions fused_passes(const Lengths& lengths) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning.pass_lengths = lengths, options.tuning.fused = true;
  options.tuning.workspace_points = slots * product_of(lengths);
  return options;
}

// Tiles that both lengths divide; blocks have the threads of the pass that takes more.
TEST(Fused, OfLengthsThatAreNoPowersOfTwo) {
  for (const Lengths& lengths : {Lengths{30, 45}, {49, 49}, {96, 80}, {100, 150}}) {
    const PlanTransform transform([&](std::int64_t count) {
      FftProblem problem;
      problem.lengths = {product_of(lengths)}, problem.batch = count;
      return make_plan(problem, fused_passes(lengths));
    });
    const Launch launch = transform.plan(1).program().launches.front();
    ASSERT_TRUE(launch.fusion) << to_list(lengths);
    const auto report = transform.check({});
    EXPECT_TRUE(report.pass()) << to_list(lengths) << "\n" << to_string(report);
    const CudaSource source = generate(launch, target_for("sm_90")).source;
    EXPECT_EQ(faults_of(source, false, 1, product_of(lengths)), "") << to_list(lengths);
  }
}

// As many tiles of either pass, of which the last one has fewer columns.
TEST(Fused, ByRaggedTiles) {
  struct Case {
    Lengths lengths;
    unsigned columns;  // of the pass that has more of them
    std::vector<unsigned> tiles;
  };
  for (const Case& c : {Case{{49, 49}, 12, {588, 588}}, Case{{91, 26}, 40, {1092, 1040}},
                        Case{{26, 91}, 40, {1040, 1092}}, Case{{45, 64}, 20, {900, 768}}}) {
    PlanOptions options = fused_passes(c.lengths);
    options.tuning.columns = c.columns;
    const auto plan_of = [&](std::int64_t count) {
      FftProblem problem;
      problem.lengths = {product_of(c.lengths)}, problem.batch = count;
      return make_plan(problem, options);
    };
    const Launch launch = plan_of(1).program().launches.front();
    ASSERT_TRUE(launch.fusion) << to_list(c.lengths);
    EXPECT_EQ(launch.shape.block_points, c.tiles[0]) << to_list(c.lengths);
    EXPECT_EQ(launch.fusion->shape.block_points, c.tiles[1]) << to_list(c.lengths);
    const auto report = PlanTransform(plan_of).check({});
    EXPECT_TRUE(report.pass()) << to_list(c.lengths) << "\n" << to_string(report);
    CudaSource source = generate(launch, target_for("sm_90")).source;
    EXPECT_EQ(faults_of(source, false, 1, product_of(c.lengths)), "") << to_list(c.lengths);
    const std::size_t last = source.text.find("columns = at_most(");
    ASSERT_NE(last, std::string::npos);
    source.text.replace(last, 18, "columns = 2 * at_most(");
    EXPECT_NE(faults_of(source, false, 1, product_of(c.lengths)), "") << "more than there are";
  }
}

TEST(Fused, TilesAreWholeColumnsOfBothPasses) {
  const Target target = target_for("sm_90");
  FftProblem problem;
  problem.lengths = {13500};
  problem.batch = 64;
  Tuning tuning;
  tuning.pass_lengths = {90, 150}, tuning.fused = true;
  tuning.block_points = 4500;
  EXPECT_EQ(make_program(problem, target, tuning).launches.size(), 1u);
  tuning.block_points = 1800;  // the last tile of either pass is half as long
  EXPECT_EQ(make_program(problem, target, tuning).launches.size(), 1u);
  tuning.block_points = 2430;  // of 150 not whole columns
  EXPECT_THROW((void)make_program(problem, target, tuning), UnsupportedProblem);
}

TEST(Fused, WaitsAreForLowerTickets) {
  const Target target = target_for("sm_90");
  FftProblem problem;
  problem.lengths = {16384};
  problem.batch = 4096;
  Tuning tuning;
  tuning.fused = true;
  const Fusion fusion = *make_program(problem, target, tuning).launches.front().fusion;
  const std::uint64_t tiles = 16384 / fusion.shape.block_points;
  EXPECT_EQ(check(fusion, tiles), "");
  Fusion damaged = fusion;
  damaged.lag = static_cast<unsigned>(tiles) - 1;
  EXPECT_NE(check(damaged, tiles).find("before the first pass"), std::string::npos);
  damaged.lag = static_cast<unsigned>(fusion.slots * tiles);
  EXPECT_NE(check(damaged, tiles).find("has left its slot"), std::string::npos);
  damaged.slots = 1;
  EXPECT_NE(check(damaged, tiles).find("two slots"), std::string::npos);
}

TEST(Fused, IsForLargeBatchesOfTwoPasses) {
  const Target target = target_for("sm_90");
  const auto launches = [&](std::int64_t length, std::int64_t count, const Tuning& tuning = {}) {
    FftProblem problem;
    problem.lengths = {length};
    problem.batch = count;
    return make_program(problem, target, tuning).launches.size();
  };
  EXPECT_EQ(launches(1 << 18, 256), 1u);
  EXPECT_EQ(launches(1 << 18, 1), 2u);
  EXPECT_EQ(launches(1 << 22, 16), 2u);
  Tuning tuning;
  tuning.fused = false;
  EXPECT_EQ(launches(1 << 18, 256, tuning), 2u);
  tuning.fused = true;
  EXPECT_EQ(launches(1 << 18, 1, tuning), 1u);
  tuning.pass_lengths = {64, 64, 64};
  EXPECT_THROW((void)launches(1 << 18, 1, tuning), UnsupportedProblem);
}

}  // namespace
}  // namespace sonoma::test
