// A plan as the function that the checker judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cases.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::test {

using verification::Complex;

/// Packs rows for the storage, copies them to the plan's device, executes a plan of that batch,
/// copies back and unpacks. Both buffers lie between guard bands, the output is poisoned with NaN;
/// throws std::runtime_error if a band, or the input of an out-of-place transform, has changed.
class PlanTransform {
 public:
  PlanTransform(const KernelCase& c, Device device, Placement placement = Placement::out_of_place);

  void operator()(const Complex* in, Complex* out, std::int64_t batch) const;

  [[nodiscard]] Plan plan(std::int64_t batch) const;

  /// The protocol, held to the limits of the plan's arithmetic.
  [[nodiscard]] verification::Report check(const verification::CheckOptions& options) const;

 private:
  [[nodiscard]] std::vector<std::byte> packed_result(std::span<const Complex> in,
                                                     std::int64_t batch) const;

  KernelCase case_;
  Device device_;
  Placement placement_;
};

/// The rows of the storage's adversarial table after `count` normal ones.
[[nodiscard]] std::vector<Complex> all_inputs(const KernelCase& c, int count);

[[nodiscard]] std::vector<Complex> run(const PlanTransform& transform,
                                       const std::vector<Complex>& x, std::int64_t n);

/// Elements that differ in any bit; any NaN equals any other.
[[nodiscard]] std::int64_t differing(const std::vector<Complex>& a, const std::vector<Complex>& b);

}  // namespace sonoma::test
