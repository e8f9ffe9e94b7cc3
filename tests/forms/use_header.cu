// Transforms rows with a function that was emitted as form.cuh, and compares them with a DFT.
#include "form.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

// One row of `in` for each transform, padded or cropped to its length.
extern "C" __global__ void rows(const float2* in, float2* out, const float2*, unsigned long long batch) {
  const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * form::transforms;
  const unsigned long long left = batch - first;
  form::transform(
      [&](unsigned t, unsigned b) { return in[(first + b) * form::in_length + t]; },
      [&](unsigned k, unsigned b, float2 value) { out[(first + b) * form::out_length + k] = value; },
      left < form::transforms ? static_cast<unsigned>(left) : form::transforms);
}

// Of one axis k t / n, up to whole turns; of several their sum.
static double turns(std::size_t k, std::size_t t) {
  double sum = 0;
  for (std::size_t axis = sizeof form::lengths / sizeof form::lengths[0]; axis-- > 0;) {
    const std::size_t n = form::lengths[axis];
    sum += static_cast<double>(k % n * (t % n) % n) / static_cast<double>(n);
    k /= n, t /= n;
  }
  return sum;
}

int main() {
  const unsigned long long batch = form::transforms + 1;  // one block has fewer
  const std::size_t read = form::in_length, stored = form::out_length, n = form::length;
  std::vector<float2> in(batch * read), out(batch * stored);
  unsigned state = 1;
  const auto random = [&] {
    state = 1664525u * state + 1013904223u;
    return static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  };
  for (float2& x : in) x = make_float2(random(), random());
  float2 *device_in, *device_out;
  cudaMalloc(&device_in, in.size() * sizeof(float2));
  cudaMalloc(&device_out, out.size() * sizeof(float2));
  cudaMemcpy(device_in, in.data(), in.size() * sizeof(float2), cudaMemcpyHostToDevice);
  if (cudaFuncSetAttribute(rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(form::shared_bytes)) != cudaSuccess) {
    return 2;
  }
  rows<<<2, form::threads, form::shared_bytes>>>(device_in, device_out, nullptr, batch);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  cudaMemcpy(out.data(), device_out, out.size() * sizeof(float2), cudaMemcpyDeviceToHost);
  for (float2* memory : {device_in, device_out}) cudaFree(memory);

  double worst = 0;
  for (std::size_t b : {std::size_t{0}, std::size_t(batch - 1)}) {
    double wrong = 0, all = 0;
    for (std::size_t k = 0; k < stored; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t t = 0; t < std::min(read, n); ++t) {
        const double angle = form::sign * 2 * 3.14159265358979323846 * turns(k, t);
        sum += std::complex<double>(in[b * read + t].x, in[b * read + t].y) *
               std::complex<double>(std::cos(angle), std::sin(angle));
      }
      const float2 own = out[b * stored + k];
      wrong += std::norm(std::complex<double>(own.x, own.y) - sum), all += std::norm(sum);
    }
    const double error = std::sqrt(wrong / all);
    worst = error <= worst ? worst : error;
  }
  std::printf("relative L2 error %.3g, bound %.3g\n", worst, form::error_bound);
  return worst <= form::error_bound ? 0 : 1;
}
