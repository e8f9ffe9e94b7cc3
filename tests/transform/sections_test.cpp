// Passes that are sections of one tree: the bits of one kernel of it, whatever takes them.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "host_compiler.hpp"
#include "plan_transform.hpp"
#include "sonoma/emulator.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

using Lengths = std::vector<std::int64_t>;

struct Case {
  Decomposition tree;
  Lengths lengths;
  Direction direction = Direction::forward;
  Storage storage = Storage::f32;
  Placement placement = Placement::out_of_place;
  Twiddles twiddles = Twiddles::products;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << to_string(c.tree) << " " << to_list(c.lengths) << " " << to_string(c.storage);
}

FftProblem problem_of(const Case& c, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = {c.tree.n()};
  problem.batch = batch;
  problem.direction = c.direction;
  problem.storage = c.storage;
  problem.placement = c.placement;
  problem.accuracy.arithmetic = Arithmetic::simt;  // FP32 between the passes
  return problem;
}

PlanOptions options_of(const Case& c) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning.engine = Engine::simt;
  options.tuning.decomposition = c.tree;
  options.tuning.twiddles = c.twiddles;
  options.tuning.pass_lengths = c.lengths;
  options.tuning.workspace_points = 2 * c.tree.n();  // two transforms together: several rounds
  return options;
}

using Words = std::vector<std::uint32_t>;

// Of three transforms.
Words transformed(const Case& c, const PlanOptions& options) {
  const std::size_t points = 3 * static_cast<std::size_t>(c.tree.n());
  Words in(points * static_cast<std::size_t>(point_bytes(c.storage)) / 4), out(in.size());
  if (c.storage == Storage::f32) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = std::bit_cast<std::uint32_t>(std::sin(0.1f * static_cast<float>(i)));
    }
  } else {
    std::iota(in.begin(), in.end(), 0x30003000u);  // f16
  }
  Words& to = c.placement == Placement::in_place ? in : out;
  make_plan(problem_of(c, 3), options).execute(in.data(), to.data());
  return to;
}

class Sections : public ::testing::TestWithParam<Case> {};

TEST_P(Sections, MakeTheBitsOfOneKernel) {
  const Case& c = GetParam();
  PlanOptions sections = options_of(c), one = sections;
  one.tuning.pass_lengths.reset(), one.tuning.workspace_points.reset();
  if (c.tree.n() > 16384) one.tuning.cluster = 4;
  const Words expected = transformed(c, one);
  EXPECT_EQ(transformed(c, sections), expected);
  sections.tuning.columns = 32;
  EXPECT_EQ(transformed(c, sections), expected) << "in columns of 32";
  if (c.lengths.size() == 2 && c.direction == Direction::forward) {
    sections.tuning.fused = true;
    EXPECT_EQ(transformed(c, sections), expected) << "in one launch";
  }
}

TEST_P(Sections, MeetTheProtocol) {
  const PlanTransform transform([](std::int64_t batch) {
    return make_plan(problem_of(GetParam(), batch), options_of(GetParam()));
  });
  const auto report = transform.check({.random_transforms = 2});
  EXPECT_TRUE(report.pass()) << to_string(report);
}

INSTANTIATE_TEST_SUITE_P(
    Trees, Sections,
    ::testing::Values(
        Case{{{16, 8, 16, 2}}, {128, 32}}, Case{{{16, 4, 16, 4}}, {64, 64}, Direction::inverse},
        Case{{{16, 16, 16, 4}}, {256, 64}, Direction::forward, Storage::f16},
        Case{{{32, 32, 16}}, {32, 512}, Direction::inverse, Storage::f32, Placement::in_place},
        Case{{{16, 16, 16, 4}},
             {64 * 4, 64},
             Direction::forward,
             Storage::f32,
             Placement::out_of_place,
             Twiddles::table},
        Case{{{16, 8, 16, 2}},
             {128, 32},
             Direction::forward,
             Storage::f32,
             Placement::out_of_place,
             Twiddles::powers},
        Case{{{32, 32, 32}}, {32, 32, 32}}));

// What the plan of few transforms takes by itself.
TEST(Sections, ServeFewTransforms) {
  PlanOptions options;
  options.device = Device::cpu;
  const Case c{{{16, 16, 16, 16}}, {}};
  const Plan few = make_plan(problem_of(c, 1), options),
             many = make_plan(problem_of(c, 64), options);
  EXPECT_EQ(few.workspace_bytes(), 65536u * 8);
  EXPECT_EQ(many.workspace_bytes(), 0u);
  options.workspace_policy = WorkspacePolicy::minimal;
  EXPECT_EQ(make_plan(problem_of(c, 1), options).workspace_bytes(), 0u);
}

// One launch, from words to points between the passes.
Words launched(const Launch& launch, CudaSource source, const std::string& from,
               const std::string& to) {
  const std::size_t at = source.text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  source.text.replace(at, from.size(), to);
  const auto points = static_cast<std::size_t>(launch.pass.in.dist);
  Words in(2 * points), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = std::bit_cast<std::uint32_t>(std::sin(0.1f * static_cast<float>(i)));
  }
  const EmulatedKernel kernel(compiled(source), source);
  (void)kernel.launch(std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)),
                      source.tables, 1, {.check_races = true});
  return out;
}

TEST(Sections, EveryPieceIsNeeded) {
  const Case c{{{16, 4, 16, 4}}, {64, 64}};
  const Program program = make_program(problem_of(c, 1), target_for("sm_90"), options_of(c).tuning);
  const Launch& first = program.launches.front();
  const CudaSource source = generate(first, target_for("sm_90")).source;
  const std::string column = "tables + column";
  const Words right = launched(first, source, column, column);
  EXPECT_NE(launched(first, source, column, "tables"), right);
  CudaSource other = source;
  std::size_t last = other.tables.size() - 1;
  while (other.tables[last] == 0) --last;  // an odd number of factors leaves room behind them
  other.tables[last] ^= 1u;
  EXPECT_NE(launched(first, other, column, column), right) << "the last column's last factor";
}

TEST(Sections, WhatTheyCannotIsRefusedByName) {
  const Case c{{{16, 4, 16, 4}}, {64, 64}};
  const auto refused = [&](const std::function<void(FftProblem&, Tuning&)>& change) {
    FftProblem problem = problem_of(c, 1);
    Tuning tuning = options_of(c).tuning;
    change(problem, tuning);
    try {
      (void)make_program(problem, target_for("sm_90"), tuning);
      return std::string("not refused");
    } catch (const UnsupportedProblem& error) {
      return error.field();
    }
  };
  EXPECT_EQ(refused([](auto&, Tuning& t) { t.pass_lengths = {128, 32}; }), "decomposition");
  EXPECT_EQ(refused([](auto&, Tuning& t) { t.engine = Engine::mma; }), "decomposition");
  EXPECT_EQ(refused([](FftProblem& p, Tuning& t) {
              p.lengths = {1 << 30};
              t.decomposition = Decomposition{{32, 32, 32, 32, 32, 32}};
              t.pass_lengths = {1024, 1024, 1024};
            }),
            "decomposition");
  EXPECT_EQ(refused([](FftProblem& p, auto&) { p.order = Order::transposed; }), "decomposition");
}

}  // namespace
}  // namespace sonoma::test
