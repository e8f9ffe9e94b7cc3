// What was measured of columns, of axes that share a launch, of convolutions and of cosine
// transforms: what it is of, what is searched for it, and what takes it.
#include <gtest/gtest.h>

#include <algorithm>

#include "sonoma/candidates.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/trigonometric.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

const Target target = target_for("sm_90");

FftProblem of_shape(std::vector<std::int64_t> lengths, Domain domain = Domain::c2c) {
  FftProblem problem;
  problem.lengths = std::move(lengths);
  problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return problem;
}

FftProblem convolution_of(std::int64_t n, bool real) {
  FftProblem problem = problem_of(n);
  problem.convolution = Convolution{real};
  return problem;
}

FftProblem columns_of(std::int64_t n, std::int64_t columns) {
  Subject subject{{n}};
  subject.side_by_side = columns;
  return problem_of(subject, n * columns);
}

std::vector<std::string> sizes_of(const FftProblem& problem) {
  std::vector<std::string> sizes;
  for (const FftProblem& part : parts_of(problem, target)) {
    const Subject subject = subject_of(part, Arithmetic::simt);
    sizes.push_back(to_string(part.domain) + " " + to_shape(subject.lengths) +
                    (subject.side_by_side > 0 ? "|" + std::to_string(subject.side_by_side) : ""));
  }
  return sizes;
}

// A problem is what its subject is made of again.
TEST(MeasuredParts, SubjectsAndProblemsAreOfEachOther) {
  for (const FftProblem& problem :
       {problem_of(4096), of_shape({64, 64}), of_shape({32, 100}, Domain::r2c),
        of_shape({512}, Domain::c2r), of_shape({100}, Domain::dct1), columns_of(512, 257),
        convolution_of(4096, false), convolution_of(1000, true)}) {
    const Subject subject = subject_of(problem, Arithmetic::simt);
    const FftProblem one = problem_of(subject, problem.points());
    EXPECT_EQ(one, problem) << to_string(problem);
    EXPECT_EQ(subject_of(problem_of(subject, 1 << 22), Arithmetic::simt), subject);
  }
  EXPECT_EQ(problem_of(Subject{{512}}, 1 << 20).batch, 2048);
  EXPECT_EQ(columns_of(512, 256).layout.in_dist, 512 * 256);
}

TEST(MeasuredParts, OfEachAxisOrOfThoseThatShareALaunch) {
  using Sizes = std::vector<std::string>;
  EXPECT_EQ(sizes_of(problem_of(4096)), (Sizes{"c2c 4096"}));
  EXPECT_EQ(sizes_of(of_shape({64, 64})), (Sizes{"c2c 64x64"}));
  EXPECT_EQ(sizes_of(of_shape({512, 1024})), (Sizes{"c2c 512x1024"})) << "in passes";
  EXPECT_EQ(sizes_of(of_shape({500, 1000})), (Sizes{"c2c 1000", "c2c 500|1000"}));
  EXPECT_EQ(sizes_of(of_shape({100, 100, 100})), (Sizes{"c2c 100x100", "c2c 100|10000"}));
  EXPECT_EQ(sizes_of(of_shape({192, 192, 192})),
            (Sizes{"c2c 192", "c2c 192|192", "c2c 192|36864"}));
  EXPECT_EQ(sizes_of(of_shape({512, 512, 512})), (Sizes{"c2c 512x512", "c2c 512|262144"}));
  EXPECT_EQ(sizes_of(of_shape({512, 512}, Domain::r2c)), (Sizes{"r2c 512", "c2c 512|257"}));
  EXPECT_EQ(sizes_of(of_shape({512, 512}, Domain::c2r)), (Sizes{"c2c 512|257", "c2r 512"}));
}

void expect_served(const Tuning& tuning, const FftProblem& problem) {
  const Program program = make_program(problem, target, tuning);
  for (const Launch& launch : program.launches) {
    EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << to_string(tuning);
  }
  if (tuning.pass_lengths) {
    EXPECT_EQ(program.launches.size() == 1, *tuning.fused) << to_string(tuning);
    return;
  }
  EXPECT_EQ(program.launches.size(), 1u) << to_string(tuning);
  EXPECT_EQ(tuning_of(program.launches.front().shape), tuning);
}

void expect_served(const FftProblem& problem) {
  const auto found = candidates(problem, target, Arithmetic::simt, Effort::measure);
  EXPECT_GE(found.size(), 8u) << to_string(problem);
  EXPECT_LE(found.size(), 64u) << to_string(problem);
  std::vector<Tuning> seen;
  for (const Candidate& one : found) {
    EXPECT_EQ(std::ranges::count(seen, one.tuning), 0) << to_string(one.tuning);
    seen.push_back(one.tuning);
    EXPECT_GT(one.cost.total, 0);
    expect_served(one.tuning, problem);
  }
}

TEST(MeasuredParts, CandidatesAreResolvedAndServed) {
  for (const FftProblem& problem :
       {columns_of(64, 64), columns_of(1024, 1024), columns_of(8192, 8192), columns_of(192, 192),
        columns_of(512, 257), of_shape({16, 16}), of_shape({16, 32}, Domain::r2c),
        of_shape({60, 50}), of_shape({512, 512}), of_shape({64, 64, 64}),
        convolution_of(4096, false), convolution_of(2048, true), convolution_of(1000, false),
        convolution_of(16384, false), of_shape({256}, Domain::dct2),
        of_shape({256}, Domain::dct4)}) {
    expect_served(problem);
  }
}

TEST(MeasuredParts, AxesThatShareNothingHaveNoCandidatesTogether) {
  EXPECT_THROW((void)candidates(of_shape({1080, 1920}), target, Arithmetic::simt, Effort::measure),
               UnsupportedProblem);
}

// A measurement of `problem` with a candidate that is no default.
WisdomEntry measured(const FftProblem& problem, std::size_t place = 3) {
  WisdomEntry entry = entry_of(Arithmetic::simt, 0.9);
  entry.subject = subject_of(problem, Arithmetic::simt);
  entry.points = problem.points() * std::max<std::int64_t>(1, entry.subject.side_by_side);
  entry.tuning = candidates(problem, target, Arithmetic::simt, Effort::measure).at(place).tuning;
  return entry;
}

Planned planned(const FftProblem& problem, const std::vector<WisdomEntry>& entries,
                const Tuning& wish = {}) {
  Wisdom wisdom;
  for (const WisdomEntry& entry : entries) wisdom.add(entry);
  return plan(problem, target, h200(), wisdom, wish);
}

Tuning tuning_of(const Launch& launch) { return sonoma::tuning_of(launch.shape); }

TEST(MeasuredParts, ColumnsTakeWhatWasMeasuredOfThem) {
  const WisdomEntry entry = measured(columns_of(192, 192));
  const Planned plane = planned(of_shape({192, 192}), {entry});
  EXPECT_EQ(tuning_of(plane.program.launches.at(1)), entry.tuning);
  EXPECT_NE(plane.choice.reason.find("192: measured on NVIDIA H200, 2026-11-21: simt 0.90"),
            std::string::npos)
      << plane.choice.reason;
  EXPECT_NE(tuning_of(plane.program.launches.at(0)), entry.tuning) << "rows are no columns";
  EXPECT_NE(tuning_of(planned(problem_of(192), {entry}).program.launches.at(0)), entry.tuning);
}

// Where the batch is large enough for what was measured; else as without.
TEST(MeasuredParts, AxesInPasses) {
  FftProblem problem = of_shape({512, 512});
  for (const std::size_t place : {0u, 3u, 8u}) {
    const WisdomEntry entry = measured(problem, place);
    ASSERT_TRUE(entry.tuning.pass_lengths);
    const Planned plane = planned(problem, {entry});
    EXPECT_EQ(plane.choice.tuning, entry.tuning);
    EXPECT_EQ(plane.program, make_program(problem, target, entry.tuning));
    EXPECT_EQ(plane.choice.reason.find("axes in passes of "), 0u) << plane.choice.reason;
    EXPECT_NE(plane.choice.reason.find("measured on NVIDIA H200"), std::string::npos);
    EXPECT_EQ(plan(problem, target, plane.choice).program, plane.program) << "of a known choice";
    Wisdom wisdom;
    wisdom.add(entry);
    EXPECT_EQ(parse_wisdom(to_json_text(wisdom)), wisdom);
    const Planned small = plan(problem, target, h200(), wisdom, {}, WorkspacePolicy::minimal);
    EXPECT_EQ(small.program.workspace_bytes(1 << 20), 0u) << "between the passes in the output";
  }
  // The last two of three.
  const WisdomEntry entry = measured(problem, 8);
  const Planned volume = planned(of_shape({512, 512, 512}), {entry});
  EXPECT_EQ(volume.choice.axes.at(0).tuning, entry.tuning);
}

TEST(MeasuredParts, ColumnsOfOtherNumbersWhereBlocksHaveAllOfTheirs) {
  const WisdomEntry few = measured(columns_of(512, 512), 1),
                    many = measured(columns_of(512, 65536), 8);
  ASSERT_NE(few.tuning, many.tuning);
  const auto taken = [&](std::int64_t columns) {
    return tuning_of(planned(columns_of(512, columns), {few, many}).program.launches.at(0));
  };
  EXPECT_EQ(taken(512), few.tuning);
  EXPECT_EQ(taken(1024), few.tuning) << "the nearest";
  EXPECT_EQ(taken(32768), many.tuning);
  EXPECT_NE(taken(257), few.tuning);
  EXPECT_NE(taken(257), many.tuning);
  const Planned other = planned(columns_of(512, 1024), {few});
  EXPECT_NE(other.choice.reason.find(", of 512 side by side: "), std::string::npos)
      << other.choice.reason;
}

TEST(MeasuredParts, AxesThatShareALaunch) {
  for (const FftProblem& problem :
       {of_shape({64, 64}), of_shape({16, 16, 16}), of_shape({64, 64}, Domain::r2c),
        of_shape({16, 16}, Domain::c2r)}) {
    const WisdomEntry entry = measured(problem);
    const Planned plane = planned(problem, {entry});
    ASSERT_EQ(plane.program.launches.size(), 1u);
    EXPECT_EQ(tuning_of(plane.program.launches.at(0)), entry.tuning) << to_string(problem);
    EXPECT_EQ(plane.choice.reason,
              "all axes in one launch, measured on NVIDIA H200, 2026-11-21: simt 0.90 of the speed "
              "of a copy");
    EXPECT_EQ(plan(problem, target, plane.choice).program, plane.program) << "of a known choice";
  }
  // The last axes of more.
  const WisdomEntry entry = measured(of_shape({64, 64}));
  EXPECT_EQ(tuning_of(planned(of_shape({500, 64, 64}), {entry}).program.launches.at(0)),
            entry.tuning);
}

TEST(MeasuredParts, ConvolutionsAndCosineTransforms) {
  for (const FftProblem& problem :
       {convolution_of(4096, false), convolution_of(4096, true), of_shape({512}, Domain::dct2),
        of_shape({512}, Domain::dct4), of_shape({512}, Domain::dct3)}) {
    const WisdomEntry entry = measured(problem);
    const Planned made = planned(problem, {entry});
    EXPECT_EQ(tuning_of(made.program.launches.at(0)), entry.tuning) << to_string(problem);
    EXPECT_NE(made.choice.reason.find("measured on NVIDIA H200"), std::string::npos);
    FftProblem padded = problem;
    padded.ends.in_length = 100;
    if (!problem.convolution) continue;
    EXPECT_EQ(tuning_of(planned(padded, {entry}).program.launches.at(0)), entry.tuning);
  }
  const WisdomEntry transform = measured(of_shape({512}, Domain::dct2));
  EXPECT_NE(tuning_of(planned(of_shape({512}, Domain::dct3), {transform}).program.launches.at(0)),
            transform.tuning);
}

TEST(MeasuredParts, AWishThatSaysOtherwiseIsServed) {
  const WisdomEntry entry = measured(columns_of(512, 512), 1);
  Tuning wish;
  wish.registers = *entry.tuning.registers + 8;
  const Planned plane = planned(columns_of(512, 512), {entry}, wish);
  EXPECT_EQ(plane.program.launches.at(0).shape.registers, *wish.registers);
}

// Entries of another generator, or of another library's mistakes.
TEST(MeasuredParts, WhatCannotBeMadeIsNotTaken) {
  WisdomEntry entry = measured(columns_of(512, 512));
  entry.tuning.decomposition = Decomposition{{16, 16}};
  const Tuning usual = tuning_of(planned(columns_of(512, 512), {}).program.launches.at(0));
  EXPECT_EQ(tuning_of(planned(columns_of(512, 512), {entry}).program.launches.at(0)), usual);
  WisdomEntry plane = measured(of_shape({64, 64}));
  plane.tuning.decomposition = Decomposition{{16, 16, 16}};  // no step ends with the first axis
  EXPECT_EQ(planned(of_shape({64, 64}), {plane}).program, planned(of_shape({64, 64}), {}).program);
  plane.tuning.decomposition = Decomposition{{16, 4}};
  EXPECT_EQ(planned(of_shape({64, 64}), {plane}).program, planned(of_shape({64, 64}), {}).program);
}

// Axes that could share a launch, each with the kernels that are known of it.
TEST(MeasuredParts, AxisByAxisMayBeTheFastest) {
  for (const FftProblem& problem :
       {of_shape({100, 60}), of_shape({64, 48}, Domain::r2c), of_shape({48, 64}, Domain::c2r),
        of_shape({12, 10, 8}), of_shape({16, 16, 16})}) {
    const auto found = candidates(problem, target, Arithmetic::simt, Effort::measure);
    const auto each = std::ranges::find_if(found, [&](const Candidate& one) {
      return one.tuning.pass_lengths && make_program(problem, target, one.tuning).axes.size() > 1;
    });
    ASSERT_NE(each, found.end()) << to_string(problem);
    WisdomEntry entry = measured(problem);
    entry.tuning = each->tuning;
    Wisdom wisdom;
    wisdom.add(entry);
    EXPECT_EQ(parse_wisdom(to_json_text(wisdom)), wisdom);
    const WisdomEntry rows = measured(problem_of(problem.lengths.back()));
    const Planned apart = planned(problem, {entry, rows});
    EXPECT_EQ(apart.program.axes.size(), problem.lengths.size()) << to_string(problem);
    EXPECT_EQ(apart.choice.reason.find("axis by axis, in passes of "), 0u) << apart.choice.reason;
    EXPECT_EQ(apart.choice.measured, entry);
    EXPECT_EQ(plan(problem, target, apart.choice).program, apart.program) << "of a known choice";
    EXPECT_EQ(apart.choice.axes.at(0).measured == rows, problem.domain == Domain::c2c);
    EXPECT_TRUE(planned(problem, {}).program.axes.empty()) << to_string(problem);
  }
}

// Within more axes, of which others do not share the launch, it is not taken.
TEST(MeasuredParts, AxisByAxisIsOfAWholeTransform) {
  WisdomEntry entry = measured(of_shape({100, 60}));
  entry.tuning = {};
  entry.tuning.engine = Engine::simt, entry.tuning.fused = false;
  entry.tuning.pass_lengths = {60, 100};
  const FftProblem more = of_shape({500, 100, 60});
  EXPECT_EQ(planned(more, {entry}).program, planned(more, {}).program);
  entry.tuning.pass_lengths = {100, 60};
  const FftProblem plane = of_shape({100, 60});
  EXPECT_EQ(planned(plane, {entry}).program, planned(plane, {}).program) << "the last one first";
}

// One after the other, whichever launches they are in.
std::vector<unsigned> steps_of(const Program& program) {
  std::vector<unsigned> steps;
  const auto add = [&](const Shape& shape) {
    const auto& radices = shape.tree.decomposition.radices;
    steps.insert(steps.end(), radices.begin(), radices.end());
  };
  for (const Launch& launch : program.launches) {
    add(launch.shape);
    if (launch.fusion) add(launch.fusion->shape);
  }
  return steps;
}

// Of pairs what a thread makes in several steps is one butterfly: without factors between 3 and 2.
// Not where the steps were asked for, or take an exchange, and not of complex points.
TEST(MeasuredParts, PairsInOneThreadAreOneButterfly) {
  WisdomEntry entry = entry_of(Arithmetic::simt, 0.9);
  const auto steps = [&](std::int64_t n, Domain domain, const std::vector<unsigned>& measured,
                         const Tuning& wish = {}) {
    const FftProblem problem = of_shape({n}, domain);
    entry.subject.lengths = {domain == Domain::c2c ? n : n / 2};
    entry.tuning = {};
    entry.tuning.decomposition = Decomposition{measured};
    const auto points = static_cast<unsigned>(entry.subject.lengths.front());
    if (points <= largest_radix) entry.tuning.points_per_thread = points;
    entry.tuning = generate(of_shape(entry.subject.lengths), target, entry.tuning).tuning;
    const Planned made = planned(problem, {entry}, wish);
    auto radices = made.program.launches.front().shape.tree.decomposition.radices;
    EXPECT_EQ(made.choice.measured.has_value(), radices == measured) << n;
    return radices;
  };
  EXPECT_EQ(steps(12, Domain::r2c, {3, 2}), std::vector<unsigned>{6});
  EXPECT_EQ(steps(24, Domain::c2r, {3, 4}), std::vector<unsigned>{12});
  EXPECT_EQ(steps(6, Domain::c2c, {3, 2}), (std::vector<unsigned>{3, 2}));
  EXPECT_EQ(steps(480, Domain::r2c, {15, 16}), (std::vector<unsigned>{15, 16}));
  Tuning wish;
  wish.decomposition = Decomposition{{3, 2}};
  EXPECT_EQ(steps(12, Domain::r2c, {3, 2}, wish), (std::vector<unsigned>{3, 2}));
}

// The batch has no say in the steps.
TEST(MeasuredParts, TheBatchDoesNotChangeTheSteps) {
  for (FftProblem problem : {of_shape({512, 512}), of_shape({128, 128}), of_shape({64, 64})}) {
    std::vector<WisdomEntry> entries;
    for (const FftProblem& part : parts_of(problem, target)) {
      if (part.layout != DataLayout{} || part.lengths.size() > 1) entries.push_back(measured(part));
    }
    problem.batch = 4096;
    const Planned many = planned(problem, entries);
    problem.batch = 1;
    const Planned one = planned(problem, entries);
    EXPECT_EQ(steps_of(one.taken()), steps_of(many.taken()));
  }
}

}  // namespace
}  // namespace sonoma::testing
