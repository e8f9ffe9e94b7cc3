// sonoma emit --n 1024 --decomposition "(gs 4 (gs 4 (gs 4 (gs 4 (dft 4)))))" --engine mma
//     --tensor-steps 1,2,3,4,5 --products 3 --points-per-thread 16 --block-points 1024
//     --registers 128 --stage-load 0 --stage-store 0 --prefetch none --arch sm_90
//
// DFT of 1024 complex f32 points, forward, (gs 4 (gs 4 (gs 4 (gs 4 (dft 4)))))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine mma, 1 transform(s) a block, 64 threads, 16 points a thread, 8200 bytes shared, at least
//     8 block(s) an SM
//   load direct: registers t1%2 t5%2 t4/2 t3%2 | threads t1/2 t5/2 t2 t4%2 t3/2
//   phase 1: registers t1%2 t5%2 t4/2 t3%2 | threads t1/2 t5/2 t2 t4%2 t3/2
//     step 1: radix 4, left (DFT matrix x tile)
//     step 2: radix 4, right (tile x DFT matrix)
//     leaves: registers k2%2 t5%2 t4/2 t3%2 | threads k2/2 t4%2 k1 t5/2 t3/2
//   phase 2: registers t3%2 t5%2 k2/2 k1%2 | threads t3/2 t5/2 t4 k2%2 k1/2
//     step 3: radix 4, left (DFT matrix x tile)
//     step 4: radix 4, right (tile x DFT matrix)
//     leaves: registers k4%2 t5%2 k2/2 k1%2 | threads k4/2 k2%2 k3 t5/2 k1/2
//   phase 3: registers t5%2 k1%2 k3/2 k4%2 | threads t5/2 k3%2 k1/2 k2 k4/2
//     step 5: radix 4, right (tile x DFT matrix)
//   store direct: registers k5%2 k1%2 k3/2 k4%2 | threads k5/2 k3%2 k1/2 k2 k4/2
//   one scale a transform, found by 2 warp(s)
//   point p lies at p ^ ((p >> 3 ^ p >> 4 ^ p >> 7) & 14) in shared memory
//
// Costs of a transform: 51200 flops nominal, 240 MMAs (m16n8k16), 16384 bytes moved of 16384
//   needed.
// A block of 2 warps: 3 barriers, 2 trips through shared memory, 128 bank conflicts, 12928 bytes of
//   tables.
// |error|_2 / |result|_2 <= 1.99865e-06 (bound); of random input 8.58954e-08.
//
// To launch it:
//   grid     batch blocks
//   block    64 threads
//   shared   8200 bytes, dynamic
//            where more than 21 blocks fit on an SM they shall take 32 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   12928 bytes
//            [0, 1024) DFT matrix of radix 4 times 2^10 in two halves, as fragments
//            [1024, 9216) after step 1: w^(k1 t), w = exp(-2 pi i / 1024), times 2^-11
//            [9216, 10240) DFT matrix of radix 4 times 2^10 in two halves, as fragments
//            [10240, 12288) after step 2: w^(k2 t), w = exp(-2 pi i / 256), times 2^-11
//            [12288, 12800) after step 3: w^(k3 t), w = exp(-2 pi i / 64), times 2^-11
//            [12800, 12928) after step 4: w^(k4 t), w = exp(-2 pi i / 16), times 2^-11
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
DEVICE T load_global(const T* p) {
  return *p;
}
template <class T>
DEVICE void store_global(T* p, T value) {
  *p = value;
}
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

#endif  // SONOMA_EMULATED

// ===== global.cuh =====
// How an access meets global memory: always; only when a condition holds, else the point reads as
// zero and is not stored; streamed: what is touched once is the first to leave the caches.
struct Always {};
template <class T>
DEVICE T load_word(const T* p, Always) {
  return load_global(p);
}
template <class T>
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}

// ===== storage_32.cuh =====
template <class Access = Always>
DEVICE void load_pair(const float2* p, float2& first, float2& second, Access access = {}) {
  const uint4 a = load_word(reinterpret_cast<const uint4*>(p), access);
  first = make_float2(float_of(a.x), float_of(a.y));
  second = make_float2(float_of(a.z), float_of(a.w));
}
template <class Access = Always>
DEVICE void store_pair(float2* p, float2 first, float2 second, Access access = {}) {
  store_word(reinterpret_cast<uint4*>(p),
             make_uint4(bits_of(first.x), bits_of(first.y), bits_of(second.x), bits_of(second.y)),
             access);
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

// The same with what is left: x 2^k = hi + lo + rest, exactly. For matrices that are exact
// themselves.
struct SplitTile3 {
  static constexpr unsigned parts = 3;
  unsigned re_hi[4], re_lo[4], re_rest[4], im_hi[4], im_lo[4], im_rest[4];
  __device__ void keep(unsigned q, const SplitPair& re, const SplitPair& im) {
    re_hi[q] = re.hi, re_lo[q] = re.lo, re_rest[q] = pack_halves(re.rest[0], re.rest[1]);
    im_hi[q] = im.hi, im_lo[q] = im.lo, im_rest[q] = pack_halves(im.rest[0], im.rest[1]);
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

// Eight rows h and eight columns j at a time: rows 0-7 of a fragment are real parts, 8-15
// imaginary.
template <unsigned radix, unsigned products, class Halves>
DEVICE Product left8(const Matrix& f, const Halves& x) {
  Product y;
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {  // q = h + 2 j
    float main[4] = {}, correction[4] = {};
    add_left(main, f.hi, x.re_hi[q], x.im_hi[q]);
    if constexpr (products > 1 && radix <= 4) {
      add_left(correction, f.hi, x.re_rest[q], x.im_rest[q]);
    } else if constexpr (products > 1) {
      if constexpr (products == 4) add_left(correction, f.lo, x.re_lo[q], x.im_lo[q]);
      add_left(correction, f.lo, x.re_hi[q], x.im_hi[q]);
    }
    if constexpr (products > 1) add_left(correction, f.hi, x.re_lo[q], x.im_lo[q]);
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
      y.re[2 * q + i] = main[i], y.re_correction[2 * q + i] = correction[i];
      y.im[2 * q + i] = main[2 + i], y.im_correction[2 * q + i] = correction[2 + i];
    }
  }
  return y;
}

// The words of columns 8 h ... 8 h + 7 of a tile as fragment A: real parts first, then imaginary.
struct FragmentA {
  unsigned word[4];
};
DEVICE FragmentA half_columns(const unsigned (&re)[4], const unsigned (&im)[4], unsigned h) {
  return {{re[2 * h], re[2 * h + 1], im[2 * h], im[2 * h + 1]}};
}

// Output columns 0-7 of a product are real parts (half 0), 8-15 imaginary (half 1).
template <unsigned radix, unsigned products, unsigned half, class Halves>
DEVICE void right8_half(float (&y)[8], float (&y_correction)[8], const Matrix& f, const Halves& x) {
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) {
    float main[4] = {}, correction[4] = {};
    const FragmentA hi = half_columns(x.re_hi, x.im_hi, h);
    add_right<half>(main, hi.word, f.hi);
    if constexpr (products > 1) {
      const FragmentA lo = half_columns(x.re_lo, x.im_lo, h);
      if constexpr (radix <= 4) {
        add_right<half>(correction, half_columns(x.re_rest, x.im_rest, h).word, f.hi);
      } else {
        if constexpr (products == 4) add_right<half>(correction, lo.word, f.lo);
        add_right<half>(correction, hi.word, f.lo);
      }
      add_right<half>(correction, lo.word, f.hi);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      y[4 * h + e] = main[e], y_correction[4 * h + e] = correction[e];
    }
  }
}
template <unsigned radix, unsigned products, class Halves>
DEVICE Product right8(const Matrix& f, const Halves& x) {
  Product y;
  right8_half<radix, products, 0>(y.re, y.re_correction, f, x);
  right8_half<radix, products, 1>(y.im, y.im_correction, f, x);
  return y;
}

// ===== this plan =====
// The points of a thread
using Points = Tile[2];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 3 ^ p >> 4 ^ p >> 7) & 14); }

DEVICE void load(Points& x, const float2* p) {
  load_pair(p, x[0].at[0], x[0].at[2]);
  load_pair(p + 256, x[0].at[1], x[0].at[3]);
  load_pair(p + 8, x[0].at[4], x[0].at[6]);
  load_pair(p + 264, x[0].at[5], x[0].at[7]);
  load_pair(p + 16, x[1].at[0], x[1].at[2]);
  load_pair(p + 272, x[1].at[1], x[1].at[3]);
  load_pair(p + 24, x[1].at[4], x[1].at[6]);
  load_pair(p + 280, x[1].at[5], x[1].at[7]);
}
DEVICE unsigned largest_magnitude(Points& x) {
  float largest = 0;
  largest = with_point(largest, x[0].at[0]);
  largest = with_point(largest, x[0].at[1]);
  largest = with_point(largest, x[0].at[2]);
  largest = with_point(largest, x[0].at[3]);
  largest = with_point(largest, x[0].at[4]);
  largest = with_point(largest, x[0].at[5]);
  largest = with_point(largest, x[0].at[6]);
  largest = with_point(largest, x[0].at[7]);
  largest = with_point(largest, x[1].at[0]);
  largest = with_point(largest, x[1].at[1]);
  largest = with_point(largest, x[1].at[2]);
  largest = with_point(largest, x[1].at[3]);
  largest = with_point(largest, x[1].at[4]);
  largest = with_point(largest, x[1].at[5]);
  largest = with_point(largest, x[1].at[6]);
  largest = with_point(largest, x[1].at[7]);
  return bits_of(largest);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  const Factors w1 = factors_of(load_table(f + 64));
  x[0].at[2] = complex_product(x[0].at[2], w1.first);
  x[0].at[3] = complex_product(x[0].at[3], w1.second);
  const Factors w2 = factors_of(load_table(f + 128));
  x[0].at[4] = complex_product(x[0].at[4], w2.first);
  x[0].at[5] = complex_product(x[0].at[5], w2.second);
  const Factors w3 = factors_of(load_table(f + 192));
  x[0].at[6] = complex_product(x[0].at[6], w3.first);
  x[0].at[7] = complex_product(x[0].at[7], w3.second);
  const Factors w4 = factors_of(load_table(f + 256));
  x[1].at[0] = complex_product(x[1].at[0], w4.first);
  x[1].at[1] = complex_product(x[1].at[1], w4.second);
  const Factors w5 = factors_of(load_table(f + 320));
  x[1].at[2] = complex_product(x[1].at[2], w5.first);
  x[1].at[3] = complex_product(x[1].at[3], w5.second);
  const Factors w6 = factors_of(load_table(f + 384));
  x[1].at[4] = complex_product(x[1].at[4], w6.first);
  x[1].at[5] = complex_product(x[1].at[5], w6.second);
  const Factors w7 = factors_of(load_table(f + 448));
  x[1].at[6] = complex_product(x[1].at[6], w7.first);
  x[1].at[7] = complex_product(x[1].at[7], w7.second);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  const Factors w1 = factors_of(load_table(f + 16));
  x[0].at[2] = complex_product(x[0].at[2], w1.first);
  x[0].at[3] = complex_product(x[0].at[3], w1.second);
  const Factors w2 = factors_of(load_table(f + 32));
  x[0].at[4] = complex_product(x[0].at[4], w2.first);
  x[0].at[5] = complex_product(x[0].at[5], w2.second);
  const Factors w3 = factors_of(load_table(f + 48));
  x[0].at[6] = complex_product(x[0].at[6], w3.first);
  x[0].at[7] = complex_product(x[0].at[7], w3.second);
  const Factors w4 = factors_of(load_table(f + 64));
  x[1].at[0] = complex_product(x[1].at[0], w4.first);
  x[1].at[1] = complex_product(x[1].at[1], w4.second);
  const Factors w5 = factors_of(load_table(f + 80));
  x[1].at[2] = complex_product(x[1].at[2], w5.first);
  x[1].at[3] = complex_product(x[1].at[3], w5.second);
  const Factors w6 = factors_of(load_table(f + 96));
  x[1].at[4] = complex_product(x[1].at[4], w6.first);
  x[1].at[5] = complex_product(x[1].at[5], w6.second);
  const Factors w7 = factors_of(load_table(f + 112));
  x[1].at[6] = complex_product(x[1].at[6], w7.first);
  x[1].at[7] = complex_product(x[1].at[7], w7.second);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared_pair(shared_point(place), x[0].at[0], x[0].at[2]);
  store_shared_pair(shared_point(place ^ 12) + 64, x[0].at[1], x[0].at[3]);
  store_shared_pair(shared_point(place ^ 8), x[0].at[4], x[0].at[6]);
  store_shared_pair(shared_point(place ^ 4) + 64, x[0].at[5], x[0].at[7]);
  store_shared_pair(shared_point(place ^ 2) + 16, x[1].at[0], x[1].at[2]);
  store_shared_pair(shared_point(place ^ 14) + 80, x[1].at[1], x[1].at[3]);
  store_shared_pair(shared_point(place ^ 10) + 16, x[1].at[4], x[1].at[6]);
  store_shared_pair(shared_point(place ^ 6) + 80, x[1].at[5], x[1].at[7]);
}
DEVICE void read_1(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0].at[0], x[0].at[2]);
  load_shared_pair(shared_point(place ^ 2) + 16, x[0].at[1], x[0].at[3]);
  load_shared_pair(shared_point(place ^ 8) + 128, x[0].at[4], x[0].at[6]);
  load_shared_pair(shared_point(place ^ 10) + 144, x[0].at[5], x[0].at[7]);
  load_shared_pair(shared_point(place ^ 2) + 256, x[1].at[0], x[1].at[2]);
  load_shared_pair(shared_point(place) + 272, x[1].at[1], x[1].at[3]);
  load_shared_pair(shared_point(place ^ 10) + 384, x[1].at[4], x[1].at[6]);
  load_shared_pair(shared_point(place ^ 8) + 400, x[1].at[5], x[1].at[7]);
}
DEVICE void twiddle_3(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  x[0].at[4] = complex_product(x[0].at[4], w0.first);
  x[0].at[5] = complex_product(x[0].at[5], w0.second);
  x[1].at[0] = complex_product(x[1].at[0], w0.first);
  x[1].at[1] = complex_product(x[1].at[1], w0.second);
  x[1].at[4] = complex_product(x[1].at[4], w0.first);
  x[1].at[5] = complex_product(x[1].at[5], w0.second);
  const Factors w1 = factors_of(load_table(f + 16));
  x[0].at[2] = complex_product(x[0].at[2], w1.first);
  x[0].at[3] = complex_product(x[0].at[3], w1.second);
  x[0].at[6] = complex_product(x[0].at[6], w1.first);
  x[0].at[7] = complex_product(x[0].at[7], w1.second);
  x[1].at[2] = complex_product(x[1].at[2], w1.first);
  x[1].at[3] = complex_product(x[1].at[3], w1.second);
  x[1].at[6] = complex_product(x[1].at[6], w1.first);
  x[1].at[7] = complex_product(x[1].at[7], w1.second);
}
DEVICE void twiddle_4(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[0].at[0] = complex_product(x[0].at[0], w0.first);
  x[0].at[1] = complex_product(x[0].at[1], w0.second);
  x[0].at[4] = complex_product(x[0].at[4], w0.first);
  x[0].at[5] = complex_product(x[0].at[5], w0.second);
  x[1].at[0] = complex_product(x[1].at[0], w0.first);
  x[1].at[1] = complex_product(x[1].at[1], w0.second);
  x[1].at[4] = complex_product(x[1].at[4], w0.first);
  x[1].at[5] = complex_product(x[1].at[5], w0.second);
  const Factors w1 = factors_of(load_table(f + 4));
  x[0].at[2] = complex_product(x[0].at[2], w1.first);
  x[0].at[3] = complex_product(x[0].at[3], w1.second);
  x[0].at[6] = complex_product(x[0].at[6], w1.first);
  x[0].at[7] = complex_product(x[0].at[7], w1.second);
  x[1].at[2] = complex_product(x[1].at[2], w1.first);
  x[1].at[3] = complex_product(x[1].at[3], w1.second);
  x[1].at[6] = complex_product(x[1].at[6], w1.first);
  x[1].at[7] = complex_product(x[1].at[7], w1.second);
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared_pair(shared_point(place), x[0].at[0], x[0].at[2]);
  store_shared_pair(shared_point(place ^ 4), x[0].at[1], x[0].at[3]);
  store_shared_pair(shared_point(place ^ 8) + 128, x[0].at[4], x[0].at[6]);
  store_shared_pair(shared_point(place ^ 12) + 128, x[0].at[5], x[0].at[7]);
  store_shared_pair(shared_point(place ^ 2) + 256, x[1].at[0], x[1].at[2]);
  store_shared_pair(shared_point(place ^ 6) + 256, x[1].at[1], x[1].at[3]);
  store_shared_pair(shared_point(place ^ 10) + 384, x[1].at[4], x[1].at[6]);
  store_shared_pair(shared_point(place ^ 14) + 384, x[1].at[5], x[1].at[7]);
}
DEVICE void read_2(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0].at[0], x[0].at[1]);
  load_shared_pair(shared_point(place ^ 2) + 256, x[0].at[2], x[0].at[3]);
  load_shared_pair(shared_point(place ^ 6) + 32, x[0].at[4], x[0].at[5]);
  load_shared_pair(shared_point(place ^ 4) + 288, x[0].at[6], x[0].at[7]);
  load_shared_pair(shared_point(place ^ 4), x[1].at[0], x[1].at[1]);
  load_shared_pair(shared_point(place ^ 6) + 256, x[1].at[2], x[1].at[3]);
  load_shared_pair(shared_point(place ^ 2) + 32, x[1].at[4], x[1].at[5]);
  load_shared_pair(shared_point(place) + 288, x[1].at[6], x[1].at[7]);
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
  store_pair(p, x[0].at[0], x[0].at[2]);
  store_pair(p + 256, x[0].at[1], x[0].at[3]);
  store_pair(p + 32, x[0].at[4], x[0].at[6]);
  store_pair(p + 288, x[0].at[5], x[0].at[7]);
  store_pair(p + 64, x[1].at[0], x[1].at[2]);
  store_pair(p + 320, x[1].at[1], x[1].at[3]);
  store_pair(p + 96, x[1].at[4], x[1].at[6]);
  store_pair(p + 352, x[1].at[5], x[1].at[7]);
}

// ===== the kernel =====
// One block transforms 1024 points: 1 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 8)
sonoma_c2c_f32_n1024_forward_mma(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = block_index();
  in += transform * 1024ull, out += transform * 1024ull;
  Points x;

  // Load: registers t1%2 t5%2 t4/2 t3%2 | threads t1/2 t5/2 t2 t4%2 t3/2
  load(x, in + (thread % 2 * 512 + thread / 2 % 2 * 2 + thread / 4 % 4 * 64 + thread / 16 % 2 * 4 +
       thread / 32 * 32));

  // The largest magnitude of the transform gives its scale
  publish_max(8192, largest_magnitude(x));
  block_barrier();
  const float scale = transform_scale<11, 126>(published_max<2>(8192));

  const Matrix f4_left = load_matrix(tables);

  // Step 1: radix 4 over t1, DFT matrix x tile, over rows
  const SplitTile3 halves1a = split_transform<SplitTile3>(x[0], scale);
  const Product product1a = left8<4, 3>(f4_left, halves1a);
  join<3>(x[0], product1a);
  const SplitTile3 halves1b = split_transform<SplitTile3>(x[1], scale);
  const Product product1b = left8<4, 3>(f4_left, halves1b);
  join<3>(x[1], product1b);
  twiddle_1(x, tables + 64 + thread);

  const Matrix f4_right = load_matrix(tables + 576);

  // Step 2: radix 4 over t2, tile x DFT matrix, over columns
  const SplitTile3 halves2a = split_transform<SplitTile3>(x[0]);
  const Product product2a = right8<4, 3>(f4_right, halves2a);
  join<3>(x[0], product2a);
  const SplitTile3 halves2b = split_transform<SplitTile3>(x[1]);
  const Product product2b = right8<4, 3>(f4_right, halves2b);
  join<3>(x[1], product2b);
  twiddle_2(x, tables + 640 + thread % 4 + thread / 16 * 4);

  // Exchange: from registers k2%2 t5%2 t4/2 t3%2 | threads k2/2 t4%2 k1 t5/2 t3/2
  write_1(x, swizzle(thread % 2 * 128 + thread / 2 % 2 * 4 + thread / 4 % 4 * 256 +
          thread / 16 % 2 * 2 + thread / 32 * 32));
  block_barrier();

  // To registers t3%2 t5%2 k2/2 k1%2 | threads t3/2 t5/2 t4 k2%2 k1/2
  read_1(x,
         swizzle(thread % 2 * 32 + thread / 2 % 8 * 2 + thread / 16 % 2 * 64 + thread / 32 * 512));

  // Step 3: radix 4 over t3, DFT matrix x tile, over rows
  const SplitTile3 halves3a = split_transform<SplitTile3>(x[0]);
  const Product product3a = left8<4, 3>(f4_left, halves3a);
  join<3>(x[0], product3a);
  const SplitTile3 halves3b = split_transform<SplitTile3>(x[1]);
  const Product product3b = left8<4, 3>(f4_left, halves3b);
  join<3>(x[1], product3b);
  twiddle_3(x, tables + 768 + thread % 2 + thread / 4 % 8 * 2);

  // Step 4: radix 4 over t4, tile x DFT matrix, over columns
  const SplitTile3 halves4a = split_transform<SplitTile3>(x[0]);
  const Product product4a = right8<4, 3>(f4_right, halves4a);
  join<3>(x[0], product4a);
  const SplitTile3 halves4b = split_transform<SplitTile3>(x[1]);
  const Product product4b = right8<4, 3>(f4_right, halves4b);
  join<3>(x[1], product4b);
  twiddle_4(x, tables + 800 + thread % 2 + thread / 16 % 2 * 2);
  warp_barrier();

  // Exchange: from registers k4%2 t5%2 k2/2 k1%2 | threads k4/2 k2%2 k3 t5/2 k1/2
  write_2(x, swizzle(thread % 2 * 8 + thread / 2 % 2 * 64 + thread / 4 % 4 * 16 +
          thread / 16 % 2 * 2 + thread / 32 * 512));
  block_barrier();

  // To registers t5%2 k1%2 k3/2 k4%2 | threads t5/2 k3%2 k1/2 k2 k4/2
  read_2(x, swizzle(thread % 2 * 2 + thread / 2 % 2 * 16 + thread / 4 % 2 * 512 +
         thread / 8 % 4 * 64 + thread / 32 * 8));

  // Step 5: radix 4 over t5, tile x DFT matrix, over columns
  const SplitTile3 halves5a = split_transform<SplitTile3>(x[0]);
  const Product product5a = right8<4, 3>(f4_right, halves5a);
  join<3>(x[0], product5a);
  const SplitTile3 halves5b = split_transform<SplitTile3>(x[1]);
  const Product product5b = right8<4, 3>(f4_right, halves5b);
  join<3>(x[1], product5b);

  // The scale undone
  multiply(x, transform_undo<11, 126, -6>(published_max<2>(8192)));

  // Store: registers k5%2 k1%2 k3/2 k4%2 | threads k5/2 k3%2 k1/2 k2 k4/2
  store(x, out + (thread % 2 * 512 + thread / 2 % 2 * 16 + thread / 4 % 8 * 2 + thread / 32 * 128));
}
