#include "sonoma/device_buffer.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "runtime.hpp"

namespace sonoma {
namespace {

constexpr std::align_val_t alignment{16};

// A call with the current device's context current.
template <class Call>
void on_gpu(Stage stage, const char* what, Call&& call) {
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  driver->check(scope.result(), Stage::device, "cuCtxPushCurrent");
  driver->check(call(driver->functions()), stage, what);
}

void* allocate(Device device, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (device == Device::cpu) {
    void* data = ::operator new(bytes, alignment, std::nothrow);
    if (data != nullptr) return data;
    throw FftError(Stage::allocate,
                   std::to_string(bytes) + " bytes of host memory are not to be had");
  }
  CUdeviceptr data = 0;
  const std::string what = "cuMemAlloc of " + std::to_string(bytes) + " bytes";
  on_gpu(Stage::allocate, what.c_str(),
         [&](const DriverFunctions& cu) { return cu.allocate(&data, bytes); });
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver gives addresses as integers
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(data));
}

CUdeviceptr device_pointer(const void* data, std::size_t offset) {
  return reinterpret_cast<std::uintptr_t>(data) + offset;
}

void check_range(std::size_t size, std::size_t bytes, std::size_t offset, const void* host) {
  if (host == nullptr && bytes != 0) {
    throw std::invalid_argument("DeviceBuffer: host is null; it must point to " +
                                std::to_string(bytes) + " bytes of host memory");
  }
  if (offset <= size && bytes <= size - offset) return;
  throw std::out_of_range("DeviceBuffer: " + std::to_string(bytes) + " bytes at offset " +
                          std::to_string(offset) + " are beyond its " + std::to_string(size) +
                          " bytes");
}

}  // namespace

DeviceBuffer::DeviceBuffer(Device device, std::size_t bytes)
    : device_(Runtime::process().choose(device)), bytes_(bytes), data_(allocate(device_, bytes)) {}

DeviceBuffer::~DeviceBuffer() {
  if (data_ == nullptr) return;
  if (device_ == Device::cpu) {
    ::operator delete(data_, alignment);
    return;
  }
  try {
    on_gpu(Stage::allocate, "cuMemFree",
           [this](const DriverFunctions& cu) { return cu.free(device_pointer(data_, 0)); });
  } catch (const FftError&) {
    // The context is gone, and the memory with it.
  }
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_),
      bytes_(std::exchange(other.bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(bytes_, other.bytes_);
  std::swap(data_, other.data_);
  return *this;
}

void DeviceBuffer::upload(const void* host, std::size_t bytes, std::size_t offset) {
  check_range(bytes_, bytes, offset, host);
  if (bytes == 0) return;
  if (device_ == Device::cpu) {
    std::memcpy(static_cast<std::byte*>(data_) + offset, host, bytes);
    return;
  }
  // The driver returns when it has read the host's memory; the end of the copy may still be under
  // way, and streams that do not wait for the default one would not see it.
  on_gpu(Stage::launch, "cuMemcpyHtoD", [&](const DriverFunctions& cu) {
    const CUresult result = cu.upload(device_pointer(data_, offset), host, bytes);
    return result != CUDA_SUCCESS ? result : cu.stream_synchronize(nullptr);
  });
}

void DeviceBuffer::download(void* host, std::size_t bytes, std::size_t offset) const {
  check_range(bytes_, bytes, offset, host);
  if (bytes == 0) return;
  if (device_ == Device::cpu) {
    std::memcpy(host, static_cast<const std::byte*>(data_) + offset, bytes);
    return;
  }
  on_gpu(Stage::launch, "cuMemcpyDtoH", [&](const DriverFunctions& cu) {
    return cu.download(host, device_pointer(data_, offset), bytes);
  });
}

}  // namespace sonoma
