// sonoma emit --n 4096 --decomposition "(gs 16 (gs 16 (dft 16)))" --engine mma --mma-form wmma --tensor-steps 1,2 --products 3 --points-per-thread 16 --block-points 4096 --registers 160 --stage-load 1 --stage-store 0 --arch sm_70
//
// DFT of 4096 complex f32 points, forward, (gs 16 (gs 16 (dft 16)))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine mma (wmma), 1 transform(s) a block, 256 threads, 16 points a thread, 32800 bytes shared, at least 1 block(s) an SM
//   load through shared memory: registers t3[0] t1[1] t1[2] t1[3] | lanes t3[1] t3[2] t3[3] t2[0] t2[1] | warps t2[2] t2[3] t1[0]
//   phase 1: registers t1[0] t1[3] t2[3] t3[0] | lanes t1[1] t1[2] t2[0] t2[1] t2[2] | warps t3[1] t3[2] t3[3] | folded t1 t2
//     step 1: radix 16, left (DFT matrix x tile)
//     step 2: radix 16, right (tile x DFT matrix)
//     leaves: registers t2[0] t1[3] t2[3] t3[0] | lanes t2[1] t2[2] t1[0] t1[1] t1[2] | warps t3[1] t3[2] t3[3]
//   phase 2: registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1] t2[2] t2[3]
//     step 3: radix 16, butterflies in registers
//   store direct: registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1] t2[2] t2[3]
//   one scale a transform, found by 8 warp(s)
//   point p lies at p ^ ((p >> 3 ^ p >> 7) & 14) in shared memory
//
// Costs of a transform: 245760 flops nominal, 384 MMAs (m16n8k16), 65536 bytes moved of 65536 needed.
// A block of 8 warps: 4 barriers, 2 trips through shared memory, 0 bank conflicts, 36864 bytes of tables.
// |error|_2 / |result|_2 <= 5.0428e-06 (bound).

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
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 3 ^ p >> 7) & 14); }

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

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void write_shared(Points& x, unsigned p) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    if constexpr (pair_bit < 0) {
      store_shared(shared_point<bits_of_p>(p, offsets[j]), point(x, r));
    } else {
      float2* place = shared_point<bits_of_p>(p, offsets[j] & ~1u);
      store_shared(reinterpret_cast<float4*>(place), get_pair<pair_bit>(x, r, offsets[j] % 2 == 1));
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

template <unsigned registers, class Points>
DEVICE void multiply(Points& x, float factor) {
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) {
    point(x, r) = make_float2(point(x, r).x * factor, point(x, r).y * factor);
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

// The same for `scale` times the points. The products are exact (a power of two), so that the fused
// sums are those of the scaled points.
template <From from>
DEVICE void scaled_fold(Tile& x, float scale) {
  constexpr unsigned other = from == From::left ? 2 : 4;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & other) continue;
    const float2 a = x.at[r], b = make_float2(x.at[r + other].x * scale, x.at[r + other].y * scale);
    x.at[r] = make_float2(fused_multiply_add(a.x, scale, b.x), fused_multiply_add(a.y, scale, b.y));
    x.at[r + other] =
        make_float2(fused_multiply_add(a.y, scale, -b.y), fused_multiply_add(-a.x, scale, b.x));
  }
}

// ===== split.cuh =====
// FP32 points to pairs of FP16 halves under a power-of-two scale, and back.

// --- one scale for a transform ------------------------------------------------------------------
// Of the points this thread has copied to shared memory, see copy_to_shared.
template <unsigned bits_of_p, unsigned... offset>
DEVICE unsigned max_of_copied(unsigned p) {
  constexpr unsigned offsets[] = {offset...};
  float largest = 0;
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const float2* place = shared_point<bits_of_p>(p, offsets[j]);
    const float4 pair = load_shared(reinterpret_cast<const float4*>(place));
    largest = max_magnitude(max_magnitude(largest, pair.x), pair.y);
    largest = max_magnitude(max_magnitude(largest, pair.z), pair.w);
  }
  return bits_of(largest);
}

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
DEVICE Product left16(const Matrix& f, const Halves& x) {
  return product16<products, FragmentB, From::left>(f, x);
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

// w_8 and w_16 to the first, second and third power: cos and sin of pi/8, pi/4, 3 pi/8.
template <int sign>
DEVICE float2 times_w16(float2 a, unsigned power) {
  constexpr float cos_pi_8 = 0x1.d906bcp-1f, sin_pi_8 = 0x1.87de2ap-2f, cos_pi_4 = 0x1.6a09e6p-1f;
  switch (power) {
    case 0: return a;
    case 1: return complex_product(a, make_float2(cos_pi_8, sign * sin_pi_8));
    case 2: return complex_product(a, make_float2(cos_pi_4, sign * cos_pi_4));
    case 3: return complex_product(a, make_float2(sin_pi_8, sign * cos_pi_8));
    case 4: return turned<sign>(a);
    case 6: return complex_product(a, make_float2(-cos_pi_4, sign * cos_pi_4));
    default: return complex_product(a, make_float2(-cos_pi_8, -sign * sin_pi_8));  // 9
  }
}

template <int sign>
DEVICE void dft16(float2 (&v)[16]) {
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    dft4<sign>(v[j], v[j + 4], v[j + 8], v[j + 12]);
#pragma unroll
    for (unsigned k = 1; k < 4; ++k) v[j + 4 * k] = times_w16<sign>(v[j + 4 * k], j * k);
  }
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) dft4<sign>(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {  // v[4 a + b] is X[a + 4 b]
#pragma unroll
    for (unsigned b = 0; b < k; ++b) {
      const float2 other = v[4 * b + k];
      v[4 * b + k] = v[4 * k + b];
      v[4 * k + b] = other;
    }
  }
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
DEVICE void butterflies16(Points& x) {
  for_each_group<16, mask>(x, [](float2(&v)[16]) { dft16<sign>(v); });
}

// ===== the kernel =====
// One block transforms 4096 points: 1 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(256, 1)
sonoma_c2c_f32_n4096_forward_mma(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 4096ull * block_index();
  in += first, out += first;
  const AllPoints existing;
  Tile x[2];

  // Load, asynchronously, to shared memory: registers t3[0] t1[1] t1[2] t1[3] | lanes t3[1] t3[2] t3[3] t2[0] t2[1] | warps t2[2] t2[3] t1[0]
  copy_to_shared<510, 0, 512, 1024, 1536, 2048, 2560, 3072, 3584>(in, thread * 2, existing);
  wait_for_copies();

  // The largest magnitude of the transform gives its scale
  publish_max(32768, max_of_copied<510, 0, 512, 1024, 1536, 2048, 2560, 3072, 3584>(thread * 2));
  block_barrier();
  const float scale = transform_scale<12, 126>(published_max<8>(32768));

  // To registers t1[0] t1[3] t2[3] t3[0] | lanes t1[1] t1[2] t2[0] t2[1] t2[2] | warps t3[1] t3[2] t3[3] | folded t1 t2
  read_shared<3, 1662, 0, 256, 3840, 3584, 240, 496, 4080, 3824>(x, thread % 4 * 512 + thread / 4 % 8 * 16 + thread / 32 * 2);

  const Matrix f16_left = load_matrix(tables + 0);
  block_barrier();

  // Step 1: radix 16 over t1, DFT matrix x tile, over rows
  scaled_fold<From::left>(x[0], scale);
  const SplitTile halves1a = split_transform<SplitTile>(x[0]);
  const Product product1a = left16<3>(f16_left, halves1a);
  join<3>(x[0], product1a);
  scaled_fold<From::left>(x[1], scale);
  const SplitTile halves1b = split_transform<SplitTile>(x[1]);
  const Product product1b = left16<3>(f16_left, halves1b);
  join<3>(x[1], product1b);
  twiddle<16, 15, 0, 256>(x, tables + 64 + (thread));

  const Matrix f16_right = load_matrix(tables + 2112);

  // Step 2: radix 16 over t2, tile x DFT matrix, over columns
  fold<From::right>(x[0]);
  const SplitTile halves2a = split_transform<SplitTile>(x[0]);
  const Product product2a = right16<3>(f16_right, halves2a);
  join<3>(x[0], product2a);
  fold<From::right>(x[1]);
  const SplitTile halves2b = split_transform<SplitTile>(x[1]);
  const Product product2b = right16<3>(f16_right, halves2b);
  join<3>(x[1], product2b);
  twiddle<16, 13, 0, 32>(x, tables + 2176 + (thread % 4 + thread / 32 * 4));
  block_barrier();

  // Exchange: from registers t2[0] t1[3] t2[3] t3[0] | lanes t2[1] t2[2] t1[0] t1[1] t1[2] | warps t3[1] t3[2] t3[3]
  write_shared<3, 1902, 0, 16, 2048, 2064, 128, 144, 2176, 2192>(x, thread % 4 * 32 + thread / 4 % 8 * 256 + thread / 32 * 2);
  block_barrier();

  // To registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1] t2[2] t2[3]
  read_shared<0, 4080, 0, 2, 4, 6, 8, 10, 12, 14>(x, thread % 16 * 256 + thread / 16 * 16);

  // Step 3: radix 16 over t3, butterflies in registers
  butterflies16<-1, 15>(x);

  // The scale undone
  multiply<16>(x, transform_undo<12, 126, 4>(published_max<8>(32768)));

  // Store: registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1] t2[2] t2[3]
  store_tile<-1, 255, 0, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 2816, 3072, 3328, 3584, 3840>(x, out, thread, existing);
}
