// Device memory that the passes of a plan leave their results in for the next one.
#pragma once

#include <cstddef>
#include <memory>

#include "driver.hpp"

namespace sonoma {

class Workspace {
 public:
  /// Of the emulated device.
  explicit Workspace(std::size_t bytes);
  /// Throws FftError (Stage::allocate).
  Workspace(std::shared_ptr<const Driver> driver, const GpuDevice& device, std::size_t bytes);
  /// Quiet where the context is gone already.
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  [[nodiscard]] void* data() const { return data_; }

 private:
  std::shared_ptr<const Driver> driver_;  ///< null: the emulated device
  GpuDevice device_ = {};
  void* data_ = nullptr;
};

}  // namespace sonoma
