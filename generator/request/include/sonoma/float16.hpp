// binary16 and bfloat16 by integer arithmetic: the same bits on every host. Also a part of the text
// of every emulated kernel, so that it includes nothing.
#ifndef SONOMA_FLOAT16
#define SONOMA_FLOAT16

namespace sonoma {

inline unsigned float_bits(float value) { return __builtin_bit_cast(unsigned, value); }
inline float float_from_bits(unsigned bits) { return __builtin_bit_cast(float, bits); }

/// Rounds to nearest even, as cvt.rn.f16.f32 does: overflow gives infinity, every NaN 0x7fff.
inline unsigned short half_from_float(float value) {
  const unsigned bits = float_bits(value);
  const unsigned sign = bits >> 16 & 0x8000u;
  const unsigned magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fffu;
  if (magnitude >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Below 2^-14 a unit of FP16 is 2^-24, the unit of FP32 at 0.5: the addition rounds.
    const float rounded = float_from_bits(magnitude) + 0.5f;
    return static_cast<unsigned short>(sign | (float_bits(rounded) - 0x3f000000u));
  }
  const unsigned odd = magnitude >> 13 & 1u;
  return static_cast<unsigned short>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

/// Exact; a NaN keeps its payload.
inline float float_from_half(unsigned short half) {
  const unsigned sign = (half & 0x8000u) << 16;
  const unsigned magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) return float_from_bits(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude < 0x400u) {
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return float_from_bits(sign | float_bits(value));
  }
  return float_from_bits(sign | ((magnitude << 13) + 0x38000000u));
}

/// The same for the upper 16 bits of a float, as cvt.rn.bf16.f32 does it.
inline unsigned short bfloat_from_float(float value) {
  const unsigned bits = float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/// Exact; a NaN keeps its payload.
inline float float_from_bfloat(unsigned short bfloat) {
  return float_from_bits(static_cast<unsigned>(bfloat) << 16);
}

}  // namespace sonoma

#endif  // SONOMA_FLOAT16
