// The method rader: who takes it, its tables, its IR and what the verifier rejects of it.
#include "rader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "damage.hpp"
#include "rader_tables.hpp"
#include "sonoma/check.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"
#include "tables.hpp"

namespace sonoma::test {
namespace {

FftProblem problem_of(std::int64_t n) { return {.lengths = {n}}; }

Tuning rader() {
  Tuning tuning;
  tuning.method = Method::rader;
  return tuning;
}

Generated kernel(std::int64_t n, const Tuning& tuning = rader()) {
  return generate(problem_of(n), target_for("sm_90"), tuning);
}

// In blocks of fewer threads than two of three phases take: points in order lie before the tile.
KernelIr in_laps() {
  Tuning tuning = rader();
  tuning.decomposition = parse_decomposition("(gs 14 (gs 8 (dft 9)))");
  tuning.points_per_thread = 14, tuning.block_points = 1008, tuning.threads = 64;
  return kernel(1009, tuning).ir;
}

std::string refused_field(const FftProblem& problem, const Tuning& tuning,
                          const char* arch = "sm_90") {
  try {
    (void)make_program(problem, target_for(arch), tuning);
    if (!takes_passes(problem, target_for(arch), tuning)) {
      (void)generate(problem, target_for(arch), tuning);
    }
  } catch (const UnsupportedProblem& error) {
    return error.field();
  }
  return "";
}

Method default_method(const FftProblem& problem, const Tuning& tuning = {},
                      const char* arch = "sm_90") {
  return method_for(tuning, problem, target_for(arch));
}

TEST(RaderMethod, ServesPrimesWithStepsForTheNumberBefore) {
  for (const std::int64_t n : {71, 103, 257, 311, 1009, 4051, 8191, 12289, 16369, 16381}) {
    EXPECT_EQ(default_method(problem_of(n)), Method::rader) << n;
    const Program program = make_program(problem_of(n), target_for("sm_90"), {});
    ASSERT_EQ(program.launches.size(), 1u) << n;
    const Tuning tuning = kernel(n, {}).tuning;
    EXPECT_EQ(tuning.method, Method::rader) << n;
    EXPECT_EQ(tuning.engine, Engine::simt);
    EXPECT_EQ(tuning.decomposition->n(), n - 1);
    EXPECT_EQ(kernel(n, tuning).tuning, tuning);
  }
  for (const std::int64_t n : {4, 17, 31, 61, 83, 47 * 47, 1019, 2 * 509, 65537}) {
    EXPECT_NE(default_method(problem_of(n)), Method::rader) << n;
  }
  for (const std::int64_t n : {5, 17, 29}) EXPECT_EQ(kernel(n).tuning.decomposition->n(), n - 1);
}

TEST(RaderMethod, LeavesToBluesteinWhatItDoesNotHave) {
  FftProblem padded = problem_of(1009);
  padded.ends.in_length = 1000;
  EXPECT_EQ(default_method(padded), Method::bluestein);
  EXPECT_EQ(default_method(problem_of(12289), {}, "sm_75"), Method::bluestein);  // 64 KB
  Tuning cluster, direct, longer, other_block, engine, passes;
  cluster.cluster = 2;
  direct.stage_load = false;
  longer.decomposition = decompose(2048);
  other_block.block_points = 2048;
  engine.engine = Engine::mma;
  passes.pass_lengths = {64, 32};
  for (const Tuning& tuning : {cluster, direct, longer, other_block, engine, passes}) {
    EXPECT_EQ(default_method(problem_of(1009), tuning), Method::bluestein) << to_string(tuning);
  }
  Tuning steps;
  steps.decomposition = decompose(1008);
  EXPECT_EQ(default_method(problem_of(1009), steps), Method::rader);
}

TEST(RaderMethod, RefusesWhatItCannotDo) {
  EXPECT_EQ(refused_field(problem_of(15), rader()), "method");    // no prime
  EXPECT_EQ(refused_field(problem_of(1019), rader()), "method");  // 1018 = 2 509
  EXPECT_EQ(refused_field(problem_of(2), rader()), "method");
  EXPECT_EQ(refused_field(problem_of(65537), rader()), "method");  // beyond a block
  EXPECT_EQ(refused_field(problem_of(12289), rader(), "sm_75"), "method");
  FftProblem code = problem_of(37);
  code.ends.load_code = "value";
  EXPECT_EQ(refused_field(code, rader()), "method");
  const auto with = [](const std::function<void(Tuning&)>& set) {
    Tuning tuning = rader();
    set(tuning);
    return refused_field(problem_of(1009), tuning);
  };
  EXPECT_EQ(with([](Tuning& t) { t.cluster = 2; }), "cluster");
  EXPECT_EQ(with([](Tuning& t) { t.rounds = 2; }), "rounds");
  EXPECT_EQ(with([](Tuning& t) { t.stage_load = false; }), "stage_load");
  EXPECT_EQ(with([](Tuning& t) { t.stage_store = false; }), "stage_load");
  EXPECT_EQ(with([](Tuning& t) { t.pass_lengths = {32, 64}; }), "pass_lengths");
  EXPECT_EQ(with([](Tuning& t) { t.engine = Engine::mma; }), "engine");
  EXPECT_EQ(with([](Tuning& t) { t.decomposition = decompose(2048); }), "decomposition");
  EXPECT_EQ(with([](Tuning& t) { t.block_points = 2048; }), "block_points");
  EXPECT_EQ(with([](Tuning& t) { t.block_points = 3024; }), "");
}

TEST(RaderMethod, ErrorLimitCountsTwoTransformsAndOneProduct) {
  EXPECT_DOUBLE_EQ(error_limit(problem_of(257), roundings_of(kernel(257).shape)),
                   1.5 * 0x1p-24 * std::sqrt(2 * 8 + 1));
  Tuning simt, bluestein;
  simt.engine = Engine::simt;
  bluestein.method = Method::bluestein;
  const double radix = kernel(256, simt).error.bound, bound = kernel(257).error.bound;
  EXPECT_GT(bound, 2 * radix);
  EXPECT_LT(bound, 3 * radix);
  EXPECT_LT(bound, kernel(257, bluestein).error.bound);
}

TEST(RaderNumbers, PowersOfTheRootAreAllNumbers) {
  for (const std::int64_t n : {3, 5, 7, 37, 41, 191, 1009, 16381}) {
    const unsigned root = primitive_root(n);
    std::set<std::int64_t> powers;
    for (std::int64_t q = 0; q < n - 1; ++q) powers.insert(power_modulo(root, q, n));
    EXPECT_EQ(powers.size(), static_cast<std::size_t>(n - 1)) << n;
    EXPECT_EQ(*powers.begin(), 1);
  }
  EXPECT_EQ(primitive_root(191), 19u);
  EXPECT_FALSE(is_primitive_root(2, 7));
  EXPECT_FALSE(is_primitive_root(0, 7) || is_primitive_root(7, 7) || is_primitive_root(10, 7));
}

// Against the sum itself.
TEST(RaderNumbers, SpectrumIsThatOfThePowersOfTheInverseRoot) {
  for (const auto& [n, sign] : {std::pair(5, -1), std::pair(37, 1), std::pair(61, -1)}) {
    const std::int64_t m = n - 1, inverse = power_modulo(primitive_root(n), m - 1, n);
    const auto spectrum = rader_spectrum(n, sign);
    EXPECT_EQ(spectrum[0], 1.0);  // -1 is where X(0) is
    for (std::int64_t k = 1; k < m; ++k) {
      std::complex<long double> sum = 0;
      for (std::int64_t q = 0; q < m; ++q) {
        sum += exact_root(sign * power_modulo(inverse, q, n), n) * exact_root(sign * q * k, m);
      }
      const std::complex<double> expected(sum / static_cast<long double>(m));
      EXPECT_LT(std::abs(spectrum[static_cast<std::size_t>(k)] - expected), 1e-15);
      EXPECT_NEAR(std::abs(expected) * static_cast<double>(m), std::sqrt(static_cast<double>(n)),
                  1e-12);
    }
  }
}

TEST(RaderIr, EveryOperationIsNeededOnce) {
  for (const std::int64_t n : {5, 19, 37, 257, 311, 1009, 12289}) {
    const KernelIr ir = kernel(n).ir;
    SCOPED_TRACE(n);
    expect_each_needed_once(ir);
  }
  expect_each_needed_once(in_laps());
}

bool stays_in_registers(const Op& op) {
  return std::holds_alternative<op::Butterfly>(op) || std::holds_alternative<op::Twiddle>(op) ||
         std::holds_alternative<op::Multiply>(op);
}

// But a barrier and what no other thread sees.
TEST(RaderIr, NeighboursMayNotChangePlaces) {
  for (const KernelIr& ir : {kernel(257).ir, kernel(1009).ir, in_laps()}) {
    for (std::size_t i = 0; i + 1 < ir.ops.size(); ++i) {
      const bool before = std::holds_alternative<op::Barrier>(ir.ops[i + 1]);
      if (before && stays_in_registers(ir.ops[i])) continue;
      EXPECT_NE(verify(swapped(ir, i)), "") << to_string(ir.ops[i], ir.schedule.digits);
    }
  }
}

// Each operation of the kind is damaged in its turn.
template <class T>
void expect_rejected(const std::function<void(T&)>& damage, const std::string& reason) {
  for (const KernelIr& ir : {kernel(257).ir, kernel(1009).ir, in_laps()}) {  // by bits, and mixed
    EXPECT_GT(expect_each_rejected<T>(ir, damage, reason), 0u);
  }
}

TEST(RaderIr, DamagedOperationsAreRejected) {
  const auto square = [](auto& op) { op.root = op.root * op.root; };  // half of the numbers
  const auto swapped = [](auto& op) { std::swap(op.layout.threads[0], op.layout.threads[1]); };
  expect_rejected<op::ReadPowers>(square, "powers that are not all numbers");
  expect_rejected<op::ReadPowers>([](auto& op) { op.root = 0; }, "powers that are not all numbers");
  expect_rejected<op::ReadPowers>([](auto& op) { op.table.size += 1; }, "wrong size");
  expect_rejected<op::ReadPowers>(swapped, "op ");
  expect_rejected<op::WritePowers>(square, "other powers");
  expect_rejected<op::WritePowers>([](auto& op) { op.table.offset += 1; }, "other powers");
  expect_rejected<op::WritePowers>(swapped, "this layout");
  expect_rejected<op::ZeroFrequency>(swapped, "this layout");
  expect_rejected<op::ZeroFrequency>([](auto& op) { op.factor = 2; }, "another factor");
  expect_rejected<op::Spectrum>([](auto& op) { op.register_mask ^= 1; }, "other frequencies");
  expect_rejected<op::Spectrum>([](auto& op) { --op.exponent; }, "another power of two");
}

TEST(RaderIr, ATileWithoutRoomForTheOrderOfMemoryIsRejected) {
  for (KernelIr ir : {kernel(257).ir, kernel(1009).ir, in_laps()}) {
    ir.schedule.launch.shared_bytes -= 8;
    EXPECT_NE(verify(ir).find("no room for points in order"), std::string::npos) << verify(ir);
  }
}

// All threads meet twice less than where points in order lie in the tile's place, which no lap may.
TEST(RaderIr, LapsHaveAPlaceForTheOrderOfMemory) {
  const auto barriers = [](const KernelIr& ir) {
    return std::ranges::count_if(
        ir.ops, [](const Op& op) { return std::holds_alternative<op::Barrier>(op); });
  };
  KernelIr ir = in_laps();
  EXPECT_TRUE(ir.schedule.has_laps());
  EXPECT_EQ(ir.schedule.places.tile_from, 1024u);  // whole rows of banks
  EXPECT_EQ(verify(ir), "");
  Tuning one = rader();
  one.decomposition = ir.schedule.shape.tree.decomposition;
  one.points_per_thread = 14, one.block_points = 1008;
  const KernelIr in_one = kernel(1009, one).ir;
  EXPECT_EQ(in_one.schedule.places.tile_from, 0u);
  EXPECT_EQ(barriers(ir) + 2, barriers(in_one));
  ir.schedule.places.tile_from = 0;
  EXPECT_NE(verify(ir), "");
}

// Every thread has points, and none more than the steps take; two if they do not divide.
TEST(RaderSchedule, TheOrderOfMemoryTakesAllThreads) {
  for (const std::int64_t n : {23, 103, 113, 257, 601, 1009, 16381}) {
    const Generated g = kernel(n);
    EXPECT_EQ(g.schedule.points_per_thread(), *g.tuning.points_per_thread) << n;
    const double moved = g.costs.bytes_moved / (16.0 * static_cast<double>(n));
    EXPECT_LT(moved, 1.02) << n;
  }
}

}  // namespace
}  // namespace sonoma::test
