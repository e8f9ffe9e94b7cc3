#include "cufft.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sonoma/config.hpp"

namespace sonoma::bench {

// Signatures and constants: cuFFT API Reference, "cuFFT API Reference", types as in cufft.h.
struct Cufft::Functions {
  void* library = nullptr;
  int (*plan_many)(int* handle, int rank, int* n, int* inembed, int istride, int idist,
                   int* onembed, int ostride, int odist, int type, int batch) = nullptr;
  int (*set_stream)(int handle, Stream stream) = nullptr;
  int (*execute_c2c)(int handle, void* in, void* out, int direction) = nullptr;
  int (*get_size)(int handle, std::size_t* bytes) = nullptr;
  int (*destroy)(int handle) = nullptr;
};

namespace {

constexpr int type_c2c = 0x29;
constexpr int direction_forward = -1;

// The loader's own path first, then the toolkits that NVRTC is looked for in.
std::vector<std::string> candidates() {
  const std::vector<std::string> names = {"libcufft.so.12", "libcufft.so.11"};
  std::vector<std::string> paths = names;
  std::vector<std::filesystem::path> roots = config().cuda_roots;
  if (!config().cuda_path.empty()) roots.insert(roots.begin(), config().cuda_path);
  for (const auto& root : roots) {
    for (const char* folder : {"lib64", "lib"}) {
      for (const auto& name : names) paths.push_back((root / folder / name).string());
    }
  }
  return paths;
}

void* open_library() {
  for (const auto& path : candidates()) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  throw FftError(Stage::load_library,
                 "cuFFT: neither libcufft.so.12 nor libcufft.so.11 can be opened; install it with "
                 "the CUDA toolkit and set CUDA_PATH or LD_LIBRARY_PATH, or ask for --vs copy");
}

template <class Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr) {
    throw FftError(Stage::load_library, std::string("cuFFT: the library has no ") + name);
  }
}

void check(int result, const char* call) {
  if (result == 0) return;
  throw FftError(Stage::launch,
                 std::string("cuFFT: ") + call + " returned error " + std::to_string(result));
}

}  // namespace

Cufft::Cufft() {
  auto functions = std::make_unique<Functions>();
  functions->library = open_library();
  find(functions->library, "cufftPlanMany", functions->plan_many);
  find(functions->library, "cufftSetStream", functions->set_stream);
  find(functions->library, "cufftExecC2C", functions->execute_c2c);
  find(functions->library, "cufftGetSize", functions->get_size);
  find(functions->library, "cufftDestroy", functions->destroy);
  functions_ = std::move(functions);
}

// The library stays open: cuFFT registers its kernels with the driver until the process ends.
Cufft::~Cufft() = default;

Cufft::Plan::Plan(const Cufft& library, std::int64_t n, std::int64_t batch, Stream stream)
    : library_(library) {
  int length = static_cast<int>(n);
  check(library_.functions_->plan_many(&handle_, 1, &length, nullptr, 1, length, nullptr, 1, length,
                                       type_c2c, static_cast<int>(batch)),
        "cufftPlanMany");
  check(library_.functions_->set_stream(handle_, stream), "cufftSetStream");
}

Cufft::Plan::~Plan() { library_.functions_->destroy(handle_); }

void Cufft::Plan::execute(void* in, void* out) const {
  check(library_.functions_->execute_c2c(handle_, in, out, direction_forward), "cufftExecC2C");
}

std::size_t Cufft::Plan::workspace_bytes() const {
  std::size_t bytes = 0;
  check(library_.functions_->get_size(handle_, &bytes), "cufftGetSize");
  return bytes;
}

}  // namespace sonoma::bench
