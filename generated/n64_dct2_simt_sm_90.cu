// sonoma emit --n 64 --domain dct2 --decomposition "(gs 16 (dft 2))" --engine simt
//     --points-per-thread 16 --block-points 1024 --registers 80 --stage-load 1 --stage-store 0
//     --twiddles table --prefetch none --arch sm_90
//
// dct2 of 64 real numbers, by a
// DFT of 64 real numbers, whose pairs are points of this one:
// DFT of 32 complex f32 points, forward, (gs 16 (dft 2))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 32 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared, at
//     least 12 block(s) an SM
//   points find their places in memory by their index
//   load through shared memory: registers b%16 | threads t2 t1 b/16
//   phase 1: registers t1 | threads t2 b
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 b/4 | threads k1 b%4
//     step 2: radix 2, butterflies in registers
//   store direct: registers k2 b/4 | threads k1 b%4
//   point p lies at p ^ (p >> 4 & 14) in shared memory
//
// Costs of a transform: 800 flops nominal, 0 MMAs (m16n8k16), 512 bytes moved of 512 needed.
// A block of 2 warps: 3 barriers, 3 trips through shared memory, 0 bank conflicts, 528 bytes of
//   tables.
// |error|_2 / |result|_2 <= 1.27875e-06 (bound); of random input 8.68943e-08.
//
// To launch it:
//   grid     ceil(batch / 32) blocks
//   block    64 threads
//   shared   8192 bytes, dynamic
//            where more than 21 blocks fit on an SM they shall take 48 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   528 bytes
//            [0, 256) after step 1: w^(k1 t), w = exp(-2 pi i / 32)
//            [256, 528) of points k to the middle: w^k, -i w^(5 k), w = exp(-2 pi i / 256)
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
DEVICE void warp_barrier() { __syncwarp(); }

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

// ===== storage_real.cuh =====
// Real numbers in global memory, and Hermitian points. In registers both are complex.

template <class Access = Always>
DEVICE float2 load_real(const float* p, Access access = {}) {
  return make_float2(float_of(load_word(reinterpret_cast<const unsigned*>(p), access)), 0.0f);
}
// Imaginary parts are not stored.
template <class Access = Always>
DEVICE void store_real(float* p, float2 a, Access access = {}) {
  store_word(reinterpret_cast<unsigned*>(p), bits_of(a.x), access);
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

// ===== trigonometric.cuh =====
// Real numbers x(0), ..., x(n - 1) of cosine and sine transforms as points of a DFT, and its
// frequencies as such numbers: see trigonometric.hpp, which names its source. p is where number 0
// lies; numbers are `stride` apart, and memory has the first `stored` of them: others read as zero
// and are not stored. Points are numbered by `index`, of the thread, and `offset`, a constant, so
// that what a thread adds to p is the same for all its points; `behind`: those that come backwards.
// Of a transform with an orthogonal matrix numbers at the ends have factors.

DEVICE When also(Always, bool there) { return {there}; }
DEVICE When also(When when, bool there) { return {when.there && there}; }

// Number first + step index.
template <int step, long long stride, class Number>
DEVICE Number* number_at(Number* p, unsigned index, long long first) {
  return p + step * stride * index + first * stride;
}
// Number i, at p.
template <unsigned n, unsigned stored, class Number, class Access>
DEVICE float load_number(const Number* p, unsigned i, Access access) {
  return stored < n ? load_real(p, also(access, i < stored)).x : load_real(p, access).x;
}
constexpr float root_half = 0x1.6a09e6p-1f;

// --- types 2 and 3: even numbers, then odd ones backwards; the other side turned -----------------
template <unsigned n>
DEVICE unsigned interleaved(unsigned t, bool behind) {
  return behind ? 2 * n - 1 - 2 * t : 2 * t;
}
template <unsigned n, long long stride, class Number>
DEVICE Number* interleaved_at(Number* p, unsigned index, unsigned offset, bool behind) {
  return behind ? number_at<-2, stride>(p, index, 2ll * n - 1 - 2ll * offset)
                : number_at<2, stride>(p, index, 2ll * offset);
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_interleaved(const Number* p, unsigned index, unsigned offset, bool behind,
                               Access access = {}) {
  const float x = load_number<n, stored>(interleaved_at<n, stride>(p, index, offset, behind),
                                         interleaved<n>(index + offset, behind), access);
  return make_float2(sine && behind ? -x : x, 0.0f);
}

// ===== mirrored_numbers.cuh =====
// Cosine and sine transforms of types 1 to 3 by half as many points: the numbers of which a DFT is
// of real numbers go in pairs, as in mirrored.cuh; of points k and m - k together frequencies k and
// m - k are made, and of these the results, or the other way round. With N = 2 m, Z(m) = Z(0):
//
//   E = Z(k) + conj(Z(m - k)),  D = Z(k) - conj(Z(m - k)),  X(k) = (E + T) / 2,
//   X(m - k) = conj(E - T) / 2,  T = -i exp(-2 pi i k / N) D.
//
// In shared memory point k of transform b lies at place b row + k; in global memory numbers lie
// `stride` and transforms `apart` apart, of `count` in a block there are `columns`. A thread takes
// points k and m - k, of k up to (m - 1) / 2; the one with k = 0 the middle too. Threads take
// neighbours in global memory: points, or, where transforms lie side by side, these.
template <unsigned m, unsigned count, bool aside>
DEVICE constexpr unsigned pair_transform(unsigned p) {
  return count == 1 ? 0 : aside ? p % count : p / ((m + 1) / 2);
}
template <unsigned m, unsigned count, bool aside>
DEVICE constexpr unsigned pair_point(unsigned p) {
  return count == 1 ? p : aside ? p / count : p % ((m + 1) / 2);
}
// body(turn, transform, k) for each pair of the thread.
template <unsigned m, unsigned count, unsigned threads, bool aside, class Body>
DEVICE void for_each_pair(unsigned thread, const Body& body) {
#pragma unroll
  for (unsigned r = 0; r < mirrored_turns<m, count, threads>(); ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads;
    body(r, pair_transform<m, count, aside>(p), pair_point<m, count, aside>(p));
  }
}
template <unsigned count, long long stride, class Number>
DEVICE void put_number(Number* p, unsigned i, float value, bool there) {
  if (count == 1) {
    store_real(p + i * stride, make_float2(value, 0.0f));
  } else {
    store_real(p + i * stride, make_float2(value, 0.0f), When{there});
  }
}

// --- types 2 and 3 -------------------------------------------------------------------------------
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_interleaved_pair(const Number* p, unsigned index, unsigned offset, bool behind,
                                    bool other_behind, Access access = {}) {
  return make_float2(load_interleaved<n, stored, stride, sine, orthogonal>(p, 2 * index, 2 * offset,
                                                                           behind, access)
                         .x,
                     load_interleaved<n, stored, stride, sine, orthogonal>(
                         p, 2 * index, 2 * offset + 1, other_behind, access)
                         .x);
}

// n = 2 m numbers. With w = exp(-2 pi i / (4 n)) results 2 Re(w^k X(k)) and, at n - k, -2 Im are
// the parts of y = w^k E + w^k T and, at m - k and m + k, of exp(-pi i / 4) conj(w^k E - w^k T):
// the table has w^k and -i w^(5 k).
struct Turned {
  float2 low, high;  // real part: at k, at m - k; imaginary part, its negative: at n - k, at m + k
};
DEVICE Turned turned_results(Mirrored z, Factors f) {
  const float2 e = make_float2(z.low.x + z.high.x, z.low.y - z.high.y);
  const float2 d = make_float2(z.low.x - z.high.x, z.low.y + z.high.y);
  const float2 a = complex_product(e, f.first), b = complex_product(d, f.second);
  const float2 difference = make_float2(a.x - b.x, a.y - b.y);
  return {make_float2(a.x + b.x, a.y + b.y),
          make_float2(root_half * (difference.x - difference.y),
                      -(root_half * (difference.x + difference.y)))};
}
template <unsigned n, unsigned count, long long stride, bool sine, class Number>
DEVICE void put_turned(Number* p, unsigned i, float value, bool there) {
  put_number<count, stride>(p, sine ? n - 1 - i : i, value, there);
}
template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, bool sine, bool orthogonal, class Number>
DEVICE void store_turned_pairs(Number* out, const uint4* table, unsigned thread, unsigned columns) {
  constexpr unsigned n = 2 * m;
  for_each_pair<m, count, threads, (apart < stride)>(
      thread, [&](unsigned, unsigned transform, unsigned k) {
        const float2* from = shared_point(transform * row);
        Number* to = out + transform * apart;
        const bool there = transform < columns;
        const Mirrored z = {load_shared(from + k), load_shared(from + (k == 0 ? 0 : m - k))};
        const Turned y = turned_results(z, factors_of(load_table(table + k)));
        const float first = orthogonal && k == 0 ? y.low.x * root_half : y.low.x;
        put_turned<n, count, stride, sine>(to, k, first, there);
        put_turned<n, count, stride, sine>(to, m - k, y.high.x, there);
        if (k != 0) {
          put_turned<n, count, stride, sine>(to, n - k, -y.low.y, there);
          put_turned<n, count, stride, sine>(to, m + k, -y.high.y, there);
        }
        if (m % 2 == 0 && k == 0) {
          const float2 a = load_shared(from + m / 2);
          const Turned middle = turned_results({a, a}, factors_of(load_table(table + m / 2)));
          put_turned<n, count, stride, sine>(to, m / 2, middle.low.x, there);
          put_turned<n, count, stride, sine>(to, n - m / 2, -middle.low.y, there);
        }
      });
}

// ===== this plan =====
// The points of a thread
using Points = float2[16];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 4 & 14); }

DEVICE void load(Points& x, const float* p, unsigned index, unsigned column, unsigned columns) {
  x[0] = load_interleaved_pair<64u, 64u, 1, false, false>(p, index, 0, index >= 16u, index >= 16u,
                                                          When{column < columns});
  x[1] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 64, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 1 < columns});
  x[2] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 128, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 2 < columns});
  x[3] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 192, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 3 < columns});
  x[4] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 256, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 4 < columns});
  x[5] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 320, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 5 < columns});
  x[6] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 384, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 6 < columns});
  x[7] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 448, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 7 < columns});
  x[8] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 512, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 8 < columns});
  x[9] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 576, index, 0, index >= 16u,
                                                          index >= 16u, When{column + 9 < columns});
  x[10] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 640, index, 0, index >= 16u,
                                                           index >= 16u,
                                                           When{column + 10 < columns});
  x[11] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 704, index, 0, index >= 16u,
                                                           index >= 16u,
                                                           When{column + 11 < columns});
  x[12] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 768, index, 0, index >= 16u,
                                                           index >= 16u,
                                                           When{column + 12 < columns});
  x[13] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 832, index, 0, index >= 16u,
                                                           index >= 16u,
                                                           When{column + 13 < columns});
  x[14] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 896, index, 0, index >= 16u,
                                                           index >= 16u,
                                                           When{column + 14 < columns});
  x[15] = load_interleaved_pair<64u, 64u, 1, false, false>(p + 960, index, 0, index >= 16u,
                                                           index >= 16u,
                                                           When{column + 15 < columns});
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
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
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
  load_shared_pair(shared_point(place ^ 8) + 128, x[2], x[3]);
  load_shared_pair(shared_point(place) + 256, x[4], x[5]);
  load_shared_pair(shared_point(place ^ 8) + 384, x[6], x[7]);
  load_shared_pair(shared_point(place) + 512, x[8], x[9]);
  load_shared_pair(shared_point(place ^ 8) + 640, x[10], x[11]);
  load_shared_pair(shared_point(place) + 768, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 8) + 896, x[14], x[15]);
}
DEVICE void step_2(Points& x) {
  dft2(x[0], x[1]);
  dft2(x[2], x[3]);
  dft2(x[4], x[5]);
  dft2(x[6], x[7]);
  dft2(x[8], x[9]);
  dft2(x[10], x[11]);
  dft2(x[12], x[13]);
  dft2(x[14], x[15]);
}
DEVICE void write_in_order(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 16, x[1]);
  store_shared(shared_point(place) + 128, x[2]);
  store_shared(shared_point(place) + 144, x[3]);
  store_shared(shared_point(place) + 256, x[4]);
  store_shared(shared_point(place) + 272, x[5]);
  store_shared(shared_point(place) + 384, x[6]);
  store_shared(shared_point(place) + 400, x[7]);
  store_shared(shared_point(place) + 512, x[8]);
  store_shared(shared_point(place) + 528, x[9]);
  store_shared(shared_point(place) + 640, x[10]);
  store_shared(shared_point(place) + 656, x[11]);
  store_shared(shared_point(place) + 768, x[12]);
  store_shared(shared_point(place) + 784, x[13]);
  store_shared(shared_point(place) + 896, x[14]);
  store_shared(shared_point(place) + 912, x[15]);
}

// ===== the kernel =====
// One block transforms 1024 points: 32 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 12)
sonoma_dct2_f32_n64_forward_simt(
    const float* in, float* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 32ull * block_index();  // the first one
  in += transform * 64ull, out += transform * 64ull;
  const unsigned columns = at_most(batch - transform, 32);
  Points x;

  // Load: registers b%16 | threads t2 t1 b/16
  load(x, in + (thread / 32 * 1024), thread % 32, thread / 32 * 16, columns);

  // Exchange: from registers b%16 | threads t2 t1 b/16
  write_1(x, swizzle(thread % 32 + thread / 32 * 512));
  warp_barrier();

  // To registers t1 | threads t2 b
  read_1(x, swizzle(thread % 2 + thread / 2 * 32));

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);
  twiddle_1(x, tables + thread % 2);

  // Exchange: from registers k1 | threads t2 b
  write_2(x, swizzle(thread % 2 + thread / 2 * 32));
  block_barrier();

  // To registers t2 b/4 | threads k1 b%4
  read_2(x, swizzle(thread * 2));

  // Step 2: radix 2 over t2, butterflies in registers
  step_2(x);
  block_barrier();

  // To shared memory in order: from registers k2 b/4 | threads k1 b%4
  write_in_order(x, thread % 16 + thread / 16 * 32);
  block_barrier();

  // Of the pairs' frequencies those of the 64 real numbers, and store what is made of these
  store_turned_pairs<32, 32, 32, 1, 64, 64, false, false>(out, tables + 16, thread, columns);
}
