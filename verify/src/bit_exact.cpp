// The rows of the contract that hold bit for bit.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "protocol.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::verification {
namespace {

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

constexpr std::size_t kRows = 5;  // odd: the last block of several transforms is partly filled

// Where rounding to the storage decides how far powers of two may go.
bool narrow(const Subject& s) { return s.takes_or_makes(Storage::f16); }

// Normal rows, one of them much smaller than its neighbours.
std::vector<Complex> test_rows(const Subject& s) {
  std::vector<Complex> x;
  for (std::size_t r = 0; r < kRows; ++r) {
    auto row = normal_row(s.in_n(), s.options.seed + 50 + r);
    const float size = (r != 2 ? 1 : narrow(s) ? 0x1p-6f : 0x1p-33f) * s.unit();
    std::for_each(row.begin(), row.end(), [&](Complex& v) { v *= size; });
    x.insert(x.end(), row.begin(), row.end());
  }
  return s.stored(std::move(x));
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
  const auto permuted = s.run(pick(x, order, s.in_length()));
  std::int64_t wrong = 0;
  for (std::size_t r = 0; r < order.size(); ++r) {
    wrong += differing(permuted, r, y, order[r], s.length());
  }
  findings.judge(name, "wrong elements", static_cast<double>(wrong), 0, note);
}

// One component of a transform, and of that of x * 2^j. f16 is narrow: where one of the two is
// subnormal, its rounding is coarser; half a quantum of it for each.
bool agree(const Subject& s, float plain, float scaled, int j) {
  const float expected = rounded_to(s.problem.result_storage(), std::ldexp(plain, j));
  if (same_bits(scaled, expected)) return true;
  const StorageFormat format = format_of(s.problem.result_storage());
  const double quantum = format.quantum * std::exp2(std::max(j, 0));
  const double smallest = format.smallest * std::exp2(std::max(j, 0));
  return narrow(s) && std::abs(static_cast<double>(expected)) <= smallest &&
         std::abs(static_cast<double>(scaled) - static_cast<double>(expected)) <= quantum;
}

// Of FP16 throughout sums on the way are subnormal too, whose roundings others see: 2^j y as far as
// the errors of both allow.
void check_nearly(const Subject& s, const std::vector<Complex>& y, const std::vector<Complex>& got,
                  int j, Findings& findings) {
  double difference = 0, norm = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const ComplexD expected = ComplexD(y[k]) * std::exp2(j);
    difference += std::norm(ComplexD(got[k]) - expected), norm += std::norm(expected);
  }
  findings.judge("factor 2^" + std::to_string(j), "E2",
                 std::sqrt(difference / norm) / kUnitRoundoff, s.limits.stored_e2,
                 "scaling the input by 2^j scales the output by nearly 2^j");
}

// x is normal and of ordinary size: no intermediate of x * 2^j comes near a limit of FP32. What the
// storage cannot hold of the smaller of x and x * 2^j is left out of both.
void check_power_of_two(const Subject& s, int j, Findings& findings) {
  const float power = std::ldexp(1.0f, j), down = std::min(power, 1.0f);
  auto x = test_rows(s);
  for (auto& v : x) v = rounded_to(s.problem.storage, v * down) / down;
  auto scaled = x;
  for (auto& v : scaled) v *= power;
  const auto y = s.run(x), got = s.run(scaled);
  if (s.roundings.arithmetic == Arithmetic::packed) return check_nearly(s, y, got, j, findings);
  std::int64_t wrong = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const bool same =
        agree(s, y[k].real(), got[k].real(), j) && agree(s, y[k].imag(), got[k].imag(), j);
    wrong += same ? 0 : 1;
  }
  findings.judge("factor 2^" + std::to_string(j), "wrong elements", static_cast<double>(wrong), 0,
                 "scaling the input by 2^j scales the output by exactly 2^j");
}

// Whether some output may be infinite.
bool may_overflow(const Subject& s, const InputCase& input) {
  const double most = sum_of_moduli(input.x) * std::max(1.0, std::abs(s.factor()));
  return input.gauge == Gauge::poisoned || !(most < format_of(s.problem.result_storage()).overflow);
}

// A poisoned or overflowing transform is replaced by a normal one: no other may change.
void check_containment(const Subject& s, Findings& findings) {
  const auto random = [&](std::uint64_t seed) {
    return random_inputs(s.in_n(), 1, seed, s.problem.storage, s.unit()).front();
  };
  std::vector<InputCase> with = {random(s.options.seed)}, without = with;
  for (const auto& c : s.table()) {
    if (!may_overflow(s, c)) continue;
    with.push_back(c);
    without.push_back(random(s.options.seed + 60));
    with.push_back(random(s.options.seed + with.size()));
    without.push_back(with.back());
  }
  const auto spoiled = s.run(concatenate(with)), clean = s.run(concatenate(without));
  std::int64_t wrong = 0;
  for (std::size_t r = 0; r < with.size(); r += 2) {
    wrong += differing(spoiled, r, clean, r, s.length());
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
  check_power_of_two(subject, narrow(subject) ? 3 : 40, findings);
  check_power_of_two(subject, narrow(subject) ? -4 : -20, findings);
  check_containment(subject, findings);
}

}  // namespace sonoma::verification
