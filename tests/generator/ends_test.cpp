// Ends as values: lengths and code of passes, what a plain problem is, and malformed IR.
#include <gtest/gtest.h>

#include "edit_ops.hpp"
#include "sonoma/check.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

FftProblem problem_of(std::int64_t n, const Ends& ends) {
  FftProblem problem;
  problem.lengths = {n};
  problem.ends = ends;
  return problem;
}

const Ends all_of_them{40, 33, "value", "value"};

TEST(EndValues, DistancesAndExtentsFollowTheLengths) {
  FftProblem problem = problem_of(64, {40, 33, "", ""});
  problem.batch = 3;
  EXPECT_EQ(problem.in_dist(), 40);
  EXPECT_EQ(problem.out_dist(), 33);
  EXPECT_EQ(problem.in_points(), 120);
  EXPECT_EQ(problem.out_points(), 99);
  EXPECT_EQ(to_string(problem),
            "c2c f32 n=64 batch=3 forward out-of-place ends: in 40 out 33 scale=1");
  EXPECT_EQ(to_string(Ends{0, 0, "a\n b", ""}), "load_code=\"a  b\"");
}

TEST(EndValues, OnlyTheFirstAndTheLastPassHaveThem) {
  Tuning tuning;
  tuning.pass_lengths = {{32, 32, 32}};
  const Program program =
      make_program(problem_of(32768, {1000, 32000, "value", "value"}), target_for("sm_90"), tuning);
  ASSERT_EQ(program.launches.size(), 3u);
  const Pass &first = program.launches[0].pass, &middle = program.launches[1].pass,
             &last = program.launches[2].pass;
  EXPECT_TRUE(first.has_ends() && last.has_ends() && !middle.has_ends());
  EXPECT_EQ(first.code(true), "value");
  EXPECT_EQ(first.code(false), "");
  EXPECT_EQ(last.code(true), "");
  EXPECT_EQ(in_points(first, 2), 2000);
  EXPECT_EQ(out_points(last, 2), 64000);
}

TEST(EndValues, NoProblemThatHasThemIsPlain) {
  EXPECT_TRUE(is_plain(problem_of(64, {}), {}));
  for (const Ends& ends : {Ends{40, 0, "", ""}, Ends{0, 40, "", ""}, Ends{0, 0, "value", ""},
                           Ends{0, 0, "", "value"}, Ends{80, 0, "", ""}}) {
    EXPECT_FALSE(is_plain(problem_of(64, ends), {})) << to_string(ends);
  }
}

TEST(EndValues, CodeMayNotKnowLoops) {
  FftProblem problem = problem_of(64, all_of_them);
  problem.layout.loops = {{8, 64, 64}};
  problem.layout.in_dist = problem.layout.out_dist = 512;
  EXPECT_THROW(validate(problem), UnsupportedProblem);
}

KernelIr ir_with_code() {
  Tuning tuning;
  tuning.engine = Engine::simt;
  return generate(problem_of(64, all_of_them), target_for("sm_90"), tuning).ir;
}

std::size_t code_of(const KernelIr& ir, bool store) {
  for (std::size_t i = 0; i < ir.ops.size(); ++i) {
    const auto* code = std::get_if<op::CallerCode>(&ir.ops[i]);
    if (code && code->store == store) return i;
  }
  return ir.ops.size();
}

TEST(EndValues, CodeThatIsMissingTwiceOrElsewhereIsMalformed) {
  const KernelIr right = ir_with_code();
  EXPECT_EQ(verify(right), "");
  for (const bool store : {false, true}) {
    const std::size_t at = code_of(right, store);
    ASSERT_LT(at, right.ops.size());
    const std::string missing = verify(without(right, at));
    EXPECT_NE(missing.find("missing"), std::string::npos) << missing;
    EXPECT_NE(verify(twice(right, at)), "");
    EXPECT_NE(verify(swapped(right, store ? at - 1 : at)), "");
  }
}

}  // namespace
}  // namespace sonoma::test
