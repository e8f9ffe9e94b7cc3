// sonoma emit --n 625 --decomposition "(gs 25 (dft 25))" --engine mma --mma-form ptx --tensor-steps 1,2 --products 3 --points-per-thread 16 --block-points 1024 --registers 128 --stage-load 1 --stage-store 1 --arch sm_90
//
// DFT of 625 complex f32 points, forward, (gs 25 (dft 25))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine mma (ptx), 1 transform(s) a block, 64 threads, 16 points a thread, 8200 bytes shared, at least 8 block(s) an SM
//   steps padded to powers of two: a transform of 625 points takes 1024 of the tile; 25 of 32 values of t1, 25 of 32 of t2 are points, the others are zeros and not stored
//   frequencies of a step of radix r above 16 stand at 0 to 15 as they are, k beyond at 16 + r - k
//   load through shared memory: registers t1[1] t1[2] t1[3] t1[4] | lanes t2[0] t2[1] t2[2] t2[3] t2[4] | warps t1[0]
//   phase 1: registers t1[0] t1[4] t1[3] t2[0] | lanes t1[1] t1[2] t2[1] t2[2] t2[3] | warps t2[4] | folded t1
//     step 1: radix 25 (padded to 32), right (tile x DFT matrix)
//     leaves: registers t1[0] t1[4] t1[3] t2[0] | lanes t1[1] t1[2] t2[1] t2[2] t2[3] | warps t2[4]
//   phase 2: registers t2[0] t2[4] t2[3] t1[0] | lanes t2[1] t2[2] t1[1] t1[2] t1[3] | warps t1[4] | folded t2
//     step 2: radix 25 (padded to 32), right (tile x DFT matrix)
//     leaves: registers t2[0] t2[4] t2[3] t1[0] | lanes t2[1] t2[2] t1[1] t1[2] t1[3] | warps t1[4]
//   store through shared memory: registers t2[1] t2[2] t2[3] t2[4] | lanes t1[0] t1[1] t1[2] t1[3] t1[4] | warps t2[0]
//   one scale a transform, found by 2 warp(s)
//   point p lies at p ^ ((p >> 3 ^ p >> 4) & 14) in shared memory
//
// Costs of a transform: 29024.1 flops nominal, 96 MMAs (m16n8k16), 11200 bytes moved of 10000 needed.
// A block of 2 warps: 4 barriers, 3 trips through shared memory, 64 bank conflicts, 10496 bytes of tables.
// |error|_2 / |result|_2 <= 7.87278e-06 (bound).

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
DEVICE T load_global(const T* p) {
  return *p;
}
template <class T>
DEVICE void store_global(T* p, T value) {
  *p = value;
}
// p[offset]; zero, and nothing read, where `valid` is false. (As a predicate: an `if` would become a
// branch around every load.)
template <unsigned offset>
DEVICE unsigned load_global_if(const unsigned* p, bool valid) {
  unsigned a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.b32 %0, 0; @p ld.global.b32 %0, [%1+%3]; }"
      : "=&r"(a)
      : "l"(p), "r"(static_cast<unsigned>(valid)), "n"(4 * offset));
  return a;
}
template <unsigned offset>
DEVICE uint2 load_global_if(const uint2* p, bool valid) {
  uint2 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %3, 0; mov.b32 %0, 0; mov.b32 %1, 0; "
      "@p ld.global.v2.b32 {%0, %1}, [%2+%4]; }"
      : "=&r"(a.x), "=&r"(a.y)
      : "l"(p), "r"(static_cast<unsigned>(valid)), "n"(8 * offset));
  return a;
}
template <unsigned offset>
DEVICE uint4 load_global_if(const uint4* p, bool valid) {
  uint4 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %5, 0; mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; "
      "mov.b32 %3, 0; @p ld.global.v4.b32 {%0, %1, %2, %3}, [%4+%6]; }"
      : "=&r"(a.x), "=&r"(a.y), "=&r"(a.z), "=&r"(a.w)
      : "l"(p), "r"(static_cast<unsigned>(valid)), "n"(16 * offset));
  return a;
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
// p[offset], the point `index` of the tile.
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, AllPoints, unsigned) {
  return load_global(p + offset);
}
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, FirstPoints existing, unsigned index) {
  return load_global_if<offset>(p, existing.has(index));
}
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

// FP32
template <unsigned offset, class Existing>
DEVICE float2 load_point(const float2* p, Existing existing, unsigned index) {
  const uint2 a = load_existing<offset>(reinterpret_cast<const uint2*>(p), existing, index);
  return make_float2(float_of(a.x), float_of(a.y));
}
template <unsigned offset, class Existing>
DEVICE void store_point(float2* p, float2 a, Existing existing, unsigned index) {
  store_existing<offset>(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)),
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
template <unsigned registers, class Points>
DEVICE unsigned max_of_points(Points& x) {
  float largest = 0;
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) {
    largest = max_magnitude(max_magnitude(largest, point(x, r).x), point(x, r).y);
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

// ===== mma_ptx.cuh =====
// Products of DFT matrices and split tiles with mma.sync (sm_80 and later).
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

// ===== wide.cuh =====
// DFT of 17 to 32 points as two real products of 16 x 16 for each part, with mma.sync.
//
// A tile of 8 rows and 32 columns, with g = lane / 4, t = lane % 4 and register
// r = i0 + 2 i1 + 4 i2: row g, column 2t + i0 + 8 i2, or 31 minus that where i1 is set. Columns from
// the radix on are zeros.
//
// About the centre 31/2 the cosines of a DFT are even and its sines odd, in v and in k. With e =
// x[v] + x[31-v], o = x[v] - x[31-v], v = 0 ... 15, sign -1 forward and +1 inverse,
//   X[k] = w^(31 k / 2) Z[k],  Z[k] = P[k] + T[k],  Z[radix-k] = -P[k] + T[k],  k = 0 ... radix / 2,
//   P = cos e,  Re T = -sign sin o_im,  Im T = sign sin o_re,
// cos and sin of 2 pi k (v - 31/2) / radix. fold32() leaves e and (o_im, -o_re) where their points
// were, right32() P and T at k and 16 + k, unfold32() Z[k] and Z[radix-k]. The factor w^(31 k / 2) is
// part of the twiddle. Of radix 32, T[0] = 0 leaves its row of the sines to k = 16, where P is zero.
DEVICE void fold32(Tile& x) { fold<From::left>(x); }
DEVICE void scaled_fold32(Tile& x, float scale) { scaled_fold<From::left>(x, scale); }

struct Matrix32 {
  Matrix cosines, sines;  // times -sign
};
DEVICE Matrix32 load_matrix32(const uint4* table) {
  return {load_matrix(table), load_matrix(table + 64)};
}

// The words of sums (part 0) or of differences (part 1) as fragment A: real parts first, then
// imaginary.
DEVICE FragmentA folded_columns(const unsigned (&re)[4], const unsigned (&im)[4], unsigned part) {
  return {{re[part], im[part], re[2 + part], im[2 + part]}};
}

template <unsigned products, unsigned part, unsigned half, class Halves>
DEVICE void right32_half(Product& y, const Matrix& f, const Halves& x) {
  float main[4] = {}, correction[4] = {};
  const FragmentA hi = folded_columns(x.re_hi, x.im_hi, part);
  add_right<half>(main, hi.word, f.hi);
  if constexpr (products > 1) {
    const FragmentA lo = folded_columns(x.re_lo, x.im_lo, part);
    if constexpr (products == 4) add_right<half>(correction, lo.word, f.lo);
    add_right<half>(correction, hi.word, f.lo);
    add_right<half>(correction, lo.word, f.hi);
  }
#pragma unroll
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned r = i + 2 * part + 4 * half;
    y.re[r] = main[i], y.re_correction[r] = correction[i];
    y.im[r] = main[2 + i], y.im_correction[r] = correction[2 + i];
  }
}
template <unsigned products, class Halves>
DEVICE Product right32(const Matrix32& f, const Halves& x) {
  Product y;
  right32_half<products, 0, 0>(y, f.cosines, x);
  right32_half<products, 0, 1>(y, f.cosines, x);
  right32_half<products, 1, 0>(y, f.sines, x);
  right32_half<products, 1, 1>(y, f.sines, x);
  return y;
}

template <unsigned radix>
DEVICE void unfold32(Tile& x) {
  const bool has_first = thread_index() % 4 == 0;  // k = 0 in register 0
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & 2) continue;
    const float2 p = x.at[r], t = x.at[r + 2];
    const bool apart = radix == 32 && r == 0 && has_first;
    x.at[r] = apart ? p : make_float2(p.x + t.x, p.y + t.y);
    x.at[r + 2] = apart ? t : make_float2(t.x - p.x, t.y - p.y);
  }
}

// ===== gaps.cuh =====
// Tiles with gaps: a step whose radix is no power of two has bits for the next one. The values of its
// digit from the radix on are no points: they are zeros where points are loaded, and are not stored.

// A step's digit, or the number of the transform: the first `values` of those that its bits can take
// are points, `stride` apart in memory. Bit i of the register's number changes the i-th of `bits`.
template <unsigned values, unsigned stride, unsigned... bits>
struct Digit {
  unsigned of_thread;  // the value in register 0

  __device__ unsigned value(unsigned r) const {
    unsigned v = of_thread, i = 0;
    ((v ^= r >> i++ & 1u ? bits : 0u), ...);
    return v;
  }
  __device__ bool has(unsigned r) const {
    constexpr bool all = (values & (values - 1)) == 0;
    return all || value(r) < values;
  }
  __device__ unsigned place(unsigned r) const { return value(r) * stride; }
};

// The same of the frequencies that a product of radix 17 to 32 leaves, see wide.cuh: below 16 those
// from 0 to radix / 2, beyond 16 the rest, which counts backwards: value 16 + k is frequency
// radix - k. At 16 radix 32 has its frequency 16, others a gap.
template <unsigned radix, unsigned stride, unsigned... bits>
struct WideDigit {
  unsigned of_thread;

  __device__ unsigned value(unsigned r) const {
    return Digit<32, stride, bits...>{of_thread}.value(r);
  }
  __device__ bool has(unsigned r) const {
    const unsigned v = value(r);
    return v < 16 ? 2 * v <= radix : v == 16 ? radix == 32 : 2 * (v - 16) < radix;
  }
  __device__ unsigned place(unsigned r) const {
    const unsigned v = value(r);
    return (v <= 16 ? v : radix + 16 - v) * stride;
  }
};

template <class Points, class Point, class Existing, class... Digits>
DEVICE void load_digits(Points& x, const Point* in, Existing existing, Digits... digits) {
#pragma unroll
  for (unsigned r = 0; r < PointCount<Points>::value; ++r) {
    const unsigned p = (digits.place(r) + ...);
    const bool there = (digits.has(r) && ...) && existing.has(p);
    point(x, r) = load_point<0>(in + p, FirstPoints{there ? 1u : 0u}, 0);
  }
}

template <class Points, class Point, class Existing, class... Digits>
DEVICE void store_digits(Points& x, Point* out, Existing existing, Digits... digits) {
#pragma unroll
  for (unsigned r = 0; r < PointCount<Points>::value; ++r) {
    const unsigned p = (digits.place(r) + ...);
    const bool there = (digits.has(r) && ...) && existing.has(p);
    store_point<0>(out + p, point(x, r), FirstPoints{there ? 1u : 0u}, 0);
  }
}

// ===== the kernel =====
// One block transforms 625 points: 1 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 8)
sonoma_c2c_f32_n625_forward_mma(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 625ull * block_index();
  in += first, out += first;
  const AllPoints existing;
  Tile x[2];

  // Load: registers t1[1] t1[2] t1[3] t1[4] | lanes t2[0] t2[1] t2[2] t2[3] t2[4] | warps t1[0]; 25 of 32 values of t1, 25 of 32 of t2 are points
  load_digits(x, in, existing, Digit<25, 1, 0, 0, 0, 0>{thread % 32}, Digit<25, 25, 2, 4, 8, 16>{thread / 32});

  // The largest magnitude of the transform gives its scale
  publish_max(8192, max_of_points<16>(x));
  block_barrier();
  const float scale = transform_scale<11, 126>(published_max<2>(8192));

  // Exchange: from registers t1[1] t1[2] t1[3] t1[4] | lanes t2[0] t2[1] t2[2] t2[3] t2[4] | warps t1[0]
  write_shared<-1, 63, 0, 64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960>(x, thread);
  block_barrier();

  // To registers t1[0] t1[4] t1[3] t2[0] | lanes t1[1] t1[2] t2[1] t2[2] t2[3] | warps t2[4] | folded t1
  read_shared<3, 222, 0, 32, 992, 960, 256, 288, 736, 704>(x, thread % 4 * 64 + thread / 4 * 2);

  const Matrix32 f25_right = load_matrix32(tables + 0);

  // Step 1: radix 25 (padded to 32) over t1, tile x DFT matrix, over columns
  scaled_fold32(x[0], scale);
  const SplitTile halves1a = split_transform<SplitTile>(x[0]);
  const Product product1a = right32<3>(f25_right, halves1a);
  join<3>(x[0], product1a);
  unfold32<25>(x[0]);
  scaled_fold32(x[1], scale);
  const SplitTile halves1b = split_transform<SplitTile>(x[1]);
  const Product product1b = right32<3>(f25_right, halves1b);
  join<3>(x[1], product1b);
  unfold32<25>(x[1]);
  twiddle<16, 15, 0, 64>(x, tables + 128 + (thread));
  warp_barrier();

  // Exchange: from registers t1[0] t1[4] t1[3] t2[0] | lanes t1[1] t1[2] t2[1] t2[2] t2[3] | warps t2[4]
  write_shared<3, 222, 0, 32, 512, 544, 256, 288, 768, 800>(x, thread % 4 * 64 + thread / 4 * 2);
  block_barrier();

  // To registers t2[0] t2[4] t2[3] t1[0] | lanes t2[1] t2[2] t1[1] t1[2] t1[3] | warps t1[4] | folded t2
  read_shared<0, 966, 0, 31, 8, 23, 32, 63, 40, 55>(x, thread % 4 * 2 + thread / 4 * 64);

  // Step 2: radix 25 (padded to 32) over t2, tile x DFT matrix, over columns
  fold32(x[0]);
  const SplitTile halves2a = split_transform<SplitTile>(x[0]);
  const Product product2a = right32<3>(f25_right, halves2a);
  join<3>(x[0], product2a);
  unfold32<25>(x[0]);
  fold32(x[1]);
  const SplitTile halves2b = split_transform<SplitTile>(x[1]);
  const Product product2b = right32<3>(f25_right, halves2b);
  join<3>(x[1], product2b);
  unfold32<25>(x[1]);
  twiddle<16, 7, 0, 4>(x, tables + 640 + (thread % 4));

  // The scale undone
  multiply<16>(x, transform_undo<11, 126, 2>(published_max<2>(8192)));
  warp_barrier();

  // Exchange: from registers t2[0] t2[4] t2[3] t1[0] | lanes t2[1] t2[2] t1[1] t1[2] t1[3] | warps t1[4]
  write_shared<0, 966, 0, 16, 8, 24, 32, 48, 40, 56>(x, thread % 4 * 2 + thread / 4 * 64);
  block_barrier();

  // To registers t2[1] t2[2] t2[3] t2[4] | lanes t1[0] t1[1] t1[2] t1[3] t1[4] | warps t2[0]
  read_shared<-1, 993, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(x, thread % 32 * 32 + thread / 32);

  // Store: registers t2[1] t2[2] t2[3] t2[4] | lanes t1[0] t1[1] t1[2] t1[3] t1[4] | warps t2[0]; 25 of 32 values of t1, 25 of 32 of t2 are points
  store_digits(x, out, existing, WideDigit<25, 1, 0, 0, 0, 0>{thread % 32}, WideDigit<25, 25, 2, 4, 8, 16>{thread / 32});
}
