// Plans that come and go leave nothing in memory, not even what is still reachable at the end,
// which no leak sanitizer tells.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <string>
#include <vector>

#include "every_kind.hpp"
#include "fake_driver_access.hpp"
#include "runtime.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

std::vector<test::Request> some_of_every_kind() {
  std::vector<test::Request> all;
  for (const auto& kind : test::requests_by_kind()) {
    for (std::size_t i = 0; i < kind.size(); i += 4) all.push_back(kind[i]);
  }
  return all;
}

class NothingIsLeft : public ::testing::Test {
 protected:
  void make_and_drop(const test::Request& request) {
    PlanOptions options;
    options.device = Device::gpu;
    options.tuning = request.tuning;
    (void)runtime_.make_plan(request.problem, options);
  }

  // What is allocated, once the fake driver has forgotten what it was asked.
  [[nodiscard]] std::size_t bytes_in_use() {
    std::vector<std::string>().swap(state_->calls);
    return mallinfo2().uordblks + mallinfo2().hblkhd;
  }

  FakeDriverState* state_ = reset_fake_driver();
  TemporaryFolder folder_;
  Runtime runtime_{fake_gpu_config(folder_.path())};
};

TEST_F(NothingIsLeft, OfPlansThatComeAndGo) {
  const std::vector<test::Request> all = some_of_every_kind();
  for (int round = 0; round < 2; ++round) {
    for (const test::Request& request : all) make_and_drop(request);
  }
  std::string growing;
  for (const test::Request& request : all) {
    const std::size_t before = bytes_in_use();
    for (int i = 0; i < 20; ++i) make_and_drop(request);
    const std::size_t after = bytes_in_use();
    if (after > before + 512) growing += request.name + " " + std::to_string(after - before) + "\n";
  }
  EXPECT_EQ(growing, "");
}

}  // namespace
}  // namespace sonoma::testing
