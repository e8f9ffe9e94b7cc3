// sonoma emit --n 64 --decomposition "(gs 16 (dft 4))" --engine mma --mma-form wmma --tensor-steps 1 --products 3 --points-per-thread 16 --block-points 1024 --registers 160 --stage-load 1 --stage-store 0 --arch sm_75
//
// DFT of 64 complex f32 points, forward, (gs 16 (dft 4))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine mma (wmma), 16 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared, at least 6 block(s) an SM
//   load through shared memory: registers t2[0] b[0] b[1] b[2] | lanes t2[1] t1[0] t1[1] t1[2] t1[3] | warps b[3]
//   phase 1: registers t1[0] t2[0] t1[3] t2[1] | lanes t1[1] t1[2] b[0] b[1] b[2] | warps b[3] | folded t1
//     step 1: radix 16, right (tile x DFT matrix)
//     step 2: radix 4, butterflies in registers
//     leaves: registers t1[0] t2[0] t1[3] t2[1] | lanes t1[1] t1[2] b[0] b[1] b[2] | warps b[3]
//   store direct: registers t1[0] t2[0] t1[3] t2[1] | lanes t1[1] t1[2] b[0] b[1] b[2] | warps b[3]
//   a scale for each step and transform of a warp tile
//   point p lies at p ^ ((p >> 3 ^ p >> 4) & 14) in shared memory
//
// Costs of a transform: 1920 flops nominal, 3 MMAs (m16n8k16), 1024 bytes moved of 1024 needed.
// A block of 2 warps: 1 barriers, 1 trips through shared memory, 0 bank conflicts, 1536 bytes of tables.
// |error|_2 / |result|_2 <= 2.43199e-06 (bound).

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
// p[offset] = value where `valid`.
template <unsigned offset>
DEVICE void store_global_if(unsigned* p, unsigned value, bool valid) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.b32 [%0+%3], %2; }" ::"l"(p),
               "r"(static_cast<unsigned>(valid)), "r"(value), "n"(4 * offset)
               : "memory");
}
template <unsigned offset>
DEVICE void store_global_if(uint2* p, uint2 value, bool valid) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v2.b32 [%0+%4], {%2, %3}; }" ::"l"(p),
      "r"(static_cast<unsigned>(valid)), "r"(value.x), "r"(value.y), "n"(8 * offset)
      : "memory");
}
template <unsigned offset>
DEVICE void store_global_if(uint4* p, uint4 value, bool valid) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v4.b32 [%0+%6], {%2, %3, %4, %5}; }" ::
          "l"(p),
      "r"(static_cast<unsigned>(valid)), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w),
      "n"(16 * offset)
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

// ===== this plan =====
// Where point p of the block's tile lies in shared memory: a permutation of the points that
// spreads every access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 3 ^ p >> 4) & 14); }

// ===== existing.cuh =====
// Global memory that may end within the tile of a block: points that the batch does not have read as
// zero and are not stored.
struct AllPoints {
  __device__ bool has(unsigned) const { return true; }
};
struct FirstPoints {
  unsigned limit;
  __device__ bool has(unsigned p) const { return p < limit; }
};
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, AllPoints, unsigned) {
  store_global(p + offset, value);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, FirstPoints existing, unsigned index) {
  store_global_if<offset>(p, value, existing.has(index));
}

// ===== storage_32.cuh =====
// Points in global memory, by type of the pointer: one, or two neighbours, p[offset] and what follows
// it. In registers they are FP32.

template <unsigned offset, class Existing>
DEVICE void store_point(float2* p, float2 a, Existing existing, unsigned index) {
  store_existing<offset>(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)),
                         existing, index);
}
template <unsigned offset, class Existing>
DEVICE void store_pair(float2* p, float4 a, Existing existing, unsigned index) {
  store_existing<offset / 2>(reinterpret_cast<uint4*>(p),
                             make_uint4(bits_of(a.x), bits_of(a.y), bits_of(a.z), bits_of(a.w)),
                             existing, index);
}

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

// --- shared memory: point p of the tile lies at 8 bytes * swizzle(p) -----------------------------
DEVICE float2* shared_point(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}
// The place of point p ^ offset: the part that p cannot reach is added, a constant in the address of
// the instruction. The swizzle reaches the last four bits only.
template <unsigned bits_of_p>
DEVICE float2* shared_point(unsigned p, unsigned offset) {
  constexpr unsigned mixed = bits_of_p | 15;
  const unsigned place = swizzle(offset);
  return shared_point(swizzle(p) ^ (place & mixed)) + (place & ~mixed);
}

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void read_shared(Points& x, unsigned p) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    if constexpr (pair_bit < 0) {
      point(x, r) = load_shared(shared_point<bits_of_p>(p, offsets[j]));
    } else {
      const float2* place = shared_point<bits_of_p>(p, offsets[j] & ~1u);
      put_pair<pair_bit>(x, r, offsets[j] % 2 == 1,
                         load_shared(reinterpret_cast<const float4*>(place)));
    }
  }
}

// --- global memory ------------------------------------------------------------------------------
// Point p ^ offset of an array: the sum is a constant in the address of the instruction.
template <unsigned bits_of_p, class Point>
DEVICE Point* global_point(Point* array, unsigned p, unsigned offset) {
  return array + (p ^ (offset & bits_of_p)) + (offset & ~bits_of_p);
}

template <unsigned bits_of_p, unsigned... offset, class Existing>
DEVICE void copy_to_shared(const float2* in, unsigned p, Existing existing) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    float2* place = shared_point<bits_of_p>(p, offsets[j]);
    const bool valid = existing.has(p ^ offsets[j]);
    const float2* from = valid ? global_point<bits_of_p>(in, p, offsets[j]) : in;
    copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), valid);
  }
}

template <int pair_bit, unsigned bits_of_p, unsigned offset, class Points, class Point,
          class Existing>
DEVICE void store_access(Points& x, unsigned r, Point* out, unsigned p, Existing existing) {
  constexpr unsigned even = pair_bit < 0 ? offset : offset & ~1u, further = even & ~bits_of_p;
  Point* to = out + (p ^ (even & bits_of_p));
  if constexpr (pair_bit < 0) {
    store_point<further>(to, point(x, r), existing, p ^ offset);
  } else {
    store_pair<further>(to, get_pair<pair_bit>(x, r, offset % 2 == 1), existing, p ^ offset);
  }
}
template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Point,
          class Existing>
DEVICE void store_tile(Points& x, Point* out, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  unsigned j = 0;
  (store_access<pair_bit, bits_of_p, offset>(x, register_without(pair_bit, j++), out, p, existing),
   ...);
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
// 16-byte unit of the table, units `stride` apart, which `load` loads. Registers with no bit in
// `unity` have factor 1 (unity = 0: there are none).
template <unsigned registers, unsigned mask, unsigned unity, unsigned stride,
          uint4 (*load)(const uint4*) = load_table, class Points>
DEVICE void twiddle(Points& x, const uint4* table) {
  constexpr unsigned units = (gather_bits(mask, mask) + 2) / 2;
#pragma unroll
  for (unsigned u = 0; u < units; ++u) {
    const uint4 unit = load(table + u * stride);
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
// keeps 2^k and 2^-k normal and serves the group of zeros too. `contained`: the biased exponent of a
// group that is not finite comes out as 13; no finite group has less than 14.
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
// that nothing overflows that the exact result does not.

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

// The bits of `j` put where `mask` has bits, lowest first.
DEVICE constexpr unsigned scatter_bits(unsigned j, unsigned mask) {
  unsigned result = 0;
  for (unsigned bit = 1; bit <= mask; bit *= 2) {
    if ((mask & bit) == 0) continue;
    if (j & 1u) result |= bit;
    j >>= 1;
  }
  return result;
}

// dft(v) for every group v of registers that differ in the bits of `mask` only.
template <unsigned radix, unsigned mask, class Points, class Dft>
DEVICE void for_each_group(Points& x, Dft dft) {
#pragma unroll
  for (unsigned first = 0; first < PointCount<Points>::value; ++first) {
    if (first & mask) continue;
    float2 v[radix];
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) v[j] = point(x, first | scatter_bits(j, mask));
    dft(v);
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) point(x, first | scatter_bits(j, mask)) = v[j];
  }
}

template <int sign, unsigned mask, class Points>
DEVICE void butterflies4(Points& x) {
  for_each_group<4, mask>(x, [](float2(&v)[4]) { dft4<sign>(v[0], v[1], v[2], v[3]); });
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

  // Load, asynchronously, to shared memory: registers t2[0] b[0] b[1] b[2] | lanes t2[1] t1[0] t1[1] t1[2] t1[3] | warps b[3]
  copy_to_shared<574, 0, 64, 128, 192, 256, 320, 384, 448>(in, thread % 32 * 2 + thread / 32 * 512, existing);
  wait_for_copies();
  warp_barrier();

  // To registers t1[0] t2[0] t1[3] t2[1] | lanes t1[1] t1[2] b[0] b[1] b[2] | warps b[3] | folded t1
  read_shared<1, 984, 0, 4, 60, 56, 2, 6, 62, 58>(x, thread % 4 * 8 + thread / 4 * 64);

  const Matrix f16_right = load_matrix(tables + 0);
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
  twiddle<16, 15, 0, 4>(x, tables + 64 + (thread % 4));

  // Step 2: radix 4 over t2, butterflies in registers
  butterflies4<-1, 10>(x);

  // Store: registers t1[0] t2[0] t1[3] t2[1] | lanes t1[1] t1[2] b[0] b[1] b[2] | warps b[3]
  store_tile<0, 966, 0, 16, 8, 24, 32, 48, 40, 56>(x, out, thread % 4 * 2 + thread / 4 * 64, existing);
}
