// sonoma emit --n 2 --decomposition "(dft 2)" --engine mma --tensor-steps 1 --products 3
//     --points-per-thread 16 --block-points 1024 --registers 160 --stage-load 0 --stage-store 0
//     --arch sm_90
//
// DFT of 2 complex f32 points, forward, (dft 2)
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine mma, 512 transform(s) a block, 64 threads, 16 points a thread, 0 bytes shared, at least
//     6 block(s) an SM
//   load direct: registers t1 b/32%8 | threads b%32 b/256
//   phase 1: registers t1 b/32%8 | threads b%32 b/256
//     step 1: radix 2, right (tile x DFT matrix)
//   store direct: registers k1 b/32%8 | threads b%32 b/256
//   a scale for each step and transform of a warp tile
//
// Costs of a transform: 10 flops nominal, 0.09375 MMAs (m16n8k16), 32 bytes moved of 32 needed.
// A block of 2 warps: 0 barriers, 0 trips through shared memory, 0 bank conflicts, 1024 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.09733e-07 (bound); of random input 2.53118e-08.
//
// To launch it:
//   grid     ceil(batch / 512) blocks
//   block    64 threads
//   shared   0 bytes, dynamic
//   in, out  device memory, 16-byte aligned
//   tables   1024 bytes
//            [0, 1024) DFT matrix of radix 2 times 2^10 in two halves, as fragments
//   batch    transforms
// nvcc -cubin -arch=sm_90 -std=c++17 --fmad=false FILE.cu

// ===== instructions.cuh =====
// One wrapper per instruction. Everything above this layer is plain C++: an emulated device
// (SONOMA_EMULATED) brings its own versions of exactly these functions and runs the same text.
#ifndef SONOMA_EMULATED
#define DEVICE static __device__ __forceinline__

// --- threads -----------------------------------------------------------------------------------
DEVICE unsigned thread_index() { return threadIdx.x; }
// The same number; but what was computed from it before is not kept in registers for what follows.
DEVICE unsigned anew(unsigned p) {
  asm volatile("" : "+r"(p));
  return p;
}
DEVICE unsigned block_index() { return blockIdx.x; }

// --- arithmetic (compiled with --fmad=false: what is fused is written fused) ---------------------
DEVICE unsigned bits_of(float value) { return __float_as_uint(value); }
DEVICE float float_of(unsigned bits) { return __uint_as_float(bits); }
// The larger magnitude; that of the other where one is NaN.
DEVICE float max_magnitude(float a, float b) { return fmaxf(fabsf(a), fabsf(b)); }

// Two floats rounded to nearest even to FP16 and packed, `low` in the low 16 bits.
DEVICE unsigned pack_halves(float low, float high) {
#if __CUDA_ARCH__ >= 800
  unsigned packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
#else
  unsigned packed;
  asm("{ .reg .f16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
      : "=r"(packed)
      : "f"(low), "f"(high));
  return packed;
#endif
}
DEVICE float low_half(unsigned packed) {
  float value;
  asm("{ .reg .f16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(value) : "r"(packed));
  return value;
}
DEVICE float high_half(unsigned packed) {
  float value;
  asm("{ .reg .f16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(value) : "r"(packed));
  return value;
}

// --- a warp together (all 32 lanes call) ---------------------------------------------------------
DEVICE unsigned shuffle_xor(unsigned value, unsigned lane_mask) {
  return __shfl_xor_sync(0xffffffffu, value, lane_mask);
}
DEVICE unsigned shuffle(unsigned value, unsigned source_lane) {
  return __shfl_sync(0xffffffffu, value, source_lane);
}
DEVICE unsigned warp_max(unsigned value) {
#if __CUDA_ARCH__ >= 800
  unsigned largest;
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(largest) : "r"(value));
  return largest;
#else
#pragma unroll
  for (unsigned mask = 16; mask > 0; mask >>= 1) {
    value = max(value, __shfl_xor_sync(0xffffffffu, value, mask));
  }
  return value;
#endif
}
// d += A B: A 16x16 and B 16x8 of FP16, d 16x8 of FP32. With g = lane / 4, t = lane % 4
// (PTX ISA, "Matrix Fragments for mma.m16n8k16"):
//   a[0], a[1], a[2], a[3]: A(g, 2t..), A(g+8, 2t..), A(g, 2t+8..), A(g+8, 2t+8..), two columns
// each
//   b0, b1: B(2t.., g), B(2t+8.., g), two rows each
//   d[0], d[1], d[2], d[3]: D(g, 2t), D(g, 2t+1), D(g+8, 2t), D(g+8, 2t+1)
DEVICE void mma_m16n8k16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                         unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

// --- memory -------------------------------------------------------------------------------------
template <class T>
DEVICE T load_global(const T* p) {
  return *p;
}
template <class T>
DEVICE void store_global(T* p, T value) {
  *p = value;
}
// Zero, and nothing read, where not `valid`. (As a predicate: an `if` would become a branch around
// every load.)
DEVICE unsigned load_global_if(const unsigned* p, bool valid) {
  unsigned a;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.b32 %0, 0; @p ld.global.b32 %0, [%1]; }"
               : "=&r"(a)
               : "l"(p), "r"(static_cast<unsigned>(valid)));
  return a;
}
DEVICE uint2 load_global_if(const uint2* p, bool valid) {
  uint2 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %3, 0; mov.b32 %0, 0; mov.b32 %1, 0; "
      "@p ld.global.v2.b32 {%0, %1}, [%2]; }"
      : "=&r"(a.x), "=&r"(a.y)
      : "l"(p), "r"(static_cast<unsigned>(valid)));
  return a;
}
DEVICE uint4 load_global_if(const uint4* p, bool valid) {
  uint4 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %5, 0; mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; "
      "mov.b32 %3, 0; @p ld.global.v4.b32 {%0, %1, %2, %3}, [%4]; }"
      : "=&r"(a.x), "=&r"(a.y), "=&r"(a.z), "=&r"(a.w)
      : "l"(p), "r"(static_cast<unsigned>(valid)));
  return a;
}
// Only where `valid`.
DEVICE void store_global_if(unsigned* p, unsigned value, bool valid) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.b32 [%0], %2; }" ::"l"(p),
               "r"(static_cast<unsigned>(valid)), "r"(value)
               : "memory");
}
DEVICE void store_global_if(uint2* p, uint2 value, bool valid) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v2.b32 [%0], {%2, %3}; }" ::"l"(p),
      "r"(static_cast<unsigned>(valid)), "r"(value.x), "r"(value.y)
      : "memory");
}
DEVICE void store_global_if(uint4* p, uint4 value, bool valid) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v4.b32 [%0], {%2, %3, %4, %5}; }" ::"l"(
          p),
      "r"(static_cast<unsigned>(valid)), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
      : "memory");
}
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

#endif  // SONOMA_EMULATED

// ===== global.cuh =====
// Columns of a tile, where so many are left.
DEVICE unsigned at_most(unsigned long long left, unsigned columns) {
  return left < columns ? static_cast<unsigned>(left) : columns;
}

// How an access meets global memory: always; only when a condition holds, else the point reads as
// zero and is not stored; streamed: what is touched once is the first to leave the caches.
struct Always {};
struct When {
  bool there;
};
template <class T>
DEVICE T load_word(const T* p, Always) {
  return load_global(p);
}
template <class T>
DEVICE T load_word(const T* p, When when) {
  return load_global_if(p, when.there);
}
template <class T>
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}
template <class T>
DEVICE void store_word(T* p, T word, When when) {
  store_global_if(p, word, when.there);
}

// ===== storage_32.cuh =====
template <class Access = Always>
DEVICE void load_pair(const float2* p, float2& first, float2& second, Access access = {}) {
  const uint4 a = load_word(reinterpret_cast<const uint4*>(p), access);
  first = make_float2(float_of(a.x), float_of(a.y));
  second = make_float2(float_of(a.z), float_of(a.w));
}
template <class Access = Always>
DEVICE void store_pair(float2* p, float2 first, float2 second, Access access = {}) {
  store_word(reinterpret_cast<uint4*>(p),
             make_uint4(bits_of(first.x), bits_of(first.y), bits_of(second.x), bits_of(second.y)),
             access);
}

// ===== points.cuh =====
// Complex points in registers, and their way to and from shared memory.

// 16 x 16 points of a warp, eight a lane.
struct Tile {
  float2 at[8];
};

// ===== fold.cuh =====
// DFT of 16 points as two real products of 16 x 16, not four.
//
// About the centre 15/2 the cosines of a DFT are even and its sines odd in v. With e = x[v] +
// x[15-v], o = x[v] - x[15-v], v = 0 ... 7, sign -1 forward and +1 inverse,
//   X[k] = w^(15 k / 2) Z[k],  Re Z = cos e_re - sign sin o_im,  Im Z = cos e_im + sign sin o_re,
// cos and sin of 2 pi k (v - 15/2) / 16. So Z is one real matrix F = [cos, -sign sin] times two
// real vectors: (e_re, o_im) and (e_im, -o_re). fold() leaves the first in the real parts of the
// tile, the second in the imaginary parts. The factor w^(15 k / 2) is part of the twiddle.

enum class From { left, right };

// ===== split.cuh =====
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

// ===== mma_ptx.cuh =====
// Products of DFT matrices and split tiles with mma.sync.
//
// Layouts of a tile, with g = lane / 4, t = lane % 4 and register r = i0 + 2 i1 + 4 i2:
//   operand:      row = 2t + i0 + 8 i1, column = g + 8 i2   (fragment B)
//   accumulator:  row = g + 8 i1, column = 2t + i0 + 8 i2   (fragments A and C)
// left: DFT over rows, operand -> accumulator. right: DFT over columns, accumulator -> accumulator.
// A real 16 x 16 matrix F, hi and lo. For products from the left: the words of fragment A of F.
// From the right: two words of fragment B of its transpose for output columns 0-7, two for 8-15.
// Radix 16: the folded DFT of fold.cuh. Radix 8 and below: [cos -sin; sin cos] of eight complex
// values, of which radix r < 8 transforms 8 / r groups; radix <= 4 is exact in FP16: it has no lo,
// and takes a third part of the data instead.
struct Matrix {
  uint4 hi, lo;
};
DEVICE Matrix load_matrix(const uint4* table) {
  const unsigned lane = thread_index() % 32;
  return {load_table(table + lane), load_table(table + 32 + lane)};
}

// d += x F^T, output columns 0-7 (half 0) or 8-15 (half 1): x four words of fragment A.
template <unsigned half>
DEVICE void add_right(float (&d)[4], const unsigned* a, const uint4& f) {
  mma_m16n8k16(d, a[0], a[1], a[2], a[3], half ? f.z : f.x, half ? f.w : f.y);
}

// The words of columns 8 h ... 8 h + 7 of a tile as fragment A: real parts first, then imaginary.
struct FragmentA {
  unsigned word[4];
};
DEVICE FragmentA half_columns(const unsigned (&re)[4], const unsigned (&im)[4], unsigned h) {
  return {{re[2 * h], re[2 * h + 1], im[2 * h], im[2 * h + 1]}};
}

// Output columns 0-7 of a product are real parts (half 0), 8-15 imaginary (half 1).
template <unsigned radix, unsigned products, unsigned half, class Halves>
DEVICE void right8_half(float (&y)[8], float (&y_correction)[8], const Matrix& f, const Halves& x) {
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) {
    float main[4] = {}, correction[4] = {};
    const FragmentA hi = half_columns(x.re_hi, x.im_hi, h);
    add_right<half>(main, hi.word, f.hi);
    if constexpr (products > 1) {
      const FragmentA lo = half_columns(x.re_lo, x.im_lo, h);
      if constexpr (radix <= 4) {
        add_right<half>(correction, half_columns(x.re_rest, x.im_rest, h).word, f.hi);
      } else {
        if constexpr (products == 4) add_right<half>(correction, lo.word, f.lo);
        add_right<half>(correction, hi.word, f.lo);
      }
      add_right<half>(correction, lo.word, f.hi);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      y[4 * h + e] = main[e], y_correction[4 * h + e] = correction[e];
    }
  }
}
template <unsigned radix, unsigned products, class Halves>
DEVICE Product right8(const Matrix& f, const Halves& x) {
  Product y;
  right8_half<radix, products, 0>(y.re, y.re_correction, f, x);
  right8_half<radix, products, 1>(y.im, y.im_correction, f, x);
  return y;
}

// ===== this plan =====
// The points of a thread
using Points = Tile[2];

DEVICE void load(Points& x, const float2* p, unsigned column, unsigned columns) {
  load_pair(p, x[0].at[0], x[0].at[1], When{column < columns});
  load_pair(p + 64, x[0].at[2], x[0].at[3], When{column + 32 < columns});
  load_pair(p + 128, x[0].at[4], x[0].at[5], When{column + 64 < columns});
  load_pair(p + 192, x[0].at[6], x[0].at[7], When{column + 96 < columns});
  load_pair(p + 256, x[1].at[0], x[1].at[1], When{column + 128 < columns});
  load_pair(p + 320, x[1].at[2], x[1].at[3], When{column + 160 < columns});
  load_pair(p + 384, x[1].at[4], x[1].at[5], When{column + 192 < columns});
  load_pair(p + 448, x[1].at[6], x[1].at[7], When{column + 224 < columns});
}
DEVICE void store(Points& x, float2* p, unsigned column, unsigned columns) {
  store_pair(p, x[0].at[0], x[0].at[1], When{column < columns});
  store_pair(p + 64, x[0].at[2], x[0].at[3], When{column + 32 < columns});
  store_pair(p + 128, x[0].at[4], x[0].at[5], When{column + 64 < columns});
  store_pair(p + 192, x[0].at[6], x[0].at[7], When{column + 96 < columns});
  store_pair(p + 256, x[1].at[0], x[1].at[1], When{column + 128 < columns});
  store_pair(p + 320, x[1].at[2], x[1].at[3], When{column + 160 < columns});
  store_pair(p + 384, x[1].at[4], x[1].at[5], When{column + 192 < columns});
  store_pair(p + 448, x[1].at[6], x[1].at[7], When{column + 224 < columns});
}

// ===== the kernel =====
// One block transforms 1024 points: 512 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 6)
sonoma_c2c_f32_n2_forward_mma(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 512ull * block_index();  // the first one
  in += transform * 2ull, out += transform * 2ull;
  const unsigned columns = at_most(batch - transform, 512);
  Points x;

  // Load: registers t1 b/32%8 | threads b%32 b/256
  load(x, in + (thread % 32 * 2 + thread / 32 * 512), thread % 32 + thread / 32 * 256, columns);

  const Matrix f2_right = load_matrix(tables);

  // Step 1: radix 2 over t1, tile x DFT matrix, over columns
  const Scales scales1a = group_scales<1, 0, true>(x[0]);
  const SplitTile3 halves1a = split<true, SplitTile3>(x[0], scales1a);
  const Product product1a = right8<2, 3>(f2_right, halves1a);
  combine<From::right, 3, true, false>(x[0], product1a, scales1a);
  const Scales scales1b = group_scales<1, 0, true>(x[1]);
  const SplitTile3 halves1b = split<true, SplitTile3>(x[1], scales1b);
  const Product product1b = right8<2, 3>(f2_right, halves1b);
  combine<From::right, 3, true, false>(x[1], product1b, scales1b);

  // Store: registers k1 b/32%8 | threads b%32 b/256
  store(x, out + (thread % 32 * 2 + thread / 32 * 512), anew(thread % 32 + thread / 32 * 256),
        columns);
}
