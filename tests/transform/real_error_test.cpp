// Errors of real transforms on the bench's own sample, beside cuFFT's there: see
// bench/results/2026-11-23-h200-{r2c-smooth,c2r}.csv. Those lengths where they are close, by the
// choices that are shipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <ostream>
#include <random>
#include <vector>

#include "laid_out.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {
namespace {

using verification::Complex;
using verification::ComplexD;

struct Row {
  Domain domain;
  std::int64_t n, batch;  // of the bench
  double cufft;
};
void PrintTo(const Row& row, std::ostream* out) { *out << to_string(row.domain) << " " << row.n; }

// As the bench draws and takes them: of transforms at equal distances their numbers as memory has
// them; c2r ignores imaginary parts at the ends.
std::vector<float> sample_of(const Row& row, std::int64_t count, std::int64_t numbers) {
  std::vector<float> sample;
  std::minstd_rand random(1);
  std::int64_t drawn = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t start = i * (row.batch - 1) / (count - 1) * numbers;
    random.discard(static_cast<unsigned long long>(start - drawn));
    for (drawn = start; drawn < start + numbers; ++drawn) {
      sample.push_back(static_cast<float>(static_cast<double>(random()) * 0x1p-30 - 1));
    }
  }
  return sample;
}

// All n points of each.
std::vector<Complex> points_of(const std::vector<float>& memory, const Row& row, bool real) {
  std::vector<Complex> points;
  const auto each = static_cast<std::size_t>(real ? row.n : 2 * (row.n / 2 + 1));
  const auto n = static_cast<std::size_t>(row.n);
  for (std::size_t start = 0; start < memory.size(); start += each) {
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = start + (real ? k : 2 * std::min(k, n - k));
      const bool end = k == 0 || 2 * k == n;
      const float im = real || end ? 0 : memory[at + 1];
      points.emplace_back(memory[at], 2 * k > n ? -im : im);
    }
  }
  return points;
}

double relative_l2(const Complex* y, const ComplexD* x, std::int64_t n) {
  double error = 0, norm = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    error += std::norm(ComplexD(y[k]) - x[k]), norm += std::norm(x[k]);
  }
  return std::sqrt(error / norm);
}

class RealErrors : public testing::TestWithParam<Row> {};

TEST_P(RealErrors, AreBelowThoseOfCufft) {
  const Row& row = GetParam();
  FftProblem problem;
  problem.lengths = {row.n};
  problem.domain = row.domain;
  if (row.domain == Domain::c2r) problem.direction = Direction::inverse;
  problem.batch = std::min<std::int64_t>(65536 / row.n, 1024);
  PlanOptions options;
  options.device = Device::cpu;
  const Plan plan = make_plan(problem, options);
  const bool forward = row.domain == Domain::r2c;
  const std::int64_t complex_numbers = 2 * (row.n / 2 + 1);
  const auto in = sample_of(row, problem.batch, forward ? row.n : complex_numbers);
  std::vector<float> out(
      static_cast<std::size_t>(problem.batch * (forward ? complex_numbers : row.n)));
  plan.execute(static_cast<const void*>(in.data()), static_cast<void*>(out.data()));
  const auto exact = verification::reference(points_of(in, row, forward), problem);
  const auto result = points_of(out, row, !forward);
  double worst = 0;
  for (std::int64_t i = 0; i < problem.batch; ++i) {
    worst = std::max(worst, relative_l2(&result[static_cast<std::size_t>(i * row.n)],
                                        &exact[static_cast<std::size_t>(i * row.n)], row.n));
  }
  EXPECT_LT(worst, row.cufft);
}

INSTANTIATE_TEST_SUITE_P(
    , RealErrors,
    testing::Values(Row{Domain::r2c, 7, 9586980, 0.999e-7}, Row{Domain::r2c, 9, 7456540, 1.26e-7},
                    Row{Domain::r2c, 10, 6710886, 1.25e-7}, Row{Domain::r2c, 12, 5592405, 1.11e-7},
                    Row{Domain::c2r, 32, 2097152, 1.28e-7}, Row{Domain::c2r, 360, 186413, 1.12e-7},
                    Row{Domain::c2r, 480, 139810, 1.15e-7},
                    Row{Domain::c2r, 1000, 67108, 1.25e-7}));

}  // namespace
}  // namespace sonoma::test
