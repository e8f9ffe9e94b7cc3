// A cubin loaded into a context, with its tables beside it.
#pragma once

#include <memory>
#include <string>

#include "cubin_resources.hpp"
#include "driver.hpp"
#include "kernel.hpp"
#include "sonoma/cuda_source.hpp"

namespace sonoma {

class GpuKernel final : public Kernel {
 public:
  /// Throws FftError (Stage::load_module where the driver rejects the cubin, or allocate). When it
  /// returns, the tables are there for every stream.
  GpuKernel(std::shared_ptr<const Driver> driver, const GpuDevice& device, const CudaSource& source,
            const std::string& cubin);
  /// Quiet where the context is gone already.
  ~GpuKernel() override;
  GpuKernel(const GpuKernel&) = delete;
  GpuKernel& operator=(const GpuKernel&) = delete;

  void launch(KernelArguments arguments, Stream stream) const override;

  [[nodiscard]] const LaunchShape& shape() const { return shape_; }
  [[nodiscard]] const GpuDevice& device() const { return device_; }

  /// As the driver sees them.
  [[nodiscard]] CubinResources resources() const;

 private:
  friend class GpuLaunch;
  void leave_room_for_cache();
  void load(const CudaSource& source, const std::string& cubin);
  void upload_tables(const std::vector<std::uint32_t>& tables);
  void release() noexcept;

  std::shared_ptr<const Driver> driver_;
  GpuDevice device_;
  LaunchShape shape_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  CUdeviceptr tables_ = 0;
};

/// What the driver takes for one launch. node() points into this.
class GpuLaunch {
 public:
  GpuLaunch(const GpuKernel& kernel, KernelArguments arguments);
  GpuLaunch(const GpuLaunch&) = delete;
  GpuLaunch& operator=(const GpuLaunch&) = delete;

  [[nodiscard]] const CUDA_KERNEL_NODE_PARAMS& node() const { return node_; }

 private:
  KernelArguments arguments_;
  void* pointers_[8];
  CUDA_KERNEL_NODE_PARAMS node_;
};

}  // namespace sonoma
