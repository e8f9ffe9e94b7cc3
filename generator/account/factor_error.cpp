#include "factor_error.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "matrices.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/trigonometric.hpp"
#include "table_sizes.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

using Factor = std::complex<float>;

// As complex_product() of points.cuh.
Factor product(Factor a, Factor w) {
  return {std::fma(a.real(), w.real(), -(a.imag() * w.imag())),
          std::fma(a.real(), w.imag(), a.imag() * w.real())};
}

// The factors w_N^(k (t + centre / 2)), k < radix, t < later, N = radix later.
struct Factors {
  std::int64_t radix, later, centre;
  Twiddles from;
  RootsOfUnity roots{2 * radix * later};

  [[nodiscard]] std::int64_t angle(std::int64_t k, std::int64_t t) const {
    return k * (2 * t + centre);  // in half turns of N
  }
  // As a kernel has it.
  [[nodiscard]] Factor of(std::int64_t k, std::int64_t t) const {
    const PartsOfPower parts = parts_of_power(static_cast<unsigned>(k), from);
    const Factor near = roots(angle(parts.near, t));
    Factor all = near;
    for (unsigned power = 1; power < parts.power; ++power) all = product(all, near);
    if (parts.far == 0) return all;
    const Factor far = roots(angle(parts.far, t));
    return parts.near == 0 ? far : product(all, far);
  }
  // Its error, no roundings being worse: each root's and each product's.
  [[nodiscard]] double worst() const {
    double most = 0;
    for (unsigned k = 1; k < radix; ++k) {
      const auto [near, power, far] = parts_of_power(k, from);
      const unsigned read = (near == 0 ? 0 : power) + (far == 0 ? 0 : 1);
      most = std::max(most, read * root_worst + (read - 1) * product_share.worst);
    }
    return most;
  }
};

// Products with powers of i are exact. Of many factors a sample of the t.
ErrorShare share_of(const Factors& factors) {
  constexpr std::int64_t enough = 256;
  const auto [radix, later] = std::pair(factors.radix, factors.later);
  const std::int64_t stride = later <= enough ? 1 : later / enough | 1;
  ErrorShare sum;
  std::int64_t count = 0;
  for (std::int64_t k = 0; k < radix; ++k) {
    for (std::int64_t t = 0; t < later; t += stride, ++count) {
      const std::int64_t angle = factors.angle(k, t);
      if (2 * angle % (radix * later) == 0) continue;
      const auto exact = factors.roots.exact(angle);
      const Factor rounded = factors.of(k, t);
      const auto re = static_cast<double>((rounded.real() - exact.real()) / u),
                 im = static_cast<double>((rounded.imag() - exact.imag()) / u);
      sum.bias += re * static_cast<double>(exact.real()) + im * static_cast<double>(exact.imag());
      sum.mean_square += re * re + im * im + product_share.mean_square;
    }
  }
  const auto all = static_cast<double>(count);
  return {product_share.worst + factors.worst(),
          sum.mean_square / all - sum.bias * sum.bias / (all * all), sum.bias / all};
}

ErrorShare weighted(ErrorShare share, double part) {
  share.mean_square *= part, share.bias *= part;
  return share;
}

}  // namespace

ErrorShare twiddle_share(const KernelIr& ir, const op::Twiddle& op) {
  const auto& radices = ir.schedule.shape.tree.decomposition.radices;
  std::int64_t later = ir.schedule.pass.tree_columns();
  for (std::size_t s = end_of_axis(ir.schedule.digits, op.step); --s > op.step;)
    later *= radices[s];
  const bool centre = op.factors != op::StepFactors::twiddles;
  if (op.factors == op::StepFactors::centre) later = 1;
  return share_of({radices[op.step], later, centre ? twice_centre * later : 0, op.from});
}

// A factor is one root, beyond the first section the product of two.
ErrorShare pass_twiddle_share(const Schedule& schedule, bool before) {
  const ErrorShare& root = schedule.mixed() ? rounded_root_share : unit_root_share;
  const auto n = static_cast<double>(schedule.pass.problem.lengths.front());
  const double beyond = 1 - root_section(schedule, before) / n;
  ErrorShare share = product_share;
  share += root;
  if (beyond == 0) return share;
  share += weighted(root, beyond);
  return share += weighted(product_share, beyond);
}

ErrorShare chirp_share(const op::Chirp& op) {
  if (op.table.size != 0) return root_product_share;
  ErrorShare share = product_share;
  return share += rounded_root_share;
}

// What is made of two points a and b, s^2 = |a|^2 + |b|^2, is 2 s large. D is rounded, |D| <=
// sqrt(2) s, as is its factor f, |f| <= sqrt(2), and f D goes into both results: sqrt(2) u and
// u / sqrt(2). Then two sums, (1 - re f) 2 b + re f (a + b) and the result. On average |f|^2 is
// 2 - 4 / pi.
//
// Of columns that are parted, and of numbers that are turned: a sum, a product and another sum.
ErrorShare mirrored_share(const Pass& pass) {
  ErrorShare share = sum_share;
  share += sum_share;
  if (pass.parted_length() != 0) return share += product_share, share += rounded_root_share;
  if (turns_numbers(pass)) return share += root_product_share;
  return {2 + 1.41422 + root_worst, (0.364 + 0.75 + 1) * rounding_square + root_square / 2, 0};
}

ErrorShare trigonometric_share(const Pass& pass, bool input) {
  if (!pass.side(input).end) return {};
  const FftProblem& whole = pass.whole();
  const Numbers numbers = numbers_of(whole.domain, whole.lengths.back(), input);
  if (numbers == Numbers::turned || numbers == Numbers::paired) {
    ErrorShare share = product_share;
    return share += rounded_root_share;
  }
  return numbers == Numbers::scattered ? root_product_share : ErrorShare{};
}

}  // namespace sonoma
