// Candidates measured on the GPU in use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiled_subject.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/plan.hpp"
#include "tuner.hpp"
#include "workload.hpp"

namespace sonoma::bench {

class GpuStand : public TestStand {
 public:
  /// The subject's problem works on the first points of `workload`. `workspace` grows as kernels
  /// need it. All outlive this.
  GpuStand(const CompiledSubject& subject, const Workload& workload, DeviceBuffer& workspace,
           const GpuStream& stream);

  std::vector<std::optional<std::string>> prepare(const std::vector<Tuning>& kernels) override;
  Times time(const std::vector<Tuning>& kernels, int repetitions) override;
  Error error(const Tuning& kernel) override;
  double seconds() override;
  bool works() override;

 private:
  [[nodiscard]] Plan plan_of(const Tuning& kernel) const;
  void execute(const Plan& plan) const;

  const CompiledSubject& subject_;
  const FftProblem problem_;
  const Workload& workload_;
  DeviceBuffer& workspace_;
  const GpuStream& stream_;
  const DeviceBuffer spectrum_;
  std::map<Tuning, Plan> plans_;
  std::optional<Sample> sample_;  // made when it is first asked for
};

}  // namespace sonoma::bench
