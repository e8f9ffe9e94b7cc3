// Tables hold correctly rounded constants. No error metric sees one twiddle that is off by one
// rounding (it costs some u / sqrt(n)), so the words themselves are compared.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
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

std::set<std::pair<std::uint32_t, std::uint32_t>> all_roots(std::int64_t n) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> roots;
  for (std::int64_t k = 0; k < n; ++k) {
    // 0.0f: -0 counts as +0.
    const auto w = rounded_root_of_unity(n, k, Direction::forward) + verification::Complex{};
    roots.emplace(std::bit_cast<std::uint32_t>(w.real()), std::bit_cast<std::uint32_t>(w.imag()));
  }
  return roots;
}

/// Pairs that are no correctly rounded n-th root of unity. A range of one factor pads its unit.
std::size_t wrong_twiddles(const op::Twiddle& twiddle, Words words, std::int64_t n) {
  const auto roots = all_roots(n);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const bool padding = twiddle.register_mask == 0 && i % 4 == 2;
    const auto positive_zero = [](std::uint32_t word) { return word == 0x80000000u ? 0 : word; };
    if (!padding) wrong += 1 - roots.count({positive_zero(words[i]), positive_zero(words[i + 1])});
  }
  return wrong;
}

double half_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000u ? -magnitude : magnitude;
}

// The nearest multiple of FP16's spacing around `value`, for normal numbers.
double nearest_half(long double value) {
  const int exponent = value == 0 ? 0 : std::ilogb(value);
  return static_cast<double>(
      std::ldexp(std::nearbyint(std::ldexp(value, 10 - exponent)), exponent - 10));
}

/// Elements hi + lo that are not 2^10 cos(2 pi j / 16), both rounded to nearest. The first half of
/// the words holds hi, the second lo.
std::size_t wrong_elements(Words words) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < words.size() / 2; ++i) {
    for (const unsigned shift : {0u, 16u}) {
      const double hi = half_value(words[i] >> shift & 0xffffu);
      const double lo = half_value(words[i + words.size() / 2] >> shift & 0xffffu);
      bool found = hi == 0 && lo == 0;
      for (int j = 0; j < 16; ++j) {
        const long double exact =
            1024 * verification::root_of_unity(16, j, Direction::forward).real();
        const double rounded = nearest_half(exact);
        found = found ||
                (hi == rounded && lo == nearest_half(exact - static_cast<long double>(rounded)));
      }
      wrong += found ? 0 : 1;
    }
  }
  return wrong;
}

struct Faults {
  std::size_t ranges = 0, wrong = 0;
};

Faults table_faults(const KernelIr& ir, const std::vector<std::uint32_t>& tables, std::int64_t n) {
  Faults faults;
  for (const Op& any : ir.ops) {
    if (const auto* twiddle = std::get_if<op::Twiddle>(&any)) {
      ++faults.ranges;
      faults.wrong += wrong_twiddles(*twiddle, words_of(tables, twiddle->table), n);
    } else if (const auto* matrix = std::get_if<op::LoadMatrix>(&any)) {
      ++faults.ranges;
      faults.wrong += wrong_elements(words_of(tables, matrix->table));
    }
  }
  return faults;
}

class Tables : public testing::TestWithParam<KernelCase> {
 protected:
  Generated generated_ = generate(GetParam().problem(), target_for("sm_90"), GetParam().tuning());
};

TEST_P(Tables, AreCorrectlyRounded) {
  const Faults faults = table_faults(generated_.ir, generated_.source.tables, GetParam().n);
  EXPECT_EQ(faults.wrong, 0);
  EXPECT_EQ(faults.ranges > 0, GetParam().engine == Engine::mma ||
                                   generated_.schedule.decomposition.radices.size() > 1);
}

std::vector<KernelCase> cases() {
  auto all = all_ptx_and_simt();
  const auto wmma = wmma_cases(true), user = user_decompositions();
  all.insert(all.end(), wmma.begin(), wmma.end());
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
    EXPECT_EQ(table_faults(g.ir, tables, c.n).wrong, 1) << to_string(any, g.schedule.digits);
  }
}

}  // namespace
}  // namespace sonoma::test
