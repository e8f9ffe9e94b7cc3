// sonoma emit --n 64 --decomposition "(gs 16 (dft 4))" --engine mma --mma-form wmma --products 3 --points-per-thread 16 --block-points 1024 --registers 160 --arch sm_75
//
// DFT of 64 complex FP32 points, forward, (gs 16 (dft 4))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine mma (wmma), 16 transform(s) a block, 64 threads, 16 points a thread, 4096 bytes shared, at least 6 block(s) an SM
//   load direct: registers t1[0] t1[3] b[1] b[2] | lanes t1[1] t1[2] t2[0] t2[1] b[0] | warps b[3] | folded t1
//   phase 1: registers t1[0] t1[3] b[1] b[2] | lanes t1[1] t1[2] t2[0] t2[1] b[0] | warps b[3] | folded t1
//     step 1: radix 16, left (DFT matrix x tile)
//     step 2: radix 4, right (tile x DFT matrix)
//     leaves: registers t2[0] t1[3] b[1] b[2] | lanes t2[1] b[0] t1[0] t1[1] t1[2] | warps b[3]
//   store direct: registers t2[0] t1[3] b[1] b[2] | lanes t2[1] b[0] t1[0] t1[1] t1[2] | warps b[3]
//   a scale for each step and transform of a warp tile
//   point p lies at p in shared memory
//
// Costs of a transform: 1920 flops nominal, 6 MMAs (m16n8k16), 1024 bytes moved of 1024 needed.
// A block of 2 warps: 0 barriers, 0 trips through shared memory, 0 bank conflicts, 2560 bytes of tables.
// |error|_2 / |result|_2 <= 3.92772e-06 (bound).

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
DEVICE void warp_barrier() { __syncwarp(); }

// --- arithmetic (compiled with --fmad=false: what is fused is written fused) ---------------------
DEVICE float fused_multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
DEVICE unsigned bits_of(float value) { return __float_as_uint(value); }
DEVICE float float_of(unsigned bits) { return __uint_as_float(bits); }

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
// T: unsigned short, unsigned, float, float2 or float4; p aligned to sizeof(T).
template <class T>
DEVICE T load_shared(const T* p) {
  return *p;
}
template <class T>
DEVICE void store_shared(T* p, T value) {
  *p = value;
}
template <class T>
DEVICE T load_global(const T* p) {
  return *p;
}
template <class T>
DEVICE void store_global(T* p, T value) {
  *p = value;
}
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

#endif  // SONOMA_EMULATED

// ===== this plan =====

// ===== points.cuh =====
// Complex points in registers, and their way to and from memory.
//
// A thread holds its points in an array; register r of it is the r-th point. Offsets are given per
// register, in points, ascending, without the registers that have `pair_bit` set: those are the
// neighbours (offset + 1) of the ones that have not, and travel with them, 16 bytes at a time.
// pair_bit < 0: no pairs, 8 bytes at a time.
//
// The index of a point is p ^ offset, p the thread's part. Where a digit is folded, offsets have
// bits in common with p; `bits_of_p` says which bits p can have, so that all others are added, and
// become constants in the addresses of instructions.

// 16 x 16 points of a warp, eight a lane.
struct Tile {
  float2 at[8];
};

template <unsigned count>
DEVICE float2& point(float2 (&x)[count], unsigned r) {
  return x[r];
}
template <unsigned count>
DEVICE float2& point(Tile (&x)[count], unsigned r) {
  return x[r / 8].at[r % 8];
}

// How many points an array of registers holds.
template <class Points>
struct PointCount;
template <unsigned count>
struct PointCount<float2[count]> {
  static constexpr unsigned value = count;
};
template <unsigned count>
struct PointCount<Tile[count]> {
  static constexpr unsigned value = 8 * count;
};
// Offsets that an array of registers takes: one for each access.
template <class Points>
DEVICE constexpr unsigned access_count(int pair_bit) {
  return PointCount<Points>::value / (pair_bit < 0 ? 1 : 2);
}

// The j-th register without `bit`.
DEVICE constexpr unsigned register_without(int bit, unsigned j) {
  return bit < 0 ? j : (j >> bit << (bit + 1)) | (j & ((1u << bit) - 1));
}

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}

// Two neighbouring points and their registers r and r | 1 << pair_bit, the other way round if
// swapped: where a fold makes the offset odd.
template <int pair_bit, class Points>
DEVICE void put_pair(Points& x, unsigned r, bool swapped, float4 pair) {
  const unsigned other = r | 1u << pair_bit;
  point(x, swapped ? other : r) = make_float2(pair.x, pair.y);
  point(x, swapped ? r : other) = make_float2(pair.z, pair.w);
}
template <int pair_bit, class Points>
DEVICE float4 get_pair(Points& x, unsigned r, bool swapped) {
  const unsigned other = r | 1u << pair_bit;
  const float2 a = point(x, swapped ? other : r), b = point(x, swapped ? r : other);
  return make_float4(a.x, a.y, b.x, b.y);
}

// --- global memory: points of the tile that the batch does not have read as zero -----------------
struct FirstPoints {
  unsigned limit;
  __device__ bool has(unsigned p) const { return p < limit; }
};

// Point p ^ offset of an array: the sum is a constant in the address of the instruction.
template <unsigned bits_of_p, class Point>
DEVICE Point* global_point(Point* array, unsigned p, unsigned offset) {
  return array + (p ^ (offset & bits_of_p)) + (offset & ~bits_of_p);
}

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Existing>
DEVICE void load_tile(Points& x, const float2* in, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    const float2* from =
        global_point<bits_of_p>(in, p, pair_bit < 0 ? offsets[j] : offsets[j] & ~1u);
    const bool valid = existing.has(p ^ offsets[j]);
    if constexpr (pair_bit < 0) {
      point(x, r) = valid ? load_global(from) : make_float2(0.0f, 0.0f);
    } else {
      float4 pair = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (valid) pair = load_global(reinterpret_cast<const float4*>(from));
      put_pair<pair_bit>(x, r, offsets[j] % 2 == 1, pair);
    }
  }
}

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Existing>
DEVICE void store_tile(Points& x, float2* out, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    float2* to = global_point<bits_of_p>(out, p, pair_bit < 0 ? offsets[j] : offsets[j] & ~1u);
    if (!existing.has(p ^ offsets[j])) continue;
    if constexpr (pair_bit < 0) {
      store_global(to, point(x, r));
    } else {
      store_global(reinterpret_cast<float4*>(to), get_pair<pair_bit>(x, r, offsets[j] % 2 == 1));
    }
  }
}

// --- twiddles -----------------------------------------------------------------------------------
// The bits of `r` that `mask` selects, closed up.
DEVICE constexpr unsigned gather_bits(unsigned r, unsigned mask) {
  unsigned result = 0, place = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    if (mask >> bit & 1u) result |= (r >> bit & 1u) << place++;
  }
  return result;
}

// x *= w. The factor of a register depends on the register bits in `mask`; two factors lie in each
// 16-byte unit of the table, units `stride` apart. Registers with no bit in `unity` have factor 1
// (unity = 0: there are none).
template <unsigned registers, unsigned mask, unsigned unity, unsigned stride, class Points>
DEVICE void twiddle(Points& x, const uint4* table) {
  constexpr unsigned units = (gather_bits(mask, mask) + 2) / 2;
#pragma unroll
  for (unsigned u = 0; u < units; ++u) {
    const uint4 unit = load_table(table + u * stride);
    const float2 w[2] = {make_float2(float_of(unit.x), float_of(unit.y)),
                         make_float2(float_of(unit.z), float_of(unit.w))};
#pragma unroll
    for (unsigned r = 0; r < registers; ++r) {
      const unsigned entry = gather_bits(r, mask);
      if (entry / 2 != u || (unity != 0 && (r & unity) == 0)) continue;
      point(x, r) = complex_product(point(x, r), w[entry % 2]);
    }
  }
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

DEVICE unsigned magnitude(float2 a) {
  const unsigned re = bits_of(a.x) & 0x7fffffffu, im = bits_of(a.y) & 0x7fffffffu;
  return re > im ? re : im;
}

DEVICE unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

// --- a scale for each step and group ------------------------------------------------------------
// Per register: the biased exponent of the scale 2^k of its group, and whether the group is finite.
struct Scales {
  unsigned exponent[8];
};

// Largest magnitude over a group: the registers and the lanes that differ in the given bits only.
// 2^k takes it to [2^14, 2^15), below the 65504 of FP16 and far above its subnormals; k <= 126
// keeps 2^k and 2^-k normal and serves the group of zeros too. The biased exponent of a group that
// is not finite comes out as 13: no finite group has less than 14.
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

// The halves of a tile; word q holds registers 2q and 2q + 1. x 2^k = hi + lo, up to 2^-23 x.
struct SplitTile {
  unsigned re_hi[4], re_lo[4], im_hi[4], im_lo[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, im_hi[q] = im.hi, im_lo[q] = im.lo;
  }
};
// The same with what is left: x 2^k = hi + lo + rest, exactly. For matrices that are exact
// themselves.
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
// every sum (`truncated`), the main product is too small by half a unit in the last place on
// average, 2^-25 to 2^-24 of it, a bias that adds up over the steps. A little less than 2^-25 of it
// is given back before the one rounding: less than half a unit, so that an exact product with no
// corrections stays.
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
DEVICE void add_product(Accumulator& d, const half* f, const FragmentB& x) {
  FragmentA a;
  nvcuda::wmma::load_matrix_sync(a, f, 16);
  nvcuda::wmma::mma_sync(d, a, x, d);
}
DEVICE void add_product(Accumulator& d, const half* f, const FragmentA& x) {
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
template <From from>
DEVICE void stage16(const SplitTile& x) {
  warp_barrier();
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    const uint2 at = place_of_word<from>(q);
    stage<from>(0, at.x, at.y, x.re_hi[q]);
    stage<from>(1, at.x, at.y, x.im_hi[q]);
    stage<from>(2, at.x, at.y, x.re_lo[q]);
    stage<from>(3, at.x, at.y, x.im_lo[q]);
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

template <class X, From from>
DEVICE Product product16(const Matrix& f, const SplitTile& halves) {
  Sums re = no_sums(), im = no_sums();
  stage16<from>(halves);
  X x[4];
#pragma unroll
  for (unsigned m = 0; m < 4; ++m) nvcuda::wmma::load_matrix_sync(x[m], staged_half(m, 0), 16);
  const X &re_hi = x[0], &im_hi = x[1], &re_lo = x[2], &im_lo = x[3];
  add_product(re.main, f.hi, re_hi);
  add_product(re.correction, f.lo, re_hi), add_product(re.correction, f.hi, re_lo);
  add_product(im.main, f.hi, im_hi);
  add_product(im.correction, f.lo, im_hi), add_product(im.correction, f.hi, im_lo);
  Product y;
  fetch16(y.re, re.main);
  fetch16(y.im, im.main);
  fetch16(y.re_correction, re.correction);
  fetch16(y.im_correction, im.correction);
  return y;
}

DEVICE Product left16(const Matrix& f, const SplitTile& x) {
  return product16<FragmentB, From::left>(f, x);
}

// Half h of the rows (left) or columns (right) of hi, lo and rest: real parts first, then
// imaginary.
template <unsigned radix, From from, class Halves>
DEVICE void stage8(const Halves& x, unsigned h) {
  warp_barrier();
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    if ((from == From::left ? q % 2 : q / 2) != h) continue;
    const uint2 at = place_of_word<from>(q);
    const unsigned row = from == From::left ? at.x - 8 * h : at.x;
    const unsigned column = from == From::left ? at.y : at.y - 8 * h;
    const unsigned im_row = from == From::left ? row + 8 : row;
    const unsigned im_column = from == From::left ? column : column + 8;
    stage<from>(0, row, column, x.re_hi[q]), stage<from>(0, im_row, im_column, x.im_hi[q]);
    stage<from>(1, row, column, x.re_lo[q]), stage<from>(1, im_row, im_column, x.im_lo[q]);
    if constexpr (radix <= 4) {
      stage<from>(2, row, column, x.re_rest[q]), stage<from>(2, im_row, im_column, x.im_rest[q]);
    }
  }
  warp_barrier();
}

// The result of half h: real parts in rows (columns) 0-7, imaginary in 8-15.
template <From from>
DEVICE void fetch8(float (&re)[8], float (&im)[8], Accumulator& sum, unsigned h) {
  const unsigned g = thread_index() % 32 / 4, t = thread_index() % 4;
  warp_barrier();
  nvcuda::wmma::store_matrix_sync(reinterpret_cast<float*>(staging()), sum, 16,
                                  nvcuda::wmma::mem_row_major);
  warp_barrier();
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    const unsigned i0 = r % 2, i1 = r / 2 % 2, i2 = r / 4;
    if ((from == From::left ? i1 : i2) != h) continue;
    const unsigned row = from == From::left ? g : g + 8 * i1;
    const unsigned column = from == From::left ? 2 * t + i0 + 8 * i2 : 2 * t + i0;
    re[r] = staged_float(row, column);
    im[r] = from == From::left ? staged_float(row + 8, column) : staged_float(row, column + 8);
  }
}

template <unsigned radix, class X, From from, class Halves>
DEVICE Product product8(const Matrix& f, const Halves& halves) {
  Product y;
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) {
    Sums sums = no_sums();
    stage8<radix, from>(halves, h);
    X hi, lo;
    nvcuda::wmma::load_matrix_sync(hi, staged_half(0, 0), 16);
    nvcuda::wmma::load_matrix_sync(lo, staged_half(1, 0), 16);
    add_product(sums.main, f.hi, hi);
    if constexpr (radix <= 4) {
      X rest;
      nvcuda::wmma::load_matrix_sync(rest, staged_half(2, 0), 16);
      add_product(sums.correction, f.hi, rest);
    } else {
      add_product(sums.correction, f.lo, hi);
    }
    add_product(sums.correction, f.hi, lo);
    fetch8<from>(y.re, y.im, sums.main, h);
    fetch8<from>(y.re_correction, y.im_correction, sums.correction, h);
  }
  return y;
}

template <unsigned radix, class Halves>
DEVICE Product right8(const Matrix& f, const Halves& x) {
  return product8<radix, FragmentA, From::right>(f, x);
}

// ===== the kernel =====
// One block transforms 1024 points: 16 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 6)
sonoma_c2c_f32_n64_forward_mma(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 1024ull * block_index();
  in += first, out += first;
  const unsigned long long rest = 64ull * batch - first;
  const FirstPoints existing{rest < 1024 ? static_cast<unsigned>(rest) : 1024u};
  Tile x[2];

  // Load: registers t1[0] t1[3] b[1] b[2] | lanes t1[1] t1[2] t2[0] t2[1] b[0] | warps b[3] | folded t1
  load_tile<-1, 603, 0, 4, 60, 56, 128, 132, 188, 184, 256, 260, 316, 312, 384, 388, 444, 440>(x, in, thread % 4 * 8 + thread / 4 % 4 + thread / 16 % 2 * 64 + thread / 32 * 512, existing);

  const Matrix f16_left = load_matrix(tables + 0);

  // Step 1: radix 16 over t1, DFT matrix x tile, over rows
  fold<From::left>(x[0]);
  const Scales scales1a = group_scales<3, 15>(x[0]);
  const SplitTile halves1a = split<false, SplitTile>(x[0], scales1a);
  const Product product1a = left16(f16_left, halves1a);
  combine<From::left, true, false, false>(x[0], product1a, scales1a);
  fold<From::left>(x[1]);
  const Scales scales1b = group_scales<3, 15>(x[1]);
  const SplitTile halves1b = split<false, SplitTile>(x[1], scales1b);
  const Product product1b = left16(f16_left, halves1b);
  combine<From::left, true, false, false>(x[1], product1b, scales1b);
  twiddle<16, 3, 0, 16>(x, tables + 64 + (thread % 2 + thread / 4 % 8 * 2));

  const Matrix f4_right = load_matrix(tables + 96);

  // Step 2: radix 4 over t2, tile x DFT matrix, over columns
  const Scales scales2a = group_scales<3, 29>(x[0]);
  const SplitTile3 halves2a = split<true, SplitTile3>(x[0], scales2a);
  const Product product2a = right8<4>(f4_right, halves2a);
  combine<From::right, false, true, false>(x[0], product2a, scales2a);
  const Scales scales2b = group_scales<3, 29>(x[1]);
  const SplitTile3 halves2b = split<true, SplitTile3>(x[1], scales2b);
  const Product product2b = right8<4>(f4_right, halves2b);
  combine<From::right, false, true, false>(x[1], product2b, scales2b);

  // Store: registers t2[0] t1[3] b[1] b[2] | lanes t2[1] b[0] t1[0] t1[1] t1[2] | warps b[3]
  store_tile<-1, 615, 0, 16, 8, 24, 128, 144, 136, 152, 256, 272, 264, 280, 384, 400, 392, 408>(x, out, thread % 4 * 32 + thread / 4 % 8 + thread / 32 * 512, existing);
}
