// sonoma emit --n 1024 --decomposition "(gs 16 (gs 16 (dft 2)))" --engine simt
//     --points-per-thread 16 --block-points 1024 --registers 80 --stage-load 0 --stage-store 0
//     --twiddles table --prefetch none --precision f16 --accuracy packed --arch sm_90
//
// DFT of 1024 complex points, FP16 throughout: its even and its odd
// points go through this one in the two halves of registers:
// DFT of 512 complex f16 points, forward, (gs 16 (gs 16 (dft 2)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 2 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared, at
//     least 12 block(s) an SM
//   load direct: registers t1 | threads t3 t2 b
//   phase 1: registers t1 | threads t3 t2 b
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 | threads t3 k1 b
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3 k2/4 b | threads k1 k2%4
//     step 3: radix 2, butterflies in registers
//   store direct: registers k3 k2/4 b | threads k1 k2%4
//   point p lies at p ^ (p >> 4 & 14) in shared memory
//
// Costs of a transform: 51200 flops nominal, 0 MMAs (m16n8k16), 8192 bytes moved of 8192 needed.
// A block of 2 warps: 1 barriers, 2 trips through shared memory, 0 bank conflicts, 4352 bytes of
//   tables.
// |error|_2 / |result|_2 <= 0.0111486 (bound); of random input 0.000834865.
//
// To launch it:
//   grid     ceil(batch / 2) blocks
//   block    64 threads
//   shared   8192 bytes, dynamic
//            where more than 21 blocks fit on an SM they shall take 48 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   4352 bytes
//            [0, 4096) after step 1: w^(k1 t), w = exp(-2 pi i / 1024), of t even and odd
//            [4096, 4352) after step 2: w^(k2 t), w = exp(-2 pi i / 64), of t even and odd
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
DEVICE void warp_barrier() { __syncwarp(); }

// --- arithmetic (compiled with --fmad=false: what is fused is written fused) ---------------------
DEVICE float fused_multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
DEVICE unsigned bits_of(float value) { return __float_as_uint(value); }

// In each half of the word the product of two FP16, rounded once.
DEVICE unsigned multiply_halves(unsigned a, unsigned b) {
  unsigned product;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
}
// In each half of the word, rounded once; what is not fused in the text is not fused.
DEVICE unsigned add_halves(unsigned a, unsigned b) {
  unsigned sum;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}
DEVICE unsigned subtract_halves(unsigned a, unsigned b) {
  unsigned difference;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
  return difference;
}
DEVICE unsigned negate_halves(unsigned a) {
  unsigned negative;
  asm("neg.f16x2 %0, %1;" : "=r"(negative) : "r"(a));
  return negative;
}
DEVICE unsigned fused_multiply_add_halves(unsigned a, unsigned b, unsigned c) {
  unsigned sum;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
// Of the eight bytes of a, then b, those that the digits of the selector number, the last one first.
DEVICE unsigned permuted_bytes(unsigned a, unsigned b, unsigned selector) {
  return __byte_perm(a, b, selector);
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
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

#endif  // SONOMA_EMULATED

// ===== global.cuh =====
// Columns of a tile, where so many are left.
DEVICE unsigned at_most(unsigned long long left, unsigned columns) {
  return left < columns ? static_cast<unsigned>(left) : columns;
}

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

// ===== packed.cuh =====
// Two complex points of FP16 at once, in the halves of two registers: of both the real parts, and
// of both the imaginary ones. Of packed points the even one of two neighbours lies in the low
// halves.

struct Halves {
  unsigned bits;
};
DEVICE Halves operator+(Halves a, Halves b) { return {add_halves(a.bits, b.bits)}; }
DEVICE Halves operator-(Halves a, Halves b) { return {subtract_halves(a.bits, b.bits)}; }
DEVICE Halves operator*(Halves a, Halves b) { return {multiply_halves(a.bits, b.bits)}; }
DEVICE Halves operator-(Halves a) { return {negate_halves(a.bits)}; }
DEVICE Halves fused_multiply_add(Halves a, Halves b, Halves c) {
  return {fused_multiply_add_halves(a.bits, b.bits, c.bits)};
}
// Both the low one, or the high one.
DEVICE Halves both_low(Halves a) { return {permuted_bytes(a.bits, a.bits, 0x1010)}; }
DEVICE Halves both_high(Halves a) { return {permuted_bytes(a.bits, a.bits, 0x3232)}; }

// A constant of the text, rounded to nearest even while it is compiled: normal in FP16, or zero.
DEVICE unsigned half_of(float value) {
  const unsigned bits = bits_of(value), magnitude = bits & 0x7fffffffu;
  const unsigned rounded = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  return (bits >> 16 & 0x8000u) | (magnitude < 0x38800000u ? 0u : rounded);
}
DEVICE Halves constants(float low, float high) { return {half_of(low) | half_of(high) << 16}; }
DEVICE Halves operator*(Halves a, float c) { return a * constants(c, c); }
DEVICE Halves fused_multiply_add(Halves a, float c, Halves b) {
  return fused_multiply_add(a, constants(c, c), b);
}

struct alignas(8) PointPair {
  Halves x, y;
};
DEVICE PointPair make_point_pair(Halves x, Halves y) { return {x, y}; }
DEVICE PointPair make_point_pair(float x, float y) { return {constants(x, x), constants(y, y)}; }

DEVICE PointPair complex_product(PointPair a, PointPair w) {
  return {fused_multiply_add(a.x, w.x, -(a.y * w.y)), fused_multiply_add(a.x, w.y, a.y * w.x)};
}

// --- both halves together ------------------------------------------------------------------------
// even + w odd to the low halves, even - w odd to the high ones: w = 1, sign i, and any other.
DEVICE PointPair joined(PointPair a) {
  const Halves one = constants(1.0f, -1.0f);
  return {fused_multiply_add(both_high(a.x), one, both_low(a.x)),
          fused_multiply_add(both_high(a.y), one, both_low(a.y))};
}
template <int sign>
DEVICE PointPair joined_turned(PointPair a) {
  const Halves plus = constants(sign, -sign), minus = constants(-sign, sign);
  return {fused_multiply_add(both_high(a.y), minus, both_low(a.x)),
          fused_multiply_add(both_high(a.x), plus, both_low(a.y))};
}

// --- global memory: real and imaginary part of a point, then those of the next one ---------------
struct alignas(8) HalfPointPair {
  unsigned first, second;
};
struct HalfPoint {
  unsigned parts;
};
DEVICE PointPair by_parts(unsigned first, unsigned second) {
  return {{permuted_bytes(first, second, 0x5410)}, {permuted_bytes(first, second, 0x7632)}};
}
DEVICE unsigned low_point(PointPair a) { return permuted_bytes(a.x.bits, a.y.bits, 0x5410); }
DEVICE unsigned high_point(PointPair a) { return permuted_bytes(a.x.bits, a.y.bits, 0x7632); }

template <class Access = Always>
DEVICE PointPair load_point(const HalfPointPair* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return by_parts(a.x, a.y);
}
// Between passes: as they are in registers.
template <class Access = Always>
DEVICE PointPair load_point(const PointPair* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return {{a.x}, {a.y}};
}
// Results lie n apart.
template <unsigned n, class Access = Always>
DEVICE void store_joined(HalfPoint* p, PointPair a, Access access = {}) {
  store_word(reinterpret_cast<unsigned*>(p), low_point(a), access);
  store_word(reinterpret_cast<unsigned*>(p + n), high_point(a), access);
}

// --- shared memory: a place has 8 bytes ----------------------------------------------------------
DEVICE PointPair* shared_point(unsigned place) {
  return reinterpret_cast<PointPair*>(dynamic_shared() + 8 * place);
}
DEVICE PointPair load_shared(const PointPair* place) {
  const uint2 a = load_shared(reinterpret_cast<const uint2*>(place));
  return {{a.x}, {a.y}};
}
DEVICE void store_shared(PointPair* place, PointPair a) {
  store_shared(reinterpret_cast<uint2*>(place), make_uint2(a.x.bits, a.y.bits));
}
// Two neighbours, 16 bytes at a time.
DEVICE void load_shared_pair(const PointPair* place, PointPair& first, PointPair& second) {
  const uint4 pair = load_shared(reinterpret_cast<const uint4*>(place));
  first = {{pair.x}, {pair.y}};
  second = {{pair.z}, {pair.w}};
}
DEVICE Halves load_shared(const Halves* place) {
  return {load_shared(reinterpret_cast<const unsigned*>(place))};
}
DEVICE void store_shared(Halves* place, Halves a) {
  store_shared(reinterpret_cast<unsigned*>(place), a.bits);
}

// --- factors: of both halves, rounded to FP16 ----------------------------------------------------
// Two of a table: a unit of 16 bytes.
struct Factors {
  PointPair first, second;
};
DEVICE Factors factors_of(uint4 unit) { return {{{unit.x}, {unit.y}}, {{unit.z}, {unit.w}}}; }

// ===== butterflies.cuh =====
// DFTs of 2, 4, 8, 16 and 32 points in registers; sign -1 forward, +1 inverse. Results in natural
// order. Complex factors are applied as fused products of both parts, never as (re + im) * c, so
// that nothing overflows that the exact result does not. Every line is straight: what a compiler
// would have to unroll takes it ten times as long.

DEVICE PointPair operator+(PointPair a, PointPair b) { return make_point_pair(a.x + b.x, a.y + b.y); }
DEVICE PointPair operator-(PointPair a, PointPair b) { return make_point_pair(a.x - b.x, a.y - b.y); }
DEVICE void swap(PointPair& a, PointPair& b) {
  const PointPair was = a;
  a = b;
  b = was;
}

// a * (sign i)
template <int sign>
DEVICE PointPair turned(PointPair a) {
  return sign < 0 ? make_point_pair(a.y, -a.x) : make_point_pair(-a.y, a.x);
}

DEVICE void dft2(PointPair& a, PointPair& b) {
  const PointPair sum = a + b;
  b = a - b;
  a = sum;
}

template <int sign>
DEVICE void dft4(PointPair& a, PointPair& b, PointPair& c, PointPair& d) {
  const PointPair even = a + c, odd = b + d, even_difference = a - c;
  const PointPair odd_difference = turned<sign>(b - d);
  a = even + odd;
  c = even - odd;
  b = even_difference + odd_difference;
  d = even_difference - odd_difference;
}

// a * exp(sign i angle), its cosine and sine given.
template <int sign>
DEVICE PointPair rotated(PointPair a, float cosine, float sine) {
  return complex_product(a, make_point_pair(cosine, sign * sine));
}
constexpr float cos_2_16 = 0x1.d906bcp-1f;
constexpr float cos_4_16 = 0x1.6a09e6p-1f;
constexpr float sin_2_16 = 0x1.87de2ap-2f;

template <int sign>
DEVICE void dft16(PointPair& v0, PointPair& v1, PointPair& v2, PointPair& v3, PointPair& v4, PointPair& v5,
                  PointPair& v6, PointPair& v7, PointPair& v8, PointPair& v9, PointPair& v10, PointPair& v11,
                  PointPair& v12, PointPair& v13, PointPair& v14, PointPair& v15) {
  dft4<sign>(v0, v4, v8, v12);
  dft4<sign>(v1, v5, v9, v13);
  dft4<sign>(v2, v6, v10, v14);
  dft4<sign>(v3, v7, v11, v15);
  v5 = rotated<sign>(v5, cos_2_16, sin_2_16);
  v9 = rotated<sign>(v9, cos_4_16, cos_4_16);
  v13 = rotated<sign>(v13, sin_2_16, cos_2_16);
  v6 = rotated<sign>(v6, cos_4_16, cos_4_16);
  v10 = turned<sign>(v10);
  v14 = rotated<sign>(v14, -cos_4_16, cos_4_16);
  v7 = rotated<sign>(v7, sin_2_16, cos_2_16);
  v11 = rotated<sign>(v11, -cos_4_16, cos_4_16);
  v15 = rotated<sign>(v15, -cos_2_16, -sin_2_16);
  dft4<sign>(v0, v1, v2, v3);
  dft4<sign>(v4, v5, v6, v7);
  dft4<sign>(v8, v9, v10, v11);
  dft4<sign>(v12, v13, v14, v15);
  swap(v1, v4), swap(v2, v8), swap(v3, v12), swap(v6, v9), swap(v7, v13), swap(v11, v14);
}

// X[k] and X[k + 16] of the even points' and the odd points' k-th results.
DEVICE void join_halves(PointPair even, PointPair odd, PointPair& low, PointPair& high) {
  low = even + odd;
  high = even - odd;
}

// ===== this plan =====
// The points of a thread
using Points = PointPair[16];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 4 & 14); }

DEVICE void load(Points& x, const HalfPointPair* p, unsigned column, unsigned columns) {
  x[0] = load_point(p, When{column < columns});
  x[1] = load_point(p + 32, When{column < columns});
  x[2] = load_point(p + 64, When{column < columns});
  x[3] = load_point(p + 96, When{column < columns});
  x[4] = load_point(p + 128, When{column < columns});
  x[5] = load_point(p + 160, When{column < columns});
  x[6] = load_point(p + 192, When{column < columns});
  x[7] = load_point(p + 224, When{column < columns});
  x[8] = load_point(p + 256, When{column < columns});
  x[9] = load_point(p + 288, When{column < columns});
  x[10] = load_point(p + 320, When{column < columns});
  x[11] = load_point(p + 352, When{column < columns});
  x[12] = load_point(p + 384, When{column < columns});
  x[13] = load_point(p + 416, When{column < columns});
  x[14] = load_point(p + 448, When{column < columns});
  x[15] = load_point(p + 480, When{column < columns});
}
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 32));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 64));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 96));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 128));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 160));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 192));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 224));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 2) + 32, x[1]);
  store_shared(shared_point(place ^ 4) + 64, x[2]);
  store_shared(shared_point(place ^ 6) + 96, x[3]);
  store_shared(shared_point(place ^ 8) + 128, x[4]);
  store_shared(shared_point(place ^ 10) + 160, x[5]);
  store_shared(shared_point(place ^ 12) + 192, x[6]);
  store_shared(shared_point(place ^ 14) + 224, x[7]);
  store_shared(shared_point(place) + 256, x[8]);
  store_shared(shared_point(place ^ 2) + 288, x[9]);
  store_shared(shared_point(place ^ 4) + 320, x[10]);
  store_shared(shared_point(place ^ 6) + 352, x[11]);
  store_shared(shared_point(place ^ 8) + 384, x[12]);
  store_shared(shared_point(place ^ 10) + 416, x[13]);
  store_shared(shared_point(place ^ 12) + 448, x[14]);
  store_shared(shared_point(place ^ 14) + 480, x[15]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place ^ 2));
  x[2] = load_shared(shared_point(place ^ 4));
  x[3] = load_shared(shared_point(place ^ 6));
  x[4] = load_shared(shared_point(place ^ 8));
  x[5] = load_shared(shared_point(place ^ 10));
  x[6] = load_shared(shared_point(place ^ 12));
  x[7] = load_shared(shared_point(place ^ 14));
  x[8] = load_shared(shared_point(place) + 16);
  x[9] = load_shared(shared_point(place ^ 2) + 16);
  x[10] = load_shared(shared_point(place ^ 4) + 16);
  x[11] = load_shared(shared_point(place ^ 6) + 16);
  x[12] = load_shared(shared_point(place ^ 8) + 16);
  x[13] = load_shared(shared_point(place ^ 10) + 16);
  x[14] = load_shared(shared_point(place ^ 12) + 16);
  x[15] = load_shared(shared_point(place ^ 14) + 16);
}
DEVICE void step_2(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 2));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 4));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 6));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 8));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 10));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 12));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 14));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 2), x[1]);
  store_shared(shared_point(place ^ 4), x[2]);
  store_shared(shared_point(place ^ 6), x[3]);
  store_shared(shared_point(place ^ 8), x[4]);
  store_shared(shared_point(place ^ 10), x[5]);
  store_shared(shared_point(place ^ 12), x[6]);
  store_shared(shared_point(place ^ 14), x[7]);
  store_shared(shared_point(place) + 16, x[8]);
  store_shared(shared_point(place ^ 2) + 16, x[9]);
  store_shared(shared_point(place ^ 4) + 16, x[10]);
  store_shared(shared_point(place ^ 6) + 16, x[11]);
  store_shared(shared_point(place ^ 8) + 16, x[12]);
  store_shared(shared_point(place ^ 10) + 16, x[13]);
  store_shared(shared_point(place ^ 12) + 16, x[14]);
  store_shared(shared_point(place ^ 14) + 16, x[15]);
}
DEVICE void read_2(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0], x[1]);
  load_shared_pair(shared_point(place ^ 8), x[2], x[3]);
  load_shared_pair(shared_point(place) + 16, x[4], x[5]);
  load_shared_pair(shared_point(place ^ 8) + 16, x[6], x[7]);
  load_shared_pair(shared_point(place) + 512, x[8], x[9]);
  load_shared_pair(shared_point(place ^ 8) + 512, x[10], x[11]);
  load_shared_pair(shared_point(place) + 528, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 8) + 528, x[14], x[15]);
}
DEVICE void step_3(Points& x) {
  dft2(x[0], x[1]);
  dft2(x[2], x[3]);
  dft2(x[4], x[5]);
  dft2(x[6], x[7]);
  dft2(x[8], x[9]);
  dft2(x[10], x[11]);
  dft2(x[12], x[13]);
  dft2(x[14], x[15]);
}
DEVICE void join_halves(Points& x) {
  x[0] = joined(x[0]);
  x[1] = joined_turned<-1>(x[1]);
  x[2] = joined(x[2]);
  x[3] = joined_turned<-1>(x[3]);
  x[4] = joined(x[4]);
  x[5] = joined_turned<-1>(x[5]);
  x[6] = joined(x[6]);
  x[7] = joined_turned<-1>(x[7]);
  x[8] = joined(x[8]);
  x[9] = joined_turned<-1>(x[9]);
  x[10] = joined(x[10]);
  x[11] = joined_turned<-1>(x[11]);
  x[12] = joined(x[12]);
  x[13] = joined_turned<-1>(x[13]);
  x[14] = joined(x[14]);
  x[15] = joined_turned<-1>(x[15]);
}
DEVICE void store(Points& x, HalfPoint* p, unsigned column, unsigned columns) {
  store_joined<512>(p, x[0], When{column < columns});
  store_joined<512>(p + 256, x[1], When{column < columns});
  store_joined<512>(p + 64, x[2], When{column < columns});
  store_joined<512>(p + 320, x[3], When{column < columns});
  store_joined<512>(p + 128, x[4], When{column < columns});
  store_joined<512>(p + 384, x[5], When{column < columns});
  store_joined<512>(p + 192, x[6], When{column < columns});
  store_joined<512>(p + 448, x[7], When{column < columns});
  store_joined<512>(p + 1024, x[8], When{column + 1 < columns});
  store_joined<512>(p + 1280, x[9], When{column + 1 < columns});
  store_joined<512>(p + 1088, x[10], When{column + 1 < columns});
  store_joined<512>(p + 1344, x[11], When{column + 1 < columns});
  store_joined<512>(p + 1152, x[12], When{column + 1 < columns});
  store_joined<512>(p + 1408, x[13], When{column + 1 < columns});
  store_joined<512>(p + 1216, x[14], When{column + 1 < columns});
  store_joined<512>(p + 1472, x[15], When{column + 1 < columns});
}

// ===== the kernel =====
// One block transforms 2048 points: 2 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 12)
sonoma_c2c_f16_n1024_forward_packed(
    const HalfPointPair* in, HalfPoint* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 2ull * block_index();  // the first one
  in += transform * 512ull, out += transform * 1024ull;
  const unsigned columns = at_most(batch - transform, 2);
  Points x;

  // Load: registers t1 | threads t3 t2 b
  load(x, in + (thread % 32 + thread / 32 * 512), thread / 32, columns);

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);
  twiddle_1(x, tables + thread % 32);

  // Exchange: from registers k1 | threads t3 t2 b
  write_1(x, swizzle(thread % 32 + thread / 32 * 512));
  warp_barrier();

  // To registers t2 | threads t3 k1 b
  read_1(x, swizzle(thread % 2 + thread / 2 * 32));

  // Step 2: radix 16 over t2, butterflies in registers
  step_2(x);
  twiddle_2(x, tables + 256 + thread % 2);

  // Exchange: from registers k2 | threads t3 k1 b
  write_2(x, swizzle(thread % 2 + thread / 2 * 32));
  block_barrier();

  // To registers t3 k2/4 b | threads k1 k2%4
  read_2(x, swizzle(thread % 16 * 32 + thread / 16 * 2));

  // Step 3: radix 2 over t3, butterflies in registers
  step_3(x);

  // Both halves: results k and k + 512 of those of even and odd points
  join_halves(x);

  // Store: registers k3 k2/4 b | threads k1 k2%4
  store(x, out + thread, anew(0), columns);
}
