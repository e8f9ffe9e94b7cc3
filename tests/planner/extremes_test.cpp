// Numbers at the ends of their types: an error that names the field, or a plan. With sanitizers on
// (./dev test --preset asan-ubsan) also: nothing is computed with them before.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <vector>

#include "sonoma/launch_kernel.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/tuning_fields.hpp"
#include "sonoma/wisdom.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t extremes[] = {-most - 1,
                                     -most / 2,
                                     -1,
                                     0,
                                     (std::int64_t{1} << 31) + 1,
                                     std::int64_t{1} << 32,
                                     std::int64_t{1} << 60,
                                     most / 2,
                                     most};

// What says a number, of a request that has all of them.
std::vector<std::reference_wrapper<std::int64_t>> numbers_of(FftProblem& p) {
  std::vector<std::reference_wrapper<std::int64_t>> all = {
      p.batch,           p.layout.in_stride,   p.layout.out_stride,
      p.layout.in_dist,  p.layout.out_dist,    p.ends.in_length,
      p.ends.out_length, p.ends.in_index.step, p.ends.out_index.step};
  for (auto* list : {&p.lengths, &p.layout.in_strides, &p.layout.out_strides, &p.ends.in_lengths,
                     &p.ends.out_lengths}) {
    all.insert(all.end(), list->begin(), list->end());
  }
  for (Loop& loop : p.layout.loops) {
    all.insert(all.end(),
               {loop.count, loop.in_stride, loop.out_stride, loop.in_index, loop.out_index});
  }
  if (!p.convolution) return all;
  Convolution& asked = *p.convolution;
  all.insert(all.end(), {asked.spectrum_dist, asked.spectrum_stride, asked.channels.count,
                         asked.channels.in_dist, asked.channels.spectrum_dist});
  all.insert(all.end(), asked.spectrum_strides.begin(), asked.spectrum_strides.end());
  return all;
}

std::vector<FftProblem> requests() {
  FftProblem one = problem_of(48);
  one.batch = 3, one.layout = {1, 1, 240, 240, {{5, 48, 48, 48, 48}}};
  one.ends.store_code = "value", one.ends.in_length = 40, one.ends.out_length = 48;
  FftProblem plane = one;
  plane.lengths = {6, 48}, plane.layout = {2, 2, 600, 600, {{2, 1, 1, 300, 300}}, {96}, {96}};
  plane.ends.in_lengths = {5}, plane.ends.out_lengths = {6};
  FftProblem real = problem_of(48), cosine = problem_of(48), filter = problem_of(48);
  real.domain = Domain::r2c, real.placement = Placement::in_place, real.batch = 2;
  cosine.domain = Domain::dct1, cosine.layout.loops = {{2, 100, 100}};
  filter.convolution.emplace().real = true, filter.convolution->channels = {2, 48, 25};
  filter.layout.loops = {{3, 0, 48}}, filter.convolution->spectrum_strides = {50};
  return {one, plane, real, cosine, filter};
}

// Whatever it is, it has a text, an error that names a field, or kernels.
void try_out(const FftProblem& problem, const Tuning& tuning = {}, const Target& target = {}) {
  (void)to_string(problem), (void)to_string(tuning), (void)to_string(target);
  try {
    const Planned planned =
        plan(problem, target, h200(), shipped_wisdom_for(problem_of(48)), tuning);
    for (const Launch& launch : planned.taken().launches) {
      (void)generate(launch, target, TableWords::left_out);
    }
    (void)planned.taken().workspace_bytes(problem.batch);
    (void)problem.in_points(), (void)problem.out_points();
  } catch (const UnsupportedProblem& error) {
    EXPECT_FALSE(error.field().empty() || error.value().empty() || error.allowed().empty())
        << error.what();
  }
}

TEST(Extremes, OfEveryNumberOfARequest) {
  for (const FftProblem& request : requests()) {
    FftProblem changed = request;
    const std::size_t count = numbers_of(changed).size();
    for (std::size_t i = 0; i < count; ++i) {
      for (const std::int64_t value : extremes) {
        changed = request;
        numbers_of(changed)[i].get() = value;
        try_out(changed);
        for (const std::size_t other : {(i + 1) % count, (i + 5) % count}) {
          numbers_of(changed)[other].get() = value;
          try_out(changed);
        }
      }
    }
  }
}

TEST(Extremes, OfEveryNumberOfATuning) {
  const auto values_of = [](auto value) {
    using Value = decltype(value);
    std::vector<Value> values;
    for (const std::int64_t one : extremes) values.push_back(static_cast<Value>(one));
    values.insert(values.end(), {1, 3, 16, 1 << 20, static_cast<Value>(1u << 31)});
    return values;
  };
  for (const TuningField& field : tuning_fields()) {
    const auto change = [&](auto member) {
      using Value = typename std::remove_cvref_t<decltype(Tuning().*member)>::value_type;
      const auto with = [&](const Value& value) {
        for (const std::int64_t n : {48, 4096, 1009, 65536, 100000}) {
          Tuning tuning;
          tuning.*member = value;
          try_out(problem_of(n), tuning);
        }
      };
      if constexpr (std::is_same_v<Value, unsigned> || std::is_same_v<Value, std::int64_t>) {
        for (const Value value : values_of(Value{})) with(value);
      } else if constexpr (std::is_same_v<Value, Decomposition>) {
        for (const unsigned radix : {0u, 1u, 64u, 1u << 16, 1u << 31}) with({{radix, radix, 16}});
        with({}), with({std::vector<unsigned>(40, 2)});
      } else if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>) {
        for (const std::int64_t length : extremes) with({length, length}), with({256, length});
        with({});
      }
    };
    std::visit(change, field.member);
  }
}

TEST(Extremes, OfEveryNumberOfATarget) {
  for (int Target::*member :
       {&Target::arch, &Target::sms, &Target::shared_bytes, &Target::registers}) {
    for (const int value :
         {std::numeric_limits<int>::min(), -1, 0, 1, 70, 130, std::numeric_limits<int>::max()}) {
      Target target;
      target.*member = value;
      for (const std::int64_t n : {48, 4096, 65536}) try_out(problem_of(n), {}, target);
    }
  }
}

TEST(Extremes, AStepThatThereIsNotPrints) {
  EXPECT_EQ(to_step_list(1u << 31), "32");
  EXPECT_EQ(to_step_list(~0u).size(), std::string("1,2,3,4,5,6,7,8,9,").size() + 22 * 3 + 2);
}

// One point is a convolution of two: fewer than the threads that were asked for hold.
TEST(Extremes, OppositeButterfliesOfOnePointAreRefused) {
  for (const Domain domain : {Domain::c2c, Domain::r2c}) {
    FftProblem one;
    one.lengths = {1}, one.domain = domain;
    for (const unsigned points : {2u, 4u, 32u}) {
      Tuning tuning;
      tuning.opposite = true, tuning.points_per_thread = points;
      try {
        (void)plan(one, target_for("sm_90"), {}, {}, tuning);
        ADD_FAILURE() << to_string(domain) << " " << points;
      } catch (const UnsupportedProblem& refusal) {
        EXPECT_EQ(refusal.field(), "opposite");
      }
    }
  }
}

// A step of few points beside two large primes has more butterflies than a block has threads: 8584
// = 8 x 29 x 37. Threads go round then, also where they do not by default; those of mirrored
// passes, which may not, have fewer columns.
TEST(Extremes, SmallStepsBesideLargePrimesAreServed) {
  struct Case {
    Domain domain;
    std::int64_t n;
    const char* arch;
    Storage storage = Storage::f32;
  };
  using enum Domain;
  const Case cases[] = {
      {r2c, 8584, "sm_90"},   {c2r, 9512, "sm_90"},   {dct2, 8584, "sm_90"},
      {dct3, 9176, "sm_90"},  {dct4, 16284, "sm_90"}, {c2r, 48230, "sm_80"},
      {c2r, 127624, "sm_86"}, {r2c, 62350, "sm_120"}, {r2c, 97006, "sm_90", Storage::f16}};
  for (const auto& [domain, n, arch, storage] : cases) {
    FftProblem problem;
    problem.lengths = {n}, problem.domain = domain, problem.storage = storage;
    if (domain == c2r) problem.direction = Direction::inverse;
    const Target target = target_for(arch);
    const Planned made = plan(problem, target, {}, Wisdom{});
    for (const Launch& launch : made.program.launches) {
      EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << n;
    }
  }
}

// Filters' threads do not go round either; and of two passes of 303104 points, 592 x 512, none of
// 512 by the bits would have as many columns as the others.
TEST(Extremes, FiltersBesideLargePrimesAreServed) {
  for (const std::int64_t n : {7314, 14268, 303104}) {
    for (const bool real : {false, true}) {
      FftProblem problem;
      problem.lengths = {n}, problem.convolution = Convolution{real};
      const Target target = target_for("sm_90");
      for (const Launch& launch : plan(problem, target, {}, Wisdom{}).program.launches) {
        EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << n;
      }
    }
  }
}

// Pairs of f16 numbers, of an accuracy that two points at once have: they are packed no further.
TEST(Extremes, PairsAreNotPacked) {
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    FftProblem problem;
    problem.lengths = {10000}, problem.domain = domain, problem.storage = Storage::f16;
    if (domain == Domain::c2r) problem.direction = Direction::inverse;
    problem.accuracy.max_rel_l2 = 0.01;
    const Target target = target_for("sm_90");
    const Program planned = plan(problem, target, {}, shipped_wisdom_for(problem, 90)).program;
    for (const Program& program : {planned, make_program(problem, target, {})}) {
      ASSERT_EQ(program.launches.size(), 1u);
      EXPECT_FALSE(program.launches[0].pass.packed);
      EXPECT_NO_THROW((void)schedule(program.launches[0].pass, target, program.launches[0].shape));
    }
  }
}

// Axes that share a launch need no workspace, nor does a wish for the least of it part them.
TEST(Extremes, AxesShareALaunchInLittleMemory) {
  FftProblem problem;
  problem.lengths = {12096, 2}, problem.storage = Storage::f16;
  problem.layout.in_dist = problem.layout.out_dist = 145152;
  problem.layout.loops = {{6, 24192, 24192}};
  const Target target = target_for("sm_103");
  EXPECT_NO_THROW((void)plan(problem, target, {}, Wisdom{}, {}, WorkspacePolicy::minimal));
}

}  // namespace
}  // namespace sonoma::testing
