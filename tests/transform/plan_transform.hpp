// A plan as the function that the checker judges.
#pragma once

#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {

using verification::Complex;

/// Copies rows to the plan's device, executes a plan of that batch, copies back. Both buffers lie
/// between guard bands, the output is poisoned with NaN; throws std::runtime_error if a band, or
/// the input of an out-of-place transform, has changed.
class PlanTransform {
 public:
  PlanTransform(const KernelCase& c, Device device, Placement placement = Placement::out_of_place);

  void operator()(const Complex* in, Complex* out, std::int64_t batch) const;

  [[nodiscard]] Plan plan(std::int64_t batch) const;

 private:
  KernelCase case_;
  Device device_;
  Placement placement_;
};

/// The rows of the adversarial table after `count` normal ones.
[[nodiscard]] std::vector<Complex> all_inputs(std::int64_t n, int count);

[[nodiscard]] std::vector<Complex> run(const PlanTransform& transform,
                                       const std::vector<Complex>& x, std::int64_t n);

/// Elements that differ in any bit; any NaN equals any other.
[[nodiscard]] std::int64_t differing(const std::vector<Complex>& a, const std::vector<Complex>& b);

}  // namespace sonoma::test
