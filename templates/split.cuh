// FP32 points to pairs of FP16 halves under a power-of-two scale, and back.

// Products are summed for the matrix 2^10 F, so that the low halves of F stay normal in FP16.
constexpr int matrix_exponent = 10;

// Per register: the biased exponent of the scale 2^k of its group, and whether the group is finite.
struct Scales {
  unsigned exponent[8];
};

DEVICE unsigned magnitude(float2 a) {
  const unsigned re = bits_of(a.x) & 0x7fffffffu, im = bits_of(a.y) & 0x7fffffffu;
  return re > im ? re : im;
}

// Largest magnitude over a group: the registers and the lanes that differ in the given bits only.
// 2^k takes it to [2^14, 2^15), below the 65504 of FP16 and far above its subnormals; k <= 126 keeps
// 2^k and 2^-k normal and serves the group of zeros too. The biased exponent of a group that is not
// finite comes out as 13: no finite group has less than 14.
template <unsigned register_mask, unsigned lane_mask>
DEVICE Scales group_scales(const Tile& x) {
  Scales scales;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) scales.exponent[r] = magnitude(x.at[r]);
#pragma unroll
  for (unsigned bit = 1; bit < 8; bit *= 2) {
    if ((register_mask & bit) == 0) continue;
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) {
      if (r & bit) continue;
      const unsigned a = scales.exponent[r], b = scales.exponent[r | bit];
      scales.exponent[r] = scales.exponent[r | bit] = a > b ? a : b;
    }
  }
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & register_mask) {
      scales.exponent[r] = scales.exponent[r & ~register_mask];
      continue;
    }
    unsigned largest = scales.exponent[r];
    if constexpr (lane_mask == 31) {
      largest = warp_max(largest);
    } else {
#pragma unroll
      for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
        if ((lane_mask & lanes) == 0) continue;
        const unsigned other = shuffle_xor(largest, lanes);
        largest = largest > other ? largest : other;
      }
    }
    const unsigned wanted = 127 + 14 + 127 - (largest >> 23);
    scales.exponent[r] = wanted < 253 ? wanted : 253;
  }
  return scales;
}

constexpr unsigned exponent_of_nonfinite = 13;

// 2^k
DEVICE float scale_of(unsigned exponent) { return float_of(exponent << 23); }

// 2^-(k + matrix_exponent), possibly subnormal, exact. `contained`: NaN for a group that is not finite.
template <bool contained>
DEVICE float undo_of(unsigned exponent) {
  if (contained && exponent == exponent_of_nonfinite) return float_of(0x7fffffffu);
  const int e = 254 - matrix_exponent - static_cast<int>(exponent);
  return float_of(e > 0 ? static_cast<unsigned>(e) << 23 : 0x00800000u >> (1 - e));
}

// Halves of a pair of registers in one word, and what they leave.
struct SplitPair {
  unsigned hi, lo;
  float rest[2];
};
DEVICE SplitPair split_pair(float a, float b) {
  SplitPair s;
  s.hi = pack_halves(a, b);
  const float a_lo = a - low_half(s.hi), b_lo = b - high_half(s.hi);
  s.lo = pack_halves(a_lo, b_lo);
  s.rest[0] = a_lo - low_half(s.lo), s.rest[1] = b_lo - high_half(s.lo);
  return s;
}

// The halves of a tile; word q holds registers 2q and 2q + 1. x 2^k = hi + lo, up to 2^-23 x.
struct SplitTile {
  unsigned re_hi[4], re_lo[4], im_hi[4], im_lo[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, im_hi[q] = im.hi, im_lo[q] = im.lo;
  }
};
// The same with what is left: x 2^k = hi + lo + rest, exactly. For matrices that are exact themselves.
struct SplitTile3 {
  unsigned re_hi[4], re_lo[4], re_rest[4], im_hi[4], im_lo[4], im_rest[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, re_rest[q] = pack_halves(re.rest[0], re.rest[1]);
    im_hi[q] = im.hi, im_lo[q] = im.lo, im_rest[q] = pack_halves(im.rest[0], im.rest[1]);
  }
};

// A point under its scale. `contained`: points of groups that are not finite become zero (combine
// poisons the group), because the product runs over other groups too.
template <bool contained>
DEVICE float2 scaled(float2 a, unsigned exponent) {
  if (contained && exponent == exponent_of_nonfinite) return make_float2(0.0f, 0.0f);
  const float scale = scale_of(exponent);
  return make_float2(a.x * scale, a.y * scale);
}

template <bool contained, class Halves>
DEVICE Halves split(const Tile& x, const Scales& scales) {
  Halves halves;
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    const float2 a = scaled<contained>(x.at[2 * q], scales.exponent[2 * q]);
    const float2 b = scaled<contained>(x.at[2 * q + 1], scales.exponent[2 * q + 1]);
    halves.keep(q, split_pair(a.x, b.x), split_pair(a.y, b.y));
  }
  return halves;
}

// What the tensor cores return, by register of the accumulator layout. The corrections are
// accumulated apart, because tensor cores truncate what they add to a larger sum.
struct Product {
  float re[8], im[8], re_correction[8], im_correction[8];
};

// Main product + corrections, in FP32. A tensor core truncates its sum to FP32: where that bites in
// every sum (`truncated`), the main product is too small by half a unit in the last place on average,
// 2^-25 to 2^-24 of it, a bias that adds up over the steps. A little less than 2^-25 of it is given back
// before the one rounding: less than half a unit, so that an exact product with no corrections stays.
template <bool truncated>
DEVICE float joined(float main, float correction) {
  return main + (truncated ? fused_multiply_add(main, 0x1.ffp-26f, correction) : correction);
}

// Main product + corrections with the scale undone. A product from the left moves columns
// from g to t (see tile layouts), so the scale of a column is fetched from the lane that had it;
// `uniform`: all lanes have the same scale.
template <From from, bool truncated, bool contained, bool uniform>
DEVICE void combine(Tile& x, const Product& y, const Scales& scales) {
  const unsigned lane = thread_index() % 32, g = lane / 4, t = lane % 4;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    unsigned exponent = scales.exponent[r];
    if constexpr (from == From::left) {
      exponent = scales.exponent[r & 6];
      if constexpr (!uniform) exponent = shuffle(exponent, (2 * t + r % 2) * 4 + g / 2);
    }
    const float undo = undo_of<contained>(exponent);
    x.at[r] = make_float2(joined<truncated>(y.re[r], y.re_correction[r]) * undo,
                          joined<truncated>(y.im[r], y.im_correction[r]) * undo);
  }
}
