#include <cmath>
#include <complex>
#include <mutex>

#include "host_execution.hpp"
#include "sonoma/storage.hpp"
#include "worst_input.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;

TransformError error_of(const Complex* y, const std::complex<double>* X, std::size_t count,
                        double smallest) {
  TransformError error;
  double error2 = 0, size2 = 0, bias = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::complex<double> e = std::complex<double>(y[k]) - X[k];
    error2 += std::norm(e), size2 += std::norm(X[k]);
    bias += e.real() * X[k].real() + e.imag() * X[k].imag();
  }
  error.normal = std::isfinite(error2) && std::sqrt(size2) > smallest;
  if (!error.normal) return error;
  error.relative = std::sqrt(error2 / size2), error.bias = bias / size2;
  return error;
}

// FFTW makes one plan at a time.
MemoryD exact_results(const FftProblem& problem, const Memory& rows) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return expected_by_guru(problem, rows);
}

}  // namespace

Measured::Measured(const Plan& plan) : plan_(plan), points_(places(plan_.problem(), true).size()) {}

Memory Measured::random_rows(float unit) const { return random_input(plan_.problem(), unit); }

std::size_t Measured::first_of(std::int64_t b) const {
  return static_cast<std::size_t>(guard_of(plan_.problem(), true)) +
         static_cast<std::size_t>(b) * points_;
}

void Measured::round(Memory& rows) const {
  for (auto& value : rows) value = rounded_to(plan_.problem().storage, value);
}

Memory Measured::results(const Memory& rows) const {
  const FftProblem& problem = plan_.problem();
  const auto bytes_before = [](Storage storage) {
    return static_cast<std::size_t>(guard) * point_bytes(storage);
  };
  std::vector<std::byte> in = pack(problem.storage, problem.values(true), rows);
  std::vector<std::byte> out =
      pack(problem.result_storage(), problem.values(false), output_before(problem, rows));
  if (bytes_before(problem.storage) != bytes_before(problem.result_storage())) {
    // One offset serves both sides.
    const std::size_t first = bytes_before(Storage::f32);
    in.insert(in.begin(), first - bytes_before(problem.storage), std::byte{});
    out.insert(out.begin(), first - bytes_before(problem.result_storage()), std::byte{});
    cli::execute_on_host_data(plan_, in, out, first);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(
                                             first - bytes_before(problem.result_storage())));
  } else {
    cli::execute_on_host_data(plan_, in, out, bytes_before(problem.storage));
  }
  return unpack(problem.result_storage(), problem.values(false), out);
}

std::vector<TransformError> Measured::errors(const Memory& rows) const {
  const FftProblem& problem = plan_.problem();
  const MemoryD exact = exact_results(problem, rows);
  const Memory out = results(rows);
  const auto first = static_cast<std::size_t>(guard_of(problem, false));
  const std::size_t points = places(problem, false).size();
  const double smallest =
      64 * format_of(problem.result_storage()).smallest * std::sqrt(static_cast<double>(points));
  std::vector<TransformError> errors;
  for (std::int64_t b = 0; b < batch(); ++b) {
    const std::size_t at = first + static_cast<std::size_t>(b) * points;
    errors.push_back(error_of(out.data() + at, exact.data() + at, points, smallest));
  }
  return errors;
}

}  // namespace sonoma::test
