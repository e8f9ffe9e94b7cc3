#include "expression.hpp"

#include <numeric>
#include <sstream>
#include <utility>

namespace sonoma {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

// The digits from `first` on whose strides continue each other; `values`: how many they take.
std::size_t end_of_run(const std::vector<ThreadDigit>& digits, std::size_t first,
                       std::uint32_t& values) {
  const ThreadDigit& one = digits[first];
  std::size_t end = first;
  values = 1;
  do {
    values *= digits[end++].count;
  } while (one.stride > 0 && end < digits.size() && digits[end].stride == one.stride * values &&
           digits[end].backwards == one.backwards);
  return end;
}

}  // namespace

std::string sum_text(const std::vector<ThreadDigit>& digits, const std::string& of) {
  std::string text;
  std::uint32_t below = 1;  // values of the digits before
  for (std::size_t i = 0; i < digits.size();) {
    std::uint32_t values = 1;
    const std::size_t end = end_of_run(digits, i, values);
    const std::uint32_t stride = digits[i].stride;
    if (stride > 0) {
      std::string value = of;
      if (below > 1) value += " / " + number(below);
      if (end < digits.size()) value += " % " + number(values);
      if (digits[i].backwards) value = concat("(", number(values - 1), " - ", value, ")");
      if (stride > 1) value += " * " + number(stride);
      text = plus(text.empty() ? "0" : text, value);
    }
    below *= values;
    i = end;
  }
  return text.empty() ? "0" : text;
}

namespace {

// The same where some digits are those of residues of one number.
std::string sum_with_residues(const std::vector<ThreadDigit>& digits, const Residues& residues) {
  const auto at = [&](unsigned i) { return digits.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto values = [&](unsigned first, unsigned last) {
    return std::accumulate(at(first), at(last), 1u, [](unsigned product, const ThreadDigit& one) {
      return product * one.count;
    });
  };
  const unsigned below = values(0, residues.first);
  const std::string number_of = below > 1 ? "thread / " + number(below) : "thread";
  std::vector<ThreadDigit> others = digits;
  for (unsigned i = residues.first; i < residues.last; ++i) others[i].stride = 0;
  std::string text = sum_text(others);
  for (const auto& [first, last] :
       {std::pair(residues.first, residues.middle), std::pair(residues.middle, residues.last)}) {
    const std::string remainder = number_of + " % " + number(values(first, last));
    text = plus(text, sum_text(std::vector(at(first), at(last)), remainder));
  }
  return text;
}

}  // namespace

std::string sum_text(const std::vector<ThreadDigit>& digits, const Numbering& numbering) {
  if (numbering.residues.last > 0) return sum_with_residues(digits, numbering.residues);
  const auto rounds = digits.end() - static_cast<std::ptrdiff_t>(numbering.rounds),
             blocks = rounds - static_cast<std::ptrdiff_t>(numbering.cluster);
  const std::string text = plus(sum_text(std::vector(digits.begin(), blocks)),
                                sum_text(std::vector(blocks, rounds), "rank"));
  std::uint32_t known = 0;
  unsigned round = numbering.round;
  for (auto digit = rounds; digit != digits.end(); ++digit) {
    known += round % digit->count * digit->stride;
    round /= digit->count;
  }
  return text == "0" && known > 0 ? std::to_string(known) : plus(text, known);
}

std::string hex(double value) {
  std::ostringstream text;
  text << std::hexfloat << value;
  return text.str();
}

std::string hex(float value) { return hex(double{value}) + "f"; }

std::string as_factor(const std::string& sum) {
  return sum.find(' ') == std::string::npos ? sum : "(" + sum + ")";
}

std::string plus(const std::string& a, const std::string& b) {
  if (a == "0") return b;
  return b == "0" ? a : a + " + " + b;
}

std::string plus(const std::string& a, std::int64_t constant) {
  return constant == 0 ? a : plus(a, std::to_string(constant));
}

std::uint64_t turn_of_one(std::uint64_t length) {
  const std::uint64_t quotient = ~std::uint64_t{0} / length, rest = ~std::uint64_t{0} % length + 1;
  return quotient + (rest > length / 2 ? 1 : 0);
}

}  // namespace sonoma
