// What the parts of check_transform share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sonoma/verify/check.hpp"

namespace sonoma::verification {

/// The transform under test, with everything that a check needs to call it.
struct Subject {
  const TransformFn& transform;
  FftProblem problem;
  Roundings roundings;
  Floor floor;
  Limits limits;
  CheckOptions options;

  /// Runs all rows as one batch. The output starts as NaN, so that a missing store is seen.
  [[nodiscard]] std::vector<Complex> run(const std::vector<Complex>& rows) const;

  /// Points of a row of the result, and of a signal.
  [[nodiscard]] std::int64_t n() const { return problem.points(); }
  [[nodiscard]] std::size_t length() const { return static_cast<std::size_t>(problem.points()); }
  /// Points of a row of the input: of all channels.
  [[nodiscard]] std::int64_t in_n() const { return n() * problem.channels(); }
  [[nodiscard]] std::size_t in_length() const { return static_cast<std::size_t>(in_n()); }
  [[nodiscard]] double factor() const {
    return static_cast<double>(static_cast<float>(problem.scale));
  }
  [[nodiscard]] bool takes_or_makes(Storage storage) const {
    return problem.storage == storage || problem.result_storage() == storage;
  }
  /// True if every point is read and stored, and as a floating-point number: then the adversarial
  /// inputs apply, else only random ones.
  [[nodiscard]] bool whole() const;
  /// True if a side is real. Then inputs are made real, or Hermitian, of the random ones and of
  /// those of the table that are still what they are meant to be; the tests of linearity, shift and
  /// of exact bits, which need complex rows, do not apply.
  [[nodiscard]] bool real() const {
    return problem.values(true) != Values::complex || problem.values(false) != Values::complex;
  }
  /// What the transform is to make of these rows.
  [[nodiscard]] std::vector<ComplexD> expected(const std::vector<Complex>& rows) const;
  /// Size of random input, a power of two: 1, but in f16 such that it and its transform lie about
  /// evenly around 1, for the range is narrow; of integers such that the result's are large.
  [[nodiscard]] float unit() const;
  /// Components rounded to the storage.
  [[nodiscard]] std::vector<Complex> stored(std::vector<Complex> rows) const;
  /// Rows of the adversarial table that suit the storage and the arithmetic.
  [[nodiscard]] std::vector<InputCase> table() const;
};

/// True if memory has point t of a transform.
[[nodiscard]] bool is_in_memory(const std::vector<Axis>& axes, bool input, std::int64_t t);
/// The point whose indices are -k along every axis.
[[nodiscard]] std::size_t mirrored(const FftProblem& problem, std::size_t k);

/// Findings by (check, metric), in the order of their first appearance; the worst value stays.
class Findings {
 public:
  void judge(const std::string& check, const std::string& metric, double value, double limit,
             const std::string& note = {});
  void tell(const std::string& check, const std::string& metric, double value);
  /// Of every E2.
  void raise_alarms();

  [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }

 private:
  Finding* find(const std::string& check, const std::string& metric);
  std::vector<Finding> findings_;
};

/// A row of input, of what was made of it, and what it should be.
struct Row {
  std::span<const Complex> x, y;
  std::span<const ComplexD> X;
};
void judge_row(const Subject& subject, const InputCase& input, const Row& row, Findings& findings);
/// Replaces the reference of a constant row, or of zeros, by what is exact.
void make_exact(const Subject& subject, const InputCase& input, std::span<ComplexD> X);

/// Bit for bit, except that any NaN equals any other.
[[nodiscard]] bool same_bits(const Complex& a, const Complex& b);

/// Number of elements of the `row`s of a and b that differ.
[[nodiscard]] std::int64_t differing(const std::vector<Complex>& a, std::size_t row_a,
                                     const std::vector<Complex>& b, std::size_t row_b,
                                     std::size_t length);

[[nodiscard]] double sum_of_moduli(const std::vector<Complex>& x);

void check_inputs(const Subject& subject, Findings& findings);
void check_erguen(const Subject& subject, Findings& findings);
void check_bit_exact(const Subject& subject, Findings& findings);

}  // namespace sonoma::verification
