// Every schedule is well formed; a damaged one is rejected with a reason.
#include "sonoma/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels.hpp"
#include "sonoma/check.hpp"
#include "sonoma/resolve.hpp"
#include "trips.hpp"

namespace sonoma::test {
namespace {

Schedule schedule_of(const Request& request) {
  const Target target = target_for("sm_90");
  return schedule(request.problem(), target, resolve(request.tuning(), request.problem(), target));
}

bool is_bijection(const LinearMap& map, unsigned points) {
  std::vector<bool> seen(points);
  for (std::uint32_t thread = 0; thread < (1u << map.thread_bits.size()); ++thread) {
    for (std::uint32_t reg = 0; reg < (1u << map.register_bits.size()); ++reg) {
      const std::uint32_t point = map.of_thread(thread) ^ map.of_register(reg);
      if (point >= points || seen[point]) return false;
      seen[point] = true;
    }
  }
  return std::count(seen.begin(), seen.end(), true) == static_cast<std::ptrdiff_t>(points);
}

std::set<Layout> layouts_of(const Schedule& s) {
  std::set<Layout> layouts = {s.load.layout, s.store.layout};
  for (const Phase& phase : s.phases) layouts.insert({phase.in, phase.out});
  return layouts;
}

TEST(Schedule, EveryOneIsWellFormed) {
  for (const Request& request : all_requests()) {
    const Schedule s = schedule_of(request);
    EXPECT_EQ(check(s), "") << name(request);
    EXPECT_EQ(s.points_per_block(), s.launch.transforms_per_block * request.n) << name(request);
    EXPECT_GE(s.min_blocks, 1u);
    for (const Layout& layout : layouts_of(s)) {
      EXPECT_EQ(check_layout(layout, s.digits), "") << name(request);
      EXPECT_TRUE(is_bijection(index_map(s.digits, layout, Side::time), s.points_per_block()));
      EXPECT_TRUE(is_bijection(index_map(s.digits, layout, Side::frequency), s.points_per_block()));
    }
  }
}

TEST(Schedule, GlobalMemoryMovesInWholeSectors) {
  for (const Request& request : all_requests()) {
    const Schedule s = schedule_of(request);
    EXPECT_EQ(sector_overhead(s.digits, s.load.layout, Side::time, 8), 1.0) << name(request);
    EXPECT_EQ(sector_overhead(s.digits, s.store.layout, Side::frequency, 8), 1.0) << name(request);
  }
}

TEST(Schedule, TheSwizzleIsAPermutationAndNoWorseThanNone) {
  for (const Request& request : all_requests()) {
    const Schedule s = schedule_of(request);
    std::set<std::uint32_t> places;
    for (std::uint32_t p = 0; p < s.points_per_block(); ++p)
      places.insert(s.places.points.swizzle(p));
    EXPECT_EQ(places.size(), s.points_per_block()) << name(request);
    EXPECT_EQ(*places.rbegin(), s.points_per_block() - 1) << name(request);
    unsigned swizzled = 0, plain = 0;
    for (const Trip& trip : shared_trips(s)) {
      const SharedAccess access = shared_access(s, trip.layout, trip.blocks);
      swizzled += count_wavefronts(access, s.places.points.swizzle).total;
      plain += count_wavefronts(access, {}).total;
    }
    EXPECT_LE(swizzled, plain) << name(request);
  }
}

TEST(Schedule, SharedMemoryHoldsTheTile) {
  for (const Request& request : all_requests()) {
    const Schedule s = schedule_of(request);
    if (!shared_trips(s).empty()) {
      EXPECT_GE(s.launch.shared_bytes, 8 * s.points_per_block()) << name(request);
    }
  }
}

TEST(Schedule, TwoTensorStepsChainInRegisters) {
  const Schedule s = schedule_of({256, Engine::mma, 16u});
  ASSERT_EQ(s.phases.size(), 1u);
  EXPECT_EQ(s.phases[0].steps[0].form, StepForm::left);
  EXPECT_EQ(s.phases[0].steps[1].form, StepForm::right);
}

// A schedule of several phases, left and right steps.
Schedule model(Engine engine = Engine::mma) { return schedule_of({4096, engine, {}}); }

TEST(CheckSchedule, MissingPartsAreSeen) {
  Schedule s = model();
  s.phases.clear();
  EXPECT_EQ(check(s), "no phase");
  s = model();
  s.phases.back().steps.pop_back();
  EXPECT_NE(check(s), "");
  s = model();
  s.phases.pop_back();
  EXPECT_EQ(check(s), "steps are missing");
  s = model();
  s.phases[0].steps.erase(s.phases[0].steps.begin());
  EXPECT_NE(check(s).find("out of order"), std::string::npos) << check(s);
}

TEST(CheckSchedule, StepsThatAreNotThoseOfTheDecompositionAreSeen) {
  for (const Engine engine : {Engine::mma, Engine::simt}) {
    for (std::size_t p = 0; p < model(engine).phases.size(); ++p) {
      for (std::size_t i = 0; i < model(engine).phases[p].steps.size(); ++i) {
        Schedule s = model(engine);
        s.phases[p].steps[i].radix = 8;
        EXPECT_NE(check(s).find("another radix"), std::string::npos) << check(s);
        s = model(engine);
        s.phases[p].steps[i].digits.pop_back();
        EXPECT_NE(check(s).find("has other digits than those of its radix"), std::string::npos)
            << check(s);
        s = model(engine);
        std::swap(s.phases[p].steps[i].digits[0], s.phases[p].steps[i].digits[1]);
        EXPECT_NE(check(s), "");
        s = model(engine);
        s.shape.tree.decomposition.radices[s.phases[p].steps[i].index] = 4;
        EXPECT_NE(check(s), "");
      }
    }
  }
  Schedule s = model();
  s.phases[0].steps[0].form = StepForm::registers;
  EXPECT_NE(check(s).find("needs its digits in registers"), std::string::npos) << check(s);
  s = model();
  std::swap(s.phases[0], s.phases[1]);
  EXPECT_NE(check(s), "");
}

std::vector<Layout*> layouts_in(Schedule& s) {
  std::vector<Layout*> layouts = {&s.load.layout, &s.store.layout};
  for (Phase& phase : s.phases) {
    layouts.push_back(&phase.in);
    layouts.push_back(&phase.out);
  }
  return layouts;
}

TEST(CheckSchedule, LayoutsThatAreNoBijectionAreSeen) {
  for (const Engine engine : {Engine::mma, Engine::simt}) {
    Schedule original = model(engine);
    for (std::size_t i = 0; i < layouts_in(original).size(); ++i) {
      Schedule s = original;
      layouts_in(s)[i]->registers[0] = layouts_in(s)[i]->threads[0];
      EXPECT_NE(check(s).find("two places"), std::string::npos) << check(s);
      s = original;
      layouts_in(s)[i]->threads[0] = 99;
      EXPECT_NE(check(s).find("does not exist"), std::string::npos) << check(s);
      s = original;
      layouts_in(s)[i]->threads.push_back(layouts_in(s)[i]->registers.back());
      layouts_in(s)[i]->registers.pop_back();
      EXPECT_NE(check(s).find("number of threads"), std::string::npos) << check(s);
    }
  }
}

// Any two digits of a phase of tensor-core steps: rows, columns and the other layout are fixed by
// the first, so that every swap shows. Two digits of warps may be swapped in both, not in one.
TEST(CheckSchedule, SwappedDigitsAreSeen) {
  const Schedule original = model();
  for (std::size_t p = 0; p < original.phases.size(); ++p) {
    if (original.phases[p].in == original.phases[p].out) continue;
    Schedule s = original;
    const std::size_t registers = s.phases[p].in.registers.size();
    const std::size_t places = registers + s.phases[p].in.threads.size();
    const auto place = [&](std::size_t i) -> DigitId& {
      Layout& layout = s.phases[p].in;
      return i < registers ? layout.registers[i] : layout.threads[i - registers];
    };
    for (std::size_t i = 0; i < places; ++i) {
      for (std::size_t j = i + 1; j < places; ++j) {
        std::swap(place(i), place(j));
        EXPECT_NE(check(s), "") << "phase " << p << ", places " << i << " and " << j;
        std::swap(place(i), place(j));
      }
    }
    EXPECT_EQ(check(s), "");
  }
}

// Products of radix 16 fold, and nothing else does.
TEST(CheckSchedule, DigitsFoldedOtherwiseThanTheirStepsAreSeen) {
  for (const Request& request : all_requests()) {
    const Schedule original = schedule_of(request);
    for (std::size_t p = 0; p < original.phases.size(); ++p) {
      for (const Step& step : original.phases[p].steps) {
        const bool folds = step.form != StepForm::registers && step.radix == 16;
        EXPECT_EQ(step.folds, folds) << name(request);
        Schedule s = original;
        std::vector<unsigned>& folded = s.phases[p].in.folded;
        const auto found = std::find(folded.begin(), folded.end(), step.index);
        EXPECT_EQ(found != folded.end(), folds) << name(request);
        if (folds) {
          folded.erase(found);
        } else {
          folded.insert(std::lower_bound(folded.begin(), folded.end(), step.index), step.index);
        }
        EXPECT_NE(check(s).find("folded"), std::string::npos) << name(request) << check(s);
      }
    }
  }
}

TEST(CheckSchedule, FoldsOfOtherPlacesAreSeen) {
  for (const Engine engine : {Engine::mma, Engine::simt}) {
    Schedule original = model(engine);
    for (std::size_t i = 0; i < layouts_in(original).size(); ++i) {
      for (const unsigned step : {0u, 1u, 2u, 7u}) {
        Schedule s = original;
        layouts_in(s)[i]->folded.push_back(step);
        EXPECT_NE(check(s), "") << "layout " << i << ", step " << step;
      }
    }
  }
}

TEST(Phase, LayoutsUnfoldStepByStep) {
  const Schedule s = model();
  ASSERT_EQ(s.phases[0].steps.size(), 2u);
  const Phase& phase = s.phases[0];
  EXPECT_EQ(phase.layout_before(0), phase.in);
  EXPECT_EQ(phase.in.folded, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(phase.layout_before(1).folded, std::vector<unsigned>{1});
  EXPECT_EQ(phase.layout_before(1).registers, phase.out.registers);
  EXPECT_EQ(phase.layout_before(1).threads, phase.out.threads);
  EXPECT_EQ(phase.layout_before(2), phase.out);
  EXPECT_EQ(phase.out.folded, std::vector<unsigned>{});
}

TEST(CheckSchedule, DirectTransfersUseTheLayoutOfTheirPhase) {
  for (const Request& request : all_requests()) {
    Schedule s = schedule_of(request);
    if (s.load.staged && s.load.layout != s.phases.front().in) {
      s.load.staged = false;
      EXPECT_NE(check(s).find("direct load"), std::string::npos) << name(request);
      s.load.staged = true;
    }
    if (s.store.staged && s.store.layout != s.phases.back().out) {
      s.store.staged = false;
      EXPECT_NE(check(s).find("direct store"), std::string::npos) << name(request);
    }
  }
}

TEST(SectorOverhead, KnownCases) {
  const std::vector<Digit> digits = make_digits(Decomposition{{16, 16}}, 2);
  // Nine digits, time strides 1, 2, ... 256.
  const Layout contiguous{{5, 6, 7, 8}, {0, 1, 2, 3, 4}};
  EXPECT_EQ(sector_overhead(digits, contiguous, Side::time, 8), 1.0);
  const Layout pairs{{0, 6, 7, 8}, {1, 2, 3, 4, 5}};
  EXPECT_EQ(sector_overhead(digits, pairs, Side::time, 8), 1.0);
  const Layout stride_2{{8, 6, 7, 0}, {1, 2, 3, 4, 5}};  // the pair is read along, as above
  EXPECT_EQ(sector_overhead(digits, stride_2, Side::time, 8), 1.0);
  const Layout stride_4{{1, 0, 7, 8}, {2, 3, 4, 5, 6}};  // pairs: half of each sector
  EXPECT_EQ(sector_overhead(digits, stride_4, Side::time, 8), 2.0);
  const Layout half{{1, 6, 7, 8}, {0, 2, 3, 4, 5}};  // two of four neighbours, one by one
  EXPECT_EQ(sector_overhead(digits, half, Side::time, 8), 2.0);
  // On the other side the digits of the two steps change places.
  EXPECT_EQ(sector_overhead(digits, {{0, 1, 2, 3}, {4, 5, 6, 7, 8}}, Side::frequency, 8), 1.0);
  EXPECT_EQ(sector_overhead(digits, {{4, 5, 7, 8}, {6, 0, 1, 2, 3}}, Side::frequency, 8), 2.0);
}

}  // namespace
}  // namespace sonoma::test
