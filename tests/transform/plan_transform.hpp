// A plan as the function that the checker judges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
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

/// Tables where a kernel of the emulated device may ask for them: on a multiple of 32 bytes.
class AlignedTables {
 public:
  explicit AlignedTables(const std::vector<std::uint32_t>& words)
      : size_(words.size()), units_((size_ + 7) / 8) {
    std::copy(words.begin(), words.end(), this->words());
  }
  [[nodiscard]] std::span<const std::uint32_t> span() const {
    return {reinterpret_cast<const std::uint32_t*>(units_.data()), size_};
  }

 private:
  struct alignas(32) Unit {
    std::uint32_t words[8];
  };
  [[nodiscard]] std::uint32_t* words() { return reinterpret_cast<std::uint32_t*>(units_.data()); }

  std::size_t size_;
  std::vector<Unit> units_;
};

/// Elements that differ in any bit; any NaN equals any other.
[[nodiscard]] std::int64_t differing(const std::vector<Complex>& a, const std::vector<Complex>& b);

}  // namespace sonoma::test
