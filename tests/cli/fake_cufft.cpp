// A library with cuFFT's interface that copies its input and counts its plans: tests of who opens
// and calls the real one. It makes no 16-bit plan of a length that is no power of two. Real numbers
// become the real parts of the frequencies that there are, and the other way round, which leaves
// NaNs in the input, as cuFFT may.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace {

using Shape = std::vector<std::size_t>;

struct Plan {
  std::size_t in_point = 0, out_point = 0;  // bytes
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

// One transform.
void copy(const Plan& plan, char* in, char* out) {
  const bool real = plan.in_point != plan.out_point;
  const std::size_t last = plan.n.back(), there = real ? last / 2 + 1 : last;
  for (std::size_t k = 0; k < points(plan.n); ++k) {
    char* from = in + place(plan.n, plan.inembed, k) * plan.istride * plan.in_point;
    char* to = out + place(plan.n, plan.onembed, k) * plan.ostride * plan.out_point;
    const bool missing = k % last >= there;  // on the side of the frequencies
    if (!missing || plan.out_point < plan.in_point) std::memset(to, 0, plan.out_point);
    if (missing) continue;
    std::memcpy(to, from, std::min(plan.in_point, plan.out_point));
    if (plan.out_point < plan.in_point) std::memset(from, 0xff, plan.in_point);
  }
}

int execute(int handle, void* in, void* out, int direction, bool sixteen_bit) {
  const auto found = plans().find(handle);
  if (found == plans().end() || found->second.sixteen_bit != sixteen_bit) return invalid_plan;
  if ((direction != -1 && direction != 1) || !found->second.has_stream) return invalid_value;
  const Plan& plan = found->second;
  for (std::size_t b = 0; b < plan.batch; ++b) {
    copy(plan, static_cast<char*>(in) + b * plan.idist * plan.in_point,
         static_cast<char*>(out) + b * plan.odist * plan.out_point);
  }
  return success;
}

int execute(int handle, void* in, void* out, std::size_t in_point, std::size_t out_point) {
  const auto found = plans().find(handle);
  if (found == plans().end() || found->second.in_point != in_point) return invalid_plan;
  return found->second.out_point == out_point ? execute(handle, in, out, 1, false) : invalid_plan;
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
  if (rank < 1 || rank > 3 || batch < 1) return invalid_value;
  if (type != 0x29 && type != 0x2a && type != 0x2c) return invalid_value;  // C2C, R2C, C2R
  plans()[handle] = {type == 0x2a ? 4u : 8u, type == 0x2c ? 4u : 8u,
                     shape(rank, n),         shape(rank, inembed),
                     shape(rank, onembed),   size(batch),
                     size(istride),          size(idist),
                     size(ostride),          size(odist)};
  *work_size = 0;
  return success;
}

// NOLINTNEXTLINE(readability-function-size): cuFFT's signature
int cufftXtMakePlanMany(int handle, int rank, long long* n, long long* inembed, long long istride,
                        long long idist, int input_type, long long* onembed, long long ostride,
                        long long odist, int output_type, long long batch, std::size_t* work_size,
                        int execution_type) {
  if (plans().count(handle) == 0) return invalid_plan;
  const int complex = execution_type, real = complex == 6 ? 2 : 14;
  if (complex != 6 && complex != 15) return invalid_value;  // CUDA_C_16F, CUDA_C_16BF
  const bool from_real = input_type == real, to_real = output_type == real;
  if ((!from_real && input_type != complex) || (!to_real && output_type != complex))
    return invalid_value;
  if (rank < 1 || rank > 3 || (from_real && to_real)) return invalid_value;
  for (int a = 0; a < rank; ++a) {
    if ((n[a] & (n[a] - 1)) != 0) return not_supported;
  }
  plans()[handle] = {from_real ? 2u : 4u,
                     to_real ? 2u : 4u,
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

int cufftExecR2C(int handle, void* in, void* out) {
  return execute(handle, in, out, std::size_t{4}, std::size_t{8});
}

int cufftExecC2R(int handle, void* in, void* out) {
  return execute(handle, in, out, std::size_t{8}, std::size_t{4});
}

int cufftXtExec(int handle, void* in, void* out, int direction) {
  return execute(handle, in, out, direction, true);
}

int cufftGetSize(int handle, std::size_t* bytes) {
  const Plan& plan = plans().at(handle);
  *bytes = points(plan.n) * plan.batch * std::max(plan.in_point, plan.out_point) / 2;
  return success;
}

int cufftDestroy(int handle) { return plans().erase(handle) == 1 ? success : invalid_plan; }

int fake_cufft_live_plans() { return static_cast<int>(plans().size()); }

}  // extern "C"
