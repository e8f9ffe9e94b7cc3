// A library with cuFFT's interface that copies its input and counts its plans: tests of who opens
// and calls the real one. It makes no 16-bit plan of a length that is no power of two. Real numbers
// become the real parts of the frequencies that there are, and the other way round, which leaves
// NaNs in the input, as cuFFT may.
#include <cufftXt.h>

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

std::map<cufftHandle, Plan>& plans() {
  static std::map<cufftHandle, Plan> all;
  return all;
}

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

cufftResult execute(cufftHandle handle, void* in, void* out, int direction, bool sixteen_bit) {
  const auto found = plans().find(handle);
  if (found == plans().end() || found->second.sixteen_bit != sixteen_bit) return CUFFT_INVALID_PLAN;
  if ((direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) || !found->second.has_stream) {
    return CUFFT_INVALID_VALUE;
  }
  const Plan& plan = found->second;
  for (std::size_t b = 0; b < plan.batch; ++b) {
    copy(plan, static_cast<char*>(in) + b * plan.idist * plan.in_point,
         static_cast<char*>(out) + b * plan.odist * plan.out_point);
  }
  return CUFFT_SUCCESS;
}

template <class In, class Out>
cufftResult execute(cufftHandle handle, In* in, Out* out) {
  const auto found = plans().find(handle);
  if (found == plans().end() || found->second.in_point != sizeof(In) ||
      found->second.out_point != sizeof(Out)) {
    return CUFFT_INVALID_PLAN;
  }
  return execute(handle, in, out, CUFFT_INVERSE, false);
}

std::size_t size(long long value) { return static_cast<std::size_t>(value); }

template <class Integer>
Shape shape(int rank, const Integer* n) {
  return {n, n + rank};
}

}  // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  static int next = 7;
  *handle = next++;
  plans()[*handle] = {};
  return CUFFT_SUCCESS;
}

// NOLINTNEXTLINE(readability-function-size): cuFFT's signature
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, std::size_t* work_size) {
  if (plans().count(handle) == 0) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_VALUE;
  if (type != CUFFT_C2C && type != CUFFT_R2C && type != CUFFT_C2R) return CUFFT_INVALID_VALUE;
  plans()[handle] = {type == CUFFT_R2C ? 4u : 8u,
                     type == CUFFT_C2R ? 4u : 8u,
                     shape(rank, n),
                     shape(rank, inembed),
                     shape(rank, onembed),
                     size(batch),
                     size(istride),
                     size(idist),
                     size(ostride),
                     size(odist)};
  *work_size = 0;
  return CUFFT_SUCCESS;
}

// NOLINTNEXTLINE(readability-function-size): cuFFT's signature
cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType input_type,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType output_type, long long batch, std::size_t* work_size,
                                cudaDataType execution_type) {
  if (plans().count(handle) == 0) return CUFFT_INVALID_PLAN;
  const cudaDataType complex = execution_type,
                     real = complex == CUDA_C_16F ? CUDA_R_16F : CUDA_R_16BF;
  if (complex != CUDA_C_16F && complex != CUDA_C_16BF) return CUFFT_INVALID_VALUE;
  const bool from_real = input_type == real, to_real = output_type == real;
  if ((!from_real && input_type != complex) || (!to_real && output_type != complex))
    return CUFFT_INVALID_VALUE;
  if (rank < 1 || rank > 3 || (from_real && to_real)) return CUFFT_INVALID_VALUE;
  for (int a = 0; a < rank; ++a) {
    if ((n[a] & (n[a] - 1)) != 0) return CUFFT_NOT_SUPPORTED;
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
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t) {
  plans()[handle].has_stream = true;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* in, cufftComplex* out, int direction) {
  return execute(handle, in, out, direction, false);
}

cufftResult cufftExecR2C(cufftHandle handle, cufftReal* in, cufftComplex* out) {
  return execute(handle, in, out);
}

cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* in, cufftReal* out) {
  return execute(handle, in, out);
}

cufftResult cufftXtExec(cufftHandle handle, void* in, void* out, int direction) {
  return execute(handle, in, out, direction, true);
}

cufftResult cufftGetSize(cufftHandle handle, std::size_t* bytes) {
  const Plan& plan = plans().at(handle);
  *bytes = points(plan.n) * plan.batch * std::max(plan.in_point, plan.out_point) / 2;
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  return plans().erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

int fake_cufft_live_plans() { return static_cast<int>(plans().size()); }

}  // extern "C"
