// sonoma emit --n 3000 --domain r2c --decomposition "(gs 5 (gs 25 (dft 12)))" --engine simt
//     --points-per-thread 25 --block-points 1500 --registers 96 --threads 64 --opposite 1
//     --stage-load 0 --stage-store 0 --cluster 3 --twiddles powers --prefetch late --arch sm_90
//
// DFT of 3000 real numbers, whose pairs are points of this one:
// DFT of 1500 complex f32 points, forward, (gs 5 (gs 25 (dft 12)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 1 transform(s) a block, 64 threads, 25 points a thread, 4168 bytes shared, at
//     least 10 block(s) an SM
//   clusters of 3 blocks hold a tile together: the last digits of the threads number them
//   a thread takes butterflies q and -q in phase 3: frequencies that mirror each other meet in
//     registers
//   where a phase has more butterflies than threads, these go round in laps
//   after the last barrier the L2 cache is asked for the tile 440 transforms on, which the block
//     loads that follows on this SM
//   load direct: registers t1 | threads t3%4 t2 t3/4
//   phase 1: registers t1 | threads t3%4 t2 t3/4
//     step 1: radix 5, butterflies in registers
//   phase 2: registers t2 | threads t3%4 k1 t3/4
//     step 2: radix 25, butterflies in registers
//   phase 3: registers t3 | threads k1 k2
//     step 3: radix 12, butterflies in registers
//   store direct: registers k3 | threads k1 k2
//   a point lies in shared memory at t1 + 5 t2 + 132 t3%4
//
// Costs of a transform: 79130.6 flops nominal, 0 MMAs (m16n8k16), 24008 bytes moved of 24008
//   needed.
// A block of 2 warps: 3 barriers, 2 trips through shared memory, 0 bank conflicts, 6576 bytes of
//   tables.
// |error|_2 / |result|_2 <= 3.16714e-06 (bound); of random input 1.31572e-07.
//
// To launch it:
//   grid     3 * batch blocks
//   block    64 threads
//   cluster  3 blocks, as the kernel declares
//   shared   4168 bytes, dynamic
//   in, out  device memory, 16-byte aligned
//   tables   6576 bytes
//            [0, 4800) after step 1: w^(k1 t), w = exp(-2 pi i / 1500), those others are products
//              of
//            [4800, 5568) after step 2: w^(k2 t), w = exp(-2 pi i / 300), those others are products
//              of
//            [5568, 6576) of butterflies q: -i w^q, w = exp(-2 pi i / 3000)
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
// The number of the block within its cluster.
DEVICE unsigned block_in_cluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
// All threads of all blocks of the cluster; orders their accesses to each other's shared memory.
DEVICE void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

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
// Shared memory of another block of the cluster: where `p` lies in it.
using ClusterAddress = unsigned;
DEVICE ClusterAddress cluster_address(const unsigned char* p, unsigned block) {
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(p));
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(block));
  return there;
}
DEVICE float2 load_cluster(ClusterAddress p) {
  float2 value;
  asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];"
               : "=f"(value.x), "=f"(value.y)
               : "r"(p)
               : "memory");
  return value;
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

// To the L2 cache, from the 16 bytes on that p is in, the whole ones of so many bytes: no waiting.
DEVICE void prefetch(const void* p, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  const unsigned long long first = reinterpret_cast<unsigned long long>(p) & ~15ull;
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first), "r"(bytes & ~15u));
#endif
}
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
DEVICE float2 scaled(float2 a, float factor) { return make_float2(a.x * factor, a.y * factor); }

// --- shared memory: a place has 8 bytes ----------------------------------------------------------
DEVICE float2* shared_point(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}

// A place of another block of the cluster; the next place is 8 bytes further.
DEVICE ClusterAddress cluster_point(unsigned place, unsigned block) {
  return cluster_address(dynamic_shared() + 8 * place, block);
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

template <int sign>
DEVICE void dft4(float2& a, float2& b, float2& c, float2& d) {
  const float2 even = a + c, odd = b + d, even_difference = a - c;
  const float2 odd_difference = turned<sign>(b - d);
  a = even + odd;
  c = even - odd;
  b = even_difference + odd_difference;
  d = even_difference - odd_difference;
}

// a * exp(sign i angle), its cosine and sine given.
template <int sign>
DEVICE float2 rotated(float2 a, float cosine, float sine) {
  return complex_product(a, make_float2(cosine, sign * sine));
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

// ===== opposite.cuh =====
// The same pairs in registers. Of m points in Q butterflies of R points each, point k = q + Q J is
// point J of butterfly q. Then m - k is point R - 1 - J of butterfly Q - q: a thread that takes
// butterflies q and Q - q has both. Butterfly 0 mirrors itself, J and R - J, and where Q is even so
// does the one in the middle, J and R - 1 - J: one thread takes these two.
struct OppositePair {
  unsigned transform, low, high;  // of the block, and its butterflies q and Q - q
};
// Pair p of the block; `count` transforms.
template <unsigned butterflies, unsigned count>
DEVICE OppositePair opposite_pair(unsigned p) {
  constexpr unsigned pairs = (butterflies + 1) / 2, middle = butterflies % 2 == 0 ? pairs : 0;
  const unsigned q = count == 1 ? p : p % pairs;
  return {count == 1 ? 0 : p / pairs, q, q == 0 ? middle : butterflies - q};
}

// Of a butterfly q where its point 0 and that of number m - q lie, and the factor f of q.
template <class Point>
struct Ends {
  Point *low, *high;
  float2 factor;
};
template <unsigned m, long long stride, class Point>
DEVICE Ends<Point> ends_of(Point* row, unsigned q, float2 factor) {
  return {row + q * stride, row + (m - q) * stride, factor};
}
// 1 + f of point k of it; w^k = c + i s.
DEVICE float2 factor_of(float2 f, float c, float s) {
  return make_float2(fused_multiply_add(f.x, c, fused_multiply_add(-f.y, s, 1.0f)),
                     fused_multiply_add(f.x, s, f.y * c));
}
DEVICE float2 factor_of(float2 f) { return make_float2(1.0f + f.x, f.y); }

// Its first point; `first`: it is point 0 of the transform, which is real, as is point m.
template <class Point, class Access>
DEVICE void store_first(const Ends<Point>& ends, float2 low, float2 high, bool first,
                        Access access) {
  const Mirrored x = real_ends(of_mirrored({low, high}, factor_of(ends.factor)), first);
  store_point(ends.low, x.low, access);
  store_point(ends.high, x.high, access);
}
// Those `k` points further on.
template <long long k, class Point, class Access>
DEVICE void store_further(const Ends<Point>& ends, float c, float s, float2 low, float2 high,
                          Access access) {
  const Mirrored x = of_mirrored({low, high}, factor_of(ends.factor, c, s));
  store_point(ends.low + k, x.low, access);
  store_point(ends.high - k, x.high, access);
}

// ===== this plan =====
// The points of a thread
using Points = float2[25];

DEVICE void load(Points& x, const float2* p) {
  x[0] = load_point(p);
  x[1] = load_point(p + 300);
  x[2] = load_point(p + 600);
  x[3] = load_point(p + 900);
  x[4] = load_point(p + 1200);
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
DEVICE void step_1(Points& x) {
  dft5(x[0], x[1], x[2], x[3], x[4]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  const float2 square0 = complex_product(w0.first, w0.first);
  x[2] = complex_product(x[2], square0);
  const float2 cube0 = complex_product(square0, w0.first);
  x[3] = complex_product(x[3], cube0);
  x[4] = complex_product(x[4], w0.second);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 1, x[1]);
  store_shared(shared_point(place) + 2, x[2]);
  store_shared(shared_point(place) + 3, x[3]);
  store_shared(shared_point(place) + 4, x[4]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 5);
  x[2] = load_shared(shared_point(place) + 10);
  x[3] = load_shared(shared_point(place) + 15);
  x[4] = load_shared(shared_point(place) + 20);
  x[5] = load_shared(shared_point(place) + 25);
  x[6] = load_shared(shared_point(place) + 30);
  x[7] = load_shared(shared_point(place) + 35);
  x[8] = load_shared(shared_point(place) + 40);
  x[9] = load_shared(shared_point(place) + 45);
  x[10] = load_shared(shared_point(place) + 50);
  x[11] = load_shared(shared_point(place) + 55);
  x[12] = load_shared(shared_point(place) + 60);
  x[13] = load_shared(shared_point(place) + 65);
  x[14] = load_shared(shared_point(place) + 70);
  x[15] = load_shared(shared_point(place) + 75);
  x[16] = load_shared(shared_point(place) + 80);
  x[17] = load_shared(shared_point(place) + 85);
  x[18] = load_shared(shared_point(place) + 90);
  x[19] = load_shared(shared_point(place) + 95);
  x[20] = load_shared(shared_point(place) + 100);
  x[21] = load_shared(shared_point(place) + 105);
  x[22] = load_shared(shared_point(place) + 110);
  x[23] = load_shared(shared_point(place) + 115);
  x[24] = load_shared(shared_point(place) + 120);
}
DEVICE void dft25(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                  float2& v12, float2& v13, float2& v14, float2& v15, float2& v16, float2& v17,
                  float2& v18, float2& v19, float2& v20, float2& v21, float2& v22, float2& v23,
                  float2& v24) {
  dft5(v0, v5, v10, v15, v20);
  dft5(v1, v6, v11, v16, v21);
  dft5(v2, v7, v12, v17, v22);
  dft5(v3, v8, v13, v18, v23);
  dft5(v4, v9, v14, v19, v24);
  dft5(v0, v1, v2, v3, v4);
  v6 = rotated<-1>(v6, 0x1.efea22p-1f, 0x1.fd512p-3f);
  v7 = rotated<-1>(v7, 0x1.c0ab44p-1f, 0x1.ed50d6p-2f);
  v8 = rotated<-1>(v8, 0x1.753b6p-1f, 0x1.5e7cf6p-1f);
  v9 = rotated<-1>(v9, 0x1.1257e4p-1f, 0x1.b04bcp-1f);
  dft5(v5, v6, v7, v8, v9);
  v11 = rotated<-1>(v11, 0x1.c0ab44p-1f, 0x1.ed50d6p-2f);
  v12 = rotated<-1>(v12, 0x1.1257e4p-1f, 0x1.b04bcp-1f);
  v13 = rotated<-1>(v13, 0x1.0130a2p-4f, 0x1.fefd5cp-1f);
  v14 = rotated<-1>(v14, -0x1.b3ff7cp-2f, 0x1.cf457ep-1f);
  dft5(v10, v11, v12, v13, v14);
  v16 = rotated<-1>(v16, 0x1.753b6p-1f, 0x1.5e7cf6p-1f);
  v17 = rotated<-1>(v17, 0x1.0130a2p-4f, 0x1.fefd5cp-1f);
  v18 = rotated<-1>(v18, -0x1.465c7p-1f, 0x1.8a80b6p-1f);
  v19 = rotated<-1>(v19, -0x1.fbf676p-1f, 0x1.00aeb6p-3f);
  dft5(v15, v16, v17, v18, v19);
  v21 = rotated<-1>(v21, 0x1.1257e4p-1f, 0x1.b04bcp-1f);
  v22 = rotated<-1>(v22, -0x1.b3ff7cp-2f, 0x1.cf457ep-1f);
  v23 = rotated<-1>(v23, -0x1.fbf676p-1f, 0x1.00aeb6p-3f);
  v24 = rotated<-1>(v24, -0x1.465c7p-1f, -0x1.8a80b6p-1f);
  dft5(v20, v21, v22, v23, v24);
  const float2 x1 = v5, x2 = v10, x3 = v15, x4 = v20, x5 = v1, x7 = v11, x8 = v16, x9 = v21,
  x10 = v2, x11 = v7, x13 = v17, x14 = v22, x15 = v3, x16 = v8, x17 = v13, x19 = v23, x20 = v4,
  x21 = v9, x22 = v14, x23 = v19;
  v1 = x1; v2 = x2; v3 = x3; v4 = x4; v5 = x5; v7 = x7; v8 = x8; v9 = x9; v10 = x10; v11 = x11;
  v13 = x13; v14 = x14; v15 = x15; v16 = x16; v17 = x17; v19 = x19; v20 = x20; v21 = x21; v22 = x22;
  v23 = x23;
}
DEVICE void step_2(Points& x) {
  dft25(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
        x[14], x[15], x[16], x[17], x[18], x[19], x[20], x[21], x[22], x[23], x[24]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  const Factors w1 = factors_of(load_table(f + 12));
  const Factors w2 = factors_of(load_table(f + 24));
  const Factors w3 = factors_of(load_table(f + 36));
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
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 5, x[1]);
  store_shared(shared_point(place) + 10, x[2]);
  store_shared(shared_point(place) + 15, x[3]);
  store_shared(shared_point(place) + 20, x[4]);
  store_shared(shared_point(place) + 25, x[5]);
  store_shared(shared_point(place) + 30, x[6]);
  store_shared(shared_point(place) + 35, x[7]);
  store_shared(shared_point(place) + 40, x[8]);
  store_shared(shared_point(place) + 45, x[9]);
  store_shared(shared_point(place) + 50, x[10]);
  store_shared(shared_point(place) + 55, x[11]);
  store_shared(shared_point(place) + 60, x[12]);
  store_shared(shared_point(place) + 65, x[13]);
  store_shared(shared_point(place) + 70, x[14]);
  store_shared(shared_point(place) + 75, x[15]);
  store_shared(shared_point(place) + 80, x[16]);
  store_shared(shared_point(place) + 85, x[17]);
  store_shared(shared_point(place) + 90, x[18]);
  store_shared(shared_point(place) + 95, x[19]);
  store_shared(shared_point(place) + 100, x[20]);
  store_shared(shared_point(place) + 105, x[21]);
  store_shared(shared_point(place) + 110, x[22]);
  store_shared(shared_point(place) + 115, x[23]);
  store_shared(shared_point(place) + 120, x[24]);
}
DEVICE void read_2(Points& x, unsigned place, unsigned block) {
  x[0] = load_cluster(cluster_point(place, block));
  x[1] = load_cluster(cluster_point(place, block) + 1056);
  x[2] = load_cluster(cluster_point(place, block) + 2112);
  x[3] = load_cluster(cluster_point(place, block) + 3168);
  x[4] = load_cluster(cluster_point(place, block + 1));
  x[5] = load_cluster(cluster_point(place, block + 1) + 1056);
  x[6] = load_cluster(cluster_point(place, block + 1) + 2112);
  x[7] = load_cluster(cluster_point(place, block + 1) + 3168);
  x[8] = load_cluster(cluster_point(place, block + 2));
  x[9] = load_cluster(cluster_point(place, block + 2) + 1056);
  x[10] = load_cluster(cluster_point(place, block + 2) + 2112);
  x[11] = load_cluster(cluster_point(place, block + 2) + 3168);
}
DEVICE void dft3(float2& v0, float2& v1, float2& v2) {
  constexpr float c1 = -0x1p-1f, z1 = 0x1.bb67aep-1f;
  const float2 s1 = v1 + v2, d1 = v1 - v2;
  const float2 first = v0;
  v0 = v0 + s1;
  float2 e1 = multiply_add(s1, c1, first); float2 o1 = d1; o1 = turned<-1>(o1);
  v1 = multiply_add(o1, z1, e1); v2 = multiply_add(o1, -z1, e1);
}
DEVICE void dft12(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11) {
  dft4<-1>(v0, v3, v6, v9);
  dft4<-1>(v4, v7, v10, v1);
  dft4<-1>(v8, v11, v2, v5);
  dft3(v0, v4, v8);
  dft3(v3, v7, v11);
  dft3(v6, v10, v2);
  dft3(v9, v1, v5);
  const float2 x1 = v7, x3 = v9, x5 = v11, x7 = v1, x9 = v3, x11 = v5;
  v1 = x1; v3 = x3; v5 = x5; v7 = x7; v9 = x9; v11 = x11;
}
DEVICE void step_3(Points& x) {
  dft12(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11]);
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
  x[18] = scaled(x[18], factor);
  x[19] = scaled(x[19], factor);
  x[20] = scaled(x[20], factor);
  x[21] = scaled(x[21], factor);
  x[22] = scaled(x[22], factor);
  x[23] = scaled(x[23], factor);
  x[24] = scaled(x[24], factor);
}
DEVICE void store_frequencies(const Points& x, const Points& y, bool own, const Ends<float2>& a,
                              const Ends<float2>& b) {
  store_first(a, x[0], own ? x[0] : y[11], own, Always{});
  store_further<125>(a, 0x1.ee8dd4p-1f, -0x1.0907dcp-2f, x[1], own ? x[11] : y[10], Always{});
  store_further<250>(a, 0x1.bb67aep-1f, -0x1p-1f, x[2], own ? x[10] : y[9], Always{});
  store_further<375>(a, 0x1.6a09e6p-1f, -0x1.6a09e6p-1f, x[3], own ? x[9] : y[8], Always{});
  store_further<500>(a, 0x1p-1f, -0x1.bb67aep-1f, x[4], own ? x[8] : y[7], Always{});
  store_further<625>(a, 0x1.0907dcp-2f, -0x1.ee8dd4p-1f, x[5], own ? x[7] : y[6], Always{});
  store_first(b, y[0], own ? y[11] : x[11], false, When{!own});
  store_further<125>(b, 0x1.ee8dd4p-1f, -0x1.0907dcp-2f, y[1], own ? y[10] : x[10], When{!own});
  store_further<250>(b, 0x1.bb67aep-1f, -0x1p-1f, y[2], own ? y[9] : x[9], When{!own});
  store_further<375>(b, 0x1.6a09e6p-1f, -0x1.6a09e6p-1f, y[3], own ? y[8] : x[8], When{!own});
  store_further<500>(b, 0x1p-1f, -0x1.bb67aep-1f, y[4], own ? y[7] : x[7], When{!own});
  store_further<625>(b, 0x1.0907dcp-2f, -0x1.ee8dd4p-1f, y[5], own ? y[6] : x[6], When{!own});
  store_point(a.low + 750, of_middle(x[6]), When{own});
}

// ===== the kernel =====
// A cluster of 3 blocks transforms 1500 points: 1 of the batch.
extern "C" __global__ void __cluster_dims__(3) __launch_bounds__(64, 10)
sonoma_r2c_f32_n3000_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned rank = block_in_cluster();
  const unsigned long long transform = (block_index() / 3);
  in += transform * 1500ull, out += transform * 1501ull;

#pragma unroll 2
  for (unsigned thread = thread_index(); thread < 100; thread += 64) {  // 2 laps, 2 at once
    Points x;
    // Load: registers t1 | threads t3%4 t2 t3/4
    load(x, in + (thread % 4 + thread / 4 * 12 + rank * 4));

    // Step 1: radix 5 over t1, butterflies in registers
    step_1(x);
    twiddle_1(x, tables + thread + rank * 100);

    // Exchange: from registers k1 | threads t3%4 t2 t3/4
    write_1(x, thread % 4 * 132 + thread / 4 * 5);
  }
  block_barrier();

  for (unsigned thread = thread_index(); thread < 20; thread += 64) {  // 1 lap
    Points x;
    // To registers t2 | threads t3%4 k1 t3/4
    read_1(x, thread % 4 * 132 + thread / 4);

    // Step 2: radix 25 over t2, butterflies in registers
    step_2(x);
    twiddle_2(x, tables + 300 + thread % 4 + rank * 4);

    // Exchange: from registers k2 | threads t3%4 k1 t3/4
    write_2(x, thread % 4 * 132 + thread / 4);
  }
  cluster_barrier();

  // To the L2 cache what the block loads that will follow in this one's place
  if (block_in_cluster() == 0 && thread_index() == 0 && transform + 441 <= batch) {
    prefetch(in + 660000ull, 12000);
  }

  for (unsigned item = thread_index() + 64 * rank; item < 63; item += 192) {
    // 1 lap, of all blocks
    const OppositePair pair = opposite_pair<125, 1>(item);  // butterflies q and -q
    const float2 low_factor = factor_at(tables + 348, pair.low);
    const float2 high_factor = factor_at(tables + 348, pair.high);
    Points both[2];

#pragma unroll
    for (unsigned side = 0; side < 2; ++side) {
      if (side > 0 && pair.low == 0) continue;  // butterfly 0 mirrors itself
      const unsigned thread = side == 0 ? pair.low : pair.high;
      Points& x = both[side];
      // Out of all blocks of the cluster: to registers t3 | threads k1 k2
      read_2(x, thread, 0);

      // Step 3: radix 12 over t3, butterflies in registers
      step_3(x);

      // The factor of the request
      multiply(x, 0x1p-1f);
    }

    // Of the pairs' frequencies those of the 3000 real numbers, and store: from registers k3 |
    // threads k1 k2
    store_frequencies(both[0], both[1], pair.low == 0, ends_of<1500, 1>(out, pair.low, low_factor),
                      ends_of<1500, 1>(out, pair.high, high_factor));
  }
  cluster_barrier();
}
