// Streams, events and copies of the GPU that plans run on: what a benchmark needs, through the
// driver the runtime has opened. Everything throws FftError where there is no GPU.
#pragma once

#include <cstddef>
#include <string>

#include "sonoma/api.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/target.hpp"
#include "sonoma/wisdom.hpp"

struct CUevent_st;

namespace SONOMA_API sonoma {

struct GpuInfo {
  std::string name;     ///< "NVIDIA H200"
  int driver_cuda = 0;  ///< CUDA version of the driver, 1000 * major + 10 * minor
  Target target;        ///< what kernels are made for
  Platform platform;    ///< what measurements on it are kept under
};

/// Of the current device. Throws FftError (Stage::load_library or device) where there is none.
[[nodiscard]] GpuInfo gpu_info();

/// A stream that does not synchronise with the default stream.
class GpuStream {
 public:
  GpuStream();
  ~GpuStream();
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;

  [[nodiscard]] Stream get() const noexcept { return stream_; }  ///< never null
  void synchronize() const;  ///< waits for all that was enqueued; throws FftError (Stage::launch)

 private:
  Stream stream_ = nullptr;
};

/// A point in a stream, with its time.
class GpuEvent {
 public:
  GpuEvent();
  ~GpuEvent();
  GpuEvent(GpuEvent&& other) noexcept;
  GpuEvent(const GpuEvent&) = delete;
  GpuEvent& operator=(const GpuEvent&) = delete;

  void record(Stream stream);  ///< enqueues it

  /// From `start` to here; waits for this event.
  [[nodiscard]] double milliseconds_since(const GpuEvent& start) const;

 private:
  CUevent_st* event_ = nullptr;
};

/// Enqueues a copy of `bytes` bytes between disjoint regions of device memory.
void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream);

}  // namespace sonoma
