// Candidates measured on the GPU in use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/gpu.hpp"
#include "sonoma/plan.hpp"
#include "tuner.hpp"
#include "workload.hpp"

namespace sonoma::bench {

class GpuStand : public TestStand {
 public:
  /// `problem` works on the first points of `workload`; both and the stream outlive this.
  GpuStand(const FftProblem& problem, const Workload& workload, const GpuStream& stream);

  std::vector<std::optional<std::string>> prepare(const std::vector<Tuning>& kernels) override;
  Times time(const std::vector<Tuning>& kernels, int repetitions) override;
  Error error(const Tuning& kernel) override;
  double seconds() override;

 private:
  void execute(const Plan& plan) const;

  const FftProblem& problem_;
  const Workload& workload_;
  const GpuStream& stream_;
  const DeviceBuffer spectrum_;
  std::map<Tuning, Plan> plans_;
  std::optional<Sample> sample_;  // made when it is first asked for
};

}  // namespace sonoma::bench
