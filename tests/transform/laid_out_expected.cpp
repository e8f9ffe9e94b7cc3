// What FFTW makes of laid out memory.
#include <fftw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "laid_out.hpp"
#include "sonoma/trigonometric.hpp"
#include "sonoma/verify/convolution.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

bool is_real(const FftProblem& problem, bool input) { return is_real(problem.values(input)); }

int sign_of(const FftProblem& problem) {
  return problem.direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
}

fftw_complex* complex(double* p) { return reinterpret_cast<fftw_complex*>(p); }

void execute(fftw_plan plan) {
  ASSERT_NE(plan, nullptr);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

using Transform = std::function<void(double* in, double* out)>;

// `transform` of doubles: one for each point of a real side, else two. It may change its input.
MemoryD executed(const FftProblem& problem, const Memory& in, const Transform& transform) {
  const bool from_real = is_real(problem, true), to_real = is_real(problem, false);
  std::vector<double> from;
  for (const Complex& x : in) {
    from.push_back(x.real());
    if (!from_real) from.push_back(x.imag());
  }
  MemoryD result(size_of(problem, false));
  std::vector<double> to(result.size() * (to_real ? 1 : 2));
  transform(from.data() + 2 * guard, to.data() + 2 * guard);
  const auto scale = static_cast<double>(static_cast<float>(problem.scale));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = to_real ? ComplexD(to[i]) : ComplexD(to[2 * i], to[2 * i + 1]);
    result[i] *= scale;
  }
  return result;
}

/// As the guru interface has them.
struct Dimensions {
  std::vector<fftw_iodim64> axes = {}, loops = {};

  explicit Dimensions(const FftProblem& problem) {
    for (const Axis& axis : problem.axes()) {
      axes.push_back({axis.n, axis.in_stride, axis.out_stride});
    }
    loops.push_back({problem.batch, problem.in_dist(), problem.out_dist()});
    for (const Loop& loop : problem.layout.loops) {
      loops.push_back({loop.count, loop.in_stride, loop.out_stride});
    }
  }
  [[nodiscard]] int rank() const { return static_cast<int>(axes.size()); }
  [[nodiscard]] int loop_rank() const { return static_cast<int>(loops.size()); }
};

void c2r(const Dimensions& all, double* from, double* to) {
  execute(fftw_plan_guru64_dft_c2r(all.rank(), all.axes.data(), all.loop_rank(), all.loops.data(),
                                   complex(from), to, FFTW_ESTIMATE));
}

// Complex along all axes but the last one, in place; then real along that.
void last_axis_alone(const Dimensions& all, double* from, double* to) {
  Dimensions others = all, last = all;
  for (auto* dimensions : {&others.axes, &others.loops}) {
    for (fftw_iodim64& one : *dimensions) one.os = one.is;
  }
  others.loops.push_back(others.axes.back());
  others.loops.back().n = others.loops.back().n / 2 + 1;
  others.axes.pop_back();
  last.axes.erase(last.axes.begin(), last.axes.end() - 1);
  last.loops.insert(last.loops.end(), all.axes.begin(), all.axes.end() - 1);
  if (others.rank() > 0) {
    execute(fftw_plan_guru64_dft(others.rank(), others.axes.data(), others.loop_rank(),
                                 others.loops.data(), complex(from), complex(from), FFTW_BACKWARD,
                                 FFTW_ESTIMATE));
  }
  c2r(last, from, to);
}

// Cosine and sine transforms, the same along all axes.
void r2r(const Dimensions& all, Domain domain, double* from, double* to) {
  static constexpr fftw_r2r_kind kinds[] = {FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                                            FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  const auto kind = static_cast<std::size_t>(domain) - static_cast<std::size_t>(Domain::dct1);
  const std::vector<fftw_r2r_kind> each(all.axes.size(), kinds[kind]);
  execute(fftw_plan_guru64_r2r(all.rank(), all.axes.data(), all.loop_rank(), all.loops.data(), from,
                               to, each.data(), FFTW_ESTIMATE));
}

}  // namespace

MemoryD expected_by_advanced(const FftProblem& problem, const Memory& in) {
  const DataLayout& layout = problem.layout;
  const int n = static_cast<int>(problem.n()), batch = static_cast<int>(problem.batch);
  const auto i = [](std::int64_t value) { return static_cast<int>(value); };
  return executed(problem, in, [&](double* from, double* to) {
    execute(fftw_plan_many_dft(1, &n, batch, complex(from), nullptr, i(layout.in_stride),
                               i(problem.in_dist()), complex(to), nullptr, i(layout.out_stride),
                               i(problem.out_dist()), sign_of(problem), FFTW_ESTIMATE));
  });
}

MemoryD expected_by_guru(const FftProblem& problem, const Memory& in) {
  const Dimensions all(problem);
  return executed(problem, in, [&](double* from, double* to) {
    if (problem.domain == Domain::c2r) return last_axis_alone(all, from, to);
    if (is_trigonometric(problem.domain)) return r2r(all, problem.domain, from, to);
    execute(problem.domain == Domain::r2c
                ? fftw_plan_guru64_dft_r2c(all.rank(), all.axes.data(), all.loop_rank(),
                                           all.loops.data(), from, complex(to), FFTW_ESTIMATE)
                : fftw_plan_guru64_dft(all.rank(), all.axes.data(), all.loop_rank(),
                                       all.loops.data(), complex(from), complex(to),
                                       sign_of(problem), FFTW_ESTIMATE));
  });
}

MemoryD expected_by_c2r(const FftProblem& problem, const Memory& in) {
  return executed(problem, in,
                  [&](double* from, double* to) { c2r(Dimensions(problem), from, to); });
}

namespace {

// Where each point of a transform that is neither padded nor cropped is in memory, or -1.
std::vector<std::int64_t> places_of_all(const FftProblem& problem, bool input) {
  FftProblem whole = problem;
  whole.ends = {};
  const std::vector<Axis> axes = problem.axes(), all = whole.axes();
  std::vector<std::int64_t> result = {0};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::vector<std::int64_t> before = std::move(result);
    result.clear();
    for (const std::int64_t place : before) {
      for (std::int64_t t = 0; t < all[a].length(input); ++t) {
        const bool there = place >= 0 && t < axes[a].length(input);
        result.push_back(there ? place + t * axes[a].stride(input) : -1);
      }
    }
  }
  return result;
}

// Of rows that follow each other, the points of a side from its guard on.
MemoryD of_filters(const FftProblem& problem, const FftProblem& rows, const Memory& x,
                   const std::vector<Complex>& spectra) {
  FftProblem one = rows;
  one.batch = 1, one.convolution->spectrum_dist = 0;
  const auto n = static_cast<std::size_t>(rows.n());
  const auto length = static_cast<std::size_t>(spectrum_points(one));
  MemoryD result(static_cast<std::size_t>(guard_of(rows, false)));
  auto at = x.begin() + guard_of(rows, true);
  for (const std::int64_t start : starts_of_spectra(problem)) {
    MemoryD sum(n);
    for (std::int64_t c = 0; c < problem.channels(); ++c) {
      const auto first = spectra.begin() + start + c * problem.convolution->channels.spectrum_dist;
      const auto y =
          verification::reference_convolution({at, at + static_cast<std::ptrdiff_t>(n)}, one,
                                              {first, first + static_cast<std::ptrdiff_t>(length)});
      for (std::size_t t = 0; t < n; ++t) {
        sum[t] += is_real(rows, false) ? ComplexD(y[t].real()) : y[t];
      }
      at += static_cast<std::ptrdiff_t>(n);
    }
    result.insert(result.end(), sum.begin(), sum.end());
  }
  return result;
}

// What becomes of all points, neither padded nor cropped, transform after transform behind a guard.
MemoryD whole_rows(const FftProblem& problem, const Memory& in,
                   const std::vector<Complex>& spectra) {
  const std::vector<std::int64_t> from = starts_of_signals(problem);
  const std::vector<std::int64_t> read = places_of_all(problem, true);
  FftProblem rows = problem;
  rows.layout = {}, rows.ends = {}, rows.placement = Placement::out_of_place;
  rows.batch = static_cast<std::int64_t>(from.size());
  if (rows.convolution) {
    rows.convolution->spectrum_strides.clear();
    rows.convolution->channels = {};
  }
  Memory x(size_of(rows, true));
  auto at = x.begin() + guard_of(rows, true);
  for (const std::int64_t start : from) {
    for (const std::int64_t place : read) {
      const auto where = static_cast<std::size_t>(guard_of(problem, true) + start + place);
      *at++ = place < 0 ? Complex{} : in[where];
    }
  }
  return rows.convolution ? of_filters(problem, rows, x, spectra) : expected_by_guru(rows, x);
}

}  // namespace

MemoryD expected_by_rows(const FftProblem& problem, const Memory& in,
                         const std::vector<Complex>& spectra) {
  const std::vector<std::int64_t> to = starts(problem, false),
                                  stored = places_of_all(problem, false);
  const MemoryD X = whole_rows(problem, in, spectra);
  MemoryD result(size_of(problem, false));
  auto row = X.begin() + guard_of(problem, false);
  for (const std::int64_t start : to) {
    for (const std::int64_t place : stored) {
      const auto where = static_cast<std::size_t>(guard_of(problem, false) + start + place);
      if (place >= 0) result[where] = *row;
      ++row;
    }
  }
  return result;
}

std::vector<double> norms_of_rows(const FftProblem& problem, const Memory& in,
                                  const std::vector<Complex>& spectra) {
  const MemoryD X = whole_rows(problem, in, spectra);
  const std::size_t length = places_of_all(problem, false).size();
  std::vector<double> norms(starts(problem, false).size());
  const auto first = static_cast<std::size_t>(guard_of(problem, false));
  for (std::size_t i = 0; i < norms.size() * length; ++i) {
    norms[i / length] += std::norm(X[first + i]);
  }
  return norms;
}

}  // namespace sonoma::test
