// sonoma emit --n 527 --decomposition "(gs 31 (dft 17))" --engine simt --points-per-thread 31
//     --block-points 1581 --registers 128 --stage-load 0 --stage-store 0 --twiddles powers
//     --prefetch none --arch sm_90
//
// DFT of 527 complex f32 points, forward, (gs 31 (dft 17))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 3 transform(s) a block, 96 threads, 31 points a thread, 12680 bytes shared, at
//     least 5 block(s) an SM
//   load direct: registers t1 | threads t2 b
//   phase 1: registers t1 | threads t2 b
//     step 1: radix 31, butterflies in registers
//   phase 2: registers t2 | threads k1 b
//     step 2: radix 17, butterflies in registers
//   store direct: registers k2 | threads k1 b
//   a point lies in shared memory at t2 + 17 t1 + 529 b
//
// Costs of a transform: 23824.8 flops nominal, 0 MMAs (m16n8k16), 10090.7 bytes moved of 8432
//   needed.
// A block of 3 warps: 1 barriers, 1 trips through shared memory, 34 bank conflicts, 1088 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.6292e-06 (bound); of random input 1.09996e-07.
//
// To launch it:
//   grid     ceil(batch / 3) blocks
//   block    96 threads
//   shared   12680 bytes, dynamic
//            where more than 14 blocks fit on an SM they shall take 30 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   1088 bytes
//            [0, 1088) after step 1: w^(k1 t), w = exp(-2 pi i / 527), those others are products of
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

// ===== this plan =====
// The points of a thread
using Points = float2[31];

DEVICE void load(Points& x, const float2* p, unsigned column, unsigned columns) {
  x[0] = load_point(p, When{column < columns});
  x[1] = load_point(p + 17, When{column < columns});
  x[2] = load_point(p + 34, When{column < columns});
  x[3] = load_point(p + 51, When{column < columns});
  x[4] = load_point(p + 68, When{column < columns});
  x[5] = load_point(p + 85, When{column < columns});
  x[6] = load_point(p + 102, When{column < columns});
  x[7] = load_point(p + 119, When{column < columns});
  x[8] = load_point(p + 136, When{column < columns});
  x[9] = load_point(p + 153, When{column < columns});
  x[10] = load_point(p + 170, When{column < columns});
  x[11] = load_point(p + 187, When{column < columns});
  x[12] = load_point(p + 204, When{column < columns});
  x[13] = load_point(p + 221, When{column < columns});
  x[14] = load_point(p + 238, When{column < columns});
  x[15] = load_point(p + 255, When{column < columns});
  x[16] = load_point(p + 272, When{column < columns});
  x[17] = load_point(p + 289, When{column < columns});
  x[18] = load_point(p + 306, When{column < columns});
  x[19] = load_point(p + 323, When{column < columns});
  x[20] = load_point(p + 340, When{column < columns});
  x[21] = load_point(p + 357, When{column < columns});
  x[22] = load_point(p + 374, When{column < columns});
  x[23] = load_point(p + 391, When{column < columns});
  x[24] = load_point(p + 408, When{column < columns});
  x[25] = load_point(p + 425, When{column < columns});
  x[26] = load_point(p + 442, When{column < columns});
  x[27] = load_point(p + 459, When{column < columns});
  x[28] = load_point(p + 476, When{column < columns});
  x[29] = load_point(p + 493, When{column < columns});
  x[30] = load_point(p + 510, When{column < columns});
}
DEVICE void dft31(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                  float2& v12, float2& v13, float2& v14, float2& v15, float2& v16, float2& v17,
                  float2& v18, float2& v19, float2& v20, float2& v21, float2& v22, float2& v23,
                  float2& v24, float2& v25, float2& v26, float2& v27, float2& v28, float2& v29,
                  float2& v30) {
  constexpr float c1 = 0x1.f584f2p-1f, z1 = 0x1.9c4266p-3f,
  c2 = 0x1.d681a4p-1f, z2 = 0x1.93d206p-2f, c3 = 0x1.a43b1cp-1f, z3 = 0x1.247d44p-1f,
  c4 = 0x1.60c046p-1f, z4 = 0x1.73180ap-1f, c5 = 0x1.0ed45ep-1f, z5 = 0x1.b2818p-1f,
  c6 = 0x1.63a3fcp-2f, z6 = 0x1.e0210cp-1f, c7 = 0x1.361fc4p-3f, z7 = 0x1.fa1886p-1f,
  c8 = -0x1.9eeb02p-5f, z8 = 0x1.ff57c6p-1f, c9 = -0x1.00ab0ep-2f, z9 = 0x1.efa7cep-1f,
  c10 = -0x1.c2f6bp-2f, z10 = 0x1.cbad0ap-1f, c11 = -0x1.3965f4p-1f, z11 = 0x1.94e08ep-1f,
  c12 = -0x1.847bf2p-1f, z12 = 0x1.4d80b2p-1f, c13 = -0x1.bfaa5cp-1f, z13 = 0x1.f0f3p-2f,
  c14 = -0x1.e884fp-1f, z14 = 0x1.328c4p-2f, c15 = -0x1.fd5f84p-1f, z15 = 0x1.9e62acp-4f;
  const float2 s1 = v1 + v30, d1 = v1 - v30; const float2 s2 = v2 + v29, d2 = v2 - v29;
  const float2 s3 = v3 + v28, d3 = v3 - v28; const float2 s4 = v4 + v27, d4 = v4 - v27;
  const float2 s5 = v5 + v26, d5 = v5 - v26; const float2 s6 = v6 + v25, d6 = v6 - v25;
  const float2 s7 = v7 + v24, d7 = v7 - v24; const float2 s8 = v8 + v23, d8 = v8 - v23;
  const float2 s9 = v9 + v22, d9 = v9 - v22; const float2 s10 = v10 + v21, d10 = v10 - v21;
  const float2 s11 = v11 + v20, d11 = v11 - v20; const float2 s12 = v12 + v19, d12 = v12 - v19;
  const float2 s13 = v13 + v18, d13 = v13 - v18; const float2 s14 = v14 + v17, d14 = v14 - v17;
  const float2 s15 = v15 + v16, d15 = v15 - v16;
  const float2 first = v0;
  v0 = (((v0 + s15) + (s14 + s13)) + ((s12 + s11) + (s10 + s9))) + (((s8 + s7) + (s6 + s5)) + ((s4 +
        s3) + (s2 + s1)));
  float2 e1 = multiply_add(s8, c8, first); e1 = multiply_add(s7, c7, e1);
  e1 = multiply_add(s9, c9, e1); e1 = multiply_add(s6, c6, e1); e1 = multiply_add(s10, c10, e1);
  e1 = multiply_add(s5, c5, e1); e1 = multiply_add(s11, c11, e1); e1 = multiply_add(s4, c4, e1);
  e1 = multiply_add(s12, c12, e1); e1 = multiply_add(s3, c3, e1); e1 = multiply_add(s13, c13, e1);
  e1 = multiply_add(s2, c2, e1); e1 = multiply_add(s14, c14, e1); e1 = multiply_add(s1, c1, e1);
  e1 = multiply_add(s15, c15, e1); float2 o1 = scaled(d15, z15); o1 = multiply_add(d1, z1, o1);
  o1 = multiply_add(d14, z14, o1); o1 = multiply_add(d2, z2, o1); o1 = multiply_add(d13, z13, o1);
  o1 = multiply_add(d3, z3, o1); o1 = multiply_add(d12, z12, o1); o1 = multiply_add(d4, z4, o1);
  o1 = multiply_add(d11, z11, o1); o1 = multiply_add(d5, z5, o1); o1 = multiply_add(d10, z10, o1);
  o1 = multiply_add(d6, z6, o1); o1 = multiply_add(d9, z9, o1); o1 = multiply_add(d7, z7, o1);
  o1 = multiply_add(d8, z8, o1); o1 = turned<-1>(o1);
  v1 = e1 + o1; v30 = e1 - o1;
  float2 e2 = multiply_add(s4, c8, first); e2 = multiply_add(s12, c7, e2);
  e2 = multiply_add(s11, c9, e2); e2 = multiply_add(s3, c6, e2); e2 = multiply_add(s5, c10, e2);
  e2 = multiply_add(s13, c5, e2); e2 = multiply_add(s10, c11, e2); e2 = multiply_add(s2, c4, e2);
  e2 = multiply_add(s6, c12, e2); e2 = multiply_add(s14, c3, e2); e2 = multiply_add(s9, c13, e2);
  e2 = multiply_add(s1, c2, e2); e2 = multiply_add(s7, c14, e2); e2 = multiply_add(s15, c1, e2);
  e2 = multiply_add(s8, c15, e2); float2 o2 = scaled(d8, -z15); o2 = multiply_add(d15, -z1, o2);
  o2 = multiply_add(d7, z14, o2); o2 = multiply_add(d1, z2, o2); o2 = multiply_add(d9, -z13, o2);
  o2 = multiply_add(d14, -z3, o2); o2 = multiply_add(d6, z12, o2); o2 = multiply_add(d2, z4, o2);
  o2 = multiply_add(d10, -z11, o2); o2 = multiply_add(d13, -z5, o2); o2 = multiply_add(d5, z10, o2);
  o2 = multiply_add(d3, z6, o2); o2 = multiply_add(d11, -z9, o2); o2 = multiply_add(d12, -z7, o2);
  o2 = multiply_add(d4, z8, o2); o2 = turned<-1>(o2);
  v2 = e2 + o2; v29 = e2 - o2;
  float2 e3 = multiply_add(s13, c8, first); e3 = multiply_add(s8, c7, e3);
  e3 = multiply_add(s3, c9, e3); e3 = multiply_add(s2, c6, e3); e3 = multiply_add(s7, c10, e3);
  e3 = multiply_add(s12, c5, e3); e3 = multiply_add(s14, c11, e3); e3 = multiply_add(s9, c4, e3);
  e3 = multiply_add(s4, c12, e3); e3 = multiply_add(s1, c3, e3); e3 = multiply_add(s6, c13, e3);
  e3 = multiply_add(s11, c2, e3); e3 = multiply_add(s15, c14, e3); e3 = multiply_add(s10, c1, e3);
  e3 = multiply_add(s5, c15, e3); float2 o3 = scaled(d5, z15); o3 = multiply_add(d10, -z1, o3);
  o3 = multiply_add(d15, z14, o3); o3 = multiply_add(d11, z2, o3); o3 = multiply_add(d6, -z13, o3);
  o3 = multiply_add(d1, z3, o3); o3 = multiply_add(d4, z12, o3); o3 = multiply_add(d9, -z4, o3);
  o3 = multiply_add(d14, z11, o3); o3 = multiply_add(d12, z5, o3); o3 = multiply_add(d7, -z10, o3);
  o3 = multiply_add(d2, z6, o3); o3 = multiply_add(d3, z9, o3); o3 = multiply_add(d8, -z7, o3);
  o3 = multiply_add(d13, z8, o3); o3 = turned<-1>(o3);
  v3 = e3 + o3; v28 = e3 - o3;
  float2 e4 = multiply_add(s2, c8, first); e4 = multiply_add(s6, c7, e4);
  e4 = multiply_add(s10, c9, e4); e4 = multiply_add(s14, c6, e4); e4 = multiply_add(s13, c10, e4);
  e4 = multiply_add(s9, c5, e4); e4 = multiply_add(s5, c11, e4); e4 = multiply_add(s1, c4, e4);
  e4 = multiply_add(s3, c12, e4); e4 = multiply_add(s7, c3, e4); e4 = multiply_add(s11, c13, e4);
  e4 = multiply_add(s15, c2, e4); e4 = multiply_add(s12, c14, e4); e4 = multiply_add(s8, c1, e4);
  e4 = multiply_add(s4, c15, e4); float2 o4 = scaled(d4, -z15); o4 = multiply_add(d8, z1, o4);
  o4 = multiply_add(d12, -z14, o4); o4 = multiply_add(d15, -z2, o4);
  o4 = multiply_add(d11, z13, o4); o4 = multiply_add(d7, -z3, o4); o4 = multiply_add(d3, z12, o4);
  o4 = multiply_add(d1, z4, o4); o4 = multiply_add(d5, -z11, o4); o4 = multiply_add(d9, z5, o4);
  o4 = multiply_add(d13, -z10, o4); o4 = multiply_add(d14, -z6, o4); o4 = multiply_add(d10, z9, o4);
  o4 = multiply_add(d6, -z7, o4); o4 = multiply_add(d2, z8, o4); o4 = turned<-1>(o4);
  v4 = e4 + o4; v27 = e4 - o4;
  float2 e5 = multiply_add(s14, c8, first); e5 = multiply_add(s11, c7, e5);
  e5 = multiply_add(s8, c9, e5); e5 = multiply_add(s5, c6, e5); e5 = multiply_add(s2, c10, e5);
  e5 = multiply_add(s1, c5, e5); e5 = multiply_add(s4, c11, e5); e5 = multiply_add(s7, c4, e5);
  e5 = multiply_add(s10, c12, e5); e5 = multiply_add(s13, c3, e5); e5 = multiply_add(s15, c13, e5);
  e5 = multiply_add(s12, c2, e5); e5 = multiply_add(s9, c14, e5); e5 = multiply_add(s6, c1, e5);
  e5 = multiply_add(s3, c15, e5); float2 o5 = scaled(d3, z15); o5 = multiply_add(d6, -z1, o5);
  o5 = multiply_add(d9, z14, o5); o5 = multiply_add(d12, -z2, o5); o5 = multiply_add(d15, z13, o5);
  o5 = multiply_add(d13, z3, o5); o5 = multiply_add(d10, -z12, o5); o5 = multiply_add(d7, z4, o5);
  o5 = multiply_add(d4, -z11, o5); o5 = multiply_add(d1, z5, o5); o5 = multiply_add(d2, z10, o5);
  o5 = multiply_add(d5, -z6, o5); o5 = multiply_add(d8, z9, o5); o5 = multiply_add(d11, -z7, o5);
  o5 = multiply_add(d14, z8, o5); o5 = turned<-1>(o5);
  v5 = e5 + o5; v26 = e5 - o5;
  float2 e6 = multiply_add(s9, c8, first); e6 = multiply_add(s4, c7, e6);
  e6 = multiply_add(s14, c9, e6); e6 = multiply_add(s1, c6, e6); e6 = multiply_add(s12, c10, e6);
  e6 = multiply_add(s6, c5, e6); e6 = multiply_add(s7, c11, e6); e6 = multiply_add(s11, c4, e6);
  e6 = multiply_add(s2, c12, e6); e6 = multiply_add(s15, c3, e6); e6 = multiply_add(s3, c13, e6);
  e6 = multiply_add(s10, c2, e6); e6 = multiply_add(s8, c14, e6); e6 = multiply_add(s5, c1, e6);
  e6 = multiply_add(s13, c15, e6); float2 o6 = scaled(d13, -z15); o6 = multiply_add(d5, -z1, o6);
  o6 = multiply_add(d8, -z14, o6); o6 = multiply_add(d10, -z2, o6); o6 = multiply_add(d3, -z13, o6);
  o6 = multiply_add(d15, -z3, o6); o6 = multiply_add(d2, z12, o6); o6 = multiply_add(d11, z4, o6);
  o6 = multiply_add(d7, z11, o6); o6 = multiply_add(d6, z5, o6); o6 = multiply_add(d12, z10, o6);
  o6 = multiply_add(d1, z6, o6); o6 = multiply_add(d14, -z9, o6); o6 = multiply_add(d4, -z7, o6);
  o6 = multiply_add(d9, -z8, o6); o6 = turned<-1>(o6);
  v6 = e6 + o6; v25 = e6 - o6;
  float2 e7 = multiply_add(s10, c8, first); e7 = multiply_add(s1, c7, e7);
  e7 = multiply_add(s12, c9, e7); e7 = multiply_add(s8, c6, e7); e7 = multiply_add(s3, c10, e7);
  e7 = multiply_add(s14, c5, e7); e7 = multiply_add(s6, c11, e7); e7 = multiply_add(s5, c4, e7);
  e7 = multiply_add(s15, c12, e7); e7 = multiply_add(s4, c3, e7); e7 = multiply_add(s7, c13, e7);
  e7 = multiply_add(s13, c2, e7); e7 = multiply_add(s2, c14, e7); e7 = multiply_add(s9, c1, e7);
  e7 = multiply_add(s11, c15, e7); float2 o7 = scaled(d11, z15); o7 = multiply_add(d9, z1, o7);
  o7 = multiply_add(d2, z14, o7); o7 = multiply_add(d13, -z2, o7); o7 = multiply_add(d7, -z13, o7);
  o7 = multiply_add(d4, -z3, o7); o7 = multiply_add(d15, z12, o7); o7 = multiply_add(d5, z4, o7);
  o7 = multiply_add(d6, z11, o7); o7 = multiply_add(d14, z5, o7); o7 = multiply_add(d3, -z10, o7);
  o7 = multiply_add(d8, -z6, o7); o7 = multiply_add(d12, -z9, o7); o7 = multiply_add(d1, z7, o7);
  o7 = multiply_add(d10, z8, o7); o7 = turned<-1>(o7);
  v7 = e7 + o7; v24 = e7 - o7;
  float2 e8 = multiply_add(s1, c8, first); e8 = multiply_add(s3, c7, e8);
  e8 = multiply_add(s5, c9, e8); e8 = multiply_add(s7, c6, e8); e8 = multiply_add(s9, c10, e8);
  e8 = multiply_add(s11, c5, e8); e8 = multiply_add(s13, c11, e8); e8 = multiply_add(s15, c4, e8);
  e8 = multiply_add(s14, c12, e8); e8 = multiply_add(s12, c3, e8); e8 = multiply_add(s10, c13, e8);
  e8 = multiply_add(s8, c2, e8); e8 = multiply_add(s6, c14, e8); e8 = multiply_add(s4, c1, e8);
  e8 = multiply_add(s2, c15, e8); float2 o8 = scaled(d2, -z15); o8 = multiply_add(d4, z1, o8);
  o8 = multiply_add(d6, -z14, o8); o8 = multiply_add(d8, z2, o8); o8 = multiply_add(d10, -z13, o8);
  o8 = multiply_add(d12, z3, o8); o8 = multiply_add(d14, -z12, o8); o8 = multiply_add(d15, -z4, o8);
  o8 = multiply_add(d13, z11, o8); o8 = multiply_add(d11, -z5, o8); o8 = multiply_add(d9, z10, o8);
  o8 = multiply_add(d7, -z6, o8); o8 = multiply_add(d5, z9, o8); o8 = multiply_add(d3, -z7, o8);
  o8 = multiply_add(d1, z8, o8); o8 = turned<-1>(o8);
  v8 = e8 + o8; v23 = e8 - o8;
  float2 e9 = multiply_add(s6, c8, first); e9 = multiply_add(s13, c7, e9);
  e9 = multiply_add(s1, c9, e9); e9 = multiply_add(s11, c6, e9); e9 = multiply_add(s8, c10, e9);
  e9 = multiply_add(s4, c5, e9); e9 = multiply_add(s15, c11, e9); e9 = multiply_add(s3, c4, e9);
  e9 = multiply_add(s9, c12, e9); e9 = multiply_add(s10, c3, e9); e9 = multiply_add(s2, c13, e9);
  e9 = multiply_add(s14, c2, e9); e9 = multiply_add(s5, c14, e9); e9 = multiply_add(s7, c1, e9);
  e9 = multiply_add(s12, c15, e9); float2 o9 = scaled(d12, z15); o9 = multiply_add(d7, z1, o9);
  o9 = multiply_add(d5, z14, o9); o9 = multiply_add(d14, z2, o9); o9 = multiply_add(d2, -z13, o9);
  o9 = multiply_add(d10, -z3, o9); o9 = multiply_add(d9, -z12, o9); o9 = multiply_add(d3, -z4, o9);
  o9 = multiply_add(d15, z11, o9); o9 = multiply_add(d4, z5, o9); o9 = multiply_add(d8, z10, o9);
  o9 = multiply_add(d11, z6, o9); o9 = multiply_add(d1, z9, o9); o9 = multiply_add(d13, -z7, o9);
  o9 = multiply_add(d6, -z8, o9); o9 = turned<-1>(o9);
  v9 = e9 + o9; v22 = e9 - o9;
  float2 e10 = multiply_add(s7, c8, first); e10 = multiply_add(s10, c7, e10);
  e10 = multiply_add(s4, c9, e10); e10 = multiply_add(s13, c6, e10);
  e10 = multiply_add(s1, c10, e10); e10 = multiply_add(s15, c5, e10);
  e10 = multiply_add(s2, c11, e10); e10 = multiply_add(s12, c4, e10);
  e10 = multiply_add(s5, c12, e10); e10 = multiply_add(s9, c3, e10);
  e10 = multiply_add(s8, c13, e10); e10 = multiply_add(s6, c2, e10);
  e10 = multiply_add(s11, c14, e10); e10 = multiply_add(s3, c1, e10);
  e10 = multiply_add(s14, c15, e10); float2 o10 = scaled(d14, -z15);
  o10 = multiply_add(d3, -z1, o10); o10 = multiply_add(d11, -z14, o10);
  o10 = multiply_add(d6, -z2, o10); o10 = multiply_add(d8, -z13, o10);
  o10 = multiply_add(d9, -z3, o10); o10 = multiply_add(d5, -z12, o10);
  o10 = multiply_add(d12, -z4, o10); o10 = multiply_add(d2, -z11, o10);
  o10 = multiply_add(d15, -z5, o10); o10 = multiply_add(d1, z10, o10);
  o10 = multiply_add(d13, z6, o10); o10 = multiply_add(d4, z9, o10);
  o10 = multiply_add(d10, z7, o10); o10 = multiply_add(d7, z8, o10); o10 = turned<-1>(o10);
  v10 = e10 + o10; v21 = e10 - o10;
  float2 e11 = multiply_add(s12, c8, first); e11 = multiply_add(s5, c7, e11);
  e11 = multiply_add(s2, c9, e11); e11 = multiply_add(s9, c6, e11);
  e11 = multiply_add(s15, c10, e11); e11 = multiply_add(s8, c5, e11);
  e11 = multiply_add(s1, c11, e11); e11 = multiply_add(s6, c4, e11);
  e11 = multiply_add(s13, c12, e11); e11 = multiply_add(s11, c3, e11);
  e11 = multiply_add(s4, c13, e11); e11 = multiply_add(s3, c2, e11);
  e11 = multiply_add(s10, c14, e11); e11 = multiply_add(s14, c1, e11);
  e11 = multiply_add(s7, c15, e11); float2 o11 = scaled(d7, z15); o11 = multiply_add(d14, -z1, o11);
  o11 = multiply_add(d10, -z14, o11); o11 = multiply_add(d3, z2, o11);
  o11 = multiply_add(d4, z13, o11); o11 = multiply_add(d11, -z3, o11);
  o11 = multiply_add(d13, -z12, o11); o11 = multiply_add(d6, z4, o11);
  o11 = multiply_add(d1, z11, o11); o11 = multiply_add(d8, -z5, o11);
  o11 = multiply_add(d15, z10, o11); o11 = multiply_add(d9, z6, o11);
  o11 = multiply_add(d2, -z9, o11); o11 = multiply_add(d5, -z7, o11);
  o11 = multiply_add(d12, z8, o11); o11 = turned<-1>(o11);
  v11 = e11 + o11; v20 = e11 - o11;
  float2 e12 = multiply_add(s11, c8, first); e12 = multiply_add(s2, c7, e12);
  e12 = multiply_add(s7, c9, e12); e12 = multiply_add(s15, c6, e12);
  e12 = multiply_add(s6, c10, e12); e12 = multiply_add(s3, c5, e12);
  e12 = multiply_add(s12, c11, e12); e12 = multiply_add(s10, c4, e12);
  e12 = multiply_add(s1, c12, e12); e12 = multiply_add(s8, c3, e12);
  e12 = multiply_add(s14, c13, e12); e12 = multiply_add(s5, c2, e12);
  e12 = multiply_add(s4, c14, e12); e12 = multiply_add(s13, c1, e12);
  e12 = multiply_add(s9, c15, e12); float2 o12 = scaled(d9, z15); o12 = multiply_add(d13, z1, o12);
  o12 = multiply_add(d4, -z14, o12); o12 = multiply_add(d5, -z2, o12);
  o12 = multiply_add(d14, z13, o12); o12 = multiply_add(d8, z3, o12);
  o12 = multiply_add(d1, z12, o12); o12 = multiply_add(d10, -z4, o12);
  o12 = multiply_add(d12, -z11, o12); o12 = multiply_add(d3, z5, o12);
  o12 = multiply_add(d6, z10, o12); o12 = multiply_add(d15, -z6, o12);
  o12 = multiply_add(d7, -z9, o12); o12 = multiply_add(d2, -z7, o12);
  o12 = multiply_add(d11, z8, o12); o12 = turned<-1>(o12);
  v12 = e12 + o12; v19 = e12 - o12;
  float2 e13 = multiply_add(s3, c8, first); e13 = multiply_add(s9, c7, e13);
  e13 = multiply_add(s15, c9, e13); e13 = multiply_add(s10, c6, e13);
  e13 = multiply_add(s4, c10, e13); e13 = multiply_add(s2, c5, e13);
  e13 = multiply_add(s8, c11, e13); e13 = multiply_add(s14, c4, e13);
  e13 = multiply_add(s11, c12, e13); e13 = multiply_add(s5, c3, e13);
  e13 = multiply_add(s1, c13, e13); e13 = multiply_add(s7, c2, e13);
  e13 = multiply_add(s13, c14, e13); e13 = multiply_add(s12, c1, e13);
  e13 = multiply_add(s6, c15, e13); float2 o13 = scaled(d6, -z15); o13 = multiply_add(d12, z1, o13);
  o13 = multiply_add(d13, z14, o13); o13 = multiply_add(d7, -z2, o13);
  o13 = multiply_add(d1, z13, o13); o13 = multiply_add(d5, z3, o13);
  o13 = multiply_add(d11, -z12, o13); o13 = multiply_add(d14, -z4, o13);
  o13 = multiply_add(d8, z11, o13); o13 = multiply_add(d2, -z5, o13);
  o13 = multiply_add(d4, -z10, o13); o13 = multiply_add(d10, z6, o13);
  o13 = multiply_add(d15, z9, o13); o13 = multiply_add(d9, -z7, o13);
  o13 = multiply_add(d3, z8, o13); o13 = turned<-1>(o13);
  v13 = e13 + o13; v18 = e13 - o13;
  float2 e14 = multiply_add(s5, c8, first); e14 = multiply_add(s15, c7, e14);
  e14 = multiply_add(s6, c9, e14); e14 = multiply_add(s4, c6, e14);
  e14 = multiply_add(s14, c10, e14); e14 = multiply_add(s7, c5, e14);
  e14 = multiply_add(s3, c11, e14); e14 = multiply_add(s13, c4, e14);
  e14 = multiply_add(s8, c12, e14); e14 = multiply_add(s2, c3, e14);
  e14 = multiply_add(s12, c13, e14); e14 = multiply_add(s9, c2, e14);
  e14 = multiply_add(s1, c14, e14); e14 = multiply_add(s11, c1, e14);
  e14 = multiply_add(s10, c15, e14); float2 o14 = scaled(d10, -z15);
  o14 = multiply_add(d11, -z1, o14); o14 = multiply_add(d1, z14, o14);
  o14 = multiply_add(d9, z2, o14); o14 = multiply_add(d12, z13, o14);
  o14 = multiply_add(d2, -z3, o14); o14 = multiply_add(d8, -z12, o14);
  o14 = multiply_add(d13, -z4, o14); o14 = multiply_add(d3, z11, o14);
  o14 = multiply_add(d7, z5, o14); o14 = multiply_add(d14, z10, o14);
  o14 = multiply_add(d4, -z6, o14); o14 = multiply_add(d6, -z9, o14);
  o14 = multiply_add(d15, -z7, o14); o14 = multiply_add(d5, z8, o14); o14 = turned<-1>(o14);
  v14 = e14 + o14; v17 = e14 - o14;
  float2 e15 = multiply_add(s15, c8, first); e15 = multiply_add(s14, c7, e15);
  e15 = multiply_add(s13, c9, e15); e15 = multiply_add(s12, c6, e15);
  e15 = multiply_add(s11, c10, e15); e15 = multiply_add(s10, c5, e15);
  e15 = multiply_add(s9, c11, e15); e15 = multiply_add(s8, c4, e15);
  e15 = multiply_add(s7, c12, e15); e15 = multiply_add(s6, c3, e15);
  e15 = multiply_add(s5, c13, e15); e15 = multiply_add(s4, c2, e15);
  e15 = multiply_add(s3, c14, e15); e15 = multiply_add(s2, c1, e15);
  e15 = multiply_add(s1, c15, e15); float2 o15 = scaled(d1, z15); o15 = multiply_add(d2, -z1, o15);
  o15 = multiply_add(d3, z14, o15); o15 = multiply_add(d4, -z2, o15);
  o15 = multiply_add(d5, z13, o15); o15 = multiply_add(d6, -z3, o15);
  o15 = multiply_add(d7, z12, o15); o15 = multiply_add(d8, -z4, o15);
  o15 = multiply_add(d9, z11, o15); o15 = multiply_add(d10, -z5, o15);
  o15 = multiply_add(d11, z10, o15); o15 = multiply_add(d12, -z6, o15);
  o15 = multiply_add(d13, z9, o15); o15 = multiply_add(d14, -z7, o15);
  o15 = multiply_add(d15, z8, o15); o15 = turned<-1>(o15);
  v15 = e15 + o15; v16 = e15 - o15;
}
DEVICE void step_1(Points& x) {
  dft31(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
        x[14], x[15], x[16], x[17], x[18], x[19], x[20], x[21], x[22], x[23], x[24], x[25], x[26],
        x[27], x[28], x[29], x[30]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  const Factors w1 = factors_of(load_table(f + 17));
  const Factors w2 = factors_of(load_table(f + 34));
  const Factors w3 = factors_of(load_table(f + 51));
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
  x[14] = complex_product(x[14], complex_product(square0, w1.second));
  x[15] = complex_product(x[15], complex_product(cube0, w1.second));
  x[16] = complex_product(x[16], w2.first);
  x[17] = complex_product(x[17], complex_product(w0.first, w2.first));
  x[18] = complex_product(x[18], complex_product(square0, w2.first));
  x[19] = complex_product(x[19], complex_product(cube0, w2.first));
  x[20] = complex_product(x[20], w2.second);
  x[21] = complex_product(x[21], complex_product(w0.first, w2.second));
  x[22] = complex_product(x[22], complex_product(square0, w2.second));
  x[23] = complex_product(x[23], complex_product(cube0, w2.second));
  x[24] = complex_product(x[24], w3.first);
  x[25] = complex_product(x[25], complex_product(w0.first, w3.first));
  x[26] = complex_product(x[26], complex_product(square0, w3.first));
  x[27] = complex_product(x[27], complex_product(cube0, w3.first));
  x[28] = complex_product(x[28], w3.second);
  x[29] = complex_product(x[29], complex_product(w0.first, w3.second));
  x[30] = complex_product(x[30], complex_product(square0, w3.second));
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 17, x[1]);
  store_shared(shared_point(place) + 34, x[2]);
  store_shared(shared_point(place) + 51, x[3]);
  store_shared(shared_point(place) + 68, x[4]);
  store_shared(shared_point(place) + 85, x[5]);
  store_shared(shared_point(place) + 102, x[6]);
  store_shared(shared_point(place) + 119, x[7]);
  store_shared(shared_point(place) + 136, x[8]);
  store_shared(shared_point(place) + 153, x[9]);
  store_shared(shared_point(place) + 170, x[10]);
  store_shared(shared_point(place) + 187, x[11]);
  store_shared(shared_point(place) + 204, x[12]);
  store_shared(shared_point(place) + 221, x[13]);
  store_shared(shared_point(place) + 238, x[14]);
  store_shared(shared_point(place) + 255, x[15]);
  store_shared(shared_point(place) + 272, x[16]);
  store_shared(shared_point(place) + 289, x[17]);
  store_shared(shared_point(place) + 306, x[18]);
  store_shared(shared_point(place) + 323, x[19]);
  store_shared(shared_point(place) + 340, x[20]);
  store_shared(shared_point(place) + 357, x[21]);
  store_shared(shared_point(place) + 374, x[22]);
  store_shared(shared_point(place) + 391, x[23]);
  store_shared(shared_point(place) + 408, x[24]);
  store_shared(shared_point(place) + 425, x[25]);
  store_shared(shared_point(place) + 442, x[26]);
  store_shared(shared_point(place) + 459, x[27]);
  store_shared(shared_point(place) + 476, x[28]);
  store_shared(shared_point(place) + 493, x[29]);
  store_shared(shared_point(place) + 510, x[30]);
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
  x[9] = load_shared(shared_point(place) + 9);
  x[10] = load_shared(shared_point(place) + 10);
  x[11] = load_shared(shared_point(place) + 11);
  x[12] = load_shared(shared_point(place) + 12);
  x[13] = load_shared(shared_point(place) + 13);
  x[14] = load_shared(shared_point(place) + 14);
  x[15] = load_shared(shared_point(place) + 15);
  x[16] = load_shared(shared_point(place) + 16);
}
DEVICE void dft17(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                  float2& v12, float2& v13, float2& v14, float2& v15, float2& v16) {
  constexpr float c1 = 0x1.dd6dp-1f, z1 = 0x1.71e956p-2f, c2 = 0x1.7a5f6p-1f, z2 = 0x1.58eea2p-1f,
  c3 = 0x1.c86fa2p-2f, z3 = 0x1.ca52d8p-1f, c4 = 0x1.79ee64p-4f, z4 = 0x1.fdd0dep-1f,
  c5 = -0x1.183b1cp-2f, z5 = 0x1.ec746ap-1f, c6 = -0x1.348c86p-1f, z6 = 0x1.9895b6p-1f,
  c7 = -0x1.b34faap-1f, z7 = 0x1.0d8884p-1f, c8 = -0x1.f7484p-1f, z8 = 0x1.7851aap-3f;
  const float2 s1 = v1 + v16, d1 = v1 - v16; const float2 s2 = v2 + v15, d2 = v2 - v15;
  const float2 s3 = v3 + v14, d3 = v3 - v14; const float2 s4 = v4 + v13, d4 = v4 - v13;
  const float2 s5 = v5 + v12, d5 = v5 - v12; const float2 s6 = v6 + v11, d6 = v6 - v11;
  const float2 s7 = v7 + v10, d7 = v7 - v10; const float2 s8 = v8 + v9, d8 = v8 - v9;
  const float2 first = v0;
  v0 = (((v0 + s8) + s7) + (s6 + s5)) + ((s4 + s3) + (s2 + s1));
  float2 e1 = multiply_add(s4, c4, first); e1 = multiply_add(s5, c5, e1);
  e1 = multiply_add(s3, c3, e1); e1 = multiply_add(s6, c6, e1); e1 = multiply_add(s2, c2, e1);
  e1 = multiply_add(s7, c7, e1); e1 = multiply_add(s1, c1, e1); e1 = multiply_add(s8, c8, e1);
  float2 o1 = scaled(d8, z8); o1 = multiply_add(d1, z1, o1); o1 = multiply_add(d7, z7, o1);
  o1 = multiply_add(d2, z2, o1); o1 = multiply_add(d6, z6, o1); o1 = multiply_add(d3, z3, o1);
  o1 = multiply_add(d5, z5, o1); o1 = multiply_add(d4, z4, o1); o1 = turned<-1>(o1);
  v1 = e1 + o1; v16 = e1 - o1;
  float2 e2 = multiply_add(s2, c4, first); e2 = multiply_add(s6, c5, e2);
  e2 = multiply_add(s7, c3, e2); e2 = multiply_add(s3, c6, e2); e2 = multiply_add(s1, c2, e2);
  e2 = multiply_add(s5, c7, e2); e2 = multiply_add(s8, c1, e2); e2 = multiply_add(s4, c8, e2);
  float2 o2 = scaled(d4, z8); o2 = multiply_add(d8, -z1, o2); o2 = multiply_add(d5, -z7, o2);
  o2 = multiply_add(d1, z2, o2); o2 = multiply_add(d3, z6, o2); o2 = multiply_add(d7, -z3, o2);
  o2 = multiply_add(d6, -z5, o2); o2 = multiply_add(d2, z4, o2); o2 = turned<-1>(o2);
  v2 = e2 + o2; v15 = e2 - o2;
  float2 e3 = multiply_add(s7, c4, first); e3 = multiply_add(s4, c5, e3);
  e3 = multiply_add(s1, c3, e3); e3 = multiply_add(s2, c6, e3); e3 = multiply_add(s5, c2, e3);
  e3 = multiply_add(s8, c7, e3); e3 = multiply_add(s6, c1, e3); e3 = multiply_add(s3, c8, e3);
  float2 o3 = scaled(d3, -z8); o3 = multiply_add(d6, z1, o3); o3 = multiply_add(d8, z7, o3);
  o3 = multiply_add(d5, -z2, o3); o3 = multiply_add(d2, z6, o3); o3 = multiply_add(d1, z3, o3);
  o3 = multiply_add(d4, -z5, o3); o3 = multiply_add(d7, z4, o3); o3 = turned<-1>(o3);
  v3 = e3 + o3; v14 = e3 - o3;
  float2 e4 = multiply_add(s1, c4, first); e4 = multiply_add(s3, c5, e4);
  e4 = multiply_add(s5, c3, e4); e4 = multiply_add(s7, c6, e4); e4 = multiply_add(s8, c2, e4);
  e4 = multiply_add(s6, c7, e4); e4 = multiply_add(s4, c1, e4); e4 = multiply_add(s2, c8, e4);
  float2 o4 = scaled(d2, z8); o4 = multiply_add(d4, -z1, o4); o4 = multiply_add(d6, z7, o4);
  o4 = multiply_add(d8, -z2, o4); o4 = multiply_add(d7, -z6, o4); o4 = multiply_add(d5, z3, o4);
  o4 = multiply_add(d3, -z5, o4); o4 = multiply_add(d1, z4, o4); o4 = turned<-1>(o4);
  v4 = e4 + o4; v13 = e4 - o4;
  float2 e5 = multiply_add(s6, c4, first); e5 = multiply_add(s1, c5, e5);
  e5 = multiply_add(s4, c3, e5); e5 = multiply_add(s8, c6, e5); e5 = multiply_add(s3, c2, e5);
  e5 = multiply_add(s2, c7, e5); e5 = multiply_add(s7, c1, e5); e5 = multiply_add(s5, c8, e5);
  float2 o5 = scaled(d5, z8); o5 = multiply_add(d7, z1, o5); o5 = multiply_add(d2, -z7, o5);
  o5 = multiply_add(d3, -z2, o5); o5 = multiply_add(d8, z6, o5); o5 = multiply_add(d4, z3, o5);
  o5 = multiply_add(d1, z5, o5); o5 = multiply_add(d6, -z4, o5); o5 = turned<-1>(o5);
  v5 = e5 + o5; v12 = e5 - o5;
  float2 e6 = multiply_add(s5, c4, first); e6 = multiply_add(s2, c5, e6);
  e6 = multiply_add(s8, c3, e6); e6 = multiply_add(s1, c6, e6); e6 = multiply_add(s6, c2, e6);
  e6 = multiply_add(s4, c7, e6); e6 = multiply_add(s3, c1, e6); e6 = multiply_add(s7, c8, e6);
  float2 o6 = scaled(d7, z8); o6 = multiply_add(d3, z1, o6); o6 = multiply_add(d4, z7, o6);
  o6 = multiply_add(d6, z2, o6); o6 = multiply_add(d1, z6, o6); o6 = multiply_add(d8, -z3, o6);
  o6 = multiply_add(d2, -z5, o6); o6 = multiply_add(d5, -z4, o6); o6 = turned<-1>(o6);
  v6 = e6 + o6; v11 = e6 - o6;
  float2 e7 = multiply_add(s3, c4, first); e7 = multiply_add(s8, c5, e7);
  e7 = multiply_add(s2, c3, e7); e7 = multiply_add(s4, c6, e7); e7 = multiply_add(s7, c2, e7);
  e7 = multiply_add(s1, c7, e7); e7 = multiply_add(s5, c1, e7); e7 = multiply_add(s6, c8, e7);
  float2 o7 = scaled(d6, z8); o7 = multiply_add(d5, z1, o7); o7 = multiply_add(d1, z7, o7);
  o7 = multiply_add(d7, -z2, o7); o7 = multiply_add(d4, -z6, o7); o7 = multiply_add(d2, -z3, o7);
  o7 = multiply_add(d8, z5, o7); o7 = multiply_add(d3, z4, o7); o7 = turned<-1>(o7);
  v7 = e7 + o7; v10 = e7 - o7;
  float2 e8 = multiply_add(s8, c4, first); e8 = multiply_add(s7, c5, e8);
  e8 = multiply_add(s6, c3, e8); e8 = multiply_add(s5, c6, e8); e8 = multiply_add(s4, c2, e8);
  e8 = multiply_add(s3, c7, e8); e8 = multiply_add(s2, c1, e8); e8 = multiply_add(s1, c8, e8);
  float2 o8 = scaled(d1, z8); o8 = multiply_add(d2, -z1, o8); o8 = multiply_add(d3, z7, o8);
  o8 = multiply_add(d4, -z2, o8); o8 = multiply_add(d5, z6, o8); o8 = multiply_add(d6, -z3, o8);
  o8 = multiply_add(d7, z5, o8); o8 = multiply_add(d8, -z4, o8); o8 = turned<-1>(o8);
  v8 = e8 + o8; v9 = e8 - o8;
}
DEVICE void step_2(Points& x) {
  dft17(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
        x[14], x[15], x[16]);
}
DEVICE void store(Points& x, float2* p, unsigned own, unsigned end) {
  store_point(p, x[0], When{own < end});
  store_point(p + 31, x[1], When{own + 1 < end});
  store_point(p + 62, x[2], When{own + 2 < end});
  store_point(p + 93, x[3], When{own + 3 < end});
  store_point(p + 124, x[4], When{own + 4 < end});
  store_point(p + 155, x[5], When{own + 5 < end});
  store_point(p + 186, x[6], When{own + 6 < end});
  store_point(p + 217, x[7], When{own + 7 < end});
  store_point(p + 248, x[8], When{own + 8 < end});
  store_point(p + 279, x[9], When{own + 9 < end});
  store_point(p + 310, x[10], When{own + 10 < end});
  store_point(p + 341, x[11], When{own + 11 < end});
  store_point(p + 372, x[12], When{own + 12 < end});
  store_point(p + 403, x[13], When{own + 13 < end});
  store_point(p + 434, x[14], When{own + 14 < end});
  store_point(p + 465, x[15], When{own + 15 < end});
  store_point(p + 496, x[16], When{own + 16 < end});
}

// ===== the kernel =====
// One block transforms 1581 points: 3 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(96, 5)
sonoma_c2c_f32_n527_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 3ull * block_index();  // the first one
  in += transform * 527ull, out += transform * 527ull;
  const unsigned columns = at_most(batch - transform, 3);
  Points x;

  if (thread < 51) {  // no points for the others
    // Load: registers t1 | threads t2 b
    load(x, in + (thread % 17 + thread / 17 * 527), thread / 17, columns);

    // Step 1: radix 31 over t1, butterflies in registers
    step_1(x);
    twiddle_1(x, tables + thread % 17);

    // Exchange: from registers k1 | threads t2 b
    write_1(x, thread % 17 + thread / 17 * 529);
  }
  block_barrier();

  if (thread < 93) {  // no points for the others
    // To registers t2 | threads k1 b
    read_1(x, thread % 31 * 17 + thread / 31 * 529);

    // Step 2: radix 17 over t2, butterflies in registers
    step_2(x);

    // Store: registers k2 | threads k1 b
    store(x, out + (thread % 31 + thread / 31 * 527), (thread / 31) * 17u, columns * 17u);
  }
}
