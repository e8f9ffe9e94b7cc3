// Plans captured into graphs on a real GPU, of every method and kind. Skipped where there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "driver.hpp"
#include "every_kind.hpp"
#include "gpu_support.hpp"
#include "parallel.hpp"
#include "runtime.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

using Case = test::Request;

FftProblem batch_of(std::int64_t n, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = {n};
  problem.batch = batch;
  return problem;
}

std::vector<Case> passes() {
  Case fused{"fused", batch_of(1 << 18, 5)}, apart{"two_launches", batch_of(1 << 18, 5)};
  fused.tuning.fused = true, apart.tuning.fused = false;
  Case three{"three_passes", batch_of(1 << 18, 2)};
  three.tuning.pass_lengths = {64, 64, 64};
  Case parts{"parts_of_the_batch", batch_of(1 << 16, 7)};
  parts.tuning.pass_lengths = {256, 256};
  parts.tuning.workspace_points = 1 << 17;
  Case words{"half_passes", batch_of(1 << 18, 3)};
  words.problem.storage = Storage::f16;
  Case transposed{"transposed", batch_of(1 << 18, 3)};
  transposed.problem.order = Order::transposed;
  return {fused, apart, three, parts, words, transposed, {"mixed_passes", batch_of(100000, 3)}};
}

std::vector<Case> one_launch() {
  Case columns{"columns", batch_of(256, 3)};
  columns.problem.layout.in_stride = columns.problem.layout.out_stride = 64;
  columns.problem.layout.in_dist = columns.problem.layout.out_dist = 256 * 64;
  columns.problem.layout.loops = {{64, 1, 1}};
  Case ends{"ends", batch_of(1000, 9)};
  ends.problem.ends.in_length = 700, ends.problem.ends.out_length = 900;
  ends.problem.ends.load_code = "make_float2(value.x * 2, value.y)";
  return {{"one_block", batch_of(4096, 33)}, {"mixed", batch_of(1000, 33)}, columns, ends};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = passes();
  for (const Case& one : one_launch()) cases.push_back(one);
  Case cluster{"cluster", batch_of(32768, 9)};
  cluster.tuning.cluster = 8;
  cases.push_back(cluster);
  Case bluestein{"bluestein", batch_of(1009, 9)};
  bluestein.tuning.method = Method::bluestein;
  cases.push_back(bluestein);
  cases.push_back({"bluestein_passes", batch_of(65537, 3)});
  cases.push_back({"rader", batch_of(1009, 9)});
  cases.push_back({"sections_of_few", batch_of(1 << 16, 3)});
  for (const auto& kind : {test::real_requests(), test::trigonometric_requests(),
                           test::convolution_requests(), test::axes_requests()}) {
    cases.insert(cases.end(), kind.begin(), kind.end());
  }
  return cases;
}

PlanOptions options_for(const Case& c) {
  PlanOptions options = on_gpu();
  options.tuning = c.tuning;
  options.workspace_owner = WorkspaceOwner::caller;
  return options;
}

class GpuGraphs : public ::testing::TestWithParam<Case> {
 protected:
  // Compilers run on all cores; each test then finds its kernels.
  static void SetUpTestSuite() {
    if (!gpu_available()) return;
    const auto name = [](const Case& c) { return c.name; };
    EXPECT_EQ(test::in_parallel(all_cases(), name,
                                [](const Case& c) -> std::string {
                                  (void)make_plan(c.problem, options_for(c));
                                  return "";
                                }),
              "");
  }
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  }
};

/// A plan with all that its executions take.
class Execution {
 public:
  explicit Execution(const Case& c)
      : plan_(make_plan(c.problem, options_for(c))),
        in_place_(c.problem.placement == Placement::in_place),
        input_(test::noise(test::bytes_of(c.problem, true), 1)),
        in_(Device::gpu, input_.size()),
        out_(Device::gpu, test::bytes_of(c.problem, false)),
        workspace_(Device::gpu, std::max<std::size_t>(16, plan_.workspace_bytes())) {
    in_.upload(input_.data(), input_.size());
    const auto spectrum = test::noise_spectrum(c.problem);
    if (spectrum.empty()) return;
    spectrum_.emplace(Device::gpu, spectrum.size() * sizeof spectrum[0]);
    spectrum_->upload(spectrum.data(), spectrum_->bytes());
  }

  // The output and the workspace hold what no execution leaves there.
  void prepare() {
    const std::vector<std::byte> dirt(std::max(workspace_.bytes(), out_.bytes()), std::byte{0x7f});
    out_.upload(in_place_ ? input_.data() : dirt.data(), out_.bytes());
    workspace_.upload(dirt.data(), workspace_.bytes());
  }
  void enqueue(const GpuStream& stream) const {
    ExecuteOptions options;
    options.workspace = workspace_.data(), options.stream = stream.get();
    if (spectrum_) options.spectrum = spectrum_->data();
    plan_.execute(in_place_ ? out_.data() : in_.data(), out_.data(), options);
  }
  [[nodiscard]] std::vector<std::byte> result() const {
    std::vector<std::byte> bytes(out_.bytes());
    out_.download(bytes.data(), bytes.size());
    return bytes;
  }

 private:
  Plan plan_;
  bool in_place_;
  std::vector<std::byte> input_;
  DeviceBuffer in_, out_, workspace_;
  std::optional<DeviceBuffer> spectrum_;
};

std::ptrdiff_t differences(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

// As executed directly, bit for bit, whatever the output and the workspace held; no memory taken.
TEST_P(GpuGraphs, RepeatWhatTheStreamDoes) {
  Execution execution(GetParam());
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  const GpuStream stream;
  execution.prepare();
  execution.enqueue(stream);
  stream.synchronize();
  const std::vector<std::byte> direct = execution.result();

  const CapturedGraph graph(stream.get(), [&] { execution.enqueue(stream); });
  const GraphFunctions functions = open_graph_functions();
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(functions.memory_info(&before, &total), 0);
  for (int round = 0; round < 3; ++round) {
    execution.prepare();
    graph.launch(stream.get());
    stream.synchronize();
    EXPECT_EQ(differences(execution.result(), direct), 0) << "round " << round;
  }
  ASSERT_EQ(functions.memory_info(&after, &total), 0);
  EXPECT_EQ(before, after);
}

INSTANTIATE_TEST_SUITE_P(Methods, GpuGraphs, ::testing::ValuesIn(all_cases()),
                         [](const auto& test) { return test.param.name; });

// Forward and back in a graph; another plan is made, cold, while the capture is under way.
TEST(GpuGraph, IsCapturedWhileAnotherThreadPlans) {
  if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  constexpr std::int64_t n = 512, batch = 17;
  const Plan forward = make_plan({.lengths = {n}, .batch = batch}, on_gpu());
  const Plan inverse = make_plan({.lengths = {n},
                                  .batch = batch,
                                  .direction = Direction::inverse,
                                  .placement = Placement::in_place,
                                  .scale = 1.0 / n},
                                 on_gpu());
  Rows in = Rows::tone(n, batch, 100);
  DeviceBuffer from(Device::gpu, in.bytes());
  from.upload(in.data(), in.bytes());
  DeviceBuffer to(Device::gpu, in.bytes());
  const GpuStream stream;
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  const CapturedGraph graph(stream.get(), [&] {
    forward.execute(from.data(), to.data(), stream.get());
    std::thread([] {
      // A scale no other test uses, so nothing is cached in memory.
      EXPECT_NO_THROW((void)make_plan({.lengths = {n}, .scale = 0.123}, on_gpu()));
    }).join();
    inverse.execute(to.data(), to.data(), stream.get());
  });
  for (int round = 0; round < 2; ++round) {
    Rows zeros(n, batch), out(n, batch);
    to.upload(zeros.data(), zeros.bytes());
    graph.launch(stream.get());
    stream.synchronize();
    to.download(out.data(), out.bytes());
    for (std::int64_t i = 0; i < n * batch; ++i) ASSERT_LT(std::abs(out[i] - in[i]), 1e-5f) << i;
  }
}

}  // namespace
}  // namespace sonoma::testing
