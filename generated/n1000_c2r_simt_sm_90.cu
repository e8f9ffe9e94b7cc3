// sonoma emit --n 1000 --domain c2r --decomposition "(gs 5 (gs 10 (dft 10)))" --engine simt
//     --points-per-thread 10 --block-points 1500 --registers 48 --stage-load 0 --stage-store 0
//     --twiddles powers --prefetch none --inverse --arch sm_90
//
// DFT to 1000 real numbers, whose pairs are points of this one:
// DFT of 500 complex f32 points, inverse, (gs 5 (gs 10 (dft 10)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 3 transform(s) a block, 160 threads, 10 points a thread, 13352 bytes shared, at
//     least 8 block(s) an SM
//   load direct: registers t1 t2%2 | threads t3 t2/2 b
//   phase 1: registers t1 t2%2 | threads t3 t2/2 b
//     step 1: radix 5, butterflies in registers
//   phase 2: registers t2 | threads t3 k1 b
//     step 2: radix 10, butterflies in registers
//   phase 3: registers t3 | threads k1 k2 b
//     step 3: radix 10, butterflies in registers
//   store direct: registers k3 | threads k1 k2 b
//   a point lies in shared memory at t3 + 11 t2 + 111 t1 + 558 b
//
// Costs of a transform: 22414.5 flops nominal, 0 MMAs (m16n8k16), 8723.35 bytes moved of 8008
//   needed.
// A block of 5 warps: 4 barriers, 3 trips through shared memory, 382 bank conflicts, 3920 bytes of
//   tables.
// |error|_2 / |result|_2 <= 1.6408e-06 (bound); of random input 1.14549e-07.
//
// To launch it:
//   grid     ceil(batch / 3) blocks
//   block    160 threads
//   shared   13352 bytes, dynamic
//   in, out  device memory, 16-byte aligned
//   tables   3920 bytes
//            [0, 2000) of points k to the middle: +i w^k, w = exp(+2 pi i / 1000)
//            [2000, 3600) after step 1: w^(k1 t), w = exp(+2 pi i / 500), those others are products
//              of
//            [3600, 3920) after step 2: w^(k2 t), w = exp(+2 pi i / 100), those others are products
//              of
//   batch    transforms
// nvcc -cubin -arch=sm_90 -std=c++17 --fmad=false FILE.cu

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
DEVICE float2 conjugate(float2 a) { return make_float2(a.x, -a.y); }
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

// ===== mirrored.cuh =====
// Real numbers x(0), x(1), ..., n = 2 m of them, in pairs: points z(t) = x(2t) + i x(2t + 1). Of
// their transform Z, w = exp(sign 2 pi i / n), f = sign i w^k, D = Z(k) - conj(Z(m - k)):
//
//   X(k) = Z(k) + conj(Z(m - k)) + f D,  X(m - k) = conj(Z(k) + conj(Z(m - k)) - f D),
//
// both times 1/2, which Z has already; and with another sign, and no 1/2, Z of X. Z(m) is Z(0).
// (J. W. Cooley, P. A. W. Lewis, P. D. Welch, J. Sound and Vibration 12, 1970.) They are also
//
//   X(k) = 2 conj(Z(m - k)) + (1 + f) D,  X(m - k) = conj(2 Z(k) - (1 + f) D),
//
// which rounds smaller numbers: the real part of 1 + f, the factor here, is between 0 and 1. Added
// first it leaves a mean of Z(k) and conj(Z(m - k)), so that nothing overflows that X does not.
//
// In shared memory point k of transform b lies at place b row + k; in global memory points lie
// `stride` and transforms `apart` points apart, of `count` in a block there are `columns`. A thread
// takes points k and m - k, of k up to (m - 1) / 2; the one with k = 0 the middle too.
struct Mirrored {
  float2 low, high;  // at k, at m - k
};
DEVICE float2 with_turned(float2 a, float2 b, float2 d, float re, float im) {
  return make_float2(fused_multiply_add(-d.y, im, fused_multiply_add(d.x, re, a.x + b.x)),
                     fused_multiply_add(d.x, im, fused_multiply_add(d.y, re, a.y + b.y)));
}
// Where f = +-i, at the end of a row, the plain sum of both is a rounding less.
DEVICE Mirrored of_mirrored(Mirrored a, float2 factor, bool end = false) {
  const float2 b = conjugate(a.high), d = make_float2(a.low.x - b.x, a.low.y - b.y);
  return {with_turned(b, end ? a.low : b, d, end ? 0.0f : factor.x, factor.y),
          conjugate(with_turned(a.low, a.low, d, -factor.x, -factor.y))};
}
// X(0) and X(m) are real.
DEVICE Mirrored real_ends(Mirrored a, bool ends) {
  a.low.y = ends ? 0.0f : a.low.y;
  a.high.y = ends ? 0.0f : a.high.y;
  return a;
}
DEVICE float2 of_middle(float2 a) { return make_float2(a.x + a.x, -(a.y + a.y)); }

// Pair p of the block: of which transform, and of which point.
template <unsigned m, unsigned count>
DEVICE constexpr unsigned mirrored_transform(unsigned p) {
  return count == 1 ? 0 : p / ((m + 1) / 2);
}
template <unsigned m, unsigned count>
DEVICE constexpr unsigned mirrored_point(unsigned p) {
  return count == 1 ? p : p % ((m + 1) / 2);
}
// Threads take every `threads`-th pair; the last ones may have one less.
template <unsigned m, unsigned count, unsigned threads>
DEVICE constexpr unsigned mirrored_turns() {
  return (count * ((m + 1) / 2) + threads - 1) / threads;
}
template <unsigned m, unsigned count, unsigned threads>
DEVICE bool has_mirrored_turn(unsigned thread, unsigned r) {
  constexpr unsigned pairs = count * ((m + 1) / 2);
  return (r + 1) * threads <= pairs || thread + r * threads < pairs;
}

template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, class Point>
DEVICE void load_mirrored(const Point* in, const uint4* table, unsigned thread, unsigned columns) {
  constexpr unsigned pairs_each = mirrored_turns<m, count, threads>();
  Mirrored x[pairs_each];
#pragma unroll
  for (unsigned r = 0; r < pairs_each; ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    const unsigned transform = mirrored_transform<m, count>(p);
    const Point *low = in + transform * apart + k * stride,
                *high = in + transform * apart + (m - k) * stride;
    const When there{transform < columns};
    x[r].low = count == 1 ? load_point(low) : load_point(low, there);
    x[r].high = count == 1 ? load_point(high) : load_point(high, there);
  }
#pragma unroll
  for (unsigned r = 0; r < pairs_each; ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    const unsigned transform = mirrored_transform<m, count>(p);
    float2* to = shared_point(transform * row);
    const bool end = k == 0 && (count > 1 || r == 0);
    const Mirrored z = of_mirrored(real_ends(x[r], end), factor_at(table, k), end);
    store_shared(to + k, z.low);
    if (k != 0) store_shared(to + (m - k), z.high);
    if (m % 2 == 0 && k == 0) {
      const float2 middle =
          load_point(in + transform * apart + m / 2 * stride, When{transform < columns});
      store_shared(to + m / 2, of_middle(middle));
    }
  }
}

// ===== this plan =====
// The points of a thread
using Points = float2[10];

DEVICE void read_in_order(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 100);
  x[2] = load_shared(shared_point(place) + 200);
  x[3] = load_shared(shared_point(place) + 300);
  x[4] = load_shared(shared_point(place) + 400);
  x[5] = load_shared(shared_point(place) + 10);
  x[6] = load_shared(shared_point(place) + 110);
  x[7] = load_shared(shared_point(place) + 210);
  x[8] = load_shared(shared_point(place) + 310);
  x[9] = load_shared(shared_point(place) + 410);
}
DEVICE void dft5(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4) {
  constexpr float c1 = 0x1.3c6ef4p-2f, z1 = 0x1.9e377ap-1f,
  c2 = -0x1.9e377ap-1f, z2 = 0x1.2cf23p+0f;
  const float2 s1 = v1 + v4, d1 = v1 - v4; const float2 s2 = v2 + v3, d2 = v2 - v3;
  const float2 first = v0;
  v0 = (v0 + s2) + s1;
  float2 e1 = multiply_add(s1, c1, first); e1 = multiply_add(s2, c2, e1);
  float2 o1 = multiply_add(d1, z1, scaled(d2, 0x1p-1f)); o1 = turned<1>(o1);
  v1 = multiply_add(o1, z2, e1); v4 = multiply_add(o1, -z2, e1);
  float2 e2 = multiply_add(s1, c2, first); e2 = multiply_add(s2, c1, e2);
  float2 o2 = multiply_add(d2, -z1, scaled(d1, 0x1p-1f)); o2 = turned<1>(o2);
  v2 = multiply_add(o2, z2, e2); v3 = multiply_add(o2, -z2, e2);
}
DEVICE void step_1(Points& x) {
  dft5(x[0], x[1], x[2], x[3], x[4]);
  dft5(x[5], x[6], x[7], x[8], x[9]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  const Factors w1 = factors_of(load_table(f + 50));
  x[1] = complex_product(x[1], w0.first);
  const float2 square0 = complex_product(w0.first, w0.first);
  x[2] = complex_product(x[2], square0);
  const float2 cube0 = complex_product(square0, w0.first);
  x[3] = complex_product(x[3], cube0);
  x[4] = complex_product(x[4], w0.second);
  x[6] = complex_product(x[6], w1.first);
  const float2 square2 = complex_product(w1.first, w1.first);
  x[7] = complex_product(x[7], square2);
  const float2 cube2 = complex_product(square2, w1.first);
  x[8] = complex_product(x[8], cube2);
  x[9] = complex_product(x[9], w1.second);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 111, x[1]);
  store_shared(shared_point(place) + 222, x[2]);
  store_shared(shared_point(place) + 333, x[3]);
  store_shared(shared_point(place) + 444, x[4]);
  store_shared(shared_point(place) + 11, x[5]);
  store_shared(shared_point(place) + 122, x[6]);
  store_shared(shared_point(place) + 233, x[7]);
  store_shared(shared_point(place) + 344, x[8]);
  store_shared(shared_point(place) + 455, x[9]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 11);
  x[2] = load_shared(shared_point(place) + 22);
  x[3] = load_shared(shared_point(place) + 33);
  x[4] = load_shared(shared_point(place) + 44);
  x[5] = load_shared(shared_point(place) + 55);
  x[6] = load_shared(shared_point(place) + 66);
  x[7] = load_shared(shared_point(place) + 77);
  x[8] = load_shared(shared_point(place) + 88);
  x[9] = load_shared(shared_point(place) + 99);
}
DEVICE void dft10(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9) {
  dft2(v0, v5);
  dft2(v2, v7);
  dft2(v4, v9);
  dft2(v6, v1);
  dft2(v8, v3);
  dft5(v0, v2, v4, v6, v8);
  dft5(v5, v7, v9, v1, v3);
  const float2 x1 = v7, x2 = v4, x3 = v1, x4 = v8, x6 = v2, x7 = v9, x8 = v6, x9 = v3;
  v1 = x1; v2 = x2; v3 = x3; v4 = x4; v6 = x6; v7 = x7; v8 = x8; v9 = x9;
}
DEVICE void step_2(Points& x) {
  dft10(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  const Factors w1 = factors_of(load_table(f + 10));
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
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 11, x[1]);
  store_shared(shared_point(place) + 22, x[2]);
  store_shared(shared_point(place) + 33, x[3]);
  store_shared(shared_point(place) + 44, x[4]);
  store_shared(shared_point(place) + 55, x[5]);
  store_shared(shared_point(place) + 66, x[6]);
  store_shared(shared_point(place) + 77, x[7]);
  store_shared(shared_point(place) + 88, x[8]);
  store_shared(shared_point(place) + 99, x[9]);
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
  x[9] = load_shared(shared_point(place) + 9);
}
DEVICE void step_3(Points& x) {
  dft10(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
}
DEVICE void store(Points& x, float2* p, unsigned own, unsigned end) {
  store_point(p, x[0], When{own < end});
  store_point(p + 50, x[1], When{own + 1 < end});
  store_point(p + 100, x[2], When{own + 2 < end});
  store_point(p + 150, x[3], When{own + 3 < end});
  store_point(p + 200, x[4], When{own + 4 < end});
  store_point(p + 250, x[5], When{own + 5 < end});
  store_point(p + 300, x[6], When{own + 6 < end});
  store_point(p + 350, x[7], When{own + 7 < end});
  store_point(p + 400, x[8], When{own + 8 < end});
  store_point(p + 450, x[9], When{own + 9 < end});
}

// ===== the kernel =====
// One block transforms 1500 points: 3 of the batch.
extern "C" __global__ void __launch_bounds__(160, 8)
sonoma_c2r_f32_n1000_inverse_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 3ull * block_index();  // the first one
  in += transform * 501ull, out += transform * 500ull;
  const unsigned columns = at_most(batch - transform, 3);
  Points x;

  // Load frequencies of 1000 real numbers, make points of their pairs of them, to shared memory in
  // order
  load_mirrored<500, 3, 502, 1, 501, 160>(in, tables, thread, columns);
  block_barrier();

  if (thread < 150) {  // no points for the others
    // To registers t1 t2%2 | threads t3 t2/2 b
    read_in_order(x, thread % 10 + thread / 10 % 5 * 20 + thread / 50 * 502);

    // Step 1: radix 5 over t1, butterflies in registers
    step_1(x);
    twiddle_1(x, tables + 125 + thread % 50);
  }
  block_barrier();

  if (thread < 150) {  // no points for the others
    // Exchange: from registers k1 t2%2 | threads t3 t2/2 b
    write_1(x, thread % 10 + thread / 10 % 5 * 22 + thread / 50 * 558);
  }
  block_barrier();

  if (thread < 150) {  // no points for the others
    // To registers t2 | threads t3 k1 b
    read_1(x, thread % 10 + thread / 10 % 5 * 111 + thread / 50 * 558);

    // Step 2: radix 10 over t2, butterflies in registers
    step_2(x);
    twiddle_2(x, tables + 225 + thread % 10);

    // Exchange: from registers k2 | threads t3 k1 b
    write_2(x, thread % 10 + thread / 10 % 5 * 111 + thread / 50 * 558);
  }
  block_barrier();

  if (thread < 150) {  // no points for the others
    // To registers t3 | threads k1 k2 b
    read_2(x, thread % 5 * 111 + thread / 5 % 10 * 11 + thread / 50 * 558);

    // Step 3: radix 10 over t3, butterflies in registers
    step_3(x);

    // Store: registers k3 | threads k1 k2 b
    store(x, out + (thread % 50 + thread / 50 * 500), (thread / 50) * 10u, columns * 10u);
  }
}
