#include "symmetric_butterfly.hpp"

#include <algorithm>
#include <cmath>

#include "sonoma/decomposition.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

// The number of the sine that is left out of the second sum.
unsigned divisor_of(unsigned radix, ButterflyForm form) {
  if (form == ButterflyForm::fused) return (radix + 2) / 4;  // the largest: nothing grows by it
  return radix == 3 ? 1 : radix == 5 ? 2 : radix == 9 ? 3 : 0;
}

void take_factors(SymmetricButterfly& plan, ButterflyForm form) {
  const unsigned r = plan.radix;
  const auto sine = [&](unsigned j) { return exact_root(j, r).imag(); };
  plan.divisor = plan.odd.split == Split::none ? divisor_of(r, form) : 0;
  plan.part = form != ButterflyForm::fused && (r == 5 || r == 9) ? 0.5f : 1.0f;
  plan.first_number = r == 9 ? 0 : 1;
  plan.cosines = {1}, plan.sines = {plan.part};
  const long double by = plan.divisor == 0 ? 1 : sine(plan.divisor) / plan.part;
  for (unsigned j = 1; j <= r / 2; ++j) {
    plan.cosines.push_back(exact_root(j, r).real());
    plan.sines.push_back(j == plan.divisor ? by : sine(j) / by);
  }
}

// The smallest products first. Of 9 the third cosine, -1/2, is the first of all: three results
// share that sum.
std::vector<SymmetricTerm> even_terms(const SymmetricButterfly& plan, unsigned k) {
  const unsigned r = plan.radix;
  std::vector<SymmetricTerm> terms;
  for (unsigned j = 1; j <= r / 2; ++j) {
    const unsigned turn = j * k % r;
    terms.push_back({j, std::min(turn, r - turn), false});
  }
  std::ranges::stable_sort(terms, {}, [&](const SymmetricTerm& term) {
    if (r == 5) return 0.0L;  // two are left as they are
    if (r == 9 && term.root == 3) return 0.0L;
    return std::fabs(plan.cosines[term.root]);
  });
  return terms;
}

std::vector<SymmetricTerm> odd_terms(const SymmetricButterfly& plan, const SymmetricResult& result,
                                     unsigned k) {
  const unsigned r = plan.radix;
  std::vector<SymmetricTerm> terms;
  for (unsigned j = 1; j <= r / 2; ++j) {
    const unsigned turn = j * k % r, root = std::min(turn, r - turn);
    if (j == result.divided || turn == 0) continue;
    terms.push_back({j, root == plan.divisor ? 0 : root, (turn != root) != result.minus});
  }
  std::ranges::stable_sort(terms, {},
                           [&](const SymmetricTerm& term) { return plan.sines[term.root]; });
  return terms;
}

// Smallest number of this order; up to the sign if the order is 2.
unsigned find_element(unsigned radix, unsigned order) {
  for (unsigned w = 2;; ++w) {
    const unsigned square = w * w % radix;
    if (order == 2 ? square == radix - 1 : square * w % radix == 1) return w;
  }
}

// Where a number modulo r stands among those of inputs, and whether with the other sign.
struct Standing {
  unsigned input = 0, power = 0;
  bool minus = false;
};
Standing standing_of(unsigned number, unsigned radix, const SplitHalf& half) {
  for (unsigned input = 0; input < half.inputs.size(); ++input) {
    for (unsigned power = 0; power < half.inputs[input].size(); ++power) {
      const unsigned member = half.inputs[input][power];
      if (member == number || member + number == radix) return {input, power, member != number};
    }
  }
  return {};
}

// The terms of a sum with the factors of numbers, from the smallest on.
std::vector<SymmetricTerm> sorted(std::vector<SymmetricTerm> terms,
                                  const std::vector<long double>& factors) {
  std::ranges::stable_sort(
      terms, {}, [&](const SymmetricTerm& term) { return std::fabs(factors[term.root]); });
  return terms;
}

/// The sums of a half that is split by two or three.
class Splitter {
 public:
  Splitter(unsigned radix, bool odd, Split split)
      : radix_(radix),
        order_(split == Split::by_two ? 2 : 3),
        element_(find_element(radix, order_)),
        odd_(odd) {
    half_.split = split;
  }

  SplitHalf take() && {
    take_numbers();
    take_factors();
    for (const auto& result : half_.results) take_sums(result.front());
    return std::move(half_);
  }

 private:
  [[nodiscard]] unsigned times(unsigned a, unsigned b) const { return a * b % radix_; }
  [[nodiscard]] long double factor_of(unsigned number) const {
    const auto root = exact_root(number, radix_);
    return odd_ ? root.imag() : root.real();
  }
  // Half the sum of two factors; the mean of three.
  [[nodiscard]] long double mean_of(unsigned number) const {
    long double sum = 0;
    for (unsigned power = 0; power < order_; ++power, number = times(number, element_)) {
      sum += factor_of(number);
    }
    return sum / order_;
  }

  void take_numbers() {
    const unsigned back = order_ == 2 ? radix_ - element_ : times(element_, element_);
    std::vector<bool> seen(radix_);
    for (unsigned j = 1; j <= radix_ / 2; ++j) {
      if (seen[j]) continue;
      std::vector<unsigned> input, result;
      for (unsigned power = 0, at = j, to = j; power < order_; ++power) {
        input.push_back(at), result.push_back(to);
        seen[at] = seen[radix_ - at] = true;
        at = times(at, element_), to = times(to, back);
      }
      half_.inputs.push_back(input), half_.results.push_back(result);
    }
  }

  void take_factors() {
    half_.shared.push_back(0), half_.own.push_back(0);
    for (const auto& input : half_.inputs) half_.shared.push_back(mean_of(input.front()));
    for (unsigned root = 1; root <= radix_ / 2; ++root) {
      const long double left = factor_of(root) - mean_of(root);
      half_.own.push_back(order_ == 3 ? left / 2 : left);
    }
  }

  // Of b and c a root is as good as another of the same input if the order is 2.
  [[nodiscard]] SymmetricTerm own_term(unsigned j, unsigned number) const {
    if (order_ == 2) {
      const Standing at = standing_of(number, radix_, half_);
      return {j, half_.inputs[at.input].front(), at.power == 1};
    }
    return {j, std::min(number, radix_ - number), odd_ && number > radix_ / 2};
  }

  void take_sums(unsigned k) {
    const auto count = static_cast<unsigned>(half_.inputs.size());
    std::vector<SymmetricTerm> first, second, third;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned number = times(half_.inputs[i].front(), k);
      const Standing at = standing_of(number, radix_, half_);
      first.push_back({i + 1, at.input + 1, odd_ && at.minus});
      second.push_back(own_term(i + 1, number));
      if (order_ == 2) continue;
      const unsigned onwards = times(number, element_), back = times(onwards, element_);
      second.push_back(own_term(i + 1 + count, onwards));
      third.push_back(own_term(i + 1, back)), third.push_back(own_term(i + 1 + count, number));
    }
    half_.first.push_back(sorted(first, half_.shared));
    half_.second.push_back(sorted(second, half_.own));
    half_.third.push_back(sorted(third, half_.own));
  }

  unsigned radix_, order_, element_;
  bool odd_;
  SplitHalf half_;
};

// Smallest number whose powers are all numbers below the radix.
unsigned find_generator(unsigned radix) {
  for (unsigned w = 2;; ++w) {
    unsigned order = 1;
    for (unsigned power = w; power != 1; power = power * w % radix) ++order;
    if (order == radix - 1) return w;
  }
}

/// The sums of a half that is split by halves.
class Halver {
 public:
  Halver(unsigned radix, bool odd) : radix_(radix), pairs_(radix / 2), odd_(odd) {
    half_.split = Split::by_halves;
    powers_.push_back(1);
    for (unsigned i = 1, w = find_generator(radix); i < radix - 1; ++i) {
      powers_.push_back(powers_.back() * w % radix);
    }
  }

  SplitHalf take() && {
    for (int i = 0, upper = to_int(upper_); i < upper; ++i) {
      half_.inputs.push_back({power(i)}), half_.results.push_back({power(-i)});
      if (i + upper == to_int(pairs_)) continue;
      half_.inputs.back().push_back(power(i + upper));
      half_.results.back().push_back(power(-i - upper));
    }
    take_factors();
    for (unsigned result = 0; result < upper_; ++result) take_sums(result);
    return std::move(half_);
  }

 private:
  static int to_int(unsigned number) { return static_cast<int>(number); }
  // Of the generator.
  [[nodiscard]] unsigned power(int exponent) const {
    const int all = to_int(radix_) - 1;
    return powers_[static_cast<std::size_t>((exponent % all + all) % all)];
  }
  [[nodiscard]] long double factor_of(int exponent) const {
    const auto root = exact_root(power(exponent), radix_);
    return odd_ ? root.imag() : root.real();
  }

  // Own ones by the difference of exponents, those of b before those of c.
  void take_factors() {
    half_.shared.push_back(0), half_.own.push_back(0);
    for (unsigned root = 1; root <= pairs_; ++root) {
      const auto of = exact_root(root, radix_);
      half_.shared.push_back(odd_ ? of.imag() : of.real());
    }
    const int upper = to_int(upper_), lower = to_int(pairs_) - upper;
    for (int i = 1 - upper; i < lower; ++i) {
      half_.own.push_back(factor_of(i + upper) - factor_of(i));
    }
    for (int i = 1 - lower; i < upper; ++i) {
      half_.own.push_back(factor_of(i - upper) - factor_of(i));
    }
  }

  void take_sums(unsigned result) {
    const unsigned lower = pairs_ - upper_;
    std::vector<SymmetricTerm> first, second, third;
    for (unsigned i = 0; i < upper_; ++i) {
      const unsigned number = power(to_int(i) - to_int(result));
      const bool beyond = number > pairs_;
      first.push_back({i + 1, beyond ? radix_ - number : number, odd_ && beyond});
      if (i < lower) second.push_back({i + 1, i + upper_ - result, false});
      if (result < lower) {
        third.push_back({i + 1 + upper_, pairs_ - 1 + i + lower - result, false});
      }
    }
    half_.first.push_back(sorted(first, half_.shared));
    half_.second.push_back(sorted(second, half_.own));
    half_.third.push_back(sorted(third, half_.own));
  }

  unsigned radix_, pairs_, upper_ = (pairs_ + 1) / 2;
  bool odd_;
  std::vector<unsigned> powers_;
  SplitHalf half_;
};

SplitHalf split_half(unsigned radix, bool odd, Split split) {
  if (split == Split::none) return {};
  return split == Split::by_halves ? Halver(radix, odd).take() : Splitter(radix, odd, split).take();
}

}  // namespace

bool has_number(const std::vector<std::vector<unsigned>>& groups, unsigned number) {
  return std::ranges::any_of(groups, [&](const std::vector<unsigned>& group) {
    return std::ranges::find(group, number) != group.end();
  });
}

SymmetricButterfly symmetric_butterfly(unsigned radix, ButterflyForm form) {
  SymmetricButterfly plan;
  plan.radix = radix;
  Splits splits = splits_of(radix);
  if (form == ButterflyForm::fused && (radix == 13 || radix == 17)) splits.even = Split::by_two;
  const auto taken = [=](Split split) {
    return split == Split::by_halves && form != ButterflyForm::halved ? Split::none : split;
  };
  plan.even = split_half(radix, false, taken(splits.even));
  plan.odd = split_half(radix, true, taken(splits.odd));
  plan.results.resize(1);
  take_factors(plan, form);
  for (unsigned k = 1; k <= radix / 2; ++k) {
    SymmetricResult result;
    for (unsigned j = radix / 2; plan.divisor != 0 && j >= 1; --j) {
      const unsigned turn = j * k % radix;
      if (std::min(turn, radix - turn) != plan.divisor) continue;
      result.divided = j, result.minus = turn != plan.divisor;
    }
    if (plan.even.split == Split::none) result.even = even_terms(plan, k);
    if (plan.odd.split == Split::none) result.odd = odd_terms(plan, result, k);
    plan.results.push_back(std::move(result));
  }
  return plan;
}

}  // namespace sonoma
