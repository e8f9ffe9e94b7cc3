// sonoma emit --n 1000 --decomposition "(gs 10 (gs 10 (dft 10)))" --engine simt
//     --points-per-thread 10 --block-points 2000 --registers 48 --threads 128 --stage-load 0
//     --stage-store 0 --twiddles powers --prefetch none --arch sm_90
//
// DFT of 1000 complex f32 points, forward, (gs 10 (gs 10 (dft 10)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 2 transform(s) a block, 128 threads, 10 points a thread, 16912 bytes shared, at
//     least 10 block(s) an SM
//   where a phase has more butterflies than threads, these go round in laps
//   load direct: registers t1 | threads t3 t2 b
//   phase 1: registers t1 | threads t3 t2 b
//     step 1: radix 10, butterflies in registers
//   phase 2: registers t2 | threads t3 k1 b
//     step 2: radix 10, butterflies in registers
//   phase 3: registers t3 | threads k1 k2 b
//     step 3: radix 10, butterflies in registers
//   store direct: registers k3 | threads k1 k2 b
//   a point lies in shared memory at t3 + 10 t2 + 106 t1 + 1060 b
//
// Costs of a transform: 49828.9 flops nominal, 0 MMAs (m16n8k16), 16000 bytes moved of 16000
//   needed.
// A block of 4 warps: 2 barriers, 2 trips through shared memory, 220 bank conflicts, 3520 bytes of
//   tables.
// |error|_2 / |result|_2 <= 1.44452e-06 (bound); of random input 1.12032e-07.
//
// To launch it:
//   grid     ceil(batch / 2) blocks
//   block    128 threads
//   shared   16912 bytes, dynamic
//            where more than 11 blocks fit on an SM they shall take 77 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   3520 bytes
//            [0, 3200) after step 1: w^(k1 t), w = exp(-2 pi i / 1000), those others are products
//              of
//            [3200, 3520) after step 2: w^(k2 t), w = exp(-2 pi i / 100), those others are products
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

// ===== this plan =====
// The points of a thread
using Points = float2[10];

DEVICE void load(Points& x, const float2* p, unsigned column, unsigned columns) {
  x[0] = load_point(p, When{column < columns});
  x[1] = load_point(p + 100, When{column < columns});
  x[2] = load_point(p + 200, When{column < columns});
  x[3] = load_point(p + 300, When{column < columns});
  x[4] = load_point(p + 400, When{column < columns});
  x[5] = load_point(p + 500, When{column < columns});
  x[6] = load_point(p + 600, When{column < columns});
  x[7] = load_point(p + 700, When{column < columns});
  x[8] = load_point(p + 800, When{column < columns});
  x[9] = load_point(p + 900, When{column < columns});
}
DEVICE void dft5(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4) {
  constexpr float c1 = 0x1.3c6ef4p-2f, z1 = 0x1.9e377ap-1f,
  c2 = -0x1.9e377ap-1f, z2 = 0x1.2cf23p+0f;
  const float2 s1 = v1 + v4, d1 = v1 - v4; const float2 s2 = v2 + v3, d2 = v2 - v3;
  const float2 first = v0;
  v0 = (v0 + s2) + s1;
  float2 e1 = multiply_add(s1, c1, first); e1 = multiply_add(s2, c2, e1);
  float2 o1 = multiply_add(d1, z1, scaled(d2, 0x1p-1f)); o1 = turned<-1>(o1);
  v1 = multiply_add(o1, z2, e1); v4 = multiply_add(o1, -z2, e1);
  float2 e2 = multiply_add(s1, c2, first); e2 = multiply_add(s2, c1, e2);
  float2 o2 = multiply_add(d2, -z1, scaled(d1, 0x1p-1f)); o2 = turned<-1>(o2);
  v2 = multiply_add(o2, z2, e2); v3 = multiply_add(o2, -z2, e2);
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
DEVICE void step_1(Points& x) {
  dft10(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  const Factors w1 = factors_of(load_table(f + 100));
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
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 106, x[1]);
  store_shared(shared_point(place) + 212, x[2]);
  store_shared(shared_point(place) + 318, x[3]);
  store_shared(shared_point(place) + 424, x[4]);
  store_shared(shared_point(place) + 530, x[5]);
  store_shared(shared_point(place) + 636, x[6]);
  store_shared(shared_point(place) + 742, x[7]);
  store_shared(shared_point(place) + 848, x[8]);
  store_shared(shared_point(place) + 954, x[9]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 10);
  x[2] = load_shared(shared_point(place) + 20);
  x[3] = load_shared(shared_point(place) + 30);
  x[4] = load_shared(shared_point(place) + 40);
  x[5] = load_shared(shared_point(place) + 50);
  x[6] = load_shared(shared_point(place) + 60);
  x[7] = load_shared(shared_point(place) + 70);
  x[8] = load_shared(shared_point(place) + 80);
  x[9] = load_shared(shared_point(place) + 90);
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
  store_shared(shared_point(place) + 10, x[1]);
  store_shared(shared_point(place) + 20, x[2]);
  store_shared(shared_point(place) + 30, x[3]);
  store_shared(shared_point(place) + 40, x[4]);
  store_shared(shared_point(place) + 50, x[5]);
  store_shared(shared_point(place) + 60, x[6]);
  store_shared(shared_point(place) + 70, x[7]);
  store_shared(shared_point(place) + 80, x[8]);
  store_shared(shared_point(place) + 90, x[9]);
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
  store_point(p + 100, x[1], When{own + 1 < end});
  store_point(p + 200, x[2], When{own + 2 < end});
  store_point(p + 300, x[3], When{own + 3 < end});
  store_point(p + 400, x[4], When{own + 4 < end});
  store_point(p + 500, x[5], When{own + 5 < end});
  store_point(p + 600, x[6], When{own + 6 < end});
  store_point(p + 700, x[7], When{own + 7 < end});
  store_point(p + 800, x[8], When{own + 8 < end});
  store_point(p + 900, x[9], When{own + 9 < end});
}

// ===== the kernel =====
// One block transforms 2000 points: 2 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(128, 10)
sonoma_c2c_f32_n1000_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned long long transform = 2ull * block_index();  // the first one
  in += transform * 1000ull, out += transform * 1000ull;
  const unsigned columns = at_most(batch - transform, 2);
  Points x;

#pragma unroll 1
  for (unsigned thread = thread_index(); thread < 200; thread += 128) {  // 2 laps
    // Load: registers t1 | threads t3 t2 b
    load(x, in + (thread % 100 + thread / 100 * 1000), thread / 100, columns);

    // Step 1: radix 10 over t1, butterflies in registers
    step_1(x);
    twiddle_1(x, tables + thread % 100);

    // Exchange: from registers k1 | threads t3 t2 b
    write_1(x, thread % 100 + thread / 100 * 1060);
  }
  block_barrier();

#pragma unroll 1
  for (unsigned thread = thread_index(); thread < 200; thread += 128) {  // 2 laps
    // To registers t2 | threads t3 k1 b
    read_1(x, thread % 10 + thread / 10 * 106);

    // Step 2: radix 10 over t2, butterflies in registers
    step_2(x);
    twiddle_2(x, tables + 200 + thread % 10);

    // Exchange: from registers k2 | threads t3 k1 b
    write_2(x, thread % 10 + thread / 10 * 106);
  }
  block_barrier();

#pragma unroll 1
  for (unsigned thread = thread_index(); thread < 200; thread += 128) {  // 2 laps
    // To registers t3 | threads k1 k2 b
    read_2(x, thread % 10 * 106 + thread / 10 % 10 * 10 + thread / 100 * 1060);

    // Step 3: radix 10 over t3, butterflies in registers
    step_3(x);

    // Store: registers k3 | threads k1 k2 b
    store(x, out + (thread % 100 + thread / 100 * 1000), (thread / 100) * 10u, columns * 10u);
  }
}
