#include "sonoma/ahead_of_time.hpp"

#include <mutex>
#include <set>
#include <utility>

#include "ahead.hpp"
#include "runtime.hpp"

namespace sonoma {

AheadProgram generate_ahead(const AheadRequest& request, const Target& target) {
  FftProblem problem = request.problem;
  if (request.any_batch) problem.batch = 1;
  validate(problem);
  Planned planned =
      Runtime::process().plan_ahead(problem, request.tuning, request.workspace_policy, target);
  AheadProgram made{target, std::move(planned.choice), std::move(planned.program), {}};
  if (!request.any_batch && planned.few) made.program = *std::move(planned.few);
  for (const Launch& launch : made.program.launches) {
    Emitted emitted = emit(launch, target);
    made.kernels.push_back({std::move(emitted.source), emitted.error, {}, {}});
  }
  return made;
}

class AheadOfTime::Impl {
 public:
  void add(const AheadRequest& request, const AheadProgram& made) {
    const int arch = made.target.arch;
    AheadKey key{request.problem, request.tuning, request.workspace_policy, arch};
    if (request.any_batch) key.problem.batch = 0;
    std::vector<Emitted> kernels;
    for (const AheadKernel& kernel : made.kernels) {
      kernels.push_back({kernel.source, kernel.error});
    }
    const std::lock_guard lock(mutex_);
    archs_.insert(arch);
    requests_.insert(to_string(request.problem) + (request.any_batch ? ", any batch" : ""));
    writer_.add(BlobKind::plan, plan_key(key), encode(made.choice, made.program, kernels));
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const std::string name = kernel_key(made.program.launches[i], arch);
      add_kernel(writer_, name, std::move(kernels[i]));
      writer_.add(BlobKind::cubin, name, made.kernels[i].cubin.bytes);
      if (made.kernels[i].ptx.empty()) continue;
      ptx_.insert(arch);
      writer_.add(BlobKind::ptx, name, made.kernels[i].ptx);
    }
  }

  [[nodiscard]] std::string bundle() const {
    const std::lock_guard lock(mutex_);
    return writer_.bundle({made_by(),
                           compiler(),
                           {archs_.begin(), archs_.end()},
                           {ptx_.begin(), ptx_.end()},
                           {requests_.begin(), requests_.end()}});
  }

 private:
  mutable std::mutex mutex_;
  BundleWriter writer_;
  std::set<int> archs_, ptx_;
  std::set<std::string> requests_;
};

AheadOfTime::AheadOfTime() : impl_(std::make_unique<Impl>()) {}
AheadOfTime::~AheadOfTime() = default;

void AheadOfTime::add(const AheadRequest& request, AheadProgram& made, bool ptx) {
  Runtime& runtime = Runtime::process();
  for (AheadKernel& kernel : made.kernels) {
    kernel.cubin = runtime.compile(kernel.source, made.target);
    if (ptx) kernel.ptx = runtime.compile_ptx(kernel.source, made.target);
  }
  impl_->add(request, made);
}

std::string AheadOfTime::bundle() const { return impl_->bundle(); }

std::string AheadOfTime::compiler() { return Runtime::process().compiler(); }

std::string AheadOfTime::made_by() { return std::string("sonoma ") + SONOMA_VERSION; }

}  // namespace sonoma
