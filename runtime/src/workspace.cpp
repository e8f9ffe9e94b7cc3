#include "workspace.hpp"

#include <new>

namespace sonoma {
namespace {

constexpr std::align_val_t alignment{256};

}  // namespace

Workspace::Workspace(std::size_t bytes) : data_(::operator new(bytes, alignment)) {}

Workspace::Workspace(std::shared_ptr<const Driver> driver, const GpuDevice& device,
                     std::size_t bytes)
    : driver_(std::move(driver)), device_(device) {
  const ContextScope scope(driver_->functions(), device_.context);
  driver_->check(scope.result(), Stage::device, "cuCtxPushCurrent");
  const RelaxedCapture relaxed(driver_->functions());
  CUdeviceptr pointer = 0;
  driver_->check(driver_->functions().allocate(&pointer, bytes), Stage::allocate,
                 "cuMemAlloc of the plan's workspace");
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver gives addresses as integers
  data_ = reinterpret_cast<void*>(pointer);
}

Workspace::~Workspace() {
  if (!driver_) {
    ::operator delete(data_, alignment);
    return;
  }
  if (!driver_->still_has(device_)) return;
  const ContextScope scope(driver_->functions(), device_.context);
  if (scope.result() != CUDA_SUCCESS) return;
  const RelaxedCapture relaxed(driver_->functions());
  (void)driver_->functions().free(reinterpret_cast<CUdeviceptr>(data_));
}

}  // namespace sonoma
