#include "tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>

#include "convolution_tables.hpp"
#include "scaling.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

constexpr double matrix_scale = 1 << matrix_exponent;
constexpr unsigned unit_words = 4;

struct HalfPair {
  std::uint16_t hi, lo;
};

// A tensor core truncates its sum to FP32. In the sums of radix 16 that bites: the main product is
// too small by half a unit in the last place on average, 2^-25 to 2^-24 of it, a bias that adds up
// over the steps. A little less than 2^-25 of the matrix, added to its low half, gives that back:
// less than half a unit of any result, so that an exact product with no other corrections stays.
// (Smaller radices: the sums are short enough to be mostly exact.)
constexpr double given_back = 0x1.ffp-26;

HalfPair split(long double value, unsigned radix) {
  const double scaled = static_cast<double>(value * matrix_scale);
  const std::uint16_t hi = to_half(scaled);
  return {hi, to_half(scaled - from_half(hi) + (radix == 16 ? scaled * given_back : 0.0))};
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
      const auto root = exact_root(k * (2 * v - 15), 32);
      matrix.at[k][v] = root.real();
      matrix.at[k][v + 8] = -sign * root.imag();
    }
  }
}

// [cos -sin; sin cos] of 8 / radix interleaved groups: the step's digit is the low part of 0..7.
void fill_small(Matrix& matrix, int radix, int sign) {
  for (int k = 0; k < 8; ++k) {
    for (int t = 0; t < 8; ++t) {
      const bool same_group = k / radix == t / radix;
      const auto root = same_group ? exact_root(sign * (k % radix) * (t % radix), radix)
                                   : std::complex<long double>();
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

void append_rows(std::vector<std::uint32_t>& words, const Matrix& matrix, Half half) {
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 16; column += 2) {
      words.push_back(element(matrix, row, column, half) | element(matrix, row, column + 1, half)
                                                               << 16);
    }
  }
}

// Two elements for a complex factor w of the contracted point: those that give the real part of the
// product, or the imaginary one.
std::uint32_t complex_element(std::int64_t numerator, bool imaginary) {
  const auto w = exact_root(numerator, 16);
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
          words.push_back(complex_element(std::int64_t{sign} * k * v, low == 1));
        } else {  // low: slot t or t + 4; high: input columns 8 to 15
          const int k = 2 * (g / 2) + part % 2 + 8 * (part / 2), v = 2 * t + low + 8 * high;
          words.push_back(complex_element(std::int64_t{sign} * k * v, g % 2 == 1));
        }
      }
    }
  }
}

void append_matrix(std::vector<std::uint32_t>& words, const op::LoadMatrix& op, MmaForm form,
                   int sign) {
  if (op.words) return append_word_matrix(words, op.form, sign);
  Matrix matrix{op.radix, {}};
  if (op.radix < 16) {
    fill_small(matrix, static_cast<int>(op.radix), sign);
  } else {
    fill_folded(matrix, sign);
  }
  for (const Half half : {Half::hi, Half::lo}) {
    if (form == MmaForm::ptx) {
      append_fragments(words, matrix, half, op.form);
    } else {
      append_rows(words, matrix, half);
    }
  }
}

// The factor of one register of one thread: w^(k t') with t' the time index that is left, of length
// N = r m; a folded step adds half a turn: k (t' + 15 m / 2) / N.
std::complex<float> factor(const KernelIr& ir, const op::Twiddle& op, const LinearMap& time,
                           unsigned thread, unsigned reg) {
  const std::vector<Digit>& digits = ir.schedule.digits;
  const unsigned radix = ir.schedule.decomposition.radices[op.step];
  std::int64_t k = 0, stride = 0;
  const auto visit = [&](const std::vector<DigitId>& places, unsigned place) {
    for (const DigitId id : places) {
      const unsigned value = place % digits[id].count;
      place /= digits[id].count;
      if (digits[id].step != static_cast<int>(op.step)) continue;
      if (digits[id].weight == 1) stride = digits[id].time_stride;
      k += value * digits[id].weight;
    }
  };
  visit(op.layout.threads, thread);
  visit(op.layout.registers, reg);
  const std::int64_t rest = time.of(thread, reg) % stride;
  const bool folded = step_of(ir.schedule, op.step).folds;
  const std::int64_t numerator = k * (2 * rest + (folded ? 15 * stride : 0));
  return root_of_unity(static_cast<int>(ir.direction) * numerator, 2 * stride * radix);
}

void fill_twiddles(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Twiddle& op) {
  const std::vector<Digit>& digits = ir.schedule.digits;
  const LinearMap map{op.thread_bits, {}, counts_of(digits, op.layout.threads)};
  const LinearMap time = index_map(digits, op.layout, Side::time);
  const std::vector<int> entries = twiddle_entries(digits, op);
  for (std::uint32_t thread = 0; thread < time.threads(); ++thread) {
    for (unsigned reg = 0; reg < entries.size(); ++reg) {
      if (entries[reg] < 0) continue;
      const auto entry = static_cast<unsigned>(entries[reg]);
      const auto w = factor(ir, op, time, thread, reg);
      const std::size_t unit = op.table.offset + entry / 2 * op.stride + map.of_thread(thread);
      const std::size_t word = unit * unit_words + entry % 2 * 2;
      words[word] = std::bit_cast<std::uint32_t>(std::ldexp(w.real(), op.exponent));
      words[word + 1] = std::bit_cast<std::uint32_t>(std::ldexp(w.imag(), op.exponent));
    }
  }
}

// Room for a table; false where it is one that was there before.
bool grow(std::vector<std::uint32_t>& words, const TableRange& range) {
  const std::size_t end = (std::size_t{range.offset} + range.size) * unit_words;
  if (end <= words.size()) return false;
  words.resize(end);
  return true;
}

}  // namespace

std::complex<long double> exact_root(std::int64_t numerator, std::int64_t denominator) {
  std::int64_t j = numerator % denominator;
  if (j < 0) j += denominator;
  const std::int64_t eighths = 8 * j / denominator;  // octant
  const std::int64_t quarter_turns = (eighths + 1) / 2;
  // What is left lies within +-1/8 turn; signed, in units of 1 / (4 denominator) turns.
  const long double angle = 2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(4 * j - quarter_turns * denominator) /
                            static_cast<long double>(4 * denominator);
  const long double c = std::cos(angle), s = std::sin(angle);
  switch (quarter_turns % 4) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

std::complex<float> root_of_unity(std::int64_t numerator, std::int64_t denominator) {
  const auto root = exact_root(numerator, denominator);
  return {static_cast<float>(root.real()), static_cast<float>(root.imag())};
}

namespace {

// The place of w^k among those that others are products of: k = 1, 2, 3, 4, 8, 12, ...; -1: it is
// one of the others.
int factor_place(unsigned k) {
  if (k % 4 == 0) return k == 0 ? -1 : static_cast<int>(2 + k / 4);
  return k < 4 ? static_cast<int>(k) - 1 : -1;
}

std::vector<int> product_entries(const std::vector<Digit>& digits, const op::Twiddle& op) {
  const unsigned radix = 1u << std::popcount(op.unity_mask), factors = 2 + radix / 4;
  std::vector<int> entries;
  for (unsigned reg = 0; reg < count_of(digits, op.layout.registers); ++reg) {
    unsigned k = 0, k_scale = 1, other = 0, scale = 1;
    for (unsigned place = 0; place < op.layout.registers.size(); ++place) {
      const unsigned bit = reg >> place & 1u;
      if (op.unity_mask >> place & 1u) {
        k += bit * k_scale, k_scale *= 2;
      } else if (op.register_mask >> place & 1u) {
        other += bit * scale, scale *= 2;
      }
    }
    const int at = factor_place(k);
    entries.push_back(at < 0 ? -1 : static_cast<int>(factors * other) + at);
  }
  return entries;
}

}  // namespace

std::vector<int> twiddle_entries(const std::vector<Digit>& digits, const op::Twiddle& op) {
  if (op.products) return product_entries(digits, op);
  return factor_entries(digits, op.layout.registers, op.register_mask, op.unity_mask);
}

std::vector<int> factor_entries(const std::vector<Digit>& digits,
                                const std::vector<DigitId>& registers, unsigned register_mask,
                                unsigned unity_mask) {
  std::vector<int> entries;
  std::map<unsigned, int> known;  // by the number that the digits in register_mask make up
  for (unsigned reg = 0; reg < count_of(digits, registers); ++reg) {
    unsigned rest = reg, number = 0, scale = 1;
    bool unity = unity_mask != 0;
    for (unsigned place = 0; place < registers.size(); ++place) {
      const unsigned count = digits[registers[place]].count, value = rest % count;
      rest /= count;
      if (unity_mask >> place & 1u) unity = unity && value == 0;
      if (register_mask >> place & 1u) number += value * scale, scale *= count;
    }
    const bool left_out = unity && !is_binary(digits);
    const int next = static_cast<int>(known.size());
    entries.push_back(left_out ? -1 : known.emplace(number, next).first->second);
  }
  return entries;
}

std::uint32_t twiddle_units(const std::vector<Digit>& digits, const op::Twiddle& op) {
  const std::vector<int> entries = twiddle_entries(digits, op);
  const int last = *std::max_element(entries.begin(), entries.end());
  return static_cast<std::uint32_t>(last + 2) / 2 * op.stride;
}

std::vector<std::uint32_t> make_tables(const KernelIr& ir) {
  std::vector<std::uint32_t> words;
  const int sign = static_cast<int>(ir.direction);
  for (const Op& any : ir.ops) {
    if (const auto* matrix = std::get_if<op::LoadMatrix>(&any)) {
      append_matrix(words, *matrix, ir.schedule.mma_form, sign);
    } else if (const auto* twiddle = std::get_if<op::Twiddle>(&any)) {
      if (grow(words, twiddle->table)) fill_twiddles(words, ir, *twiddle);
    } else if (const auto* chirp = std::get_if<op::Chirp>(&any)) {
      if (grow(words, chirp->table)) fill_chirp(words, ir, *chirp);
    } else if (const auto* spectrum = std::get_if<op::Spectrum>(&any)) {
      if (grow(words, spectrum->table)) fill_spectrum(words, ir, *spectrum);
    }
  }
  return words;
}

std::uint16_t to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000u : 0u;
  const double magnitude = std::fabs(value);
  if (!(magnitude < 65520)) throw InternalError("to_half: out of range");
  const int exponent = std::max(magnitude > 0 ? std::ilogb(magnitude) : -14, -14);
  // nearbyint rounds to nearest even in the default mode; 10 fraction bits.
  auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // Subnormals have no implicit bit; a carry into the next exponent comes out right by itself.
  const unsigned base = static_cast<unsigned>(exponent + 14) << 10;
  return static_cast<std::uint16_t>(sign | (base + steps));
}

double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000u ? -magnitude : magnitude;
}

}  // namespace sonoma
