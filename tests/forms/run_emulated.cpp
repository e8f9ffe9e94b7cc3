// run_emulated FILE [ARGUMENTS]: compiles a program for the host, kernels and all, and runs its
// main function. What it asks of CUDA's driver and runtime is served by the emulated device, which
// checks each launch: races in shared memory, and accesses beyond allocations. A failure ends the
// program.
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cuda/cuda.h"
#include "host_compiler.hpp"
#include "sonoma/emulator.hpp"

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

/// A text compiled, and loaded for what is not a kernel.
struct Module {
  std::string text;
  Bytes object;
  boost::dll::shared_library shared_object;
};
struct Function {
  const Module* module;
  std::string name;
  unsigned shared_bytes = 48 * 1024;  ///< allowed
  bool large_clusters = false;
};

Module program;
std::map<const std::byte*, std::size_t> memory;
std::map<std::string, std::unique_ptr<Function>> functions;  // by module and name

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

Module load(const std::string& text) {
  static unsigned loaded = 0;  // dlopen takes a path that it has seen for the library of then
  Module module{text, sonoma::test::compiled({"program", text, {}, {}}), {}};
  const fs::path path = fs::temp_directory_path() / ("run_emulated_" + std::to_string(getpid()) +
                                                     "_" + std::to_string(++loaded) + ".so");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(module.object.data()),
             static_cast<std::streamsize>(module.object.size()));
  std::error_code error;
  module.shared_object.load(path.string(), boost::dll::load_mode::rtld_now, error);
  fs::remove(path);
  if (error) throw std::runtime_error(path.string() + ": cannot be loaded: " + error.message());
  return module;
}

Function& function(const Module& module, const std::string& name) {
  auto& known = functions[std::to_string(reinterpret_cast<std::uintptr_t>(&module)) + name];
  if (!known) known = std::make_unique<Function>(Function{&module, name});
  return *known;
}

std::string plain_name(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  const std::string plain = text ? text.get() : name;
  return plain.substr(0, plain.find('('));
}

// The parameters of a kernel, and what stands before its name.
std::string signature(const Function& function) {
  std::smatch found;
  const std::regex kernel("__global__([^;{}]*)\\b" + plain_name(function.name) +
                          "\\s*\\(([^{]*)\\{");
  if (!std::regex_search(function.module->text, found, kernel)) {
    throw std::runtime_error("no kernel " + function.name);
  }
  return found[0];
}

// The number that `pattern` has in `text`.
unsigned number_in(const std::string& text, const std::string& pattern, unsigned otherwise) {
  std::smatch found;
  const bool any = std::regex_search(text, found, std::regex(pattern));
  return any ? static_cast<unsigned>(std::stoul(found[1])) : otherwise;
}

// From `address` to the end of its allocation.
std::size_t bytes_behind(const std::byte* address) {
  auto at = memory.upper_bound(address);
  if (at == memory.begin()) return 0;
  --at;
  const std::byte* const end = at->first + at->second;
  return address < end ? static_cast<std::size_t>(end - address) : 0;
}

// Of a symbol of the object that holds it.
std::size_t table_bytes(const void* address) {
  Dl_info info;
  void* extra = nullptr;
  if (address == nullptr || dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0) return 0;
  const auto* const symbol = static_cast<const ElfW(Sym)*>(extra);
  return symbol == nullptr ? 0 : symbol->st_size;
}

struct Grid {
  unsigned blocks, threads, shared_bytes;
};

// Pointers and 64-bit integers, as many as the kernel takes.
struct Values {
  std::byte* at[8] = {};
  Values(const std::string& signature, void** arguments) {
    const auto first = static_cast<std::ptrdiff_t>(signature.rfind('('));
    const auto count = std::count(signature.begin() + first, signature.end(), ',') + 1;
    for (std::ptrdiff_t i = 0; i < count && i < 8; ++i) {
      std::memcpy(&at[i], arguments[i], sizeof at[i]);
    }
  }
  [[nodiscard]] std::uint64_t number(std::size_t i) const {
    return reinterpret_cast<std::uintptr_t>(at[i]);
  }
  [[nodiscard]] std::span<std::byte> bytes(std::size_t i) const {
    return {at[i], bytes_behind(at[i])};
  }
};

int launch(const Function& function, Grid grid, void** arguments) {
  const std::string kernel = signature(function);
  const auto takes = [&](const char* what) { return kernel.find(what) != std::string::npos; };
  const Values values(kernel, arguments);
  const unsigned cluster = number_in(kernel, "__cluster_dims__\\((\\d+)\\)", 1);
  if (grid.shared_bytes > function.shared_bytes || (cluster > 8 && !function.large_clusters)) {
    return 1;  // CUDA_ERROR_INVALID_VALUE
  }
  if (grid.blocks == 0 || grid.blocks % cluster != 0) return 1;
  sonoma::LaunchShape shape{.threads = grid.threads,
                            .shared_bytes = grid.shared_bytes,
                            .transforms_per_block = 1,
                            .cluster = cluster,
                            .blocks_per_batch = 1};
  shape.more_blocks = grid.blocks - values.number(3);  // whatever is the batch
  sonoma::EmulationOptions options;
  const bool own = takes("const uint4* tables,");  // a kernel of Sonoma's
  options.check_races = own && cluster == 1;
  options.check_bounds = own;
  const bool workspace = takes("unsigned* workspace");
  if (workspace) {
    shape.counter_bytes = 4 * number_in(function.module->text, "\\(workspace \\+ (\\d+)\\)", 0);
  }
  const std::span tables(reinterpret_cast<const std::uint32_t*>(values.at[2]),
                         table_bytes(values.at[2]) / 4);
  const sonoma::EmulatedKernel emulated(function.module->object, {function.name, {}, shape, {}});
  emulated.launch(values.bytes(0), values.bytes(1), tables, values.number(3), options,
                  workspace ? values.bytes(4) : std::span<std::byte>{},
                  {values.number(5), values.at[6], values.bytes(7)});
  return 0;
}

std::byte* allocate(std::size_t bytes) {
  auto* const pointer = static_cast<std::byte*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  std::memset(pointer, 0x7f, bytes);  // large numbers, not zeros
  memory[pointer] = bytes;
  return pointer;
}

int release(void* pointer) {
  if (pointer == nullptr) return 0;
  if (memory.erase(static_cast<std::byte*>(pointer)) == 0) return 1;
  return std::free(pointer), 0;
}

// The launches that C++ does not know.
std::string as_calls(const std::string& text) {
  return std::regex_replace(text, std::regex(R"((\w+)<<<([^;]*?)>>>\()"),
                            "emulated_launch($1, $2)(");
}

}  // namespace

// NOLINTBEGIN: names and parameters are CUDA's
extern "C" {
// ---- the driver
CUresult cuInit(unsigned) { return 0; }
CUresult cuGetErrorName(CUresult, const char** name) { return *name = "CUDA_ERROR_EMULATED", 0; }
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  *module = reinterpret_cast<CUmodule>(new Module(load(static_cast<const char*>(image))));
  return 0;
}
CUresult cuModuleLoad(CUmodule* module, const char* path) {
  if (!fs::exists(path)) return 301;  // CUDA_ERROR_FILE_NOT_FOUND
  return cuModuleLoadData(module, read(path).c_str());
}
CUresult cuModuleUnload(CUmodule module) { return delete reinterpret_cast<Module*>(module), 0; }
CUresult cuModuleGetFunction(CUfunction* result, CUmodule in, const char* name) {
  const auto* module = reinterpret_cast<const Module*>(in);
  if (!module->shared_object.has(name)) return 500;  // CUDA_ERROR_NOT_FOUND
  *result = reinterpret_cast<CUfunction>(&function(*module, name));
  return 0;
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUmodule in,
                           const char* name) {
  const auto& shared_object = reinterpret_cast<const Module*>(in)->shared_object;
  if (!shared_object.has(name)) return 500;
  auto* found = &shared_object.get<std::byte>(name);
  *pointer = reinterpret_cast<CUdeviceptr>(found);
  *bytes = table_bytes(found);
  return 0;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) {
  return *blocks = 32, 0;
}
CUresult cuFuncSetAttribute(CUfunction which, CUfunction_attribute attribute, int value) {
  auto* own = reinterpret_cast<Function*>(which);
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) own->large_clusters = value;
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    own->shared_bytes = static_cast<unsigned>(value);
  }
  return 0;
}
CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
  return *pointer = reinterpret_cast<CUdeviceptr>(allocate(bytes)), 0;
}
CUresult cuMemFree(CUdeviceptr pointer) { return release(reinterpret_cast<void*>(pointer)); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return std::memcpy(to, reinterpret_cast<const void*>(from), bytes), 0;
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t words, CUstream) {
  return std::fill_n(reinterpret_cast<unsigned*>(to), words, value), 0;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction which, void** arguments,
                          void**) {
  return launch(*reinterpret_cast<const Function*>(which),
                {config->gridDimX, config->blockDimX, config->sharedMemBytes}, arguments);
}
CUresult cuDeviceGet(int* device, int) { return *device = 0; }
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, int) { return *context = nullptr, 0; }
CUresult cuCtxSetCurrent(CUcontext) { return 0; }
CUresult cuCtxSynchronize() { return 0; }

// ---- the runtime, of the one program
using cudaError_t = int;
struct cudaLaunchConfig_t {  // as in cuda_runtime.h
  unsigned grid[3], block[3];
  std::size_t shared_bytes;
  void *stream, *attrs;
  unsigned count;
};
static Function& kernel_at(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0) throw std::runtime_error("a launch of what is no kernel");
  return function(program, info.dli_sname);
}
const char* cudaGetErrorString(cudaError_t) { return "an error of the emulated device"; }
cudaError_t cudaGetLastError() { return 0; }
cudaError_t cudaDeviceSynchronize() { return 0; }
cudaError_t cudaFree(void* p) { return release(p); }
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, int) {
  return std::memcpy(to, from, bytes), 0;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int, void*) {
  return std::memcpy(to, from, bytes), 0;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, void*) {
  return std::memset(to, value, bytes), 0;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                void** arguments) {
  return launch(kernel_at(kernel),
                {config->grid[0], config->block[0], static_cast<unsigned>(config->shared_bytes)},
                arguments);
}
cudaError_t cudaEventCreate(void** event) { return *event = new double{}, 0; }
cudaError_t cudaEventDestroy(void* event) { return delete static_cast<double*>(event), 0; }
cudaError_t cudaEventRecord(void* event, void*) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return *static_cast<double*>(event) = std::chrono::duration<double, std::milli>(now).count(), 0;
}
cudaError_t cudaEventSynchronize(void*) { return 0; }
cudaError_t cudaEventElapsedTime(float* time, void* from, void* to) {
  *time = static_cast<float>(*static_cast<double*>(to) - *static_cast<double*>(from));
  return 0;
}
cudaError_t sonoma_emulated_malloc(void** pointer, std::size_t bytes) {
  return *pointer = allocate(bytes), 0;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int,
                                                          std::size_t) {
  return *blocks = 32, 0;
}
cudaError_t sonoma_emulated_attribute(const void* kernel, int attribute, int value) {
  return cuFuncSetAttribute(reinterpret_cast<CUfunction>(&kernel_at(kernel)),
                            static_cast<CUfunction_attribute>(attribute), value);
}
}
// NOLINTEND

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: run_emulated FILE [ARGUMENTS]\n"), 3;
  const fs::path file = fs::absolute(argv[1]);
  const std::string folders = CUDA_HEADERS ":" + file.parent_path().string();
  setenv("CPLUS_INCLUDE_PATH", folders.c_str(), 1);
  program = load(as_calls(read(file)));
  if (!program.shared_object.has("main"))
    throw std::runtime_error("the program has no main function");
  return program.shared_object.get<int(int, char**)>("main")(argc - 1, argv + 1);
} catch (const sonoma::EmulationError& error) {
  return std::fprintf(stderr, "run_emulated: %s\n%s\n", error.what(), error.log().c_str()), 4;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "run_emulated: %s\n", error.what()), 4;
}
