// A library with cuFFT's interface that copies its input and counts its plans: tests of who opens
// and calls the real one. It makes no 16-bit plan of a length that is no power of two.
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace {

using Shape = std::vector<std::size_t>;

struct Plan {
  std::size_t point = 0;  // bytes
  Shape n, inembed, onembed;
  std::size_t batch = 0, istride = 0, idist = 0, ostride = 0, odist = 0;
  bool sixteen_bit = false;
  bool has_stream = false;
};

std::size_t points(const Shape& n) {
  return std::accumulate(n.begin(), n.end(), std::size_t{1}, std::multiplies<>());
}

// Of point k of a transform in an array of that shape, which the first axis does not bound.
std::size_t place(const Shape& n, const Shape& shape, std::size_t k) {
  std::size_t sum = 0, stride = 1;
  for (std::size_t a = n.size(); a-- > 0; stride *= shape[a], k /= n[a]) sum += k % n[a] * stride;
  return sum;
}

std::map<int, Plan>& plans() {
  static std::map<int, Plan> all;
  return all;
}

constexpr int success = 0, invalid_plan = 1, invalid_value = 4, not_supported = 16;

int execute(int handle, const void* in, void* out, int direction, bool sixteen_bit) {
  const auto found = plans().find(handle);
  if (found == plans().end() || found->second.sixteen_bit != sixteen_bit) return invalid_plan;
  if ((direction != -1 && direction != 1) || !found->second.has_stream) return invalid_value;
  const Plan& plan = found->second;
  for (std::size_t b = 0; b < plan.batch; ++b) {
    for (std::size_t k = 0; k < points(plan.n); ++k) {
      const std::size_t from = place(plan.n, plan.inembed, k) * plan.istride,
                        to = place(plan.n, plan.onembed, k) * plan.ostride;
      std::memcpy(static_cast<char*>(out) + (b * plan.odist + to) * plan.point,
                  static_cast<const char*>(in) + (b * plan.idist + from) * plan.point, plan.point);
    }
  }
  return success;
}

std::size_t size(long long value) { return static_cast<std::size_t>(value); }

template <class Integer>
Shape shape(int rank, const Integer* n) {
  return {n, n + rank};
}

}  // namespace

extern "C" {

int cufftCreate(int* handle) {
  static int next = 7;
  *handle = next++;
  plans()[*handle] = {};
  return success;
}

// NOLINTNEXTLINE(readability-function-size): cuFFT's signature
int cufftMakePlanMany(int handle, int rank, int* n, int* inembed, int istride, int idist,
                      int* onembed, int ostride, int odist, int type, int batch,
                      std::size_t* work_size) {
  if (plans().count(handle) == 0) return invalid_plan;
  if (rank < 1 || rank > 3 || type != 0x29 || batch < 1) return invalid_value;
  plans()[handle] = {8,           shape(rank, n), shape(rank, inembed), shape(rank, onembed),
                     size(batch), size(istride),  size(idist),          size(ostride),
                     size(odist)};
  *work_size = 0;
  return success;
}

// NOLINTNEXTLINE(readability-function-size): cuFFT's signature
int cufftXtMakePlanMany(int handle, int rank, long long* n, long long* inembed, long long istride,
                        long long idist, int input_type, long long* onembed, long long ostride,
                        long long odist, int output_type, long long batch, std::size_t* work_size,
                        int execution_type) {
  if (plans().count(handle) == 0) return invalid_plan;
  if (rank < 1 || rank > 3 || input_type != output_type || input_type != execution_type)
    return invalid_value;
  if (input_type != 6 && input_type != 15) return invalid_value;  // CUDA_C_16F, CUDA_C_16BF
  for (int a = 0; a < rank; ++a) {
    if ((n[a] & (n[a] - 1)) != 0) return not_supported;
  }
  plans()[handle] = {4,
                     shape(rank, n),
                     shape(rank, inembed),
                     shape(rank, onembed),
                     size(batch),
                     size(istride),
                     size(idist),
                     size(ostride),
                     size(odist),
                     true};
  *work_size = 0;
  return success;
}

int cufftSetStream(int handle, void*) {
  plans()[handle].has_stream = true;
  return success;
}

int cufftExecC2C(int handle, void* in, void* out, int direction) {
  return execute(handle, in, out, direction, false);
}

int cufftXtExec(int handle, void* in, void* out, int direction) {
  return execute(handle, in, out, direction, true);
}

int cufftGetSize(int handle, std::size_t* bytes) {
  const Plan& plan = plans().at(handle);
  *bytes = points(plan.n) * plan.batch * plan.point / 2;
  return success;
}

int cufftDestroy(int handle) { return plans().erase(handle) == 1 ? success : invalid_plan; }

int fake_cufft_live_plans() { return static_cast<int>(plans().size()); }

}  // extern "C"
