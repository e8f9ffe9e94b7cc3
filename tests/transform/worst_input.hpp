// Inputs on which a plan errs as much as possible.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "laid_out.hpp"
#include "sonoma/plan.hpp"

namespace sonoma::test {

/// The error of each transform of a batch.
struct TransformError {
  double relative = 0;  ///< |y - X|_2 / |X|_2
  double bias = 0;      ///< Re <y - X, X> / |X|_2^2
  bool normal = true;   ///< the result is finite, and not so small that its numbers are subnormal
};

/// Runs transforms of one problem, rows of its input's points one after the other, and measures
/// them against FFTW in double precision.
class Measured {
 public:
  /// Of a problem with no ends, loops or strides.
  explicit Measured(const Plan& plan);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] std::int64_t batch() const { return plan_.problem().batch; }
  [[nodiscard]] std::size_t points() const { return points_; }  ///< of a row
  /// Normal numbers.
  [[nodiscard]] Memory random_rows(float unit = 1) const;
  /// `rows`: a batch of them, as random_rows() are.
  [[nodiscard]] std::vector<TransformError> errors(const Memory& rows) const;
  /// The part of memory that row b is.
  [[nodiscard]] std::size_t first_of(std::int64_t b) const;
  /// What the plan makes of them, on its device.
  [[nodiscard]] Memory results(const Memory& rows) const;
  /// As the storage of the input holds them.
  void round(Memory& rows) const;

 private:
  Plan plan_;
  std::size_t points_;
};

/// The largest error that was found, and on what kind of input.
struct Worst {
  double relative = 0;
  std::string input;
};
/// The table of adversarial inputs (complex transforms), sparse signals, tones and chirps, then the
/// survival of the fittest for so many generations: points of the worst rows are redrawn, scaled,
/// turned, or lose and gain bits. The same among points that are far apart. At last waves, and the
/// worst of all, whose points are nudged by units in the last place.
[[nodiscard]] Worst worst_input(const Measured& measured, int generations);

}  // namespace sonoma::test
