// Lengths that are no powers of two on the engine mma, in padded steps: trees, choices, where
// points and gaps are, and what is refused.
#include "gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "damage.hpp"
#include "matrices.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

FftProblem of_length(std::int64_t n, std::int64_t batch = 1) {
  FftProblem problem;
  problem.lengths = {n};
  problem.batch = batch;
  return problem;
}

Tuning mma(const char* tree = nullptr) {
  Tuning tuning;
  tuning.engine = Engine::mma;
  if (tree) tuning.decomposition = parse_decomposition(tree);
  return tuning;
}

Schedule schedule_of(std::int64_t n, const Tuning& tuning = mma(), const char* arch = "sm_90") {
  const Target target = target_for(arch);
  return schedule(of_length(n), target, resolve(tuning, of_length(n), target));
}

std::string refusal(std::int64_t n, const Tuning& tuning) {
  try {
    (void)schedule_of(n, tuning);
  } catch (const UnsupportedProblem& error) {
    return error.field() + ": " + error.allowed();
  }
  return "accepted";
}

bool is_padded_length(std::int64_t n) { return is_smooth(n) && (n & (n - 1)) != 0; }

TEST(ProductTrees, HaveFewStepsAndLittlePadding) {
  const auto text = [](std::int64_t n) { return to_string(decompose_for_products(n)); };
  EXPECT_EQ(text(3), "(dft 3)");
  EXPECT_EQ(text(225), "(gs 15 (dft 15))");
  EXPECT_EQ(text(1000), "(gs 10 (gs 10 (dft 10)))");
  EXPECT_EQ(text(1001), "(gs 13 (gs 11 (dft 7)))");
  EXPECT_EQ(text(720), "(gs 15 (gs 12 (dft 4)))");  // 1024 points; of 10, 9 and 8 it would be 2048
  EXPECT_EQ(text(480), "(gs 16 (gs 15 (dft 2)))");  // not of 15, 8 and 4: 16 and 15 chain
  EXPECT_EQ(text(4096), to_string(decompose(4096)));
  EXPECT_EQ(to_string(decompose_for_products(1000, 5)), "(gs 5 (gs 5 (gs 5 (dft 8))))");
  EXPECT_EQ(to_string(rounded_up(Decomposition{{13, 11, 7, 3, 16, 2}})),
            "(gs 16 (gs 16 (gs 8 (gs 4 (gs 16 (dft 2))))))");
  EXPECT_EQ(text(6561), "(gs 27 (gs 27 (dft 9)))");  // of 9 it would be 65536 points
  EXPECT_EQ(text(8125), "(gs 25 (gs 25 (dft 13)))");
  EXPECT_TRUE(product_trees(37).empty());
  EXPECT_EQ(to_string(wide_trees(625).front()), "(gs 25 (dft 25))");
  EXPECT_EQ(to_string(wide_trees(225).front()), "(gs 25 (dft 9))");
  EXPECT_TRUE(wide_trees(35).empty());
  EXPECT_EQ(to_string(product_trees(34).front()), "(gs 17 (dft 2))");
  EXPECT_EQ(text(2 * 17 * 19), "(gs 19 (gs 17 (dft 2)))");
}

TEST(ProductTrees, OfEveryLengthMultiplyToIt) {
  for (std::int64_t n = 2; n <= 8192; ++n) {
    if (!is_smooth(n)) continue;
    const auto trees = product_trees(n);
    for (const Decomposition& tree : trees) EXPECT_EQ(tree.n(), n);
    const bool fits = rounded_up(trees.front()).n() <= largest_product_tile;
    EXPECT_TRUE(fits || !has_wide(trees.front()) || !is_smooth(n, 13)) << n;
    EXPECT_EQ(decompose_for_products(n).n(), n);
  }
}

TEST(GapsTuning, SaysWhatIsPossible) {
  EXPECT_EQ(refusal(225, mma()), "accepted");
  const std::string threes =
      "decomposition: with the engine mma a step of another radix than 3, which is left to "
      "butterflies; simt takes this one";
  EXPECT_EQ(refusal(3, mma()), threes);
  EXPECT_EQ(refusal(9, mma("(gs 3 (dft 3))")), threes);
  Tuning steps = mma("(gs 7 (dft 3))");
  steps.tensor_steps = 0b11;
  EXPECT_EQ(refusal(21, steps), "tensor_steps: no step of radix 3: that is butterflies");
  EXPECT_EQ(refusal(6561, mma("(gs 9 (gs 9 (gs 9 (dft 9))))")),
            "decomposition: with the engine mma radices that, each rounded up to a power of two, "
            "multiply to at most 16384, these to 65536; the engine simt takes this length");
  Tuning block = mma();
  block.block_points = 225;
  EXPECT_EQ(refusal(225, block),
            "block_points: a power of two from 512 to 16384 (whole transforms and whole warps)");
  Tuning persistent = mma();
  persistent.persistent = true, persistent.block_points = 4096;
  EXPECT_EQ(refusal(3375, persistent), "persistent: a power of two");
}

TEST(GapsTuning, DefaultsOfOtherEnginesStay) {
  const Target target = target_for("sm_90");
  EXPECT_EQ(resolve({}, of_length(225), target).engine, Engine::simt);
  Tuning products;
  products.products = 4;
  EXPECT_EQ(resolve(products, of_length(225), target).engine, Engine::mma);
  FftProblem problem = of_length(225);
  problem.accuracy.arithmetic = Arithmetic::half;
  const Tuning half = resolve({}, problem, target);
  EXPECT_EQ(half.engine, Engine::mma);
  EXPECT_EQ(half.products, 1u);
}

TEST(GapsTuning, SmallStepsAreButterfliesBesideSixteen) {
  const Target target = target_for("sm_90");
  EXPECT_EQ(resolve(mma(), of_length(720), target).tensor_steps, 0b011u);  // 15, 12; not 4
  EXPECT_EQ(resolve(mma(), of_length(1001), target).tensor_steps, 0b011u);
  EXPECT_EQ(resolve(mma(), of_length(35), target).tensor_steps, 0b11u);
  EXPECT_EQ(resolve(mma(), of_length(21), target).tensor_steps, 0b01u);  // 7; not 3
}

// Every thread's registers, of a side of the tile: each point once, and nothing else.
void expect_every_point_once(const Schedule& s, const Layout& layout, Side side) {
  const auto digits = sparse_digits(s, layout, side);
  std::set<std::uint32_t> places;
  std::size_t points = 0;
  for (std::uint32_t thread = 0; thread < s.launch.threads; ++thread) {
    for (std::uint32_t reg = 0; reg < s.points_per_thread(); ++reg) {
      const auto place = place_of(digits, thread, reg);
      if (!place) continue;
      places.insert(*place);
      ++points;
    }
  }
  const auto all = static_cast<std::size_t>(s.pass.n()) * s.launch.transforms_per_block;
  EXPECT_EQ(points, all) << to_string(s);
  EXPECT_EQ(places.size(), all) << to_string(s);
  EXPECT_EQ(*places.rbegin(), all - 1) << to_string(s);
}

TEST(GapsSchedules, OfEveryLengthAreSound) {
  for (std::int64_t n = 5; n <= 8192; n += n < 400 ? 1 : 29) {
    if (!is_padded_length(n) || rounded_up(decompose_for_products(n)).n() > 8192) continue;
    const Schedule s = schedule_of(n);
    EXPECT_TRUE(s.has_gaps());
    EXPECT_FALSE(s.mixed());
    EXPECT_EQ(check(s), "") << n;
    expect_every_point_once(s, s.load.layout, Side::time);
    expect_every_point_once(s, s.store.layout, Side::frequency);
    EXPECT_GE(sector_overhead(s, s.load.layout, Side::time, Storage::f32), 1.0) << n;
  }
}

TEST(GapsSchedules, SayWhatIsPadded) {
  const std::string text = to_string(schedule_of(1001));
  for (const char* part :
       {"step 1: radix 13 (padded to 16), left",
        "step 3: radix 7 (padded to 8), butterflies in registers",
        "a transform of 1001 points takes 2048 of the tile; 13 of 16 values of t1, 11 of 16 of t2, "
        "7 of 8 of t3 are points, the others are zeros and not stored"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_FALSE(schedule_of(4096).has_gaps());
}

TEST(GapsSchedules, DamagedOnesAreRejected) {
  const Schedule good = schedule_of(1001);
  const std::string elsewhere = "points with gaps lie elsewhere than the decomposition says";
  for (std::size_t id = 0; id < good.digits.size(); ++id) {
    Schedule s = good;
    s.digits[id].in_stride += 1;
    EXPECT_EQ(check(s), elsewhere);
    s = good;
    s.digits[id].out_stride *= 2;
    EXPECT_EQ(check(s), elsewhere);
  }
  Schedule s = good;
  s.phases[0].steps[0].radix = 16;  // more points than there are
  EXPECT_NE(check(s), "");
  s = good;
  s.decomposition.radices = {13, 11, 8};
  EXPECT_EQ(check(s), "the decomposition is of another length");
}

// The IR: what is damaged is found.
template <class Op>
void expect_rejected(const std::function<void(Op&)>& damage, const std::string& why) {
  const KernelIr ir = generate(of_length(1001), target_for("sm_90"), mma()).ir;
  ASSERT_EQ(verify(ir), "");
  EXPECT_GT(test::expect_each_rejected<Op>(ir, damage, why), 0u);
}

TEST(GapsIr, DamageIsFound) {
  expect_rejected<op::LoadMatrix>([](auto& op) { op.radix = 16; }, "the DFT matrix was not loaded");
  expect_rejected<op::Mma>([](auto& op) { op.radix = 16; }, "a step has the wrong radix");
  expect_rejected<op::Split>([](auto& op) { op.parts = 3; }, "a split in other parts");
  expect_rejected<op::Twiddle>([](auto& op) { op.stride /= 2; }, "threads look up");
  expect_rejected<op::Twiddle>([](auto& op) { op.unity_mask += 1; }, "other factors are left out");
}

// Of complex words the matrix of another step's radix does not do.
TEST(GapsIr, WordsTakeTheMatrixOfTheirRadix) {
  Tuning half = mma();
  half.products = 1;
  KernelIr ir = generate(of_length(3510), target_for("sm_90"), half).ir;
  ASSERT_EQ(verify(ir), "");
  const auto words = [](const Op& op) { return std::holds_alternative<op::WordProduct>(op); };
  ASSERT_NE(std::find_if(ir.ops.begin(), ir.ops.end(), words), ir.ops.end());
  for (Op& op : ir.ops) {
    if (auto* matrix = std::get_if<op::LoadMatrix>(&op)) matrix->radix = 16;
  }
  EXPECT_NE(verify(ir).find("the DFT matrix was not loaded"), std::string::npos) << verify(ir);
}

// A copy to shared memory moves what there is not.
TEST(GapsIr, AreNotCopied) {
  KernelIr ir = generate(of_length(225), target_for("sm_90"), mma()).ir;
  ir.ops[0] = op::CopyAsync{ir.schedule.load.layout};
  EXPECT_NE(verify(ir), "");
}

TEST(GapsProgram, TakesOnePass) {
  Tuning passes = mma();
  passes.pass_lengths = std::vector<std::int64_t>{60, 60};
  const FftProblem problem = of_length(3600);
  const Target target = target_for("sm_90");
  try {
    const Program program = make_program(problem, target, passes);
    for (const Launch& launch : program.launches) {
      (void)schedule(launch.pass, target, launch.tuning);
    }
    FAIL() << to_string(program);
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), "engine");
    EXPECT_EQ(error.allowed(), "powers of two in transforms of several passes; the engine simt");
  }
}

// What high and low halves leave of the cosines of a folded matrix over its divisor, and the low
// halves alone, relative to it.
struct Rest {
  double both = 0, low = 0;
};

Rest rest_of(unsigned radix, double divisor) {
  Rest sum;
  for (unsigned k = 0; k < radix; ++k) {
    for (unsigned t = 0; t < radix; ++t) {
      const double angle = std::numbers::pi * k * (2.0 * t - twice_centre(radix)) / radix;
      for (const double part : {std::cos(angle), std::sin(angle)}) {
        const double exact = 1024 * part / divisor, hi = from_half(to_half(exact));
        const double lo = from_half(to_half(exact - hi));
        sum.low += lo * lo * divisor * divisor;
        sum.both += (exact - hi - lo) * (exact - hi - lo) * divisor * divisor;
      }
    }
  }
  return sum;
}

TEST(GapsTables, DivisorsMakeHalvesMoreExact) {
  for (unsigned radix = 9; radix < 32; ++radix) {
    if (radix == 16) continue;
    const double divisor = folded_matrix_divisor(radix);
    EXPECT_EQ(divisor * 8192, std::round(divisor * 8192)) << radix;
    EXPECT_GE(divisor, 1) << radix;
    EXPECT_LT(divisor, 2) << radix;
    const Rest plain = rest_of(radix, 1), better = rest_of(radix, divisor);
    EXPECT_LT(better.low, plain.low) << radix;
    EXPECT_LT(better.both, plain.both) << radix;
  }
  for (const unsigned radix : {2u, 3u, 7u, 8u, 16u, 32u})
    EXPECT_EQ(folded_matrix_divisor(radix), 1);
}

// Rows and columns from the radix on are zero, so that gaps stay zeros.
TEST(GapsTables, MatricesAreZeroBeyondTheRadix) {
  const Generated g = generate(of_length(13), target_for("sm_75"), mma());  // rows, not fragments
  const auto* matrix = std::get_if<op::LoadMatrix>(
      &*std::find_if(g.ir.ops.begin(), g.ir.ops.end(),
                     [](const Op& op) { return std::holds_alternative<op::LoadMatrix>(op); }));
  for (unsigned row = 0; row < 16; ++row) {
    bool zeros = true;
    for (unsigned word = 0; word < 8; ++word) {
      zeros = zeros && g.source.tables[matrix->table.offset * 4 + row * 8 + word] == 0;
    }
    EXPECT_EQ(zeros, row >= 13) << row;
  }
}

}  // namespace
}  // namespace sonoma
