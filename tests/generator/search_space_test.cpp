// Whatever a search may ask for: a well-formed kernel, or an error that names what does not go.
#include <gtest/gtest.h>

#include "random_requests.hpp"
#include "sonoma/check.hpp"
#include "sonoma/errors.hpp"

namespace sonoma::test {
namespace {

// generate() throws InternalError for a schedule or an IR that is not well formed.
TEST(SearchSpace, EveryRequestIsAKernelOrUnsupported) {
  RandomRequests requests(1);
  unsigned kernels = 0, unsupported = 0;
  for (int i = 0; i < 2000; ++i) {
    const RandomRequest request = requests.next();
    try {
      const Generated g = request.generated();
      EXPECT_EQ(check(g.schedule), "") << name(request);
      EXPECT_EQ(verify(g.ir), "") << name(request);
      ++kernels;
    } catch (const UnsupportedProblem&) {
      ++unsupported;
    } catch (const std::exception& error) {
      ADD_FAILURE() << name(request) << ": " << error.what();
    }
  }
  EXPECT_GT(kernels, 1000u);
  EXPECT_GT(unsupported, 100u);
}

// The choices that generate() resolved are a request for the same kernel.
TEST(SearchSpace, ResolvedChoicesGiveTheSameKernel) {
  RandomRequests requests(2);
  for (int i = 0; i < 100; ++i) {
    const RandomRequest request = requests.next_supported();
    const Generated g = request.generated();
    const Generated again = generate(request.problem, target_for(request.arch), g.tuning);
    EXPECT_EQ(again.source, g.source) << name(request);
    EXPECT_EQ(again.tuning, g.tuning) << name(request);
  }
}

// Through shared memory into the layout it has already: nothing is staged.
TEST(SearchSpace, WhatIsLinearAlreadyIsNotStaged) {
  RandomRequest request;
  request.problem.lengths = {2};
  request.arch = "sm_90";
  request.tuning.engine = Engine::mma;
  request.tuning.stage_load = request.tuning.stage_store = true;
  const Schedule s = request.generated().schedule;
  EXPECT_FALSE(s.load.staged || s.store.staged);
  EXPECT_EQ(s.launch.shared_bytes, 0u);
}

// Complex words have no scale but the transform's: where warps hold several, halves are split.
TEST(SearchSpace, WordsNeedTheScaleOfTheTransform) {
  unsigned words = 0, no_scale = 0;
  RandomRequests requests(3);
  for (int i = 0; i < 500; ++i) {
    const Generated g = requests.next_supported().generated();
    if (g.schedule.engine() != Engine::mma || g.schedule.products() != 1) continue;
    if (!g.target.has_words()) continue;
    for (const Phase& phase : g.schedule.phases) {
      for (const Step& step : phase.steps) {
        if (step.radix != 16 || step.form == StepForm::registers) continue;
        EXPECT_EQ(step.words, g.schedule.scale_warps > 0) << to_string(g.schedule);
        (step.words ? words : no_scale) += 1;
      }
    }
  }
  EXPECT_GT(words, 10u);
  EXPECT_GT(no_scale, 10u);
}

}  // namespace
}  // namespace sonoma::test
