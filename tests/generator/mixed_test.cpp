// Lengths that are no powers of two: decompositions, shapes, phases, places in shared memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "damage.hpp"
#include "padding.hpp"
#include "sonoma/check.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"
#include "tables.hpp"
#include "trips.hpp"

namespace sonoma {
namespace {

FftProblem of_length(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  return problem;
}

Schedule schedule_of(std::int64_t n, const Tuning& tuning = {}) {
  const Target target = target_for("sm_90");
  return schedule(of_length(n), target, resolve(tuning, of_length(n), target));
}

bool is_mixed_length(std::int64_t n) { return is_smooth(n) && (n & (n - 1)) != 0; }

TEST(MixedDecomposition, IsBalancedAndShort) {
  const auto text = [](std::int64_t n) { return to_string(decompose(n)); };
  EXPECT_EQ(text(3), "(dft 3)");
  EXPECT_EQ(text(30), "(dft 30)");
  EXPECT_EQ(text(100), "(gs 10 (dft 10))");
  EXPECT_EQ(text(1000), "(gs 10 (gs 10 (dft 10)))");
  EXPECT_EQ(text(1001), "(gs 13 (gs 11 (dft 7)))");
  EXPECT_EQ(text(625), "(gs 25 (dft 25))");  // two steps instead of three
  EXPECT_EQ(text(2401), "(gs 7 (gs 7 (gs 7 (dft 7))))");
  EXPECT_EQ(text(17), "(dft 17)");
  EXPECT_EQ(text(34), "(gs 17 (dft 2))");
  EXPECT_EQ(text(961), "(gs 31 (dft 31))");
  EXPECT_EQ(text(1023), "(gs 31 (gs 11 (dft 3)))");
}

TEST(MixedDecomposition, OfEverySmoothLengthMultipliesToIt) {
  for (std::int64_t n = 3; n <= 16384; ++n) {
    if (!is_mixed_length(n)) continue;
    const Decomposition d = decompose(n);
    EXPECT_EQ(d.n(), n);
    EXPECT_LE(d.radices.size(), 5u) << n;
    EXPECT_LE(*std::max_element(d.radices.begin(), d.radices.end()), largest_radix) << n;
    EXPECT_EQ(parse_decomposition(to_string(d)), d);
  }
}

TEST(MixedDecomposition, TakesARadixAsOftenAsItDivides) {
  EXPECT_EQ(to_string(decompose(1000, 10)), "(gs 10 (gs 10 (dft 10)))");
  EXPECT_EQ(to_string(decompose(1000, 5)), "(gs 5 (gs 5 (gs 5 (dft 8))))");
  EXPECT_EQ(to_string(decompose(7, 5)), "(dft 7)");
  EXPECT_EQ(to_string(decompose(578, 17)), "(gs 17 (gs 17 (dft 2)))");
  EXPECT_THROW((void)decompose(1000, 51), UnsupportedProblem);
  EXPECT_THROW((void)decompose(1000, 50), UnsupportedProblem);
  EXPECT_THROW((void)decompose(134), UnsupportedProblem);
}

TEST(Smooth, IsWhatHasNoLargerPrimeFactor) {
  EXPECT_TRUE(is_smooth(1) && is_smooth(61) && is_smooth(32 * 29) &&
              is_smooth(23LL * 23 * 19 * 17));
  EXPECT_FALSE(is_smooth(67) || is_smooth(2 * 71) || is_smooth(0) || is_smooth(17, 13));
  EXPECT_TRUE(is_smooth(26, 13));
  EXPECT_EQ(largest_prime_factor(1), 1);
  EXPECT_EQ(largest_prime_factor(32), 2);
  EXPECT_EQ(largest_prime_factor(2 * 9 * 29), 29);
}

TEST(MixedTuning, SaysWhatIsPossible) {
  const Target target = target_for("sm_90");
  const auto refusal = [&](const Tuning& tuning, std::int64_t n) {
    try {
      (void)resolve(tuning, of_length(n), target);
    } catch (const UnsupportedProblem& error) {
      return error.field() + ": " + error.allowed();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({}, 67108867),
            "n: 1 to 67108864, or a product of primes up to 61, up to 2^31; pad the data to the "
            "next one");
  Tuning mma;
  mma.engine = Engine::mma;
  EXPECT_EQ(refusal(mma, 1000),
            "engine: simt for a tile that is no power of two: tensor cores multiply 16 x 16 points "
            "at a time");
  Tuning points;
  points.points_per_thread = 9, points.decomposition = Decomposition{{10, 10, 10}};
  EXPECT_EQ(refusal(points, 1000),
            "points_per_thread: 10 to 96 (a thread holds a whole butterfly)");
  Tuning block;
  block.block_points = 1024;
  EXPECT_EQ(refusal(block, 1000), "block_points: a multiple of 1000 up to 29056");
  Tuning bits;
  bits.decomposition = Decomposition{{64, 16}};
  EXPECT_EQ(refusal(bits, 1024),
            "decomposition: steps of radix 2, 4, 8, 16 or 32 for a power of two");
}

// Padding is as much as is left: 28080 points of 232448 bytes would take 238544 with all of it.
TEST(MixedTuning, BlocksTakeWhatSharedMemoryHolds) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {24640, 26026, 27885, 28080, 28561, 29040}) {
    const Schedule taken = schedule_of(n);
    EXPECT_EQ(taken.points_per_block(), static_cast<unsigned>(n));
    EXPECT_GE(taken.launch.shared_bytes, 8 * static_cast<unsigned>(n));
    EXPECT_LE(taken.launch.shared_bytes, static_cast<unsigned>(target.shared_bytes));
  }
}

TEST(MixedTuning, TooManyThreadsAreRefused) {
  Tuning tuning;
  tuning.points_per_thread = 7, tuning.block_points = 3 * 2401;
  tuning.decomposition = decompose(2401, 7);
  try {
    (void)schedule_of(2401, tuning);
    FAIL() << "accepted";
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), "points_per_thread");
  }
}

// A phase holds its step, and others as far as there is room.
TEST(MixedPhases, FillThreadsWithPointsFromFar) {
  Tuning tuning;
  tuning.decomposition = Decomposition{{7, 11, 13}};
  tuning.points_per_thread = 15, tuning.block_points = 2002;
  const Schedule s = schedule_of(1001, tuning);
  ASSERT_EQ(s.phases.size(), 3);
  EXPECT_EQ(to_string(s.phases[0].in, s.digits), "registers t1 b | threads t3 t2");
  EXPECT_EQ(to_string(s.phases[1].in, s.digits), "registers t2 | threads t3 t1 b");
  EXPECT_EQ(to_string(s.phases[2].in, s.digits), "registers t3 | threads t1 t2 b");
  EXPECT_EQ(s.launch.threads, 192u);  // 182, in whole warps
  EXPECT_EQ(s.points_per_thread(), 14u);
}

void compare_padding(const Schedule& s) {
  const unsigned without = outline(s.pass, target_for("sm_90"), s.shape).launch.shared_bytes;
  EXPECT_GE(s.launch.shared_bytes, without) << s.pass.n();
  EXPECT_LE(s.launch.shared_bytes, without + without / 6) << s.pass.n();
}

// By Rader's and Bluestein's algorithm.
TEST(MixedSchedules, OfConvolutionsArePaddedByASixthAtMost) {
  int padded = 0;
  for (std::int64_t n = 67; n <= 12000; n += n < 600 ? 2 : 211) {
    if (is_smooth(n, 61)) continue;
    const Schedule s = schedule_of(n);
    EXPECT_TRUE(s.shape.convolves()) << n;
    compare_padding(s);
    padded += s.mixed() ? 1 : 0;
  }
  EXPECT_GT(padded, 100);
}

void compare_sectors(const Schedule& s) {
  for (const unsigned bytes : {4u, 8u}) {
    for (const double most : {1.1, 1.25, 1.5}) {
      const Layout& layout = s.load.layout;
      const bool are = sector_overhead(s.digits, layout, Side::time, bytes) <= most;
      EXPECT_EQ(has_sectors_within(most, s.digits, layout, Side::time, bytes), are) << s.pass.n();
    }
  }
}

TEST(MixedSchedules, OfEveryLengthAreSound) {
  for (std::int64_t n = 3; n <= 16384; n += n < 600 ? 1 : 31) {
    if (!is_mixed_length(n) || n > largest_mixed(n)) continue;
    const Schedule s = schedule_of(n);
    EXPECT_EQ(check(s), "") << n;
    EXPECT_LE(s.launch.threads, 1024u);
    EXPECT_EQ(s.launch.threads % 32, 0u);
    EXPECT_EQ(s.points_per_block(), n * s.launch.transforms_per_block);
    EXPECT_LE(s.launch.shared_bytes, 9u * s.points_per_block() + 8) << n;
    compare_padding(s);
    compare_sectors(s);
  }
}

// Two transforms of 1372 points: shared memory holds nine blocks, which would leave the L1 cache 28
// KB. Six are meant, of 72 registers.
TEST(MixedSchedules, MayKeepMoreBlocksAwayFromTheCache) {
  Tuning tuning;
  tuning.decomposition = Decomposition{{14, 14, 7}}, tuning.points_per_thread = 14;
  tuning.block_points = 2 * 1372, tuning.threads = 128;
  const auto carveout_of = [&](unsigned registers) {
    tuning.registers = registers;
    const Schedule s = schedule_of(1372, tuning);
    const unsigned of_block = s.launch.shared_bytes + 1024;
    EXPECT_EQ(9u, 228u * 1024 / of_block);
    EXPECT_LE(s.min_blocks * of_block * 100, s.launch.carveout * 228 * 1024);
    EXPECT_EQ(s.launch.most_blocks, 8u);
    return std::pair(s.min_blocks, s.launch.carveout);
  };
  EXPECT_EQ(carveout_of(80), std::pair(6u, 62u));
  EXPECT_EQ(carveout_of(64), std::pair(8u, 83u));
  tuning.block_points = 1372, tuning.registers = 40;  // all that fit are meant
  EXPECT_EQ(schedule_of(1372, tuning).launch.carveout, 0u);
  tuning.block_points = 8 * 1372, tuning.registers = 72;  // two fit
  EXPECT_EQ(schedule_of(1372, tuning).launch.carveout, 0u);
}

// By whole digits up to their number, 3 (5) of 64 threads would move all points.
TEST(MixedSchedules, LargePrimesAreMovedByAllThreads) {
  for (const std::int64_t n : {87, 93, 145, 155}) {
    Tuning tuning;
    tuning.block_points = static_cast<unsigned>(n < 100 ? 20 * n : 12 * n);
    tuning.points_per_thread = 32;
    const Schedule s = schedule_of(n, tuning);
    EXPECT_TRUE(s.load.staged) << n;
    EXPECT_LE(s.points_per_thread(), 32u) << n;
    EXPECT_EQ(count_of(s.digits, s.load.layout.threads), static_cast<unsigned>(n));
    EXPECT_EQ(s.launch.threads % 32, 0u);
  }
}

// Of one transform a block the default misses few registers, if any, but where nothing else fits.
TEST(MixedShapes, OfLargePrimesDoNotSpillWhereOthersHold) {
  for (const std::int64_t n : {1054, 1334, 2001, 2465, 8060}) {
    const Schedule s = schedule_of(n);
    const Shape shape = resolve({}, of_length(n), target_for("sm_90"));
    EXPECT_LE(s.launch.threads * shape.registers, 65536u) << n;
  }
}

TEST(MixedShapes, OfLargePrimesTakeAFewMorePointsWhereThatSavesAPhase) {
  for (const std::int64_t n : {782, 1023, 1085}) {
    const Schedule s = schedule_of(n);
    EXPECT_EQ(s.phases.size(), 2u) << n;
    EXPECT_GT(resolve({}, of_length(n), target_for("sm_90")).points_per_thread, 32u) << n;
  }
  EXPECT_LE(resolve({}, of_length(961), target_for("sm_90")).points_per_thread, 32u);
}

TEST(MixedSchedules, DamagedOnesAreRejected) {
  const Schedule good = schedule_of(1000);
  Schedule s = good;
  s.places.points.pads.pop_back();
  EXPECT_EQ(check(s), "points have no place in shared memory");
  s = good;
  s.places.points.pads.back() += 1;
  EXPECT_EQ(check(s), "points have no place in shared memory");
  s = good;
  s.launch.shared_bytes -= 8;
  EXPECT_EQ(check(s), "points have no place in shared memory");
  s = good;
  s.places.points.swizzle = {14, {4}};
  EXPECT_EQ(check(s), "points have no place in shared memory");
  s = schedule_of(4096);
  s.places.points.pads.assign(s.digits.size(), 0);
  EXPECT_EQ(check(s), "points have no place in shared memory");
  s = good;
  s.launch.threads = 64, s.shape.threads = 0;
  EXPECT_EQ(check(s), "a layout has another number of threads than the launch");
  s = good;
  std::swap(s.phases[1].in.registers[0], s.phases[1].in.registers[1]);
  s.phases[1].out = s.phases[1].in;
  EXPECT_EQ(check(s), "step 2 needs its digits in registers");
}

// Lane by lane: 16 points of 8 bytes a cycle, one from each bank.
unsigned brute_force(const Schedule& s, const Layout& layout) {
  const LinearMap map = shared_access(s, layout).positions;
  unsigned cycles = 0;
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    for (std::uint32_t first = 0; first < map.threads(); first += 16) {
      std::map<std::uint32_t, unsigned> in_bank;
      unsigned worst = 0;
      for (std::uint32_t t = first; t < std::min(first + 16, map.threads()); ++t) {
        worst = std::max(worst, ++in_bank[map.of(t, reg) % 16]);
      }
      cycles += worst;
    }
  }
  return cycles;
}

TEST(Padding, ConflictsAreCountedLaneByLane) {
  for (const std::int64_t n : {15, 48, 100, 343, 1001, 3000, 5120}) {
    const Schedule s = schedule_of(n);
    for (const Trip& trip : shared_trips(s)) {
      EXPECT_EQ(count_wavefronts(shared_access(s, trip.layout), s.places.points.swizzle).total,
                brute_force(s, trip.layout))
          << n << " " << to_string(trip.layout, s.digits);
    }
  }
}

TEST(Padding, GivesEveryPointItsOwnPlace) {
  for (const std::int64_t n : {15, 100, 384, 1001, 7680}) {
    const Schedule s = schedule_of(n);
    std::set<std::uint32_t> places;
    const LinearMap map = shared_access(s, s.phases.front().in).positions;
    for (std::uint32_t t = 0; t < map.threads(); ++t) {
      for (std::uint32_t reg = 0; reg < map.registers(); ++reg) places.insert(map.of(t, reg));
    }
    EXPECT_EQ(places.size(), s.points_per_block());
    EXPECT_LT(*places.rbegin(), s.launch.shared_bytes / 8);
  }
}

// Whichever digits number the blocks: of a cluster, and of both kinds of rounds.
TEST(Padding, GivesEveryPointOfABlockItsOwnPlaceThere) {
  struct Parts {
    std::int64_t n;
    unsigned cluster, rounds;
  };
  for (const Parts& parts : {Parts{3600, 3, 1}, Parts{1000, 5, 1}, Parts{3600, 1, 2},
                             Parts{3600, 2, 2}, Parts{30000, 2, 1}}) {
    Tuning tuning;
    tuning.cluster = parts.cluster, tuning.rounds = parts.rounds;
    const FftProblem problem = of_length(parts.n);
    const Target target = target_for("sm_90");
    const Schedule s = schedule(problem, target, resolve(tuning, problem, target));
    for (const Trip& trip : shared_trips(s)) {
      const SharedStrides strides = shared_strides(s.digits, s.places.points.pads, trip.blocks);
      const LinearMap place = stride_map(s.digits, trip.layout, strides.place),
                      block = stride_map(s.digits, trip.layout, strides.block);
      std::set<std::pair<std::uint32_t, std::uint32_t>> places;
      for (std::uint32_t t = 0; t < place.threads(); ++t) {
        for (std::uint32_t reg = 0; reg < place.registers(); ++reg) {
          ASSERT_LT(place.of(t, reg), strides.room);
          places.emplace(block.of(t, reg), place.of(t, reg));
        }
      }
      EXPECT_EQ(places.size(), s.points_per_block()) << parts.n;
    }
    EXPECT_EQ(s.launch.cluster, parts.cluster);
    EXPECT_EQ(check(s), "");
  }
}

TEST(Padding, SavesWavefronts) {
  for (const std::int64_t n : {96, 384, 768, 1280, 1536, 3840, 5120, 7680}) {
    Schedule s = schedule_of(n);
    const auto total = [&] {
      unsigned sum = 0;
      for (const Trip& trip : shared_trips(s)) sum += brute_force(s, trip.layout);
      return sum;
    };
    const unsigned padded = total();
    s.places.points.pads.clear();
    EXPECT_LT(padded, 0.6 * total()) << n;
  }
}

// In clusters and in rounds.
TEST(MixedIr, OfPartsEveryOperationIsNeededOnce) {
  for (const auto& [cluster, rounds] : {std::pair{3u, 1u}, {2u, 2u}, {1u, 2u}}) {
    Tuning tuning;
    tuning.cluster = cluster, tuning.rounds = rounds;
    test::expect_each_needed_once(generate(of_length(3600), target_for("sm_90"), tuning).ir);
  }
}

// The IR: what is damaged is found.
template <class Op>
void expect_rejected(const std::function<void(Op&)>& damage, const std::string& why) {
  const KernelIr ir = generate(of_length(1000), target_for("sm_90")).ir;
  ASSERT_EQ(verify(ir), "");
  EXPECT_GT(test::expect_each_rejected<Op>(ir, damage, why), 0u);
}

TEST(MixedIr, DamageIsFound) {
  expect_rejected<op::Twiddle>([](auto& op) { op.stride /= 2; }, "threads look up");
  expect_rejected<op::Twiddle>([](auto& op) { op.thread_bits[1] += 1; }, "threads look up");
  expect_rejected<op::Twiddle>([](auto& op) { op.register_mask = 1; }, "registers look up");
  expect_rejected<op::Twiddle>([](auto& op) { op.unity_mask = 0; }, "other factors are left out");
  expect_rejected<op::Twiddle>([](auto& op) { op.table.size += 1; }, "wrong size");
  expect_rejected<op::Butterfly>([](auto& op) { op.register_mask = 1; }, "elsewhere");
  expect_rejected<op::Butterfly>([](auto& op) { op.radix = 5; }, "wrong radix");
  expect_rejected<op::Barrier>([](auto& op) { op.scope = op::Barrier::Scope::warp; },
                               "no sufficient barrier");
  expect_rejected<op::ReadShared>(
      [](auto& op) { std::swap(op.layout.registers, op.layout.threads); }, "another layout");
  expect_rejected<op::StoreTile>([](auto& op) { op.layout.threads.pop_back(); }, "stands nowhere");
}

}  // namespace
}  // namespace sonoma
