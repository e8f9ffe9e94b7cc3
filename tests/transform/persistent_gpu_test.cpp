// Blocks that stay for a tile after the other, on a GPU: the bits of blocks that take one, whatever
// the batch, out of place and in place.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "sonoma/device_buffer.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/inspect.hpp"
#include "sonoma/plan.hpp"

namespace sonoma::test {
namespace {

// In one lap, in laps, in laps that are not all whole.
std::vector<Tuning> tunings() {
  std::vector<Tuning> all;
  for (const auto& [tree, points, registers, threads] :
       {std::tuple{"(gs 15 (gs 15 (dft 15)))", 15u, 64u, 0u},
        std::tuple{"(gs 27 (gs 25 (dft 27)))", 27u, 80u, 0u},
        std::tuple{"(gs 27 (gs 36 (dft 27)))", 36u, 128u, 512u},
        std::tuple{"(gs 16 (gs 25 (dft 20)))", 25u, 96u, 288u}}) {
    Tuning tuning;
    tuning.engine = Engine::simt;
    tuning.decomposition = parse_decomposition(tree);
    tuning.points_per_thread = points, tuning.registers = registers;
    tuning.block_points = static_cast<unsigned>(tuning.decomposition->n());
    tuning.stage_load = tuning.stage_store = false;
    if (threads > 0) tuning.threads = threads;
    all.push_back(tuning);
  }
  return all;
}

Plan plan_of(Tuning tuning, Prefetch prefetch, std::int64_t batch, bool in_place) {
  FftProblem problem;
  problem.lengths = {tuning.decomposition->n()};
  problem.batch = batch;
  if (in_place) problem.placement = Placement::in_place;
  tuning.prefetch = prefetch;
  PlanOptions options;
  options.tuning = tuning, options.device = Device::gpu;
  return make_plan(problem, options);
}

std::vector<std::uint32_t> outcome(const Plan& plan, const std::vector<float>& input,
                                   bool in_place) {
  const std::size_t bytes = input.size() * sizeof(float);
  DeviceBuffer in(Device::gpu, bytes), out(Device::gpu, in_place ? 0 : bytes);
  in.upload(input.data(), bytes);
  plan.execute(in.data(), in_place ? in.data() : out.data());
  std::vector<std::uint32_t> result(input.size());
  (in_place ? in : out).download(result.data(), bytes);
  return result;
}

// Fewer than stay, as many, and rounds of them with some left.
TEST(PersistentOnGpu, HasTheBitsOfOneTileABlock) {
  if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  for (const Tuning& tuning : tunings()) {
    const auto n = static_cast<std::size_t>(tuning.decomposition->n());
    const std::uint64_t stays =
        plan_of(tuning, Prefetch::persistent, 1, false).generated().source.launch.stays;
    if (stays == 0) GTEST_SKIP() << "no bulk prefetch here";
    std::minstd_rand random(7);
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<float> input((17 * stays + 5) * n * 2);
    for (float& one : input) one = number(random);
    for (const std::uint64_t batch : {17 * stays + 5, stays + 1, stays, std::uint64_t{1}}) {
      const auto rows = static_cast<std::int64_t>(batch);
      input.resize(batch * n * 2);
      const auto expected = outcome(plan_of(tuning, Prefetch::none, rows, false), input, false);
      for (const bool in_place : {false, true}) {
        EXPECT_EQ(outcome(plan_of(tuning, Prefetch::persistent, rows, in_place), input, in_place),
                  expected)
            << n << " " << batch << (in_place ? " in place" : "");
      }
    }
  }
}

}  // namespace
}  // namespace sonoma::test
