// sonoma emit --n 1009 --method bluestein --decomposition "(gs 16 (gs 16 (dft 8)))"
//     --engine simt --sums fp32 --points-per-thread 16 --block-points 2048 --registers 96
//     --stage-load 0 --stage-store 0 --twiddles table --prefetch none --arch sm_90
//
// DFT of 1009 complex f32 points, forward, (gs 16 (gs 16 (dft 8)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   Bluestein: times a chirp, padded to 2048 points; all steps; times the chirp's spectrum; all
//     steps backwards; times the chirp
//   engine simt, 1 transform(s) a block, 128 threads, 16 points a thread, 16384 bytes shared, at
//     least 5 block(s) an SM
//   load direct: registers t1 | threads t3 t2
//   phase 1: registers t1 | threads t3 t2
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 | threads t3 k1
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3 k2/8 | threads k1 k2%8
//     step 3: radix 8, butterflies in registers
//   store direct: registers t1 | threads t3 t2
//   point p lies at p ^ ((p >> 4 ^ p >> 6) & 14) in shared memory
//
// Costs of a transform: 50342.6 flops nominal, 0 MMAs (m16n8k16), 16144 bytes moved of 16144
//   needed.
// A block of 4 warps: 4 barriers, 4 trips through shared memory, 0 bank conflicts, 50176 bytes of
//   tables.
// |error|_2 / |result|_2 <= 4.99812e-06 (bound); of random input 1.59007e-07.
//
// To launch it:
//   grid     batch blocks
//   block    128 threads
//   shared   16384 bytes, dynamic
//            where more than 11 blocks fit on an SM they shall take 38 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   50176 bytes
//            [0, 8192) chirp w(t) = exp(-pi i t^2 / 1009), half of it
//            [8192, 24576) after step 1: w^(k1 t), w = exp(-2 pi i / 2048)
//            [24576, 25600) after step 2: w^(k2 t), w = exp(-2 pi i / 128)
//            [25600, 41984) DFT of the conjugate chirp over its length
//            [41984, 50176) chirp w(t) = exp(-pi i t^2 / 1009), times 2
//   batch    transforms
// nvcc -cubin -arch=sm_90 -std=c++17 --fmad=false FILE.cu

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
// Zero, and nothing read, where not `valid`. (As a predicate: an `if` would become a branch around
// every load.)
DEVICE unsigned load_global_if(const unsigned* p, bool valid) {
  unsigned a;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.b32 %0, 0; @p ld.global.b32 %0, [%1]; }"
               : "=&r"(a)
               : "l"(p), "r"(static_cast<unsigned>(valid)));
  return a;
}
DEVICE uint2 load_global_if(const uint2* p, bool valid) {
  uint2 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %3, 0; mov.b32 %0, 0; mov.b32 %1, 0; "
      "@p ld.global.v2.b32 {%0, %1}, [%2]; }"
      : "=&r"(a.x), "=&r"(a.y)
      : "l"(p), "r"(static_cast<unsigned>(valid)));
  return a;
}
DEVICE uint4 load_global_if(const uint4* p, bool valid) {
  uint4 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %5, 0; mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; "
      "mov.b32 %3, 0; @p ld.global.v4.b32 {%0, %1, %2, %3}, [%4]; }"
      : "=&r"(a.x), "=&r"(a.y), "=&r"(a.z), "=&r"(a.w)
      : "l"(p), "r"(static_cast<unsigned>(valid)));
  return a;
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
// The same, one or two factors, but not before the last barrier: a compiler that may would load all
// factors of a long kernel at once, and spill them.
DEVICE uint4 load_factors(const uint4* p) { return *p; }
DEVICE uint2 load_factor(const uint2* p) { return *p; }

#endif  // SONOMA_EMULATED

// ===== global.cuh =====
// How an access meets global memory: always; only when a condition holds, else the point reads as
// zero and is not stored; streamed: what is touched once is the first to leave the caches.
struct Always {};
struct When {
  bool there;
};
template <class T>
DEVICE T load_word(const T* p, Always) {
  return load_global(p);
}
template <class T>
DEVICE T load_word(const T* p, When when) {
  return load_global_if(p, when.there);
}
template <class T>
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}
template <class T>
DEVICE void store_word(T* p, T word, When when) {
  store_global_if(p, word, when.there);
}

// ===== storage_32.cuh =====
// FP32 points in global memory: one, or two neighbours, 16 bytes at a time.
template <class Access = Always>
DEVICE float2 load_point(const float2* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return make_float2(float_of(a.x), float_of(a.y));
}
template <class Access = Always>
DEVICE void store_point(float2* p, float2 a, Access access = {}) {
  store_word(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)), access);
}

// ===== points.cuh =====
// Complex points in registers, and their way to and from shared memory.

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}
DEVICE float2 conjugate(float2 a) { return make_float2(a.x, -a.y); }

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
DEVICE void store_shared_pair(float2* place, float2 first, float2 second) {
  store_shared(reinterpret_cast<float4*>(place), make_float4(first.x, first.y, second.x, second.y));
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
// One alone: 8 bytes.
DEVICE float2 factor_at(const uint4* table, unsigned number) {
  const uint2 w = load_factor(reinterpret_cast<const uint2*>(table) + number);
  return make_float2(float_of(w.x), float_of(w.y));
}

// ===== butterflies.cuh =====
// DFTs of 2, 4, 8, 16 and 32 points in registers; sign -1 forward, +1 inverse. Results in natural
// order. Complex factors are applied as fused products of both parts, never as (re + im) * c, so
// that nothing overflows that the exact result does not. Every line is straight: what a compiler
// would have to unroll takes it ten times as long.

DEVICE float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
DEVICE float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
DEVICE void swap(float2& a, float2& b) {
  const float2 was = a;
  a = b;
  b = was;
}

// a c + b for a real c.
DEVICE float2 multiply_add(float2 a, float c, float2 b) {
  return make_float2(fused_multiply_add(a.x, c, b.x), fused_multiply_add(a.y, c, b.y));
}

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

constexpr float cos_2_16 = 0x1.d906bcp-1f;
constexpr float cos_4_16 = 0x1.6a09e6p-1f;

// X[k] and X[k + 16] of the even points' and the odd points' k-th results.
DEVICE void join_halves(float2 even, float2 odd, float2& low, float2& high) {
  low = even + odd;
  high = even - odd;
}

// ===== fused_butterflies.cuh =====
constexpr float tan_2_16 = 0x1.a8279ap-2f;

// a (1 + sign i tangent)
template <int sign>
DEVICE float2 sheared(float2 a, float tangent) {
  return multiply_add(turned<sign>(a), tangent, a);
}

// The same, w = exp(sign i pi / 4).
template <int sign>
DEVICE void fused_join_eighth(float2 even, float2 odd, float2& low, float2& high) {
  const float2 product = odd + turned<sign>(odd);
  low = multiply_add(product, cos_4_16, even);
  high = multiply_add(product, -cos_4_16, even);
}

// The second half of fused_dft8(): the even points and the odd ones are DFTs of 4.
template <int sign>
DEVICE void fused_join8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                        float2& v6, float2& v7) {
  const float2 a0 = v0, a1 = v2, a2 = v4, a3 = v6, b0 = v1, b1 = v3, b2 = v5, b3 = v7;
  join_halves(a0, b0, v0, v4);
  fused_join_eighth<sign>(a1, b1, v1, v5);
  join_halves(a2, turned<sign>(b2), v2, v6);
  fused_join_eighth<sign>(a3, turned<sign>(b3), v3, v7);
}

template <int sign>
DEVICE void fused_dft8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                       float2& v6, float2& v7) {
  dft4<sign>(v0, v2, v4, v6);
  dft4<sign>(v1, v3, v5, v7);
  fused_join8<sign>(v0, v1, v2, v3, v4, v5, v6, v7);
}

// A DFT of 4 points, of which b and d still take cos(pi / 8), and c cos(pi / 4).
template <int sign>
DEVICE void dft4_of_sheared(float2& a, float2& b, float2& c, float2& d) {
  const float2 even = multiply_add(c, cos_4_16, a), even_difference = multiply_add(c, -cos_4_16, a);
  const float2 odd = b + d, odd_difference = turned<sign>(b - d);
  a = multiply_add(odd, cos_2_16, even);
  c = multiply_add(odd, -cos_2_16, even);
  b = multiply_add(odd_difference, cos_2_16, even_difference);
  d = multiply_add(odd_difference, -cos_2_16, even_difference);
}
// The second half of fused_dft16(): every fourth points are DFTs of 4.
template <int sign>
DEVICE void fused_join16(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                         float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                         float2& v12, float2& v13, float2& v14, float2& v15) {
  dft4<sign>(v0, v1, v2, v3);
  // Factors w^1, w^2, w^3, w = exp(sign i pi / 8)
  v5 = sheared<sign>(v5, tan_2_16);
  v6 = v6 + turned<sign>(v6);
  v7 = turned<sign>(sheared<sign>(v7, -tan_2_16));
  dft4_of_sheared<sign>(v4, v5, v6, v7);
  // w^2, w^4, w^6
  const float2 a0 = v8 + turned<sign>(v10), a1 = v8 - turned<sign>(v10);
  const float2 b0 = v9 + turned<sign>(v11), b1 = v9 - turned<sign>(v11);
  fused_join_eighth<sign>(a0, b0, v8, v10);
  fused_join_eighth<sign>(a1, turned<sign>(b1), v9, v11);
  // w^3, w^6, w^9
  v13 = turned<sign>(sheared<sign>(v13, -tan_2_16));
  v14 = turned<sign>(v14 + turned<sign>(v14));
  v15 = turned<sign>(turned<sign>(sheared<sign>(v15, tan_2_16)));
  dft4_of_sheared<sign>(v12, v13, v14, v15);
  swap(v1, v4), swap(v2, v8), swap(v3, v12), swap(v6, v9), swap(v7, v13), swap(v11, v14);
}

template <int sign>
DEVICE void fused_dft16(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                        float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                        float2& v12, float2& v13, float2& v14, float2& v15) {
  dft4<sign>(v0, v4, v8, v12);
  dft4<sign>(v1, v5, v9, v13);
  dft4<sign>(v2, v6, v10, v14);
  dft4<sign>(v3, v7, v11, v15);
  fused_join16<sign>(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15);
}

// ===== this plan =====
// The points of a thread
using Points = float2[16];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 4 ^ p >> 6) & 14); }

DEVICE void load(Points& x, const float2* p, unsigned index) {
  x[0] = load_point(p);
  x[1] = load_point(p + 128);
  x[2] = load_point(p + 256);
  x[3] = load_point(p + 384);
  x[4] = load_point(p + 512);
  x[5] = load_point(p + 640);
  x[6] = load_point(p + 768);
  x[7] = load_point(p + 896, When{index < 113u});
  x[8] = make_float2(0.0f, 0.0f);
  x[9] = make_float2(0.0f, 0.0f);
  x[10] = make_float2(0.0f, 0.0f);
  x[11] = make_float2(0.0f, 0.0f);
  x[12] = make_float2(0.0f, 0.0f);
  x[13] = make_float2(0.0f, 0.0f);
  x[14] = make_float2(0.0f, 0.0f);
  x[15] = make_float2(0.0f, 0.0f);
}
DEVICE void times_chirp(Points& x, const uint4* f, unsigned t) {
  x[0] = complex_product(x[0], factor_at(f, t));
  x[1] = complex_product(x[1], factor_at(f, t + 128));
  x[2] = complex_product(x[2], factor_at(f, t + 256));
  x[3] = complex_product(x[3], factor_at(f, t + 384));
  x[4] = complex_product(x[4], factor_at(f, t + 512));
  x[5] = complex_product(x[5], factor_at(f, t + 640));
  x[6] = complex_product(x[6], factor_at(f, t + 768));
  x[7] = complex_product(x[7], factor_at(f, t + 896));
}
DEVICE void dft4_of_first_2(float2& v0, float2& v1, float2& v2, float2& v3) {
  const float2 even = v0, odd = v1;
  const float2 even_difference = v0;
  const float2 odd_difference = turned<-1>(v1);
  v0 = even + odd;
  v2 = even - odd;
  v1 = even_difference + odd_difference;
  v3 = even_difference - odd_difference;
}
DEVICE void fused_dft16_of_first_8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4,
                                   float2& v5, float2& v6, float2& v7, float2& v8, float2& v9,
                                   float2& v10, float2& v11, float2& v12, float2& v13, float2& v14,
                                   float2& v15) {
  dft4_of_first_2(v0, v4, v8, v12);
  dft4_of_first_2(v1, v5, v9, v13);
  dft4_of_first_2(v2, v6, v10, v14);
  dft4_of_first_2(v3, v7, v11, v15);
  fused_join16<-1>(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15);
}
DEVICE void step_1(Points& x) {
  fused_dft16_of_first_8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11],
                         x[12], x[13], x[14], x[15]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_factors(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_factors(f + 128));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_factors(f + 256));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_factors(f + 384));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_factors(f + 512));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_factors(f + 640));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_factors(f + 768));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_factors(f + 896));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 10) + 128, x[1]);
  store_shared(shared_point(place ^ 4) + 256, x[2]);
  store_shared(shared_point(place ^ 14) + 384, x[3]);
  store_shared(shared_point(place ^ 8) + 512, x[4]);
  store_shared(shared_point(place ^ 2) + 640, x[5]);
  store_shared(shared_point(place ^ 12) + 768, x[6]);
  store_shared(shared_point(place ^ 6) + 896, x[7]);
  store_shared(shared_point(place) + 1024, x[8]);
  store_shared(shared_point(place ^ 10) + 1152, x[9]);
  store_shared(shared_point(place ^ 4) + 1280, x[10]);
  store_shared(shared_point(place ^ 14) + 1408, x[11]);
  store_shared(shared_point(place ^ 8) + 1536, x[12]);
  store_shared(shared_point(place ^ 2) + 1664, x[13]);
  store_shared(shared_point(place ^ 12) + 1792, x[14]);
  store_shared(shared_point(place ^ 6) + 1920, x[15]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place ^ 8));
  x[2] = load_shared(shared_point(place) + 16);
  x[3] = load_shared(shared_point(place ^ 8) + 16);
  x[4] = load_shared(shared_point(place ^ 2) + 32);
  x[5] = load_shared(shared_point(place ^ 10) + 32);
  x[6] = load_shared(shared_point(place ^ 2) + 48);
  x[7] = load_shared(shared_point(place ^ 10) + 48);
  x[8] = load_shared(shared_point(place ^ 4) + 64);
  x[9] = load_shared(shared_point(place ^ 12) + 64);
  x[10] = load_shared(shared_point(place ^ 4) + 80);
  x[11] = load_shared(shared_point(place ^ 12) + 80);
  x[12] = load_shared(shared_point(place ^ 6) + 96);
  x[13] = load_shared(shared_point(place ^ 14) + 96);
  x[14] = load_shared(shared_point(place ^ 6) + 112);
  x[15] = load_shared(shared_point(place ^ 14) + 112);
}
DEVICE void step_2(Points& x) {
  fused_dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12],
                  x[13], x[14], x[15]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_factors(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_factors(f + 8));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_factors(f + 16));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_factors(f + 24));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_factors(f + 32));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_factors(f + 40));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_factors(f + 48));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_factors(f + 56));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 8), x[1]);
  store_shared(shared_point(place) + 16, x[2]);
  store_shared(shared_point(place ^ 8) + 16, x[3]);
  store_shared(shared_point(place ^ 2) + 32, x[4]);
  store_shared(shared_point(place ^ 10) + 32, x[5]);
  store_shared(shared_point(place ^ 2) + 48, x[6]);
  store_shared(shared_point(place ^ 10) + 48, x[7]);
  store_shared(shared_point(place ^ 4) + 64, x[8]);
  store_shared(shared_point(place ^ 12) + 64, x[9]);
  store_shared(shared_point(place ^ 4) + 80, x[10]);
  store_shared(shared_point(place ^ 12) + 80, x[11]);
  store_shared(shared_point(place ^ 6) + 96, x[12]);
  store_shared(shared_point(place ^ 14) + 96, x[13]);
  store_shared(shared_point(place ^ 6) + 112, x[14]);
  store_shared(shared_point(place ^ 14) + 112, x[15]);
}
DEVICE void read_2(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0], x[1]);
  load_shared_pair(shared_point(place ^ 2), x[2], x[3]);
  load_shared_pair(shared_point(place ^ 4), x[4], x[5]);
  load_shared_pair(shared_point(place ^ 6), x[6], x[7]);
  load_shared_pair(shared_point(place ^ 4) + 64, x[8], x[9]);
  load_shared_pair(shared_point(place ^ 6) + 64, x[10], x[11]);
  load_shared_pair(shared_point(place) + 64, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 2) + 64, x[14], x[15]);
}
DEVICE void step_3(Points& x) {
  fused_dft8<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
  fused_dft8<-1>(x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]);
}
DEVICE void times_spectrum(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_factors(f));
  x[0] = conjugate(complex_product(x[0], w0.first));
  x[1] = conjugate(complex_product(x[1], w0.second));
  const Factors w1 = factors_of(load_factors(f + 128));
  x[2] = conjugate(complex_product(x[2], w1.first));
  x[3] = conjugate(complex_product(x[3], w1.second));
  const Factors w2 = factors_of(load_factors(f + 256));
  x[4] = conjugate(complex_product(x[4], w2.first));
  x[5] = conjugate(complex_product(x[5], w2.second));
  const Factors w3 = factors_of(load_factors(f + 384));
  x[6] = conjugate(complex_product(x[6], w3.first));
  x[7] = conjugate(complex_product(x[7], w3.second));
  const Factors w4 = factors_of(load_factors(f + 512));
  x[8] = conjugate(complex_product(x[8], w4.first));
  x[9] = conjugate(complex_product(x[9], w4.second));
  const Factors w5 = factors_of(load_factors(f + 640));
  x[10] = conjugate(complex_product(x[10], w5.first));
  x[11] = conjugate(complex_product(x[11], w5.second));
  const Factors w6 = factors_of(load_factors(f + 768));
  x[12] = conjugate(complex_product(x[12], w6.first));
  x[13] = conjugate(complex_product(x[13], w6.second));
  const Factors w7 = factors_of(load_factors(f + 896));
  x[14] = conjugate(complex_product(x[14], w7.first));
  x[15] = conjugate(complex_product(x[15], w7.second));
}
DEVICE void write_3(Points& x, unsigned place) {
  store_shared_pair(shared_point(place), x[0], x[1]);
  store_shared_pair(shared_point(place ^ 2), x[2], x[3]);
  store_shared_pair(shared_point(place ^ 4), x[4], x[5]);
  store_shared_pair(shared_point(place ^ 6), x[6], x[7]);
  store_shared_pair(shared_point(place ^ 4) + 64, x[8], x[9]);
  store_shared_pair(shared_point(place ^ 6) + 64, x[10], x[11]);
  store_shared_pair(shared_point(place) + 64, x[12], x[13]);
  store_shared_pair(shared_point(place ^ 2) + 64, x[14], x[15]);
}
DEVICE void read_3(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place ^ 8));
  x[2] = load_shared(shared_point(place) + 16);
  x[3] = load_shared(shared_point(place ^ 8) + 16);
  x[4] = load_shared(shared_point(place ^ 2) + 32);
  x[5] = load_shared(shared_point(place ^ 10) + 32);
  x[6] = load_shared(shared_point(place ^ 2) + 48);
  x[7] = load_shared(shared_point(place ^ 10) + 48);
  x[8] = load_shared(shared_point(place ^ 4) + 64);
  x[9] = load_shared(shared_point(place ^ 12) + 64);
  x[10] = load_shared(shared_point(place ^ 4) + 80);
  x[11] = load_shared(shared_point(place ^ 12) + 80);
  x[12] = load_shared(shared_point(place ^ 6) + 96);
  x[13] = load_shared(shared_point(place ^ 14) + 96);
  x[14] = load_shared(shared_point(place ^ 6) + 112);
  x[15] = load_shared(shared_point(place ^ 14) + 112);
}
DEVICE void write_4(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 8), x[1]);
  store_shared(shared_point(place) + 16, x[2]);
  store_shared(shared_point(place ^ 8) + 16, x[3]);
  store_shared(shared_point(place ^ 2) + 32, x[4]);
  store_shared(shared_point(place ^ 10) + 32, x[5]);
  store_shared(shared_point(place ^ 2) + 48, x[6]);
  store_shared(shared_point(place ^ 10) + 48, x[7]);
  store_shared(shared_point(place ^ 4) + 64, x[8]);
  store_shared(shared_point(place ^ 12) + 64, x[9]);
  store_shared(shared_point(place ^ 4) + 80, x[10]);
  store_shared(shared_point(place ^ 12) + 80, x[11]);
  store_shared(shared_point(place ^ 6) + 96, x[12]);
  store_shared(shared_point(place ^ 14) + 96, x[13]);
  store_shared(shared_point(place ^ 6) + 112, x[14]);
  store_shared(shared_point(place ^ 14) + 112, x[15]);
}
DEVICE void read_4(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place ^ 10) + 128);
  x[2] = load_shared(shared_point(place ^ 4) + 256);
  x[3] = load_shared(shared_point(place ^ 14) + 384);
  x[4] = load_shared(shared_point(place ^ 8) + 512);
  x[5] = load_shared(shared_point(place ^ 2) + 640);
  x[6] = load_shared(shared_point(place ^ 12) + 768);
  x[7] = load_shared(shared_point(place ^ 6) + 896);
  x[8] = load_shared(shared_point(place) + 1024);
  x[9] = load_shared(shared_point(place ^ 10) + 1152);
  x[10] = load_shared(shared_point(place ^ 4) + 1280);
  x[11] = load_shared(shared_point(place ^ 14) + 1408);
  x[12] = load_shared(shared_point(place ^ 8) + 1536);
  x[13] = load_shared(shared_point(place ^ 2) + 1664);
  x[14] = load_shared(shared_point(place ^ 12) + 1792);
  x[15] = load_shared(shared_point(place ^ 6) + 1920);
}
DEVICE void step_1_2(Points& x) {
  fused_dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12],
                  x[13], x[14], x[15]);
}
DEVICE void times_chirp_2(Points& x, const uint4* f, unsigned t) {
  x[0] = complex_product(conjugate(x[0]), factor_at(f, t));
  x[1] = complex_product(conjugate(x[1]), factor_at(f, t + 128));
  x[2] = complex_product(conjugate(x[2]), factor_at(f, t + 256));
  x[3] = complex_product(conjugate(x[3]), factor_at(f, t + 384));
  x[4] = complex_product(conjugate(x[4]), factor_at(f, t + 512));
  x[5] = complex_product(conjugate(x[5]), factor_at(f, t + 640));
  x[6] = complex_product(conjugate(x[6]), factor_at(f, t + 768));
  x[7] = complex_product(conjugate(x[7]), factor_at(f, t + 896));
}
DEVICE void store(Points& x, float2* p, unsigned index) {
  store_point(p, x[0]);
  store_point(p + 128, x[1]);
  store_point(p + 256, x[2]);
  store_point(p + 384, x[3]);
  store_point(p + 512, x[4]);
  store_point(p + 640, x[5]);
  store_point(p + 768, x[6]);
  store_point(p + 896, x[7], When{index < 113u});
}

// ===== the kernel =====
// One block transforms 1009 points: 1 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(128, 5)
sonoma_c2c_f32_n1009_bluestein_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = block_index();
  in += transform * 1009ull, out += transform * 1009ull;
  Points x;

  // Load: registers t1 | threads t3 t2
  load(x, in + thread, thread);

  // Times the chirp w(t) = exp(-pi i t^2 / 1009), half of it
  times_chirp(x, tables, thread);

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);
  twiddle_1(x, tables + 512 + thread);

  // Exchange: from registers k1 | threads t3 t2
  write_1(x, swizzle(thread));
  block_barrier();

  // To registers t2 | threads t3 k1
  read_1(x, swizzle(thread % 8 + thread / 8 * 128));

  // Step 2: radix 16 over t2, butterflies in registers
  step_2(x);
  twiddle_2(x, tables + 1536 + thread % 8);

  // Exchange: from registers k2 | threads t3 k1
  write_2(x, swizzle(thread % 8 + thread / 8 * 128));
  block_barrier();

  // To registers t3 k2/8 | threads k1 k2%8
  read_2(x, swizzle(thread % 16 * 128 + thread / 16 * 8));

  // Step 3: radix 8 over t3, butterflies in registers
  step_3(x);

  // The convolution: times the spectrum of the conjugate chirp, and back
  times_spectrum(x, tables + 1600 + thread);

  // Step 3 backwards: radix 8 over k3, butterflies in registers
  step_3(x);

  // Exchange: from registers t3 k2/8 | threads k1 k2%8
  write_3(x, swizzle(anew(thread) % 16 * 128 + anew(thread) / 16 * 8));
  block_barrier();

  // To registers k2 | threads t3 k1
  read_3(x, swizzle(anew(thread) % 8 + anew(thread) / 8 * 128));

  // Step 2 backwards: radix 16 over k2, butterflies in registers
  twiddle_2(x, tables + 1536 + anew(thread) % 8);
  step_2(x);

  // Exchange: from registers t2 | threads t3 k1
  write_4(x, swizzle(anew(thread) % 8 + anew(thread) / 8 * 128));
  block_barrier();

  // To registers k1 | threads t3 t2
  read_4(x, swizzle(anew(thread)));

  // Step 1 backwards: radix 16 over k1, butterflies in registers
  twiddle_1(x, tables + 512 + anew(thread));
  step_1_2(x);

  // Times the chirp w(t) = exp(-pi i t^2 / 1009), times 2, of the conjugate
  times_chirp_2(x, tables + 2624, thread);

  // Store: registers t1 | threads t3 t2
  store(x, out + thread, thread);
}
