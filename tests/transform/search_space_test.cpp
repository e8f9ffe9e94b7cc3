// Kernels from all over the search space pass the protocol on the emulated device.
#include <gtest/gtest.h>

#include "cases.hpp"
#include "parallel.hpp"
#include "random_requests.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {
namespace {

std::string faults_of(const RandomRequest& request) {
  const Generated g = request.generated();
  const std::int64_t n = request.problem.n();
  const EmulatedKernel kernel(HostCompiler().compile(g.source), g.source);
  const auto transform = [&](const std::byte* in, std::byte* out, std::int64_t batch) {
    const auto bytes = static_cast<std::size_t>(batch * n) * point_bytes(request.problem.storage);
    kernel.launch({in, bytes}, {out, bytes}, g.source.tables, static_cast<std::uint64_t>(batch),
                  {.check_races = true, .host_threads = 1});
  };
  const auto report = verification::check_transform(
      verification::unpacked(request.problem.storage, n, transform), request.problem, g.tuning,
      {.random_transforms = random_rows(n)});
  return report.pass() ? "" : summary(report);
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
