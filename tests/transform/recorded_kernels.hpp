// The kernels of a plan as one program of rounded sums and products, linear in the input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "every_kind.hpp"

namespace sonoma::test {

/// fa times value a plus fb times value b, both before it.
struct RecordedValue {
  std::uint32_t a = 0, b = 0;  ///< 0: none
  bool rounded = false;        ///< to FP32
  double fa = 0, fb = 0;
};

/// One transform of a request whose kernels take FP32, and FP64 at most: their emitted text, run on
/// the emulated device with numbers that record what is done with them (recorded_numbers.hpp).
class RecordedKernels {
 public:
  /// Throws std::logic_error where the kernels are no linear program, or a side is not FP32.
  explicit RecordedKernels(const Request& request);

  [[nodiscard]] std::size_t inputs() const { return inputs_; }  ///< real numbers
  [[nodiscard]] double bound() const { return bound_; }         ///< of the plan
  /// From 1 on; the inputs first, which are not rounded.
  [[nodiscard]] const std::vector<RecordedValue>& values() const { return values_; }

  using Numbers = std::vector<double>;
  /// What each value is, without a rounding.
  [[nodiscard]] Numbers exact(std::span<const double> input) const;
  /// Those of all values that are results, in the order of memory.
  [[nodiscard]] Numbers results(const Numbers& of_values) const;
  /// What errors that are added to the values are in the results.
  [[nodiscard]] Numbers carried(const Numbers& errors) const;
  /// What a change of each value is in the scalar product of the results with `direction`.
  [[nodiscard]] Numbers effects(const Numbers& direction) const;
  /// What a change of each input is in the sum of all values times their weights.
  [[nodiscard]] Numbers gradient(const Numbers& weights) const;

 private:
  [[nodiscard]] Numbers forwards(Numbers added) const;
  [[nodiscard]] Numbers backwards(Numbers weights) const;

  std::size_t inputs_ = 0;
  double bound_ = 0;
  std::vector<RecordedValue> values_;
  std::vector<std::uint32_t> results_;
};

}  // namespace sonoma::test
