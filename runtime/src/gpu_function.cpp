#include "sonoma/gpu_function.hpp"

#include "driver.hpp"
#include "runtime.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/gpu.hpp"

namespace sonoma {

struct GpuFunction::Loaded {
  std::shared_ptr<const Driver> driver = Runtime::process().driver();
  GpuDevice device = driver->current_device();
  CUmodule module = nullptr;
  CUfunction function = nullptr;

  ~Loaded() {
    if (module == nullptr || !driver->still_has(device)) return;
    const ContextScope scope(driver->functions(), device.context);
    if (scope.result() == CUDA_SUCCESS) (void)driver->functions().module_unload(module);
  }
};

GpuFunction::GpuFunction(const CudaSource& source) : threads_(source.launch.threads) {
  auto loaded = std::make_shared<Loaded>();
  const Driver& driver = *loaded->driver;
  const Cubin cubin = compile(source, driver.target_of(loaded->device));
  const ContextScope scope(driver.functions(), loaded->device.context);
  driver.check(scope.result(), Stage::device, "cuCtxPushCurrent");
  driver.check(driver.functions().module_load(&loaded->module, cubin.bytes.data()),
               Stage::load_module, "cuModuleLoadData");
  driver.check(
      driver.functions().module_function(&loaded->function, loaded->module, source.name.c_str()),
      Stage::load_module, "cuModuleGetFunction");
  loaded_ = std::move(loaded);
}

void GpuFunction::launch(unsigned blocks, std::span<void* const> arguments, Stream stream) const {
  const Driver& driver = *loaded_->driver;
  const ContextScope scope(driver.functions(), loaded_->device.context);
  driver.check(scope.result(), Stage::launch, "cuCtxPushCurrent");
  driver.check(driver.functions().launch(loaded_->function, blocks, 1, 1, threads_, 1, 1, 0, stream,
                                         const_cast<void**>(arguments.data()), nullptr),
               Stage::launch, "cuLaunchKernel");
}

}  // namespace sonoma
