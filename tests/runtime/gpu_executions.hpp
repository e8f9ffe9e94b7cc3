// Requests of every method and kind as plans on a real GPU, with all that their executions take.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "every_kind.hpp"
#include "gpu_support.hpp"

namespace sonoma::testing {

[[nodiscard]] std::vector<test::Request> gpu_cases();

/// Compilers run on all cores, so that the plans that follow find their kernels.
void make_all_plans(const std::vector<test::Request>& cases);

/// A plan with memory for its input, output and workspace.
class Execution {
 public:
  explicit Execution(const test::Request& request);

  /// The output and the workspace hold what no execution leaves there.
  void prepare();
  void enqueue(const GpuStream& stream) const;
  [[nodiscard]] std::vector<std::byte> result() const;
  /// All three, and waits: the bytes of the output.
  [[nodiscard]] std::vector<std::byte> executed(const GpuStream& stream);

 private:
  Plan plan_;
  bool in_place_;
  std::vector<std::byte> input_;
  DeviceBuffer in_, out_, workspace_;
  std::optional<DeviceBuffer> spectrum_;
};

}  // namespace sonoma::testing
