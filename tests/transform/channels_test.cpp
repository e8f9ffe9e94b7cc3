// Convolutions whose channels are summed, on the emulated device, beside the sums of the reference;
// how many launches they take, and what is refused.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "filters.hpp"
#include "laid_out.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/program.hpp"
#include "sonoma/verify/convolution.hpp"

namespace sonoma::test {
namespace {

using Shape = std::vector<std::int64_t>;

struct Case {
  FftProblem problem;
  Tuning tuning = {};
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << to_string(c.problem) << " " << to_string(c.tuning);
}

// Each of `results` filters sums `channels` of their own spectra.
FftProblem layer(const Shape& shape, bool real, std::int64_t channels, std::int64_t results) {
  FftProblem problem = problem_of(shape, real);
  const std::int64_t length = spectrum_length(problem);
  problem.convolution->channels = {channels, 0, length};
  if (results == 1) return problem;
  problem.layout.loops = {{results, 0, problem.n()}};
  problem.layout.out_dist = results * problem.n();
  problem.convolution->spectrum_strides = {channels * length};
  return problem;
}

class Channels : public testing::TestWithParam<Case> {};

TEST_P(Channels, AreSummed) {
  const FftProblem& problem = GetParam().problem;
  const Plan plan = plan_of(problem, 3, GetParam().tuning);
  expect_reference(plan);
  EXPECT_LT(error_limit(plan.program()), 14 * 0x1p-24 + (problem.storage == Storage::f16 ? 1 : 0));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const Shape& shape, bool real, std::int64_t channels,
                       std::int64_t results) -> Case& {
    return all.emplace_back(Case{layer(shape, real, channels, results)});
  };
  // In one launch.
  add({64}, false, 3, 1);
  add({1024}, false, 2, 1).problem.convolution->correlate = true;
  add({360}, false, 3, 2);
  add({256}, false, 2, 1).tuning.engine = Engine::mma;
  add({128}, true, 5, 1);
  add({96}, true, 2, 3).problem.convolution->correlate = true;
  add({45}, true, 3, 1);
  add({512}, true, 2, 1).problem.storage = Storage::f16;
  add({1024}, false, 2, 1).tuning.cluster = 2u;
  all.back().tuning.decomposition = Decomposition{{16, 4, 16}};
  all.back().tuning.block_points = 1024u;
  add({64}, true, 64, 1);
  // In passes.
  add({1024}, false, 3, 1).tuning.pass_lengths = {32, 32};
  add({1024}, true, 2, 2).tuning.pass_lengths = {32, 32};
  add({960}, false, 2, 2).tuning.pass_lengths = {8, 10, 12};
  add({945}, true, 1, 2).tuning.pass_lengths = {9, 15, 7};
  // Of several axes.
  add({16, 12}, false, 3, 1);
  add({16, 12}, false, 1, 3);
  add({12, 20}, true, 2, 2);
  add({4, 6, 10}, true, 2, 1);
  add({5, 4, 6}, false, 2, 2).problem.storage = Storage::f16;
  add({1024, 4}, false, 2, 2).tuning.pass_lengths = {32, 32};
  return all;
}

INSTANTIATE_TEST_SUITE_P(Requests, Channels, testing::ValuesIn(cases()));

// The way to frequencies is made once for all filters of a signal.
TEST(ChannelsOfAxes, TakeNoLaunchMoreAndNoTransformTwice) {
  const Plan plan = plan_of(layer({16, 12}, true, 3, 5), 2);
  const Program& program = plan.program();
  ASSERT_EQ(program.launches.size(), 3u);
  EXPECT_EQ(program.axes[0].repeat * 2, 2 * 3 * 16);  // rows of signals
  EXPECT_EQ(program.launches[0].to, Buffer::signals);
  EXPECT_EQ(program.launches[1].from, Buffer::signals);
  EXPECT_EQ(program.launches[1].to, Buffer::between);
  EXPECT_EQ(program.launches[2].from, Buffer::between);
  EXPECT_EQ(program.axes[2].repeat * 2, 2 * 5 * 16);  // and of results
  EXPECT_EQ(plan_of(layer({64}, true, 3, 5), 2).program().launches.size(), 1u);
}

std::string refusal(const std::function<void(FftProblem&)>& ask, const Tuning& tuning = {}) {
  FftProblem problem = layer({64}, false, 3, 1);
  ask(problem);
  try {
    (void)plan_of(problem, 1, tuning);
  } catch (const UnsupportedProblem& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ChannelsOfASignal, AreRefusedWhereTheyCannotBeSummed) {
  const auto begins = [](const std::string& text, const std::string& with) {
    EXPECT_EQ(text.find(with), 0u) << text;
  };
  begins(refusal([](FftProblem&) {}), "nothing");
  begins(refusal([](FftProblem& p) { p.convolution->channels.count = 0; }),
         "convolution.channels.count = 0 is not supported: 1 or more");
  begins(refusal([](FftProblem& p) { p.convolution->channels.in_dist = -1; }),
         "convolution.channels.in_dist = -1 ");
  begins(refusal([](FftProblem& p) { p.convolution->channels.spectrum_dist = -64; }),
         "convolution.channels.spectrum_dist = -64 ");
  begins(refusal([](FftProblem& p) { p.convolution->channels.count = std::int64_t{1} << 60; }),
         "convolution.channels.count = ");
  begins(refusal([](FftProblem& p) { p.placement = Placement::in_place; }),
         "convolution.channels.count = 3 is not supported: 1 where the result takes the place");
  begins(refusal([](FftProblem& p) { p.ends.load_code = "value"; }),
         "convolution.channels.count = 3 is not supported: 1 beside ends.load_code");
}

}  // namespace
}  // namespace sonoma::test
