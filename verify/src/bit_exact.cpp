// The rows of the contract that hold bit for bit.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "protocol.hpp"

namespace sonoma::verification {
namespace {

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

constexpr std::size_t kRows = 5;  // odd: the last block of several transforms is partly filled

// Normal rows, one of them much smaller than its neighbours.
std::vector<Complex> test_rows(const Subject& s) {
  std::vector<Complex> x;
  for (std::size_t r = 0; r < kRows; ++r) {
    auto row = normal_row(s.n, s.options.seed + 50 + r);
    if (r == 2) std::for_each(row.begin(), row.end(), [](Complex& v) { v *= 0x1p-33f; });
    x.insert(x.end(), row.begin(), row.end());
  }
  return x;
}

std::vector<Complex> pick(const std::vector<Complex>& rows, const std::vector<std::size_t>& order,
                          std::size_t length) {
  std::vector<Complex> picked;
  for (const std::size_t r : order) {
    const auto at = rows.begin() + static_cast<std::ptrdiff_t>(r * length);
    picked.insert(picked.end(), at, at + static_cast<std::ptrdiff_t>(length));
  }
  return picked;
}

void check_order(const Subject& s, const std::vector<Complex>& x, const std::vector<Complex>& y,
                 const std::string& name, const std::vector<std::size_t>& order, const char* note,
                 Findings& findings) {
  const auto permuted = s.run(pick(x, order, s.length()));
  std::int64_t wrong = 0;
  for (std::size_t r = 0; r < order.size(); ++r) {
    wrong += differing(permuted, r, y, order[r], s.length());
  }
  findings.judge(name, "wrong elements", static_cast<double>(wrong), 0, note);
}

// x is normal and of ordinary size: no intermediate of x * 2^j comes near a limit of FP32.
void check_power_of_two(const Subject& s, const std::vector<Complex>& x,
                        const std::vector<Complex>& y, int j, Findings& findings) {
  const float power = std::ldexp(1.0f, j);
  auto scaled = x, expected = y;
  for (auto& v : scaled) v *= power;
  for (auto& v : expected) v *= power;
  const auto got = s.run(scaled);
  std::int64_t wrong = 0;
  for (std::size_t r = 0; r < kRows; ++r) wrong += differing(got, r, expected, r, s.length());
  findings.judge("factor 2^" + std::to_string(j), "wrong elements", static_cast<double>(wrong), 0,
                 "scaling the input by 2^j scales the output by exactly 2^j");
}

// A poisoned or overflowing transform is replaced by a normal one: no other may change.
void check_containment(const Subject& s, Findings& findings) {
  auto cases = random_inputs(s.n, 1, s.options.seed);
  const auto table = adversarial_inputs(s.n, s.options.seed);
  for (const auto& c : table) {
    if (c.gauge != Gauge::poisoned && c.gauge != Gauge::unbounded) continue;
    cases.push_back(c);
    const auto neighbour = random_inputs(s.n, 1, s.options.seed + cases.size());
    cases.insert(cases.end(), neighbour.begin(), neighbour.end());
  }
  auto clean = cases;
  for (auto& c : clean) {
    if (c.gauge != Gauge::statistical) c.x = normal_row(s.n, s.options.seed + 60);
  }
  const auto with = s.run(concatenate(cases)), without = s.run(concatenate(clean));
  std::int64_t wrong = 0;
  for (std::size_t r = 0; r < cases.size(); ++r) {
    if (cases[r].gauge == Gauge::statistical) wrong += differing(with, r, without, r, s.length());
  }
  findings.judge("containment", "wrong elements", static_cast<double>(wrong), 0,
                 "a non-finite or overflowing transform changes no other");
}

}  // namespace

bool same_bits(const Complex& a, const Complex& b) {
  return same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag());
}

std::int64_t differing(const std::vector<Complex>& a, std::size_t row_a,
                       const std::vector<Complex>& b, std::size_t row_b, std::size_t length) {
  std::int64_t count = 0;
  for (std::size_t k = 0; k < length; ++k) {
    count += same_bits(a[row_a * length + k], b[row_b * length + k]) ? 0 : 1;
  }
  return count;
}

void check_bit_exact(const Subject& subject, Findings& findings) {
  const auto x = test_rows(subject);
  const auto y = subject.run(x);
  std::vector<std::size_t> order(kRows);
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::rotate(order.begin(), order.begin() + 2, order.end());
  check_order(subject, x, y, "permutation", order, "permuting the batch permutes the output",
              findings);
  for (const std::size_t row : {std::size_t{0}, kRows / 2, kRows - 1}) {
    check_order(subject, x, y, "batch of one", {row}, "batch 1 equals the row of batch 5",
                findings);
  }
  check_power_of_two(subject, x, y, 40, findings);
  check_power_of_two(subject, x, y, -20, findings);
  check_containment(subject, findings);
}

}  // namespace sonoma::verification
