// The search for the fastest kernel, on a stand whose times are made up.
#include "tuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fake_stand.hpp"

namespace sonoma::bench {
namespace {

const FftProblem problem = problem_of_length(256);

Search search_all(const std::vector<Tuning>& candidates, TestStand& stand,
                  double seconds = for_ever) {
  Journal nothing;
  return search(candidates, stand, seconds, nothing);
}

TEST(Tuner, FindsTheFastest) {
  FakeStand stand;
  stand.ms = [](unsigned registers, int) { return registers == 77 ? 1.25 : 2.0; };
  const Search found = search_all(some_candidates(100), stand);
  EXPECT_EQ(found.best.value().tuning.registers, 77u);
  EXPECT_EQ(found.best->eff, 0.8);
  EXPECT_EQ(found.best->ms, 1.25);
  EXPECT_EQ(found.best->rel_l2, 1.2345e-7);
  EXPECT_EQ(found.candidates, 100u);
  EXPECT_EQ(found.timed, 100u);
  EXPECT_TRUE(found.complete);
  EXPECT_TRUE(found.notes.empty());
}

TEST(Tuner, TheFastestOfAQuickPassAreTimedAgainManyTimes) {
  FakeStand stand;
  stand.ms = [](unsigned registers, int repetitions) {  // 40 looks best in the quick pass only
    if (registers == 40) return repetitions < 10 ? 1.0 : 3.0;
    return registers == 41 ? 1.5 : 2.0;
  };
  const Search found = search_all(some_candidates(20), stand);
  EXPECT_EQ(found.best.value().tuning.registers, 41u);
  ASSERT_EQ(stand.runs.size(), 2u);
  EXPECT_EQ(stand.runs[0].kernels, 20u);
  EXPECT_LT(stand.runs[1].kernels, 20u);
  EXPECT_GE(stand.runs[1].repetitions, 5 * stand.runs[0].repetitions);
}

TEST(Tuner, LessThanAPercentIsNoDifference) {
  FakeStand stand;
  stand.ms = [](unsigned registers, int) {  // 34 is the fastest, by little; 32 is not as fast
    return registers == 32 ? 2.03 : registers == 33 ? 2.015 : registers == 34 ? 2.0 : 2.01;
  };
  const Search found = search_all(some_candidates(8), stand);
  EXPECT_EQ(found.best.value().tuning.registers, 33u) << "the fewest registers within 1 %";
  const auto candidates = some_candidates(8);
  const std::vector<Tuning> reversed(candidates.rbegin(), candidates.rend());
  EXPECT_EQ(search_all(reversed, stand).best.value().tuning.registers, 33u);
}

TEST(Tuner, StopsWhenTheTimeIsOverWithWhatItHas) {
  FakeStand stand;
  stand.seconds_to_prepare = 10;
  stand.ms = [](unsigned registers, int) { return 4.0 - registers * 0.01; };
  const Search all = search_all(some_candidates(200), stand);
  EXPECT_TRUE(all.complete);
  stand.prepared.clear();
  const Search some = search_all(some_candidates(200), stand, 30);
  EXPECT_FALSE(some.complete);
  EXPECT_LT(some.timed, 200u);
  EXPECT_GT(some.timed, 32u);
  EXPECT_EQ(some.timed, stand.prepared.size());
  EXPECT_EQ(stand.prepared.front(), some_candidates(1).front()) << "in their order";
  ASSERT_TRUE(some.best);
  EXPECT_LT(*some.best->tuning.registers, 32 + some.timed);
  const Search none_left = search_all(some_candidates(200), stand, -1);
  EXPECT_TRUE(none_left.best) << "the first candidates are always timed";
}

TEST(Tuner, ToldHowFarItIs) {
  FakeStand stand;
  std::vector<std::size_t> timed;
  Journal nothing;
  (void)search(some_candidates(80), stand, for_ever, nothing,
               [&](std::size_t count) { timed.push_back(count); });
  EXPECT_TRUE(std::is_sorted(timed.begin(), timed.end()));
  EXPECT_GE(timed.size(), 2u);
  EXPECT_EQ(timed.back(), 80u);
}

TEST(Tuner, KernelsThatFailAreLeftOutAndNamed) {
  FakeStand stand;
  stand.ms = [](unsigned registers, int) { return registers * 0.1; };
  stand.broken = {32, 33};
  const Search found = search_all(some_candidates(5), stand);
  EXPECT_EQ(found.best.value().tuning.registers, 34u);
  EXPECT_EQ(found.timed, 3u);
  ASSERT_EQ(found.notes.size(), 2u);
  EXPECT_NE(found.notes[0].find("registers=32"), std::string::npos) << found.notes[0];
  EXPECT_NE(found.notes[0].find("it spills"), std::string::npos) << found.notes[0];
  stand.broken = {32, 33, 34, 35, 36};
  const Search nothing = search_all(some_candidates(5), stand);
  EXPECT_FALSE(nothing.best);
  EXPECT_EQ(nothing.notes.size(), 5u);
}

TEST(Tuner, AKernelThatIsWrongIsNeverTaken) {
  FakeStand stand;
  stand.ms = [](unsigned registers, int) { return registers * 0.1; };
  stand.wrong = {32, 33};
  const Search found = search_all(some_candidates(5), stand);
  EXPECT_EQ(found.best.value().tuning.registers, 34u);
  EXPECT_EQ(found.notes.size(), 2u);
  EXPECT_NE(found.notes.at(0).find("error"), std::string::npos);
  stand.wrong = {32, 33, 34, 35, 36};
  EXPECT_FALSE(search_all(some_candidates(5), stand).best);
}

TEST(Tuner, AKernelThatFailsAmongOthersIsFoundAndLeftOut) {
  FakeStand stand;
  stand.ms = [](unsigned registers, int) { return registers * 0.1; };
  stand.falling = {32, 35};
  const Search found = search_all(some_candidates(40), stand);
  EXPECT_EQ(found.best.value().tuning.registers, 33u);
  EXPECT_EQ(found.timed, 38u);
  EXPECT_TRUE(found.complete);
  ASSERT_EQ(found.notes.size(), 2u);
  EXPECT_NE(found.notes[0].find("an illegal address"), std::string::npos) << found.notes[0];
}

TEST(Tuner, AKernelThatTakesTheContextAlongEndsTheSearch) {
  FakeStand stand;
  stand.falling = {35}, stand.takes_context = true;
  EXPECT_THROW((void)search_all(some_candidates(8), stand), StandLost);
}

TEST(Tuner, WhatIsKeptIsRounded) {
  const Trial best{some_candidates(1)[0], 0.987654321, 0.123456789, 1.23456e-7};
  const Platform platform{"Some GPU", 90, "13.0"};
  const WisdomEntry entry = entry_of(problem, platform, best, "2026-11-21");
  EXPECT_EQ(entry.platform, platform);
  EXPECT_EQ(entry.subject, (Subject{{256}, Storage::f32, Arithmetic::simt}));
  EXPECT_EQ(entry.tuning, best.tuning);
  EXPECT_EQ(entry.kernels, kernels_of(entry));
  EXPECT_EQ(entry.kernels.size(), 16u);
  EXPECT_EQ(entry.eff, 0.9877);
  EXPECT_EQ(entry.ms, 0.12346);
  EXPECT_EQ(entry.points, 256 * 1024);
  EXPECT_EQ(entry.rel_l2, 1.23e-7);
  EXPECT_EQ(entry.date, "2026-11-21");
}

TEST(Tuner, WhatIsKeptIsOfItsSubject) {
  const Trial best{some_candidates(1)[0], 0.9, 0.1, 1e-7};
  Subject columns{{256}}, convolution{{256}};
  columns.side_by_side = 64, convolution.convolution = Convolved::real;
  for (const Subject& subject : {columns, convolution}) {
    const FftProblem measured = sonoma::problem_of(subject, 1 << 20);
    const WisdomEntry entry = entry_of(measured, {"Some GPU", 90, "13.0"}, best, "2026-11-21");
    EXPECT_EQ(entry.subject, subject);
    EXPECT_EQ(entry.points, 1 << 20);
    EXPECT_EQ(measured_problem(entry), measured);
  }
}

}  // namespace
}  // namespace sonoma::bench
