// main() of every test binary. Exit codes: 0 passed, 1 failed, 77 every test was skipped.
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
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
