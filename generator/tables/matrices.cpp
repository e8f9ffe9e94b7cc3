#include "matrices.hpp"

#include <complex>

#include "scaling.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

constexpr double matrix_scale = 1 << matrix_exponent;

struct HalfPair {
  std::uint16_t hi, lo;
};

HalfPair split(long double value, unsigned radix) {
  const double scaled = static_cast<double>(value * matrix_scale);
  const std::uint16_t hi = to_half(scaled);
  const double more = takes_sixteen(radix) ? scaled * given_back : 0.0;
  return {hi, to_half(scaled - from_half(hi) + more)};
}

// A real 16 x 16 matrix, by row and column, for a step of `radix`.
struct Matrix {
  unsigned radix;
  long double at[16][16];
};

// [cos | -sign sin] of 2 pi k (v - 15/2) / 16, v = 0..7: the folded DFT of fold.cuh.
void fill_folded(Matrix& matrix, int sign) {
  for (int k = 0; k < 16; ++k) {
    for (int v = 0; v < 8; ++v) {
      const auto root = exact_root(k * (2 * v - twice_centre), 32);
      matrix.at[k][v] = root.real();
      matrix.at[k][v + 8] = -sign * root.imag();
    }
  }
}

// [cos -sin; sin cos] of interleaved groups: the step's digit is the low part of 0..7.
void fill_small(Matrix& matrix, int radix, int sign) {
  for (int k = 0; k < 8; ++k) {
    for (int t = 0; t < 8; ++t) {
      const bool among = k / radix == t / radix;
      const auto root =
          among ? exact_root(sign * (k % radix) * (t % radix), radix) : std::complex<long double>();
      matrix.at[k][t] = matrix.at[k + 8][t + 8] = root.real();
      matrix.at[k + 8][t] = root.imag();
      matrix.at[k][t + 8] = -root.imag();
    }
  }
}

enum class Half { hi, lo };

std::uint32_t element(const Matrix& matrix, unsigned row, unsigned column, Half half) {
  const HalfPair pair = split(matrix.at[row][column], matrix.radix);
  return half == Half::hi ? pair.hi : pair.lo;
}

// Words in lane order, four a lane (PTX ISA, "Matrix Fragments for mma.m16n8k16"): of fragment A
// for products from the left; from the right of fragment B of the transpose, columns 0-7, then
// 8-15.
void append_fragments(std::vector<std::uint32_t>& words, const Matrix& matrix, Half half,
                      StepForm form) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned g = lane / 4, t = lane % 4;
    for (unsigned word = 0; word < 4; ++word) {
      const unsigned low = word % 2, high = word / 2;
      const unsigned row = g + 8 * (form == StepForm::left ? low : high);
      const unsigned column = 2 * t + 8 * (form == StepForm::left ? high : low);
      words.push_back(element(matrix, row, column, half) | element(matrix, row, column + 1, half)
                                                               << 16);
    }
  }
}

// Two elements for the complex factor w_16^(sign k v) of the contracted point: those that give the
// real part of the product, or the imaginary one.
std::uint32_t complex_element(int k, int v, int sign, bool imaginary) {
  const auto w = exact_root(std::int64_t{sign} * k * v, 16);
  const auto half = [](long double value) { return to_half(static_cast<double>(value)); };
  const std::uint32_t low = half(imaginary ? w.imag() : w.real());
  const std::uint32_t high = half(imaginary ? w.real() : -w.imag());
  return low | high << 16;
}

// See WordMatrix in words.cuh.
void append_word_matrix(std::vector<std::uint32_t>& words, StepForm form, int sign) {
  for (int part = 0; part < 4; ++part) {
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4, t = lane % 4;
      for (int word = 0; word < 4; ++word) {
        const int low = word % 2, high = word / 2;
        if (form == StepForm::left) {  // low: real or imaginary row; high: slot t or t + 4
          const int k = g + 8 * (part % 2), v = 2 * t + high + 8 * (part / 2);
          words.push_back(complex_element(k, v, sign, low == 1));
        } else {  // low: slot t or t + 4; high: input columns 8 to 15
          const int k = 2 * (g / 2) + part % 2 + 8 * (part / 2), v = 2 * t + low + 8 * high;
          words.push_back(complex_element(k, v, sign, g % 2 == 1));
        }
      }
    }
  }
}

}  // namespace

void append_matrix(std::vector<std::uint32_t>& words, const op::LoadMatrix& op, int sign) {
  if (op.words) return append_word_matrix(words, op.form, sign);
  Matrix matrix{op.radix, {}};
  if (takes_sixteen(op.radix)) {
    fill_folded(matrix, sign);
  } else {
    fill_small(matrix, static_cast<int>(op.radix), sign);
  }
  for (const Half half : {Half::hi, Half::lo}) append_fragments(words, matrix, half, op.form);
}

}  // namespace sonoma
