// sonoma emit --n 64 --decomposition "(gs 16 (dft 4))" --engine mma --mma-form wmma
//     --tensor-steps 1 --products 3 --points-per-thread 16 --block-points 1024 --registers 160
//     --stage-load 1 --stage-store 0 --arch sm_75
//
// DFT of 64 complex f32 points, forward, (gs 16 (dft 4))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine mma (wmma), 16 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared,
//     at least 6 block(s) an SM
//   load through shared memory: registers t2%2 b%8 | threads t2/2 t1 b/8
//   phase 1: registers t1%2 t2%2 t1/8 t2/2 | threads t1/2%4 b | folded t1
//     step 1: radix 16, right (tile x DFT matrix)
//     step 2: radix 4, butterflies in registers
//     leaves: registers k1%2 k2%2 k1/8 k2/2 | threads k1/2%4 b
//   store direct: registers k1%2 k2%2 k1/8 k2/2 | threads k1/2%4 b
//   a scale for each step and transform of a warp tile
//   point p lies at p ^ ((p >> 3 ^ p >> 4) & 14) in shared memory
//
// Costs of a transform: 1920 flops nominal, 3 MMAs (m16n8k16), 1024 bytes moved of 1024 needed.
// A block of 2 warps: 1 barriers, 1 trips through shared memory, 0 bank conflicts, 1536 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.43199e-06 (bound).
//
// To launch it:
//   grid     ceil(batch / 16) blocks
//   block    64 threads
//   shared   8192 bytes, dynamic
//   in, out  device memory, 16-byte aligned
//   tables   1536 bytes
//            [0, 1024) DFT matrix of radix 16 times 2^10 in two halves, as fragments
//            [1024, 1536) after step 1: w^(k1 (t + 15 m / 2)), m = 4, w = exp(-2 pi i / 64)
//   batch    transforms
// nvcc -cubin -arch=sm_75 -std=c++17 --fmad=false FILE.cu

#ifndef SONOMA_EMULATED
#include <mma.h>
#endif
// ===== instructions.cuh =====
// One wrapper per instruction. Everything above this layer is plain C++: an emulated device
// (SONOMA_EMULATED) brings its own versions of exactly these functions and runs the same text.
#ifndef SONOMA_EMULATED
#define DEVICE static __device__ __forceinline__

// --- threads -----------------------------------------------------------------------------------
DEVICE unsigned thread_index() { return threadIdx.x; }
DEVICE unsigned block_index() { return blockIdx.x; }
DEVICE void block_barrier() { __syncthreads(); }
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

// --- memory -------------------------------------------------------------------------------------
// The block's dynamic shared memory, 16-byte aligned.
DEVICE unsigned char* dynamic_shared() {
  extern __shared__ float4 dynamic_shared_memory[];
  return reinterpret_cast<unsigned char*>(dynamic_shared_memory);
}
// T: unsigned short, unsigned, uint2, uint4, float, float2 or float4; p aligned to sizeof(T).
template <class T>
DEVICE T load_shared(const T* p) {
  return *p;
}
template <class T>
DEVICE void store_shared(T* p, T value) {
  *p = value;
}
template <class T>
DEVICE void store_global(T* p, T value) {
  *p = value;
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

// 16 bytes from global to shared memory; zeros, and nothing read, where `valid` is false. The data
// is there for the calling thread after wait_for_copies(), for the others after a barrier.
DEVICE void copy_async(float4* shared, const float4* global, bool valid = true) {
#if __CUDA_ARCH__ >= 800
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global),
               "r"(valid ? 16 : 0)
               : "memory");
#else
  *shared = valid ? *global : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#endif
}
DEVICE void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
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
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}
template <class T>
DEVICE void store_word(T* p, T word, When when) {
  store_global_if(p, word, when.there);
}

// ===== storage_32.cuh =====
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

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}

// --- shared memory: a place has 8 bytes ----------------------------------------------------------
DEVICE float2* shared_point(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}
// Two neighbours, 16 bytes at a time.
DEVICE void load_shared_pair(const float2* place, float2& first, float2& second) {
  const float4 pair = load_shared(reinterpret_cast<const float4*>(place));
  first = make_float2(pair.x, pair.y);
  second = make_float2(pair.z, pair.w);
}
// Two neighbours from global memory, without waiting.
DEVICE void copy_pair(float2* place, const float2* from, bool there = true) {
  copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), there);
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

// ===== mma_wmma.cuh =====
// Products of DFT matrices and split tiles with the portable nvcuda::wmma API (sm_70 and later).
//
// Layouts of a tile, with g = lane / 4, t = lane % 4 and register r = i0 + 2 i1 + 4 i2:
//   operand:      row = 2t + i0 + 8 i1, column = g + 8 i2
//   accumulator:  row = g + 8 i1, column = 2t + i0 + 8 i2
// left: DFT over rows, operand -> accumulator. right: DFT over columns, accumulator -> accumulator.
// What a lane holds of a wmma fragment is not documented, so that every operand and result goes
// through 2 KiB of shared memory that belongs to the warp.

// A real 16 x 16 matrix F, hi and lo, row-major, in the tables. Radix 16: the folded DFT of
// fold.cuh. Radix 8 and below: [cos -sin; sin cos] of eight complex values, of which radix r < 8
// transforms 8 / r groups; radix <= 4 is exact in FP16: it has no lo, and takes a third part of the
// data instead.
struct Matrix {
  const half *hi, *lo;
};
DEVICE Matrix load_matrix(const uint4* table) {
  const half* at = reinterpret_cast<const half*>(table);
  return {at, at + 256};
}

using FragmentA =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major>;
using FragmentB =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::col_major>;
using Accumulator = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;

// Main sum and corrections of one 16 x 16 real result.
struct Sums {
  Accumulator main, correction;
};
DEVICE Sums no_sums() {
  Sums sums;
  nvcuda::wmma::fill_fragment(sums.main, 0.0f);
  nvcuda::wmma::fill_fragment(sums.correction, 0.0f);
  return sums;
}
// d += F x for data x on the right of F, d += x F^T for data on its left.
template <class Sum>
DEVICE void add_product(Sum& d, const half* f, const FragmentB& x) {
  FragmentA a;
  nvcuda::wmma::load_matrix_sync(a, f, 16);
  nvcuda::wmma::mma_sync(d, a, x, d);
}
template <class Sum>
DEVICE void add_product(Sum& d, const half* f, const FragmentA& x) {
  FragmentB b;
  nvcuda::wmma::load_matrix_sync(b, f, 16);
  nvcuda::wmma::mma_sync(d, x, b, d);
}

DEVICE unsigned char* staging() { return dynamic_shared() + thread_index() / 32 * 2048; }
DEVICE half* staged_half(unsigned matrix, unsigned element) {
  return reinterpret_cast<half*>(staging()) + 256 * matrix + element;
}

// Two halves that follow each other along the contracted index, to their place: data is
// column-major on the right of a matrix (left), row-major on its left (right).
template <From from>
DEVICE void stage(unsigned matrix, unsigned row, unsigned column, unsigned halves) {
  const unsigned element = from == From::left ? 16 * column + row : 16 * row + column;
  store_shared(reinterpret_cast<unsigned*>(staged_half(matrix, element)), halves);
}

// Row and column of the first point of word q in the layout before a product.
template <From from>
DEVICE uint2 place_of_word(unsigned q) {
  const unsigned g = thread_index() % 32 / 4, t = thread_index() % 4;
  return from == From::left ? make_uint2(2 * t + 8 * (q % 2), g + 8 * (q / 2))
                            : make_uint2(g + 8 * (q % 2), 2 * t + 8 * (q / 2));
}

// Re, Im of hi and of lo as four 16 x 16 matrices.
template <From from, class Halves>
DEVICE void stage16(const Halves& x) {
  warp_barrier();
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    const uint2 at = place_of_word<from>(q);
    stage<from>(0, at.x, at.y, x.re_hi[q]);
    stage<from>(1, at.x, at.y, x.im_hi[q]);
    if constexpr (Halves::parts > 1) {
      stage<from>(2, at.x, at.y, x.re_lo[q]);
      stage<from>(3, at.x, at.y, x.im_lo[q]);
    }
  }
  warp_barrier();
}

// Registers of `first` and `second` from a 16 x 16 result at the place in the accumulator layout.
DEVICE float staged_float(unsigned row, unsigned column) {
  return load_shared(reinterpret_cast<const float*>(staging()) + 16 * row + column);
}
DEVICE void fetch16(float (&y)[8], Accumulator& sum) {
  const unsigned g = thread_index() % 32 / 4, t = thread_index() % 4;
  warp_barrier();
  nvcuda::wmma::store_matrix_sync(reinterpret_cast<float*>(staging()), sum, 16,
                                  nvcuda::wmma::mem_row_major);
  warp_barrier();
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    y[r] = staged_float(g + 8 * (r / 2 % 2), 2 * t + r % 2 + 8 * (r / 4));
  }
}

// Product of one part of the data (`m`: real 0, imaginary 1): hi hi; with 3 products also lo hi and
// hi lo; with 4 also lo lo.
template <unsigned products, class X>
DEVICE Sums sums16(const Matrix& f, unsigned m) {
  Sums sums = no_sums();
  X hi;
  nvcuda::wmma::load_matrix_sync(hi, staged_half(m, 0), 16);
  add_product(sums.main, f.hi, hi);
  if constexpr (products > 1) {
    X lo;
    nvcuda::wmma::load_matrix_sync(lo, staged_half(2 + m, 0), 16);
    if constexpr (products == 4) add_product(sums.correction, f.lo, lo);
    add_product(sums.correction, f.lo, hi), add_product(sums.correction, f.hi, lo);
  }
  return sums;
}

template <unsigned products, class X, From from, class Halves>
DEVICE Product product16(const Matrix& f, const Halves& halves) {
  stage16<from>(halves);
  Sums re = sums16<products, X>(f, 0), im = sums16<products, X>(f, 1);
  Product y;
  fetch16(y.re, re.main);
  fetch16(y.im, im.main);
  if constexpr (products > 1) {
    fetch16(y.re_correction, re.correction);
    fetch16(y.im_correction, im.correction);
  }
  return y;
}

template <unsigned products, class Halves>
DEVICE Product right16(const Matrix& f, const Halves& x) {
  return product16<products, FragmentA, From::right>(f, x);
}

// ===== butterflies.cuh =====
// DFTs of 2, 4, 8, 16 and 32 points in registers; sign -1 forward, +1 inverse. Results in natural
// order. Complex factors are applied as fused products of both parts, never as (re + im) * c, so
// that nothing overflows that the exact result does not. Every line is straight: what a compiler
// would have to unroll takes it ten times as long.

DEVICE float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
DEVICE float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

// a * (sign i)
template <int sign>
DEVICE float2 turned(float2 a) {
  return sign < 0 ? make_float2(a.y, -a.x) : make_float2(-a.y, a.x);
}

template <int sign>
DEVICE void dft4(float2& a, float2& b, float2& c, float2& d) {
  const float2 even = a + c, odd = b + d, even_difference = a - c;
  const float2 odd_difference = turned<sign>(b - d);
  a = even + odd;
  c = even - odd;
  b = even_difference + odd_difference;
  d = even_difference - odd_difference;
}

// ===== this plan =====
// The points of a thread
using Points = Tile[2];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 3 ^ p >> 4) & 14); }

DEVICE void copy(unsigned place, const float2* p, unsigned column, unsigned columns) {
  copy_pair(shared_point(place), p, column < columns);
  copy_pair(shared_point(place ^ 12) + 64, p + 64, column + 1 < columns);
  copy_pair(shared_point(place ^ 8) + 128, p + 128, column + 2 < columns);
  copy_pair(shared_point(place ^ 4) + 192, p + 192, column + 3 < columns);
  copy_pair(shared_point(place) + 256, p + 256, column + 4 < columns);
  copy_pair(shared_point(place ^ 12) + 320, p + 320, column + 5 < columns);
  copy_pair(shared_point(place ^ 8) + 384, p + 384, column + 6 < columns);
  copy_pair(shared_point(place ^ 4) + 448, p + 448, column + 7 < columns);
}
DEVICE void read_0(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0].at[0], x[0].at[2]);
  load_shared_pair(shared_point(place ^ 4), x[0].at[1], x[0].at[3]);
  load_shared_pair(shared_point(place ^ 24) + 32, x[0].at[4], x[0].at[6]);
  load_shared_pair(shared_point(place ^ 28) + 32, x[0].at[5], x[0].at[7]);
  load_shared_pair(shared_point(place ^ 2), x[1].at[0], x[1].at[2]);
  load_shared_pair(shared_point(place ^ 6), x[1].at[1], x[1].at[3]);
  load_shared_pair(shared_point(place ^ 26) + 32, x[1].at[4], x[1].at[6]);
  load_shared_pair(shared_point(place ^ 30) + 32, x[1].at[5], x[1].at[7]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  const Factors w1 = factors_of(load_table(f + 4));
  x[0].at[2] = complex_product(x[0].at[2], w1.first);
  x[0].at[3] = complex_product(x[0].at[3], w1.second);
  const Factors w2 = factors_of(load_table(f + 8));
  x[0].at[4] = complex_product(x[0].at[4], w2.first);
  x[0].at[5] = complex_product(x[0].at[5], w2.second);
  const Factors w3 = factors_of(load_table(f + 12));
  x[0].at[6] = complex_product(x[0].at[6], w3.first);
  x[0].at[7] = complex_product(x[0].at[7], w3.second);
  const Factors w4 = factors_of(load_table(f + 16));
  x[1].at[0] = complex_product(x[1].at[0], w4.first);
  x[1].at[1] = complex_product(x[1].at[1], w4.second);
  const Factors w5 = factors_of(load_table(f + 20));
  x[1].at[2] = complex_product(x[1].at[2], w5.first);
  x[1].at[3] = complex_product(x[1].at[3], w5.second);
  const Factors w6 = factors_of(load_table(f + 24));
  x[1].at[4] = complex_product(x[1].at[4], w6.first);
  x[1].at[5] = complex_product(x[1].at[5], w6.second);
  const Factors w7 = factors_of(load_table(f + 28));
  x[1].at[6] = complex_product(x[1].at[6], w7.first);
  x[1].at[7] = complex_product(x[1].at[7], w7.second);
}
DEVICE void step_2(Points& x) {
  dft4<-1>(x[0].at[0], x[0].at[2], x[1].at[0], x[1].at[2]);
  dft4<-1>(x[0].at[1], x[0].at[3], x[1].at[1], x[1].at[3]);
  dft4<-1>(x[0].at[4], x[0].at[6], x[1].at[4], x[1].at[6]);
  dft4<-1>(x[0].at[5], x[0].at[7], x[1].at[5], x[1].at[7]);
}
DEVICE void store(Points& x, float2* p, unsigned column, unsigned columns) {
  store_pair(p, x[0].at[0], x[0].at[1], When{column < columns});
  store_pair(p + 16, x[0].at[2], x[0].at[3], When{column < columns});
  store_pair(p + 8, x[0].at[4], x[0].at[5], When{column < columns});
  store_pair(p + 24, x[0].at[6], x[0].at[7], When{column < columns});
  store_pair(p + 32, x[1].at[0], x[1].at[1], When{column < columns});
  store_pair(p + 48, x[1].at[2], x[1].at[3], When{column < columns});
  store_pair(p + 40, x[1].at[4], x[1].at[5], When{column < columns});
  store_pair(p + 56, x[1].at[6], x[1].at[7], When{column < columns});
}

// ===== the kernel =====
// One block transforms 1024 points: 16 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 6)
sonoma_c2c_f32_n64_forward_mma(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 16ull * block_index();  // the first one
  in += transform * 64ull, out += transform * 64ull;
  const unsigned columns = at_most(batch - transform, 16);
  Points x;

  // Load, asynchronously, to shared memory: registers t2%2 b%8 | threads t2/2 t1 b/8
  copy(swizzle(thread % 32 * 2 + thread / 32 * 512), in + (thread % 32 * 2 + thread / 32 * 512),
       thread / 32 * 8, columns);
  wait_for_copies();
  warp_barrier();

  // To registers t1%2 t2%2 t1/8 t2/2 | threads t1/2%4 b | folded t1
  read_0(x, swizzle(thread % 4 * 8 + thread / 4 * 64));

  const Matrix f16_right = load_matrix(tables);
  block_barrier();

  // Step 1: radix 16 over t1, tile x DFT matrix, over columns
  fold<From::right>(x[0]);
  const Scales scales1a = group_scales<7, 3, false>(x[0]);
  const SplitTile halves1a = split<false, SplitTile>(x[0], scales1a);
  const Product product1a = right16<3>(f16_right, halves1a);
  combine<From::right, 3, false, false>(x[0], product1a, scales1a);
  fold<From::right>(x[1]);
  const Scales scales1b = group_scales<7, 3, false>(x[1]);
  const SplitTile halves1b = split<false, SplitTile>(x[1], scales1b);
  const Product product1b = right16<3>(f16_right, halves1b);
  combine<From::right, 3, false, false>(x[1], product1b, scales1b);
  twiddle_1(x, tables + 64 + thread % 4);

  // Step 2: radix 4 over t2, butterflies in registers
  step_2(x);

  // Store: registers k1%2 k2%2 k1/8 k2/2 | threads k1/2%4 b
  store(x, out + (thread % 4 * 2 + thread / 4 * 64), thread / 4, columns);
}
