// sonoma emit --n 49 --decomposition "(gs 7 (dft 7))" --engine simt --sums fp64
//     --points-per-thread 7 --block-points 441 --registers 56 --stage-load 0 --stage-store 0
//     --twiddles table --prefetch none --arch sm_90
//
// DFT of 49 complex f32 points, forward, (gs 7 (dft 7))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 9 transform(s) a block, 64 threads, 7 points a thread, 3528 bytes shared, at least
//     18 block(s) an SM
//   load direct: registers t1 | threads t2 b
//   phase 1: registers t1 | threads t2 b
//     step 1: radix 7, butterflies in registers
//   phase 2: registers t2 | threads k1 b
//     step 2: radix 7, butterflies in registers
//   store direct: registers k2 | threads k1 b
//   a point lies in shared memory at t2 + 7 t1 + 49 b
//
// Costs of a transform: 1375.6 flops nominal, 0 MMAs (m16n8k16), 1159.11 bytes moved of 784 needed.
// A block of 2 warps: 1 barriers, 1 trips through shared memory, 56 bank conflicts, 336 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.80566e-07 (bound); of random input 4.80042e-08.
//
// To launch it:
//   grid     ceil(batch / 9) blocks
//   block    64 threads
//   shared   3528 bytes, dynamic
//   in, out  device memory, 16-byte aligned
//   tables   336 bytes
//            [0, 336) after step 1: w^(k1 t), w = exp(-2 pi i / 49)
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
DEVICE double fused_multiply_add_fp64(double a, double b, double c) { return __fma_rn(a, b, c); }
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

// ===== fp64.cuh =====
// Points of a butterfly that sums in FP64: exact on their way in, rounded once on their way out.
// What is fused is written fused, as in FP32.

DEVICE double2 widened_point(float2 a) { return make_double2(a.x, a.y); }
DEVICE float2 rounded_point(double2 a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}

DEVICE double2 operator+(double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); }
DEVICE double2 operator-(double2 a, double2 b) { return make_double2(a.x - b.x, a.y - b.y); }
DEVICE double2 scaled_fp64(double2 a, double factor) {
  return make_double2(a.x * factor, a.y * factor);
}
// a c + b for a real c.
DEVICE double2 multiply_add_fp64(double2 a, double c, double2 b) {
  return make_double2(fused_multiply_add_fp64(a.x, c, b.x), fused_multiply_add_fp64(a.y, c, b.y));
}
// a * (sign i)
template <int sign>
DEVICE double2 turned_fp64(double2 a) {
  return sign < 0 ? make_double2(a.y, -a.x) : make_double2(-a.y, a.x);
}

// ===== this plan =====
// The points of a thread
using Points = float2[7];

DEVICE void load(Points& x, const float2* p, unsigned column, unsigned columns) {
  x[0] = load_point(p, When{column < columns});
  x[1] = load_point(p + 7, When{column < columns});
  x[2] = load_point(p + 14, When{column < columns});
  x[3] = load_point(p + 21, When{column < columns});
  x[4] = load_point(p + 28, When{column < columns});
  x[5] = load_point(p + 35, When{column < columns});
  x[6] = load_point(p + 42, When{column < columns});
}
DEVICE void dft7_fp64(double2& v0, double2& v1, double2& v2, double2& v3, double2& v4, double2& v5,
                      double2& v6) {
  constexpr double c1 = 0x1.3f3a0e28bedd1p-1, z1 = 0x1.904c37505de4bp-1,
  c2 = -0x1.c7b90e3024582p-3, z2 = 0x1.f329c0558e969p-1,
  c3 = -0x1.cd4bca9cb5c71p-1, z3 = 0x1.bc4c04d71abc1p-2;
  const double2 s1 = v1 + v6, d1 = v1 - v6; const double2 s2 = v2 + v5, d2 = v2 - v5;
  const double2 s3 = v3 + v4, d3 = v3 - v4;
  const double2 first = v0;
  v0 = (v0 + s3) + (s2 + s1);
  double2 e1 = multiply_add_fp64(s2, c2, first); e1 = multiply_add_fp64(s1, c1, e1);
  e1 = multiply_add_fp64(s3, c3, e1); double2 o1 = scaled_fp64(d3, z3);
  o1 = multiply_add_fp64(d1, z1, o1); o1 = multiply_add_fp64(d2, z2, o1); o1 = turned_fp64<-1>(o1);
  v1 = e1 + o1; v6 = e1 - o1;
  double2 e2 = multiply_add_fp64(s1, c2, first); e2 = multiply_add_fp64(s3, c1, e2);
  e2 = multiply_add_fp64(s2, c3, e2); double2 o2 = scaled_fp64(d2, -z3);
  o2 = multiply_add_fp64(d3, -z1, o2); o2 = multiply_add_fp64(d1, z2, o2); o2 = turned_fp64<-1>(o2);
  v2 = e2 + o2; v5 = e2 - o2;
  double2 e3 = multiply_add_fp64(s3, c2, first); e3 = multiply_add_fp64(s2, c1, e3);
  e3 = multiply_add_fp64(s1, c3, e3); double2 o3 = scaled_fp64(d1, z3);
  o3 = multiply_add_fp64(d2, -z1, o3); o3 = multiply_add_fp64(d3, z2, o3); o3 = turned_fp64<-1>(o3);
  v3 = e3 + o3; v4 = e3 - o3;
}
DEVICE void dft7_in_fp64(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                         float2& v6) {
  double2 w0 = widened_point(v0), w1 = widened_point(v1), w2 = widened_point(v2),
  w3 = widened_point(v3), w4 = widened_point(v4), w5 = widened_point(v5), w6 = widened_point(v6);
  dft7_fp64(w0, w1, w2, w3, w4, w5, w6);
  v0 = rounded_point(w0); v1 = rounded_point(w1); v2 = rounded_point(w2); v3 = rounded_point(w3);
  v4 = rounded_point(w4); v5 = rounded_point(w5); v6 = rounded_point(w6);
}
DEVICE void step_1(Points& x) {
  dft7_in_fp64(x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 7));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 14));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 7, x[1]);
  store_shared(shared_point(place) + 14, x[2]);
  store_shared(shared_point(place) + 21, x[3]);
  store_shared(shared_point(place) + 28, x[4]);
  store_shared(shared_point(place) + 35, x[5]);
  store_shared(shared_point(place) + 42, x[6]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 1);
  x[2] = load_shared(shared_point(place) + 2);
  x[3] = load_shared(shared_point(place) + 3);
  x[4] = load_shared(shared_point(place) + 4);
  x[5] = load_shared(shared_point(place) + 5);
  x[6] = load_shared(shared_point(place) + 6);
}
DEVICE void step_2(Points& x) {
  dft7_in_fp64(x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
}
DEVICE void store(Points& x, float2* p, unsigned own, unsigned end) {
  store_point(p, x[0], When{own < end});
  store_point(p + 7, x[1], When{own + 1 < end});
  store_point(p + 14, x[2], When{own + 2 < end});
  store_point(p + 21, x[3], When{own + 3 < end});
  store_point(p + 28, x[4], When{own + 4 < end});
  store_point(p + 35, x[5], When{own + 5 < end});
  store_point(p + 42, x[6], When{own + 6 < end});
}

// ===== the kernel =====
// One block transforms 441 points: 9 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 18)
sonoma_c2c_f32_n49_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 9ull * block_index();  // the first one
  in += transform * 49ull, out += transform * 49ull;
  const unsigned columns = at_most(batch - transform, 9);
  Points x;

  if (thread < 63) {  // no points for the others
    // Load: registers t1 | threads t2 b
    load(x, in + (thread % 7 + thread / 7 * 49), thread / 7, columns);

    // Step 1: radix 7 over t1, butterflies in registers, in FP64
    step_1(x);
    twiddle_1(x, tables + thread % 7);

    // Exchange: from registers k1 | threads t2 b
    write_1(x, thread % 7 + thread / 7 * 49);
  }
  block_barrier();

  if (thread < 63) {  // no points for the others
    // To registers t2 | threads k1 b
    read_1(x, thread * 7);

    // Step 2: radix 7 over t2, butterflies in registers, in FP64
    step_2(x);

    // Store: registers k2 | threads k1 b
    store(x, out + (thread % 7 + thread / 7 * 49), (thread / 7) * 7u, columns * 7u);
  }
}
