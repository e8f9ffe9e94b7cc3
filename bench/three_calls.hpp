// A convolution as three calls: cuFFT's transform, a product with the spectrum, cuFFT's inverse.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cufft.hpp"
#include "sonoma/device_buffer.hpp"
#include "sonoma/gpu_function.hpp"

namespace sonoma::bench {

/// What the calls are. The product: every thread takes 16 bytes at a time, or 8 where rows of an
/// odd number of points leave no more aligned; the scale of the problem is in it.
struct ThreeCalls {
  FftProblem forward, inverse;
  std::int64_t spectrum;  ///< points of that of one signal
  CudaSource product;     ///< of (in, out, how many, spectrum)

  /// Throws UnsupportedProblem unless `problem` is a convolution in FP32 with one spectrum, of
  /// signals that follow each other and are neither padded nor cropped.
  explicit ThreeCalls(const FftProblem& problem);

  [[nodiscard]] std::int64_t points_of_vector() const { return spectrum % 2 == 0 ? 2 : 1; }
};

/// `spectrum` without what a convolution of real numbers ignores of it, which a transform to real
/// numbers need not ignore: see Convolution::real.
[[nodiscard]] std::vector<std::complex<float>> hermitian(const FftProblem& problem,
                                                         std::vector<std::complex<float>> spectrum);

/// The calls, ready to be enqueued.
class ThreeCallConvolution {
 public:
  /// Throws as ThreeCalls, Cufft::Plan and GpuFunction do.
  ThreeCallConvolution(const Cufft& library, const FftProblem& problem,
                       const std::vector<std::complex<float>>& spectrum, Stream stream);

  void execute(const void* in, void* out) const;
  /// Of both transforms, and what lies between the calls.
  [[nodiscard]] std::size_t workspace_bytes() const;

 private:
  ThreeCalls calls_;
  Cufft::Plan forward_, inverse_;
  GpuFunction product_;
  DeviceBuffer spectrum_, between_;
  Stream stream_;
};

}  // namespace sonoma::bench
