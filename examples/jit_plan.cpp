// A C++ application that makes plans while it runs: one for each length a user might type.
//
//   jit_plan [N...]      (default: 16 256 4096)
//
// Each plan transforms a batch of pure tones, row b holding exp(2 pi i b t / n), so that the
// spectrum of row b is n in bin b and zero elsewhere.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numbers>
#include <vector>

#include "sonoma/device_buffer.hpp"
#include "sonoma/plan.hpp"

namespace {

using Complex = std::complex<float>;

std::vector<Complex> tones(std::size_t n, std::size_t batch) {
  std::vector<Complex> rows(n * batch);
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t t = 0; t < n; ++t) {
      const double turns = static_cast<double>(b * t % n) / static_cast<double>(n);
      rows[b * n + t] = Complex(std::polar(1.0, 2 * std::numbers::pi * turns));
    }
  }
  return rows;
}

// Largest distance of any output from the exact spectrum, as a fraction of n.
double worst_leakage(const std::vector<Complex>& spectra, std::size_t n) {
  double worst = 0;
  for (std::size_t i = 0; i < spectra.size(); ++i) {
    const double exact = i / n == i % n ? static_cast<double>(n) : 0.0;
    worst = std::fmax(worst, std::abs(std::complex<double>(spectra[i]) - exact));
  }
  return worst / static_cast<double>(n);
}

bool transform_tones(std::size_t n) {
  const std::size_t batch = n < 5 ? n : 5;
  sonoma::FftProblem problem;
  problem.lengths = {static_cast<std::int64_t>(n)};
  problem.batch = static_cast<std::int64_t>(batch);
  const sonoma::Plan plan = sonoma::make_plan(problem);  // compiles, or finds it in a cache

  std::vector<Complex> rows = tones(n, batch);
  const std::size_t bytes = rows.size() * sizeof(Complex);
  sonoma::DeviceBuffer in(plan.device(), bytes), out(plan.device(), bytes);
  in.upload(rows.data(), bytes);
  plan.execute(in.data(), out.data());
  out.download(rows.data(), bytes);

  // The bound is on the rounding of the transform; the tones themselves are rounded to floats.
  const double leakage = worst_leakage(rows, n), allowed = plan.error_bound() + 0x1p-24;
  std::printf("n = %zu, %s, %s in %.0f ms: largest error %.1e n, bound %.1e n\n", n,
              plan.device() == sonoma::Device::gpu ? "GPU" : "emulated device",
              plan.resources().from_cache ? "found in the cache" : "compiled",
              plan.resources().compile_ms, leakage, allowed);
  return leakage <= allowed;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> lengths;
  for (int i = 1; i < argc; ++i) lengths.push_back(std::strtoull(argv[i], nullptr, 10));
  if (lengths.empty()) lengths = {16, 256, 4096};
  try {
    bool good = true;
    for (const std::size_t n : lengths) good = transform_tones(n) && good;
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jit_plan: %s\n", error.what());
    return 2;
  }
}
