// sonoma emit --n 1009 --method bluestein --decomposition "(gs 16 (gs 16 (dft 8)))" --engine simt --points-per-thread 16 --block-points 2048 --registers 96 --stage-load 0 --stage-store 0 --arch sm_90
//
// DFT of 1009 complex f32 points, forward, (gs 16 (gs 16 (dft 8)))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   Bluestein: times a chirp, padded to 2048 points; all steps; times the chirp's spectrum; all steps backwards; times the chirp
//   engine simt, 1 transform(s) a block, 128 threads, 16 points a thread, 16384 bytes shared, at least 5 block(s) an SM
//   load direct: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t2[0] t2[1] | warps t2[2] t2[3]
//   phase 1: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t2[0] t2[1] | warps t2[2] t2[3]
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t1[0] t1[1] | warps t1[2] t1[3]
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3[0] t3[1] t3[2] t2[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1] t2[2]
//     step 3: radix 8, butterflies in registers
//   store direct: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t2[0] t2[1] | warps t2[2] t2[3]
//   point p lies at p ^ ((p >> 4 ^ p >> 6) & 14) in shared memory
//
// Costs of a transform: 50342.6 flops nominal, 0 MMAs (m16n8k16), 16144 bytes moved of 16144 needed.
// A block of 4 warps: 4 barriers, 4 trips through shared memory, 0 bank conflicts, 41984 bytes of tables.
// |error|_2 / |result|_2 <= 7.17494e-06 (bound).

// ===== instructions.cuh =====
// One wrapper per instruction. Everything above this layer is plain C++: an emulated device
// (SONOMA_EMULATED) brings its own versions of exactly these functions and runs the same text.
#ifndef SONOMA_EMULATED
#define DEVICE static __device__ __forceinline__

// --- threads -----------------------------------------------------------------------------------
DEVICE unsigned thread_index() { return threadIdx.x; }
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
// The same, one or two factors, but not before the last barrier: a compiler that may would load all
// factors of a long kernel at once, and spill them.
DEVICE uint4 load_factors(const uint4* p) { return *p; }
DEVICE uint2 load_factor(const uint2* p) { return *p; }

#endif  // SONOMA_EMULATED

// ===== this plan =====
// Where point p of the block's tile lies in shared memory: a permutation of the points that
// spreads every access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 4 ^ p >> 6) & 14); }

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
DEVICE void dft8(float2 (&v)[8]) {
  dft4<sign>(v[0], v[2], v[4], v[6]);
  dft4<sign>(v[1], v[3], v[5], v[7]);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const float2 odd = times_w16<sign>(v[2 * k + 1], 2 * k);
    v[2 * k + 1] = v[2 * k] - odd;
    v[2 * k] = v[2 * k] + odd;
  }
  const float2 natural[8] = {v[0], v[2], v[4], v[6], v[1], v[3], v[5], v[7]};
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) v[k] = natural[k];
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
DEVICE void butterflies8(Points& x) {
  for_each_group<8, mask>(x, [](float2(&v)[8]) { dft8<sign>(v); });
}
template <int sign, unsigned mask, class Points>
DEVICE void butterflies16(Points& x) {
  for_each_group<16, mask>(x, [](float2(&v)[16]) { dft16<sign>(v); });
}

// ===== chirp.cuh =====
// Bluestein's algorithm (L. I. Bluestein, "A linear filtering approach to the computation of discrete
// Fourier transform", 1970): with the chirp w(t) = exp(sign pi i t^2 / n), a DFT of n points is
//
//   X(k) = w(k) sum over t of (x(t) w(t)) conj w(k - t),
//
// a convolution, which two transforms of m >= 2 n - 1 points compute. Point p of the block's tile is
// point p % m of its transform p / m; those from n on are zero on the way in, and dropped on the way
// out. In memory points lie `stride` and transforms `apart` points apart.

template <unsigned m, unsigned stride, unsigned apart>
DEVICE constexpr unsigned in_memory(unsigned p) {
  return p / m * apart + p % m * stride;
}
// Whether point p + offset is one that memory has.
template <unsigned m, unsigned n, unsigned apart, unsigned offset, class Existing>
DEVICE FirstPoints within_transform(unsigned p, Existing existing) {
  return {existing.has((p / m + offset / m) * apart) ? n : 0};
}

template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned offset, class Point,
          class Existing>
DEVICE float2 load_padded_point(const Point* from, unsigned p, Existing existing) {
  if constexpr (offset % m < n) {
    return load_point<in_memory<m, stride, apart>(offset)>(
        from, within_transform<m, n, apart, offset>(p, existing), p % m + offset % m);
  } else {
    return make_float2(0.0f, 0.0f);
  }
}
template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned... offset, class Points,
          class Point, class Existing>
DEVICE void load_padded(Points& x, const Point* in, unsigned p, Existing existing) {
  unsigned r = 0;
  const Point* from = in + in_memory<m, stride, apart>(p);
  ((point(x, r++) = load_padded_point<m, n, stride, apart, offset>(from, p, existing)), ...);
}

template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned offset, class Point,
          class Existing>
DEVICE void store_cropped_point(Point* to, float2 a, unsigned p, Existing existing) {
  if constexpr (offset % m < n) {
    store_point<in_memory<m, stride, apart>(offset)>(
        to, a, within_transform<m, n, apart, offset>(p, existing), p % m + offset % m);
  }
}
template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned... offset, class Points,
          class Point, class Existing>
DEVICE void store_cropped(Points& x, Point* out, unsigned p, Existing existing) {
  unsigned r = 0;
  Point* to = out + in_memory<m, stride, apart>(p);
  (store_cropped_point<m, n, stride, apart, offset>(to, point(x, r++), p, existing), ...);
}

DEVICE float2 conjugate(float2 a) { return make_float2(a.x, -a.y); }

// x w, or conj(x) w for the result of a transform that stands for the inverse one: F^-1 V is the
// conjugate of F conj(V), but for the factor 1 / m, which is in the spectrum. The table holds w in the
// order of t.
template <unsigned m, unsigned n, bool of_conjugate, unsigned offset>
DEVICE float2 chirped(float2 a, const uint4* table, unsigned p) {
  if constexpr (offset % m < n) {
    const uint2 w = load_factor(reinterpret_cast<const uint2*>(table) + p % m + offset % m);
    return complex_product(of_conjugate ? conjugate(a) : a,
                           make_float2(float_of(w.x), float_of(w.y)));
  } else {
    return a;
  }
}
template <unsigned m, unsigned n, bool of_conjugate, unsigned... offset, class Points>
DEVICE void times_chirp(Points& x, const uint4* table, unsigned p) {
  unsigned r = 0;
  ((point(x, r) = chirped<m, n, of_conjugate, offset>(point(x, r), table, p), ++r), ...);
}

// x = conj(x b), b the spectrum of the conjugate chirp.
template <unsigned registers, unsigned mask, unsigned stride, class Points>
DEVICE void times_spectrum(Points& x, const uint4* table) {
  twiddle<registers, mask, 0, stride, load_factors>(x, table);
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) point(x, r) = conjugate(point(x, r));
}

// ===== the kernel =====
// One block transforms 1009 points: 1 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(128, 5)
sonoma_c2c_f32_n1009_bluestein_forward_simt(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 1009ull * block_index();
  in += first, out += first;
  const AllPoints existing;
  float2 x[16];

  // Load: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t2[0] t2[1] | warps t2[2] t2[3]
  load_padded<2048, 1009, 1, 1009, 0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920>(x, in, thread, existing);

  // Times the chirp w(t) = exp(-pi i t^2 / 1009)
  times_chirp<2048, 1009, false, 0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920>(x, tables + 0, thread);

  // Step 1: radix 16 over t1, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 128, load_factors>(x, tables + 512 + (thread));

  // Exchange: from registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t2[0] t2[1] | warps t2[2] t2[3]
  write_shared<-1, 127, 0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920>(x, thread);
  block_barrier();

  // To registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t1[0] t1[1] | warps t1[2] t1[3]
  read_shared<-1, 1927, 0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120>(x, thread % 8 + thread / 8 * 128);

  // Step 2: radix 16 over t2, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 8, load_factors>(x, tables + 1536 + (thread % 8));

  // Exchange: from registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t1[0] t1[1] | warps t1[2] t1[3]
  write_shared<-1, 1927, 0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120>(x, thread % 8 + thread / 8 * 128);
  block_barrier();

  // To registers t3[0] t3[1] t3[2] t2[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1] t2[2]
  read_shared<0, 1976, 0, 2, 4, 6, 64, 66, 68, 70>(x, thread % 16 * 128 + thread / 16 * 8);

  // Step 3: radix 8 over t3, butterflies in registers
  butterflies8<-1, 7>(x);

  // The convolution: times the spectrum of the conjugate chirp, and back
  times_spectrum<16, 15, 128>(x, tables + 1600 + (thread));

  // Step 3 backwards: radix 8 over k3, butterflies in registers
  butterflies8<-1, 7>(x);

  // Exchange: from registers t3[0] t3[1] t3[2] t2[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1] t2[2]
  write_shared<0, 1976, 0, 2, 4, 6, 64, 66, 68, 70>(x, thread % 16 * 128 + thread / 16 * 8);
  block_barrier();

  // To registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t1[0] t1[1] | warps t1[2] t1[3]
  read_shared<-1, 1927, 0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120>(x, thread % 8 + thread / 8 * 128);

  // Step 2 backwards: radix 16 over k2, butterflies in registers
  twiddle<16, 15, 15, 8, load_factors>(x, tables + 1536 + (thread % 8));
  butterflies16<-1, 15>(x);

  // Exchange: from registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t3[1] t3[2] t1[0] t1[1] | warps t1[2] t1[3]
  write_shared<-1, 1927, 0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120>(x, thread % 8 + thread / 8 * 128);
  block_barrier();

  // To registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t2[0] t2[1] | warps t2[2] t2[3]
  read_shared<-1, 127, 0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920>(x, thread);

  // Step 1 backwards: radix 16 over k1, butterflies in registers
  twiddle<16, 15, 15, 128, load_factors>(x, tables + 512 + (thread));
  butterflies16<-1, 15>(x);

  // Times the chirp w(t) = exp(-pi i t^2 / 1009), of the conjugate
  times_chirp<2048, 1009, true, 0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920>(x, tables + 0, thread);

  // Store: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t3[1] t3[2] t2[0] t2[1] | warps t2[2] t2[3]
  store_cropped<2048, 1009, 1, 1009, 0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920>(x, out, thread, existing);
}
