#include "mma_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace sonoma::emulator {
namespace {

// Vectors of the eight columns of B and D, so that the model is fast on any host.
constexpr unsigned rows = 16, columns = 8, depth = 16;
using Floats = float __attribute__((vector_size(columns * sizeof(float))));
using Ints = std::int32_t __attribute__((vector_size(columns * sizeof(std::int32_t))));
using Words = std::uint32_t __attribute__((vector_size(columns * sizeof(std::uint32_t))));
using Doubles = double __attribute__((vector_size(columns * sizeof(double))));
using Longs = std::uint64_t __attribute__((vector_size(columns * sizeof(std::uint64_t))));

constexpr std::uint32_t exponent_mask = 0x7f800000u;
constexpr std::uint32_t smallest_power = 0x38800000u;  // 2^-14: subnormal halves are not normalised
constexpr std::uint32_t canonical_nan = 0x7fffffffu;

// The operands in matrix order. power: 2^exponent of the value, 0 for zero. Infinities and NaNs
// stand as zero here and are counted; patch_nonfinite looks at the halves again.
struct Operands {
  alignas(32) std::uint16_t a_half[rows][depth];
  alignas(32) std::uint16_t b_half[depth][columns];
  alignas(32) float a[rows][depth];
  alignas(32) float a_power[rows][depth];
  alignas(32) float b[depth][columns];
  alignas(32) float b_power[depth][columns];
  alignas(32) float c[rows][columns];
  bool nonfinite;
};

void gather(const std::array<MmaOperands, 32>& lanes, Operands& m) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const MmaOperands& from = lanes[lane];
    const unsigned g = lane / 4, t = lane % 4;
    for (unsigned r = 0; r < 4; ++r) {
      std::uint16_t* to = &m.a_half[g + 8 * (r % 2)][2 * t + 8 * (r / 2)];
      to[0] = static_cast<std::uint16_t>(from.a[r]);
      to[1] = static_cast<std::uint16_t>(from.a[r] >> 16);
    }
    for (unsigned r = 0; r < 2; ++r) {
      m.b_half[2 * t + 8 * r][g] = static_cast<std::uint16_t>(from.b[r]);
      m.b_half[2 * t + 8 * r + 1][g] = static_cast<std::uint16_t>(from.b[r] >> 16);
    }
    for (unsigned i = 0; i < 4; ++i) m.c[g + 8 * (i / 2)][2 * t + i % 2] = from.d[i];
  }
}

void scatter(const float (&d)[rows][columns], const std::array<MmaOperands, 32>& lanes) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) lanes[lane].d[i] = d[g + 8 * (i / 2)][2 * t + i % 2];
  }
}

// Returns whether all are finite.
template <unsigned count>
bool decode(const std::uint16_t* halves, float* values, float* powers) {
  std::uint32_t nonfinite = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t magnitude = halves[i] & 0x7fffu;
    const std::uint32_t sign = (halves[i] & 0x8000u) << 16;
    const std::uint32_t is_finite = magnitude < 0x7c00u ? ~0u : 0u;
    const std::uint32_t normal = (magnitude << 13) + 0x38000000u;
    const std::uint32_t subnormal =
        std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(magnitude)) * 0x1p-24f);
    const std::uint32_t bits = (magnitude >= 0x400u ? normal : subnormal) & is_finite;
    nonfinite |= ~is_finite;
    values[i] = std::bit_cast<float>(bits | sign);
    const std::uint32_t power = std::max(bits & exponent_mask, smallest_power);
    powers[i] = std::bit_cast<float>(bits != 0 ? power : 0);
  }
  return nonfinite == 0;
}

bool decode_accumulators(float (&c)[rows][columns]) {
  std::uint32_t nonfinite = 0;
  for (auto& row : c) {
    for (float& value : row) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      const std::uint32_t is_finite = (bits & exponent_mask) != exponent_mask ? ~0u : 0u;
      nonfinite |= ~is_finite;
      value = std::bit_cast<float>(bits & is_finite);
    }
  }
  return nonfinite == 0;
}

Floats load(const float (&row)[columns]) {
  Floats value;
  std::memcpy(&value, row, sizeof value);
  return value;
}

// One row of D. The scaling by a power of two and the conversion to integers, which truncates, are
// the alignment: no bit that counts is lost before.
void multiply_row(const Operands& m, unsigned row, float (&d)[columns]) {
  Floats largest = {};
  for (unsigned k = 0; k < depth; ++k) {
    const Floats power = m.a_power[row][k] * load(m.b_power[k]);
    largest = power > largest ? power : largest;
  }
  const Ints no_product = largest == 0.0f;
  const Floats c = load(m.c[row]);
  // A subnormal c has power 0 here: beside a product it lies below the last bit, and alone it is
  // the result. Below 2^-102 there is no product either, and the reciprocal would not be normal.
  const Floats c_power = std::bit_cast<Floats>(std::bit_cast<Words>(c) & exponent_mask);
  largest = c_power > largest ? c_power : largest;
  const Floats smallest = Floats{} + 0x1p-102f;
  largest = largest > smallest ? largest : smallest;
  // 2^25 / largest
  const Floats scale = std::bit_cast<Floats>((279u << 23) - std::bit_cast<Words>(largest));
  Ints sum = {};
  for (unsigned k = 0; k < depth; ++k) {
    const Floats aligned = m.a[row][k] * load(m.b[k]) * scale;
    sum += __builtin_convertvector(aligned, Ints);
  }
  const Ints c_aligned = __builtin_convertvector(c * scale, Ints);
  // The sum has up to 33 bits; clearing the last 29 of a double's 53 leaves the 24 of a float.
  const Doubles exact =
      __builtin_convertvector(sum, Doubles) + __builtin_convertvector(c_aligned, Doubles);
  const Doubles truncated =
      std::bit_cast<Doubles>(std::bit_cast<Longs>(exact) & ~((std::uint64_t{1} << 29) - 1));
  const Doubles value = truncated * (__builtin_convertvector(largest, Doubles) * 0x1p-25);
  const Floats result = __builtin_convertvector(value, Floats);
  const Floats chosen = no_product ? c + 0.0f : result;
  std::memcpy(d, &chosen, sizeof chosen);
}

bool nonfinite(std::uint16_t half) { return (half & 0x7c00u) == 0x7c00u; }

float value_of(std::uint16_t half) {
  const float sign = (half & 0x8000u) != 0 ? -1.0f : 1.0f;
  if ((half & 0x7fffu) > 0x7c00u) return std::numeric_limits<float>::quiet_NaN();
  if (nonfinite(half)) return sign * std::numeric_limits<float>::infinity();
  // Which finite value does not matter beside an infinity, only whether it is zero.
  return (half & 0x7fffu) == 0 ? 0.0f : sign;
}

// Sets the elements of D that an infinity or a NaN reaches.
void patch_nonfinite(const Operands& m, const std::array<MmaOperands, 32>& lanes,
                     float (&d)[rows][columns]) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      float sum = std::isfinite(lanes[lane].d[i]) ? 0.0f : lanes[lane].d[i];
      for (unsigned k = 0; k < depth; ++k) {
        const std::uint16_t a = m.a_half[row][k], b = m.b_half[k][column];
        if (nonfinite(a) || nonfinite(b)) sum += value_of(a) * value_of(b);
      }
      if (std::isnan(sum)) d[row][column] = std::bit_cast<float>(canonical_nan);
      if (std::isinf(sum)) d[row][column] = sum;
    }
  }
}

}  // namespace

void mma_m16n8k16(const std::array<MmaOperands, 32>& lanes) {
  Operands m;
  gather(lanes, m);
  const bool a_finite = decode<rows * depth>(m.a_half[0], m.a[0], m.a_power[0]);
  const bool b_finite = decode<depth * columns>(m.b_half[0], m.b[0], m.b_power[0]);
  const bool c_finite = decode_accumulators(m.c);
  float d[rows][columns];
  for (unsigned row = 0; row < rows; ++row) multiply_row(m, row, d[row]);
  if (!(a_finite && b_finite && c_finite)) patch_nonfinite(m, lanes, d);
  scatter(d, lanes);
}

}  // namespace sonoma::emulator
