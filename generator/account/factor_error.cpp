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

// Exact in FP64.
float in_half(double value) { return static_cast<float>(from_half(to_half(value))); }
Factor in_half(Factor a) { return {in_half(a.real()), in_half(a.imag())}; }

// As complex_product() of points.cuh, or of packed.cuh.
Factor product(Factor a, Factor w, Precision precision) {
  if (precision == Precision::fp32) {
    return {std::fma(a.real(), w.real(), -(a.imag() * w.imag())),
            std::fma(a.real(), w.imag(), a.imag() * w.real())};
  }
  const std::complex<double> x = a, y = w;
  const double first = in_half(x.imag() * y.imag()), second = in_half(x.imag() * y.real());
  return {in_half(x.real() * y.real() - first), in_half(x.real() * y.imag() + second)};
}

// A digit of t that lies in registers.
struct OwnDigit {
  std::int64_t stride, count;
};

// The factors w_N^(k (t + centre / 2)), k < radix, t < later, N = radix later.
struct Factors {
  std::int64_t radix, later, centre;
  Twiddles from;
  std::vector<OwnDigit> own;  // whose factors are constants
  bool known = false;         // all digits are such
  Precision precision = Precision::fp32;
  RootsOfUnity all_roots{2 * radix * later};

  // As a table has it.
  [[nodiscard]] Factor roots(std::int64_t angle) const {
    const Factor root = all_roots(angle);
    return precision == Precision::fp32 ? root : in_half(root);
  }
  [[nodiscard]] Factor times(Factor a, Factor w) const { return product(a, w, precision); }
  [[nodiscard]] ErrorShare rounded(const ErrorShare& share) const {
    return precision == Precision::fp32 ? share : in_fp16(share);
  }

  [[nodiscard]] std::int64_t angle(std::int64_t k, std::int64_t t) const {
    return k * (2 * t + centre);  // in half turns of N
  }
  // What is read, times a constant.
  [[nodiscard]] Factor base(std::int64_t k, std::int64_t t) const {
    std::int64_t constant = 0;
    for (const OwnDigit& digit : own) constant += t / digit.stride % digit.count * digit.stride;
    const Factor read = roots(angle(k, t - constant));
    return constant == 0 ? read : times(read, roots(angle(k, constant)));
  }
  // As next_power() of points.cuh.
  [[nodiscard]] Factor by_cosine(std::int64_t near, std::int64_t far, std::int64_t t) const {
    const Factor before = far == 4 ? base(4 - near, t) : by_cosine(4 - near, far - 4, t);
    const Factor a = base(far, t);
    const float twice = 2 * base(near, t).real();
    return {std::fma(a.real(), twice, -before.real()), std::fma(a.imag(), twice, -before.imag())};
  }
  // As a kernel has it.
  [[nodiscard]] Factor of(std::int64_t k, std::int64_t t) const {
    if (known) return roots(angle(k, t));
    if (from == Twiddles::cosines && k > 4 && k % 4 != 0) return by_cosine(k % 4, k / 4 * 4, t);
    const PartsOfPower parts = parts_of_power(static_cast<unsigned>(k), from);
    const Factor near = base(parts.near, t);
    Factor all = near;
    for (unsigned power = 1; power < parts.power; ++power) all = times(all, near);
    if (parts.far == 0) return all;
    const Factor far = base(parts.far, t);
    return parts.near == 0 ? far : times(all, far);
  }
  // Its error, in u, relative to 1.
  [[nodiscard]] std::complex<double> error(std::int64_t k, std::int64_t t) const {
    const auto exact = all_roots.exact(angle(k, t));
    const Factor rounded = of(k, t);
    return {static_cast<double>((rounded.real() - exact.real()) / u),
            static_cast<double>((rounded.imag() - exact.imag()) / u)};
  }
  // The largest of all. Of very many what no roundings exceed: each root's and each product's.
  [[nodiscard]] double worst() const {
    constexpr std::int64_t many = 32768;
    if (known || from == Twiddles::table) return worst_of_root();
    const bool all = radix * later <= many;
    double most = 0;
    for (std::int64_t k = 1; k < radix; ++k) {
      if (!all) most = std::max(most, worst_of(static_cast<unsigned>(k)));
      for (std::int64_t t = 0; all && t < later; ++t) most = std::max(most, std::abs(error(k, t)));
    }
    return most;
  }
  [[nodiscard]] double worst_of(unsigned k) const {
    if (from == Twiddles::cosines && k > 4 && k % 4 != 0) {
      const unsigned made = k / 4;  // each of the one before, a root and a cosine
      return made * (4 * worst_of_root() + 1) + worst_of_root();
    }
    const unsigned of_base = own.empty() ? 1 : 2;
    const auto [near, power, far] = parts_of_power(k, from);
    const unsigned all = of_base * ((near == 0 ? 0 : power) + (far == 0 ? 0 : 1));
    return all * worst_of_root() + (all - 1) * rounded(product_share).worst;
  }
  // FP16's of a root that was rounded to FP32.
  [[nodiscard]] double worst_of_root() const {
    return root_worst + (precision == Precision::fp32 ? 0 : in_fp16({root_worst}).worst);
  }
};

// Products with powers of i are exact. Of many factors a sample of the t.
ErrorShare share_of(const Factors& factors) {
  constexpr std::int64_t enough = 256;
  const auto [radix, later] = std::pair(factors.radix, factors.later);
  const std::int64_t stride = later <= enough ? 1 : later / enough | 1;
  const ErrorShare of_product = factors.rounded(product_share);
  ErrorShare sum;
  std::int64_t count = 0;
  for (std::int64_t k = 0; k < radix; ++k) {
    for (std::int64_t t = 0; t < later; t += stride, ++count) {
      const std::int64_t angle = factors.angle(k, t);
      if (2 * angle % (radix * later) == 0) continue;
      const auto exact = factors.all_roots.exact(angle);
      const std::complex<double> error = factors.error(k, t);
      sum.bias += error.real() * static_cast<double>(exact.real()) +
                  error.imag() * static_cast<double>(exact.imag());
      sum.mean_square += std::norm(error) + of_product.mean_square;
    }
  }
  const auto all = static_cast<double>(count);
  return {of_product.worst + factors.worst(),
          sum.mean_square / all - sum.bias * sum.bias / (all * all), sum.bias / all};
}

ErrorShare weighted(ErrorShare share, double part) {
  share.mean_square *= part, share.bias *= part;
  return share;
}

}  // namespace

ErrorShare twiddle_share(const KernelIr& ir, const op::Twiddle& op) {
  const auto& radices = ir.schedule.shape.tree.decomposition.radices;
  const std::vector<Digit>& digits = ir.schedule.digits;
  const bool constants = op.from == Twiddles::constants;
  std::vector<OwnDigit> own;
  std::int64_t later = ir.schedule.pass.halves() * ir.schedule.pass.tree_columns();
  for (std::size_t s = end_of_axis(digits, op.step); --s > op.step; later *= radices[s]) {
    for (const DigitId id : constants ? op.layout.registers : std::vector<DigitId>{}) {
      if (digits[id].step != static_cast<int>(s)) continue;
      own.push_back({later * digits[id].weight, digits[id].count});
    }
  }
  const bool centre = op.factors != op::StepFactors::twiddles;
  if (op.factors == op::StepFactors::centre) later = 1;
  return share_of({radices[op.step], later, centre ? twice_centre * later : 0, op.from,
                   std::move(own), constants && op.unity_time_mask != 0,
                   precision_of(ir.schedule.pass)});
}

// A factor is one root, beyond the first section the product of two. Packed ones are rounded to
// FP16 then.
ErrorShare pass_twiddle_share(const Schedule& schedule, bool before) {
  ErrorShare one = schedule.pass.packed ? in_fp16(root_product_share) : product_share;
  one += schedule.mixed() ? rounded_root_share : unit_root_share;
  const auto n = static_cast<double>(schedule.pass.problem.lengths.front());
  const double beyond = 1 - root_section(schedule, before) / n;
  ErrorShare share = one;
  return beyond == 0 ? share : share += weighted(one, beyond);
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
