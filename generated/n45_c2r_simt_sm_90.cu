// sonoma emit --n 45 --domain c2r --decomposition "(gs 5 (dft 9))" --engine simt
//     --points-per-thread 9 --block-points 1260 --registers 56 --threads 64 --stage-load 0
//     --stage-store 1 --twiddles table --prefetch none --inverse --arch sm_90
//
// DFT of 45 Hermitian f32 points, inverse, (gs 5 (dft 9))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 28 transform(s) a block, 64 threads, 9 points a thread, 10080 bytes shared, at
//     least 18 block(s) an SM
//   where a phase has more butterflies than threads, these go round in laps
//   points find their places in memory by their index
//   load direct: registers t1 | threads t2 b
//   phase 1: registers t1 | threads t2 b
//     step 1: radix 5, butterflies in registers
//   phase 2: registers t2 | threads k1 b
//     step 2: radix 9, butterflies in registers
//   store through shared memory: registers b/4 | threads k1 k2 b%4
//   a point lies in shared memory at t2 + 9 t1 + 45 b
//
// Costs of a transform: 1235.67 flops nominal, 0 MMAs (m16n8k16), 461.079 bytes moved of 364
//   needed.
// A block of 2 warps: 2 barriers, 2 trips through shared memory, 152 bank conflicts, 288 bytes of
//   tables.
// |error|_2 / |result|_2 <= 9.10083e-07 (bound); of random input 7.49331e-08.
//
// To launch it:
//   grid     ceil(batch / 28) blocks
//   block    64 threads
//   shared   10080 bytes, dynamic
//            where more than 18 blocks fit on an SM they shall take 86 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   288 bytes
//            [0, 288) after step 1: w^(k1 t), w = exp(+2 pi i / 45)
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

// ===== storage_32.cuh =====
// FP32 points in global memory: one, or two neighbours, 16 bytes at a time.
template <class Access = Always>
DEVICE float2 load_point(const float2* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return make_float2(float_of(a.x), float_of(a.y));
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

// ===== storage_real.cuh =====
// Real numbers in global memory, and Hermitian points. In registers both are complex.

// Imaginary parts are not stored.
template <class Access = Always>
DEVICE void store_real(float* p, float2 a, Access access = {}) {
  store_word(reinterpret_cast<unsigned*>(p), bits_of(a.x), access);
}

// Of n Hermitian points memory has the first n / 2 + 1, `stride` apart; point i behind them is the
// conjugate of point n - i. p is where point i would lie.
template <unsigned n, long long stride, class Point, class Access = Always>
DEVICE float2 load_hermitian(const Point* p, unsigned i, Access access = {}) {
  const bool behind = i > n / 2;
  const float2 a = load_point(behind ? p - (2ll * i - n) * stride : p, access);
  return make_float2(a.x, behind ? -a.y : a.y);
}
// Points 0 and n / 2 are their own conjugates: whatever memory has as their imaginary parts, infinity
// and NaN too, is ignored.
template <unsigned n>
DEVICE float2 own_conjugates(float2 a, unsigned i) {
  return make_float2(a.x, i == 0 || 2 * i == n ? 0.0f : a.y);
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

// ===== this plan =====
// The points of a thread
using Points = float2[9];

DEVICE void load(Points& x, const float2* p, unsigned index, unsigned column, unsigned columns) {
  x[0] = own_conjugates<45u>(load_hermitian<45u, 1>(p, index, When{column < columns}), index);
  x[1] = load_hermitian<45u, 1>(p + 9, index + 9, When{column < columns});
  x[2] = load_hermitian<45u, 1>(p + 18, index + 18, When{column < columns});
  x[3] = load_hermitian<45u, 1>(p + 27, index + 27, When{column < columns});
  x[4] = load_hermitian<45u, 1>(p + 36, index + 36, When{column < columns});
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
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 9));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 9, x[1]);
  store_shared(shared_point(place) + 18, x[2]);
  store_shared(shared_point(place) + 27, x[3]);
  store_shared(shared_point(place) + 36, x[4]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 1);
  x[2] = load_shared(shared_point(place) + 2);
  x[3] = load_shared(shared_point(place) + 3);
  x[4] = load_shared(shared_point(place) + 4);
  x[5] = load_shared(shared_point(place) + 5);
  x[6] = load_shared(shared_point(place) + 6);
  x[7] = load_shared(shared_point(place) + 7);
  x[8] = load_shared(shared_point(place) + 8);
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
  o1 = multiply_add(d2, z2, o1); o1 = turned<1>(o1);
  v1 = multiply_add(o1, z3, e1); v8 = multiply_add(o1, -z3, e1);
  float2 e2 = multiply_add(s3, c3, first); e2 = multiply_add(s1, c2, e2);
  e2 = multiply_add(s4, c1, e2); e2 = multiply_add(s2, c4, e2);
  float2 o2 = multiply_add(d2, -z4, scaled(d3, 0x1p-1f)); o2 = multiply_add(d4, z1, o2);
  o2 = multiply_add(d1, -z2, o2); o2 = turned<1>(o2);
  v2 = multiply_add(o2, -z3, e2); v7 = multiply_add(o2, z3, e2);
  float2 e3 = multiply_add(s1, c3, first); e3 = multiply_add(s2, c3, e3);
  e3 = multiply_add(s4, c3, e3); e3 = multiply_add(s3, c0, e3);
  float2 o3 = multiply_add(d2, -z0, scaled(d1, 0x1p-1f)); o3 = multiply_add(d4, z0, o3);
  o3 = turned<1>(o3);
  v3 = multiply_add(o3, z3, e3); v6 = multiply_add(o3, -z3, e3);
  float2 e4 = multiply_add(s3, c3, first); e4 = multiply_add(s4, c2, e4);
  e4 = multiply_add(s2, c1, e4); e4 = multiply_add(s1, c4, e4);
  float2 o4 = multiply_add(d1, z4, scaled(d3, 0x1p-1f)); o4 = multiply_add(d2, -z1, o4);
  o4 = multiply_add(d4, -z2, o4); o4 = turned<1>(o4);
  v4 = multiply_add(o4, z3, e4); v5 = multiply_add(o4, -z3, e4);
}
DEVICE void step_2(Points& x) {
  dft9(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]);
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 1, x[1]);
  store_shared(shared_point(place) + 2, x[2]);
  store_shared(shared_point(place) + 3, x[3]);
  store_shared(shared_point(place) + 4, x[4]);
  store_shared(shared_point(place) + 5, x[5]);
  store_shared(shared_point(place) + 6, x[6]);
  store_shared(shared_point(place) + 7, x[7]);
  store_shared(shared_point(place) + 8, x[8]);
}
DEVICE void read_2(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 180);
  x[2] = load_shared(shared_point(place) + 360);
  x[3] = load_shared(shared_point(place) + 540);
  x[4] = load_shared(shared_point(place) + 720);
  x[5] = load_shared(shared_point(place) + 900);
  x[6] = load_shared(shared_point(place) + 1080);
}
DEVICE void store(Points& x, float* p, unsigned column, unsigned columns) {
  store_real(p, x[0], When{column < columns});
  store_real(p + 180, x[1], When{column + 4 < columns});
  store_real(p + 360, x[2], When{column + 8 < columns});
  store_real(p + 540, x[3], When{column + 12 < columns});
  store_real(p + 720, x[4], When{column + 16 < columns});
  store_real(p + 900, x[5], When{column + 20 < columns});
  store_real(p + 1080, x[6], When{column + 24 < columns});
}

// ===== the kernel =====
// One block transforms 1260 points: 28 of the batch.
extern "C" __global__ void __launch_bounds__(64, 18)
sonoma_c2r_f32_n45_inverse_simt(
    const float2* in, float* out, const uint4* tables, unsigned long long batch) {
  const unsigned long long transform = 28ull * block_index();  // the first one
  in += transform * 23ull, out += transform * 45ull;
  const unsigned columns = at_most(batch - transform, 28);
  Points x;

#pragma unroll 1
  for (unsigned thread = thread_index(); thread < 252; thread += 64) {  // 4 laps
    // Load: registers t1 | threads t2 b
    load(x, in + (thread % 9 + thread / 9 * 23), thread % 9, thread / 9, columns);

    // Step 1: radix 5 over t1, butterflies in registers
    step_1(x);
    twiddle_1(x, tables + thread % 9);

    // Exchange: from registers k1 | threads t2 b
    write_1(x, thread % 9 + thread / 9 * 45);
  }
  block_barrier();

#pragma unroll 1
  for (unsigned thread = thread_index(); thread < 140; thread += 64) {  // 3 laps
    // To registers t2 | threads k1 b
    read_1(x, thread * 9);

    // Step 2: radix 9 over t2, butterflies in registers
    step_2(x);

    // Exchange: from registers k2 | threads k1 b
    write_2(x, thread * 9);
  }
  block_barrier();

#pragma unroll 1
  for (unsigned thread = thread_index(); thread < 180; thread += 64) {  // 3 laps
    // To registers b/4 | threads k1 k2 b%4
    read_2(x, thread % 5 * 9 + thread / 5 % 9 + thread / 45 * 45);

    // Store: registers b/4 | threads k1 k2 b%4
    store(x, out + thread, anew(thread / 45), columns);
  }
}
