// What a test sees and sets of fake_driver.cpp.
#pragma once

#include <cuda.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sonoma::testing {

struct FakeLaunch {
  unsigned blocks, threads, shared_bytes;
  void* stream;
  const void* in;
  void* out;
  unsigned long long tables, batch;
  bool follows = false;  ///< it may begin before the launch in front of it has ended
};

struct FakeDriverState {
  std::vector<std::string> calls;  ///< in order, by the name of the driver's function
  std::vector<FakeLaunch> launches;
  std::string function_name;
  std::string module;  ///< how the last one begins
  std::map<CUfunction_attribute, int> function_attributes;
  int blocks_of_sm = 1;
  int allocations = 0;    ///< not freed
  int graphs = 0;         ///< not destroyed
  bool captures = false;  ///< the stream of the caller

  std::string failing;  ///< the driver's function that fails, with `error`, or a kernel's name
  CUresult error = CUDA_ERROR_UNKNOWN;
  int devices = 1;
  unsigned long long context_id = 1;  ///< another one after a reset
  std::map<CUdevice_attribute, int> attributes = {
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448}};
  /// Some other thread captures a stream: then these fail unless the caller's mode is relaxed, or
  /// always where they involve the default stream.
  bool others_capture = false;
  std::set<std::string> unsafe_while_capturing = {"cuMemAlloc_v2", "cuMemFree_v2",
                                                  "cuModuleLoadData", "cuStreamSynchronize"};
};

using FakeDriverStateFunction = FakeDriverState*();

}  // namespace sonoma::testing
