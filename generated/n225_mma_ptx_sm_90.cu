// sonoma emit --n 225 --decomposition "(gs 15 (dft 15))" --engine mma --mma-form ptx --tensor-steps 1,2 --products 3 --points-per-thread 16 --block-points 1024 --registers 160 --stage-load 1 --stage-store 1 --arch sm_90
//
// DFT of 225 complex f32 points, forward, (gs 15 (dft 15))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine mma (ptx), 4 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared, at least 6 block(s) an SM
//   steps padded to powers of two: a transform of 225 points takes 256 of the tile; 15 of 16 values of t1, 15 of 16 of t2 are points, the others are zeros and not stored
//   load through shared memory: registers t1[1] t1[2] t1[3] b[0] | lanes t2[0] t2[1] t2[2] t2[3] t1[0] | warps b[1]
//   phase 1: registers t1[0] t1[3] t2[3] b[0] | lanes t1[1] t1[2] t2[0] t2[1] t2[2] | warps b[1] | folded t1 t2
//     step 1: radix 15 (padded to 16), left (DFT matrix x tile)
//     step 2: radix 15 (padded to 16), right (tile x DFT matrix)
//     leaves: registers t2[0] t1[3] t2[3] b[0] | lanes t2[1] t2[2] t1[0] t1[1] t1[2] | warps b[1]
//   store through shared memory: registers t2[1] t2[2] t2[3] b[0] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps b[1]
//   a scale for each step and transform of a warp tile
//   point p lies at p ^ (p >> 3 & 14) in shared memory
//
// Costs of a transform: 8790.5 flops nominal, 24 MMAs (m16n8k16), 3984 bytes moved of 3600 needed.
// A block of 2 warps: 0 barriers, 2 trips through shared memory, 128 bank conflicts, 4224 bytes of tables.
// |error|_2 / |result|_2 <= 4.3561e-06 (bound).

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
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 3 & 14); }

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
// One block transforms 900 points: 4 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 6)
sonoma_c2c_f32_n225_forward_mma(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 900ull * block_index();
  in += first, out += first;
  const unsigned long long rest = 225ull * batch - first;
  const FirstPoints existing{rest < 900 ? static_cast<unsigned>(rest) : 900u};
  Tile x[2];

  // Load: registers t1[1] t1[2] t1[3] b[0] | lanes t2[0] t2[1] t2[2] t2[3] t1[0] | warps b[1]; 15 of 16 values of t1, 15 of 16 of t2 are points
  load_digits(x, in, existing, Digit<15, 1, 0, 0, 0, 0>{thread % 16}, Digit<15, 15, 2, 4, 8, 0>{thread / 16 % 2}, Digit<4, 225, 0, 0, 0, 1>{thread / 32 * 2});

  // Exchange: from registers t1[1] t1[2] t1[3] b[0] | lanes t2[0] t2[1] t2[2] t2[3] t1[0] | warps b[1]
  write_shared<-1, 543, 0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480>(x, thread % 32 + thread / 32 * 512);
  warp_barrier();

  // To registers t1[0] t1[3] t2[3] b[0] | lanes t1[1] t1[2] t2[0] t2[1] t2[2] | warps b[1] | folded t1 t2
  read_shared<-1, 615, 0, 16, 240, 224, 15, 31, 255, 239, 256, 272, 496, 480, 271, 287, 511, 495>(x, thread % 4 * 32 + thread / 4 % 8 + thread / 32 * 512);

  const Matrix f15_left = load_matrix(tables + 0);

  // Step 1: radix 15 (padded to 16) over t1, DFT matrix x tile, over rows
  fold<From::left>(x[0]);
  const Scales scales1a = group_scales<7, 31, false>(x[0]);
  const SplitTile halves1a = split<false, SplitTile>(x[0], scales1a);
  const Product product1a = left16<3>(f15_left, halves1a);
  combine<From::left, 3, false, true>(x[0], product1a, scales1a);
  fold<From::left>(x[1]);
  const Scales scales1b = group_scales<7, 31, false>(x[1]);
  const SplitTile halves1b = split<false, SplitTile>(x[1], scales1b);
  const Product product1b = left16<3>(f15_left, halves1b);
  combine<From::left, 3, false, true>(x[1], product1b, scales1b);
  twiddle<16, 7, 0, 32>(x, tables + 64 + (thread % 32));

  const Matrix f15_right = load_matrix(tables + 192);

  // Step 2: radix 15 (padded to 16) over t2, tile x DFT matrix, over columns
  fold<From::right>(x[0]);
  const Scales scales2a = group_scales<7, 31, false>(x[0]);
  const SplitTile halves2a = split<false, SplitTile>(x[0], scales2a);
  const Product product2a = right16<3>(f15_right, halves2a);
  combine<From::right, 3, false, true>(x[0], product2a, scales2a);
  fold<From::right>(x[1]);
  const Scales scales2b = group_scales<7, 31, false>(x[1]);
  const SplitTile halves2b = split<false, SplitTile>(x[1], scales2b);
  const Product product2b = right16<3>(f15_right, halves2b);
  combine<From::right, 3, false, true>(x[1], product2b, scales2b);
  twiddle<16, 5, 0, 4>(x, tables + 256 + (thread % 4));
  warp_barrier();

  // Exchange: from registers t2[0] t1[3] t2[3] b[0] | lanes t2[1] t2[2] t1[0] t1[1] t1[2] | warps b[1]
  write_shared<0, 630, 0, 128, 8, 136, 256, 384, 264, 392>(x, thread % 4 * 2 + thread / 4 % 8 * 16 + thread / 32 * 512);
  warp_barrier();

  // To registers t2[1] t2[2] t2[3] b[0] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps b[1]
  read_shared<-1, 753, 0, 2, 4, 6, 8, 10, 12, 14, 256, 258, 260, 262, 264, 266, 268, 270>(x, thread % 16 * 16 + thread / 16 % 2 + thread / 32 * 512);

  // Store: registers t2[1] t2[2] t2[3] b[0] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps b[1]; 15 of 16 values of t1, 15 of 16 of t2 are points
  store_digits(x, out, existing, Digit<15, 1, 0, 0, 0, 0>{thread % 16}, Digit<15, 15, 2, 4, 8, 0>{thread / 16 % 2}, Digit<4, 225, 0, 0, 0, 1>{thread / 32 * 2});
}
