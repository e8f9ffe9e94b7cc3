// sonoma emit --n 527 --decomposition "(gs 31 (dft 17))" --engine simt --points-per-thread 31 --block-points 1581 --registers 120 --stage-load 0 --stage-store 0 --arch sm_90
//
// DFT of 527 complex f32 points, forward, (gs 31 (dft 17))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1%2, t1/2 are its
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 3 transform(s) a block, 96 threads, 31 points a thread, 12680 bytes shared, at least 5 block(s) an SM
//   load direct: registers t1 | threads t2 b
//   phase 1: registers t1 | threads t2 b
//     step 1: radix 31, butterflies in registers
//   phase 2: registers t2 | threads t1 b
//     step 2: radix 17, butterflies in registers
//   store direct: registers t2 | threads t1 b
//   a point lies in shared memory at  t2 + 17 t1 + 529 b
//
// Costs of a transform: 23824.8 flops nominal, 0 MMAs (m16n8k16), 10090.7 bytes moved of 8432 needed.
// A block of 3 warps: 1 barriers, 1 trips through shared memory, 34 bank conflicts, 4080 bytes of tables.
// |error|_2 / |result|_2 <= 1.24498e-05 (bound).

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

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
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

// --- global memory, in points -------------------------------------------------------------------
template <unsigned... offset, unsigned count, class Point, class Existing>
DEVICE void load_points(float2 (&x)[count], const Point* in, unsigned p, Existing existing) {
  unsigned r = 0;
  ((x[r++] = load_point<offset>(in + p, existing, p + offset)), ...);
}
template <unsigned... offset, unsigned count, class Point, class Existing>
DEVICE void store_points(float2 (&x)[count], Point* out, unsigned p, Existing existing) {
  unsigned r = 0;
  (store_point<offset>(out + p, x[r++], existing, p + offset), ...);
}

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
struct Roots<17> {
  DEVICE float cosine(unsigned j) {
    constexpr float of[] = {0x1p+0f, 0x1.dd6dp-1f, 0x1.7a5f6p-1f, 0x1.c86fa2p-2f, 0x1.79ee64p-4f, -0x1.183b1cp-2f, -0x1.348c86p-1f, -0x1.b34faap-1f, -0x1.f7484p-1f, -0x1.f7484p-1f, -0x1.b34faap-1f, -0x1.348c86p-1f, -0x1.183b1cp-2f, 0x1.79ee64p-4f, 0x1.c86fa2p-2f, 0x1.7a5f6p-1f, 0x1.dd6dp-1f};
    return of[j];
  }
  DEVICE float sine(unsigned j) {
    constexpr float of[] = {0x0p+0f, 0x1.71e956p-2f, 0x1.58eea2p-1f, 0x1.ca52d8p-1f, 0x1.fdd0dep-1f, 0x1.ec746ap-1f, 0x1.9895b6p-1f, 0x1.0d8884p-1f, 0x1.7851aap-3f, -0x1.7851aap-3f, -0x1.0d8884p-1f, -0x1.9895b6p-1f, -0x1.ec746ap-1f, -0x1.fdd0dep-1f, -0x1.ca52d8p-1f, -0x1.58eea2p-1f, -0x1.71e956p-2f};
    return of[j];
  }
};
template <>
struct Roots<31> {
  DEVICE float cosine(unsigned j) {
    constexpr float of[] = {0x1p+0f, 0x1.f584f2p-1f, 0x1.d681a4p-1f, 0x1.a43b1cp-1f, 0x1.60c046p-1f, 0x1.0ed45ep-1f, 0x1.63a3fcp-2f, 0x1.361fc4p-3f, -0x1.9eeb02p-5f, -0x1.00ab0ep-2f, -0x1.c2f6bp-2f, -0x1.3965f4p-1f, -0x1.847bf2p-1f, -0x1.bfaa5cp-1f, -0x1.e884fp-1f, -0x1.fd5f84p-1f, -0x1.fd5f84p-1f, -0x1.e884fp-1f, -0x1.bfaa5cp-1f, -0x1.847bf2p-1f, -0x1.3965f4p-1f, -0x1.c2f6bp-2f, -0x1.00ab0ep-2f, -0x1.9eeb02p-5f, 0x1.361fc4p-3f, 0x1.63a3fcp-2f, 0x1.0ed45ep-1f, 0x1.60c046p-1f, 0x1.a43b1cp-1f, 0x1.d681a4p-1f, 0x1.f584f2p-1f};
    return of[j];
  }
  DEVICE float sine(unsigned j) {
    constexpr float of[] = {0x0p+0f, 0x1.9c4266p-3f, 0x1.93d206p-2f, 0x1.247d44p-1f, 0x1.73180ap-1f, 0x1.b2818p-1f, 0x1.e0210cp-1f, 0x1.fa1886p-1f, 0x1.ff57c6p-1f, 0x1.efa7cep-1f, 0x1.cbad0ap-1f, 0x1.94e08ep-1f, 0x1.4d80b2p-1f, 0x1.f0f3p-2f, 0x1.328c4p-2f, 0x1.9e62acp-4f, -0x1.9e62acp-4f, -0x1.328c4p-2f, -0x1.f0f3p-2f, -0x1.4d80b2p-1f, -0x1.94e08ep-1f, -0x1.cbad0ap-1f, -0x1.efa7cep-1f, -0x1.ff57c6p-1f, -0x1.fa1886p-1f, -0x1.e0210cp-1f, -0x1.b2818p-1f, -0x1.73180ap-1f, -0x1.247d44p-1f, -0x1.93d206p-2f, -0x1.9c4266p-3f};
    return of[j];
  }
};

// ===== the kernel =====
// One block transforms 1581 points: 3 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(96, 5)
sonoma_c2c_f32_n527_forward_simt(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 1581ull * block_index();
  in += first, out += first;
  const unsigned long long rest = 527ull * batch - first;
  const FirstPoints existing{rest < 1581 ? static_cast<unsigned>(rest) : 1581u};
  float2 x[31];

  if (thread < 51) {  // no points for the others
    // Load: registers t1 | threads t2 b
    load_points<0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255, 272, 289, 306, 323, 340, 357, 374, 391, 408, 425, 442, 459, 476, 493, 510>(x, in, thread % 17 + thread / 17 * 527, existing);

    // Step 1: radix 31 over t1, butterflies in registers
    butterflies<-1, 31, 1, 31>(x);
    twiddle_points<load_table, 17, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(x, tables + 0 + (thread % 17));

    // Exchange: from registers t1 | threads t2 b
    write_places<0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255, 272, 289, 306, 323, 340, 357, 374, 391, 408, 425, 442, 459, 476, 493, 510>(x, thread % 17 + thread / 17 * 529);
  }
  block_barrier();

  if (thread < 93) {  // no points for the others
    // To registers t2 | threads t1 b
    read_places<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(x, thread % 31 * 17 + thread / 31 * 529);

    // Step 2: radix 17 over t2, butterflies in registers
    butterflies<-1, 17, 1, 17>(x);

    // Store: registers t2 | threads t1 b
    store_points<0, 31, 62, 93, 124, 155, 186, 217, 248, 279, 310, 341, 372, 403, 434, 465, 496>(x, out, thread % 31 + thread / 31 * 527, existing);
  }
}
