// What standalone forms and examples ask of CUDA's runtime, for programs that run_emulated runs. It
// makes of kernel<<<grid, block, shared>>>(...) a call of emulated_launch.
#pragma once

#include <cstddef>

using cudaError_t = int;
constexpr cudaError_t cudaSuccess = 0;
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
enum cudaMemcpyKind {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  union {
    int programmaticStreamSerializationAllowed;
    char pad[64];
  } val;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

extern "C" {
const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError();
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaFree(void*);
cudaError_t cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemsetAsync(void*, int, std::size_t, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void* kernel, void** arguments);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
cudaError_t sonoma_emulated_malloc(void**, std::size_t);
cudaError_t sonoma_emulated_attribute(const void* kernel, cudaFuncAttribute, int);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void* kernel, int,
                                                          std::size_t);
}

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return sonoma_emulated_malloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return sonoma_emulated_attribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
inline cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return *pointer = const_cast<void*>(symbol), cudaSuccess;
}

template <class... P>
struct EmulatedLaunch {
  void (*kernel)(P...);
  cudaLaunchConfig_t config;
  void operator()(P... arguments) const {
    void* pointers[] = {&arguments...};
    cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), pointers);
  }
};
template <class... P>
EmulatedLaunch<P...> emulated_launch(void (*kernel)(P...), unsigned grid, unsigned block,
                                     std::size_t shared = 0, cudaStream_t stream = nullptr) {
  return {kernel, {{grid}, {block}, shared, stream, nullptr, 0}};
}

#define threadIdx (dim3{thread_index()})
#define blockIdx (dim3{block_index()})
#define __syncthreads() block_barrier()
