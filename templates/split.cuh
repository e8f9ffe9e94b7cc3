// FP32 points to pairs of FP16 halves under a power-of-two scale, and back.

// Products are summed for the matrix 2^10 F, so that the low halves of F stay normal in FP16.
constexpr int matrix_exponent = 10;

DEVICE unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

// The larger magnitude of the parts as bits, which are ordered like it. `with_nan`: NaN is the
// largest of all, not passed over.
template <bool with_nan>
DEVICE unsigned magnitude(float2 a) {
  if constexpr (!with_nan) return bits_of(max_magnitude(a.x, a.y));
  return larger(bits_of(a.x) & 0x7fffffffu, bits_of(a.y) & 0x7fffffffu);
}

// --- one scale for a transform ------------------------------------------------------------------
// The maximum of each warp, `place` bytes into shared memory.
DEVICE void publish_max(unsigned place, unsigned largest) {
  largest = warp_max(largest);
  unsigned* maxima = reinterpret_cast<unsigned*>(dynamic_shared() + place);
  if (thread_index() % 32 == 0) store_shared(maxima + thread_index() / 32, largest);
}
// Over the `warps` warps of a transform, which follow each other.
template <unsigned warps>
DEVICE unsigned published_max(unsigned place) {
  const unsigned* maxima = reinterpret_cast<const unsigned*>(dynamic_shared() + place);
  const unsigned first = thread_index() / 32 / warps * warps;
  return warp_max(load_shared(maxima + first + thread_index() % warps));
}

// 2^k takes the largest magnitude to [2^(target-1), 2^target), k <= most. A transform that is not
// finite gets some scale, which does not matter.
template <int target, int most>
DEVICE unsigned transform_exponent(unsigned largest) {  // k + 127
  const unsigned wanted = 127 + target - 1 + 127 - (largest >> 23);
  return wanted < 127 + most ? wanted : 127 + most;
}
template <int target, int most>
DEVICE float transform_scale(unsigned largest) {
  return float_of(transform_exponent<target, most>(largest) << 23);
}
// 2^(power - k), exact, possibly subnormal.
template <int target, int most, int power>
DEVICE float transform_undo(unsigned largest) {
  const int e = 254 + power - static_cast<int>(transform_exponent<target, most>(largest));
  return float_of(e > 0 ? static_cast<unsigned>(e) << 23 : 0x00800000u >> (1 - e));
}

// --- a scale for each step and group ------------------------------------------------------------
// Per register: the biased exponent of the scale 2^k of its group, and whether the group is finite.
struct Scales {
  unsigned exponent[8];
};

// Largest magnitude over a group: the registers and the lanes that differ in the given bits only.
// 2^k takes it to [2^14, 2^15), below the 65504 of FP16 and far above its subnormals; k <= 126
// keeps 2^k and 2^-k normal and serves the group of zeros too. `contained`: the biased exponent of
// a group that is not finite comes out as 13; no finite group has less than 14.
template <unsigned register_mask, unsigned lane_mask, bool contained>
DEVICE Scales group_scales(const Tile& x) {
  Scales scales;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) scales.exponent[r] = magnitude<contained>(x.at[r]);
#pragma unroll
  for (unsigned bit = 1; bit < 8; bit *= 2) {
    if ((register_mask & bit) == 0) continue;
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) {
      if (r & bit) continue;
      scales.exponent[r] = scales.exponent[r | bit] =
          larger(scales.exponent[r], scales.exponent[r | bit]);
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
        largest = larger(largest, shuffle_xor(largest, lanes));
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

// 2^-(k + matrix_exponent), possibly subnormal, exact. `contained`: NaN for a group that is not
// finite.
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

// The halves of a tile; word q holds registers 2q and 2q + 1. x 2^k = hi, up to 2^-12 x.
struct HighTile {
  static constexpr unsigned parts = 1;
  unsigned re_hi[4], im_hi[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, im_hi[q] = im.hi;
  }
};
// x 2^k = hi + lo, up to 2^-23 x.
struct SplitTile {
  static constexpr unsigned parts = 2;
  unsigned re_hi[4], re_lo[4], im_hi[4], im_lo[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, im_hi[q] = im.hi, im_lo[q] = im.lo;
  }
};
// The same with what is left: x 2^k = hi + lo + rest, exactly. For matrices that are exact
// themselves.
struct SplitTile3 {
  static constexpr unsigned parts = 3;
  unsigned re_hi[4], re_lo[4], re_rest[4], im_hi[4], im_lo[4], im_rest[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, re_rest[q] = pack_halves(re.rest[0], re.rest[1]);
    im_hi[q] = im.hi, im_lo[q] = im.lo, im_rest[q] = pack_halves(im.rest[0], im.rest[1]);
  }
};

// A point under its scale. `contained`: points of groups that are not finite become zero (combine
// poisons the group), because the product runs over other groups too.
template <bool contained>
DEVICE float2 under_scale(float2 a, unsigned exponent) {
  if (contained && exponent == exponent_of_nonfinite) return make_float2(0.0f, 0.0f);
  const float scale = scale_of(exponent);
  return make_float2(a.x * scale, a.y * scale);
}

template <bool contained, class Halves>
DEVICE Halves split(const Tile& x, const Scales& scales) {
  Halves halves;
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    const float2 a = under_scale<contained>(x.at[2 * q], scales.exponent[2 * q]);
    const float2 b = under_scale<contained>(x.at[2 * q + 1], scales.exponent[2 * q + 1]);
    halves.keep(q, split_pair(a.x, b.x), split_pair(a.y, b.y));
  }
  return halves;
}

// Under the one scale of the transform, or under none because it is on already.
template <class Halves>
DEVICE Halves split_transform(const Tile& x, float scale = 1.0f) {
  Halves halves;
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    const float2 a = x.at[2 * q], b = x.at[2 * q + 1];
    halves.keep(q, split_pair(a.x * scale, b.x * scale), split_pair(a.y * scale, b.y * scale));
  }
  return halves;
}

// What the tensor cores return, by register of the accumulator layout. The corrections are
// accumulated apart, because tensor cores truncate what they add to a larger sum. (A single product
// has none.)
struct Product {
  float re[8], im[8], re_correction[8], im_correction[8];
};

template <unsigned products>
DEVICE float2 joined(const Product& y, unsigned r) {
  if constexpr (products == 1) return make_float2(y.re[r], y.im[r]);
  return make_float2(y.re[r] + y.re_correction[r], y.im[r] + y.im_correction[r]);
}

// Main product + corrections, in FP32.
template <unsigned products>
DEVICE void join(Tile& x, const Product& y) {
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) x.at[r] = joined<products>(y, r);
}

// Main product + corrections with the scale undone. A product from the left moves columns
// from g to t (see tile layouts), so the scale of a column is fetched from the lane that had it;
// `uniform`: all lanes have the same scale.
template <From from, unsigned products, bool contained, bool uniform>
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
    const float2 sum = joined<products>(y, r);
    x.at[r] = make_float2(sum.x * undo, sum.y * undo);
  }
}
