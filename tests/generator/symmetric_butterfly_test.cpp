// Butterflies of odd primes, and of 9, as values: evaluated in long double.
#include "symmetric_butterfly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sonoma/decomposition.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

using Numbers = std::vector<long double>;

long double sum_of(const std::vector<SymmetricTerm>& terms, const Numbers& points,
                   const Numbers& factors) {
  long double sum = 0;
  for (const auto& [j, root, minus] : terms) {
    sum += (minus ? -1 : 1) * points.at(j) * factors.at(root);
  }
  return sum;
}

// By k modulo the radix, of numbers x by j modulo the radix: see SplitHalf.
Numbers results_of(const SplitHalf& half, const Numbers& x) {
  const auto count = half.inputs.size();
  Numbers a(count + 1), b(2 * count + 1), results(x.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& input = half.inputs[i];
    for (const unsigned j : input) a[i + 1] += x[j];
    b[i + 1] = x[input.front()] - x[input.back()];
    if (half.split == Split::by_three) b[i + 1 + count] = x[input[1]] - x[input[2]];
    if (half.split == Split::by_halves) b[i + 1] = x[input.back()], b[i + 1 + count] = x[input[0]];
  }
  for (std::size_t group = 0; group < half.results.size(); ++group) {
    const auto& k = half.results[group];
    const long double shared = sum_of(half.first[group], a, half.shared),
                      second = sum_of(half.second[group], b, half.own),
                      third = sum_of(half.third[group], b, half.own);
    if (half.split == Split::by_halves) {
      results[k[0]] = shared + second;
      if (k.size() > 1) results[k[1]] = shared + third;
    } else if (half.split == Split::by_two) {
      results[k[0]] = shared + second, results[k[1]] = shared - second;
    } else {
      results[k[0]] = shared + 2 * second, results[k[1]] = shared + 2 * third;
      results[k[2]] = shared - 2 * (second + third);
    }
  }
  return results;
}

// The largest error of the matrix, column by column: of an x_j that is 1, and x_(r-j) that is that
// or its negative.
long double error_of(const SplitHalf& half, unsigned radix, bool odd) {
  long double error = 0;
  for (unsigned j = 1; j < radix; ++j) {
    Numbers x(radix);
    x[j] = 1, x[radix - j] = odd ? -1 : 1;
    const Numbers results = results_of(half, x);
    for (const auto& group : half.results) {
      for (const unsigned k : group) {
        const auto w = exact_root(j * k, radix);
        error = std::max(error, std::fabs(results[k] - (odd ? w.imag() : w.real())));
      }
    }
  }
  return error;
}

bool is_prime(unsigned n) {
  for (unsigned divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return false;
  }
  return true;
}

template <class Visit>
void for_each_half(const Visit& visit) {
  for (unsigned radix = 3; radix <= largest_radix; radix += 2) {
    if (!is_prime(radix)) continue;
    const SymmetricButterfly plan = symmetric_butterfly(radix, ButterflyForm::halved);
    visit(plan.even, radix, false), visit(plan.odd, radix, true);
  }
}

TEST(SplitHalves, AreRowsOfTheDft) {
  unsigned split = 0;
  for_each_half([&](const SplitHalf& half, unsigned radix, bool odd) {
    if (half.split == Split::none) return;
    ++split;
    EXPECT_LE(error_of(half, radix, odd), 4 * std::numeric_limits<long double>::epsilon())
        << radix << (odd ? " sines" : " cosines");
  });
  EXPECT_GE(split, 10u);
}

// Each number once, of j and r - j one.
TEST(SplitHalves, HaveEachNumberOnce) {
  for_each_half([](const SplitHalf& half, unsigned radix, bool) {
    if (half.split == Split::none) return;
    for (const auto* groups : {&half.inputs, &half.results}) {
      std::vector<unsigned> seen;
      for (const auto& group : *groups) {
        const bool alone = half.split == Split::by_halves && &group == &groups->back();
        const unsigned most = half.split == Split::by_three ? 3 : 2;
        EXPECT_EQ(group.size(), alone && radix / 2 % 2 == 1 ? 1 : most);
        for (const unsigned j : group) seen.push_back(std::min(j, radix - j));
      }
      std::ranges::sort(seen);
      ASSERT_EQ(seen.size(), radix / 2);
      for (unsigned j = 1; j <= radix / 2; ++j) EXPECT_EQ(seen[j - 1], j) << radix;
    }
  });
}

// What it is for: half of the products, five ninths or three quarters of them (rounded up); and no
// factor above that of a result, but for differences of two of them.
TEST(SplitHalves, HaveFewerAndNoLargerProducts) {
  for_each_half([](const SplitHalf& half, unsigned radix, bool) {
    if (half.split == Split::none) return;
    std::size_t products = 0;
    for (const auto* sums : {&half.first, &half.second, &half.third}) {
      for (const auto& sum : *sums) products += sum.size();
    }
    const std::size_t pairs = radix / 2, all = pairs * pairs;
    const std::size_t upper = (pairs + 1) / 2;
    EXPECT_EQ(products, half.split == Split::by_two ? all / 2
                        : half.split == Split::by_three
                            ? all * 5 / 9
                            : upper * upper + 2 * upper * (pairs - upper))
        << radix;
    const long double most = half.split == Split::by_halves ? 2 : 1;
    for (const long double factor : half.shared) EXPECT_LE(std::fabs(factor), 1) << radix;
    for (const long double factor : half.own) EXPECT_LE(std::fabs(factor), most) << radix;
  });
}

// Direct sums err less: see bench/NOTES.md, thirty-ninth session.
TEST(SplitHalves, HalvesAreForRadicesTakenTwice) {
  EXPECT_TRUE(takes_halves({{23, 6, 23}}, 23));
  EXPECT_FALSE(takes_halves({{23, 6, 29}}, 23));
  EXPECT_FALSE(takes_halves({{31, 31}}, 31)) << "by three";
  EXPECT_FALSE(takes_halves({{19, 19}}, 19));
  EXPECT_FALSE(takes_halves({{30, 30}}, 30)) << "no prime";
  for (const unsigned radix : {23u, 29u, 47u}) {
    EXPECT_EQ(symmetric_butterfly(radix).odd.split, Split::none);
    EXPECT_EQ(symmetric_butterfly(radix, ButterflyForm::halved).odd.split, Split::by_halves);
  }
}

TEST(SplitHalves, AWrongTermIsSeen) {
  for (const unsigned radix : {31u, 23u}) {
    const SplitHalf right = symmetric_butterfly(radix, ButterflyForm::halved).odd;
    for (const auto sums : {&SplitHalf::first, &SplitHalf::second, &SplitHalf::third}) {
      SplitHalf minus = right, root = right;
      SymmetricTerm& term = (minus.*sums)[2].back();
      term.minus = !term.minus;
      EXPECT_GT(error_of(minus, radix, true), 0.01L);
      std::swap((root.*sums)[2].front().root, (root.*sums)[2].back().root);
      EXPECT_GT(error_of(root, radix, true), 0.01L);
    }
  }
}

}  // namespace
}  // namespace sonoma
