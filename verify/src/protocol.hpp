// What the parts of check_transform share.
#pragma once

#include <string>
#include <vector>

#include "sonoma/verify/check.hpp"

namespace sonoma::verification {

/// The transform under test, with everything that a check needs to call it.
struct Subject {
  const TransformFn& transform;
  std::int64_t n;
  Direction direction;
  CheckOptions options;

  /// Runs all rows as one batch. The output starts as NaN, so that a missing store is seen.
  [[nodiscard]] std::vector<Complex> run(const std::vector<Complex>& rows) const;

  [[nodiscard]] std::size_t length() const { return static_cast<std::size_t>(n); }
  [[nodiscard]] double factor() const {
    return static_cast<double>(static_cast<float>(options.scale));
  }
};

/// Findings by (check, metric), in the order of their first appearance; the worst value stays.
class Findings {
 public:
  void judge(const std::string& check, const std::string& metric, double value, double limit,
             const std::string& note = {});
  void tell(const std::string& check, const std::string& metric, double value);
  void alarm_above(double e2);

  [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }

 private:
  Finding* find(const std::string& check, const std::string& metric);
  std::vector<Finding> findings_;
};

/// Bit for bit, except that any NaN equals any other.
[[nodiscard]] bool same_bits(const Complex& a, const Complex& b);

/// Number of elements of the `row`s of a and b that differ.
[[nodiscard]] std::int64_t differing(const std::vector<Complex>& a, std::size_t row_a,
                                     const std::vector<Complex>& b, std::size_t row_b,
                                     std::size_t length);

void check_inputs(const Subject& subject, Findings& findings);
void check_erguen(const Subject& subject, Findings& findings);
void check_bit_exact(const Subject& subject, Findings& findings);

}  // namespace sonoma::verification
