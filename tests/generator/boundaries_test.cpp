// What lies between the passes of a transform.
#include <gtest/gtest.h>

#include <cmath>

#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

FftProblem problem_of(std::int64_t n, Storage in, Storage out) {
  FftProblem problem;
  problem.lengths = {n};
  problem.storage = in, problem.out_storage = out;
  return problem;
}

// Of all boundaries; they agree.
Storage between(const FftProblem& problem, const Tuning& tuning = {}) {
  const Program program = make_program(problem, target_for("sm_90"), tuning);
  const auto& launches = program.launches;
  const Storage storage = launches.front().pass.out.storage;
  EXPECT_EQ(launches.front().pass.in.storage, problem.storage);
  EXPECT_EQ(launches.back().pass.out.storage, problem.result_storage());
  for (std::size_t i = 0; i + 1 < launches.size(); ++i) {
    EXPECT_EQ(launches[i].pass.out.storage, storage);
    EXPECT_EQ(launches[i + 1].pass.in.storage, storage);
  }
  return storage;
}

TEST(Boundaries, AreHalfAsWideWhereTheResultIs) {
  using enum Storage;
  const std::int64_t n = 1 << 18;
  for (const Storage out : {f16, bf16}) {
    for (const Storage in : {f32, f16, bf16, i16}) {
      EXPECT_EQ(between(problem_of(n, in, out)), c12e8) << to_string(in) << to_string(out);
    }
  }
  for (const Storage in : {f32, f16, bf16, i16}) {
    EXPECT_EQ(between(problem_of(n, in, f32)), f32);
    EXPECT_EQ(between(problem_of(n, in, i16)), f32);  // which holds 15 bits
  }
}

TEST(Boundaries, OfThreePassesAndOfAnyOrderAgree) {
  Tuning three;
  three.pass_lengths = {64, 64, 64};
  FftProblem problem = problem_of(1 << 18, Storage::f16, Storage::bf16);
  EXPECT_EQ(between(problem, three), Storage::c12e8);
  problem.order = Order::transposed;
  EXPECT_EQ(between(problem, three), Storage::c12e8);
  problem.direction = Direction::inverse;
  EXPECT_EQ(between(problem, three), Storage::c12e8);
  EXPECT_EQ(between(problem_of(30030, Storage::f16, Storage::f16)), Storage::c12e8);
}

TEST(Boundaries, OfConvolutionsAreFp32) {
  EXPECT_EQ(between(problem_of(12099, Storage::f16, Storage::f16)), Storage::f32);
}

TEST(Boundaries, FollowTheAccuracy) {
  FftProblem problem = problem_of(1 << 18, Storage::f16, Storage::f16);
  problem.accuracy.max_rel_l2 = 6e-4;
  EXPECT_EQ(between(problem), Storage::c12e8);
  problem.accuracy.max_rel_l2 = 4e-4;
  EXPECT_EQ(between(problem), Storage::f32);
  problem.accuracy = {Arithmetic::simt, {}};
  EXPECT_EQ(between(problem), Storage::f32);
  problem.accuracy = {Arithmetic::half, {}};
  Tuning mma;
  mma.engine = Engine::mma;
  EXPECT_EQ(between(problem, mma), Storage::c12e8);
}

// The command in the kernel makes it again.
TEST(Boundaries, AreInTheCommand) {
  FftProblem problem = problem_of(1 << 18, Storage::f16, Storage::f16);
  Tuning fused;
  fused.fused = true;
  for (const Tuning& tuning : {Tuning{}, fused}) {
    problem.accuracy = {{}, 4e-4};
    const auto text = [&] {
      const Program program = make_program(problem, target_for("sm_90"), tuning);
      return generate(program.launches.front(), target_for("sm_90")).source.text;
    };
    EXPECT_NE(text().find(" --accuracy 0.0004"), std::string::npos);
    problem.accuracy = {};
    EXPECT_EQ(text().find("--accuracy"), std::string::npos);
  }
}

// The rounding is a part of what is promised, of each pass and of the whole.
TEST(Boundaries, AddToTheErrors) {
  const Target target = target_for("sm_90");
  const double v = 0x1p-11;
  for (const auto& lengths : {std::vector<std::int64_t>{512, 512}, {64, 64, 64}}) {
    const auto boundaries = static_cast<double>(lengths.size() - 1);
    Tuning tuning;
    tuning.pass_lengths = lengths;
    const Program program =
        make_program(problem_of(1 << 18, Storage::f16, Storage::f16), target, tuning);
    EXPECT_NEAR(error_limit(program), 1.5 * v * std::hypot(0.41, 0.55 * std::sqrt(boundaries)),
                1e-8);
    double bound = 0;
    for (const Launch& launch : program.launches) {
      bound += generate(launch, target).passes.front().error.bound;
    }
    EXPECT_NEAR(bound, v * (1 + std::sqrt(2.0) * boundaries), 1e-5);
  }
}

// One number makes 4096 equal ones, all of which are rounded alike, by up to v.
TEST(Boundaries, FewNumbersAreRoundedAlike) {
  const Target target = target_for("sm_90");
  const auto limit = [&](std::int64_t read, std::int64_t stored) {
    FftProblem problem = problem_of(4096, Storage::f16, Storage::f16);
    problem.ends.in_length = read, problem.ends.out_length = stored;
    problem.accuracy = {Arithmetic::simt, {}};
    return error_limit(make_program(problem, target, {}));
  };
  const double v = 0x1p-11, many = limit(0, 0);
  EXPECT_NEAR(many, 1.5 * 0.41 * v, 1e-3 * v);
  for (const auto& [read, stored] : {std::pair(1, 0), {63, 0}, {0, 63}, {3000, 1}}) {
    EXPECT_NEAR(limit(read, stored), v, 1e-3 * v) << read << ", " << stored;
  }
  EXPECT_EQ(limit(64, 64), many);
}

TEST(Boundaries, AreNotForCallers) {
  using enum Storage;
  for (const FftProblem& problem : {problem_of(1 << 18, c12e8, f16), problem_of(64, f16, c12e8)}) {
    try {
      (void)make_program(problem, target_for("sm_90"), {});
      ADD_FAILURE() << to_string(problem);
    } catch (const UnsupportedProblem& error) {
      EXPECT_EQ(error.field(), "storage");
      EXPECT_EQ(error.value(), "c12e8");
    }
  }
}

}  // namespace
}  // namespace sonoma::test
