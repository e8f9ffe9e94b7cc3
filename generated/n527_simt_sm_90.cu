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
// |error|_2 / |result|_2 <= 2.56606e-06 (bound); of random input 1.17596e-07.
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
  constexpr float ca1 = 0x1.3cb91ap-1f, ca2 = -0x1.7e8f1p-4f, ca3 = -0x1.65df2ep-2f,
  ca4 = 0x1.37b0bp-4f, ca5 = -0x1.ac861ap-2f, cb1 = 0x1.7197bp-3f, cb2 = 0x1.0329c2p-1f,
  cb3 = 0x1.2b9558p-1f, cb4 = 0x1.39ca3p-2f, cb5 = -0x1.6f25dep-5f, cb6 = -0x1.15ce38p-3f,
  cb7 = 0x1.348ed8p-5f, cb8 = 0x1.78a8bap-3f, cb9 = 0x1.57b618p-4f, cb10 = -0x1.6352ecp-3f,
  cb11 = -0x1.605c0ap-2f, cb12 = -0x1.54aa1p-2f, cb13 = -0x1.0cbac6p-2f, cb14 = -0x1.1241e4p-2f,
  cb15 = -0x1.4a6fecp-2f, za1 = 0x1.325af2p-5f, za2 = 0x1.b571cep-3f, za3 = 0x1.8b2cbcp-2f,
  za4 = 0x1.3aep-2f, za5 = 0x1.82c1e6p-1f, zb1 = 0x1.4fabaap-4f, zb2 = 0x1.72323ep-4f,
  zb3 = 0x1.7b9b9ap-4f, zb4 = 0x1.ab5014p-3f, zb5 = 0x1.9f5bdp-2f, zb6 = 0x1.f346bcp-2f,
  zb7 = 0x1.5ca884p-2f, zb8 = 0x1.f2577cp-4f, zb9 = 0x1.b3979ep-4f, zb10 = 0x1.5e5096p-2f,
  zb11 = 0x1.192848p-1f, zb12 = 0x1.badd26p-2f, zb13 = 0x1.97190ep-5f, zb14 = -0x1.d2f78ep-3f,
  zb15 = -0x1.23941p-3f;
  const float2 s1 = v1 + v30, d1 = v1 - v30; const float2 s2 = v2 + v29, d2 = v2 - v29;
  const float2 s3 = v3 + v28, d3 = v3 - v28; const float2 s4 = v4 + v27, d4 = v4 - v27;
  const float2 s5 = v5 + v26, d5 = v5 - v26; const float2 s6 = v6 + v25, d6 = v25 - v6;
  const float2 s7 = v7 + v24, d7 = v7 - v24; const float2 s8 = v8 + v23, d8 = v8 - v23;
  const float2 s9 = v9 + v22, d9 = v9 - v22; const float2 s10 = v10 + v21, d10 = v10 - v21;
  const float2 s11 = v11 + v20, d11 = v20 - v11; const float2 s12 = v12 + v19, d12 = v19 - v12;
  const float2 s13 = v13 + v18, d13 = v13 - v18; const float2 s14 = v14 + v17, d14 = v14 - v17;
  const float2 s15 = v15 + v16, d15 = v15 - v16;
  // s of j, 5 j and 25 j modulo 31: their sum sa, and what two are above the third, sb and sc
  const float2 sa1 = s1 + s5 + s6, sb1 = s1 - s6, sc1 = s5 - s6;
  const float2 sa2 = s2 + s10 + s12, sb2 = s2 - s12, sc2 = s10 - s12;
  const float2 sa3 = s3 + s15 + s13, sb3 = s3 - s13, sc3 = s15 - s13;
  const float2 sa4 = s4 + s11 + s7, sb4 = s4 - s7, sc4 = s11 - s7;
  const float2 sa5 = s8 + s9 + s14, sb5 = s8 - s14, sc5 = s9 - s14;
  // d of j, 5 j and 25 j modulo 31: their sum da, and what two are above the third, db and dc
  const float2 da1 = d1 + d5 + d6, db1 = d1 - d6, dc1 = d5 - d6;
  const float2 da2 = d2 + d10 + d12, db2 = d2 - d12, dc2 = d10 - d12;
  const float2 da3 = d3 + d15 + d13, db3 = d3 - d13, dc3 = d15 - d13;
  const float2 da4 = d4 + d11 + d7, db4 = d4 - d7, dc4 = d11 - d7;
  const float2 da5 = d8 + d9 + d14, db5 = d8 - d14, dc5 = d9 - d14;
  const float2 first = v0;
  v0 = ((v0 + sa5) + sa4) + ((sa3 + sa2) + sa1);
  float2 ea1 = multiply_add(sa4, ca4, first); ea1 = multiply_add(sa2, ca2, ea1);
  ea1 = multiply_add(sa3, ca3, ea1); ea1 = multiply_add(sa5, ca5, ea1);
  ea1 = multiply_add(sa1, ca1, ea1);
  float2 eb1 = scaled(sc1, cb5); eb1 = multiply_add(sc5, cb9, eb1);
  eb1 = multiply_add(sc2, cb10, eb1); eb1 = multiply_add(sb1, cb1, eb1);
  eb1 = multiply_add(sb5, cb8, eb1); eb1 = multiply_add(sb4, cb4, eb1);
  eb1 = multiply_add(sc3, cb15, eb1); eb1 = multiply_add(sc4, cb11, eb1);
  eb1 = multiply_add(sb2, cb2, eb1); eb1 = multiply_add(sb3, cb3, eb1);
  float2 ec1 = scaled(sb4, cb7); ec1 = multiply_add(sb1, cb6, ec1);
  ec1 = multiply_add(sc1, cb1, ec1); ec1 = multiply_add(sc5, cb8, ec1);
  ec1 = multiply_add(sb3, cb13, ec1); ec1 = multiply_add(sb5, cb14, ec1);
  ec1 = multiply_add(sc4, cb4, ec1); ec1 = multiply_add(sb2, cb12, ec1);
  ec1 = multiply_add(sc2, cb2, ec1); ec1 = multiply_add(sc3, cb3, ec1);
  float2 e1 = multiply_add(eb1, 2, ea1); float2 e6 = multiply_add(ec1, 2, ea1);
  float2 e5 = multiply_add(eb1 + ec1, -2, ea1);
  float2 oa1 = scaled(da1, za1); oa1 = multiply_add(da2, za2, oa1);
  oa1 = multiply_add(da4, za4, oa1); oa1 = multiply_add(da3, za3, oa1);
  oa1 = multiply_add(da5, za5, oa1);
  float2 ob1 = scaled(db1, zb1); ob1 = multiply_add(db2, zb2, ob1);
  ob1 = multiply_add(db3, zb3, ob1); ob1 = multiply_add(dc5, zb9, ob1);
  ob1 = multiply_add(db5, zb8, ob1); ob1 = multiply_add(dc3, zb15, ob1);
  ob1 = multiply_add(db4, zb4, ob1); ob1 = multiply_add(dc2, zb10, ob1);
  ob1 = multiply_add(dc1, zb5, ob1); ob1 = multiply_add(dc4, -zb11, ob1);
  float2 oc1 = scaled(db3, zb13); oc1 = multiply_add(dc1, zb1, oc1);
  oc1 = multiply_add(dc2, zb2, oc1); oc1 = multiply_add(dc3, zb3, oc1);
  oc1 = multiply_add(dc5, zb8, oc1); oc1 = multiply_add(dc4, zb4, oc1);
  oc1 = multiply_add(db5, zb14, oc1); oc1 = multiply_add(db4, zb7, oc1);
  oc1 = multiply_add(db2, -zb12, oc1); oc1 = multiply_add(db1, -zb6, oc1);
  float2 o1 = multiply_add(ob1, 2, oa1); float2 o6 = multiply_add(oc1, 2, oa1);
  float2 o5 = multiply_add(ob1 + oc1, -2, oa1);
  o1 = turned<-1>(o1);
  v1 = e1 + o1; v30 = e1 - o1;
  o5 = turned<-1>(o5);
  v5 = e5 + o5; v26 = e5 - o5;
  o6 = turned<-1>(o6);
  v6 = e6 - o6; v25 = e6 + o6;
  float2 ea2 = multiply_add(sa2, ca4, first); ea2 = multiply_add(sa1, ca2, ea2);
  ea2 = multiply_add(sa5, ca3, ea2); ea2 = multiply_add(sa4, ca5, ea2);
  ea2 = multiply_add(sa3, ca1, ea2);
  float2 eb2 = scaled(sc4, cb9); eb2 = multiply_add(sb3, cb6, eb2);
  eb2 = multiply_add(sc1, cb10, eb2); eb2 = multiply_add(sc3, cb1, eb2);
  eb2 = multiply_add(sb4, cb8, eb2); eb2 = multiply_add(sc5, cb13, eb2);
  eb2 = multiply_add(sb2, cb4, eb2); eb2 = multiply_add(sb5, cb15, eb2);
  eb2 = multiply_add(sc2, cb11, eb2); eb2 = multiply_add(sb1, cb2, eb2);
  float2 ec2 = scaled(sb2, cb7); ec2 = multiply_add(sb3, cb5, ec2);
  ec2 = multiply_add(sc3, cb6, ec2); ec2 = multiply_add(sc4, cb8, ec2);
  ec2 = multiply_add(sb4, cb14, ec2); ec2 = multiply_add(sc2, cb4, ec2);
  ec2 = multiply_add(sc5, cb15, ec2); ec2 = multiply_add(sb1, cb12, ec2);
  ec2 = multiply_add(sc1, cb2, ec2); ec2 = multiply_add(sb5, cb3, ec2);
  float2 e2 = multiply_add(eb2, 2, ea2); float2 e12 = multiply_add(ec2, 2, ea2);
  float2 e10 = multiply_add(eb2 + ec2, -2, ea2);
  float2 oa2 = scaled(da3, -za1); oa2 = multiply_add(da1, za2, oa2);
  oa2 = multiply_add(da2, za4, oa2); oa2 = multiply_add(da5, -za3, oa2);
  oa2 = multiply_add(da4, za5, oa2);
  float2 ob2 = scaled(dc5, -zb13); ob2 = multiply_add(dc3, -zb1, ob2);
  ob2 = multiply_add(db1, zb2, ob2); ob2 = multiply_add(dc4, zb9, ob2);
  ob2 = multiply_add(db4, zb8, ob2); ob2 = multiply_add(db5, -zb15, ob2);
  ob2 = multiply_add(db2, zb4, ob2); ob2 = multiply_add(dc1, zb10, ob2);
  ob2 = multiply_add(db3, zb6, ob2); ob2 = multiply_add(dc2, -zb11, ob2);
  float2 oc2 = scaled(dc1, zb2); oc2 = multiply_add(db5, -zb3, oc2);
  oc2 = multiply_add(dc4, zb8, oc2); oc2 = multiply_add(dc5, -zb15, oc2);
  oc2 = multiply_add(dc2, zb4, oc2); oc2 = multiply_add(db4, zb14, oc2);
  oc2 = multiply_add(db2, zb7, oc2); oc2 = multiply_add(db3, -zb5, oc2);
  oc2 = multiply_add(db1, -zb12, oc2); oc2 = multiply_add(dc3, zb6, oc2);
  float2 o2 = multiply_add(ob2, 2, oa2); float2 o12 = multiply_add(oc2, 2, oa2);
  float2 o10 = multiply_add(ob2 + oc2, -2, oa2);
  o2 = turned<-1>(o2);
  v2 = e2 + o2; v29 = e2 - o2;
  o10 = turned<-1>(o10);
  v10 = e10 + o10; v21 = e10 - o10;
  o12 = turned<-1>(o12);
  v12 = e12 - o12; v19 = e12 + o12;
  float2 ea3 = multiply_add(sa5, ca4, first); ea3 = multiply_add(sa4, ca2, ea3);
  ea3 = multiply_add(sa1, ca3, ea3); ea3 = multiply_add(sa3, ca5, ea3);
  ea3 = multiply_add(sa2, ca1, ea3);
  float2 eb3 = scaled(sb5, cb7); eb3 = multiply_add(sb3, cb9, eb3);
  eb3 = multiply_add(sb2, cb6, eb3); eb3 = multiply_add(sc2, cb1, eb3);
  eb3 = multiply_add(sc3, cb14, eb3); eb3 = multiply_add(sc5, cb4, eb3);
  eb3 = multiply_add(sc1, cb15, eb3); eb3 = multiply_add(sb4, cb12, eb3);
  eb3 = multiply_add(sc4, cb2, eb3); eb3 = multiply_add(sb1, cb3, eb3);
  float2 ec3 = scaled(sc5, cb7); ec3 = multiply_add(sb2, cb5, ec3);
  ec3 = multiply_add(sc3, cb9, ec3); ec3 = multiply_add(sc2, cb6, ec3);
  ec3 = multiply_add(sb4, cb10, ec3); ec3 = multiply_add(sb3, cb8, ec3);
  ec3 = multiply_add(sb1, cb13, ec3); ec3 = multiply_add(sc4, cb12, ec3);
  ec3 = multiply_add(sb5, cb11, ec3); ec3 = multiply_add(sc1, cb3, ec3);
  float2 e3 = multiply_add(eb3, 2, ea3); float2 e13 = multiply_add(ec3, 2, ea3);
  float2 e15 = multiply_add(eb3 + ec3, -2, ea3);
  float2 oa3 = scaled(da2, -za1); oa3 = multiply_add(da4, -za2, oa3);
  oa3 = multiply_add(da5, -za4, oa3); oa3 = multiply_add(da1, za3, oa3);
  oa3 = multiply_add(da3, za5, oa3);
  float2 ob3 = scaled(dc2, -zb1); ob3 = multiply_add(dc4, -zb2, ob3);
  ob3 = multiply_add(db1, zb3, ob3); ob3 = multiply_add(db3, zb9, ob3);
  ob3 = multiply_add(dc1, zb15, ob3); ob3 = multiply_add(dc5, -zb4, ob3);
  ob3 = multiply_add(dc3, zb14, ob3); ob3 = multiply_add(db5, -zb7, ob3);
  ob3 = multiply_add(db4, zb12, ob3); ob3 = multiply_add(db2, zb6, ob3);
  float2 oc3 = scaled(db1, zb13); oc3 = multiply_add(dc1, zb3, oc3);
  oc3 = multiply_add(dc3, zb9, oc3); oc3 = multiply_add(db3, zb8, oc3);
  oc3 = multiply_add(dc5, -zb7, oc3); oc3 = multiply_add(db4, -zb10, oc3);
  oc3 = multiply_add(db2, -zb5, oc3); oc3 = multiply_add(dc4, zb12, oc3);
  oc3 = multiply_add(dc2, zb6, oc3); oc3 = multiply_add(db5, zb11, oc3);
  float2 o3 = multiply_add(ob3, 2, oa3); float2 o13 = multiply_add(oc3, 2, oa3);
  float2 o15 = multiply_add(ob3 + oc3, -2, oa3);
  o3 = turned<-1>(o3);
  v3 = e3 + o3; v28 = e3 - o3;
  o13 = turned<-1>(o13);
  v13 = e13 + o13; v18 = e13 - o13;
  o15 = turned<-1>(o15);
  v15 = e15 + o15; v16 = e15 - o15;
  float2 ea4 = multiply_add(sa1, ca4, first); ea4 = multiply_add(sa3, ca2, ea4);
  ea4 = multiply_add(sa4, ca3, ea4); ea4 = multiply_add(sa2, ca5, ea4);
  ea4 = multiply_add(sa5, ca1, ea4);
  float2 eb4 = scaled(sc5, cb5); eb4 = multiply_add(sc2, cb9, eb4);
  eb4 = multiply_add(sb5, cb1, eb4); eb4 = multiply_add(sb2, cb8, eb4);
  eb4 = multiply_add(sc4, cb13, eb4); eb4 = multiply_add(sb1, cb4, eb4);
  eb4 = multiply_add(sb4, cb15, eb4); eb4 = multiply_add(sb3, cb12, eb4);
  eb4 = multiply_add(sc1, cb11, eb4); eb4 = multiply_add(sc3, cb2, eb4);
  float2 ec4 = scaled(sb1, cb7); ec4 = multiply_add(sb5, cb6, ec4);
  ec4 = multiply_add(sb3, cb10, ec4); ec4 = multiply_add(sc5, cb1, ec4);
  ec4 = multiply_add(sc2, cb8, ec4); ec4 = multiply_add(sb2, cb14, ec4);
  ec4 = multiply_add(sc1, cb4, ec4); ec4 = multiply_add(sc4, cb15, ec4);
  ec4 = multiply_add(sc3, cb12, ec4); ec4 = multiply_add(sb4, cb3, ec4);
  float2 e4 = multiply_add(eb4, 2, ea4); float2 e7 = multiply_add(ec4, 2, ea4);
  float2 e11 = multiply_add(eb4 + ec4, -2, ea4);
  float2 oa4 = scaled(da5, za1); oa4 = multiply_add(da3, -za2, oa4);
  oa4 = multiply_add(da1, za4, oa4); oa4 = multiply_add(da4, -za3, oa4);
  oa4 = multiply_add(da2, za5, oa4);
  float2 ob4 = scaled(dc4, -zb13); ob4 = multiply_add(db5, zb1, ob4);
  ob4 = multiply_add(dc3, -zb2, ob4); ob4 = multiply_add(dc2, zb9, ob4);
  ob4 = multiply_add(db2, zb8, ob4); ob4 = multiply_add(db4, -zb15, ob4);
  ob4 = multiply_add(db1, zb4, ob4); ob4 = multiply_add(dc5, zb5, ob4);
  ob4 = multiply_add(db3, zb12, ob4); ob4 = multiply_add(dc1, -zb11, ob4);
  float2 oc4 = scaled(dc5, zb1); oc4 = multiply_add(db4, -zb3, oc4);
  oc4 = multiply_add(dc2, zb8, oc4); oc4 = multiply_add(dc4, -zb15, oc4);
  oc4 = multiply_add(dc1, zb4, oc4); oc4 = multiply_add(db2, zb14, oc4);
  oc4 = multiply_add(db1, zb7, oc4); oc4 = multiply_add(db3, -zb10, oc4);
  oc4 = multiply_add(dc3, zb12, oc4); oc4 = multiply_add(db5, -zb6, oc4);
  float2 o4 = multiply_add(ob4, 2, oa4); float2 o7 = multiply_add(oc4, 2, oa4);
  float2 o11 = multiply_add(ob4 + oc4, -2, oa4);
  o4 = turned<-1>(o4);
  v4 = e4 + o4; v27 = e4 - o4;
  o7 = turned<-1>(o7);
  v7 = e7 + o7; v24 = e7 - o7;
  o11 = turned<-1>(o11);
  v11 = e11 - o11; v20 = e11 + o11;
  float2 ea5 = multiply_add(sa3, ca4, first); ea5 = multiply_add(sa5, ca2, ea5);
  ea5 = multiply_add(sa2, ca3, ea5); ea5 = multiply_add(sa1, ca5, ea5);
  ea5 = multiply_add(sa4, ca1, ea5);
  float2 eb5 = scaled(sb3, cb7); eb5 = multiply_add(sc4, cb5, eb5);
  eb5 = multiply_add(sc1, cb9, eb5); eb5 = multiply_add(sc5, cb10, eb5);
  eb5 = multiply_add(sb4, cb1, eb5); eb5 = multiply_add(sb1, cb8, eb5);
  eb5 = multiply_add(sc2, cb13, eb5); eb5 = multiply_add(sc3, cb4, eb5);
  eb5 = multiply_add(sb2, cb15, eb5); eb5 = multiply_add(sb5, cb2, eb5);
  float2 ec5 = scaled(sc3, cb7); ec5 = multiply_add(sb4, cb6, ec5);
  ec5 = multiply_add(sc4, cb1, ec5); ec5 = multiply_add(sc1, cb8, ec5);
  ec5 = multiply_add(sb1, cb14, ec5); ec5 = multiply_add(sc2, cb15, ec5);
  ec5 = multiply_add(sb5, cb12, ec5); ec5 = multiply_add(sb3, cb11, ec5);
  ec5 = multiply_add(sc5, cb2, ec5); ec5 = multiply_add(sb2, cb3, ec5);
  float2 e8 = multiply_add(eb5, 2, ea5); float2 e14 = multiply_add(ec5, 2, ea5);
  float2 e9 = multiply_add(eb5 + ec5, -2, ea5);
  float2 oa5 = scaled(da4, za1); oa5 = multiply_add(da5, za2, oa5);
  oa5 = multiply_add(da3, -za4, oa5); oa5 = multiply_add(da2, -za3, oa5);
  oa5 = multiply_add(da1, za5, oa5);
  float2 ob5 = scaled(dc2, -zb13); ob5 = multiply_add(db4, zb1, ob5);
  ob5 = multiply_add(db5, zb2, ob5); ob5 = multiply_add(dc1, zb9, ob5);
  ob5 = multiply_add(db1, zb8, ob5); ob5 = multiply_add(db2, -zb15, ob5);
  ob5 = multiply_add(dc3, -zb4, ob5); ob5 = multiply_add(db3, -zb7, ob5);
  ob5 = multiply_add(dc5, zb10, ob5); ob5 = multiply_add(dc4, zb5, ob5);
  float2 oc5 = scaled(dc4, zb1); oc5 = multiply_add(dc5, zb2, oc5);
  oc5 = multiply_add(db2, -zb3, oc5); oc5 = multiply_add(dc1, zb8, oc5);
  oc5 = multiply_add(dc2, -zb15, oc5); oc5 = multiply_add(db1, zb14, oc5);
  oc5 = multiply_add(dc3, -zb7, oc5); oc5 = multiply_add(db5, -zb12, oc5);
  oc5 = multiply_add(db4, -zb6, oc5); oc5 = multiply_add(db3, zb11, oc5);
  float2 o8 = multiply_add(ob5, 2, oa5); float2 o14 = multiply_add(oc5, 2, oa5);
  float2 o9 = multiply_add(ob5 + oc5, -2, oa5);
  o8 = turned<-1>(o8);
  v8 = e8 + o8; v23 = e8 - o8;
  o9 = turned<-1>(o9);
  v9 = e9 + o9; v22 = e9 - o9;
  o14 = turned<-1>(o14);
  v14 = e14 + o14; v17 = e14 - o14;
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
