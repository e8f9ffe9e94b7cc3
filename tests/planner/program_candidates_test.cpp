// The search space of transforms in several passes, and what is chosen of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sonoma/candidates.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

FftProblem batch_of(std::int64_t n, std::int64_t points = 1 << 26) {
  FftProblem problem = problem_of(n);
  problem.batch = points / n;
  return problem;
}

std::vector<Candidate> found(std::int64_t n, Effort effort = Effort::measure) {
  return candidates(batch_of(n), target_for("sm_90"), Arithmetic::simt, effort);
}

template <class Property>
std::size_t count(const std::vector<Candidate>& list, Property&& property) {
  return static_cast<std::size_t>(std::count_if(
      list.begin(), list.end(), [&](const Candidate& one) { return property(one.tuning); }));
}

TEST(ProgramCandidates, AreDistinctProgramsOfWhichTheDefaultIsTheFirst) {
  for (const std::int64_t n : {65536, 1 << 22, 30030, 100000}) {
    const auto list = found(n);
    EXPECT_GE(list.size(), 5u) << n;
    EXPECT_LE(list.size(), 25u + 14u + 12u + 16u)
        << n;  // sections, clusters and rounds beside passes
    const bool passes = takes_passes(batch_of(n), target_for("sm_90"), {});
    EXPECT_EQ(list[0].tuning.pass_lengths.has_value(), passes) << n;
    if (passes) {
      EXPECT_EQ(*list[0].tuning.pass_lengths, pass_lengths(n));
    } else {
      EXPECT_EQ(list[0].tuning.cluster, 8u) << n;
    }
    std::set<Program> seen;
    for (const Candidate& one : list) {
      const Program program = make_program(batch_of(n), target_for("sm_90"), one.tuning);
      EXPECT_TRUE(seen.insert(program).second) << "twice: " << to_string(one.tuning);
      EXPECT_EQ(program.launches.front().fusion.has_value(), one.tuning.fused.value_or(false));
      EXPECT_GT(one.cost.total, one.cost.copy);
    }
  }
}

TEST(ProgramCandidates, OfConvolutionsAreOfSeveralLengths) {
  for (const std::int64_t n : {12099, 65537}) {
    const auto list = found(n);
    std::set<std::int64_t> products;
    for (const Candidate& one : list) {
      if (!one.tuning.pass_lengths) continue;  // one launch of clusters
      const auto program = make_program(batch_of(n), target_for("sm_90"), one.tuning);
      products.insert(program.workspace_points);
      EXPECT_GE(program.workspace_points, 2 * n - 1);
    }
    EXPECT_GE(products.size(), 3u) << n;
    EXPECT_LE(list.size(), 29u + 4u + 12u) << n;
    EXPECT_EQ(*list[0].tuning.pass_lengths,
              default_lengths(batch_of(n), {}, target_for("sm_90"), Method::bluestein));
    EXPECT_GE(count(list, [](const Tuning& t) { return t.workspace_points.has_value(); }), 3u);
  }
}

TEST(ProgramCandidates, TryLengthsColumnsThreadsAndLaunches) {
  const auto list = found(65536);
  EXPECT_GE(
      count(list, [](const Tuning& t) { return t.pass_lengths && t.pass_lengths->front() != 256; }),
      3u);
  EXPECT_GE(count(list, [](const Tuning& t) { return t.columns == 4u; }), 3u);
  EXPECT_GE(count(list, [](const Tuning& t) { return t.points_per_thread == 32u; }), 3u);
  EXPECT_GE(count(list, [](const Tuning& t) { return t.fused == true; }), 3u);
  EXPECT_GE(count(list, [](const Tuning& t) { return t.fused == false; }), 3u);
  EXPECT_GE(count(list, [](const Tuning& t) { return t.pass_lengths && t.decomposition; }), 3u);
  EXPECT_GE(count(found(1 << 22),
                  [](const Tuning& t) { return t.pass_lengths && t.pass_lengths->size() == 3; }),
            1u);
  EXPECT_GT(found(65536, Effort::patient).size(), list.size());
}

TEST(ProgramCandidates, OnTensorCores) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {16384, 1 << 20}) {
    FftProblem problem = batch_of(n);
    problem.storage = Storage::f16;
    const auto list = candidates(problem, target, Arithmetic::half, Effort::measure);
    EXPECT_GE(list.size(), 12u) << n;
    for (const Candidate& one : list) {
      EXPECT_EQ(one.tuning.engine, Engine::mma);
      EXPECT_EQ(one.tuning.products, 1u);
      const Program program = make_program(problem, target, one.tuning);
      for (const Launch& launch : program.launches) {
        EXPECT_EQ(launch.shape.arithmetic, Arithmetic::half) << to_string(one.tuning);
      }
    }
  }
  // Steps of other radices are butterflies.
  EXPECT_THROW((void)candidates(batch_of(100000), target, Arithmetic::half, Effort::measure),
               UnsupportedProblem);
}

TEST(ProgramCandidates, OfSmoothLengthsShareATileOrALaunch) {
  for (const std::int64_t n : {20480, 27000, 100000}) {
    const auto list = found(n);
    EXPECT_GE(count(list, [](const Tuning& t) { return t.cluster.value_or(1) > 1; }), 2u) << n;
    EXPECT_GE(count(list, [](const Tuning& t) { return t.fused == true; }), 2u) << n;
    for (const Candidate& one : list) {
      const Program program = make_program(batch_of(n), target_for("sm_90"), one.tuning);
      EXPECT_NO_THROW((void)generate(program.launches.front(), target_for("sm_90")))
          << to_string(one.tuning);
    }
  }
  EXPECT_GE(count(found(20480), [](const Tuning& t) { return t.rounds == 2u; }), 2u);
  EXPECT_GE(count(found(20000), [](const Tuning& t) { return t.block_points == 20000u; }), 2u);
  const auto older =
      candidates(batch_of(20480), target_for("sm_80"), Arithmetic::simt, Effort::measure);
  EXPECT_EQ(count(older, [](const Tuning& t) { return t.cluster.value_or(1) > 1; }), 0u);
}

// Measured on an H200: 25000 points by 40 x 25 x 25 are 1.08 times as fast as by four steps.
TEST(ProgramCandidates, OfOneBlockTakeWideButterfliesThatSaveAStep) {
  const auto wide = [](const Tuning& tuning) {
    const auto is_wide = [](unsigned radix) { return !is_usual_radix(radix); };
    return tuning.decomposition && tuning.prefetch != Prefetch::persistent &&
           std::ranges::any_of(tuning.decomposition->radices, is_wide);
  };
  for (const std::int64_t n : {25000, 26244}) {
    const auto of_three_steps = [&](const Tuning& tuning) {
      return wide(tuning) && tuning.decomposition->radices.size() == 3;
    };
    EXPECT_GE(count(found(n, Effort::patient), of_three_steps), 1u) << n;
  }
  for (const std::int64_t n : {1600, 21952}) {
    EXPECT_EQ(count(found(n, Effort::patient), wide), 0u) << n;
  }
}

// Of a tile that fills an SM: what nobody searched, and some more in a patient search.
TEST(ProgramCandidates, BlocksMayStay) {
  const auto stays = [](const Tuning& tuning) { return tuning.prefetch == Prefetch::persistent; };
  for (const std::int64_t n : {17408, 25000, 28728}) {
    const auto list = found(n, Effort::patient);
    EXPECT_TRUE(stays(list.front().tuning)) << n;
    EXPECT_GE(count(list, stays), 4u) << n;
    const Tuning chosen = choose(batch_of(n), target_for("sm_90"), {}, {}, {}).tuning;
    EXPECT_TRUE(stays(chosen)) << n;
    EXPECT_EQ(chosen.decomposition, list.front().tuning.decomposition) << n;
    EXPECT_EQ(chosen.threads, list.front().tuning.threads) << n;
    EXPECT_FALSE(stays(choose(batch_of(n), target_for("sm_80"), {}, {}, {}).tuning)) << n;
  }
  // An SM holds two blocks of 13000 points, and none of 29060. Real numbers have other ends.
  for (const std::int64_t n : {13000, 29060}) {
    EXPECT_EQ(count(found(n, Effort::patient), stays), 0u) << n;
  }
  // Of primes above 31 one block that does not stay is the default, and as fast; 17081 = 19 x 29 x
  // 31 no cluster can share.
  for (const std::int64_t n : {24272, 17081}) {
    EXPECT_FALSE(stays(choose(batch_of(n), target_for("sm_90"), {}, {}, {}).tuning)) << n;
  }
  FftProblem real = batch_of(34000);
  real.domain = Domain::r2c;
  EXPECT_FALSE(stays(choose(real, target_for("sm_90"), {}, {}, {}).tuning));
}

TEST(ProgramCandidates, TryClusters) {
  const auto clusters = [](const Tuning& t) { return t.cluster.value_or(1) > 1; };
  for (const std::int64_t n : {16384, 65536}) {
    const auto list = found(n);
    EXPECT_GE(count(list, clusters), 4u) << n;
    for (const Candidate& one : list) {
      if (one.tuning.pass_lengths) continue;
      EXPECT_EQ(tuning_of(resolve(one.tuning, batch_of(n), target_for("sm_90"))), one.tuning);
    }
  }
  EXPECT_EQ(found(16384)[0].tuning.cluster, 1u) << "the default is one block";
  EXPECT_EQ(count(found(1 << 22), clusters), 0u);
  const auto older =
      candidates(batch_of(65536), target_for("sm_80"), Arithmetic::simt, Effort::measure);
  EXPECT_EQ(count(older, clusters), 0u);
}

TEST(ChooseBeyondABlock, AClusterThatWasMeasured) {
  for (const std::int64_t n : {16384, 65536}) {
    WisdomEntry entry = entry_in_passes();
    entry.subject.lengths = {n};
    entry.tuning = found(n).at(1).tuning;
    EXPECT_GT(entry.tuning.cluster, 1u);
    Wisdom wisdom;
    wisdom.add(entry);
    EXPECT_EQ(parse_wisdom(to_json_text(wisdom)), wisdom);
    for (const FftProblem& problem : {batch_of(n), problem_of(n)}) {
      const Choice choice = choose(problem, target_for("sm_90"), h200(), wisdom);
      EXPECT_EQ(choice.tuning, entry.tuning) << n;
      const Program program = make_program(problem, target_for("sm_90"), choice.tuning);
      EXPECT_EQ(program.launches.size(), 1u);
      EXPECT_EQ(tuning_of(program.launches.front().shape), entry.tuning);
    }
  }
}

// Without wisdom.
Planned planned_for(FftProblem problem, std::int64_t batch, const Tuning& wish) {
  problem.batch = batch;
  return plan(problem, target_for("sm_90"), Choice{wish, "", {}}, wish);
}

TEST(ForBatch, FewTransformsAreSpreadOverMoreBlocks) {
  const auto made = [&](std::int64_t n, std::int64_t batch, const Tuning& given = {}) {
    const Planned planned = planned_for(problem_of(n), batch, given);
    const Launch& launch = planned.taken().launches.front();
    const Shape& chosen = planned.program.launches.front().shape;
    EXPECT_EQ(launch.shape.tree, chosen.tree) << "other bits";
    EXPECT_EQ(launch.shape.twiddles, chosen.twiddles) << "other bits";
    (void)schedule(launch.pass, target_for("sm_90"), launch.shape);  // can be made
    return std::pair(launch.shape.shares.cluster, launch.shape.shares.rounds);
  };
  using Spread = std::pair<unsigned, unsigned>;
  EXPECT_EQ(made(16384, 1), Spread(8, 1));
  EXPECT_EQ(made(16384, 33), Spread(8, 1));
  EXPECT_EQ(made(16384, 34), Spread(1, 2));
  EXPECT_EQ(made(32768, 1), Spread(8, 1));
  EXPECT_EQ(made(131072, 17), Spread(8, 2));
  EXPECT_EQ(made(8192, 1), Spread(1, 1));
  Tuning rounds;
  rounds.engine = Engine::simt, rounds.rounds = 2;
  EXPECT_EQ(made(16384, 1, rounds), Spread(1, 2)) << "as asked for";
}

TEST(ForBatch, FewTransformsAreSectionsOfTheirTree) {
  const auto made = [&](std::int64_t n, std::int64_t batch, const Tuning& given = {}) {
    const Planned planned = planned_for(problem_of(n), batch, given);
    const auto& [pass, shape, from, to, fusion] = planned.taken().launches.front();
    if (!pass.part) return std::string("one launch");
    const Shape& whole = planned.program.launches.front().shape;
    EXPECT_EQ(pass.part->tree, whole.tree.decomposition);
    EXPECT_EQ(shape.twiddles, whole.twiddles);
    EXPECT_EQ(planned.taken().launches.size(), 2u);
    return to_list(pass.part->lengths) + " " + std::to_string(shape.block_points / pass.n());
  };
  EXPECT_EQ(made(65536, 1), "256,256 4");
  EXPECT_EQ(made(65536, 2), "256,256 4");
  EXPECT_EQ(made(65536, 3), "256,256 8");
  EXPECT_EQ(made(65536, 32), "256,256 8");
  EXPECT_EQ(made(65536, 33), "one launch");
  EXPECT_EQ(made(131072, 1), "256,512 4");
  EXPECT_EQ(made(131072, 8), "256,512 8");
  EXPECT_EQ(made(32768, 1), "one launch");
  Tuning rounds;
  rounds.engine = Engine::simt, rounds.rounds = 2, rounds.cluster = 8;
  EXPECT_EQ(made(65536, 1, rounds), "one launch") << "as asked for";
}

TEST(ForBatch, FewTransformsTakePassesInFewerColumns) {
  const auto made = [&](std::int64_t n, std::int64_t batch, Tuning given, bool half = false) {
    FftProblem problem = problem_of(n);
    if (half) problem.storage = Storage::f16;
    given.engine = Engine::simt;
    const auto few = planned_for(problem, batch, given).few;
    return few ? few->launches[0].shape.block_points / few->launches[0].pass.n() : 0;
  };
  constexpr std::int64_t n = 1 << 18;
  EXPECT_EQ(made(n, 1, {}), 4u);
  EXPECT_EQ(made(n, 2, {}), 4u);
  EXPECT_EQ(made(n, 3, {}), 0u) << "more than half of the multiprocessors have a block";
  EXPECT_EQ(made(1 << 22, 1, {}), 0u);
  EXPECT_EQ(made(n, 1, {}, true), 8u) << "whole sectors";
  Tuning columns;
  columns.columns = 16;
  EXPECT_EQ(made(n, 1, columns), 0u) << "as asked for";
  Tuning lengths;
  lengths.pass_lengths = {512, 512};
  EXPECT_EQ(made(n, 1, lengths), 4u) << "these say nothing of blocks";
  Tuning radix;  // of which 2048 points in rounds take nothing
  radix.radix = 32, radix.pass_lengths = {256, 2048};
  EXPECT_EQ(made(2 * n, 1, radix), 0u) << "other steps";
}

Choice chosen(const FftProblem& problem, const Tuning& given = {}) {
  Wisdom wisdom;
  wisdom.add(entry_in_passes());
  return choose(problem, target_for("sm_90"), h200(), wisdom, given);
}

TEST(ChooseInPasses, WhatWasMeasured) {
  const Choice choice = chosen(batch_of(65536));
  EXPECT_EQ(choice.tuning, entry_in_passes().tuning);
  EXPECT_EQ(choice.reason,
            "passes of 128,512, measured on NVIDIA H200, 2026-11-21: simt 0.57 of the speed of a "
            "copy");
  const Program program = make_program(batch_of(65536), target_for("sm_90"), choice.tuning);
  EXPECT_EQ(program.launches.size(), 1u);
  EXPECT_EQ(program.launches.front().shape.registers, 64u);
}

// The results must not depend on the batch: the lengths stay, the launches may be two.
TEST(ChooseInPasses, ASmallBatchIsNotHeldToOneLaunch) {
  const Choice choice = chosen(problem_of(65536));
  EXPECT_EQ(choice.tuning.pass_lengths, entry_in_passes().tuning.pass_lengths);
  const Program program = make_program(problem_of(65536), target_for("sm_90"), choice.tuning);
  EXPECT_EQ(program.launches.size(), 2u);
}

// An entry that leaves it open agrees with FP32, and its default is another one there.
TEST(ChooseInPasses, Fp32IsKeptWhereTheLastStepWouldBeInFp64) {
  const FftProblem problem = batch_of(59995);  // 5 x 13 x 13 x 71
  WisdomEntry entry = entry_in_passes();
  entry.subject.lengths = problem.lengths;
  entry.tuning = tuning_of(Engine::simt);
  entry.tuning.pass_lengths = {256, 512}, entry.tuning.fused = false;
  Wisdom wisdom;
  wisdom.add(entry);
  Tuning fp32;
  fp32.sums = Sums::fp32;
  const Target target = target_for("sm_90");
  for (const auto& [given, sums] : {std::pair{Tuning{}, Sums::fp64_last}, {fp32, Sums::fp32}}) {
    const Choice choice = choose(problem, target, h200(), wisdom, given);
    EXPECT_TRUE(choice.measured.has_value());
    for (const Launch& launch : make_program(problem, target, choice.tuning).launches) {
      EXPECT_EQ(launch.shape.sums, sums);
    }
  }
}

TEST(ChooseInPasses, WhatIsGivenIsKept) {
  Tuning given;
  given.fused = false;
  EXPECT_EQ(chosen(batch_of(65536), given).tuning.fused, false);
  EXPECT_EQ(chosen(batch_of(65536), given).tuning.pass_lengths, pass_lengths(65536));
  given = {};
  given.registers = 64;  // they agree
  EXPECT_EQ(chosen(batch_of(65536), given).tuning, entry_in_passes().tuning);
  given = {};
  given.pass_lengths = {128, 512};
  EXPECT_EQ(chosen(batch_of(65536), given).tuning, given) << "nothing else is taken";
  given = {};
  given.radix = 4;
  EXPECT_EQ(chosen(batch_of(65536), given).tuning, given);
}

TEST(ChooseInPasses, OtherProblemsTakeTheDefault) {
  EXPECT_EQ(chosen(batch_of(1 << 18)).tuning.pass_lengths, pass_lengths(1 << 18));
  FftProblem strided = batch_of(65536);
  strided.layout.in_stride = strided.layout.out_stride = 2;
  EXPECT_EQ(chosen(strided).tuning.pass_lengths, pass_lengths(65536));
  FftProblem half = batch_of(65536);
  half.accuracy.arithmetic = Arithmetic::half;
  EXPECT_EQ(chosen(half).tuning.pass_lengths, pass_lengths(65536));
  EXPECT_NE(chosen(half).reason.find("as few and as equal"), std::string::npos);
}

TEST(ChooseInPasses, AnEntryOfNoProgramIsLeftOut) {
  WisdomEntry entry = entry_in_passes();
  entry.tuning.pass_lengths = {100, 655};
  Wisdom wisdom;
  wisdom.add(entry);
  const Choice choice = choose(batch_of(65536), target_for("sm_90"), h200(), wisdom);
  EXPECT_EQ(choice.tuning, Tuning{});
}

}  // namespace
}  // namespace sonoma::testing
