#include "gpu_executions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "parallel.hpp"

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

}  // namespace

std::vector<test::Request> gpu_cases() {
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
  for (const auto& kind : test::requests_by_kind()) {
    cases.insert(cases.end(), kind.begin(), kind.end());
  }
  return cases;
}

namespace {

PlanOptions options_for(const Case& c) {
  PlanOptions options = on_gpu();
  options.tuning = c.tuning;
  options.workspace_owner = WorkspaceOwner::caller;
  return options;
}

}  // namespace

void make_all_plans(const std::vector<Case>& cases) {
  const auto name = [](const Case& c) { return c.name; };
  EXPECT_EQ(test::in_parallel(cases, name,
                              [](const Case& c) -> std::string {
                                (void)make_plan(c.problem, options_for(c));
                                return "";
                              }),
            "");
}

Execution::Execution(const Case& c)
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

void Execution::prepare() {
  const std::vector<std::byte> dirt(std::max(workspace_.bytes(), out_.bytes()), std::byte{0x7f});
  out_.upload(in_place_ ? input_.data() : dirt.data(), out_.bytes());
  workspace_.upload(dirt.data(), workspace_.bytes());
}

void Execution::enqueue(const GpuStream& stream) const {
  ExecuteOptions options;
  options.workspace = workspace_.data(), options.stream = stream.get();
  if (spectrum_) options.spectrum = spectrum_->data();
  plan_.execute(in_place_ ? out_.data() : in_.data(), out_.data(), options);
}

std::vector<std::byte> Execution::result() const {
  std::vector<std::byte> bytes(out_.bytes());
  out_.download(bytes.data(), bytes.size());
  return bytes;
}

std::vector<std::byte> Execution::executed(const GpuStream& stream) {
  prepare();
  enqueue(stream);
  stream.synchronize();
  return result();
}

}  // namespace sonoma::testing
