#include "error_model.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "chirp.hpp"
#include "matrices.hpp"
#include "scaling.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/trigonometric.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

constexpr double u = 0x1p-24;       // FP32 unit roundoff
constexpr double half_u = 0x1p-11;  // FP16 unit roundoff

// Complex sum: u. Product with fused multiply-add: 2u (Jeannerod, Kornerup, Louvet, Muller, "Error
// bounds on complex floating-point multiplication with an FMA", 2017); u more for the rounded
// factor.
constexpr double sum_error = u, product_error = 3 * u;

// Of c12e8: half a unit in either part, the larger one being at least 1023.75 units before it is
// rounded.
constexpr double shared_exponent_error = std::numbers::sqrt2 / 2 / 1023.75;

// Of unit_root() in roots.cuh: of the cosine u/2 for its last sum, u/4 for the polynomial and u/6
// for y^2, both times y^2 <= 1/4; of the sine u/2 and u/10 for the correction: together 1.08u.
constexpr double root_error = 1.08 * u;
// Of an angle that is no multiple of 2^-26 of a turn: rounded to 2^-32 of one, 0.02u, and, at most
// an eighth of a turn from a quarter, to FP32.
constexpr double rounded_root_error = root_error + (0.02 + std::numbers::pi / 4) * u;

// A DFT of p points, p an odd prime, see butterfly_text.cpp: h = p / 2 products and sums, the
// sums before and after them, and the rounded factors put an error of (h + 3) u |x|_1 on each part
// of each result; of 3 a sum less for the second sum, and no rounded factor for the first one.
// |x|_1 <= sqrt(p) |x|_2, and |X|_2 = sqrt(p) |x|_2.
double prime_error(unsigned p) {
  const unsigned h = p / 2, each = p == 3 ? 3 : h + 3;
  return each * std::sqrt(2.0 * p) * u;
}

// Steps of coprime factors follow each other without factors between them.
double mixed_error(unsigned radix) {
  double error = 0;
  for (unsigned prime = 2; radix > 1; ++prime) {
    for (unsigned level = 0; radix % prime == 0; radix /= prime, ++level) {
      const bool factors = prime > 2 ? level > 0 : level > 1;
      error += (prime == 2 ? sum_error : prime_error(prime)) + (factors ? product_error : 0);
    }
  }
  return error;
}

double butterfly_error(unsigned radix) {
  if (!std::has_single_bit(radix)) return mixed_error(radix);
  const double stages = std::bit_width(radix) - 1;
  if (radix == 8) return stages * sum_error + 2 * u;  // of a mean and its factor, see dft2_eighth()
  const double products = radix > 16 ? 2 : radix > 4 ? 1 : 0;  // levels of factors inside
  return stages * sum_error + products * product_error;
}

// Norms of what FP16 hi + lo leave of the matrix (error), and of lo alone, over sqrt(radix), the
// norm of the matrix: Frobenius, which bounds the 2-norm.
struct MatrixErrors {
  double error = 0, lo = 0;
};

MatrixErrors matrix_errors(unsigned radix) {
  MatrixErrors sum;
  constexpr double scale = 1024;
  for (unsigned k = 0; k < radix; ++k) {
    for (unsigned t = 0; t < radix; ++t) {
      const double half_steps = 2.0 * t - (takes_sixteen(radix) ? twice_centre : 0);  // folded
      const double angle = std::numbers::pi * k * half_steps / radix;
      for (const double exact : {scale * std::cos(angle), scale * std::sin(angle)}) {
        const double hi = from_half(to_half(exact)), lo = from_half(to_half(exact - hi));
        sum.error += (exact - hi - lo) * (exact - hi - lo);
        sum.lo += lo * lo;
      }
    }
  }
  const double norm = scale * std::sqrt(radix);
  return {std::sqrt(sum.error) / norm, std::sqrt(sum.lo) / norm};
}

// One tensor-core step: the split of the data, the split of the matrix, the product lo * lo that is
// left out, the truncations of the tensor core, and the final sum in FP32. Radix 2 and 4 split
// exactly.
//
// An MMA aligns 16 products (before sm_80: 8) and the accumulator to the largest exponent and
// truncates each to 24 fractional bits at least (25 on Hopper): 17 units of 2^-24 of the largest
// product, which is at most |x|_2; over the 2r real results and relative to sqrt(r) |x|_2 a factor
// sqrt(2). Its result is truncated to FP32: 2u. All that once for each 16 (8) products.
//
// A single product leaves both low halves out.
double mma_error(unsigned radix, unsigned products, const Target& target) {
  const MatrixErrors matrix = matrix_errors(radix);
  const double depth = target.has_mma_m16n8k16() ? 16 : 8, mmas = 16 / depth;
  const double truncation = mmas * (std::numbers::sqrt2 * (depth + 1) * u + 2 * u);
  const double correction_chain = mmas * (2 * std::numbers::sqrt2 * (depth + 3) * u * half_u * 2);
  const double folded = takes_sixteen(radix) ? sum_error : 0;
  const double data =
      is_exact_matrix(radix) ? 0 : half_u * half_u / 2;  // lo is at most half a unit of hi
  if (products == 1) return folded + half_u + matrix.lo + matrix.error + truncation;
  return folded + data + matrix.error + matrix.lo * half_u + truncation + correction_chain +
         sum_error;
}

// Bluestein's algorithm. With u = x w: |u|_2 = |x|_2, and an error of u passes as it is, for from
// there to X all is unitary but for the factor sqrt(n). An error of its transform U, relative to
// |U|_2 = sqrt(m) |u|_2, of the product with the spectrum B, or of the second transform, relative
// to |v|_2 <= max|B| |u|_2, becomes at most max|B| / sqrt(n) times as large relative to |X|_2 =
// sqrt(n) |x|_2. The factors of all three products are rounded.
double convolution_error(const Schedule& schedule, double both) {
  const double gain = chirp_gain(schedule.pass.n(), schedule.shape.tree.decomposition.n());
  return product_error + gain * (both + product_error) + product_error;
}

// Rader's algorithm. |B(k)| = sqrt(n) but for B(0) = -1, so that an error of e |A|_2 of the
// transform A of the m other points a, |A|_2 = sqrt(m) |a|_2, is one of sqrt(m) sqrt(n) / m e |A|_2
// = e sqrt(n) |a|_2 of the results but X(0), together with that of X(0), which is A(0)'s own: for
// each of its parts this is 1 / m + 1 = n / m of its square. From there to the results all is
// unitary but for the factor sqrt(m). |X|_2 = sqrt(n) |x|_2. Two sums: X(0), and x(0) to the
// others.
double rader_error(double both) { return both + product_error + 2 * sum_error; }

// The same of one of the passes of Bluestein's; the sum over them is that of the whole.
double convolution_pass_error(const Schedule& schedule, double steps) {
  const double own = schedule.pass.convolves() ? steps + product_error : steps;
  const bool chirped = schedule.pass.is_chirped(true) || schedule.pass.is_chirped(false);
  return largest_gain * own + (chirped ? 2 * u + rounded_root_error : 0);
}

// Of cosine and sine transforms. An error of e |X|_2 of the DFT becomes one of sqrt(2) e |y|_2 of
// the results at most: of types 1 and 2 and of an odd number of type 4, |y|_2^2 is at least half of
// that of all parts of which the results are some; of the others results are all of them. The
// same of products with factors.
double trigonometric_error(const Pass& pass, double steps) {
  const FftProblem& whole = pass.whole();
  const std::int64_t n = whole.lengths.back();
  double own = whole.orthogonal ? 2 * u : 0;
  for (const bool input : {true, false}) {
    if (!pass.side(input).end) continue;
    const Numbers numbers = numbers_of(whole.domain, n, input);
    const bool root = numbers == Numbers::turned || numbers == Numbers::paired;
    own += root ? 2 * u + rounded_root_error : numbers == Numbers::scattered ? 3 * u : 0;
  }
  return std::numbers::sqrt2 * (steps + own);
}

// Of points k and m - k together, see mirrored.cuh: what is made of two points is twice as large as
// they are, and D, which is rounded, as are the factors, at most sqrt(2) as large. Times a factor
// of at most sqrt(2), in both results, either error is sqrt(2) u; and two sums.
//
// Of columns that are parted, of filters of pairs and of numbers that are turned: a sum, a product
// and another sum.
double mirrored_error(const Pass& pass) {
  const bool products = pass.parted_length() != 0 || pass.filter || turns_numbers(pass);
  return 2 * sum_error + (products ? product_error : 2 * std::numbers::sqrt2 * u);
}

// Of opposite butterflies the factor is a product too, of a root and a constant.
double opposite_error() { return std::numbers::sqrt2 * (product_error + u); }

}  // namespace

double error_bound(const KernelIr& ir, const Target& target) {
  double bound = 0;  // of the steps, there and back
  for (const Phase& phase : ir.schedule.phases) {
    for (const Step& step : phase.steps) {
      bound += step.form == StepForm::registers
                   ? butterfly_error(step.radix)
                   : mma_error(step.radix, ir.schedule.products(), target);
      if (has_twiddles_before(ir.schedule, step)) bound += product_error;
      if (factors_after(ir.schedule, step)) bound += product_error;
    }
  }
  if (ir.schedule.pass.twiddle_length() != 0) {
    bound += 2 * u + (ir.schedule.mixed() ? rounded_root_error : 2 * root_error + 2 * u);
  }
  if (ir.schedule.pass.filter) {
    bound += product_error + static_cast<double>(ir.schedule.pass.channels() - 1) * sum_error;
  }
  const Method method = ir.schedule.method();
  if (method == Method::rader) bound = rader_error(bound);
  if (method == Method::bluestein) {
    bound = ir.schedule.pass.part ? convolution_pass_error(ir.schedule, bound)
                                  : convolution_error(ir.schedule, bound);
  }
  if (is_trigonometric(ir.schedule.pass.whole().domain)) {
    bound = trigonometric_error(ir.schedule.pass, bound);
  }
  if (ir.schedule.pass.mirrors()) bound += mirrored_error(ir.schedule.pass);
  if (ir.schedule.shape.opposite) bound += opposite_error();
  // Of a filter of pairs another product, of their sum.
  if (ir.schedule.pass.filter && ir.schedule.pass.filter->pairs) {
    bound += 2 * sum_error + product_error;
  }
  for (const Op& op : ir.ops) {
    if (std::holds_alternative<op::Multiply>(op)) bound += 2 * u;  // factor and product rounded
    const auto* twiddle = std::get_if<op::Twiddle>(&op);
    if (twiddle && twiddle->products) bound += 3 * u;  // a factor more, and their product
  }
  const Storage storage = ir.schedule.pass.out.storage;
  if (is_half(storage)) bound += format_of(storage).unit_roundoff;
  if (storage == Storage::c12e8) bound += shared_exponent_error;
  return bound;
}

}  // namespace sonoma
