// The parts of a page: the way of the digits, banks, lines and their stages.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "page/banks.hpp"
#include "page/kernel_lines.hpp"
#include "page/listing.hpp"
#include "page/markup.hpp"
#include "page/walk.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::cli::page {
namespace {

Generated kernel_of(std::vector<std::int64_t> lengths, const Tuning& tuning = {},
                    Domain domain = Domain::c2c) {
  FftProblem problem;
  problem.lengths = std::move(lengths);
  problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return generate(problem, target_for("sm_90"), tuning);
}

Tuning tensor_cores() {
  Tuning tuning;
  tuning.engine = Engine::mma;
  return tuning;
}

Tuning spread(unsigned cluster, unsigned rounds) {
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.cluster = cluster;
  tuning.rounds = rounds;
  return tuning;
}

Tuning steps_of(const Decomposition& decomposition) {
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.decomposition = decomposition;
  return tuning;
}

std::vector<std::string> titles(const std::vector<Stop>& stops) {
  std::vector<std::string> all;
  for (const Stop& stop : stops) all.push_back(stop.title);
  return all;
}

TEST(Walk, GoesFromMemoryToMemory) {
  Tuning tuning = steps_of({{8, 8}});
  tuning.points_per_thread = 8;
  const Generated kernel = kernel_of({64}, tuning);
  const std::vector<Stop> stops = walk(kernel.ir);
  EXPECT_EQ(titles(stops),
            (std::vector<std::string>{"Global memory: in", "Load", "Step 1", "Exchange",
                                      "To registers", "Step 2", "Global memory: out"}));
  const auto& digits = kernel.schedule.digits;
  EXPECT_EQ(digits_text(digits, stops[0].boxes[0].digits, stops[0].done), "t2 t1 b");
  EXPECT_EQ(digits_text(digits, stops[1].boxes[0].digits, stops[1].done), "t1");
  EXPECT_EQ(digits_text(digits, stops[2].boxes[0].digits, stops[2].done), "k1");
  EXPECT_EQ(digits_text(digits, stops[6].boxes[0].digits, stops[6].done), "k1 k2 b");
  ASSERT_EQ(stops[3].accesses.size(), 2u);
  EXPECT_TRUE(stops[3].accesses[0].writes);
  EXPECT_FALSE(stops[3].accesses[1].writes);
}

// Whatever the kernel, every digit of the tile is somewhere at every stop that digits number.
TEST(Walk, NoDigitIsLost) {
  const std::vector<Generated> kernels = {kernel_of({1}),
                                          kernel_of({2}),
                                          kernel_of({4096}),
                                          kernel_of({1000}),
                                          kernel_of({1009}),
                                          kernel_of({32768}, spread(8, 1)),
                                          kernel_of({16384}, spread(1, 2)),
                                          kernel_of({64, 64}, steps_of({{8, 8, 8, 8}})),
                                          kernel_of({256}, tensor_cores()),
                                          kernel_of({3000}, {}, Domain::r2c),
                                          kernel_of({45}, {}, Domain::c2r),
                                          kernel_of({64}, {}, Domain::dct2)};
  for (const Generated& kernel : kernels) {
    const std::vector<Stop> stops = walk(kernel.ir);
    ASSERT_GE(stops.size(), 2u) << kernel.source.name;
    EXPECT_EQ(stops.front().where, Where::global) << kernel.source.name;
    EXPECT_EQ(stops.back().where, Where::global) << kernel.source.name;
    for (const Stop& stop : stops) {
      std::multiset<DigitId> seen;
      for (const Box& box : stop.boxes) seen.insert(box.digits.begin(), box.digits.end());
      const std::set<DigitId> once(seen.begin(), seen.end());
      EXPECT_EQ(once.size(), seen.size()) << kernel.source.name << ", " << stop.title;
      if (stop.boxes.empty()) continue;
      EXPECT_EQ(seen.size(), kernel.schedule.digits.size())
          << kernel.source.name << ", " << stop.title;
    }
  }
}

TEST(Walk, EveryStepIsAStop) {
  const Generated there = kernel_of({4096}), back = kernel_of({1009});
  const auto steps = [](const Generated& kernel) {
    std::vector<int> all;
    for (const Stop& stop : walk(kernel.ir)) {
      if (stop.step >= 0) all.push_back(stop.step);
    }
    return all;
  };
  const auto count = there.schedule.shape.tree.decomposition.radices.size();
  EXPECT_EQ(steps(there).size(), count);
  std::vector<int> mirrored = steps(back);  // a convolution: there, and back
  EXPECT_EQ(mirrored.size(), 2 * back.schedule.shape.tree.decomposition.radices.size());
  std::ranges::reverse(mirrored);
  EXPECT_EQ(mirrored, steps(back));
}

// The picture has as many wavefronts as the cost model counts for the first warp's first access.
TEST(Banks, AgreeWithTheCount) {
  for (const std::int64_t n : {64, 1000, 1024, 4096}) {
    for (const Stop& stop : walk(kernel_of({n}).ir)) {
      for (ExchangeAccess one : stop.accesses) {
        const bool bits = one.access.positions.thread_counts.empty();
        const std::uint32_t warps = one.access.positions.threads() / 32;
        const unsigned issues = one.access.positions.registers() / one.access.points;
        const auto rows = wavefronts_of(one.access, one.swizzle);
        if (bits) {  // the same for all warps and registers
          EXPECT_EQ(rows.size() * warps * issues, count_wavefronts(one.access, one.swizzle).total)
              << n;
        }
        const auto conflicts = std::ranges::count_if(rows, &Wavefront::conflict);
        EXPECT_GE(rows.size(), static_cast<std::size_t>(conflicts) + 1);
      }
    }
  }
}

TEST(Banks, ConflictsAreWavefrontsOfTheirOwn) {
  SharedAccess access;  // 32 lanes, 16 points apart: all at the same two banks
  access.positions.thread_bits = {16, 32, 64, 128, 256};
  const auto rows = wavefronts_of(access, Swizzle{});
  ASSERT_EQ(rows.size(), 32u);
  EXPECT_EQ(std::ranges::count_if(rows, &Wavefront::conflict), 30);  // 16 lanes at once
  EXPECT_EQ(rows[0].lanes[0], 0);
  EXPECT_EQ(rows[1].lanes[1], 1);
  EXPECT_EQ(rows[1].lanes[2], no_lane);
  access.positions.thread_bits = {1, 2, 4, 8, 16};
  EXPECT_EQ(wavefronts_of(access, Swizzle{}).size(), 2u);
  access.positions.thread_bits = {0, 0, 0, 0, 0};  // one word for all
  EXPECT_EQ(wavefronts_of(access, Swizzle{}).size(), 2u);
}

TEST(KernelLines, HaveTheirStages) {
  const Generated kernel = kernel_of({4096}, steps_of({{16, 16, 16}}));
  const KernelLines lines = lines_of(kernel.source.text);
  std::string all;
  for (const Line& line : lines.lines) all += line.text + "\n";
  EXPECT_EQ(all, kernel.source.text);
  const auto has = [&](Part part) { return std::ranges::count(lines.stages, part, &Stage::part); };
  const auto steps =
      static_cast<std::ptrdiff_t>(kernel.schedule.shape.tree.decomposition.radices.size());
  EXPECT_EQ(has(Part::load), 1);
  EXPECT_EQ(has(Part::store), 1);
  EXPECT_EQ(has(Part::step), steps);
  EXPECT_EQ(has(Part::exchange), static_cast<std::ptrdiff_t>(kernel.costs.exchanges));
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    const Line& line = lines.lines[i];
    if (!line.text.starts_with("DEVICE void step_2(")) continue;
    ASSERT_NE(line.stage, no_stage);
    EXPECT_EQ(lines.stages[static_cast<std::size_t>(line.stage)].step, 1);
    EXPECT_FALSE(line.own);
  }
}

TEST(KernelLines, AnInstructionIsOfTheOutermostStage) {
  const KernelLines lines = lines_of(
      "// ===== this plan =====\nDEVICE void load(int x) {\n  x = 1;\n}\n"
      "// ===== the kernel =====\nvoid k() {\n  // Load: all\n  load(1);\n\n  // Store\n  "
      "s();\n}\n");
  ASSERT_EQ(lines.stages.size(), 2u);
  EXPECT_EQ(lines.stages[0].title, "Load: all");
  EXPECT_EQ(stage_of(lines, {3, 8}), 0);
  EXPECT_EQ(stage_of(lines, {11}), 1);
  EXPECT_EQ(stage_of(lines, {6}), no_stage);
  EXPECT_EQ(stage_of(lines, {}), no_stage);
  EXPECT_EQ(stage_of(lines, {0, 4000}), no_stage);
  EXPECT_EQ(lines.lines[1].stage, 0);  // what it calls
  EXPECT_EQ(lines.lines[11].stage, no_stage);
}

TEST(Listing, CountsInstructionsByTheirKind) {
  const auto code = [](std::vector<std::string> texts) {
    std::vector<Instruction> all;
    for (const std::string& text : texts) all.push_back({0, text, {}});
    return all;
  };
  const InstructionCounts counts = count(
      code({"FFMA R1, R2, R3, R4", "@!P0 FADD R1, R2, R3", "FMUL R1, R2, R3", "LDG.E.64 R2, [R4]",
            "IADD3 R1", "STS.64 [R1], R2", "HMMA.16816.F32 R1", "EXIT"}));
  EXPECT_EQ(counts.all, 8u);
  EXPECT_EQ(counts.flops(), 4u);
  EXPECT_EQ(counts.global, 1u);
  EXPECT_EQ(counts.shared, 1u);
  EXPECT_EQ(counts.tensor, 1u);
  EXPECT_EQ(counts.integer, 1u);
  EXPECT_EQ(counts.other, 1u);
}

TEST(Markup, EscapesAndGroups) {
  EXPECT_EQ(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(number(999), "999");
  EXPECT_EQ(number(1234567), "1\u2009234\u2009567");
  EXPECT_EQ(number(-1234), "-1\u2009234");
  EXPECT_EQ(number(0.25, 3), "0.25");
  EXPECT_EQ(number(1024.5, 1), "1\u2009024.5");
}

}  // namespace
}  // namespace sonoma::cli::page
