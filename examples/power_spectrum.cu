// Power spectra of overlapping frames of a signal, in one kernel: a window, Sonoma's transform and the
// squared magnitude meet in registers. Nothing but the signal is read, nothing but power is stored, and
// no library is linked.
//
//   sonoma emit --n 1024 --form header --out fft_1024.cuh
//   nvcc -arch=native -std=c++17 --fmad=false power_spectrum.cu && ./a.out
#include "fft_1024.cuh"

#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

constexpr unsigned n = fft_1024::length, hop = n / 4, frequencies = n / 2 + 1;

// Frame f begins at sample f * hop. A block takes as many frames as its transforms.
__global__ void __launch_bounds__(fft_1024::threads)
power_spectrum(const float* signal, float* power, const float* window, unsigned long long frames) {
  const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * fft_1024::transforms;
  const unsigned long long left = frames - first;
  fft_1024::transform(
      [&](unsigned t, unsigned b) {
        return make_float2(signal[(first + b) * hop + t] * window[t], 0.0f);
      },
      [&](unsigned k, unsigned b, float2 value) {
        if (k >= frequencies) return;  // those of real samples mirror the others
        power[(first + b) * frequencies + k] = value.x * value.x + value.y * value.y;
      },
      left < fft_1024::transforms ? static_cast<unsigned>(left) : fft_1024::transforms);
}

// In double, of one frame.
static double power_of(const float* frame, const std::vector<float>& window, unsigned k) {
  std::complex<double> sum = 0;
  for (unsigned t = 0; t < n; ++t) {
    const double angle = -2 * 3.14159265358979323846 * (k * t % n) / n;
    sum += static_cast<double>(frame[t]) * static_cast<double>(window[t]) *
           std::complex<double>(std::cos(angle), std::sin(angle));
  }
  return std::norm(sum);
}

int main() {
  const unsigned long long frames = 25;
  std::vector<float> signal((frames - 1) * hop + n), window(n), result(frames * frequencies);
  for (unsigned t = 0; t < signal.size(); ++t) {  // a tone that rises
    signal[t] = static_cast<float>(std::sin(0.02 * t + 2e-5 * t * t));
  }
  for (unsigned t = 0; t < n; ++t) {  // Hann
    window[t] = static_cast<float>(0.5 - 0.5 * std::cos(2 * 3.14159265358979323846 * t / n));
  }
  float *in, *out, *factors;
  cudaMalloc(&in, signal.size() * sizeof(float));
  cudaMalloc(&out, result.size() * sizeof(float));
  cudaMalloc(&factors, window.size() * sizeof(float));
  cudaMemcpy(in, signal.data(), signal.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(factors, window.data(), window.size() * sizeof(float), cudaMemcpyHostToDevice);

  const unsigned blocks = (frames + fft_1024::transforms - 1) / fft_1024::transforms;
  power_spectrum<<<blocks, fft_1024::threads, fft_1024::shared_bytes>>>(in, out, factors, frames);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::fprintf(stderr, "no GPU?\n"), 2;
  cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (float* memory : {in, out, factors}) cudaFree(memory);

  double wrong = 0, most = 0;
  for (const unsigned long long frame : {0ull, frames / 2, frames - 1}) {
    for (unsigned k = 0; k < frequencies; ++k) {
      const double expected = power_of(signal.data() + frame * hop, window, k);
      const double error = std::abs(result[frame * frequencies + k] - expected);
      wrong = error <= wrong ? wrong : error, most = expected > most ? expected : most;
    }
  }
  std::printf("%llu frames, largest error %.3g of the largest power\n", frames, wrong / most);
  return wrong <= 1e-5 * most ? 0 : 1;
}
