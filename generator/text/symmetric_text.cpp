#include "symmetric_text.hpp"

#include <algorithm>
#include <set>

#include "butterfly_plan.hpp"
#include "function_text.hpp"
#include "padded_text.hpp"
#include "symmetric_butterfly.hpp"

namespace sonoma {
namespace {

std::string numbered(const std::string& name, std::size_t number) {
  return name + std::to_string(number);
}

// "(v0 + s2) + s1", of `last` numbers s.
std::string pairwise_sum(const std::string& s, unsigned last) {
  const auto leaf = [&](unsigned i) {
    return i == 0 ? std::string("v0") : numbered(s, last + 1 - i);
  };
  const auto in_brackets = [](const std::string& sum) {
    return sum.find('+') == std::string::npos ? sum : "(" + sum + ")";
  };
  return pairwise(0, last + 1, leaf, [&](const std::string& a, const std::string& b) {
    return in_brackets(a) + " + " + in_brackets(b);
  });
}

// What belongs to one of the two sums is called by these letters, and a, b and c behind them.
struct Letters {
  const char *points, *factors, *sums;
};
constexpr Letters of_even{"s", "c", "e"}, of_odd{"d", "z", "o"};

using TermSums = std::vector<std::vector<SymmetricTerm>>;

std::set<unsigned> roots_in(std::initializer_list<const TermSums*> sums) {
  std::set<unsigned> roots;
  for (const auto* some : sums) {
    for (const auto& sum : *some) {
      for (const SymmetricTerm& term : sum) roots.insert(term.root);
    }
  }
  return roots;
}

class SymmetricLines {
 public:
  SymmetricLines(unsigned radix, int sign, const Spelling& spelling)
      : plan_(symmetric_butterfly(radix, spelling.form)),
        half_(radix / 2),
        sign_(sign),
        spelling_(spelling),
        multiply_add_(spelling.name("multiply_add")),
        scaled_(spelling.name("scaled")) {}

  std::vector<std::string> take() {
    declare_factors();
    declare_points();
    for (unsigned k = 1; k <= half_; ++k) {
      make_sums(plan_.even, of_even, k), make_sums(plan_.odd, of_odd, k);
      for (unsigned made = 1; made <= half_; ++made) {
        if (sums_of_[made] == 2) results(made), sums_of_[made] = 0;
      }
    }
    return std::move(lines_);
  }

 private:
  using Pieces = std::vector<std::string>;

  void add(const Pieces& pieces) {
    for (const std::string& line : packed(pieces)) lines_.push_back(line);
  }

  void declare_factors() {
    std::vector<Pieces> factors;  // those of a piece stay together
    if (plan_.even.split == Split::none || plan_.odd.split == Split::none) {
      for (unsigned j = plan_.first_number; j <= half_; ++j) {
        factors.emplace_back();
        if (plan_.even.split == Split::none)
          factors.back().push_back(factor("c", j, plan_.cosines[j]));
        if (plan_.odd.split == Split::none)
          factors.back().push_back(factor("z", j, plan_.sines[j]));
      }
    }
    split_factors(plan_.even, of_even, factors), split_factors(plan_.odd, of_odd, factors);
    Pieces constants;
    for (const Pieces& together : factors) {
      std::string piece = constants.empty() ? concat("constexpr ", spelling_.real, " ") : "";
      for (const std::string& one : together) piece += (&one == together.data() ? "" : ", ") + one;
      constants.push_back(piece + (&together == &factors.back() ? ";" : ","));
    }
    add(constants);
  }
  [[nodiscard]] std::string factor(const std::string& name, unsigned number,
                                   long double value) const {
    return concat(numbered(name, number), " = ", spelling_.number(value));
  }
  void split_factors(const SplitHalf& half, const Letters& letters,
                     std::vector<Pieces>& factors) const {
    for (const unsigned root : roots_in({&half.first})) {
      factors.push_back({factor(concat(letters.factors, "a"), root, half.shared[root])});
    }
    for (const unsigned root : roots_in({&half.second, &half.third})) {
      factors.push_back({factor(concat(letters.factors, "b"), root, half.own[root])});
    }
  }

  void declare_points() {
    Pieces pairs;
    for (unsigned j = 1; j <= half_; ++j) {
      const std::string number = std::to_string(j);
      const bool of_other = has_number(plan_.odd.inputs, plan_.radix - j);
      pairs.push_back(concat("const ", spelling_.point, " s", number, " = ",
                             point_sum(spelling_, j, plan_.radix - j), ", d", number, " = ",
                             of_other ? point_difference(spelling_, plan_.radix - j, j)
                                      : point_difference(spelling_, j, plan_.radix - j),
                             ";"));
    }
    add(pairs);
    split_points(plan_.even, of_even), split_points(plan_.odd, of_odd);
    lines_.push_back(concat("const ", spelling_.point, " first = v0;"));
    const auto inputs = static_cast<unsigned>(plan_.even.inputs.size());
    const bool whole = plan_.even.split == Split::none;
    lines_.push_back(
        concat("v0 = ", pairwise_sum(whole ? "s" : "sa", whole ? half_ : inputs), ";"));
  }
  [[nodiscard]] std::string comment_on(const SplitHalf& half, const std::string& s) const {
    const std::vector<unsigned>& powers = half.inputs.front();
    const bool two = half.split != Split::by_three;
    const std::string first =
        concat("// ", s, " of j", two ? " and " : ", ", std::to_string(powers[1]), " j");
    const std::string radix = std::to_string(plan_.radix);
    if (half.split == Split::by_halves)
      return concat(first, " modulo ", radix, ": their sum ", s, "a");
    if (two) {
      return concat(first, " modulo ", radix, ": their sum ", s, "a and difference ", s, "b");
    }
    return concat(first, " and ", std::to_string(powers[2]), " j modulo ", radix, ": their sum ", s,
                  "a, and what two are above the third, ", s, "b and ", s, "c");
  }
  // a, b and c of SplitHalf.
  void split_points(const SplitHalf& half, const Letters& letters) {
    if (half.split == Split::none) return;
    lines_.push_back(comment_on(half, letters.points));
    Pieces pieces;
    for (std::size_t i = 1; i <= half.inputs.size(); ++i) {
      Pieces x;
      for (const unsigned j : half.inputs[i - 1]) {
        x.push_back(numbered(letters.points, std::min(j, plan_.radix - j)));
      }
      const auto named = [&](const char* which) {
        return numbered(concat(letters.points, which), i) + " = ";
      };
      std::string piece = concat("const ", spelling_.point, " ", named("a"), x[0]);
      for (std::size_t other = 1; other < x.size(); ++other) piece += " + " + x[other];
      if (half.split != Split::by_halves) piece += concat(", ", named("b"), x[0], " - ", x.back());
      if (half.split == Split::by_three) piece += concat(", ", named("c"), x[1], " - ", x[2]);
      pieces.push_back(piece + ";");
    }
    add(pieces);
  }

  // `name` becomes the sum of terms with a start, which may be none: a declaration.
  [[nodiscard]] Pieces sum_of(const std::string& name, const std::vector<SymmetricTerm>& terms,
                              const std::string& start, const auto& point_of,
                              const std::string& factors) const {
    Pieces pieces;
    std::string before = start;
    for (const SymmetricTerm& term : terms) {
      const std::string product =
          concat(point_of(term.j), ", ", term.minus ? "-" : "", numbered(factors, term.root));
      pieces.push_back(concat(pieces.empty() ? concat(spelling_.point, " ") : "", name, " = ",
                              before.empty()
                                  ? concat(scaled_, "(", product, ");")
                                  : concat(multiply_add_, "(", product, ", ", before, ");")));
      before = name;
    }
    if (pieces.empty()) pieces.push_back(concat(spelling_.point, " ", name, " = ", start, ";"));
    return pieces;
  }

  [[nodiscard]] std::string of_number(const std::string& name, unsigned number) const {
    return numbered(name, std::min(number, plan_.radix - number));
  }
  // Both results of a group, or the one that has no partner, from `shared` on.
  void add_halves(const SplitHalf& half, const Letters& letters, std::size_t group,
                  const std::string& shared) {
    const auto count = static_cast<unsigned>(half.inputs.size());
    const auto point_of = [&](unsigned j) {
      return of_number(letters.points,
                       j <= count ? half.inputs[j - 1][1] : half.inputs[j - 1 - count][0]);
    };
    const std::string factors = concat(letters.factors, "b");
    for (std::size_t i = 0; i < half.results[group].size(); ++i) {
      const auto& terms = i == 0 ? half.second[group] : half.third[group];
      add(sum_of(of_number(letters.sums, half.results[group][i]), terms, shared, point_of,
                 factors));
    }
  }
  // The results of a group, k, k / w, ...
  void split_results(const SplitHalf& half, const Letters& letters, std::size_t group) {
    const std::string points = letters.points, factors = letters.factors, sums = letters.sums;
    const auto count = static_cast<unsigned>(half.inputs.size());
    const auto a = [&](unsigned j) { return numbered(points + "a", j); };
    const auto b = [&](unsigned j) {
      return j <= count ? numbered(points + "b", j) : numbered(points + "c", j - count);
    };
    const auto named = [&](const char* which) { return numbered(sums + which, group + 1); };
    const std::string start = &half == &plan_.even ? "first" : "";
    add(sum_of(named("a"), half.first[group], start, a, factors + "a"));
    if (half.split == Split::by_halves) return add_halves(half, letters, group, named("a"));
    add(sum_of(named("b"), half.second[group], "", b, factors + "b"));
    if (half.split == Split::by_three)
      add(sum_of(named("c"), half.third[group], "", b, factors + "b"));
    const std::string b_sum = named("b"), c_sum = named("c");
    const auto and_twice = [&](const std::string& other, const char* sign) {
      return concat(multiply_add_, "(", other, ", ", sign, "2, ", named("a"), ")");
    };
    const Pieces made =
        half.split == Split::by_two
            ? Pieces{concat(named("a"), " + ", b_sum), concat(named("a"), " - ", b_sum)}
            : Pieces{and_twice(b_sum, ""), and_twice(c_sum, ""),
                     and_twice(concat(b_sum, " + ", c_sum), "-")};
    Pieces pieces;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const unsigned k = half.results[group][i];
      pieces.push_back(concat(spelling_.point, " ", of_number(sums, k), " = ", made[i], ";"));
    }
    add(pieces);
  }
  // Of groups whose smallest number is k.
  void make_sums(const SplitHalf& half, const Letters& letters, unsigned k) {
    if (half.split == Split::none) ++sums_of_[k];  // made where the results are
    for (std::size_t group = 0; group < half.results.size(); ++group) {
      std::vector<unsigned> numbers;
      for (const unsigned number : half.results[group]) {
        numbers.push_back(std::min(number, plan_.radix - number));
      }
      if (std::ranges::min(numbers) != k) continue;
      split_results(half, letters, group);
      for (const unsigned number : numbers) ++sums_of_[number];
    }
  }
  [[nodiscard]] Pieces even_sum(const SymmetricResult& result, const std::string& name) const {
    return sum_of(
        name, result.even, "first", [](unsigned j) { return numbered("s", j); }, "c");
  }
  // Without the divisor, and without its sign.
  [[nodiscard]] Pieces odd_sum(const SymmetricResult& result, const std::string& name) const {
    std::string start;
    if (result.divided != 0) start = numbered("d", result.divided);
    if (result.divided != 0 && plan_.part != 1) {
      start = concat(scaled_, "(", start, ", ", spelling_.number(plan_.part), ")");
    }
    return sum_of(
        name, result.odd, start, [](unsigned j) { return numbered("d", j); }, "z");
  }

  void results(unsigned k) {
    const SymmetricResult& result = plan_.results[k];
    const std::string even = numbered("e", k), odd = numbered("o", k);
    Pieces pieces;
    if (plan_.even.split == Split::none) pieces = even_sum(result, even);
    if (plan_.odd.split == Split::none)
      std::ranges::move(odd_sum(result, odd), std::back_inserter(pieces));
    pieces.push_back(
        concat(odd, " = ", spelling_.name("turned"), "<", std::to_string(sign_), ">(", odd, ");"));
    add(pieces);
    const std::string z = numbered("z", plan_.divisor);
    const auto sum = [&](bool minus) {
      if (result.divided == 0) return concat(even, minus ? " - " : " + ", odd, ";");
      return concat(multiply_add_, "(", odd, ", ", minus != result.minus ? "-" : "", z, ", ", even,
                    ");");
    };
    // The sum of d that is called by k may be that of r - k.
    const bool other = has_number(plan_.odd.results, plan_.radix - k);
    add({concat(v(k), " = ", sum(other)), concat(v(plan_.radix - k), " = ", sum(!other))});
  }

  SymmetricButterfly plan_;
  unsigned half_;
  int sign_;
  Spelling spelling_;
  std::string multiply_add_, scaled_;
  std::vector<unsigned> sums_of_ = std::vector<unsigned>(half_ + 1);  // of a result, made
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> symmetric_lines(unsigned radix, int sign, const Spelling& spelling) {
  return SymmetricLines(radix, sign, spelling).take();
}

}  // namespace sonoma
