#include "reference.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace examples {

double worst_error_in_u(std::span<const std::complex<float>> in,
                        std::span<const std::complex<float>> out, std::size_t n) {
  std::vector<std::complex<double>> row(n);
  auto* data = reinterpret_cast<fftw_complex*>(row.data());
  const std::unique_ptr<fftw_plan_s, void (*)(fftw_plan)> plan(
      fftw_plan_dft_1d(static_cast<int>(n), data, data, FFTW_FORWARD, FFTW_ESTIMATE),
      fftw_destroy_plan);
  double worst = 0;
  for (std::size_t start = 0; start < in.size(); start += n) {
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(start), n, row.begin());
    fftw_execute(plan.get());
    double error = 0, norm = 0;
    for (std::size_t k = 0; k < n; ++k) {
      error += std::norm(std::complex<double>(out[start + k]) - row[k]);
      norm += std::norm(row[k]);
    }
    // Written so that a NaN is an infinite error, and a silent row has to come out as zeros.
    const double relative = error == 0 ? 0 : std::sqrt(error / norm);
    worst = relative >= 0 ? std::max(worst, relative) : std::numeric_limits<double>::infinity();
  }
  return worst * 0x1p24;
}

}  // namespace examples
