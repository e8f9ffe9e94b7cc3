// sonoma emit --n 1009 --method rader --decomposition "(gs 12 (gs 12 (dft 7)))" --engine simt --points-per-thread 24 --block-points 2016 --registers 88 --stage-load 1 --stage-store 1 --arch sm_90
//
// DFT of 1009 complex f32 points, forward, (gs 12 (gs 12 (dft 7)))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1%2, t1/2 are its
// remainder and quotient; b numbers the transforms of a block.
//
//   Rader: load and store through shared memory, in the order of memory; all points but the
//   first one by the powers of a root; all steps; X(0); times a spectrum; all steps backwards
//   engine simt, 2 transform(s) a block, 96 threads, 24 points a thread, 16696 bytes shared, at least 6 block(s) an SM
//   phase 1: registers t1 b | threads t3 t2
//     step 1: radix 12, butterflies in registers
//   phase 2: registers t2 b | threads t3 t1
//     step 2: radix 12, butterflies in registers
//   phase 3: registers t3 t2/4 | threads t1 t2%4 b
//     step 3: radix 7, butterflies in registers
//   a point lies in shared memory at  t3 + 7 t2 + 87 t1 + 1044 b
//
// Costs of a transform: 50342.6 flops nominal, 0 MMAs (m16n8k16), 16160 bytes moved of 16144 needed.
// A block of 3 warps: 8 barriers, 6 trips through shared memory, 772 bank conflicts, 17856 bytes of tables.
// |error|_2 / |result|_2 <= 6.62158e-06 (bound).

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
// The same, one or two factors, but not before the last barrier: a compiler that may would load all
// factors of a long kernel at once, and spill them.
DEVICE uint4 load_factors(const uint4* p) { return *p; }
DEVICE uint2 load_factor(const uint2* p) { return *p; }

#endif  // SONOMA_EMULATED

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

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}

// --- twiddles -----------------------------------------------------------------------------------
template <unsigned registers, class Points>
DEVICE void multiply(Points& x, float factor) {
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) {
    point(x, r) = make_float2(point(x, r).x * factor, point(x, r).y * factor);
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
DEVICE void dft2(float2& a, float2& b) {
  const float2 sum = a + b;
  b = a - b;
  a = sum;
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

// ===== mixed_points.cuh =====
// Points of a mixed tile (n is no power of two), and their way to and from memory.
//
// A thread holds as many points as its phase gives it, in the first registers of the array. Offsets
// are given per register; the thread's part of an index or place, p, is added. Threads that a phase
// leaves without points skip it.

// --- shared memory, in places of 8 bytes, padded ------------------------------------------------
DEVICE float2* shared_place(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}
template <unsigned... offset, unsigned count>
DEVICE void read_places(float2 (&x)[count], unsigned p) {
  unsigned r = 0;
  ((x[r++] = load_shared(shared_place(p) + offset)), ...);
}
template <unsigned... offset, unsigned count>
DEVICE void write_places(float2 (&x)[count], unsigned p) {
  unsigned r = 0;
  (store_shared(shared_place(p) + offset, x[r++]), ...);
}

// --- twiddles -----------------------------------------------------------------------------------
// x *= w. Register r takes the factor entry[r] of its thread, none if that is negative. Two factors
// lie in each 16-byte unit of the table, units `stride` apart, which `load` loads.
template <uint4 (*load)(const uint4*), unsigned stride, int... entry, unsigned count>
DEVICE void twiddle_points(float2 (&x)[count], const uint4* table) {
  constexpr int entries[] = {entry...};
  float4 unit = {};
  int loaded = -1;
#pragma unroll
  for (unsigned r = 0; r < sizeof...(entry); ++r) {
    if (entries[r] < 0) continue;
    if (entries[r] / 2 != loaded) {
      loaded = entries[r] / 2;
      const uint4 bits = load(table + loaded * stride);
      unit = make_float4(float_of(bits.x), float_of(bits.y), float_of(bits.z), float_of(bits.w));
    }
    const bool first = entries[r] % 2 == 0;
    const float2 w = first ? make_float2(unit.x, unit.y) : make_float2(unit.z, unit.w);
    x[r] = complex_product(x[r], w);
  }
}

// ===== mixed_butterflies.cuh =====
// DFTs of 2 to 32 points in registers, of any prime factors; sign -1 forward,
// +1 inverse. Results in natural order. No sum goes over more than the points of the DFT, so that
// nothing overflows that the exact result does not.

// cos and sin of 2 pi j / n, j = 0 to n - 1: those that the plan needs follow above the kernel.
template <unsigned n>
struct Roots;

template <int sign, unsigned n>
DEVICE void dft(float2 (&v)[n]);

// Of an odd prime: with s = x_j + x_(p-j) and d = x_j - x_(p-j), X_k and X_(p-k) are
// sum of s cos(2 pi j k / p) +- sign i (sum of d sin(2 pi j k / p)).
template <int sign, unsigned p>
DEVICE void prime_dft(float2 (&v)[p]) {
  constexpr unsigned half = p / 2;
  float2 s[half + 1], d[half + 1];
  const float2 first = v[0];
#pragma unroll
  for (unsigned j = 1; j <= half; ++j) {
    s[j] = v[j] + v[p - j];
    d[j] = v[j] - v[p - j];
    v[0] = v[0] + s[j];
  }
#pragma unroll
  for (unsigned k = 1; k <= half; ++k) {
    float2 even = first, odd = {};
#pragma unroll
    for (unsigned j = 1; j <= half; ++j) {
      const float c = Roots<p>::cosine(j * k % p), w = Roots<p>::sine(j * k % p);
      even =
          make_float2(fused_multiply_add(s[j].x, c, even.x), fused_multiply_add(s[j].y, c, even.y));
      odd = j == 1 ? make_float2(d[j].x * w, d[j].y * w)
                   : make_float2(fused_multiply_add(d[j].x, w, odd.x),
                                 fused_multiply_add(d[j].y, w, odd.y));
    }
    v[k] = even + turned<sign>(odd);
    v[p - k] = even - turned<sign>(odd);
  }
}

// n = a b with no common factor (I. J. Good, 1958): the point t = b t1 + a t2 goes to the frequency
// that leaves k1 when divided by a and k2 when divided by b; no factors between the two.
DEVICE constexpr unsigned leaving_one(unsigned a, unsigned b) {  // by a, and 0 by b
  unsigned multiple = b;
  while (multiple % a != 1) multiple += b;
  return multiple;
}
template <int sign, unsigned a, unsigned b>
DEVICE void coprime_dft(float2 (&v)[a * b]) {
  constexpr unsigned n = a * b, one_of_a = leaving_one(a, b), one_of_b = leaving_one(b, a);
  float2 columns[b][a];
#pragma unroll
  for (unsigned t2 = 0; t2 < b; ++t2) {
#pragma unroll
    for (unsigned t1 = 0; t1 < a; ++t1) columns[t2][t1] = v[(b * t1 + a * t2) % n];
    dft<sign>(columns[t2]);
  }
#pragma unroll
  for (unsigned k1 = 0; k1 < a; ++k1) {
    float2 row[b];
#pragma unroll
    for (unsigned t2 = 0; t2 < b; ++t2) row[t2] = columns[t2][k1];
    dft<sign>(row);
#pragma unroll
    for (unsigned k2 = 0; k2 < b; ++k2) v[(one_of_a * k1 + one_of_b * k2) % n] = row[k2];
  }
}

// n = a b, powers of one prime: the same with factors w_n^(k1 t2), t = b t1 + t2, k = k1 + a k2.
template <int sign, unsigned a, unsigned b>
DEVICE void power_dft(float2 (&v)[a * b]) {
  float2 columns[b][a];
#pragma unroll
  for (unsigned t2 = 0; t2 < b; ++t2) {
#pragma unroll
    for (unsigned t1 = 0; t1 < a; ++t1) columns[t2][t1] = v[b * t1 + t2];
    dft<sign>(columns[t2]);
  }
#pragma unroll
  for (unsigned k1 = 0; k1 < a; ++k1) {
    float2 row[b];
#pragma unroll
    for (unsigned t2 = 0; t2 < b; ++t2) {
      const unsigned power = k1 * t2;
      const float2 w = make_float2(Roots<a * b>::cosine(power), sign * Roots<a * b>::sine(power));
      row[t2] = power == 0 ? columns[t2][k1] : complex_product(columns[t2][k1], w);
    }
    dft<sign>(row);
#pragma unroll
    for (unsigned k2 = 0; k2 < b; ++k2) v[k1 + a * k2] = row[k2];
  }
}

// The largest power of the smallest prime that divides n.
DEVICE constexpr unsigned first_power(unsigned n) {
  unsigned prime = 2, power = 1;
  while (n % prime != 0) ++prime;
  for (; n % prime == 0; n /= prime) power *= prime;
  return power;
}
// The smallest prime that divides n; of 32 the 4.
DEVICE constexpr unsigned first_step(unsigned n) {
  unsigned prime = 2;
  while (n % prime != 0) ++prime;
  return n == 32 ? 4 : prime;
}

template <int sign, unsigned n>
DEVICE void dft(float2 (&v)[n]) {
  if constexpr (n == 2) {
    dft2<sign>(v[0], v[1]);
  } else if constexpr (n == 4) {
    dft4<sign>(v[0], v[1], v[2], v[3]);
  } else if constexpr (n == 8) {
    dft8<sign>(v);
  } else if constexpr (n == 16) {
    dft16<sign>(v);
  } else if constexpr (first_power(n) != n) {
    coprime_dft<sign, first_power(n), n / first_power(n)>(v);
  } else if constexpr (first_step(n) != n) {
    power_dft<sign, first_step(n), n / first_step(n)>(v);
  } else {
    prime_dft<sign>(v);
  }
}

// DFTs of `radix` of the first `registers` points each, those that lie `step` registers apart.
template <int sign, unsigned radix, unsigned step, unsigned registers, unsigned count>
DEVICE void butterflies(float2 (&x)[count]) {
#pragma unroll
  for (unsigned first = 0; first < registers; ++first) {
    if (first / step % radix != 0) continue;
    float2 v[radix];
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) v[j] = x[first + step * j];
    dft<sign>(v);
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) x[first + step * j] = v[j];
  }
}

// ===== roots of unity of this plan =====
template <>
struct Roots<3> {
  DEVICE float cosine(unsigned j) {
    constexpr float of[] = {0x1p+0f, -0x1p-1f, -0x1p-1f};
    return of[j];
  }
  DEVICE float sine(unsigned j) {
    constexpr float of[] = {0x0p+0f, 0x1.bb67aep-1f, -0x1.bb67aep-1f};
    return of[j];
  }
};
template <>
struct Roots<7> {
  DEVICE float cosine(unsigned j) {
    constexpr float of[] = {0x1p+0f, 0x1.3f3a0ep-1f, -0x1.c7b90ep-3f, -0x1.cd4bcap-1f, -0x1.cd4bcap-1f, -0x1.c7b90ep-3f, 0x1.3f3a0ep-1f};
    return of[j];
  }
  DEVICE float sine(unsigned j) {
    constexpr float of[] = {0x0p+0f, 0x1.904c38p-1f, 0x1.f329cp-1f, 0x1.bc4c04p-2f, -0x1.bc4c04p-2f, -0x1.f329cp-1f, -0x1.904c38p-1f};
    return of[j];
  }
};

// ===== rader.cuh =====
// Rader's algorithm (C. M. Rader, "Discrete Fourier transforms when the number of data samples is
// prime", 1968): n being a prime, the powers g^q, q = 0 .. m - 1, m = n - 1, of a primitive root g
// are the numbers from 1 to m in another order. With w = exp(sign 2 pi i / n), modulo n,
//
//   X(0)    = x(0) + sum over r of x(g^r),
//   X(g^-q) = x(0) + sum over r of x(g^r) b(q - r),   b(s) = w^(g^-s),
//
// a cyclic convolution of m points: a transform of them, a product with the spectrum B of b over m,
// and a transform back. In place of that one the first one comes a second time; its result is in the
// reverse order, so that point q is X(g^q).
//
// All points come and go through shared memory, where x(t) of transform b of the block lies at place
// b n + t. Behind them and the tile each transform has a slot, for x(0) and then X(0).

DEVICE float2* place_in_order(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}

// --- global memory ------------------------------------------------------------------------------
// A block takes `count` transforms of n points; in memory points lie `stride` and transforms `apart`
// points apart. Point i is the i-th one from there on: neighbours are accessed together. `existing`
// counts points, or, with `columns`, transforms.
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned transform_of(unsigned i) {
  return apart < stride ? i % count : i / n;
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned index_of(unsigned i) {
  return apart < stride ? i / count : i % n;
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned in_memory(unsigned i) {
  return transform_of<n, count, stride, apart>(i) * apart +
         index_of<n, count, stride, apart>(i) * stride;
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned in_order(unsigned i) {
  return transform_of<n, count, stride, apart>(i) * n + index_of<n, count, stride, apart>(i);
}
// Threads take every `threads`-th point; the last ones may have one less.
template <unsigned n, unsigned count, unsigned threads>
DEVICE constexpr unsigned turns() {
  return (n * count + threads - 1) / threads;
}
template <unsigned n, unsigned count, unsigned threads>
DEVICE bool has_turn(unsigned thread, unsigned r) {
  return (r + 1) * threads <= n * count || thread + r * threads < n * count;
}

template <unsigned n, unsigned count, unsigned stride, unsigned apart, unsigned threads,
          bool columns, class Point, class Existing>
DEVICE void load_in_order(const Point* in, unsigned thread, Existing existing) {
  constexpr bool contiguous = stride == 1 && apart == n;
  float2 x[turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    const Point* from =
        contiguous ? in + thread + r * threads : in + in_memory<n, count, stride, apart>(i);
    const unsigned index = columns ? transform_of<n, count, stride, apart>(i) : i;
    if (has_turn<n, count, threads>(thread, r)) x[r] = load_point<0>(from, existing, index);
  }
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    float2* to = contiguous ? place_in_order(thread) + r * threads
                            : place_in_order(in_order<n, count, stride, apart>(i));
    if (has_turn<n, count, threads>(thread, r)) store_shared(to, x[r]);
  }
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart, unsigned threads,
          bool columns, class Point, class Existing>
DEVICE void store_in_order(Point* out, unsigned thread, Existing existing) {
  constexpr bool contiguous = stride == 1 && apart == n;
  float2 x[turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    const float2* from = contiguous ? place_in_order(thread) + r * threads
                                    : place_in_order(in_order<n, count, stride, apart>(i));
    if (has_turn<n, count, threads>(thread, r)) x[r] = load_shared(from);
  }
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    Point* to =
        contiguous ? out + thread + r * threads : out + in_memory<n, count, stride, apart>(i);
    const unsigned index = columns ? transform_of<n, count, stride, apart>(i) : i;
    if (has_turn<n, count, threads>(thread, r)) store_point<0>(to, x[r], existing, index);
  }
}

// --- powers -------------------------------------------------------------------------------------
// Point p of the tile is point q = p % m of the convolution of transform p / m.
//
// g^q mod n, n below 2^16
template <unsigned n>
DEVICE constexpr unsigned power(unsigned g, unsigned q) {
  return q == 0 ? 1 : power<n>(g * g % n, q / 2) * (q % 2 == 1 ? g : 1) % n;
}
// Where x(g^q) lies, q being the thread's part of the point's number and that of `offset` together.
// The table has of each thread g^q mod n / n in units of 2^-32 of a turn, rounded up: turns add up as
// the numbers multiply modulo n, and n times the part of a turn that is left is their remainder (it
// is too large by offset's power times n / 2^32 at most, less than 1). Then the place where its
// transform begins.
template <unsigned n, unsigned g, unsigned offset>
DEVICE float2* place_of_power(uint2 own) {
  constexpr unsigned m = n - 1, further = power<n>(g, offset % m);
  const unsigned long long remainder = own.x * further * static_cast<unsigned long long>(n) >> 32;
  return place_in_order(own.y + static_cast<unsigned>(remainder)) + offset / m * n;
}
// Of the thread that has point 0 of a transform: x(0) to the slot, or X(0) from it.
template <unsigned n, unsigned slots, unsigned offset, bool to_slot>
DEVICE void move_first_point(uint2 own) {
  if constexpr (offset % (n - 1) == 0) {
    float2* first = place_in_order(own.y) + offset / (n - 1) * n;
    float2* slot = place_in_order(slots + own.y / n) + offset / (n - 1);
    to_slot ? store_shared(slot, load_shared(first)) : store_shared(first, load_shared(slot));
  }
}
template <unsigned n, unsigned slots, bool to_slot, unsigned... offset>
DEVICE void move_first_points(uint2 own) {
  constexpr unsigned one = 0xffffffffu / n + 1;  // g^0 in the table
  if (own.x != one) return;
  (move_first_point<n, slots, offset, to_slot>(own), ...);
}
template <unsigned n, unsigned g, unsigned slots, unsigned... offset, class Points>
DEVICE void read_powers(Points& x, const uint4* table, unsigned thread) {
  const uint2 own = load_factor(reinterpret_cast<const uint2*>(table) + thread);
  unsigned r = 0;
  ((point(x, r++) = load_shared(place_of_power<n, g, offset>(own))), ...);
  move_first_points<n, slots, true, offset...>(own);
}
template <unsigned n, unsigned g, unsigned slots, unsigned... offset, class Points>
DEVICE void write_powers(Points& x, const uint4* table, unsigned thread) {
  const uint2 own = load_factor(reinterpret_cast<const uint2*>(table) + thread);
  unsigned r = 0;
  (store_shared(place_of_power<n, g, offset>(own), point(x, r++)), ...);
  move_first_points<n, slots, false, offset...>(own);
}

// --- frequency 0 --------------------------------------------------------------------------------
// a is the sum of all points but x(0). B(0) is -1, and x(0) is in all results.
template <unsigned m>
DEVICE float2 with_first_point(float2 a, float2* slot, float factor) {
  const float2 first = load_shared(slot);
  store_shared(slot, make_float2((first.x + a.x) * factor, (first.y + a.y) * factor));
  return make_float2(fused_multiply_add(a.x, -1.0f / m, first.x),
                     fused_multiply_add(a.y, -1.0f / m, first.y));
}
template <unsigned m, unsigned slots, unsigned offset>
DEVICE float2 with_frequency(float2 a, unsigned p, float factor) {
  if constexpr (offset % m == 0) {
    return with_first_point<m>(a, place_in_order(slots + p / m) + offset / m, factor);
  } else {
    return a;
  }
}
template <unsigned m, unsigned slots, unsigned... offset, class Points>
DEVICE void zero_frequency(Points& x, unsigned p, float factor) {
  if (p % m != 0) return;
  unsigned r = 0;
  ((point(x, r) = with_frequency<m, slots, offset>(point(x, r), p, factor), ++r), ...);
}

// ===== the kernel =====
// One block transforms 2018 points: 2 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(96, 6)
sonoma_c2c_f32_n1009_rader_forward_simt(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 2018ull * block_index();
  in += first, out += first;
  const unsigned long long rest = 1009ull * batch - first;
  const FirstPoints existing{rest < 2018 ? static_cast<unsigned>(rest) : 2018u};
  float2 x[24];

  // Load, to shared memory in the order of memory
  load_in_order<1009, 2, 1, 1009, 96, false>(in, thread, existing);
  block_barrier();

  if (thread < 84) {  // no points for the others
    // Point q is x(11^q mod 1009): to registers t1 b | threads t3 t2
    read_powers<1009, 11, 2085, 0, 84, 168, 252, 336, 420, 504, 588, 672, 756, 840, 924, 1008, 1092, 1176, 1260, 1344, 1428, 1512, 1596, 1680, 1764, 1848, 1932>(x, tables + 0, thread);

    // Step 1: radix 12 over t1, butterflies in registers
    butterflies<-1, 12, 1, 24>(x);
    twiddle_points<load_factors, 84, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(x, tables + 42 + (thread));
  }
  block_barrier();

  if (thread < 84) {  // no points for the others
    // Exchange: from registers t1 b | threads t3 t2
    write_places<0, 87, 174, 261, 348, 435, 522, 609, 696, 783, 870, 957, 1044, 1131, 1218, 1305, 1392, 1479, 1566, 1653, 1740, 1827, 1914, 2001>(x, thread);
  }
  block_barrier();

  if (thread < 84) {  // no points for the others
    // To registers t2 b | threads t3 t1
    read_places<0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 1044, 1051, 1058, 1065, 1072, 1079, 1086, 1093, 1100, 1107, 1114, 1121>(x, thread % 7 + thread / 7 * 87);

    // Step 2: radix 12 over t2, butterflies in registers
    butterflies<-1, 12, 1, 24>(x);
    twiddle_points<load_factors, 7, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(x, tables + 546 + (thread % 7));

    // Exchange: from registers t2 b | threads t3 t1
    write_places<0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 1044, 1051, 1058, 1065, 1072, 1079, 1086, 1093, 1100, 1107, 1114, 1121>(x, thread % 7 + thread / 7 * 87);
  }
  block_barrier();

  // To registers t3 t2/4 | threads t1 t2%4 b
  read_places<0, 1, 2, 3, 4, 5, 6, 28, 29, 30, 31, 32, 33, 34, 56, 57, 58, 59, 60, 61, 62>(x, thread % 12 * 87 + thread / 12 % 4 * 7 + thread / 48 * 1044);

  // Step 3: radix 7 over t3, butterflies in registers
  butterflies<-1, 7, 1, 21>(x);

  // X(0), and x(0) for all others, where the sum of the other points is
  zero_frequency<1008, 2085, 0, 144, 288, 432, 576, 720, 864, 48, 192, 336, 480, 624, 768, 912, 96, 240, 384, 528, 672, 816, 960>(x, thread % 48 + thread / 48 * 1008, 0x1p+0f);

  // The convolution: times the spectrum of w^(g^-q), a quarter of it, and back
  twiddle_points<load_factors, 48, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20>(x, tables + 588 + (thread % 48));

  // Step 3 backwards: radix 7 over k3, butterflies in registers
  butterflies<-1, 7, 1, 21>(x);

  // Exchange: from registers t3 t2/4 | threads t1 t2%4 b
  write_places<0, 1, 2, 3, 4, 5, 6, 28, 29, 30, 31, 32, 33, 34, 56, 57, 58, 59, 60, 61, 62>(x, thread % 12 * 87 + thread / 12 % 4 * 7 + thread / 48 * 1044);
  block_barrier();

  if (thread < 84) {  // no points for the others
    // To registers t2 b | threads t3 t1
    read_places<0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 1044, 1051, 1058, 1065, 1072, 1079, 1086, 1093, 1100, 1107, 1114, 1121>(x, thread % 7 + thread / 7 * 87);

    // Step 2 backwards: radix 12 over k2, butterflies in registers
    twiddle_points<load_factors, 7, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(x, tables + 546 + (thread % 7));
    butterflies<-1, 12, 1, 24>(x);

    // Exchange: from registers t2 b | threads t3 t1
    write_places<0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 1044, 1051, 1058, 1065, 1072, 1079, 1086, 1093, 1100, 1107, 1114, 1121>(x, thread % 7 + thread / 7 * 87);
  }
  block_barrier();

  if (thread < 84) {  // no points for the others
    // To registers t1 b | threads t3 t2
    read_places<0, 87, 174, 261, 348, 435, 522, 609, 696, 783, 870, 957, 1044, 1131, 1218, 1305, 1392, 1479, 1566, 1653, 1740, 1827, 1914, 2001>(x, thread);

    // Step 1 backwards: radix 12 over k1, butterflies in registers
    twiddle_points<load_factors, 84, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(x, tables + 42 + (thread));
    butterflies<-1, 12, 1, 24>(x);

    // The factor of the request, times 4 for the quarter of the spectrum
    multiply<24>(x, 0x1p+2f);
  }
  block_barrier();

  if (thread < 84) {  // no points for the others
    // Point q is X(11^q mod 1009): from registers t1 b | threads t3 t2
    write_powers<1009, 11, 2085, 0, 84, 168, 252, 336, 420, 504, 588, 672, 756, 840, 924, 1008, 1092, 1176, 1260, 1344, 1428, 1512, 1596, 1680, 1764, 1848, 1932>(x, tables + 0, thread);
  }
  block_barrier();

  // Store, from shared memory in the order of memory
  store_in_order<1009, 2, 1, 1009, 96, false>(out, thread, existing);
}
