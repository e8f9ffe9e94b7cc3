#include "transform_rows.hpp"

#include <mutex>
#include <span>
#include <stdexcept>

#include "fftw.hpp"
#include "mpfr_transforms.hpp"

namespace sonoma::verification {
namespace {

std::string shape_of(const std::vector<std::int64_t>& lengths) {
  std::string text;
  for (const std::int64_t n : lengths) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

std::size_t points_of(const std::vector<std::int64_t>& lengths) {
  std::size_t n = 1;
  for (const std::int64_t length : lengths) n *= static_cast<std::size_t>(length);
  return n;
}

template <class Real, class Make>
void by_fftw(const std::vector<std::int64_t>& lengths, const Make& make) {
  FftwPlan<Real> plan;
  {
    const std::lock_guard lock(planner_mutex());
    plan.reset(make(fftw<Real>(), std::vector<int>(lengths.begin(), lengths.end())));
  }
  if (!plan) throw std::invalid_argument("reference: FFTW has no plan for " + shape_of(lengths));
  fftw<Real>().execute(plan.get());
}

// FFTW_REDFT00, 10, 01 and 11, then FFTW_RODFT00, 10, 01 and 11.
int kind_of(Domain domain) {
  static constexpr int kinds[] = {3, 5, 4, 6, 7, 9, 8, 10};
  return kinds[static_cast<int>(domain) - static_cast<int>(Domain::dct1)];
}

// Calls `transform` for all numbers along each axis in turn, put side by side.
template <class T, class Transform>
void along_each_axis(std::vector<T>& rows, const std::vector<std::int64_t>& lengths,
                     const Transform& transform) {
  std::size_t stride = 1;
  for (std::size_t a = lengths.size(); a-- > 0;) {
    const auto n = static_cast<std::size_t>(lengths[a]);
    std::vector<T> row(n);
    for (std::size_t first = 0; first < rows.size(); ++first) {
      if (first / stride % n != 0) continue;
      for (std::size_t t = 0; t < n; ++t) row[t] = rows[first + t * stride];
      transform(a, std::span(row));
      for (std::size_t t = 0; t < n; ++t) rows[first + t * stride] = row[t];
    }
    stride *= n;
  }
}

std::vector<MpfrRoots> roots_of(const std::vector<std::int64_t>& lengths, Domain domain) {
  std::vector<MpfrRoots> roots;
  for (const std::int64_t n : lengths) roots.push_back(mpfr_roots(mpfr_turn(n, domain)));
  return roots;
}

}  // namespace

// An FFTW complex is layout compatible with std::complex.
template <class Real>
void transform_rows(std::vector<std::complex<Real>>& rows, const std::vector<std::int64_t>& lengths,
                    Direction direction, Oracle oracle) {
  if constexpr (std::is_same_v<Real, long double>) {
    if (oracle == Oracle::mpfr) {
      const auto roots = roots_of(lengths, Domain::c2c);
      return along_each_axis(rows, lengths, [&](std::size_t axis, auto row) {
        mpfr_dft(row, direction, roots[axis]);
      });
    }
  }
  auto* data = reinterpret_cast<Real(*)[2]>(rows.data());
  const std::size_t n = points_of(lengths);
  const auto batch = static_cast<int>(rows.size() / n);
  by_fftw<Real>(lengths, [&](const Fftw<Real>& fftw, const std::vector<int>& shape) {
    const int sign = direction == Direction::forward ? fftw.forward : fftw.backward;
    return fftw.plan_many_dft(static_cast<int>(shape.size()), shape.data(), batch, data, nullptr, 1,
                              static_cast<int>(n), data, nullptr, 1, static_cast<int>(n), sign,
                              fftw.estimate);
  });
}

template <class Real>
void transform_rows(std::vector<Real>& rows, const std::vector<std::int64_t>& lengths,
                    Domain domain, Oracle oracle) {
  if constexpr (std::is_same_v<Real, long double>) {
    if (oracle == Oracle::mpfr) {
      const auto roots = roots_of(lengths, domain);
      return along_each_axis(rows, lengths, [&](std::size_t axis, auto row) {
        mpfr_real_to_real(row, domain, roots[axis]);
      });
    }
  }
  const auto n = static_cast<int>(points_of(lengths));
  const int batch = static_cast<int>(rows.size()) / n;
  by_fftw<Real>(lengths, [&](const Fftw<Real>& fftw, const std::vector<int>& shape) {
    const std::vector<int> kinds(shape.size(), kind_of(domain));
    return fftw.plan_many_r2r(static_cast<int>(shape.size()), shape.data(), batch, rows.data(),
                              nullptr, 1, n, rows.data(), nullptr, 1, n, kinds.data(),
                              fftw.estimate);
  });
}

template void transform_rows(std::vector<ComplexD>&, const std::vector<std::int64_t>&, Direction,
                             Oracle);
template void transform_rows(std::vector<ComplexL>&, const std::vector<std::int64_t>&, Direction,
                             Oracle);
template void transform_rows(std::vector<double>&, const std::vector<std::int64_t>&, Domain,
                             Oracle);
template void transform_rows(std::vector<long double>&, const std::vector<std::int64_t>&, Domain,
                             Oracle);

}  // namespace sonoma::verification
