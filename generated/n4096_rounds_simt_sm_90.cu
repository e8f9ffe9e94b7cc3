// sonoma emit --n 4096 --decomposition "(gs 16 (gs 16 (dft 16)))" --engine simt --points-per-thread 16 --block-points 4096 --registers 80 --stage-load 0 --stage-store 0 --rounds 2 --arch sm_90
//
// DFT of 4096 complex f32 points, forward, (gs 16 (gs 16 (dft 16)))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine simt, 1 transform(s) a block, 128 threads, 16 points a thread, 24576 bytes shared, at least 6 block(s) an SM
//   2 rounds: a block goes through half of its tile at once; the last digit of the warps numbers them
//   load direct: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t3[3] t2[0] | warps t2[1] t2[2] t2[3]
//   phase 1: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t3[3] t2[0] | warps t2[1] t2[2] t2[3]
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t3[3] t1[0] | warps t1[1] t1[2] t1[3]
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t2[0] t2[1] | warps t2[2] t2[3] t1[3]
//     step 3: radix 16, butterflies in registers
//   store direct: registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t2[0] t2[1] | warps t2[2] t2[3] t1[3]
//   point p lies at p ^ (p >> 7 & 14) in shared memory
//   its parts in an exchange of one round at p ^ ((p >> 5 ^ p >> 7) & 31)
//
// Costs of a transform: 245760 flops nominal, 0 MMAs (m16n8k16), 65536 bytes moved of 65536 needed.
// A block of 4 warps: 9 barriers, 4 trips through shared memory, 128 bank conflicts, 34816 bytes of tables.
// |error|_2 / |result|_2 <= 1.60933e-06 (bound).

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
DEVICE void block_barrier() { __syncthreads(); }

// --- arithmetic (compiled with --fmad=false: what is fused is written fused) ---------------------
DEVICE float fused_multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
DEVICE unsigned bits_of(float value) { return __float_as_uint(value); }
DEVICE float float_of(unsigned bits) { return __uint_as_float(bits); }

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
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 7 & 14); }

// ===== this plan, in rounds =====
// Where the real (imaginary) part of point p of a round lies.
DEVICE constexpr unsigned part_swizzle(unsigned p) { return p ^ ((p >> 5 ^ p >> 7) & 31); }

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
DEVICE float4 load_pair(const float2* p, Existing existing, unsigned index) {
  const uint4 a = load_existing<offset / 2>(reinterpret_cast<const uint4*>(p), existing, index);
  return make_float4(float_of(a.x), float_of(a.y), float_of(a.z), float_of(a.w));
}
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
// One access of a thread; load_point, load_pair and their stores are those of the storage type: see
// storage_32.cuh and storage_16.cuh.
template <int pair_bit, unsigned bits_of_p, unsigned offset, class Points, class Point,
          class Existing>
DEVICE void load_access(Points& x, unsigned r, const Point* in, unsigned p, Existing existing) {
  constexpr unsigned even = pair_bit < 0 ? offset : offset & ~1u, further = even & ~bits_of_p;
  const Point* from = in + (p ^ (even & bits_of_p));
  if constexpr (pair_bit < 0) {
    point(x, r) = load_point<further>(from, existing, p ^ offset);
  } else {
    put_pair<pair_bit>(x, r, offset % 2 == 1, load_pair<further>(from, existing, p ^ offset));
  }
}
template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Point,
          class Existing>
DEVICE void load_tile(Points& x, const Point* in, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  unsigned j = 0;
  (load_access<pair_bit, bits_of_p, offset>(x, register_without(pair_bit, j++), in, p, existing),
   ...);
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

// ===== rounds.cuh =====
// A tile in two rounds: a thread holds half of its points at once, and shared memory three quarters
// of those of the block.
//
// Half of a thread's points: of `count` registers those whose number has `value` in bit `bit`.
template <unsigned bit, unsigned value, unsigned count>
struct HalfOf {
  float2 (&x)[count];
};
template <unsigned bit, unsigned value, unsigned count>
DEVICE float2& point(HalfOf<bit, value, count>& half, unsigned r) {
  return half.x[register_without(bit, r) | value << bit];
}
template <unsigned bit, unsigned set, unsigned count>
struct PointCount<HalfOf<bit, set, count>> {
  static constexpr unsigned value = count / 2;
};

template <unsigned count>
DEVICE void take(float2 (&x)[count], const float2 (&y)[count]) {
#pragma unroll
  for (unsigned r = 0; r < count; ++r) x[r] = y[r];
}

// Real (0) or imaginary (1) parts: that of point p of the round lies at 4 bytes * part_swizzle(p).
template <unsigned component>
DEVICE float& part(float2& a) {
  return component == 0 ? a.x : a.y;
}
// As shared_point(): the swizzle reaches the last five bits only.
template <unsigned bits_of_p>
DEVICE float* shared_part(unsigned p, unsigned offset) {
  constexpr unsigned mixed = bits_of_p | 31;
  const unsigned place = part_swizzle(offset);
  return reinterpret_cast<float*>(dynamic_shared()) + (part_swizzle(p) ^ (place & mixed)) +
         (place & ~mixed);
}
template <unsigned component, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void write_parts(Points& x, unsigned p) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned r = 0; r < sizeof...(offset); ++r) {
    store_shared(shared_part<bits_of_p>(p, offsets[r]), part<component>(point(x, r)));
  }
}
template <unsigned component, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void read_parts(Points& x, unsigned p) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned r = 0; r < sizeof...(offset); ++r) {
    part<component>(point(x, r)) = load_shared(shared_part<bits_of_p>(p, offsets[r]));
  }
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
// One block transforms 4096 points: 1 of the batch. Half of them at once, in two rounds. in and out may be the same.
extern "C" __global__ void __launch_bounds__(128, 6)
sonoma_c2c_f32_n4096_forward_simt(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  unsigned thread;  // numbered through both rounds
  const unsigned long long first = 4096ull * block_index();
  in += first, out += first;
  const AllPoints existing;
  float2 x[16];

  // ---- Round 1 of 2: t2[3] = 0 ----
  thread = anew(thread_index());

  // Load: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t3[3] t2[0] | warps t2[1] t2[2] t2[3]
  load_tile<-1, 255, 0, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 2816, 3072, 3328, 3584, 3840>(x, in, thread, existing);

  // Step 1: radix 16 over t1, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 256>(x, tables + 0 + (thread));

  // The turn: to the first quarter of shared memory those with t1[3] = 0, to the second one the others
  write_shared<-1, 127, 0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920>(x, anew(thread % 128));

  // ---- Round 2 of 2: t2[3] = 1 ----
  thread = anew(thread_index()) + 128;

  // Load: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t3[3] t2[0] | warps t2[1] t2[2] t2[3]
  load_tile<-1, 255, 0, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 2816, 3072, 3328, 3584, 3840>(x, in, thread, existing);

  // Step 1: radix 16 over t1, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 256>(x, tables + 0 + (thread));

  // The turn: to the third quarter those with t1[3] = 1; the others wait
  HalfOf<3, 1, 16> later{x};
  write_shared<-1, 127, 2048, 2176, 2304, 2432, 2560, 2688, 2816, 2944>(later, anew(thread % 128));
  block_barrier();

  // ---- Round 1 of 2 after the turn: t1[3] = 0 ----
  thread = anew(thread_index());
  // From the first quarter those with t2[3] = 0, to registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t3[3] t1[0] | warps t1[1] t1[2] t1[3]
  float2 y[16];
  HalfOf<3, 0, 16> first_half{y};
  read_shared<-1, 911, 0, 16, 32, 48, 64, 80, 96, 112>(first_half, anew(thread % 16 + thread / 16 % 8 * 128));
  block_barrier();
  // What has waited
  HalfOf<3, 0, 16> waiting{x};
  write_shared<-1, 127, 0, 128, 256, 384, 512, 640, 768, 896>(waiting, anew(thread % 128));
  block_barrier();
  // From there the others
  HalfOf<3, 1, 16> second_half{y};
  read_shared<-1, 911, 0, 16, 32, 48, 64, 80, 96, 112>(second_half, anew(thread % 16 + thread / 16 % 8 * 128));
  take(x, y);

  // Step 2: radix 16 over t2, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 16>(x, tables + 2048 + (thread % 16));
  block_barrier();

  // Exchange by parts: from registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t3[3] t1[0] | warps t1[1] t1[2] t1[3]
  write_parts<0, 1807, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240>(x, anew(thread % 16 + thread / 16 % 8 * 256));
  block_barrier();
  // To registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t2[0] t2[1] | warps t2[2] t2[3] t1[3]
  read_parts<0, 2032, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(x, anew(thread % 8 * 256 + thread / 8 % 16 * 16));
  block_barrier();
  write_parts<1, 1807, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240>(x, anew(thread % 16 + thread / 16 % 8 * 256));
  block_barrier();
  read_parts<1, 2032, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(x, anew(thread % 8 * 256 + thread / 8 % 16 * 16));

  // Step 3: radix 16 over t3, butterflies in registers
  butterflies16<-1, 15>(x);

  // Store: registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t2[0] t2[1] | warps t2[2] t2[3] t1[3]
  store_tile<-1, 255, 0, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 2816, 3072, 3328, 3584, 3840>(x, out, thread % 8 + thread / 8 % 16 * 16 + thread / 128 * 8, existing);

  // ---- Round 2 of 2 after the turn: t1[3] = 1 ----
  thread = anew(thread_index()) + 128;
  // From the second and the third quarter to registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t3[3] t1[0] | warps t1[1] t1[2] t1[3]
  read_shared<-1, 911, 1024, 1040, 1056, 1072, 1088, 1104, 1120, 1136, 2048, 2064, 2080, 2096, 2112, 2128, 2144, 2160>(x, anew(thread % 16 + thread / 16 % 8 * 128));

  // Step 2: radix 16 over t2, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 16>(x, tables + 2048 + (thread % 16));
  block_barrier();

  // Exchange: from registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t3[3] t1[0] | warps t1[1] t1[2] t1[3]
  write_shared<-1, 1807, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240>(x, anew(thread % 16 + thread / 16 % 8 * 256));
  block_barrier();

  // To registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t2[0] t2[1] | warps t2[2] t2[3] t1[3]
  read_shared<0, 2032, 0, 2, 4, 6, 8, 10, 12, 14>(x, anew(thread % 8 * 256 + thread / 8 % 16 * 16));

  // Step 3: radix 16 over t3, butterflies in registers
  butterflies16<-1, 15>(x);

  // Store: registers t3[0] t3[1] t3[2] t3[3] | lanes t1[0] t1[1] t1[2] t2[0] t2[1] | warps t2[2] t2[3] t1[3]
  store_tile<-1, 255, 0, 256, 512, 768, 1024, 1280, 1536, 1792, 2048, 2304, 2560, 2816, 3072, 3328, 3584, 3840>(x, out, thread % 8 + thread / 8 % 16 * 16 + thread / 128 * 8, existing);
}
