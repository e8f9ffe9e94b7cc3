#include "sonoma/plan.hpp"

#include <cmath>
#include <cstdint>
#include <sstream>
#include <stdexcept>

#include "plan_impl.hpp"

namespace sonoma {
namespace {

constexpr std::uintptr_t alignment = 16;

// For messages only: execute() itself must not allocate.
std::string points_of(const FftProblem& problem) {
  return "batch*n = " + std::to_string(problem.batch * problem.n()) +
         (problem.storage == Storage::f32
              ? " complex<float>"
              : " complex numbers of two " + to_string(problem.storage) + " each");
}

void check_pointer(const void* pointer, const char* name, const FftProblem& problem) {
  if (pointer == nullptr) {
    throw std::invalid_argument(std::string("execute: ") + name + " is null; it must point to " +
                                points_of(problem));
  }
  if (reinterpret_cast<std::uintptr_t>(pointer) % alignment != 0) {
    std::ostringstream text;
    text << "execute: " << name << "=" << pointer
         << " is not 16-byte aligned; allocate it with cudaMalloc, aligned new or DeviceBuffer";
    throw std::invalid_argument(text.str());
  }
}

}  // namespace

void Plan::Impl::check_pointers(const void* in, const void* out) const {
  check_pointer(in, "in", problem_);
  check_pointer(out, "out", problem_);
  const auto first = reinterpret_cast<std::uintptr_t>(in);
  const auto second = reinterpret_cast<std::uintptr_t>(out);
  if (problem_.placement == Placement::in_place) {
    if (first == second) return;
    throw std::invalid_argument(
        "execute: in and out differ, but the plan is in-place; pass the same pointer twice or make "
        "a plan with Placement::out_of_place");
  }
  if (first < second + bytes_ && second < first + bytes_) {
    throw std::invalid_argument("execute: in and out overlap; each holds " + points_of(problem_) +
                                ", " + std::to_string(bytes_) +
                                " bytes, and the plan is out-of-place; pass disjoint buffers or "
                                "make a plan with Placement::in_place");
  }
}

void Plan::Impl::execute(const void* in, void* out, Stream stream) const {
  check_pointers(in, out);
  kernel_->kernel->launch(in, out, static_cast<std::uint64_t>(problem_.batch), stream);
}

void Plan::execute(const void* in, void* out, Stream stream) const {
  impl_->execute(in, out, stream);
}

void Plan::execute(const void* in, void* out, void* workspace, Stream stream) const {
  if (workspace != nullptr) check_pointer(workspace, "workspace", problem());
  impl_->execute(in, out, stream);
}

// Every transform so far is one launch that keeps what it needs in registers and shared memory.
std::size_t Plan::workspace_bytes() const noexcept { return 0; }

const FftProblem& Plan::problem() const noexcept { return impl_->problem(); }
const Generated& Plan::generated() const noexcept { return impl_->loaded().generated; }
const Choice& Plan::choice() const noexcept { return impl_->choice(); }
const std::string& Plan::source() const noexcept { return generated().source.text; }
double Plan::error_bound() const noexcept { return generated().error_bound; }
const KernelResources& Plan::resources() const noexcept { return impl_->loaded().resources; }
Device Plan::device() const noexcept { return impl_->loaded().device; }

std::string Plan::describe() const {
  const Generated& made = generated();
  const LaunchShape& launch = made.source.launch;
  const KernelResources& needs = resources();
  std::ostringstream text;
  text << "problem: " << to_string(problem()) << "\n"
       << "kernel:  " << made.source.name << " for " << arch_name(made.target) << " on the "
       << (device() == Device::gpu ? "GPU" : "emulated device") << "\n"
       << "choices: " << to_string(made.tuning) << "\n"
       << "because: " << choice().reason << "\n"
       << "launch:  " << launch.threads << " threads and " << launch.shared_bytes
       << " bytes of shared memory a block, " << launch.transforms_per_block
       << " transforms a block\n";
  if (device() == Device::gpu) {
    text << "needs:   " << needs.registers << " registers and " << needs.local_bytes
         << " bytes of local memory a thread\n";
  }
  text << "binary:  " << (needs.from_cache ? "from the cache" : "compiled") << " in "
       << std::lround(needs.compile_ms) << " ms\n"
       << "error:   at most " << error_bound() << " (relative, in the 2-norm)\n";
  return text.str();
}

}  // namespace sonoma
