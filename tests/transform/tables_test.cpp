// Tables hold correctly rounded constants. No error metric sees one twiddle that is off by one
// rounding (it costs some u / sqrt(n)), so the words themselves are compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "cases.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {
namespace {

using verification::rounded_root_of_unity;
using Words = std::span<const std::uint32_t>;

Words words_of(const std::vector<std::uint32_t>& tables, const TableRange& range) {
  return Words(tables).subspan(std::size_t{4} * range.offset, std::size_t{4} * range.size);
}

// The factor that register `reg` of a thread takes after a step: w^(k t') of length r m, t' what is
// left of the time index, k the step's digit; after a folded step times w_16^(15 k / 2);
// under one scale for the transform times a power of two.
verification::Complex exact_factor(const KernelIr& ir, const op::Twiddle& twiddle,
                                   const LinearMap& time, std::uint32_t thread, std::uint32_t reg) {
  const auto& radices = ir.schedule.shape.tree.decomposition.radices;
  std::int64_t m = ir.schedule.shape.tree.decomposition.n();
  for (unsigned s = 0; s <= twiddle.step; ++s) m /= radices[s];
  const std::int64_t radix = radices[twiddle.step];
  const std::int64_t t = time.of_thread(thread) ^ time.of_register(reg);
  const std::int64_t k = t / m % radix, rest = t % m;
  const bool folded = step_of(ir.schedule, twiddle.step).folds;
  const auto w =
      rounded_root_of_unity(2 * radix * m, k * (2 * rest + (folded ? 15 * m : 0)), ir.direction);
  return std::ldexp(1.0f, twiddle.exponent) * w;
}

/// Parts of factors that are not the correctly rounded ones of every register that takes them, and
/// a range with factors that none takes. An odd number of them pads its units.
std::size_t wrong_twiddles(const KernelIr& ir, const op::Twiddle& twiddle, Words words) {
  const LinearMap units{twiddle.thread_bits, {}};
  const LinearMap time = index_map(ir.schedule.digits, twiddle.layout, Side::time);
  std::set<std::size_t> wrong, taken;
  // Registers that agree in the digits of the mask share an entry; 1 has none.
  std::map<unsigned, unsigned> entries;
  const auto is_one = [&](std::uint32_t reg) {
    const auto none_of = [&](unsigned mask) { return mask != 0 && (reg & mask) == 0; };
    return none_of(twiddle.unity_mask) || none_of(twiddle.unity_time_mask);
  };
  for (std::uint32_t thread = 0; thread < ir.schedule.launch.threads; ++thread) {
    for (std::uint32_t reg = 0; reg < 1u << twiddle.layout.registers.size(); ++reg) {
      const auto w = exact_factor(ir, twiddle, time, thread, reg);
      if (is_one(reg)) {
        if (w != verification::Complex(1, 0)) wrong.insert(words.size() + reg);
        continue;
      }
      const auto next = static_cast<unsigned>(entries.size());
      const unsigned entry = entries.emplace(reg & twiddle.register_mask, next).first->second;
      const std::size_t at =
          4 * (entry / 2 * twiddle.stride + units.of_thread(thread)) + entry % 2 * 2;
      if (std::bit_cast<float>(words[at]) != w.real()) wrong.insert(at);
      if (std::bit_cast<float>(words[at + 1]) != w.imag()) wrong.insert(at + 1);
      taken.insert(at);
    }
  }
  const std::size_t units_taken = (entries.size() + 1) / 2 * 4 * twiddle.stride;
  return wrong.size() + (words.size() != units_taken ? 1 : 0) +
         (taken.size() != entries.size() * twiddle.stride ? 1 : 0);
}

double half_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000u ? -magnitude : magnitude;
}

// The nearest multiple of FP16's spacing around `value`.
double nearest_half(long double value) {
  const int exponent = value == 0 ? 0 : std::max(std::ilogb(value), -14);
  return static_cast<double>(
      std::ldexp(std::nearbyint(std::ldexp(value, 10 - exponent)), exponent - 10));
}

/// Element of the matrix: [cos -sin; sin cos] of groups of `radix`, or the folded DFT-16.
long double exact_element(unsigned radix, Direction direction, unsigned row, unsigned column) {
  const auto root = [](std::int64_t n, std::int64_t j) {
    return verification::root_of_unity(n, j, Direction::inverse);  // exp(+2 pi i j / n)
  };
  const int sign = static_cast<int>(direction);
  if (radix == 16) {
    const auto w = root(32, static_cast<int>(row) * (2 * static_cast<int>(column % 8) - 15));
    return column < 8 ? w.real() : static_cast<long double>(-sign) * w.imag();
  }
  if (row % 8 / radix != column % 8 / radix) return 0;
  const auto w = root(radix, sign * static_cast<int>((row % radix) * (column % radix)));
  return row / 8 == column / 8 ? w.real() : row >= 8 ? w.imag() : -w.imag();
}

/// Row and column of the lower half of a word. mma.m16n8k16: fragment A of F, or from the right
/// fragment B of its transpose for columns 0-7, then for 8-15.
std::pair<unsigned, unsigned> place_of(StepForm side, unsigned word) {
  const unsigned lane = word / 4, g = lane / 4, t = lane % 4;
  const unsigned low = word % 2, high = word % 4 / 2;
  if (side == StepForm::right) return {g + 8 * high, 2 * t + 8 * low};
  return {g + 8 * low, 2 * t + 8 * high};
}

// What radix 16 gives back of what tensor cores truncate, in the low half: a little less than
// 2^-25.
constexpr long double given_back = 511 * 0x1p-34L;

/// Elements hi + lo that are not 2^10 times the exact ones, both rounded to nearest. The first half
/// of the words holds hi, the second lo, and what is given back.
std::size_t wrong_elements(const KernelIr& ir, const op::LoadMatrix& matrix, Words words) {
  std::size_t wrong = 0;
  for (unsigned i = 0; i < words.size() / 2; ++i) {
    const auto [row, column] = place_of(matrix.form, i);
    for (const unsigned upper : {0u, 1u}) {
      const double hi = half_value(words[i] >> 16 * upper & 0xffffu);
      const double lo = half_value(words[i + words.size() / 2] >> 16 * upper & 0xffffu);
      const long double exact =
          1024 * exact_element(matrix.radix, ir.direction, row, column + upper);
      const double rounded = nearest_half(exact);
      const long double rest = exact - static_cast<long double>(rounded) +
                               (matrix.radix == 16 ? exact * given_back : 0.0L);
      const bool right = hi == rounded && lo == nearest_half(rest);
      wrong += right ? 0 : 1;
    }
  }
  return wrong;
}

struct Faults {
  std::size_t ranges = 0, wrong = 0;
};

Faults table_faults(const KernelIr& ir, const std::vector<std::uint32_t>& tables) {
  Faults faults;
  for (const Op& any : ir.ops) {
    if (const auto* twiddle = std::get_if<op::Twiddle>(&any)) {
      ++faults.ranges;
      faults.wrong += wrong_twiddles(ir, *twiddle, words_of(tables, twiddle->table));
    } else if (const auto* matrix = std::get_if<op::LoadMatrix>(&any)) {
      ++faults.ranges;
      faults.wrong += wrong_elements(ir, *matrix, words_of(tables, matrix->table));
    }
  }
  return faults;
}

class Tables : public testing::TestWithParam<KernelCase> {
 protected:
  Generated generated_ = generate(GetParam().problem(), target_for("sm_90"), GetParam().tuning());
};

TEST_P(Tables, AreCorrectlyRounded) {
  const Faults faults = table_faults(generated_.ir, generated_.source.tables);
  EXPECT_EQ(faults.wrong, 0);
  EXPECT_EQ(faults.ranges > 0, GetParam().engine == Engine::mma ||
                                   generated_.schedule.shape.tree.decomposition.radices.size() > 1);
}

std::vector<KernelCase> cases() {
  auto all = every_radix();
  const auto user = user_decompositions();
  all.insert(all.end(), user.begin(), user.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Tables, testing::ValuesIn(cases()),
                         [](const auto& tested) { return name(tested.param); });

// Mutants that must fail: one bit of one word, of every range.
TEST(TableMutants, OneRoundingIsSeen) {
  const KernelCase c{4096, Direction::forward, Engine::mma, decompose(4096)};
  const Generated g = generate(c.problem(), target_for("sm_90"), c.tuning());
  for (const Op& any : g.ir.ops) {
    const auto* twiddle = std::get_if<op::Twiddle>(&any);
    const auto* matrix = std::get_if<op::LoadMatrix>(&any);
    if (!twiddle && !matrix) continue;
    const TableRange range = twiddle ? twiddle->table : matrix->table;
    auto tables = g.source.tables;
    std::uint32_t& word = tables[std::size_t{4} * (range.offset + range.size) - 6];
    word ^= 1;
    EXPECT_EQ(table_faults(g.ir, tables).wrong, 1) << to_string(any, g.schedule.digits);
  }
}

}  // namespace
}  // namespace sonoma::test
