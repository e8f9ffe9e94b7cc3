// Kernels that were compiled while this program was built, and are a part of it: see
// sonoma_add_kernels() in CMakeLists.txt. Here nothing is generated or compiled, and NVRTC need not
// be there (but for the emulated device, for which the host compiler serves).
//
//   ahead_of_time [auto|gpu|cpu]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "sonoma/device_buffer.hpp"
#include "sonoma/plan.hpp"

namespace {

using Complex = std::complex<float>;
constexpr std::int64_t n = 4096, batch = 16, frequency = 123;

// exp(2 pi i frequency t / n) in every row.
std::vector<Complex> tones() {
  std::vector<Complex> rows(n * batch);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto turns = static_cast<double>(frequency * (static_cast<std::int64_t>(i) % n) % n) / n;
    rows[i] = Complex(std::polar(1.0, 2 * std::numbers::pi * turns));
  }
  return rows;
}

// Largest distance from the transform of a tone, which is n at its frequency and else zero.
double error_of(const std::vector<Complex>& rows) {
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool line = static_cast<std::int64_t>(i) % n == frequency;
    worst = std::max(worst, static_cast<double>(std::abs(rows[i] - (line ? float{n} : 0.0f))));
  }
  return worst / n;
}

int run(const std::string& device) {
  sonoma::FftProblem problem;
  problem.lengths = {n};
  problem.batch = batch;
  sonoma::PlanOptions options;
  options.aot_only = true;  // a kernel that was forgotten is an error, not a compilation
  if (device == "gpu") options.device = sonoma::Device::gpu;
  if (device == "cpu") options.device = sonoma::Device::cpu;

  const auto start = std::chrono::steady_clock::now();
  const sonoma::Plan plan = sonoma::make_plan(problem, options);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;

  std::vector<Complex> rows = tones();
  const std::size_t bytes = rows.size() * sizeof rows[0];
  sonoma::DeviceBuffer in(plan.device(), bytes), out(plan.device(), bytes);
  in.upload(rows.data(), bytes);
  plan.execute(in.data(), out.data());
  out.download(rows.data(), bytes);
  const double error = error_of(rows);
  std::printf("%s\nplanned in %.2f ms, made ahead of time: %s; largest error %.1e\n",
              plan.describe().c_str(), took.count(), plan.resources().ahead_of_time ? "yes" : "no",
              error);
  return plan.resources().ahead_of_time && error < 1e-5 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "auto");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
