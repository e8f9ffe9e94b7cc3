// main() of every test binary. Exit codes: 0 passed, 1 failed, 77 every test was skipped.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "sample.hpp"

namespace {

// Of the cases of each parametrised test those that are not in the sample are filtered out.
void take_sample() {
  const auto& all = *testing::UnitTest::GetInstance();
  std::string others;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    const auto cases = static_cast<std::size_t>(suite.total_test_count());
    const std::size_t step = sonoma::test::sample_step(cases);
    for (std::size_t one = 0; one < cases; ++one) {
      const testing::TestInfo& test = *suite.GetTestInfo(static_cast<int>(one));
      if (test.value_param() == nullptr || one % step == 0) continue;
      others += (others.empty() ? "" : ":") + (suite.name() + ("." + std::string(test.name())));
    }
  }
  if (others.empty()) return;
  std::printf("every third case of long lists; all with SONOMA_EVERY_REQUEST=1\n");
  const std::string asked = GTEST_FLAG_GET(filter);
  const bool excludes = asked.find('-') != std::string::npos;
  GTEST_FLAG_SET(filter, asked + (excludes ? ":" : "-") + others);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  take_sample();
  const int failed = RUN_ALL_TESTS();
  if (GTEST_FLAG_GET(list_tests)) return failed;
  const auto& test = *testing::UnitTest::GetInstance();
  const bool all_skipped =
      test.skipped_test_count() > 0 && test.successful_test_count() == 0 && failed == 0;
  // A filter that matches nothing, or a binary without tests, must not look like success.
  if (test.test_to_run_count() == 0) {
    std::fprintf(stderr, "no test was run: the filter matches none\n");
    return 1;
  }
  return all_skipped ? 77 : failed;
}
