// sonoma emit --n 256 --decomposition "(gs 16 (dft 16))" --engine mma --tensor-steps 1,2
//     --products 3 --points-per-thread 16 --block-points 1024 --registers 96 --stage-load 0
//     --stage-store 0 --arch sm_90
//
// DFT of 256 complex f32 points, forward, (gs 16 (dft 16))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine mma, 4 transform(s) a block, 64 threads, 16 points a thread, 0 bytes shared, at least 10
//     block(s) an SM
//   load direct: registers t1%2 t1/8 t2/8 b%2 | threads t1/2%4 t2%8 b/2 | folded t1 t2
//   phase 1: registers t1%2 t1/8 t2/8 b%2 | threads t1/2%4 t2%8 b/2 | folded t1 t2
//     step 1: radix 16, left (DFT matrix x tile)
//     step 2: radix 16, right (tile x DFT matrix)
//     leaves: registers k2%2 k1/8 k2/8 b%2 | threads k2/2%4 k1%8 b/2
//   store direct: registers k2%2 k1/8 k2/8 b%2 | threads k2/2%4 k1%8 b/2
//   a scale for each step and transform of a warp tile
//
// Costs of a transform: 10240 flops nominal, 24 MMAs (m16n8k16), 4096 bytes moved of 4096 needed.
// A block of 2 warps: 0 barriers, 0 trips through shared memory, 0 bank conflicts, 4224 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.12729e-06 (bound); of random input 1.21477e-07.
//
// To launch it:
//   grid     ceil(batch / 4) blocks
//   block    64 threads
//   shared   0 bytes, dynamic
//   in, out  device memory, 16-byte aligned
//   tables   4224 bytes
//            [0, 1024) DFT matrix of radix 16 times 2^10 in two halves, as fragments
//            [1024, 3072) after step 1: w^(k1 (t + 15 m / 2)), m = 16, w = exp(-2 pi i / 256)
//            [3072, 4096) DFT matrix of radix 16 times 2^10 in two halves, as fragments
//            [4096, 4224) after step 2: w^(k2 (t + 15 m / 2)), m = 1, w = exp(-2 pi i / 16)
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
DEVICE void warp_barrier() { __syncwarp(); }

// --- arithmetic (compiled with --fmad=false: what is fused is written fused) ---------------------
DEVICE float fused_multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
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
// FP32 points in global memory: one, or two neighbours, 16 bytes at a time.
template <class Access = Always>
DEVICE float2 load_point(const float2* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return make_float2(float_of(a.x), float_of(a.y));
}
template <class Access = Always>
DEVICE void store_point(float2* p, float2 a, Access access = {}) {
  store_word(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)), access);
}

// ===== points.cuh =====
// Complex points in registers, and their way to and from shared memory.

// 16 x 16 points of a warp, eight a lane.
struct Tile {
  float2 at[8];
};

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}

// --- factors -------------------------------------------------------------------------------------
// Two of a table: a unit of 16 bytes.
struct Factors {
  float2 first, second;
};
DEVICE Factors factors_of(uint4 unit) {
  return {make_float2(float_of(unit.x), float_of(unit.y)),
          make_float2(float_of(unit.z), float_of(unit.w))};
}

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

// left: rows, v and 15 - v in registers r and r + 2. right: columns, r and r + 4.
template <From from>
DEVICE void fold(Tile& x) {
  constexpr unsigned other = from == From::left ? 2 : 4;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & other) continue;
    const float2 a = x.at[r], b = x.at[r + other];
    x.at[r] = make_float2(a.x + b.x, a.y + b.y);
    x.at[r + other] = make_float2(a.y - b.y, b.x - a.x);
  }
}

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

// x 2^k = hi + lo, up to 2^-23 x.
struct SplitTile {
  static constexpr unsigned parts = 2;
  unsigned re_hi[4], re_lo[4], im_hi[4], im_lo[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, im_hi[q] = im.hi, im_lo[q] = im.lo;
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

// d += F x: x two words of fragment B.
DEVICE void add_left(float (&d)[4], const uint4& f, unsigned b0, unsigned b1) {
  mma_m16n8k16(d, f.x, f.y, f.z, f.w, b0, b1);
}
// d += x F^T, output columns 0-7 (half 0) or 8-15 (half 1): x four words of fragment A.
template <unsigned half>
DEVICE void add_right(float (&d)[4], const unsigned* a, const uint4& f) {
  mma_m16n8k16(d, a[0], a[1], a[2], a[3], half ? f.z : f.x, half ? f.w : f.y);
}

// y = F x of the real or of the imaginary parts, eight columns j at a time. `products`: hi hi; with
// 3 also lo hi and hi lo; with 4 also lo lo.
template <unsigned products>
DEVICE void left16_part(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                        const unsigned (&hi)[4], const unsigned* lo) {
#pragma unroll
  for (unsigned j = 0; j < 2; ++j) {
    float main[4] = {}, correction[4] = {};
    add_left(main, f.hi, hi[2 * j], hi[2 * j + 1]);
    if constexpr (products == 4) add_left(correction, f.lo, lo[2 * j], lo[2 * j + 1]);
    if constexpr (products > 1) {
      add_left(correction, f.lo, hi[2 * j], hi[2 * j + 1]);
      add_left(correction, f.hi, lo[2 * j], lo[2 * j + 1]);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      y[4 * j + e] = main[e], y_correction[4 * j + e] = correction[e];
    }
  }
}
template <unsigned products, class Halves>
DEVICE Product left16(const Matrix& f, const Halves& x) {
  Product y;
  if constexpr (products == 1) {
    left16_part<1>(y.re, y.re_correction, f, x.re_hi, nullptr);
    left16_part<1>(y.im, y.im_correction, f, x.im_hi, nullptr);
  } else {
    left16_part<products>(y.re, y.re_correction, f, x.re_hi, x.re_lo);
    left16_part<products>(y.im, y.im_correction, f, x.im_hi, x.im_lo);
  }
  return y;
}

// y = x F^T of the real or of the imaginary parts, eight columns at a time.
template <unsigned products, unsigned half>
DEVICE void right16_half(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                         const unsigned (&hi)[4], const unsigned* lo) {
  float main[4] = {}, correction[4] = {};
  add_right<half>(main, hi, f.hi);
  if constexpr (products == 4) add_right<half>(correction, lo, f.lo);
  if constexpr (products > 1) {
    add_right<half>(correction, hi, f.lo);
    add_right<half>(correction, lo, f.hi);
  }
#pragma unroll
  for (unsigned e = 0; e < 4; ++e) {
    y[4 * half + e] = main[e], y_correction[4 * half + e] = correction[e];
  }
}
template <unsigned products>
DEVICE void right16_part(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                         const unsigned (&hi)[4], const unsigned* lo) {
  right16_half<products, 0>(y, y_correction, f, hi, lo);
  right16_half<products, 1>(y, y_correction, f, hi, lo);
}
template <unsigned products, class Halves>
DEVICE Product right16(const Matrix& f, const Halves& x) {
  Product y;
  if constexpr (products == 1) {
    right16_part<1>(y.re, y.re_correction, f, x.re_hi, nullptr);
    right16_part<1>(y.im, y.im_correction, f, x.im_hi, nullptr);
  } else {
    right16_part<products>(y.re, y.re_correction, f, x.re_hi, x.re_lo);
    right16_part<products>(y.im, y.im_correction, f, x.im_hi, x.im_lo);
  }
  return y;
}

// ===== this plan =====
// The points of a thread
using Points = Tile[2];

DEVICE void load(Points& x, const float2* p0, const float2* p1, const float2* p2, const float2* p3,
                 unsigned column, unsigned columns) {
  x[0].at[0] = load_point(p0, When{column < columns});
  x[0].at[1] = load_point(p0 + 16, When{column < columns});
  x[0].at[2] = load_point(p1 + 144, When{column < columns});
  x[0].at[3] = load_point(p1 + 128, When{column < columns});
  x[0].at[4] = load_point(p2 + 8, When{column < columns});
  x[0].at[5] = load_point(p2 + 24, When{column < columns});
  x[0].at[6] = load_point(p3 + 152, When{column < columns});
  x[0].at[7] = load_point(p3 + 136, When{column < columns});
  x[1].at[0] = load_point(p0 + 256, When{column + 1 < columns});
  x[1].at[1] = load_point(p0 + 272, When{column + 1 < columns});
  x[1].at[2] = load_point(p1 + 400, When{column + 1 < columns});
  x[1].at[3] = load_point(p1 + 384, When{column + 1 < columns});
  x[1].at[4] = load_point(p2 + 264, When{column + 1 < columns});
  x[1].at[5] = load_point(p2 + 280, When{column + 1 < columns});
  x[1].at[6] = load_point(p3 + 408, When{column + 1 < columns});
  x[1].at[7] = load_point(p3 + 392, When{column + 1 < columns});
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  x[1].at[0] = complex_product(x[1].at[0], w0.first);
  x[1].at[1] = complex_product(x[1].at[1], w0.second);
  const Factors w1 = factors_of(load_table(f + 32));
  x[0].at[2] = complex_product(x[0].at[2], w1.first);
  x[0].at[3] = complex_product(x[0].at[3], w1.second);
  x[1].at[2] = complex_product(x[1].at[2], w1.first);
  x[1].at[3] = complex_product(x[1].at[3], w1.second);
  const Factors w2 = factors_of(load_table(f + 64));
  x[0].at[4] = complex_product(x[0].at[4], w2.first);
  x[0].at[5] = complex_product(x[0].at[5], w2.second);
  x[1].at[4] = complex_product(x[1].at[4], w2.first);
  x[1].at[5] = complex_product(x[1].at[5], w2.second);
  const Factors w3 = factors_of(load_table(f + 96));
  x[0].at[6] = complex_product(x[0].at[6], w3.first);
  x[0].at[7] = complex_product(x[0].at[7], w3.second);
  x[1].at[6] = complex_product(x[1].at[6], w3.first);
  x[1].at[7] = complex_product(x[1].at[7], w3.second);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  x[0].at[2] = complex_product(x[0].at[2], w0.first);
  x[0].at[3] = complex_product(x[0].at[3], w0.second);
  x[1].at[0] = complex_product(x[1].at[0], w0.first);
  x[1].at[1] = complex_product(x[1].at[1], w0.second);
  x[1].at[2] = complex_product(x[1].at[2], w0.first);
  x[1].at[3] = complex_product(x[1].at[3], w0.second);
  const Factors w1 = factors_of(load_table(f + 4));
  x[0].at[4] = complex_product(x[0].at[4], w1.first);
  x[0].at[5] = complex_product(x[0].at[5], w1.second);
  x[0].at[6] = complex_product(x[0].at[6], w1.first);
  x[0].at[7] = complex_product(x[0].at[7], w1.second);
  x[1].at[4] = complex_product(x[1].at[4], w1.first);
  x[1].at[5] = complex_product(x[1].at[5], w1.second);
  x[1].at[6] = complex_product(x[1].at[6], w1.first);
  x[1].at[7] = complex_product(x[1].at[7], w1.second);
}
DEVICE void store(Points& x, float2* p, unsigned column, unsigned columns) {
  store_point(p, x[0].at[0], When{column < columns});
  store_point(p + 16, x[0].at[1], When{column < columns});
  store_point(p + 8, x[0].at[2], When{column < columns});
  store_point(p + 24, x[0].at[3], When{column < columns});
  store_point(p + 128, x[0].at[4], When{column < columns});
  store_point(p + 144, x[0].at[5], When{column < columns});
  store_point(p + 136, x[0].at[6], When{column < columns});
  store_point(p + 152, x[0].at[7], When{column < columns});
  store_point(p + 256, x[1].at[0], When{column + 1 < columns});
  store_point(p + 272, x[1].at[1], When{column + 1 < columns});
  store_point(p + 264, x[1].at[2], When{column + 1 < columns});
  store_point(p + 280, x[1].at[3], When{column + 1 < columns});
  store_point(p + 384, x[1].at[4], When{column + 1 < columns});
  store_point(p + 400, x[1].at[5], When{column + 1 < columns});
  store_point(p + 392, x[1].at[6], When{column + 1 < columns});
  store_point(p + 408, x[1].at[7], When{column + 1 < columns});
}

// ===== the kernel =====
// One block transforms 1024 points: 4 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 10)
sonoma_c2c_f32_n256_forward_mma(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 4ull * block_index();  // the first one
  in += transform * 256ull, out += transform * 256ull;
  const unsigned columns = at_most(batch - transform, 4);
  Points x;

  // Load: registers t1%2 t1/8 t2/8 b%2 | threads t1/2%4 t2%8 b/2 | folded t1 t2
  load(x, in + (thread % 4 * 32 + thread / 4 % 8 + thread / 32 * 512),
       in + ((3 - thread % 4) * 32 + thread / 4 % 8 + thread / 32 * 512),
       in + (thread % 4 * 32 + (7 - thread / 4 % 8) + thread / 32 * 512),
       in + ((3 - thread % 4) * 32 + (7 - thread / 4 % 8) + thread / 32 * 512), thread / 32 * 2,
       columns);

  const Matrix f16_left = load_matrix(tables);

  // Step 1: radix 16 over t1, DFT matrix x tile, over rows
  fold<From::left>(x[0]);
  const Scales scales1a = group_scales<7, 31, false>(x[0]);
  const SplitTile halves1a = split<false, SplitTile>(x[0], scales1a);
  const Product product1a = left16<3>(f16_left, halves1a);
  combine<From::left, 3, false, true>(x[0], product1a, scales1a);
  fold<From::left>(x[1]);
  const Scales scales1b = group_scales<7, 31, false>(x[1]);
  const SplitTile halves1b = split<false, SplitTile>(x[1], scales1b);
  const Product product1b = left16<3>(f16_left, halves1b);
  combine<From::left, 3, false, true>(x[1], product1b, scales1b);
  twiddle_1(x, tables + 64 + thread % 32);

  const Matrix f16_right = load_matrix(tables + 192);

  // Step 2: radix 16 over t2, tile x DFT matrix, over columns
  fold<From::right>(x[0]);
  const Scales scales2a = group_scales<7, 31, false>(x[0]);
  const SplitTile halves2a = split<false, SplitTile>(x[0], scales2a);
  const Product product2a = right16<3>(f16_right, halves2a);
  combine<From::right, 3, false, true>(x[0], product2a, scales2a);
  fold<From::right>(x[1]);
  const Scales scales2b = group_scales<7, 31, false>(x[1]);
  const SplitTile halves2b = split<false, SplitTile>(x[1], scales2b);
  const Product product2b = right16<3>(f16_right, halves2b);
  combine<From::right, 3, false, true>(x[1], product2b, scales2b);
  twiddle_2(x, tables + 256 + thread % 4);
  warp_barrier();

  // Store: registers k2%2 k1/8 k2/8 b%2 | threads k2/2%4 k1%8 b/2
  store(x, out + (thread % 4 * 32 + thread / 4 % 8 + thread / 32 * 512), anew(thread / 32 * 2),
        columns);
}
