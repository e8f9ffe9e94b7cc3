// Memory of the device a plan runs on, for programs that do not want the CUDA runtime for it.
#pragma once

#include <cstddef>

#include "sonoma/api.hpp"
#include "sonoma/plan.hpp"

namespace SONOMA_API sonoma {

/// Uninitialised memory: GPU memory, or host memory (16-byte aligned) for the emulated device.
/// Movable; freed by the destructor.
class DeviceBuffer {
 public:
  /// Throws FftError (Stage::allocate), also where Device::gpu is asked for and there is none.
  DeviceBuffer(Device device, std::size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] void* data() const noexcept { return data_; }          ///< of the device
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }  ///< its size
  [[nodiscard]] Device device() const noexcept { return device_; }     ///< gpu or cpu

  /// Copies `bytes` bytes from or to host memory, starting `offset` bytes into the buffer, after
  /// all work enqueued before on the default stream, and returns when they are there. Throws
  /// std::out_of_range, std::invalid_argument for null, FftError (Stage::launch).
  void upload(const void* host, std::size_t bytes, std::size_t offset = 0);
  void download(void* host, std::size_t bytes, std::size_t offset = 0) const;  ///< as upload()

 private:
  Device device_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace sonoma
