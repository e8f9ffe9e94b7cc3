// The Gentleman-Sande tree: its text, its default, and its meaning.
#include "sonoma/decomposition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "sonoma/errors.hpp"
#include "sonoma/layout.hpp"

namespace sonoma {
namespace {

using Complex = std::complex<double>;

void add_compositions(std::int64_t n, Decomposition& prefix, std::vector<Decomposition>& all) {
  if (n == 1) all.push_back(prefix);
  for (const unsigned radix : {2u, 4u, 8u, 16u}) {
    if (n % radix != 0) continue;
    prefix.radices.push_back(radix);
    add_compositions(n / radix, prefix, all);
    prefix.radices.pop_back();
  }
}

std::vector<Decomposition> compositions(std::int64_t n) {
  std::vector<Decomposition> all;
  Decomposition prefix;
  add_compositions(n, prefix, all);
  return all;
}

Complex root(std::int64_t numerator, std::int64_t denominator) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(numerator % denominator) /
                       static_cast<double>(denominator);
  return {std::cos(angle), std::sin(angle)};
}

std::vector<Complex> dft(const std::vector<Complex>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<Complex> y(x.size());
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t t = 0; t < n; ++t) y[size_t(k)] += x[size_t(t)] * root(k * t, n);
  }
  return y;
}

// The definition in decomposition.hpp, word for word.
std::vector<Complex> evaluate(const Decomposition& tree, std::size_t step,
                              const std::vector<Complex>& x) {
  if (step + 1 == tree.radices.size()) return dft(x);
  const std::size_t n = x.size(), r = tree.radices[step], m = n / r;
  std::vector<std::vector<Complex>> rows(r, std::vector<Complex>(m));
  for (std::size_t t0 = 0; t0 < m; ++t0) {
    std::vector<Complex> column(r);
    for (std::size_t t1 = 0; t1 < r; ++t1) column[t1] = x[t1 * m + t0];
    column = dft(column);
    for (std::size_t k1 = 0; k1 < r; ++k1) {
      rows[k1][t0] = column[k1] * root(static_cast<std::int64_t>(k1 * t0), int64_t(n));
    }
  }
  std::vector<Complex> y(n);
  for (std::size_t k1 = 0; k1 < r; ++k1) {
    const std::vector<Complex> rest = evaluate(tree, step + 1, rows[k1]);
    for (std::size_t k = 0; k < m; ++k) y[k1 + r * k] = rest[k];
  }
  return y;
}

// The same, in place, by the digits' strides: step s contracts the digit whose points lie
// time_stride apart, and the result is read by freq_stride.
std::vector<Complex> evaluate_digits(const Decomposition& tree, std::vector<Complex> x) {
  const std::vector<Digit> digits = make_digits(tree, 1);
  std::size_t length = x.size();
  for (std::size_t s = 0; s < tree.radices.size(); ++s) {
    const std::size_t r = tree.radices[s];
    std::size_t stride = x.size();
    for (const Digit& digit : digits) {
      if (digit.step == static_cast<int>(s) && digit.weight == 1) stride = digit.time_stride;
    }
    for (std::size_t p = 0; p < x.size(); ++p) {
      if (p / stride % r != 0) continue;
      std::vector<Complex> column(r);
      for (std::size_t t = 0; t < r; ++t) column[t] = x[p + t * stride];
      column = dft(column);
      for (std::size_t k = 0; k < r; ++k) {
        x[p + k * stride] = column[k] * root(int64_t(k * (p % stride)), int64_t(length));
      }
    }
    length /= r;
  }
  std::vector<Complex> y(x.size());
  for (std::size_t p = 0; p < x.size(); ++p) {
    std::size_t k = 0;
    for (const Digit& digit : digits) k += p & digit.time_stride ? digit.freq_stride : 0;
    y[k] = x[p];
  }
  return y;
}

std::vector<Complex> some_input(std::size_t n) {
  std::vector<Complex> x;
  for (std::size_t t = 0; t < n; ++t) {
    const auto v = static_cast<double>(t);
    x.emplace_back(std::sin(1.0 + v * v), std::cos(v * 1.7));
  }
  return x;
}

double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST(Decomposition, PrintsAndParses) {
  EXPECT_EQ(to_string(Decomposition{{16, 16, 16}}), "(gs 16 (gs 16 (dft 16)))");
  std::size_t count = 0;
  for (std::int64_t n = 2; n <= 1024; n *= 2) {
    for (const Decomposition& tree : compositions(n)) {
      EXPECT_EQ(parse_decomposition(to_string(tree)), tree) << to_string(tree);
      EXPECT_EQ(tree.n(), n);
      ++count;
    }
  }
  EXPECT_EQ(count, 1 + 2 + 4 + 8 + 15 + 29 + 56 + 108 + 208 + 401);  // tetranacci numbers
}

TEST(Decomposition, WhiteSpaceIsFree) {
  EXPECT_EQ(parse_decomposition(" (gs\t16(dft\n4 ) ) "), (Decomposition{{16, 4}}));
}

TEST(Decomposition, MalformedTextsAreRefusedWithTheirColumn) {
  const std::pair<const char*, const char*> texts[] = {
      {"", "expected '(' at column 1"},
      {"dft 16", "expected '(' at column 1"},
      {"(fft 16)", "expected gs or dft at column 5"},
      {"()", "expected gs or dft at column 2"},
      {"(dft 1)", "expected a radix, 2 to 49, or a prime to 61, at column 7"},
      {"(dft 50)", "expected a radix, 2 to 49, or a prime to 61, at column 8"},
      {"(dft)", "expected a radix, 2 to 49, or a prime to 61, at column 5"},
      {"(dft 160000000000000000000)", "expected a radix, 2 to 49, or a prime to 61, at column 10"},
      {"(dft -2)", "expected a radix, 2 to 49, or a prime to 61, at column 6"},
      {"(gs 16)", "expected '(' at column 7"},
      {"(dft 16", "expected ')' at column 8"},
      {"(gs 16 (dft 16)", "expected ')' at column 16"},
      {"(dft 16) x", "text after the tree at column 10"},
      {"(dft 16))", "text after the tree at column 9"},
  };
  for (const auto& [text, expected] : texts) {
    try {
      (void)parse_decomposition(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const UnsupportedProblem& error) {
      EXPECT_EQ(error.field(), "decomposition");
      EXPECT_EQ(error.value(), text);
      EXPECT_TRUE(error.allowed().starts_with(expected)) << text << ": " << error.allowed();
      EXPECT_NE(error.allowed().find("(gs 16 (gs 16 (dft 16)))"), std::string::npos);
    }
  }
}

TEST(Decomposition, TheDefaultIsRadix16AndOneStepOfTheRest) {
  EXPECT_EQ(decompose(2), (Decomposition{{2}}));
  EXPECT_EQ(decompose(16), (Decomposition{{16}}));
  EXPECT_EQ(decompose(128), (Decomposition{{16, 8}}));
  EXPECT_EQ(decompose(4096), (Decomposition{{16, 16, 16}}));
  EXPECT_EQ(decompose(8192), (Decomposition{{16, 16, 16, 2}}));
}

TEST(Decomposition, ARadixIsUsedThroughout) {
  EXPECT_EQ(decompose(64, 4), (Decomposition{{4, 4, 4}}));
  EXPECT_EQ(decompose(128, 4), (Decomposition{{4, 4, 4, 2}}));
  EXPECT_EQ(decompose(1024, 8), (Decomposition{{8, 8, 8, 2}}));
  EXPECT_EQ(decompose(8, 2), (Decomposition{{2, 2, 2}}));
  EXPECT_EQ(decompose(4, 16), (Decomposition{{4}}));
  EXPECT_EQ(decompose(4096, 32), (Decomposition{{32, 32, 4}}));
  for (const unsigned radix : {0u, 1u, 3u, 5u, 64u}) {
    EXPECT_THROW((void)decompose(64, radix), UnsupportedProblem) << radix;
  }
  for (const std::int64_t n : {-4, 0, 1, 67, 134}) {
    EXPECT_THROW((void)decompose(n), UnsupportedProblem) << n;
  }
}

TEST(Decomposition, IsADft) {
  for (std::int64_t n = 2; n <= 64; n *= 2) {
    const std::vector<Complex> x = some_input(static_cast<std::size_t>(n)), exact = dft(x);
    for (const Decomposition& tree : compositions(n)) {
      EXPECT_LT(distance(evaluate(tree, 0, x), exact), 1e-12) << to_string(tree);
    }
  }
}

TEST(Decomposition, DigitsOfTheTileSayTheSame) {
  for (std::int64_t n = 2; n <= 64; n *= 2) {
    const std::vector<Complex> x = some_input(static_cast<std::size_t>(n)), exact = dft(x);
    for (const Decomposition& tree : compositions(n)) {
      EXPECT_LT(distance(evaluate_digits(tree, x), exact), 1e-12) << to_string(tree);
    }
  }
  for (const std::int64_t n : {1024, 8192}) {
    const std::vector<Complex> x = some_input(static_cast<std::size_t>(n));
    const std::vector<Complex> one = evaluate_digits(decompose(n), x);
    EXPECT_LT(distance(evaluate_digits(decompose(n, 2), x), one), 1e-10);
    EXPECT_LT(distance(evaluate_digits(decompose(n, 8), x), one), 1e-10);
  }
}

}  // namespace
}  // namespace sonoma
