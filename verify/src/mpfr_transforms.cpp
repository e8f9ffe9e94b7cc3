#include "mpfr_transforms.hpp"

#include <cstddef>
#include <utility>

#include "sonoma/trigonometric.hpp"

namespace sonoma::verification {
namespace {

struct Point {
  Number re, im;
};

std::int64_t smallest_factor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

/// sum += a b
class MultiplyAdd {
 public:
  void operator()(Number& sum, const Number& a, const Number& b, bool minus = false) {
    mpfr().mul(product_.get(), a.get(), b.get(), MPFR_RNDN);
    (minus ? mpfr().sub : mpfr().add)(sum.get(), sum.get(), product_.get(), MPFR_RNDN);
  }

 private:
  Number product_;
};

/// The recursion over prime factors.
class Dft {
 public:
  Dft(std::span<const Point> x, bool inverse, const MpfrRoots& roots)
      : x_(x), inverse_(inverse), roots_(roots) {}

  /// Of the points first, first + stride, ...: as many as y has.
  void transform(std::size_t first, std::size_t stride, std::span<Point> y) {
    const std::size_t n = y.size();
    if (n == 1) return copy(x_[first], y[0]);
    const auto p = static_cast<std::size_t>(smallest_factor(static_cast<std::int64_t>(n)));
    const std::size_t m = n / p;
    std::vector<Point> parts(n);  // part j: the points j, j + p, ...
    for (std::size_t j = 0; j < p; ++j) {
      transform(first + j * stride, stride * p, std::span(parts).subspan(j * m, m));
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < p; ++j) add(y[k], parts[j * m + k % m], j * k % n * stride);
    }
  }

 private:
  static void copy(const Point& from, Point& to) {
    mpfr().add(to.re.get(), to.re.get(), from.re.get(), MPFR_RNDN);
    mpfr().add(to.im.get(), to.im.get(), from.im.get(), MPFR_RNDN);
  }
  // sum += value w^(+-k)
  void add(Point& sum, const Point& value, std::size_t k) {
    multiply_add_(sum.re, value.re, roots_.cos[k]);
    multiply_add_(sum.re, value.im, roots_.sin[k], inverse_);
    multiply_add_(sum.im, value.im, roots_.cos[k]);
    multiply_add_(sum.im, value.re, roots_.sin[k], !inverse_);
  }

  std::span<const Point> x_;
  bool inverse_;
  const MpfrRoots& roots_;
  MultiplyAdd multiply_add_;
};

/// y[k] = sum_j weight(j) x[j] f(2 pi (a j + b) (c k + d) / turn), f being sine or cosine.
struct Definition {
  std::int64_t a, b, c, d, turn;
};

Definition definition_of(Domain domain, std::int64_t n) {
  const std::int64_t s = is_sine(domain) ? 1 : 0;
  switch (type_of(domain)) {
    case 1:
      return {1, s, 1, s, 2 * (is_sine(domain) ? n + 1 : n - 1)};
    case 2:
      return {2, 1, 1, s, 4 * n};
    case 3:
      return {1, s, 2, 1, 4 * n};
    default:
      return {2, 1, 2, 1, 8 * n};
  }
}

// The numbers at the ends that extend to themselves count once, the others twice.
long double weight(Domain domain, std::int64_t n, std::int64_t j) {
  const bool first = j == 0, last = j + 1 == n;
  const bool once = is_sine(domain)        ? type_of(domain) == 3 && last
                    : type_of(domain) == 1 ? first || last
                                           : type_of(domain) == 3 && first;
  return once ? 1 : 2;
}

}  // namespace

MpfrRoots mpfr_roots(std::int64_t n) {
  MpfrRoots roots;
  for (std::int64_t k = 0; k < n; ++k) {
    const Number angle(static_cast<long double>(k));
    Number c, s;
    mpfr().cosu(c.get(), angle.get(), static_cast<unsigned long>(n), MPFR_RNDN);
    mpfr().sinu(s.get(), angle.get(), static_cast<unsigned long>(n), MPFR_RNDN);
    roots.cos.push_back(std::move(c));
    roots.sin.push_back(std::move(s));
  }
  return roots;
}

void mpfr_dft(std::span<std::complex<long double>> row, Direction direction,
              const MpfrRoots& roots) {
  std::vector<Point> x, y(row.size());
  for (const auto& value : row) x.push_back({Number(value.real()), Number(value.imag())});
  Dft(x, direction == Direction::inverse, roots).transform(0, 1, y);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = {y[k].re.rounded(), y[k].im.rounded()};
}

std::int64_t mpfr_turn(std::int64_t n, Domain domain) {
  return is_trigonometric(domain) ? definition_of(domain, n).turn : n;
}

void mpfr_real_to_real(std::span<long double> row, Domain domain, const MpfrRoots& roots) {
  const auto n = static_cast<std::int64_t>(row.size());
  const Definition is = definition_of(domain, n);
  const std::vector<Number>& f = is_sine(domain) ? roots.sin : roots.cos;
  std::vector<Number> x;
  for (std::int64_t j = 0; j < n; ++j) {
    x.emplace_back(weight(domain, n, j) * row[static_cast<std::size_t>(j)]);
  }
  MultiplyAdd multiply_add;
  for (std::int64_t k = 0; k < n; ++k) {
    Number sum;
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t turns = (is.a * j + is.b) * (is.c * k + is.d) % is.turn;
      multiply_add(sum, x[static_cast<std::size_t>(j)], f[static_cast<std::size_t>(turns)]);
    }
    row[static_cast<std::size_t>(k)] = sum.rounded();
  }
}

std::int64_t mpfr_products(std::int64_t n, Domain domain) {
  if (is_trigonometric(domain)) return n * n;
  std::int64_t factors = 0;
  for (std::int64_t rest = n; rest > 1; rest /= smallest_factor(rest)) {
    factors += smallest_factor(rest);
  }
  return n * factors;
}

}  // namespace sonoma::verification
