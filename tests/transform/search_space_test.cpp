// Kernels from all over the search space pass the protocol on the emulated device.
#include <gtest/gtest.h>

#include "cases.hpp"
#include "host_compiler.hpp"
#include "parallel.hpp"
#include "random_requests.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {
namespace {

std::string faults_of(const RandomRequest& request) {
  const Generated g = request.generated();
  const std::int64_t n = request.problem.n();
  const EmulatedKernel kernel(compiled(g.source), g.source);
  const auto transform = [&](const std::byte* in, std::byte* out, std::int64_t batch) {
    const auto bytes = static_cast<std::size_t>(batch * n) * point_bytes(request.problem.storage);
    kernel.launch({in, bytes}, {out, bytes}, g.source.tables, static_cast<std::uint64_t>(batch),
                  {.check_races = true, .host_threads = 1});
  };
  const auto report = verification::check_transform(
      verification::unpacked(request.problem.storage, request.problem.storage, n, transform),
      request.problem, roundings_of(g.shape), {.random_transforms = random_rows(n)});
  return report.pass() ? "" : summary(report);
}

// Words keep the scale on their way to a staged store: FP16 does not hold what bfloat16 does.
TEST(SearchSpace, WordsAreExchangedUnderTheirScale) {
  std::vector<RandomRequest> all;
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    for (const char* text : {"(gs 16 (gs 16 (gs 2 (dft 8))))", "(gs 16 (gs 16 (dft 16)))"}) {
      RandomRequest request;
      request.tuning.decomposition = parse_decomposition(text);
      request.tuning.stage_store = true;
      request.problem.lengths = {4096};
      request.problem.storage = storage;
      request.arch = "sm_90";
      EXPECT_TRUE(request.generated().schedule.words()) << text;
      all.push_back(request);
    }
  }
  EXPECT_EQ(in_parallel(
                all, [](const RandomRequest& r) { return name(r); }, faults_of),
            "");
}

// Butterflies before the first product see points that have no scale yet: the largest, subnormal
// ones and zeros beside others are in the protocol.
TEST(SearchSpace, ButterfliesBeforeTheScaleKeepTheRange) {
  std::vector<RandomRequest> all;
  for (const char* text : {"(gs 2 (gs 16 (dft 16)))", "(gs 8 (gs 16 (dft 16)))",
                           "(gs 4 (gs 2 (gs 16 (dft 4))))", "(gs 2 (gs 16 (gs 16 (dft 8))))"}) {
    for (const unsigned products : {1u, 3u}) {
      RandomRequest request;
      request.tuning.decomposition = parse_decomposition(text);
      request.tuning.engine = Engine::mma;
      request.tuning.products = products;
      request.problem.lengths = {request.tuning.decomposition->n()};
      request.arch = "sm_90";
      const Schedule s = request.generated().schedule;
      EXPECT_EQ(s.phases.front().steps.front().form, StepForm::registers) << text;
      all.push_back(request);
    }
  }
  EXPECT_EQ(in_parallel(
                all, [](const RandomRequest& r) { return name(r); }, faults_of),
            "");
}

// As many as the shared memory of an sm_90 holds, where that is asked for.
TEST(SearchSpace, ABlockMayHaveMorePointsThanByDefault) {
  std::vector<RandomRequest> all;
  for (const auto& [text, points] : {std::pair{"(gs 10 (gs 20 (gs 10 (dft 10))))", 20},
                                     {"(gs 15 (gs 10 (gs 15 (dft 10))))", 30}}) {
    RandomRequest request;
    request.tuning.decomposition = parse_decomposition(text);
    request.problem.lengths = {request.tuning.decomposition->n()};
    request.tuning.block_points = static_cast<unsigned>(request.problem.n());
    request.tuning.points_per_thread = points;
    request.arch = "sm_90";
    all.push_back(request);
    request.arch = "sm_80";
    EXPECT_THROW((void)request.generated(), UnsupportedProblem) << text;
  }
  EXPECT_EQ(in_parallel(
                all, [](const RandomRequest& r) { return name(r); }, faults_of),
            "");
}

TEST(SearchSpace, KernelsAreRight) {
  RandomRequests requests(11);
  std::vector<RandomRequest> all;
  for (int i = 0; i < 24; ++i) all.push_back(requests.next_supported());
  EXPECT_EQ(in_parallel(
                all, [](const RandomRequest& r) { return name(r); }, faults_of),
            "");
}

}  // namespace
}  // namespace sonoma::test
