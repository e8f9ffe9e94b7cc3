// sonoma emit --n 2048 --domain r2c --decomposition "(gs 16 (gs 16 (dft 4)))" --engine simt
//     --points-per-thread 16 --block-points 1024 --registers 80 --stage-load 0 --stage-store 0
//     --twiddles table --prefetch late --arch sm_90
//
// DFT of 2048 real numbers, whose pairs are points of this one:
// DFT of 1024 complex f32 points, forward, (gs 16 (gs 16 (dft 4)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 1 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared, at
//     least 12 block(s) an SM
//   after the last barrier the L2 cache is asked for the tile 1584 transforms on, which the block
//     loads that follows on this SM
//   load direct: registers t1 | threads t3 t2
//   phase 1: registers t1 | threads t3 t2
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 | threads t3 k1
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3 k2/4 | threads k1 k2%4
//     step 3: radix 4, butterflies in registers
//   store direct: registers k3 k2/4 | threads k1 k2%4
//   point p lies at p ^ ((p >> 3 ^ p >> 5) & 14) in shared memory
//
// Costs of a transform: 51200 flops nominal, 0 MMAs (m16n8k16), 16392 bytes moved of 16392 needed.
// A block of 2 warps: 4 barriers, 3 trips through shared memory, 0 bank conflicts, 12800 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.1118e-06 (bound); of random input 1.12022e-07.
//
// To launch it:
//   grid     batch blocks
//   block    64 threads
//   shared   8192 bytes, dynamic
//            where more than 21 blocks fit on an SM they shall take 48 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   12800 bytes
//            [0, 8192) after step 1: w^(k1 t), w = exp(-2 pi i / 1024)
//            [8192, 8704) after step 2: w^(k2 t), w = exp(-2 pi i / 64)
//            [8704, 12800) of points k to the middle: -i w^k, w = exp(-2 pi i / 2048)
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
// Two neighbours, 16 bytes at a time.
DEVICE void load_shared_pair(const float2* place, float2& first, float2& second) {
  const float4 pair = load_shared(reinterpret_cast<const float4*>(place));
  first = make_float2(pair.x, pair.y);
  second = make_float2(pair.z, pair.w);
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
constexpr float cos_2_16 = 0x1.d906bcp-1f;
constexpr float cos_4_16 = 0x1.6a09e6p-1f;
constexpr float sin_2_16 = 0x1.87de2ap-2f;

template <int sign>
DEVICE void dft16(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                  float2& v12, float2& v13, float2& v14, float2& v15) {
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
DEVICE void store_mirrored(Point* out, const uint4* table, unsigned thread, unsigned columns) {
#pragma unroll
  for (unsigned r = 0; r < mirrored_turns<m, count, threads>(); ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    const unsigned transform = mirrored_transform<m, count>(p);
    const float2* from = shared_point(transform * row);
    Point *to = out + transform * apart, *low = to + k * stride, *high = to + (m - k) * stride;
    const When there{transform < columns};
    const Mirrored z = {load_shared(from + k), load_shared(from + (k == 0 ? 0 : m - k))};
    const Mirrored x = real_ends(of_mirrored(z, factor_at(table, k)), k == 0);
    if (count == 1) {
      store_point(low, x.low);
      store_point(high, x.high);
    } else {
      store_point(low, x.low, there);
      store_point(high, x.high, there);
    }
    if (m % 2 == 0 && k == 0) {
      store_point(to + m / 2 * stride, of_middle(load_shared(from + m / 2)), there);
    }
  }
}

// ===== this plan =====
// The points of a thread
using Points = float2[16];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 3 ^ p >> 5) & 14); }

DEVICE void load(Points& x, const float2* p) {
  x[0] = load_point(p);
  x[1] = load_point(p + 64);
  x[2] = load_point(p + 128);
  x[3] = load_point(p + 192);
  x[4] = load_point(p + 256);
  x[5] = load_point(p + 320);
  x[6] = load_point(p + 384);
  x[7] = load_point(p + 448);
  x[8] = load_point(p + 512);
  x[9] = load_point(p + 576);
  x[10] = load_point(p + 640);
  x[11] = load_point(p + 704);
  x[12] = load_point(p + 768);
  x[13] = load_point(p + 832);
  x[14] = load_point(p + 896);
  x[15] = load_point(p + 960);
}
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 64));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 128));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 192));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 256));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 320));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 384));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 448));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 10) + 64, x[1]);
  store_shared(shared_point(place ^ 4) + 128, x[2]);
  store_shared(shared_point(place ^ 14) + 192, x[3]);
  store_shared(shared_point(place ^ 8) + 256, x[4]);
  store_shared(shared_point(place ^ 2) + 320, x[5]);
  store_shared(shared_point(place ^ 12) + 384, x[6]);
  store_shared(shared_point(place ^ 6) + 448, x[7]);
  store_shared(shared_point(place) + 512, x[8]);
  store_shared(shared_point(place ^ 10) + 576, x[9]);
  store_shared(shared_point(place ^ 4) + 640, x[10]);
  store_shared(shared_point(place ^ 14) + 704, x[11]);
  store_shared(shared_point(place ^ 8) + 768, x[12]);
  store_shared(shared_point(place ^ 2) + 832, x[13]);
  store_shared(shared_point(place ^ 12) + 896, x[14]);
  store_shared(shared_point(place ^ 6) + 960, x[15]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place ^ 4));
  x[2] = load_shared(shared_point(place ^ 8));
  x[3] = load_shared(shared_point(place ^ 12));
  x[4] = load_shared(shared_point(place ^ 2) + 16);
  x[5] = load_shared(shared_point(place ^ 6) + 16);
  x[6] = load_shared(shared_point(place ^ 10) + 16);
  x[7] = load_shared(shared_point(place ^ 14) + 16);
  x[8] = load_shared(shared_point(place ^ 4) + 32);
  x[9] = load_shared(shared_point(place) + 32);
  x[10] = load_shared(shared_point(place ^ 12) + 32);
  x[11] = load_shared(shared_point(place ^ 8) + 32);
  x[12] = load_shared(shared_point(place ^ 6) + 48);
  x[13] = load_shared(shared_point(place ^ 2) + 48);
  x[14] = load_shared(shared_point(place ^ 14) + 48);
  x[15] = load_shared(shared_point(place ^ 10) + 48);
}
DEVICE void step_2(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 4));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 8));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 12));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 16));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 20));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 24));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 28));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 4), x[1]);
  store_shared(shared_point(place ^ 8), x[2]);
  store_shared(shared_point(place ^ 12), x[3]);
  store_shared(shared_point(place ^ 2) + 16, x[4]);
  store_shared(shared_point(place ^ 6) + 16, x[5]);
  store_shared(shared_point(place ^ 10) + 16, x[6]);
  store_shared(shared_point(place ^ 14) + 16, x[7]);
  store_shared(shared_point(place ^ 4) + 32, x[8]);
  store_shared(shared_point(place) + 32, x[9]);
  store_shared(shared_point(place ^ 12) + 32, x[10]);
  store_shared(shared_point(place ^ 8) + 32, x[11]);
  store_shared(shared_point(place ^ 6) + 48, x[12]);
  store_shared(shared_point(place ^ 2) + 48, x[13]);
  store_shared(shared_point(place ^ 14) + 48, x[14]);
  store_shared(shared_point(place ^ 10) + 48, x[15]);
}
DEVICE void read_2(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0], x[1]);
  load_shared_pair(shared_point(place ^ 2), x[2], x[3]);
  load_shared_pair(shared_point(place ^ 2) + 16, x[4], x[5]);
  load_shared_pair(shared_point(place) + 16, x[6], x[7]);
  load_shared_pair(shared_point(place ^ 4) + 32, x[8], x[9]);
  load_shared_pair(shared_point(place ^ 6) + 32, x[10], x[11]);
  load_shared_pair(shared_point(place ^ 6) + 48, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 4) + 48, x[14], x[15]);
}
DEVICE void step_3(Points& x) {
  dft4<-1>(x[0], x[1], x[2], x[3]);
  dft4<-1>(x[4], x[5], x[6], x[7]);
  dft4<-1>(x[8], x[9], x[10], x[11]);
  dft4<-1>(x[12], x[13], x[14], x[15]);
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
}
DEVICE void write_in_order(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 256, x[1]);
  store_shared(shared_point(place) + 512, x[2]);
  store_shared(shared_point(place) + 768, x[3]);
  store_shared(shared_point(place) + 64, x[4]);
  store_shared(shared_point(place) + 320, x[5]);
  store_shared(shared_point(place) + 576, x[6]);
  store_shared(shared_point(place) + 832, x[7]);
  store_shared(shared_point(place) + 128, x[8]);
  store_shared(shared_point(place) + 384, x[9]);
  store_shared(shared_point(place) + 640, x[10]);
  store_shared(shared_point(place) + 896, x[11]);
  store_shared(shared_point(place) + 192, x[12]);
  store_shared(shared_point(place) + 448, x[13]);
  store_shared(shared_point(place) + 704, x[14]);
  store_shared(shared_point(place) + 960, x[15]);
}

// ===== the kernel =====
// One block transforms 1024 points: 1 of the batch.
extern "C" __global__ void __launch_bounds__(64, 12)
sonoma_r2c_f32_n2048_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = block_index();
  in += transform * 1024ull, out += transform * 1025ull;
  Points x;

  // Load: registers t1 | threads t3 t2
  load(x, in + thread);

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);
  twiddle_1(x, tables + thread);

  // Exchange: from registers k1 | threads t3 t2
  write_1(x, swizzle(thread));
  block_barrier();

  // To registers t2 | threads t3 k1
  read_1(x, swizzle(thread % 4 + thread / 4 * 64));

  // Step 2: radix 16 over t2, butterflies in registers
  step_2(x);
  twiddle_2(x, tables + 512 + thread % 4);

  // Exchange: from registers k2 | threads t3 k1
  write_2(x, swizzle(thread % 4 + thread / 4 * 64));
  block_barrier();

  // To registers t3 k2/4 | threads k1 k2%4
  read_2(x, swizzle(thread % 16 * 64 + thread / 16 * 4));

  // Step 3: radix 4 over t3, butterflies in registers
  step_3(x);

  // The factor of the request
  multiply(x, 0x1p-1f);
  block_barrier();

  // To shared memory in order: from registers k3 k2/4 | threads k1 k2%4
  write_in_order(x, thread);
  block_barrier();

  // To the L2 cache what the block loads that will follow in this one's place
  if (thread_index() == 0 && transform + 1585 <= batch) {
    prefetch(in + 1622016ull, 8192);
  }

  // Of the pairs' frequencies those of the 2048 real numbers, and store
  store_mirrored<1024, 1, 1024, 1, 0, 64>(out, tables + 544, thread, 1);
}
