#include "gpu_stand.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "contender.hpp"
#include "in_parallel.hpp"
#include "sonoma/program.hpp"
#include "suite.hpp"

namespace sonoma::bench {
GpuStand::GpuStand(const CompiledSubject& subject, const Workload& workload,
                   DeviceBuffer& workspace, const GpuStream& stream)
    : subject_(subject),
      problem_(subject.problem()),
      workload_(workload),
      workspace_(workspace),
      stream_(stream),
      spectrum_(spectrum_on_device(problem_)) {}

void GpuStand::execute(const Plan& plan) const {
  ExecuteOptions options;
  options.stream = stream_.get();
  if (plan.workspace_bytes() > 0) options.workspace = workspace_.data();
  if (spectrum_.bytes() > 0) options.spectrum = spectrum_.data();
  plan.execute(workload_.in(), workload_.out(), options);
}

// One workspace for all plans, which run one after the other.
Plan GpuStand::plan_of(const Tuning& kernel) const {
  PlanOptions options;
  options.device = Device::gpu;
  options.tuning = kernel;
  options.workspace_owner = WorkspaceOwner::caller;
  options.find_cubin = [this](const CudaSource& source) -> std::optional<std::string> {
    const auto at = subject_.modules.find(kernels_of(std::vector{source}));
    return at == subject_.modules.end() ? std::nullopt : std::optional(at->second);
  };
  return make_plan(problem_, options);
}

std::vector<std::optional<std::string>> GpuStand::prepare(const std::vector<Tuning>& kernels) {
  std::vector<std::optional<Plan>> plans(kernels.size());
  std::vector<std::optional<std::string>> failures(kernels.size());
  for_each_in_parallel(kernels.size(), [&](std::size_t i) {
    try {
      plans[i] = plan_of(kernels[i]);
    } catch (const std::exception& error) {
      failures[i] = error.what();
    }
  });
  std::size_t workspace = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (!plans[i]) continue;
    plans_.insert_or_assign(kernels[i], *plans[i]);
    workspace = std::max(workspace, plans[i]->workspace_bytes());
  }
  if (workspace > workspace_.bytes()) {
    workspace_ = DeviceBuffer(Device::gpu, 0);  // frees its memory before the next takes more
    workspace_ = DeviceBuffer(Device::gpu, workspace);
  }
  return failures;
}

TestStand::Times GpuStand::time(const std::vector<Tuning>& kernels, int repetitions) {
  std::vector<Contender> contenders = {{"copy",
                                        [this] {
                                          copy_on_device(workload_.out(), workload_.in(),
                                                         bytes_of(problem_), stream_.get());
                                        },
                                        0}};
  for (const auto& kernel : kernels) {
    contenders.push_back({"kernel", [this, plan = plans_.at(kernel)] { execute(plan); }, 0});
  }
  std::vector<double> ms = time_contenders(contenders, stream_, {repetitions, 1});
  const double copy_ms = ms.front();
  ms.erase(ms.begin());
  return {copy_ms, std::move(ms)};
}

TestStand::Error GpuStand::error(const Tuning& kernel) {
  copy_on_device(workload_.out(), workload_.in(), bytes_of(problem_),
                 stream_.get());  // no leftovers
  const Plan& plan = plans_.at(kernel);
  execute(plan);
  stream_.synchronize();
  if (!sample_) sample_.emplace(workload_, problem_);
  return {sample_->relative_l2(workload_.output()), error_limit(plan.program())};
}

bool GpuStand::works() {
  try {
    copy_on_device(workload_.out(), workload_.in(), 16, stream_.get());
    stream_.synchronize();
    return true;
  } catch (const FftError&) {
    return false;
  }
}

double GpuStand::seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sonoma::bench
