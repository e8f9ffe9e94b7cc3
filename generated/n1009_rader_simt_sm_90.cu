// sonoma emit --n 1009 --method rader --decomposition "(gs 14 (gs 8 (dft 9)))" --engine simt
//     --points-per-thread 18 --block-points 3024 --registers 72 --stage-load 1 --stage-store 1
//     --twiddles powers --prefetch none --arch sm_90
//
// DFT of 1009 complex f32 points, forward, (gs 14 (gs 8 (dft 9)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   Rader: load and store through shared memory, in the order of memory; all points but the
//   first one by the powers of a root; all steps; X(0); times a spectrum; all steps backwards
//   engine simt, 3 transform(s) a block, 224 threads, 18 points a thread, 25936 bytes shared, at
//     least 4 block(s) an SM
//   phase 1: registers t1 | threads t3 t2 b
//     step 1: radix 14, butterflies in registers
//   phase 2: registers t2 k1%2 | threads t3 k1/2 b
//     step 2: radix 8, butterflies in registers
//   phase 3: registers t3 k2/4 | threads k1 k2%4 b
//     step 3: radix 9, butterflies in registers
//   a point lies in shared memory at t3 + 9 t2 + 77 t1 + 1083 b
//
// Costs of a transform: 50342.6 flops nominal, 0 MMAs (m16n8k16), 16149.3 bytes moved of 16144
//   needed.
// A block of 7 warps: 8 barriers, 6 trips through shared memory, 1836 bank conflicts, 12240 bytes
//   of tables.
// |error|_2 / |result|_2 <= 3.77308e-06 (bound); of random input 1.65671e-07.
//
// To launch it:
//   grid     ceil(batch / 3) blocks
//   block    224 threads
//   shared   25936 bytes, dynamic
//            where more than 7 blocks fit on an SM they shall take 47 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   12240 bytes
//            [0, 1728) of each thread g^q / n as a fraction of 2^32, g = 11, and where its
//              transform begins
//            [1728, 4032) after step 1: w^(k1 t), w = exp(-2 pi i / 1008), those others are
//              products of
//            [4032, 4176) after step 2: w^(k2 t), w = exp(-2 pi i / 72), those others are products
//              of
//            [4176, 12240) DFT of w^(g^-q), but 1 for frequency 0 over its length, times 2^-2
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
DEVICE float2 scaled(float2 a, float factor) { return make_float2(a.x * factor, a.y * factor); }

// --- shared memory: a place has 8 bytes ----------------------------------------------------------
DEVICE float2* shared_point(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
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

// ===== butterflies.cuh =====
// DFTs of 2, 4, 8, 16 and 32 points in registers; sign -1 forward, +1 inverse. Results in natural
// order. Complex factors are applied as fused products of both parts, never as (re + im) * c, so
// that nothing overflows that the exact result does not. Every line is straight: what a compiler
// would have to unroll takes it ten times as long.

DEVICE float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
DEVICE float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

// a c + b for a real c.
DEVICE float2 multiply_add(float2 a, float c, float2 b) {
  return make_float2(fused_multiply_add(a.x, c, b.x), fused_multiply_add(a.y, c, b.y));
}

// a * (sign i)
template <int sign>
DEVICE float2 turned(float2 a) {
  return sign < 0 ? make_float2(a.y, -a.x) : make_float2(-a.y, a.x);
}

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

constexpr float cos_4_16 = 0x1.6a09e6p-1f;

// a + w b and a - w b, w = exp(sign i pi / 4): of the mean of b and (sign i) b a rounding less than
// of w b.
template <int sign>
DEVICE void dft2_eighth(float2& a, float2& b) {
  const float2 mean = multiply_add(turned<sign>(b), 0.5f, scaled(b, 0.5f));
  b = multiply_add(mean, -2 * cos_4_16, a);
  a = multiply_add(mean, 2 * cos_4_16, a);
}

template <int sign>
DEVICE void dft8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5, float2& v6,
                 float2& v7) {
  dft4<sign>(v0, v2, v4, v6);
  dft4<sign>(v1, v3, v5, v7);
  v5 = turned<sign>(v5);
  v7 = turned<sign>(v7);
  dft2(v0, v1);
  dft2_eighth<sign>(v2, v3);
  dft2(v4, v5);
  dft2_eighth<sign>(v6, v7);
  const float2 x1 = v2, x2 = v4, x3 = v6, x4 = v1, x5 = v3, x6 = v5;
  v1 = x1, v2 = x2, v3 = x3, v4 = x4, v5 = x5, v6 = x6;
}

// ===== rader.cuh =====
// Rader's algorithm (C. M. Rader, "Discrete Fourier transforms when the number of data samples is
// prime", 1968): n being a prime, the powers g^q, q = 0 .. m - 1, m = n - 1, of a primitive root g
// are the numbers from 1 to m in another order. With w = exp(sign 2 pi i / n), modulo n,
//
//   X(0)    = x(0) + sum over r of x(g^r),
//   X(g^-q) = x(0) + sum over r of x(g^r) b(q - r),   b(s) = w^(g^-s),
//
// a cyclic convolution of m points: a transform of them, a product with the spectrum B of b over m,
// and a transform back. In place of that one the first one comes a second time; its result is in
// the reverse order, so that point q is X(g^q).
//
// All points come and go through shared memory, where x(t) of transform b of the block lies at
// place b n + t. Behind them and the tile each transform has a slot, for x(0) and then X(0).

DEVICE float2* place_in_order(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}

// --- global memory ------------------------------------------------------------------------------
// A block takes `count` transforms of n points, of which there are `columns`; in memory points lie
// `stride` and transforms `apart` points apart. Point i is the i-th one from there on: neighbours
// are accessed together.
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
          class Point>
DEVICE void load_in_order(const Point* in, unsigned thread, unsigned columns) {
  constexpr bool contiguous = stride == 1 && apart == n;
  float2 x[turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    const Point* from =
        contiguous ? in + thread + r * threads : in + in_memory<n, count, stride, apart>(i);
    const When there{contiguous ? i < n * columns
                                : transform_of<n, count, stride, apart>(i) < columns};
    if (!has_turn<n, count, threads>(thread, r)) continue;
    x[r] = count == 1 ? load_point(from) : load_point(from, there);
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
          class Point>
DEVICE void store_in_order(Point* out, unsigned thread, unsigned columns) {
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
    const When there{contiguous ? i < n * columns
                                : transform_of<n, count, stride, apart>(i) < columns};
    if (!has_turn<n, count, threads>(thread, r)) continue;
    count == 1 ? store_point(to, x[r]) : store_point(to, x[r], there);
  }
}

// --- powers -------------------------------------------------------------------------------------
// Point p of the tile is point q = p % m of the convolution of transform p / m.
// Where x(g^q) lies, q being the thread's part of the point's number and that of a register
// together. The table has of each thread g^q mod n / n in units of 2^-32 of a turn, rounded up:
// turns add up as the numbers multiply modulo n, and n times the part of a turn that is left is
// their remainder (it is too large by the register's power, `further`, times n / 2^32 at most, less
// than 1). Then the place where its transform begins.
DEVICE uint2 power_of_thread(const uint4* table, unsigned thread) {
  return load_factor(reinterpret_cast<const uint2*>(table) + thread);
}
template <unsigned n>
DEVICE float2* place_of_power(uint2 own, unsigned further) {
  const unsigned long long remainder = own.x * further * static_cast<unsigned long long>(n) >> 32;
  return place_in_order(own.y + static_cast<unsigned>(remainder));
}
// True for the thread that has point 0 of a transform, which looks after x(0) and X(0) too.
template <unsigned n>
DEVICE bool has_first_point(uint2 own) {
  return own.x == 0xffffffffu / n + 1;  // g^0 in the table
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

// ===== this plan =====
// The points of a thread
using Points = float2[18];

DEVICE void read_powers(Points& x, uint2 own) {
  x[0] = load_shared(place_of_power<1009>(own, 1));
  x[1] = load_shared(place_of_power<1009>(own, 904));
  x[2] = load_shared(place_of_power<1009>(own, 935));
  x[3] = load_shared(place_of_power<1009>(own, 707));
  x[4] = load_shared(place_of_power<1009>(own, 431));
  x[5] = load_shared(place_of_power<1009>(own, 150));
  x[6] = load_shared(place_of_power<1009>(own, 394));
  x[7] = load_shared(place_of_power<1009>(own, 1008));
  x[8] = load_shared(place_of_power<1009>(own, 105));
  x[9] = load_shared(place_of_power<1009>(own, 74));
  x[10] = load_shared(place_of_power<1009>(own, 302));
  x[11] = load_shared(place_of_power<1009>(own, 578));
  x[12] = load_shared(place_of_power<1009>(own, 859));
  x[13] = load_shared(place_of_power<1009>(own, 615));
  if (has_first_point<1009>(own)) {
    store_shared(place_in_order(3239 + own.y / 1009), load_shared(place_in_order(own.y)));
  }
}
DEVICE void dft7(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                 float2& v6) {
  constexpr float c1 = 0x1.3f3a0ep-1f, z1 = 0x1.904c38p-1f,
  c2 = -0x1.c7b90ep-3f, z2 = 0x1.f329cp-1f, c3 = -0x1.cd4bcap-1f, z3 = 0x1.bc4c04p-2f;
  const float2 s1 = v1 + v6, d1 = v1 - v6; const float2 s2 = v2 + v5, d2 = v2 - v5;
  const float2 s3 = v3 + v4, d3 = v3 - v4;
  const float2 first = v0;
  v0 = (v0 + s3) + (s2 + s1);
  float2 e1 = multiply_add(s2, c2, first); e1 = multiply_add(s1, c1, e1);
  e1 = multiply_add(s3, c3, e1); float2 o1 = scaled(d3, z3); o1 = multiply_add(d1, z1, o1);
  o1 = multiply_add(d2, z2, o1); o1 = turned<-1>(o1);
  v1 = e1 + o1; v6 = e1 - o1;
  float2 e2 = multiply_add(s1, c2, first); e2 = multiply_add(s3, c1, e2);
  e2 = multiply_add(s2, c3, e2); float2 o2 = scaled(d2, -z3); o2 = multiply_add(d3, -z1, o2);
  o2 = multiply_add(d1, z2, o2); o2 = turned<-1>(o2);
  v2 = e2 + o2; v5 = e2 - o2;
  float2 e3 = multiply_add(s3, c2, first); e3 = multiply_add(s2, c1, e3);
  e3 = multiply_add(s1, c3, e3); float2 o3 = scaled(d1, z3); o3 = multiply_add(d2, -z1, o3);
  o3 = multiply_add(d3, z2, o3); o3 = turned<-1>(o3);
  v3 = e3 + o3; v4 = e3 - o3;
}
DEVICE void dft14(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                  float2& v12, float2& v13) {
  dft2(v0, v7);
  dft2(v2, v9);
  dft2(v4, v11);
  dft2(v6, v13);
  dft2(v8, v1);
  dft2(v10, v3);
  dft2(v12, v5);
  dft7(v0, v2, v4, v6, v8, v10, v12);
  dft7(v7, v9, v11, v13, v1, v3, v5);
  const float2 x1 = v9, x2 = v4, x3 = v13, x4 = v8, x5 = v3, x6 = v12, x8 = v2, x9 = v11, x10 = v6,
  x11 = v1, x12 = v10, x13 = v5;
  v1 = x1; v2 = x2; v3 = x3; v4 = x4; v5 = x5; v6 = x6; v8 = x8; v9 = x9; v10 = x10; v11 = x11;
  v12 = x12; v13 = x13;
}
DEVICE void step_1(Points& x) {
  dft14(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_factors(f));
  const Factors w1 = factors_of(load_factors(f + 72));
  x[1] = complex_product(x[1], w0.first);
  const float2 square0 = complex_product(w0.first, w0.first);
  x[2] = complex_product(x[2], square0);
  const float2 cube0 = complex_product(square0, w0.first);
  x[3] = complex_product(x[3], cube0);
  x[4] = complex_product(x[4], w0.second);
  x[5] = complex_product(x[5], complex_product(w0.first, w0.second));
  x[6] = complex_product(x[6], complex_product(square0, w0.second));
  x[7] = complex_product(x[7], complex_product(cube0, w0.second));
  x[8] = complex_product(x[8], w1.first);
  x[9] = complex_product(x[9], complex_product(w0.first, w1.first));
  x[10] = complex_product(x[10], complex_product(square0, w1.first));
  x[11] = complex_product(x[11], complex_product(cube0, w1.first));
  x[12] = complex_product(x[12], w1.second);
  x[13] = complex_product(x[13], complex_product(w0.first, w1.second));
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 77, x[1]);
  store_shared(shared_point(place) + 154, x[2]);
  store_shared(shared_point(place) + 231, x[3]);
  store_shared(shared_point(place) + 308, x[4]);
  store_shared(shared_point(place) + 385, x[5]);
  store_shared(shared_point(place) + 462, x[6]);
  store_shared(shared_point(place) + 539, x[7]);
  store_shared(shared_point(place) + 616, x[8]);
  store_shared(shared_point(place) + 693, x[9]);
  store_shared(shared_point(place) + 770, x[10]);
  store_shared(shared_point(place) + 847, x[11]);
  store_shared(shared_point(place) + 924, x[12]);
  store_shared(shared_point(place) + 1001, x[13]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 9);
  x[2] = load_shared(shared_point(place) + 18);
  x[3] = load_shared(shared_point(place) + 27);
  x[4] = load_shared(shared_point(place) + 36);
  x[5] = load_shared(shared_point(place) + 45);
  x[6] = load_shared(shared_point(place) + 54);
  x[7] = load_shared(shared_point(place) + 63);
  x[8] = load_shared(shared_point(place) + 77);
  x[9] = load_shared(shared_point(place) + 86);
  x[10] = load_shared(shared_point(place) + 95);
  x[11] = load_shared(shared_point(place) + 104);
  x[12] = load_shared(shared_point(place) + 113);
  x[13] = load_shared(shared_point(place) + 122);
  x[14] = load_shared(shared_point(place) + 131);
  x[15] = load_shared(shared_point(place) + 140);
}
DEVICE void step_2(Points& x) {
  dft8<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
  dft8<-1>(x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_factors(f));
  x[1] = complex_product(x[1], w0.first);
  const float2 square0 = complex_product(w0.first, w0.first);
  x[2] = complex_product(x[2], square0);
  const float2 cube0 = complex_product(square0, w0.first);
  x[3] = complex_product(x[3], cube0);
  x[4] = complex_product(x[4], w0.second);
  x[5] = complex_product(x[5], complex_product(w0.first, w0.second));
  x[6] = complex_product(x[6], complex_product(square0, w0.second));
  x[7] = complex_product(x[7], complex_product(cube0, w0.second));
  x[9] = complex_product(x[9], w0.first);
  x[10] = complex_product(x[10], square0);
  x[11] = complex_product(x[11], cube0);
  x[12] = complex_product(x[12], w0.second);
  x[13] = complex_product(x[13], complex_product(w0.first, w0.second));
  x[14] = complex_product(x[14], complex_product(square0, w0.second));
  x[15] = complex_product(x[15], complex_product(cube0, w0.second));
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 9, x[1]);
  store_shared(shared_point(place) + 18, x[2]);
  store_shared(shared_point(place) + 27, x[3]);
  store_shared(shared_point(place) + 36, x[4]);
  store_shared(shared_point(place) + 45, x[5]);
  store_shared(shared_point(place) + 54, x[6]);
  store_shared(shared_point(place) + 63, x[7]);
  store_shared(shared_point(place) + 77, x[8]);
  store_shared(shared_point(place) + 86, x[9]);
  store_shared(shared_point(place) + 95, x[10]);
  store_shared(shared_point(place) + 104, x[11]);
  store_shared(shared_point(place) + 113, x[12]);
  store_shared(shared_point(place) + 122, x[13]);
  store_shared(shared_point(place) + 131, x[14]);
  store_shared(shared_point(place) + 140, x[15]);
}
DEVICE void read_2(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 1);
  x[2] = load_shared(shared_point(place) + 2);
  x[3] = load_shared(shared_point(place) + 3);
  x[4] = load_shared(shared_point(place) + 4);
  x[5] = load_shared(shared_point(place) + 5);
  x[6] = load_shared(shared_point(place) + 6);
  x[7] = load_shared(shared_point(place) + 7);
  x[8] = load_shared(shared_point(place) + 8);
  x[9] = load_shared(shared_point(place) + 36);
  x[10] = load_shared(shared_point(place) + 37);
  x[11] = load_shared(shared_point(place) + 38);
  x[12] = load_shared(shared_point(place) + 39);
  x[13] = load_shared(shared_point(place) + 40);
  x[14] = load_shared(shared_point(place) + 41);
  x[15] = load_shared(shared_point(place) + 42);
  x[16] = load_shared(shared_point(place) + 43);
  x[17] = load_shared(shared_point(place) + 44);
}
DEVICE void dft9(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5, float2& v6,
                 float2& v7, float2& v8) {
  constexpr float c0 = 0x1p+0f, z0 = 0x1p-1f, c1 = 0x1.8836fap-1f, z1 = 0x1.7c0534p-2f,
  c2 = 0x1.63a1a8p-3f, z2 = 0x1.231ccap-1f, c3 = -0x1p-1f, z3 = 0x1.bb67aep+0f,
  c4 = -0x1.e11f64p-1f, z4 = 0x1.9468cp-3f;
  const float2 s1 = v1 + v8, d1 = v1 - v8; const float2 s2 = v2 + v7, d2 = v2 - v7;
  const float2 s3 = v3 + v6, d3 = v3 - v6; const float2 s4 = v4 + v5, d4 = v4 - v5;
  const float2 first = v0;
  v0 = ((v0 + s4) + s3) + (s2 + s1);
  float2 e1 = multiply_add(s3, c3, first); e1 = multiply_add(s2, c2, e1);
  e1 = multiply_add(s1, c1, e1); e1 = multiply_add(s4, c4, e1);
  float2 o1 = multiply_add(d4, z4, scaled(d3, 0x1p-1f)); o1 = multiply_add(d1, z1, o1);
  o1 = multiply_add(d2, z2, o1); o1 = turned<-1>(o1);
  v1 = multiply_add(o1, z3, e1); v8 = multiply_add(o1, -z3, e1);
  float2 e2 = multiply_add(s3, c3, first); e2 = multiply_add(s1, c2, e2);
  e2 = multiply_add(s4, c1, e2); e2 = multiply_add(s2, c4, e2);
  float2 o2 = multiply_add(d2, -z4, scaled(d3, 0x1p-1f)); o2 = multiply_add(d4, z1, o2);
  o2 = multiply_add(d1, -z2, o2); o2 = turned<-1>(o2);
  v2 = multiply_add(o2, -z3, e2); v7 = multiply_add(o2, z3, e2);
  float2 e3 = multiply_add(s1, c3, first); e3 = multiply_add(s2, c3, e3);
  e3 = multiply_add(s4, c3, e3); e3 = multiply_add(s3, c0, e3);
  float2 o3 = multiply_add(d2, -z0, scaled(d1, 0x1p-1f)); o3 = multiply_add(d4, z0, o3);
  o3 = turned<-1>(o3);
  v3 = multiply_add(o3, z3, e3); v6 = multiply_add(o3, -z3, e3);
  float2 e4 = multiply_add(s3, c3, first); e4 = multiply_add(s4, c2, e4);
  e4 = multiply_add(s2, c1, e4); e4 = multiply_add(s1, c4, e4);
  float2 o4 = multiply_add(d1, z4, scaled(d3, 0x1p-1f)); o4 = multiply_add(d2, -z1, o4);
  o4 = multiply_add(d4, -z2, o4); o4 = turned<-1>(o4);
  v4 = multiply_add(o4, z3, e4); v5 = multiply_add(o4, -z3, e4);
}
DEVICE void step_3(Points& x) {
  dft9(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]);
  dft9(x[9], x[10], x[11], x[12], x[13], x[14], x[15], x[16], x[17]);
}
DEVICE void zero_frequency(Points& x, unsigned p) {
  if (p % 1008u != 0) return;
  x[0] = with_first_point<1008>(x[0], place_in_order(3239 + p / 1008), 0x1p+0f);
}
DEVICE void times_spectrum(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_factors(f));
  x[0] = complex_product(x[0], w0.first);
  x[1] = complex_product(x[1], w0.second);
  const Factors w1 = factors_of(load_factors(f + 56));
  x[2] = complex_product(x[2], w1.first);
  x[3] = complex_product(x[3], w1.second);
  const Factors w2 = factors_of(load_factors(f + 112));
  x[4] = complex_product(x[4], w2.first);
  x[5] = complex_product(x[5], w2.second);
  const Factors w3 = factors_of(load_factors(f + 168));
  x[6] = complex_product(x[6], w3.first);
  x[7] = complex_product(x[7], w3.second);
  const Factors w4 = factors_of(load_factors(f + 224));
  x[8] = complex_product(x[8], w4.first);
  x[9] = complex_product(x[9], w4.second);
  const Factors w5 = factors_of(load_factors(f + 280));
  x[10] = complex_product(x[10], w5.first);
  x[11] = complex_product(x[11], w5.second);
  const Factors w6 = factors_of(load_factors(f + 336));
  x[12] = complex_product(x[12], w6.first);
  x[13] = complex_product(x[13], w6.second);
  const Factors w7 = factors_of(load_factors(f + 392));
  x[14] = complex_product(x[14], w7.first);
  x[15] = complex_product(x[15], w7.second);
  const Factors w8 = factors_of(load_factors(f + 448));
  x[16] = complex_product(x[16], w8.first);
  x[17] = complex_product(x[17], w8.second);
}
DEVICE void write_3(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 1, x[1]);
  store_shared(shared_point(place) + 2, x[2]);
  store_shared(shared_point(place) + 3, x[3]);
  store_shared(shared_point(place) + 4, x[4]);
  store_shared(shared_point(place) + 5, x[5]);
  store_shared(shared_point(place) + 6, x[6]);
  store_shared(shared_point(place) + 7, x[7]);
  store_shared(shared_point(place) + 8, x[8]);
  store_shared(shared_point(place) + 36, x[9]);
  store_shared(shared_point(place) + 37, x[10]);
  store_shared(shared_point(place) + 38, x[11]);
  store_shared(shared_point(place) + 39, x[12]);
  store_shared(shared_point(place) + 40, x[13]);
  store_shared(shared_point(place) + 41, x[14]);
  store_shared(shared_point(place) + 42, x[15]);
  store_shared(shared_point(place) + 43, x[16]);
  store_shared(shared_point(place) + 44, x[17]);
}
DEVICE void read_3(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 9);
  x[2] = load_shared(shared_point(place) + 18);
  x[3] = load_shared(shared_point(place) + 27);
  x[4] = load_shared(shared_point(place) + 36);
  x[5] = load_shared(shared_point(place) + 45);
  x[6] = load_shared(shared_point(place) + 54);
  x[7] = load_shared(shared_point(place) + 63);
  x[8] = load_shared(shared_point(place) + 77);
  x[9] = load_shared(shared_point(place) + 86);
  x[10] = load_shared(shared_point(place) + 95);
  x[11] = load_shared(shared_point(place) + 104);
  x[12] = load_shared(shared_point(place) + 113);
  x[13] = load_shared(shared_point(place) + 122);
  x[14] = load_shared(shared_point(place) + 131);
  x[15] = load_shared(shared_point(place) + 140);
}
DEVICE void write_4(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 9, x[1]);
  store_shared(shared_point(place) + 18, x[2]);
  store_shared(shared_point(place) + 27, x[3]);
  store_shared(shared_point(place) + 36, x[4]);
  store_shared(shared_point(place) + 45, x[5]);
  store_shared(shared_point(place) + 54, x[6]);
  store_shared(shared_point(place) + 63, x[7]);
  store_shared(shared_point(place) + 77, x[8]);
  store_shared(shared_point(place) + 86, x[9]);
  store_shared(shared_point(place) + 95, x[10]);
  store_shared(shared_point(place) + 104, x[11]);
  store_shared(shared_point(place) + 113, x[12]);
  store_shared(shared_point(place) + 122, x[13]);
  store_shared(shared_point(place) + 131, x[14]);
  store_shared(shared_point(place) + 140, x[15]);
}
DEVICE void read_4(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 77);
  x[2] = load_shared(shared_point(place) + 154);
  x[3] = load_shared(shared_point(place) + 231);
  x[4] = load_shared(shared_point(place) + 308);
  x[5] = load_shared(shared_point(place) + 385);
  x[6] = load_shared(shared_point(place) + 462);
  x[7] = load_shared(shared_point(place) + 539);
  x[8] = load_shared(shared_point(place) + 616);
  x[9] = load_shared(shared_point(place) + 693);
  x[10] = load_shared(shared_point(place) + 770);
  x[11] = load_shared(shared_point(place) + 847);
  x[12] = load_shared(shared_point(place) + 924);
  x[13] = load_shared(shared_point(place) + 1001);
}
DEVICE void multiply(Points& x, float factor) {
  x[0] = scaled(x[0], factor);
  x[1] = scaled(x[1], factor);
  x[2] = scaled(x[2], factor);
  x[3] = scaled(x[3], factor);
  x[4] = scaled(x[4], factor);
  x[5] = scaled(x[5], factor);
  x[6] = scaled(x[6], factor);
  x[7] = scaled(x[7], factor);
  x[8] = scaled(x[8], factor);
  x[9] = scaled(x[9], factor);
  x[10] = scaled(x[10], factor);
  x[11] = scaled(x[11], factor);
  x[12] = scaled(x[12], factor);
  x[13] = scaled(x[13], factor);
  x[14] = scaled(x[14], factor);
  x[15] = scaled(x[15], factor);
  x[16] = scaled(x[16], factor);
  x[17] = scaled(x[17], factor);
}
DEVICE void write_powers(Points& x, uint2 own) {
  store_shared(place_of_power<1009>(own, 1), x[0]);
  store_shared(place_of_power<1009>(own, 904), x[1]);
  store_shared(place_of_power<1009>(own, 935), x[2]);
  store_shared(place_of_power<1009>(own, 707), x[3]);
  store_shared(place_of_power<1009>(own, 431), x[4]);
  store_shared(place_of_power<1009>(own, 150), x[5]);
  store_shared(place_of_power<1009>(own, 394), x[6]);
  store_shared(place_of_power<1009>(own, 1008), x[7]);
  store_shared(place_of_power<1009>(own, 105), x[8]);
  store_shared(place_of_power<1009>(own, 74), x[9]);
  store_shared(place_of_power<1009>(own, 302), x[10]);
  store_shared(place_of_power<1009>(own, 578), x[11]);
  store_shared(place_of_power<1009>(own, 859), x[12]);
  store_shared(place_of_power<1009>(own, 615), x[13]);
  if (has_first_point<1009>(own)) {
    store_shared(place_in_order(own.y), load_shared(place_in_order(3239 + own.y / 1009)));
  }
}

// ===== the kernel =====
// One block transforms 3027 points: 3 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(224, 4)
sonoma_c2c_f32_n1009_rader_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 3ull * block_index();  // the first one
  in += transform * 1009ull, out += transform * 1009ull;
  const unsigned columns = at_most(batch - transform, 3);
  Points x;

  // Load, to shared memory in the order of memory
  load_in_order<1009, 3, 1, 1009, 224>(in, thread, columns);
  block_barrier();

  if (thread < 216) {  // no points for the others
    // Point q is x(11^q mod 1009): to registers t1 | threads t3 t2 b
    read_powers(x, power_of_thread(tables, thread));

    // Step 1: radix 14 over t1, butterflies in registers
    step_1(x);
    twiddle_1(x, tables + 108 + thread % 72);
  }
  block_barrier();

  if (thread < 216) {  // no points for the others
    // Exchange: from registers k1 | threads t3 t2 b
    write_1(x, thread % 72 + thread / 72 * 1083);
  }
  block_barrier();

  if (thread < 189) {  // no points for the others
    // To registers t2 k1%2 | threads t3 k1/2 b
    read_1(x, thread % 9 + thread / 9 % 7 * 154 + thread / 63 * 1083);

    // Step 2: radix 8 over t2, butterflies in registers
    step_2(x);
    twiddle_2(x, tables + 252 + thread % 9);

    // Exchange: from registers k2 k1%2 | threads t3 k1/2 b
    write_2(x, thread % 9 + thread / 9 % 7 * 154 + thread / 63 * 1083);
  }
  block_barrier();

  if (thread < 168) {  // no points for the others
    // To registers t3 k2/4 | threads k1 k2%4 b
    read_2(x, thread % 14 * 77 + thread / 14 % 4 * 9 + thread / 56 * 1083);

    // Step 3: radix 9 over t3, butterflies in registers
    step_3(x);

    // X(0), and x(0) for all others, where the sum of the other points is
    zero_frequency(x, thread % 56 + thread / 56 * 1008);

    // The convolution: times the spectrum of w^(g^-q), a quarter of it, and back
    times_spectrum(x, tables + 261 + thread % 56);

    // Step 3 backwards: radix 9 over k3, butterflies in registers
    step_3(x);

    // Exchange: from registers t3 k2/4 | threads k1 k2%4 b
    write_3(x, anew(thread) % 14 * 77 + anew(thread) / 14 % 4 * 9 + anew(thread) / 56 * 1083);
  }
  block_barrier();

  if (thread < 189) {  // no points for the others
    // To registers k2 k1%2 | threads t3 k1/2 b
    read_3(x, anew(thread) % 9 + anew(thread) / 9 % 7 * 154 + anew(thread) / 63 * 1083);

    // Step 2 backwards: radix 8 over k2, butterflies in registers
    twiddle_2(x, tables + 252 + anew(thread) % 9);
    step_2(x);

    // Exchange: from registers t2 k1%2 | threads t3 k1/2 b
    write_4(x, anew(thread) % 9 + anew(thread) / 9 % 7 * 154 + anew(thread) / 63 * 1083);
  }
  block_barrier();

  if (thread < 216) {  // no points for the others
    // To registers k1 | threads t3 t2 b
    read_4(x, anew(thread) % 72 + anew(thread) / 72 * 1083);

    // Step 1 backwards: radix 14 over k1, butterflies in registers
    twiddle_1(x, tables + 108 + anew(thread) % 72);
    step_1(x);

    // The factor of the request, times 4 for the quarter of the spectrum
    multiply(x, 0x1p+2f);
  }
  block_barrier();

  if (thread < 216) {  // no points for the others
    // Point q is X(11^q mod 1009): from registers t1 | threads t3 t2 b
    write_powers(x, power_of_thread(tables, thread));
  }
  block_barrier();

  // Store, from shared memory in the order of memory
  store_in_order<1009, 3, 1, 1009, 224>(out, thread, columns);
}
