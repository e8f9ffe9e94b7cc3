// What launchers ask of cuda.h, for programs that run_emulated runs.
#pragma once

#include <cstddef>

using CUresult = int;
using CUdeviceptr = unsigned long long;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;

constexpr CUresult CUDA_SUCCESS = 0;
enum CUfunction_attribute {
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
};
enum CUlaunchAttributeID { CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  union {
    int programmaticStreamSerializationAllowed;
    char pad[64];
  } value;
};
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned numAttrs;
};

extern "C" {
CUresult cuInit(unsigned);
CUresult cuGetErrorName(CUresult, const char**);
CUresult cuModuleLoad(CUmodule*, const char* path);       // of a .cu
CUresult cuModuleLoadData(CUmodule*, const void* image);  // the text of one
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char* name);
CUresult cuModuleGetGlobal(CUdeviceptr*, std::size_t* bytes, CUmodule, const char* name);
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int*, CUfunction, int, std::size_t);
CUresult cuMemAlloc(CUdeviceptr*, std::size_t);
CUresult cuMemFree(CUdeviceptr);
CUresult cuMemcpyHtoD(CUdeviceptr, const void*, std::size_t);
CUresult cuMemcpyDtoH(void*, CUdeviceptr, std::size_t);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned, std::size_t words, CUstream);
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction, void** arguments, void** extra);
CUresult cuDeviceGet(int*, int);
CUresult cuDevicePrimaryCtxRetain(struct CUctx_st**, int);
CUresult cuCtxSetCurrent(struct CUctx_st*);
CUresult cuCtxSynchronize();
}
using CUdevice = int;
using CUcontext = struct CUctx_st*;
