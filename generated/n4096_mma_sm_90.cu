// sonoma emit --n 4096 --decomposition "(gs 16 (gs 16 (dft 16)))" --engine mma
//     --tensor-steps 1,2 --products 3 --points-per-thread 16 --block-points 4096 --registers 80
//     --stage-load 1 --stage-store 0 --prefetch none --arch sm_90
//
// DFT of 4096 complex f32 points, forward, (gs 16 (gs 16 (dft 16)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine mma, 1 transform(s) a block, 256 threads, 16 points a thread, 32800 bytes shared, at
//     least 3 block(s) an SM
//   load through shared memory: registers t3%2 t1/2 | threads t3/2 t2 t1%2
//   phase 1: registers t1%2 t1/8 t2/8 t3%2 | threads t1/2%4 t2%8 t3/2 | folded t1 t2
//     step 1: radix 16, left (DFT matrix x tile)
//     step 2: radix 16, right (tile x DFT matrix)
//     leaves: registers k2%2 k1/8 k2/8 t3%2 | threads k2/2%4 k1%8 t3/2
//   phase 2: registers t3 | threads k1 k2
//     step 3: radix 16, butterflies in registers
//   store direct: registers k3 | threads k1 k2
//   one scale a transform, found by 8 warp(s)
//   point p lies at p ^ ((p >> 3 ^ p >> 7) & 14) in shared memory
//
// Costs of a transform: 245760 flops nominal, 384 MMAs (m16n8k16), 65536 bytes moved of 65536
//   needed.
// A block of 8 warps: 2 barriers, 2 trips through shared memory, 0 bank conflicts, 36864 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.53227e-06 (bound); of random input 1.339e-07.
//
// To launch it:
//   grid     batch blocks
//   block    256 threads
//   shared   32800 bytes, dynamic
//            where more than 5 blocks fit on an SM they shall take 44 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   36864 bytes
//            [0, 1024) DFT matrix of radix 16 times 2^10 in two halves, as fragments
//            [1024, 33792) after step 1: w^(k1 (t + 15 m / 2)), m = 256, w = exp(-2 pi i / 4096),
//              times 2^-12
//            [33792, 34816) DFT matrix of radix 16 times 2^10 in two halves, as fragments
//            [34816, 36864) after step 2: w^(k2 (t + 15 m / 2)), m = 16, w = exp(-2 pi i / 256),
//              times 2^-12
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
// The larger magnitude; that of the other where one is NaN.
DEVICE float max_magnitude(float a, float b) { return fmaxf(fabsf(a), fabsf(b)); }

// Two floats rounded to nearest even to FP16 and packed, `low` in the low 16 bits.
DEVICE unsigned pack_halves(float low, float high) {
#if __CUDA_ARCH__ >= 800
  unsigned packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
#else
  unsigned packed;
  asm("{ .reg .f16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
      : "=r"(packed)
      : "f"(low), "f"(high));
  return packed;
#endif
}
DEVICE float low_half(unsigned packed) {
  float value;
  asm("{ .reg .f16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(value) : "r"(packed));
  return value;
}
DEVICE float high_half(unsigned packed) {
  float value;
  asm("{ .reg .f16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(value) : "r"(packed));
  return value;
}

// --- a warp together (all 32 lanes call) ---------------------------------------------------------
DEVICE unsigned warp_max(unsigned value) {
#if __CUDA_ARCH__ >= 800
  unsigned largest;
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(largest) : "r"(value));
  return largest;
#else
#pragma unroll
  for (unsigned mask = 16; mask > 0; mask >>= 1) {
    value = max(value, __shfl_xor_sync(0xffffffffu, value, mask));
  }
  return value;
#endif
}
// d += A B: A 16x16 and B 16x8 of FP16, d 16x8 of FP32. With g = lane / 4, t = lane % 4
// (PTX ISA, "Matrix Fragments for mma.m16n8k16"):
//   a[0], a[1], a[2], a[3]: A(g, 2t..), A(g+8, 2t..), A(g, 2t+8..), A(g+8, 2t+8..), two columns
// each
//   b0, b1: B(2t.., g), B(2t+8.., g), two rows each
//   d[0], d[1], d[2], d[3]: D(g, 2t), D(g, 2t+1), D(g+8, 2t), D(g+8, 2t+1)
DEVICE void mma_m16n8k16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                         unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

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
DEVICE void store_global(T* p, T value) {
  *p = value;
}
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

// 16 bytes from global to shared memory; zeros, and nothing read, where `valid` is false. The data
// is there for the calling thread after wait_for_copies(), for the others after a barrier.
DEVICE void copy_async(float4* shared, const float4* global, bool valid = true) {
#if __CUDA_ARCH__ >= 800
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global),
               "r"(valid ? 16 : 0)
               : "memory");
#else
  *shared = valid ? *global : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#endif
}
DEVICE void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
#endif  // SONOMA_EMULATED

// ===== global.cuh =====
// How an access meets global memory: always; only when a condition holds, else the point reads as
// zero and is not stored; streamed: what is touched once is the first to leave the caches.
struct Always {};
template <class T>
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}

// ===== storage_32.cuh =====
template <class Access = Always>
DEVICE void store_point(float2* p, float2 a, Access access = {}) {
  store_word(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)), access);
}

// ===== points.cuh =====
// Complex points in registers, and their way to and from shared memory.

// 16 x 16 points of a warp, eight a lane.
struct Tile {
  float2 at[8];
};

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}
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
DEVICE void store_shared_pair(float2* place, float2 first, float2 second) {
  store_shared(reinterpret_cast<float4*>(place), make_float4(first.x, first.y, second.x, second.y));
}
// Two neighbours from global memory, without waiting.
DEVICE void copy_pair(float2* place, const float2* from, bool there = true) {
  copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), there);
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

// --- the largest magnitude -----------------------------------------------------------------------
DEVICE float with_point(float largest, float2 a) {
  return max_magnitude(max_magnitude(largest, a.x), a.y);
}
// Of two points that this thread has copied to shared memory.
DEVICE float with_copied_pair(float largest, const float2* place) {
  float2 a, b;
  load_shared_pair(place, a, b);
  return with_point(with_point(largest, a), b);
}

// ===== fold.cuh =====
// DFT of 16 points as two real products of 16 x 16, not four.
//
// About the centre 15/2 the cosines of a DFT are even and its sines odd in v. With e = x[v] +
// x[15-v], o = x[v] - x[15-v], v = 0 ... 7, sign -1 forward and +1 inverse,
//   X[k] = w^(15 k / 2) Z[k],  Re Z = cos e_re - sign sin o_im,  Im Z = cos e_im + sign sin o_re,
// cos and sin of 2 pi k (v - 15/2) / 16. So Z is one real matrix F = [cos, -sign sin] times two
// real vectors: (e_re, o_im) and (e_im, -o_re). fold() leaves the first in the real parts of the
// tile, the second in the imaginary parts. The factor w^(15 k / 2) is part of the twiddle.

enum class From { left, right };

// left: rows, v and 15 - v in registers r and r + 2. right: columns, r and r + 4.
template <From from>
DEVICE void fold(Tile& x) {
  constexpr unsigned other = from == From::left ? 2 : 4;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & other) continue;
    const float2 a = x.at[r], b = x.at[r + other];
    x.at[r] = make_float2(a.x + b.x, a.y + b.y);
    x.at[r + other] = make_float2(a.y - b.y, b.x - a.x);
  }
}

// The same for `scale` times the points. The products are exact (a power of two), so that the fused
// sums are those of the scaled points.
template <From from>
DEVICE void scaled_fold(Tile& x, float scale) {
  constexpr unsigned other = from == From::left ? 2 : 4;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & other) continue;
    const float2 a = x.at[r], b = make_float2(x.at[r + other].x * scale, x.at[r + other].y * scale);
    x.at[r] = make_float2(fused_multiply_add(a.x, scale, b.x), fused_multiply_add(a.y, scale, b.y));
    x.at[r + other] =
        make_float2(fused_multiply_add(a.y, scale, -b.y), fused_multiply_add(-a.x, scale, b.x));
  }
}

// ===== split.cuh =====
// FP32 points to pairs of FP16 halves under a power-of-two scale, and back.

// --- one scale for a transform ------------------------------------------------------------------
// The maximum of each warp, `place` bytes into shared memory.
DEVICE void publish_max(unsigned place, unsigned largest) {
  largest = warp_max(largest);
  unsigned* maxima = reinterpret_cast<unsigned*>(dynamic_shared() + place);
  if (thread_index() % 32 == 0) store_shared(maxima + thread_index() / 32, largest);
}
// Over the `warps` warps of a transform, which follow each other.
template <unsigned warps>
DEVICE unsigned published_max(unsigned place) {
  const unsigned* maxima = reinterpret_cast<const unsigned*>(dynamic_shared() + place);
  const unsigned first = thread_index() / 32 / warps * warps;
  return warp_max(load_shared(maxima + first + thread_index() % warps));
}

// 2^k takes the largest magnitude to [2^(target-1), 2^target), k <= most. A transform that is not
// finite gets some scale, which does not matter.
template <int target, int most>
DEVICE unsigned transform_exponent(unsigned largest) {  // k + 127
  const unsigned wanted = 127 + target - 1 + 127 - (largest >> 23);
  return wanted < 127 + most ? wanted : 127 + most;
}
template <int target, int most>
DEVICE float transform_scale(unsigned largest) {
  return float_of(transform_exponent<target, most>(largest) << 23);
}
// 2^(power - k), exact, possibly subnormal.
template <int target, int most, int power>
DEVICE float transform_undo(unsigned largest) {
  const int e = 254 + power - static_cast<int>(transform_exponent<target, most>(largest));
  return float_of(e > 0 ? static_cast<unsigned>(e) << 23 : 0x00800000u >> (1 - e));
}

// --- a scale for each step and group ------------------------------------------------------------
// Halves of a pair of registers in one word, and what they leave.
struct SplitPair {
  unsigned hi, lo;
  float rest[2];
};
DEVICE SplitPair split_pair(float a, float b) {
  SplitPair s;
  s.hi = pack_halves(a, b);
  const float a_lo = a - low_half(s.hi), b_lo = b - high_half(s.hi);
  s.lo = pack_halves(a_lo, b_lo);
  s.rest[0] = a_lo - low_half(s.lo), s.rest[1] = b_lo - high_half(s.lo);
  return s;
}

// x 2^k = hi + lo, up to 2^-23 x.
struct SplitTile {
  static constexpr unsigned parts = 2;
  unsigned re_hi[4], re_lo[4], im_hi[4], im_lo[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, im_hi[q] = im.hi, im_lo[q] = im.lo;
  }
};

// Under the one scale of the transform, or under none because it is on already.
template <class Halves>
DEVICE Halves split_transform(const Tile& x, float scale = 1.0f) {
  Halves halves;
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    const float2 a = x.at[2 * q], b = x.at[2 * q + 1];
    halves.keep(q, split_pair(a.x * scale, b.x * scale), split_pair(a.y * scale, b.y * scale));
  }
  return halves;
}

// What the tensor cores return, by register of the accumulator layout. The corrections are
// accumulated apart, because tensor cores truncate what they add to a larger sum. (A single product
// has none.)
struct Product {
  float re[8], im[8], re_correction[8], im_correction[8];
};

template <unsigned products>
DEVICE float2 joined(const Product& y, unsigned r) {
  if constexpr (products == 1) return make_float2(y.re[r], y.im[r]);
  return make_float2(y.re[r] + y.re_correction[r], y.im[r] + y.im_correction[r]);
}

// Main product + corrections, in FP32.
template <unsigned products>
DEVICE void join(Tile& x, const Product& y) {
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) x.at[r] = joined<products>(y, r);
}

// ===== mma_ptx.cuh =====
// Products of DFT matrices and split tiles with mma.sync.
//
// Layouts of a tile, with g = lane / 4, t = lane % 4 and register r = i0 + 2 i1 + 4 i2:
//   operand:      row = 2t + i0 + 8 i1, column = g + 8 i2   (fragment B)
//   accumulator:  row = g + 8 i1, column = 2t + i0 + 8 i2   (fragments A and C)
// left: DFT over rows, operand -> accumulator. right: DFT over columns, accumulator -> accumulator.
// A real 16 x 16 matrix F, hi and lo. For products from the left: the words of fragment A of F.
// From the right: two words of fragment B of its transpose for output columns 0-7, two for 8-15.
// Radix 16: the folded DFT of fold.cuh. Radix 8 and below: [cos -sin; sin cos] of eight complex
// values, of which radix r < 8 transforms 8 / r groups; radix <= 4 is exact in FP16: it has no lo,
// and takes a third part of the data instead.
struct Matrix {
  uint4 hi, lo;
};
DEVICE Matrix load_matrix(const uint4* table) {
  const unsigned lane = thread_index() % 32;
  return {load_table(table + lane), load_table(table + 32 + lane)};
}

// d += F x: x two words of fragment B.
DEVICE void add_left(float (&d)[4], const uint4& f, unsigned b0, unsigned b1) {
  mma_m16n8k16(d, f.x, f.y, f.z, f.w, b0, b1);
}
// d += x F^T, output columns 0-7 (half 0) or 8-15 (half 1): x four words of fragment A.
template <unsigned half>
DEVICE void add_right(float (&d)[4], const unsigned* a, const uint4& f) {
  mma_m16n8k16(d, a[0], a[1], a[2], a[3], half ? f.z : f.x, half ? f.w : f.y);
}

// y = F x of the real or of the imaginary parts, eight columns j at a time. `products`: hi hi; with
// 3 also lo hi and hi lo; with 4 also lo lo.
template <unsigned products>
DEVICE void left16_part(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                        const unsigned (&hi)[4], const unsigned* lo) {
#pragma unroll
  for (unsigned j = 0; j < 2; ++j) {
    float main[4] = {}, correction[4] = {};
    add_left(main, f.hi, hi[2 * j], hi[2 * j + 1]);
    if constexpr (products == 4) add_left(correction, f.lo, lo[2 * j], lo[2 * j + 1]);
    if constexpr (products > 1) {
      add_left(correction, f.lo, hi[2 * j], hi[2 * j + 1]);
      add_left(correction, f.hi, lo[2 * j], lo[2 * j + 1]);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      y[4 * j + e] = main[e], y_correction[4 * j + e] = correction[e];
    }
  }
}
template <unsigned products, class Halves>
DEVICE Product left16(const Matrix& f, const Halves& x) {
  Product y;
  if constexpr (products == 1) {
    left16_part<1>(y.re, y.re_correction, f, x.re_hi, nullptr);
    left16_part<1>(y.im, y.im_correction, f, x.im_hi, nullptr);
  } else {
    left16_part<products>(y.re, y.re_correction, f, x.re_hi, x.re_lo);
    left16_part<products>(y.im, y.im_correction, f, x.im_hi, x.im_lo);
  }
  return y;
}

// y = x F^T of the real or of the imaginary parts, eight columns at a time.
template <unsigned products, unsigned half>
DEVICE void right16_half(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                         const unsigned (&hi)[4], const unsigned* lo) {
  float main[4] = {}, correction[4] = {};
  add_right<half>(main, hi, f.hi);
  if constexpr (products == 4) add_right<half>(correction, lo, f.lo);
  if constexpr (products > 1) {
    add_right<half>(correction, hi, f.lo);
    add_right<half>(correction, lo, f.hi);
  }
#pragma unroll
  for (unsigned e = 0; e < 4; ++e) {
    y[4 * half + e] = main[e], y_correction[4 * half + e] = correction[e];
  }
}
template <unsigned products>
DEVICE void right16_part(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                         const unsigned (&hi)[4], const unsigned* lo) {
  right16_half<products, 0>(y, y_correction, f, hi, lo);
  right16_half<products, 1>(y, y_correction, f, hi, lo);
}
template <unsigned products, class Halves>
DEVICE Product right16(const Matrix& f, const Halves& x) {
  Product y;
  if constexpr (products == 1) {
    right16_part<1>(y.re, y.re_correction, f, x.re_hi, nullptr);
    right16_part<1>(y.im, y.im_correction, f, x.im_hi, nullptr);
  } else {
    right16_part<products>(y.re, y.re_correction, f, x.re_hi, x.re_lo);
    right16_part<products>(y.im, y.im_correction, f, x.im_hi, x.im_lo);
  }
  return y;
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

// ===== this plan =====
// The points of a thread
using Points = Tile[2];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 3 ^ p >> 7) & 14); }

DEVICE void copy(unsigned place, const float2* p) {
  copy_pair(shared_point(place), p);
  copy_pair(shared_point(place ^ 4) + 512, p + 512);
  copy_pair(shared_point(place ^ 8) + 1024, p + 1024);
  copy_pair(shared_point(place ^ 12) + 1536, p + 1536);
  copy_pair(shared_point(place) + 2048, p + 2048);
  copy_pair(shared_point(place ^ 4) + 2560, p + 2560);
  copy_pair(shared_point(place ^ 8) + 3072, p + 3072);
  copy_pair(shared_point(place ^ 12) + 3584, p + 3584);
}
DEVICE unsigned largest_magnitude(unsigned place) {
  float largest = 0;
  largest = with_copied_pair(largest, shared_point(place));
  largest = with_copied_pair(largest, shared_point(place ^ 4) + 512);
  largest = with_copied_pair(largest, shared_point(place ^ 8) + 1024);
  largest = with_copied_pair(largest, shared_point(place ^ 12) + 1536);
  largest = with_copied_pair(largest, shared_point(place) + 2048);
  largest = with_copied_pair(largest, shared_point(place ^ 4) + 2560);
  largest = with_copied_pair(largest, shared_point(place ^ 8) + 3072);
  largest = with_copied_pair(largest, shared_point(place ^ 12) + 3584);
  return bits_of(largest);
}
DEVICE void read_0(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0].at[0], x[1].at[0]);
  load_shared_pair(shared_point(place ^ 2) + 256, x[0].at[1], x[1].at[1]);
  load_shared_pair(shared_point(place ^ 1550) + 2304, x[0].at[2], x[1].at[2]);
  load_shared_pair(shared_point(place ^ 1548) + 2048, x[0].at[3], x[1].at[3]);
  load_shared_pair(shared_point(place ^ 126) + 128, x[0].at[4], x[1].at[4]);
  load_shared_pair(shared_point(place ^ 124) + 384, x[0].at[5], x[1].at[5]);
  load_shared_pair(shared_point(place ^ 1648) + 2432, x[0].at[6], x[1].at[6]);
  load_shared_pair(shared_point(place ^ 1650) + 2176, x[0].at[7], x[1].at[7]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  const Factors w1 = factors_of(load_table(f + 256));
  x[0].at[2] = complex_product(x[0].at[2], w1.first);
  x[0].at[3] = complex_product(x[0].at[3], w1.second);
  const Factors w2 = factors_of(load_table(f + 512));
  x[0].at[4] = complex_product(x[0].at[4], w2.first);
  x[0].at[5] = complex_product(x[0].at[5], w2.second);
  const Factors w3 = factors_of(load_table(f + 768));
  x[0].at[6] = complex_product(x[0].at[6], w3.first);
  x[0].at[7] = complex_product(x[0].at[7], w3.second);
  const Factors w4 = factors_of(load_table(f + 1024));
  x[1].at[0] = complex_product(x[1].at[0], w4.first);
  x[1].at[1] = complex_product(x[1].at[1], w4.second);
  const Factors w5 = factors_of(load_table(f + 1280));
  x[1].at[2] = complex_product(x[1].at[2], w5.first);
  x[1].at[3] = complex_product(x[1].at[3], w5.second);
  const Factors w6 = factors_of(load_table(f + 1536));
  x[1].at[4] = complex_product(x[1].at[4], w6.first);
  x[1].at[5] = complex_product(x[1].at[5], w6.second);
  const Factors w7 = factors_of(load_table(f + 1792));
  x[1].at[6] = complex_product(x[1].at[6], w7.first);
  x[1].at[7] = complex_product(x[1].at[7], w7.second);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  x[0].at[2] = complex_product(x[0].at[2], w0.first);
  x[0].at[3] = complex_product(x[0].at[3], w0.second);
  const Factors w1 = factors_of(load_table(f + 32));
  x[0].at[4] = complex_product(x[0].at[4], w1.first);
  x[0].at[5] = complex_product(x[0].at[5], w1.second);
  x[0].at[6] = complex_product(x[0].at[6], w1.first);
  x[0].at[7] = complex_product(x[0].at[7], w1.second);
  const Factors w2 = factors_of(load_table(f + 64));
  x[1].at[0] = complex_product(x[1].at[0], w2.first);
  x[1].at[1] = complex_product(x[1].at[1], w2.second);
  x[1].at[2] = complex_product(x[1].at[2], w2.first);
  x[1].at[3] = complex_product(x[1].at[3], w2.second);
  const Factors w3 = factors_of(load_table(f + 96));
  x[1].at[4] = complex_product(x[1].at[4], w3.first);
  x[1].at[5] = complex_product(x[1].at[5], w3.second);
  x[1].at[6] = complex_product(x[1].at[6], w3.first);
  x[1].at[7] = complex_product(x[1].at[7], w3.second);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared_pair(shared_point(place), x[0].at[0], x[1].at[0]);
  store_shared_pair(shared_point(place ^ 2) + 16, x[0].at[1], x[1].at[1]);
  store_shared_pair(shared_point(place) + 2048, x[0].at[2], x[1].at[2]);
  store_shared_pair(shared_point(place ^ 2) + 2064, x[0].at[3], x[1].at[3]);
  store_shared_pair(shared_point(place) + 128, x[0].at[4], x[1].at[4]);
  store_shared_pair(shared_point(place ^ 2) + 144, x[0].at[5], x[1].at[5]);
  store_shared_pair(shared_point(place) + 2176, x[0].at[6], x[1].at[6]);
  store_shared_pair(shared_point(place ^ 2) + 2192, x[0].at[7], x[1].at[7]);
}
DEVICE void read_1(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0].at[0], x[0].at[1]);
  load_shared_pair(shared_point(place ^ 2), x[0].at[2], x[0].at[3]);
  load_shared_pair(shared_point(place ^ 4), x[0].at[4], x[0].at[5]);
  load_shared_pair(shared_point(place ^ 6), x[0].at[6], x[0].at[7]);
  load_shared_pair(shared_point(place ^ 8), x[1].at[0], x[1].at[1]);
  load_shared_pair(shared_point(place ^ 10), x[1].at[2], x[1].at[3]);
  load_shared_pair(shared_point(place ^ 12), x[1].at[4], x[1].at[5]);
  load_shared_pair(shared_point(place ^ 14), x[1].at[6], x[1].at[7]);
}
DEVICE void step_3(Points& x) {
  dft16<-1>(x[0].at[0], x[0].at[1], x[0].at[2], x[0].at[3], x[0].at[4], x[0].at[5], x[0].at[6],
            x[0].at[7], x[1].at[0], x[1].at[1], x[1].at[2], x[1].at[3], x[1].at[4], x[1].at[5],
            x[1].at[6], x[1].at[7]);
}
DEVICE void multiply(Points& x, float factor) {
  x[0].at[0] = scaled(x[0].at[0], factor);
  x[0].at[1] = scaled(x[0].at[1], factor);
  x[0].at[2] = scaled(x[0].at[2], factor);
  x[0].at[3] = scaled(x[0].at[3], factor);
  x[0].at[4] = scaled(x[0].at[4], factor);
  x[0].at[5] = scaled(x[0].at[5], factor);
  x[0].at[6] = scaled(x[0].at[6], factor);
  x[0].at[7] = scaled(x[0].at[7], factor);
  x[1].at[0] = scaled(x[1].at[0], factor);
  x[1].at[1] = scaled(x[1].at[1], factor);
  x[1].at[2] = scaled(x[1].at[2], factor);
  x[1].at[3] = scaled(x[1].at[3], factor);
  x[1].at[4] = scaled(x[1].at[4], factor);
  x[1].at[5] = scaled(x[1].at[5], factor);
  x[1].at[6] = scaled(x[1].at[6], factor);
  x[1].at[7] = scaled(x[1].at[7], factor);
}
DEVICE void store(Points& x, float2* p) {
  store_point(p, x[0].at[0]);
  store_point(p + 256, x[0].at[1]);
  store_point(p + 512, x[0].at[2]);
  store_point(p + 768, x[0].at[3]);
  store_point(p + 1024, x[0].at[4]);
  store_point(p + 1280, x[0].at[5]);
  store_point(p + 1536, x[0].at[6]);
  store_point(p + 1792, x[0].at[7]);
  store_point(p + 2048, x[1].at[0]);
  store_point(p + 2304, x[1].at[1]);
  store_point(p + 2560, x[1].at[2]);
  store_point(p + 2816, x[1].at[3]);
  store_point(p + 3072, x[1].at[4]);
  store_point(p + 3328, x[1].at[5]);
  store_point(p + 3584, x[1].at[6]);
  store_point(p + 3840, x[1].at[7]);
}

// ===== the kernel =====
// One block transforms 4096 points: 1 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(256, 3)
sonoma_c2c_f32_n4096_forward_mma(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = block_index();
  in += transform * 4096ull, out += transform * 4096ull;
  Points x;

  // Load, asynchronously, to shared memory: registers t3%2 t1/2 | threads t3/2 t2 t1%2
  copy(swizzle(thread * 2), in + (thread * 2));
  wait_for_copies();

  // The largest magnitude of the transform gives its scale
  publish_max(32768, largest_magnitude(swizzle(thread * 2)));
  block_barrier();
  const float scale = transform_scale<12, 126>(published_max<8>(32768));

  // To registers t1%2 t1/8 t2/8 t3%2 | threads t1/2%4 t2%8 t3/2 | folded t1 t2
  read_0(x, swizzle(thread % 4 * 512 + thread / 4 % 8 * 16 + thread / 32 * 2));

  const Matrix f16_left = load_matrix(tables);

  // Step 1: radix 16 over t1, DFT matrix x tile, over rows
  scaled_fold<From::left>(x[0], scale);
  const SplitTile halves1a = split_transform<SplitTile>(x[0]);
  const Product product1a = left16<3>(f16_left, halves1a);
  join<3>(x[0], product1a);
  scaled_fold<From::left>(x[1], scale);
  const SplitTile halves1b = split_transform<SplitTile>(x[1]);
  const Product product1b = left16<3>(f16_left, halves1b);
  join<3>(x[1], product1b);
  twiddle_1(x, tables + 64 + thread);

  const Matrix f16_right = load_matrix(tables + 2112);

  // Step 2: radix 16 over t2, tile x DFT matrix, over columns
  fold<From::right>(x[0]);
  const SplitTile halves2a = split_transform<SplitTile>(x[0]);
  const Product product2a = right16<3>(f16_right, halves2a);
  join<3>(x[0], product2a);
  fold<From::right>(x[1]);
  const SplitTile halves2b = split_transform<SplitTile>(x[1]);
  const Product product2b = right16<3>(f16_right, halves2b);
  join<3>(x[1], product2b);
  twiddle_2(x, tables + 2176 + thread % 4 + thread / 32 * 4);
  warp_barrier();

  // Exchange: from registers k2%2 k1/8 k2/8 t3%2 | threads k2/2%4 k1%8 t3/2
  write_1(x, swizzle(thread % 4 * 32 + thread / 4 % 8 * 256 + thread / 32 * 2));
  block_barrier();

  // To registers t3 | threads k1 k2
  read_1(x, swizzle(thread % 16 * 256 + thread / 16 * 16));

  // Step 3: radix 16 over t3, butterflies in registers
  step_3(x);

  // The scale undone
  multiply(x, transform_undo<12, 126, 4>(published_max<8>(32768)));

  // Store: registers k3 | threads k1 k2
  store(x, out + thread);
}
