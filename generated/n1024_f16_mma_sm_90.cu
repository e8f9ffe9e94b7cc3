// sonoma emit --n 1024 --decomposition "(gs 16 (gs 16 (dft 4)))" --engine mma
//     --tensor-steps 1,2 --products 1 --points-per-thread 16 --block-points 1024 --registers 128
//     --stage-load 1 --stage-store 0 --prefetch none --precision f16 --arch sm_90
//
// DFT of 1024 complex f16 points, forward, (gs 16 (gs 16 (dft 4)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine mma, 1 transform(s) a block, 64 threads, 16 points a thread, 4104 bytes shared, at least
//     8 block(s) an SM
//   load through shared memory: registers t3 t1/4 | threads t2 t1%4
//   phase 1: registers t1%2 t1/8 t2/8 t3%2 | threads t1/2%4 t2%8 t3/2
//     step 1: radix 16, left (DFT matrix x tile)
//     step 2: radix 16, right (tile x DFT matrix)
//     leaves: registers k2%2 k1/8 k2/8 t3%2 | threads k2/2%4 k1%8 t3/2
//   phase 2: registers t3 k2/4 | threads k1 k2%4
//     step 3: radix 4, butterflies in registers
//   store direct: registers k3 k2/4 | threads k1 k2%4
//   one scale a transform, found by 2 warp(s)
//   point p lies at p ^ (p >> 4 & 28) in shared memory
//
// Costs of a transform: 51200 flops nominal, 64 MMAs (m16n8k16), 8192 bytes moved of 8192 needed.
// A block of 2 warps: 2 barriers, 2 trips through shared memory, 64 bank conflicts, 12800 bytes of
//   tables.
// |error|_2 / |result|_2 <= 0.00176836 (bound); of random input 0.000405031.
//
// To launch it:
//   grid     batch blocks
//   block    64 threads
//   shared   4104 bytes, dynamic
//   in, out  device memory, 16-byte aligned
//   tables   12800 bytes
//            [0, 2048) DFT matrix of radix 16 as complex halves, as fragments
//            [2048, 10240) after step 1: w^(k1 t), w = exp(-2 pi i / 1024), times 2^-2
//            [10240, 12288) DFT matrix of radix 16 as complex halves, as fragments
//            [12288, 12800) after step 2: w^(k2 t), w = exp(-2 pi i / 64), times 2^-2
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

// In each half of the word the larger of a and |b|; a where b is NaN.
DEVICE unsigned max_halves(unsigned a, unsigned b) {
  unsigned largest;
  asm("{ .reg .b32 m; abs.f16x2 m, %2; max.f16x2 %0, %1, m; }" : "=r"(largest) : "r"(a), "r"(b));
  return largest;
}
// In each half of the word the product of two FP16, rounded once.
DEVICE unsigned multiply_halves(unsigned a, unsigned b) {
  unsigned product;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
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

// ===== storage_16.cuh =====
// Points of two 16-bit parts in global memory, the real part in the low half; in registers they are
// FP32. Rounding to nearest even is all that storage does: what FP16 cannot hold becomes infinite.
struct HalfPoint {
  unsigned parts;
};
DEVICE void narrow(HalfPoint& to, float2 a) { to.parts = pack_halves(a.x, a.y); }

template <class Point, class Access = Always>
DEVICE void store_point(Point* p, float2 a, Access access = {}) {
  Point to;
  narrow(to, a);
  store_word(reinterpret_cast<unsigned*>(p), to.parts, access);
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

// --- factors -------------------------------------------------------------------------------------
// Two of a table: a unit of 16 bytes.
struct Factors {
  float2 first, second;
};
DEVICE Factors factors_of(uint4 unit) {
  return {make_float2(float_of(unit.x), float_of(unit.y)),
          make_float2(float_of(unit.z), float_of(unit.w))};
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

// ===== words.cuh =====
// Tiles of complex words: a point in one 32-bit word, two 16-bit parts, the real one in the low
// half. As operands of products they are FP16 under the scale of the transform; loaded, they are
// what storage holds.
struct Words {
  unsigned at[8];
};

DEVICE Words pack_words(const Tile& x) {
  Words words;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) words.at[r] = pack_halves(x.at[r].x, x.at[r].y);
  return words;
}
DEVICE Words pack_words(const Tile& x, float scale) {
  Words words;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    words.at[r] = pack_halves(x.at[r].x * scale, x.at[r].y * scale);
  }
  return words;
}
DEVICE Tile unpack_words(const Words& words) {
  Tile x;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    x.at[r] = make_float2(low_half(words.at[r]), high_half(words.at[r]));
  }
  return x;
}

// --- the largest magnitude, and the scale -------------------------------------------------------
DEVICE unsigned bits_of_halves(unsigned largest) {
  return bits_of(max_magnitude(low_half(largest), high_half(largest)));
}
// Exact but for what lies 2^-38 and more below the largest: the scale is at most 2^15.
DEVICE void scale_halves(Words& words, float scale) {
  const unsigned factor = pack_halves(scale, scale);
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) words.at[r] = multiply_halves(words.at[r], factor);
}

// --- memory: one word, or two or four neighbours at a time --------------------------------------
// Four from global to shared memory, without waiting.
template <class Point>
DEVICE void copy_words(unsigned* place, const Point* from, bool there = true) {
  copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), there);
}

// A place of shared memory has 4 bytes.
DEVICE unsigned* shared_word(unsigned place) {
  return reinterpret_cast<unsigned*>(dynamic_shared() + 4 * place);
}
DEVICE void load_shared_words(const unsigned* place, unsigned& a) { a = load_shared(place); }
DEVICE void load_shared_words(const unsigned* place, unsigned& a, unsigned& b) {
  const uint2 words = load_shared(reinterpret_cast<const uint2*>(place));
  a = words.x, b = words.y;
}
DEVICE void load_shared_words(const unsigned* place, unsigned& a, unsigned& b, unsigned& c,
                              unsigned& d) {
  const uint4 words = load_shared(reinterpret_cast<const uint4*>(place));
  a = words.x, b = words.y, c = words.z, d = words.w;
}
DEVICE void store_shared_words(unsigned* place, unsigned a) { store_shared(place, a); }
DEVICE void store_shared_words(unsigned* place, unsigned a, unsigned b) {
  store_shared(reinterpret_cast<uint2*>(place), make_uint2(a, b));
}
DEVICE void store_shared_words(unsigned* place, unsigned a, unsigned b, unsigned c, unsigned d) {
  store_shared(reinterpret_cast<uint4*>(place), make_uint4(a, b, c, d));
}
// Of four words that this thread has copied.
DEVICE unsigned with_copied_halves(unsigned largest, const unsigned* place) {
  unsigned a, b, c, d;
  load_shared_words(place, a, b, c, d);
  return max_halves(max_halves(max_halves(max_halves(largest, a), b), c), d);
}

// ===== word_products.cuh =====
// Products of DFT matrices and tiles of complex FP16 words with mma.sync (sm_80 and later): one
// product in the precision of FP16, FP32 sums.
//
// In the fragments of m16n8k16 a word is two elements that follow each other along the contracted
// index, so that eight points are contracted at a time, and words in the layouts of a tile (see
// mma_phases.cpp) need no rearrangement:
//   operand:      row = 2t + i0 + 8 i1, column = g + 8 i2     (register r = i0 + 2 i1 + 4 i2)
//   accumulator:  row = g + 8 i1, column = 2t + i0 + 8 i2
// left: DFT over rows, operand -> accumulator. right: DFT over columns, accumulator -> accumulator.

// A DFT matrix of radix 16 as real matrices, in fragments. Of left products, part m + 2 s: output
// rows g + 8 m (real parts; imaginary parts below them), input rows 8 s to 8 s + 7. Of right
// products, part j: output columns 2q + j % 2 + 8 (j / 2), q = 0 to 3, two words for input columns
// 0 to 7, two for 8 to 15.
struct WordMatrix {
  uint4 part[4];
};
DEVICE WordMatrix load_word_matrix(const uint4* table) {
  WordMatrix f;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) f.part[i] = load_table(table + 32 * i + thread_index() % 32);
  return f;
}

DEVICE Tile left_words(const WordMatrix& f, const Words& x) {
  Tile y;
#pragma unroll
  for (unsigned i2 = 0; i2 < 2; ++i2) {
#pragma unroll
    for (unsigned m = 0; m < 2; ++m) {
      float d[4] = {};
#pragma unroll
      for (unsigned s = 0; s < 2; ++s) {
        const uint4 a = f.part[m + 2 * s];
        mma_m16n8k16(d, a.x, a.y, a.z, a.w, x.at[2 * s + 4 * i2], x.at[1 + 2 * s + 4 * i2]);
      }
      y.at[2 * m + 4 * i2] = make_float2(d[0], d[2]);
      y.at[1 + 2 * m + 4 * i2] = make_float2(d[1], d[3]);
    }
  }
  return y;
}

DEVICE Tile right_words(const WordMatrix& f, const Words& x) {
  Tile y;
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    const uint4 b = f.part[j];
    float d[4] = {};
    mma_m16n8k16(d, x.at[0], x.at[2], x.at[1], x.at[3], b.x, b.y);
    mma_m16n8k16(d, x.at[4], x.at[6], x.at[5], x.at[7], b.z, b.w);
    const unsigned r = j % 2 + 4 * (j / 2);
    y.at[r] = make_float2(d[0], d[1]);
    y.at[r + 2] = make_float2(d[2], d[3]);
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

// ===== this plan =====
// The points of a thread
using Points = Tile[2];
using WordTiles = Words[2];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 4 & 28); }

DEVICE void copy(unsigned place, const HalfPoint* p) {
  copy_words(shared_word(place), p);
  copy_words(shared_word(place ^ 16) + 256, p + 256);
  copy_words(shared_word(place) + 512, p + 512);
  copy_words(shared_word(place ^ 16) + 768, p + 768);
}
DEVICE unsigned largest_magnitude(unsigned place) {
  unsigned largest = 0;
  largest = with_copied_halves(largest, shared_word(place));
  largest = with_copied_halves(largest, shared_word(place ^ 16) + 256);
  largest = with_copied_halves(largest, shared_word(place) + 512);
  largest = with_copied_halves(largest, shared_word(place ^ 16) + 768);
  return bits_of_halves(largest);
}
DEVICE void read_0(WordTiles& w, unsigned place) {
  load_shared_words(shared_word(place), w[0].at[0], w[1].at[0]);
  load_shared_words(shared_word(place ^ 4) + 64, w[0].at[1], w[1].at[1]);
  load_shared_words(shared_word(place) + 512, w[0].at[2], w[1].at[2]);
  load_shared_words(shared_word(place ^ 4) + 576, w[0].at[3], w[1].at[3]);
  load_shared_words(shared_word(place) + 32, w[0].at[4], w[1].at[4]);
  load_shared_words(shared_word(place ^ 4) + 96, w[0].at[5], w[1].at[5]);
  load_shared_words(shared_word(place) + 544, w[0].at[6], w[1].at[6]);
  load_shared_words(shared_word(place ^ 4) + 608, w[0].at[7], w[1].at[7]);
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
  x[0].at[2] = complex_product(x[0].at[2], w0.first);
  x[0].at[3] = complex_product(x[0].at[3], w0.second);
  const Factors w1 = factors_of(load_table(f + 8));
  x[0].at[4] = complex_product(x[0].at[4], w1.first);
  x[0].at[5] = complex_product(x[0].at[5], w1.second);
  x[0].at[6] = complex_product(x[0].at[6], w1.first);
  x[0].at[7] = complex_product(x[0].at[7], w1.second);
  const Factors w2 = factors_of(load_table(f + 16));
  x[1].at[0] = complex_product(x[1].at[0], w2.first);
  x[1].at[1] = complex_product(x[1].at[1], w2.second);
  x[1].at[2] = complex_product(x[1].at[2], w2.first);
  x[1].at[3] = complex_product(x[1].at[3], w2.second);
  const Factors w3 = factors_of(load_table(f + 24));
  x[1].at[4] = complex_product(x[1].at[4], w3.first);
  x[1].at[5] = complex_product(x[1].at[5], w3.second);
  x[1].at[6] = complex_product(x[1].at[6], w3.first);
  x[1].at[7] = complex_product(x[1].at[7], w3.second);
}
DEVICE void write_1(WordTiles& w, unsigned place) {
  store_shared_words(shared_word(place), w[0].at[0], w[1].at[0]);
  store_shared_words(shared_word(place ^ 4), w[0].at[1], w[1].at[1]);
  store_shared_words(shared_word(place) + 512, w[0].at[2], w[1].at[2]);
  store_shared_words(shared_word(place ^ 4) + 512, w[0].at[3], w[1].at[3]);
  store_shared_words(shared_word(place) + 32, w[0].at[4], w[1].at[4]);
  store_shared_words(shared_word(place ^ 4) + 32, w[0].at[5], w[1].at[5]);
  store_shared_words(shared_word(place) + 544, w[0].at[6], w[1].at[6]);
  store_shared_words(shared_word(place ^ 4) + 544, w[0].at[7], w[1].at[7]);
}
DEVICE void read_1(WordTiles& w, unsigned place) {
  load_shared_words(shared_word(place), w[0].at[0], w[0].at[1], w[0].at[2], w[0].at[3]);
  load_shared_words(shared_word(place ^ 16), w[0].at[4], w[0].at[5], w[0].at[6], w[0].at[7]);
  load_shared_words(shared_word(place) + 32, w[1].at[0], w[1].at[1], w[1].at[2], w[1].at[3]);
  load_shared_words(shared_word(place ^ 16) + 32, w[1].at[4], w[1].at[5], w[1].at[6], w[1].at[7]);
}
DEVICE void step_3(Points& x) {
  dft4<-1>(x[0].at[0], x[0].at[1], x[0].at[2], x[0].at[3]);
  dft4<-1>(x[0].at[4], x[0].at[5], x[0].at[6], x[0].at[7]);
  dft4<-1>(x[1].at[0], x[1].at[1], x[1].at[2], x[1].at[3]);
  dft4<-1>(x[1].at[4], x[1].at[5], x[1].at[6], x[1].at[7]);
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
DEVICE void store(Points& x, HalfPoint* p) {
  store_point(p, x[0].at[0]);
  store_point(p + 256, x[0].at[1]);
  store_point(p + 512, x[0].at[2]);
  store_point(p + 768, x[0].at[3]);
  store_point(p + 64, x[0].at[4]);
  store_point(p + 320, x[0].at[5]);
  store_point(p + 576, x[0].at[6]);
  store_point(p + 832, x[0].at[7]);
  store_point(p + 128, x[1].at[0]);
  store_point(p + 384, x[1].at[1]);
  store_point(p + 640, x[1].at[2]);
  store_point(p + 896, x[1].at[3]);
  store_point(p + 192, x[1].at[4]);
  store_point(p + 448, x[1].at[5]);
  store_point(p + 704, x[1].at[6]);
  store_point(p + 960, x[1].at[7]);
}

// ===== the kernel =====
// One block transforms 1024 points: 1 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 8)
sonoma_c2c_f16_n1024_forward_mma(
    const HalfPoint* in, HalfPoint* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = block_index();
  in += transform * 1024ull, out += transform * 1024ull;
  Points x;
  WordTiles w;

  // Load, asynchronously, to shared memory: registers t3 t1/4 | threads t2 t1%4
  copy(swizzle(thread * 4), in + (thread * 4));
  wait_for_copies();

  // The largest magnitude of the transform gives its scale
  publish_max(4096, largest_magnitude(swizzle(thread * 4)));
  block_barrier();
  const float scale = transform_scale<11, 15>(published_max<2>(4096));

  // To registers t1%2 t1/8 t2/8 t3%2 | threads t1/2%4 t2%8 t3/2
  read_0(w, swizzle(thread % 4 * 128 + thread / 4 % 8 * 4 + thread / 32 * 2));
  scale_halves(w[0], scale);
  scale_halves(w[1], scale);

  const WordMatrix f16_left = load_word_matrix(tables);

  // Step 1: radix 16 over t1, DFT matrix x tile, over rows
  x[0] = left_words(f16_left, w[0]);
  x[1] = left_words(f16_left, w[1]);
  twiddle_1(x, tables + 128 + thread);

  const WordMatrix f16_right = load_word_matrix(tables + 640);
  w[0] = pack_words(x[0]);
  w[1] = pack_words(x[1]);

  // Step 2: radix 16 over t2, tile x DFT matrix, over columns
  x[0] = right_words(f16_right, w[0]);
  x[1] = right_words(f16_right, w[1]);
  twiddle_2(x, tables + 768 + thread % 4 + thread / 32 * 4);
  w[0] = pack_words(x[0]);
  w[1] = pack_words(x[1]);
  warp_barrier();

  // Exchange: from registers k2%2 k1/8 k2/8 t3%2 | threads k2/2%4 k1%8 t3/2
  write_1(w, swizzle(thread % 4 * 8 + thread / 4 % 8 * 64 + thread / 32 * 2));
  block_barrier();

  // To registers t3 k2/4 | threads k1 k2%4
  read_1(w, swizzle(thread % 16 * 64 + thread / 16 * 4));
  x[0] = unpack_words(w[0]);
  x[1] = unpack_words(w[1]);

  // Step 3: radix 4 over t3, butterflies in registers
  step_3(x);

  // The scale undone
  multiply(x, transform_undo<11, 15, 4>(published_max<2>(4096)));

  // Store: registers k3 k2/4 | threads k1 k2%4
  store(x, out + thread);
}
