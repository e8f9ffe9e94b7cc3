#include "gpu_kernel.hpp"

#include <utility>

namespace sonoma {
namespace {

constexpr unsigned portable_cluster = 8;

constexpr unsigned shared_bytes_by_default = 48 * 1024;

// It may begin before the launch in front of it has ended.
CUresult launch_early(const DriverFunctions& cu, const CUDA_KERNEL_NODE_PARAMS& node,
                      Stream stream) {
  CUlaunchAttribute early{};
  early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  early.value.programmaticStreamSerializationAllowed = 1;
  const CUlaunchConfig config = {.gridDimX = node.gridDimX,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = node.blockDimX,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .sharedMemBytes = node.sharedMemBytes,
                                 .hStream = stream,
                                 .attrs = &early,
                                 .numAttrs = 1};
  return cu.launch_with(&config, node.func, node.kernelParams, nullptr);
}

}  // namespace

GpuKernel::GpuKernel(std::shared_ptr<const Driver> driver, const GpuDevice& device,
                     const CudaSource& source, const std::string& cubin)
    : driver_(std::move(driver)), device_(device), shape_(source.launch) {
  const ContextScope scope(driver_->functions(), device_.context);
  driver_->check(scope.result(), Stage::device, "cuCtxPushCurrent");
  const RelaxedCapture relaxed(driver_->functions());
  try {
    load(source, cubin);
    upload_tables(source.tables);
  } catch (...) {
    release();
    throw;
  }
}

GpuKernel::~GpuKernel() {
  // Where the context is gone, so is all that was in it; its addresses may be others' by now.
  if (!driver_->still_has(device_)) return;
  const ContextScope scope(driver_->functions(), device_.context);
  if (scope.result() != CUDA_SUCCESS) return;
  const RelaxedCapture relaxed(driver_->functions());
  release();
}

void GpuKernel::release() noexcept {
  const DriverFunctions& cu = driver_->functions();
  if (tables_ != 0) (void)cu.free(tables_);
  if (module_ != nullptr) (void)cu.module_unload(module_);
}

void GpuKernel::load(const CudaSource& source, const std::string& cubin) {
  const DriverFunctions& cu = driver_->functions();
  driver_->check(cu.module_load(&module_, cubin.data()), Stage::load_module, "cuModuleLoadData");
  driver_->check(cu.module_function(&function_, module_, source.name.c_str()), Stage::load_module,
                 "cuModuleGetFunction");
  if (shape_.shared_bytes > shared_bytes_by_default) {
    driver_->check(
        cu.set_function_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  static_cast<int>(shape_.shared_bytes)),
        Stage::load_module, "cuFuncSetAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES)");
  }
  if (shape_.cluster > portable_cluster) {
    driver_->check(cu.set_function_attribute(
                       function_, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
                   Stage::load_module, "cuFuncSetAttribute(NON_PORTABLE_CLUSTER_SIZE_ALLOWED)");
  }
  leave_room_for_cache();
  (void)resources();  // makes a lazily loaded function load now, not in the first execution
}

void GpuKernel::leave_room_for_cache() {
  if (shape_.carveout == 0) return;
  const DriverFunctions& cu = driver_->functions();
  int blocks = 0;
  driver_->check(
      cu.blocks_of_sm(&blocks, function_, static_cast<int>(shape_.threads), shape_.shared_bytes),
      Stage::load_module, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  if (blocks <= static_cast<int>(shape_.most_blocks)) return;
  driver_->check(
      cu.set_function_attribute(function_, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                static_cast<int>(shape_.carveout)),
      Stage::load_module, "cuFuncSetAttribute(PREFERRED_SHARED_MEMORY_CARVEOUT)");
}

CubinResources GpuKernel::resources() const {
  const ContextScope scope(driver_->functions(), device_.context);
  driver_->check(scope.result(), Stage::device, "cuCtxPushCurrent");
  const auto attribute = [this](CUfunction_attribute which) {
    int value = 0;
    driver_->check(driver_->functions().function_attribute(&value, which, function_),
                   Stage::load_module, "cuFuncGetAttribute");
    return value;
  };
  return {attribute(CU_FUNC_ATTRIBUTE_NUM_REGS), attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
          attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)};
}

// Through a stream of its own: the default stream would wait for every other one, and may not be
// used at all while some stream is being captured.
void GpuKernel::upload_tables(const std::vector<std::uint32_t>& tables) {
  if (tables.empty()) return;
  const DriverFunctions& cu = driver_->functions();
  const std::size_t bytes = tables.size() * sizeof tables[0];
  driver_->check(cu.allocate(&tables_, bytes), Stage::allocate,
                 "cuMemAlloc of the kernel's tables");
  Stream stream = nullptr;
  driver_->check(cu.stream_create(&stream, CU_STREAM_NON_BLOCKING), Stage::allocate,
                 "cuStreamCreate");
  CUresult result = cu.upload_async(tables_, tables.data(), bytes, stream);
  if (result == CUDA_SUCCESS) result = cu.stream_synchronize(stream);
  (void)cu.stream_destroy(stream);
  driver_->check(result, Stage::allocate, "copying the kernel's tables to the GPU");
}

// The driver reads as many arguments as the kernel takes.
GpuLaunch::GpuLaunch(const GpuKernel& kernel, KernelArguments arguments)
    : arguments_(arguments),
      pointers_{&arguments_.in,    &arguments_.out,       const_cast<CUdeviceptr*>(&kernel.tables_),
                &arguments_.batch, &arguments_.workspace, &arguments_.first_transform,
                &arguments_.user,  &arguments_.spectrum},
      node_{.func = kernel.function_,
            .gridDimX = static_cast<unsigned>(kernel.shape_.blocks(arguments.batch)),
            .gridDimY = 1,
            .gridDimZ = 1,
            .blockDimX = kernel.shape_.threads,
            .blockDimY = 1,
            .blockDimZ = 1,
            .sharedMemBytes = kernel.shape_.shared_bytes,
            .kernelParams = pointers_,
            .extra = nullptr,
            .kern = nullptr,
            .ctx = kernel.device_.context} {}

void GpuKernel::launch(KernelArguments a, Stream stream) const {
  const DriverFunctions& cu = driver_->functions();
  const ContextScope scope(cu, device_.context);
  driver_->check(scope.result(), Stage::launch, "cuCtxPushCurrent");
  if (shape_.counter_bytes != 0) {
    driver_->check(cu.set_words_async(reinterpret_cast<CUdeviceptr>(a.workspace), 0,
                                      shape_.counter_bytes / 4, stream),
                   Stage::launch, "cuMemsetD32Async of the counters in the workspace");
  }
  const GpuLaunch launch(*this, a);
  const CUDA_KERNEL_NODE_PARAMS& node = launch.node();
  const unsigned blocks = node.gridDimX;
  if (shape_.follows && driver_->overlaps_launches()) {
    driver_->check(launch_early(cu, node, stream), Stage::launch, "cuLaunchKernelEx");
    return;
  }
  driver_->check(cu.launch(function_, blocks, 1, 1, shape_.threads, 1, 1, shape_.shared_bytes,
                           stream, node.kernelParams, nullptr),
                 Stage::launch, "cuLaunchKernel");
}

}  // namespace sonoma
