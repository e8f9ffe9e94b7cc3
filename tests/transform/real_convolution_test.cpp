// Real numbers in pairs whose half length takes a convolution: one of half the points, on the
// emulated device.
#include <gtest/gtest.h>

#include "laid_out.hpp"
#include "mutants.hpp"
#include "plan_transform.hpp"
#include "real_cases.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

constexpr Domain in_pairs[] = {Domain::r2c, Domain::c2r, Domain::dct2, Domain::dct3};
constexpr std::int64_t by_bluestein = 2 * 107, by_rader = 2 * 103;

RealCase by_method(Domain domain, std::int64_t n, Method method, std::int64_t batch = 3) {
  RealCase c = real_case(domain, {n}, batch);
  c.options.tuning.method = method;
  return c;
}

const Launch& launch_of(const Plan& plan) { return plan.program().launches.front(); }

TEST(RealConvolutions, AreOfHalfTheLength) {
  for (const Domain domain : in_pairs) {
    const RealCase c = by_method(domain, by_bluestein, Method::bluestein);
    const Plan plan = make_plan(c.problem, c.options);
    EXPECT_EQ(launch_of(plan).pass.n(), by_bluestein / 2) << to_string(domain);
    EXPECT_TRUE(launch_of(plan).shape.convolves()) << to_string(domain);
    EXPECT_LT(launch_of(plan).shape.length(), 2 * by_bluestein) << to_string(domain);
  }
  for (const Domain domain : real_domains) {
    const RealCase c = real_case(domain, {by_rader});
    const Plan plan = make_plan(c.problem, c.options);
    EXPECT_EQ(launch_of(plan).shape.method, Method::rader) << to_string(domain);
    EXPECT_EQ(launch_of(plan).shape.length(), by_rader / 2 - 1) << to_string(domain);
  }
}

// The numbers of a cosine transform come one by one, and so do powers of a root.
TEST(RealConvolutions, OfNumbersTakeNoPowers) {
  const RealCase c = real_case(Domain::dct2, {by_rader});
  const Plan plan = make_plan(c.problem, c.options);
  EXPECT_EQ(launch_of(plan).shape.method, Method::bluestein);
}

// Also of tiles that are padded. (Of c2r the emulator takes stores of different turns for one.)
TEST(RealConvolutions, CountsAreAsPredicted) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {by_bluestein, by_rader, std::int64_t{2 * 335}, std::int64_t{250}}) {
    const FftProblem problem = real_case(Domain::r2c, {n}).problem;
    const Program program = make_program(problem, target, {});
    EXPECT_EQ(miscounts(generate(program.launches.at(0), target).passes.at(0)), "") << n;
  }
  for (const auto& lengths : std::vector<std::vector<std::int64_t>>{
           {6, 70}, {6, 200}, {12, 14}, {5, 4, 16}, {9, 21}, {40, 25}}) {
    const Program plane = make_program(real_case(Domain::r2c, lengths).problem, target, {});
    EXPECT_EQ(miscounts(generate(plane.launches.at(0), target).passes.at(0)), "")
        << to_shape(lengths);
  }
}

class RealConvolution : public testing::TestWithParam<RealCase> {};

// Of what the checks of a transform have in store, from subnormals to 3e38.
TEST_P(RealConvolution, IsRight) {
  const RealCase& c = GetParam();
  const auto plan_of = [&](std::int64_t batch) {
    FftProblem problem = c.problem;
    problem.batch = batch;
    return make_plan(problem, c.options);
  };
  const Plan plan = plan_of(1);
  EXPECT_TRUE(launch_of(plan).pass.mirrors() && launch_of(plan).shape.convolves());
  const verification::Report report = verification::check_executions(
      cli::executions_of(plan_of, {}), plan.problem(), roundings_of(plan.program()), {});
  EXPECT_TRUE(report.pass()) << summary(report);
}

std::vector<RealCase> kinds() {
  std::vector<RealCase> all;
  for (const Domain domain : in_pairs) {
    for (const std::int64_t n : {by_bluestein, std::int64_t{2 * 71}, std::int64_t{2 * 335}}) {
      all.push_back(by_method(domain, n, Method::bluestein));
    }
    all.push_back(by_method(domain, by_bluestein, Method::bluestein));
    all.back().options.tuning.decomposition = {{16, 16}};  // a tile of bits
    all.push_back(all.back());
    all.back().problem.accuracy.arithmetic = Arithmetic::half;
    all.push_back(by_method(domain, by_bluestein, Method::bluestein));
    all.back().options.tuning.engine = Engine::mma;
  }
  for (const Domain domain : real_domains) {
    all.push_back(by_method(domain, by_rader, Method::rader));
    all.push_back(by_method(domain, 34, Method::rader));
    all.push_back(by_method(domain, 2 * 1009, Method::rader));
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(OfKinds, RealConvolution, testing::ValuesIn(kinds()));

class RealConvolutionInMemory : public testing::TestWithParam<RealCase> {};

TEST_P(RealConvolutionInMemory, IsServed) { expect_served(GetParam()); }

std::vector<RealCase> layouts() {
  std::vector<RealCase> all;
  for (const Domain domain : real_domains) {
    for (const Method method : {Method::bluestein, Method::rader}) {
      const std::int64_t n = method == Method::rader ? by_rader : by_bluestein;
      all.push_back(by_method(domain, n, method, 7));
      all.back().problem.placement = Placement::in_place;
      all.back().problem.scale = 0.125;
      all.push_back(by_method(domain, n, method, 5));
      all.back().problem.storage = Storage::f16;
      all.push_back(by_method(domain, n, method, 2));
      all.back().problem.storage = Storage::i16;
      all.back().problem.out_storage = Storage::f32;
      // Frequencies of seven columns side by side.
      FftProblem& columns = all.emplace_back(by_method(domain, n, method, 2)).problem;
      const std::int64_t half = n / 2 + 1;
      columns.layout = domain == Domain::r2c ? DataLayout{1, 7, 7 * n, 7 * half, {{7, n, 1}}}
                                             : DataLayout{7, 1, 7 * half, 7 * n, {{7, 1, n}}};
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Layouts, RealConvolutionInMemory, testing::ValuesIn(layouts()));

}  // namespace
}  // namespace sonoma::test
