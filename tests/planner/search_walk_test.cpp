// Searches over a spread of requests. What a search may ask for is a kernel or refused: where the
// generator takes a request and fails, its InternalError reaches the test.
#include <gtest/gtest.h>

#include <string>

#include "sonoma/candidates.hpp"
#include "sonoma/errors.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

// How many candidates there are; none where all is refused.
std::size_t walk(std::int64_t n, const char* arch, Storage storage, Arithmetic arithmetic,
                 Effort effort = Effort::measure) {
  FftProblem problem = problem_of(n);
  problem.storage = storage;
  SCOPED_TRACE(to_string(problem) + " " + arch + " " + to_string(arithmetic));
  try {
    return candidates(problem, target_for(arch), arithmetic, effort).size();
  } catch (const UnsupportedProblem&) {
    return 0;
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
    return 0;
  }
}

TEST(SearchWalk, PowersOfTwo) {
  for (const char* arch : {"sm_75", "sm_90", "sm_120"}) {
    for (const std::int64_t n : {2, 32, 1 << 13, 1 << 14, 1 << 16, 1 << 22}) {
      EXPECT_GT(walk(n, arch, Storage::f32, Arithmetic::simt), 0u) << arch << " " << n;
    }
  }
  for (const Arithmetic arithmetic : searched_arithmetics) {
    EXPECT_GT(walk(16, "sm_75", Storage::bf16, arithmetic), 0u) << to_string(arithmetic);
    EXPECT_GT(walk(512, "sm_80", Storage::f16, arithmetic), 0u) << to_string(arithmetic);
  }
}

// A tree with a step of radix 32 goes there with products of radix 16.
TEST(SearchWalk, TheLongestOfOneBlockOnTensorCores) {
  for (const char* arch : {"sm_75", "sm_90"}) {
    EXPECT_GT(walk(8192, arch, Storage::f32, Arithmetic::split3), 0u) << arch;
  }
}

TEST(SearchWalk, OtherLengthsAndPrimes) {
  for (const std::int64_t n : {3, 67, 360, 817, 1009, 12097, 30030}) {
    const bool whole_convolution = n == 67 || n == 1009;  // of a power of two
    EXPECT_GT(walk(n, "sm_90", Storage::f32, Arithmetic::simt), 0u) << n;
    EXPECT_EQ(walk(n, "sm_90", Storage::f32, Arithmetic::split3) > 0, whole_convolution) << n;
  }
  for (const std::int64_t n : {31, 100000}) {  // of passes a block of sm_75 takes fewer columns
    EXPECT_GT(walk(n, "sm_75", Storage::f16, Arithmetic::simt), 0u) << n;
    EXPECT_GT(walk(n, "sm_100", Storage::i16, Arithmetic::simt), 0u) << n;
  }
}

TEST(SearchWalk, Patient) {
  for (const std::int64_t n : {8, 31, 65536}) {
    EXPECT_GT(walk(n, "sm_90", Storage::f32, Arithmetic::simt, Effort::patient), 0u) << n;
  }
  EXPECT_GT(walk(32, "sm_90", Storage::f16, Arithmetic::half, Effort::patient), 0u);
}

}  // namespace
}  // namespace sonoma::testing
