#include "gpu_stand.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "contender.hpp"
#include "suite.hpp"

namespace sonoma::bench {
namespace {

/// work(0), ..., work(count - 1), each once, by as many threads as the machine runs at once. `work`
/// does not throw.
template <class Work>
void for_each_in_parallel(std::size_t count, Work&& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1,
                                                      std::max<std::size_t>(count, 1));
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(take);
  take();
  for (auto& thread : others) thread.join();
}

}  // namespace

GpuStand::GpuStand(const FftProblem& problem, const Workload& workload, const GpuStream& stream)
    : problem_(problem),
      workload_(workload),
      stream_(stream),
      spectrum_(spectrum_on_device(problem)) {}

void GpuStand::execute(const Plan& plan) const {
  ExecuteOptions options;
  options.stream = stream_.get();
  if (spectrum_.bytes() > 0) options.spectrum = spectrum_.data();
  plan.execute(workload_.in(), workload_.out(), options);
}

std::vector<std::optional<std::string>> GpuStand::prepare(const std::vector<Tuning>& kernels) {
  std::vector<std::optional<Plan>> plans(kernels.size());
  std::vector<std::optional<std::string>> failures(kernels.size());
  for_each_in_parallel(kernels.size(), [&](std::size_t i) {
    try {
      PlanOptions options;
      options.device = Device::gpu;
      options.tuning = kernels[i];
      plans[i] = make_plan(problem_, options);
    } catch (const std::exception& error) {
      failures[i] = error.what();
    }
  });
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (plans[i]) plans_.insert_or_assign(kernels[i], *plans[i]);
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

double GpuStand::seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sonoma::bench
