#include "sonoma/gpu.hpp"

#include <utility>

#include "runtime.hpp"

namespace sonoma {
namespace {

// The driver's functions, with the current device's context current for as long as this lives.
class Scope {
 public:
  Scope()
      : driver_(Runtime::process().driver()),
        device_(driver_->current_device()),
        scope_(driver_->functions(), device_.context) {
    check(scope_.result(), "cuCtxPushCurrent");
  }

  [[nodiscard]] const Driver& driver() const { return *driver_; }
  [[nodiscard]] const GpuDevice& device() const { return device_; }
  [[nodiscard]] const DriverFunctions& cu() const { return driver_->functions(); }
  void check(CUresult result, const char* what) const {
    driver_->check(result, Stage::launch, what);
  }

 private:
  std::shared_ptr<const Driver> driver_;
  GpuDevice device_;
  ContextScope scope_;
};

// For destructors: there is nothing left to free where the context is gone.
template <class Free>
void free_quietly(Free&& free) noexcept {
  try {
    const Scope scope;
    (void)free(scope.cu());
  } catch (const FftError&) {
  }
}

CUdeviceptr device_pointer(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

GpuInfo gpu_info() {
  const Scope scope;
  GpuInfo info;
  info.name = scope.driver().name_of(scope.device());
  scope.check(scope.cu().driver_version(&info.driver_cuda), "cuDriverGetVersion");
  info.target = scope.driver().target_of(scope.device());
  info.platform = {info.name, info.target.arch, scope.driver().cuda_version()};
  return info;
}

GpuStream::GpuStream() {
  const Scope scope;
  scope.check(scope.cu().stream_create(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
}

GpuStream::~GpuStream() {
  free_quietly([this](const DriverFunctions& cu) { return cu.stream_destroy(stream_); });
}

void GpuStream::synchronize() const {
  const Scope scope;
  scope.check(scope.cu().stream_synchronize(stream_), "cuStreamSynchronize");
}

GpuEvent::GpuEvent() {
  const Scope scope;
  scope.check(scope.cu().event_create(&event_, CU_EVENT_DEFAULT), "cuEventCreate");
}

GpuEvent::~GpuEvent() {
  if (event_ == nullptr) return;
  free_quietly([this](const DriverFunctions& cu) { return cu.event_destroy(event_); });
}

GpuEvent::GpuEvent(GpuEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}

void GpuEvent::record(Stream stream) {
  const Scope scope;
  scope.check(scope.cu().event_record(event_, stream), "cuEventRecord");
}

double GpuEvent::milliseconds_since(const GpuEvent& start) const {
  const Scope scope;
  float milliseconds = 0;
  scope.check(scope.cu().event_synchronize(event_), "cuEventSynchronize");
  scope.check(scope.cu().event_milliseconds(&milliseconds, start.event_, event_),
              "cuEventElapsedTime");
  return milliseconds;
}

void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  const Scope scope;
  scope.check(scope.cu().copy_async(device_pointer(to), device_pointer(from), bytes, stream),
              "cuMemcpyDtoDAsync");
}

}  // namespace sonoma
