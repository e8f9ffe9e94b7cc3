// Straight-line programs of rounded sums and products, linear in their inputs: what their roundings
// can do, and what they do on average.
#pragma once

#include <cstddef>
#include <vector>

#include "error_share.hpp"

namespace sonoma {

class RoundedProgram;

/// What numbers, and constants that values are multiplied by, are rounded to.
enum class Precision { fp32, fp16 };

/// A number of a program, by which it is recorded: factor times a rounded value, or a constant.
class Rounded {
 public:
  Rounded(float constant) : factor_(constant) {}  // NOLINT: as in the text that is traced
  Rounded(RoundedProgram* program, std::size_t value) : program_(program), value_(value) {}

  Rounded operator-() const { return with(-factor_); }
  friend Rounded operator+(Rounded a, Rounded b) { return fused_multiply_add(a, 1.0f, b); }
  friend Rounded operator-(Rounded a, Rounded b) { return a + -b; }
  friend Rounded operator*(Rounded a, Rounded b);
  /// a b + c. One of a and b is a constant.
  friend Rounded fused_multiply_add(Rounded a, Rounded b, Rounded c);

  [[nodiscard]] bool is_constant() const { return program_ == nullptr; }
  [[nodiscard]] double factor() const { return factor_; }
  [[nodiscard]] std::size_t value() const { return value_; }

 private:
  [[nodiscard]] Rounded with(double factor) const {
    Rounded other = *this;
    other.factor_ = factor;
    return other;
  }
  [[nodiscard]] Rounded times(double constant) const;

  RoundedProgram* program_ = nullptr;
  std::size_t value_ = 0;
  double factor_ = 1;
};

/// Numbers of a program as they are recorded.
class RoundedProgram {
 public:
  explicit RoundedProgram(std::size_t inputs, Precision precision = Precision::fp32)
      : inputs_(inputs), precision_(precision) {
    values_.resize(inputs);
  }

  [[nodiscard]] Rounded input(std::size_t i) { return {this, i}; }
  /// What is left of a sum of two after rounding.
  [[nodiscard]] Rounded rounded(Rounded a, Rounded b);

  /// A constant, as it is rounded before values are multiplied by it.
  [[nodiscard]] double rounded(double constant) const;

  /// In the precision's unit roundoff, relative to outputs of `norm` times the inputs' 2-norm.
  ///
  /// With value v_i = c_i x, its rounding d_i v_i, |d_i| <= u, and a_i what that is in the outputs,
  /// the error is the sum of d_i a_i c_i^T x. Of independent ones the mean square is that of
  /// |a_i|^2 |c_i|^2. At most, the values that stand equally deep in the program together, it is
  /// the sum over depths of |A S| |S^-1 C|, A and C being the matrices of a_i and c_i, and S any
  /// diagonal.
  [[nodiscard]] ErrorShare share(const std::vector<Rounded>& outputs, double norm) const;

  /// By output the factors of the inputs.
  [[nodiscard]] std::vector<std::vector<double>> matrix(const std::vector<Rounded>& outputs) const;

 private:
  struct Term {
    std::size_t value = 0;
    double factor = 0;
  };
  struct Value {
    Term terms[2];
    unsigned depth = 0;
  };

  [[nodiscard]] std::vector<std::vector<double>> forms() const;
  [[nodiscard]] std::vector<std::vector<double>> effects(const std::vector<Rounded>& outputs) const;

  std::size_t inputs_;
  Precision precision_;
  std::vector<Value> values_;  // the inputs first
};

}  // namespace sonoma
