#include "rounded_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "norm_bound.hpp"
#include "sonoma/errors.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

using Matrix = std::vector<std::vector<double>>;

double square(const std::vector<double>& row) {
  return std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::fabs(std::frexp(value, &exponent)) == 0.5;
}

}  // namespace

double RoundedProgram::rounded(double constant) const {
  return precision_ == Precision::fp32 ? constant : from_half(to_half(constant));
}

Rounded Rounded::times(double constant) const {
  return with(factor_ * (program_ == nullptr ? constant : program_->rounded(constant)));
}

Rounded operator*(Rounded a, Rounded b) {
  if (a.is_constant() && b.is_constant()) return Rounded(static_cast<float>(a.factor_ * b.factor_));
  return fused_multiply_add(a, b, 0.0f);
}

Rounded fused_multiply_add(Rounded a, Rounded b, Rounded c) {
  if (!a.is_constant() && !b.is_constant()) throw InternalError("a program that is not linear");
  const Rounded product = a.is_constant() ? b.times(a.factor_) : a.times(b.factor_);
  RoundedProgram* program = product.program_ != nullptr ? product.program_ : c.program_;
  if (program == nullptr) return Rounded(static_cast<float>(product.factor_ + c.factor_));
  return program->rounded(product, c);
}

Rounded RoundedProgram::rounded(Rounded a, Rounded b) {
  if ((a.is_constant() && a.factor() != 0) || (b.is_constant() && b.factor() != 0)) {
    throw InternalError("a program that is not linear");
  }
  if (a.is_constant() || a.factor() == 0) std::swap(a, b);
  const bool alone = b.is_constant() || b.factor() == 0;
  if (alone && is_power_of_two(a.factor())) return a;
  Value value{{{a.value(), a.factor()}, {}}, 0};
  if (!alone) value.terms[1] = {b.value(), b.factor()};
  for (const Term& term : value.terms) {
    value.depth = std::max(value.depth, values_[term.value].depth + 1);
  }
  values_.push_back(value);
  return {this, values_.size() - 1};
}

Matrix RoundedProgram::forms() const {
  Matrix forms(values_.size(), std::vector<double>(inputs_));
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (i < inputs_) {
      forms[i][i] = 1;
      continue;
    }
    for (const Term& term : values_[i].terms) {
      for (std::size_t j = 0; j < inputs_; ++j) forms[i][j] += term.factor * forms[term.value][j];
    }
  }
  return forms;
}

Matrix RoundedProgram::effects(const std::vector<Rounded>& outputs) const {
  Matrix effects(values_.size(), std::vector<double>(outputs.size()));
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    effects[outputs[k].value()][k] += outputs[k].factor();
  }
  for (std::size_t i = values_.size(); i-- > inputs_;) {
    for (const Term& term : values_[i].terms) {
      if (term.factor == 0) continue;
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        effects[term.value][k] += term.factor * effects[i][k];
      }
    }
  }
  return effects;
}

Matrix RoundedProgram::matrix(const std::vector<Rounded>& outputs) const {
  const Matrix all = forms();
  Matrix result;
  for (const Rounded& output : outputs) {
    result.push_back(all[output.value()]);
    for (double& value : result.back()) value *= output.factor();
  }
  return result;
}

ErrorShare RoundedProgram::share(const std::vector<Rounded>& outputs, double norm) const {
  const Matrix c = forms(), a = effects(outputs);
  unsigned depth = 0;
  for (const Value& value : values_) depth = std::max(depth, value.depth);
  std::vector<Matrix> values(depth + 1), results(depth + 1);
  ErrorShare share;
  for (std::size_t i = inputs_; i < values_.size(); ++i) {
    const double value = square(c[i]), result = square(a[i]);
    if (value == 0 || result == 0) continue;
    share.mean_square +=
        rounding_square * value * result / (norm * norm * static_cast<double>(inputs_));
    const double scale = std::pow(result / value, 0.25);
    Matrix &cs = values[values_[i].depth], &as = results[values_[i].depth];
    cs.push_back(c[i]), as.push_back(a[i]);
    for (double& one : cs.back()) one *= scale;
    for (double& one : as.back()) one /= scale;
  }
  for (unsigned level = 1; level <= depth; ++level) {
    share.worst += norm_bound(values[level]) * norm_bound(results[level]) / norm;
  }
  return share;
}

}  // namespace sonoma
