// What all contenders work on, and the judge of what they make of it.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "sonoma/device_buffer.hpp"
#include "sonoma/problem.hpp"

namespace sonoma::bench {

/// Input, uniform in [-unit, unit), of integers in [-4096, 4096), and rounded to the storage, and
/// room for the output. A problem works on the first of its points, or, where its input is real, on
/// their components.
class Workload {
 public:
  /// Either side has room for `points` of the storage.
  Workload(Device device, Storage storage, std::size_t points, float unit = 1.0f);

  /// Makes the rows that a Sample of `problem` looks at Hermitian, where points in memory mirror
  /// each other. These are less random then.
  void make_hermitian(const FftProblem& problem);

  [[nodiscard]] Storage storage() const { return storage_; }
  [[nodiscard]] const void* in() const { return in_.data(); }
  [[nodiscard]] void* out() const { return out_.data(); }
  [[nodiscard]] std::size_t bytes() const { return out_.bytes(); }  ///< of either side
  [[nodiscard]] const DeviceBuffer& output() const { return out_; }
  [[nodiscard]] const std::vector<std::complex<float>>& host() const { return host_; }  ///< input

 private:
  Storage storage_;
  std::vector<std::complex<float>> host_;
  DeviceBuffer in_, out_;
};

/// Of the spectrum that convolutions take: see random_spectrum().
constexpr std::uint64_t seed_of_spectrum = 1;

/// Of a convolution what random_spectrum() makes of that; else nothing.
[[nodiscard]] DeviceBuffer spectrum_on_device(const FftProblem& problem);

/// Rows spread over the batch, first and last among them: enough to catch a kernel that is wrong
/// anywhere, and few enough for FP64 on the host.
class Sample {
 public:
  /// The rounded input of `workload` is what the exact result is of. In any layout.
  Sample(const Workload& workload, const FftProblem& problem);

  /// |y - X|_2 / |X|_2 of the worst of the rows, y being the points that are stored, and those that
  /// mirror them; infinite where one is not finite.
  [[nodiscard]] double relative_l2(const DeviceBuffer& out) const;

 private:
  FftProblem problem_;
  std::vector<std::int64_t> rows_;  // of all transforms
  std::vector<std::complex<double>> exact_;
};

}  // namespace sonoma::bench
