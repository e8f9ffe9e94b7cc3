// Wide steps, of radix 17 to 32: their frequencies, matrices and twiddles, where they may stand,
// and IR that is damaged.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>

#include "damage.hpp"
#include "gaps.hpp"
#include "matrices.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generate.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

FftProblem of_length(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  return problem;
}

Tuning of_tree(const Decomposition& tree) {
  Tuning tuning;
  tuning.engine = Engine::mma;
  tuning.decomposition = tree;
  return tuning;
}

Generated generated(const Decomposition& tree, Direction direction = Direction::forward) {
  FftProblem problem = of_length(tree.n());
  problem.direction = direction;
  return generate(problem, target_for("sm_90"), of_tree(tree));
}

std::string refusal(const Tuning& tuning, const char* arch = "sm_90") {
  const FftProblem problem = of_length(tuning.decomposition->n());
  const Target target = target_for(arch);
  try {
    (void)schedule(problem, target, resolve(tuning, problem, target));
  } catch (const UnsupportedProblem& error) {
    return error.field() + ": " + error.allowed();
  }
  return "accepted";
}

TEST(WideFrequencies, StandAtOneValueEach) {
  for (unsigned radix = 17; radix <= 32; ++radix) {
    std::set<std::uint32_t> frequencies;
    unsigned points = 0;
    for (unsigned value = 0; value < 32; ++value) {
      const auto frequency = wide_frequency(radix, value);
      if (!frequency) continue;
      EXPECT_LT(*frequency, radix);
      frequencies.insert(*frequency);
      ++points;
      // The pairs that one product gives.
      if (value <= 16) continue;
      EXPECT_EQ(*frequency + wide_frequency(radix, value - 16).value(), radix);
    }
    EXPECT_EQ(points, radix);
    EXPECT_EQ(frequencies.size(), radix);
  }
}

TEST(WideTuning, SaysWhatIsPossible) {
  EXPECT_EQ(refusal(of_tree({{25, 3}})), "accepted");
  EXPECT_EQ(refusal(of_tree({{32, 32}})), "accepted");
  EXPECT_EQ(refusal(of_tree({{32, 32, 16}})), "accepted");
  EXPECT_EQ(refusal(of_tree({{25, 25}}), "sm_75"),
            "decomposition: steps of radix up to 16 with matrix products of the form wmma; ptx, "
            "from sm_80 on, and the engine simt take 32");
  EXPECT_EQ(refusal(of_tree({{18, 18, 18}})),
            "decomposition: with the engine mma radices that, each rounded up to a power of two, "
            "multiply to at most 16384, these to 32768; the engine simt takes this length");
  Tuning steps = of_tree({{16, 20}});
  steps.tensor_steps = 0b01;
  EXPECT_EQ(refusal(steps),
            "tensor_steps: every step of a radix above 16: the engine mma has no butterflies of "
            "those");
  Tuning persistent = of_tree({{32, 32}});
  persistent.persistent = true, persistent.block_points = 1024;
  EXPECT_EQ(refusal(persistent), "persistent: a power of two");
}

TEST(WideTuning, DefaultsStay) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {32, 625, 729, 1024, 4096}) {
    Tuning mma;
    mma.engine = Engine::mma;
    EXPECT_FALSE(has_wide(*resolve(mma, of_length(n), target).decomposition)) << n;
  }
  Tuning tree = of_tree({{32, 32}});
  tree.engine.reset();
  EXPECT_EQ(resolve(tree, of_length(1024), target).engine, Engine::simt);
  EXPECT_EQ(resolve(of_tree({{20, 16, 15}}), of_length(4800), target).tensor_steps, 0b011u);
  EXPECT_EQ(resolve(of_tree({{16, 15, 20}}), of_length(4800), target).tensor_steps, 0b101u);
}

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

TEST(WideSchedules, AreSound) {
  for (const Decomposition& tree : std::vector<Decomposition>{{{18}},
                                                              {{32}},
                                                              {{32, 32}},
                                                              {{25, 25}},
                                                              {{16, 20}},
                                                              {{21, 8}},
                                                              {{4, 22, 2}},
                                                              {{27, 27, 9}}}) {
    const Schedule s = generated(tree).schedule;
    EXPECT_EQ(check(s), "");
    EXPECT_TRUE(s.has_gaps());
    expect_every_point_once(s, s.load.layout, Side::time);
    expect_every_point_once(s, s.store.layout, Side::frequency);
    for (const Phase& phase : s.phases) {
      const auto product = [](const Step& step) { return step.form != StepForm::registers; };
      const auto wide = [](const Step& step) { return is_wide(step.radix); };
      if (std::none_of(phase.steps.begin(), phase.steps.end(), wide)) continue;
      EXPECT_EQ(std::count_if(phase.steps.begin(), phase.steps.end(), product), 1);
    }
  }
}

TEST(WideSchedules, SayWhereFrequenciesStand) {
  const std::string text = to_string(generated({{25, 32}}).schedule);
  for (const char* part :
       {"step 1: radix 25 (padded to 32), right", "step 2: radix 32, right",
        "a transform of 800 points takes 1024 of the tile; 25 of 32 values of t1 are points",
        "frequencies of a step of radix r above 16 stand at 0 to 15 as they are, k beyond at 16 + "
        "r - k"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const std::string bits = to_string(generated({{32}}).schedule);
  EXPECT_EQ(bits.find("padded"), std::string::npos) << bits;
}

TEST(WideSchedules, DamagedOnesAreRejected) {
  const Schedule good = generated({{25, 25}}).schedule;
  Schedule s = good;
  s.phases[0].steps[0].form = StepForm::left;
  EXPECT_EQ(check(s), "step 1 is wide: a product of split halves from the right");
  s = good;
  s.phases[1].steps[0].words = true;
  EXPECT_EQ(check(s), "step 2 is wide: a product of split halves from the right");
  s = good;
  std::swap(s.phases[0].in.registers[1], s.phases[0].in.registers[3]);
  s.load.layout = s.load.staged ? s.load.layout : s.phases[0].in;
  EXPECT_EQ(check(s), "step 1 misses bit 4 of its digit in its column");
}

// A matrix that lower() would load of a radix, primes included: halves joined.
class JoinedMatrix {
 public:
  JoinedMatrix(unsigned radix, int sign) {
    append_matrix(words_, {radix, StepForm::right, false, {0, wide_matrix_units}}, MmaForm::ptx,
                  sign);
  }
  [[nodiscard]] std::size_t words() const { return words_.size(); }
  // part 0: cosines, 1: sines. See append_fragments() in matrices.cpp.
  [[nodiscard]] double at(unsigned part, unsigned row, unsigned column) const {
    const unsigned lane = row % 8 * 4 + column % 8 / 2;
    const unsigned word = row / 8 * 2 + column / 8, shift = column % 2 * 16;
    const auto half = [&](unsigned low) {
      const std::uint32_t pair = words_[part * 256 + low * 128 + lane * 4 + word];
      return from_half(static_cast<std::uint16_t>(pair >> shift));
    };
    return (half(0) + half(1)) / (1 << 10);
  }

 private:
  std::vector<std::uint32_t> words_;
};

// Of cosines (part 0) or sines.
double exact_element(unsigned part, unsigned radix, int sign, unsigned k, unsigned v) {
  if (2 * k > radix) return 0;
  const unsigned frequency = part == 1 && radix == 32 && k == 0 ? 16 : k;
  const auto root = exact_root(std::int64_t{frequency} * (2 * int(v) - 31), 2 * radix);
  const auto divisor = static_cast<long double>(folded_matrix_divisor(radix));
  return static_cast<double>((part == 0 ? root.real() : -sign * root.imag()) / divisor);
}

TEST(WideTables, MatricesAreCosinesAndSinesAndLiteralZeros) {
  for (unsigned radix = 17; radix <= 32; ++radix) {
    for (const int sign : {-1, 1}) {
      const JoinedMatrix matrix(radix, sign);
      ASSERT_EQ(matrix.words(), 4 * wide_matrix_units);
      for (unsigned i = 0; i < 2 * 16 * 16; ++i) {
        const unsigned part = i / 256, k = i / 16 % 16, v = i % 16;
        const double exact = exact_element(part, radix, sign, k, v), found = matrix.at(part, k, v);
        EXPECT_NEAR(found, exact, exact == 0 ? 0 : 0x1p-22) << radix << " " << part << " " << k;
      }
    }
  }
}

// Every point finds w^(k t') w_r^(31 k / 2) and the divisor, k the frequency that stands there.
void expect_factors(const Generated& g, const op::Twiddle& op) {
  const auto& radices = g.schedule.decomposition.radices;
  const unsigned radix = radices[op.step];
  const bool last = op.step + 1 == radices.size();
  const std::int64_t m = last ? 1 : radices[op.step + 1];
  const LinearMap table{op.thread_bits, {}};
  const LinearMap own = value_map(g.schedule.digits, op.layout, static_cast<int>(op.step)),
                  next = value_map(g.schedule.digits, op.layout, static_cast<int>(op.step) + 1);
  const auto entries = twiddle_entries(g.schedule.digits, op);
  for (unsigned thread = 0; thread < g.schedule.launch.threads; ++thread) {
    for (unsigned reg = 0; reg < entries.size(); ++reg) {
      const auto k = wide_frequency(radix, own.of(thread, reg));
      const std::int64_t t = last ? 0 : next.of(thread, reg);
      if (!k || t >= m) continue;  // a gap
      const auto w = exact_root(*k * (2 * t + 31 * m), 2 * m * radix);
      const auto entry = static_cast<unsigned>(entries[reg]);
      const std::size_t unit = op.table.offset + std::size_t{entry / 2} * op.stride;
      const std::size_t word = 4 * (unit + table.of_thread(thread)) + 2 * (entry % 2);
      const auto divisor = static_cast<long double>(folded_matrix_divisor(radix));
      ASSERT_EQ(std::bit_cast<float>(g.source.tables.at(word)),
                std::ldexp(static_cast<float>(w.real() * divisor), op.exponent))
          << to_string(g.schedule.decomposition) << " " << thread << " " << reg;
    }
  }
}

TEST(WideTables, TwiddlesAreThoseOfTheFrequencies) {
  for (const Decomposition& tree : std::vector<Decomposition>{{{25}}, {{32, 5}}, {{20, 27}}}) {
    const Generated g = generated(tree, Direction::inverse);
    for (const Op& any : g.ir.ops) {
      const auto* op = std::get_if<op::Twiddle>(&any);
      if (op && is_wide(tree.radices[op->step])) expect_factors(g, *op);
    }
  }
}

// The IR: what is damaged is found.
template <class Op>
void expect_rejected(const std::function<void(Op&)>& damage, const std::string& why) {
  for (const Decomposition& tree : {Decomposition{{20}}, Decomposition{{25, 25}}}) {
    const KernelIr ir = generated(tree).ir;
    ASSERT_EQ(verify(ir), "");
    EXPECT_GT(test::expect_each_rejected<Op>(ir, damage, why), 0u);
  }
}

TEST(WideIr, DamageIsFound) {
  expect_rejected<op::Unfold>([](auto& op) { op.tile = 1; }, "nothing to unfold");
  expect_rejected<op::Unfold>([](auto& op) { op.tile = 99; }, "nothing to unfold");
  expect_rejected<op::Unfold>([](auto& op) { op.radix = 32; }, "frequencies of another radix");
  expect_rejected<op::LoadMatrix>([](auto& op) { op.radix = 27; }, "was not loaded");
  expect_rejected<op::LoadMatrix>([](auto& op) { op.radix = 16; }, "table range");
  expect_rejected<op::LoadMatrix>([](auto& op) { op.words = true; }, "complex words of a radix");
  expect_rejected<op::Mma>([](auto& op) { op.radix = 32; }, "a step has the wrong radix");
  expect_rejected<op::Fold>([](auto& op) { op.form = StepForm::left; }, "on the other side");
  expect_rejected<op::Twiddle>([](auto& op) { op.stride /= 2; }, "threads look up");
}

// Each fold, product and unfolding has its place.
TEST(WideIr, EveryOperationIsNeededOnce) {
  for (const Decomposition& tree : {Decomposition{{20}}, Decomposition{{25, 25}}}) {
    test::expect_each_needed_once(generated(tree).ir);
  }
}

}  // namespace
}  // namespace sonoma
