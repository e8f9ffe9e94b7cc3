// A plan as the function that the checker judges.
#pragma once

#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "host_execution.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {

using verification::Complex;

/// Packs rows for the storage, puts them into memory as the problem lays it out, on the plan's
/// device, executes a plan of that batch, copies back and unpacks. All other memory is poisoned;
/// throws std::runtime_error if any of it, or the input of an out-of-place transform, has changed.
class PlanTransform {
 public:
  explicit PlanTransform(cli::PlanOf plan_of);
  PlanTransform(const KernelCase& c, Device device, Placement placement = Placement::out_of_place);

  /// Points of `out` that the plan does not store stay.
  void operator()(const Complex* in, Complex* out, std::int64_t batch) const;

  [[nodiscard]] Plan plan(std::int64_t batch) const { return plan_of_(batch); }

  /// The protocol, held to the limits of the plan's arithmetic.
  [[nodiscard]] verification::Report check(const verification::CheckOptions& options) const;

 private:
  cli::PlanOf plan_of_;
};

/// The rows of the storage's adversarial table after `count` normal ones.
[[nodiscard]] std::vector<Complex> all_inputs(const KernelCase& c, int count);

/// A point that is not stored is NaN.
[[nodiscard]] std::vector<Complex> run(const PlanTransform& transform,
                                       const std::vector<Complex>& x, std::int64_t n);

/// Elements that differ in any bit; any NaN equals any other.
[[nodiscard]] std::int64_t differing(const std::vector<Complex>& a, const std::vector<Complex>& b);

}  // namespace sonoma::test
