#include "reference.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace examples {

double worst_error_in_u(std::span<const float> samples, std::span<const float> window,
                        std::size_t hop, std::span<const std::complex<float>> spectra) {
  const std::size_t n = window.size(), bins = n / 2 + 1;
  std::vector<double> row(n);
  std::vector<std::complex<double>> exact(bins);
  const std::unique_ptr<fftw_plan_s, void (*)(fftw_plan)> plan(
      fftw_plan_dft_r2c_1d(static_cast<int>(n), row.data(),
                           reinterpret_cast<fftw_complex*>(exact.data()), FFTW_ESTIMATE),
      fftw_destroy_plan);
  double worst = 0;
  for (std::size_t f = 0; f < spectra.size() / bins; ++f) {
    for (std::size_t t = 0; t < n; ++t) row[t] = samples[f * hop + t] * window[t];
    fftw_execute(plan.get());
    double error = 0, norm = 0;
    for (std::size_t k = 0; k < bins; ++k) {
      error += std::norm(std::complex<double>(spectra[f * bins + k]) - exact[k]);
      norm += std::norm(exact[k]);
    }
    // Written so that a NaN is an infinite error, and a silent row has to come out as zeros.
    const double relative = error == 0 ? 0 : std::sqrt(error / norm);
    worst = relative >= 0 ? std::max(worst, relative) : std::numeric_limits<double>::infinity();
  }
  return worst * 0x1p24;
}

}  // namespace examples
