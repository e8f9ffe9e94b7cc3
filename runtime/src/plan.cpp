#include "sonoma/plan.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "plan_impl.hpp"

namespace sonoma {

Plan::Plan(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {
  if (!impl_) throw std::invalid_argument("Plan: no plan is made of null; make_plan() makes them");
}

void Plan::execute(const void* in, void* out, Stream stream) const {
  ExecuteOptions options;
  options.stream = stream;
  impl_->execute(in, out, options);
}

void Plan::execute(const void* in, void* out, void* workspace, Stream stream) const {
  ExecuteOptions options;
  options.workspace = workspace, options.stream = stream;
  impl_->execute(in, out, options);
}

void Plan::execute(const void* in, void* out, const ExecuteOptions& options) const {
  impl_->execute(in, out, options);
}

void Plan::check_types(PointType in, PointType out) const {
  for (const bool input : {true, false}) {
    const PointType expected = point_type_of(problem(), input), given = input ? in : out;
    if (given == expected) continue;
    throw std::invalid_argument(std::string("execute: ") + (input ? "in" : "out") + " points to " +
                                to_string(given) + ", and the problem has " + to_string(expected) +
                                " there; pass such a pointer, ask for that storage and domain, or "
                                "pass void* where the memory is right");
  }
}

std::size_t Plan::workspace_bytes() const noexcept { return impl_->workspace_bytes(); }

const FftProblem& Plan::problem() const noexcept { return impl_->problem(); }
const Program& Plan::program() const noexcept { return impl_->program(); }
const Generated& Plan::generated() const {
  return impl_->kernels().front()->steps().passes.front();
}
const Choice& Plan::choice() const noexcept { return impl_->choice(); }
const std::string& Plan::source() const noexcept { return impl_->source(); }
double Plan::error_bound() const noexcept { return impl_->error().bound; }
double Plan::expected_error() const noexcept { return impl_->error().expected(); }
const KernelResources& Plan::resources() const noexcept { return impl_->resources(); }
Device Plan::device() const noexcept { return impl_->kernels().front()->key.device; }

std::string Plan::describe() const {
  const KernelResources& needs = resources();
  std::ostringstream text;
  text << "problem: " << to_string(problem()) << "\n"
       << "because: " << full_reason(choice()) << "\n";
  for (const auto& kernel : impl_->kernels()) {
    const CudaSource& source = kernel->emitted.source;
    const LaunchShape& launch = source.launch;
    text << "kernel:  " << source.name << " for " << arch_name(kernel->key.target) << " on the "
         << (device() == Device::gpu ? "GPU" : "emulated device")
         << (kernel->key.edited.empty() ? "" : ", edited") << "\n";
    for (const Generated& pass : kernel->steps().passes) {
      text << "choices: " << to_string(pass.tuning) << "\n";
    }
    text << "launch:  " << launch.threads << " threads and " << launch.shared_bytes
         << " bytes of shared memory a block, " << launch.transforms_per_block
         << " transforms a block\n";
  }
  if (workspace_bytes() > 0) text << "memory:  a workspace of " << workspace_bytes() << " bytes\n";
  if (device() == Device::gpu) {
    text << "needs:   " << needs.registers << " registers and " << needs.local_bytes
         << " bytes of local memory a thread\n";
  }
  const bool found = needs.ahead_of_time && device() == Device::gpu;
  text << "binary:  "
       << (found              ? "made ahead of time, found"
           : needs.from_cache ? "from the cache"
                              : "compiled")
       << " in " << std::lround(needs.compile_ms) << " ms\n"
       << "error:   at most " << error_bound() << ", of random input " << expected_error()
       << " (relative, in the 2-norm)\n";
  return text.str();
}

}  // namespace sonoma
