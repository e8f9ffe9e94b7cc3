// sonoma emit --n 4096 --decomposition "(gs 16 (gs 16 (dft 16)))" --engine simt
//     --points-per-thread 16 --block-points 4096 --registers 80 --stage-load 0 --stage-store 0
//     --twiddles table --prefetch late --arch sm_90
//
// DFT of 4096 complex f32 points, forward, (gs 16 (gs 16 (dft 16)))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 1 transform(s) a block, 256 threads, 16 points a thread, 32768 bytes shared, at
//     least 3 block(s) an SM
//   after the last barrier the L2 cache is asked for the tile 396 transforms on, which the block
//     loads that follows on this SM
//   load direct: registers t1 | threads t3 t2
//   phase 1: registers t1 | threads t3 t2
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 | threads t3 k1
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3 | threads k1 k2
//     step 3: radix 16, butterflies in registers
//   store direct: registers k3 | threads k1 k2
//   point p lies at p ^ (p >> 7 & 14) in shared memory
//
// Costs of a transform: 245760 flops nominal, 0 MMAs (m16n8k16), 65536 bytes moved of 65536 needed.
// A block of 8 warps: 2 barriers, 2 trips through shared memory, 0 bank conflicts, 34816 bytes of
//   tables.
// |error|_2 / |result|_2 <= 1.5298e-06 (bound); of random input 1.16995e-07.
//
// To launch it:
//   grid     batch blocks
//   block    256 threads
//   shared   32768 bytes, dynamic
//            where more than 5 blocks fit on an SM they shall take 44 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   34816 bytes
//            [0, 32768) after step 1: w^(k1 t), w = exp(-2 pi i / 4096)
//            [32768, 34816) after step 2: w^(k2 t), w = exp(-2 pi i / 256)
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
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

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
template <class T>
DEVICE T load_word(const T* p, Always) {
  return load_global(p);
}
template <class T>
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
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
using Points = float2[16];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 7 & 14); }

DEVICE void load(Points& x, const float2* p) {
  x[0] = load_point(p);
  x[1] = load_point(p + 256);
  x[2] = load_point(p + 512);
  x[3] = load_point(p + 768);
  x[4] = load_point(p + 1024);
  x[5] = load_point(p + 1280);
  x[6] = load_point(p + 1536);
  x[7] = load_point(p + 1792);
  x[8] = load_point(p + 2048);
  x[9] = load_point(p + 2304);
  x[10] = load_point(p + 2560);
  x[11] = load_point(p + 2816);
  x[12] = load_point(p + 3072);
  x[13] = load_point(p + 3328);
  x[14] = load_point(p + 3584);
  x[15] = load_point(p + 3840);
}
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 256));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 512));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 768));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 1024));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 1280));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 1536));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 1792));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 2) + 256, x[1]);
  store_shared(shared_point(place ^ 4) + 512, x[2]);
  store_shared(shared_point(place ^ 6) + 768, x[3]);
  store_shared(shared_point(place ^ 8) + 1024, x[4]);
  store_shared(shared_point(place ^ 10) + 1280, x[5]);
  store_shared(shared_point(place ^ 12) + 1536, x[6]);
  store_shared(shared_point(place ^ 14) + 1792, x[7]);
  store_shared(shared_point(place) + 2048, x[8]);
  store_shared(shared_point(place ^ 2) + 2304, x[9]);
  store_shared(shared_point(place ^ 4) + 2560, x[10]);
  store_shared(shared_point(place ^ 6) + 2816, x[11]);
  store_shared(shared_point(place ^ 8) + 3072, x[12]);
  store_shared(shared_point(place ^ 10) + 3328, x[13]);
  store_shared(shared_point(place ^ 12) + 3584, x[14]);
  store_shared(shared_point(place ^ 14) + 3840, x[15]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 16);
  x[2] = load_shared(shared_point(place) + 32);
  x[3] = load_shared(shared_point(place) + 48);
  x[4] = load_shared(shared_point(place) + 64);
  x[5] = load_shared(shared_point(place) + 80);
  x[6] = load_shared(shared_point(place) + 96);
  x[7] = load_shared(shared_point(place) + 112);
  x[8] = load_shared(shared_point(place) + 128);
  x[9] = load_shared(shared_point(place) + 144);
  x[10] = load_shared(shared_point(place) + 160);
  x[11] = load_shared(shared_point(place) + 176);
  x[12] = load_shared(shared_point(place) + 192);
  x[13] = load_shared(shared_point(place) + 208);
  x[14] = load_shared(shared_point(place) + 224);
  x[15] = load_shared(shared_point(place) + 240);
}
DEVICE void step_2(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 16));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 32));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 48));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 64));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 80));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 96));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 112));
  x[15] = complex_product(x[15], w7.first);
}
DEVICE void write_2(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place) + 16, x[1]);
  store_shared(shared_point(place) + 32, x[2]);
  store_shared(shared_point(place) + 48, x[3]);
  store_shared(shared_point(place) + 64, x[4]);
  store_shared(shared_point(place) + 80, x[5]);
  store_shared(shared_point(place) + 96, x[6]);
  store_shared(shared_point(place) + 112, x[7]);
  store_shared(shared_point(place) + 128, x[8]);
  store_shared(shared_point(place) + 144, x[9]);
  store_shared(shared_point(place) + 160, x[10]);
  store_shared(shared_point(place) + 176, x[11]);
  store_shared(shared_point(place) + 192, x[12]);
  store_shared(shared_point(place) + 208, x[13]);
  store_shared(shared_point(place) + 224, x[14]);
  store_shared(shared_point(place) + 240, x[15]);
}
DEVICE void read_2(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0], x[1]);
  load_shared_pair(shared_point(place ^ 2), x[2], x[3]);
  load_shared_pair(shared_point(place ^ 4), x[4], x[5]);
  load_shared_pair(shared_point(place ^ 6), x[6], x[7]);
  load_shared_pair(shared_point(place ^ 8), x[8], x[9]);
  load_shared_pair(shared_point(place ^ 10), x[10], x[11]);
  load_shared_pair(shared_point(place ^ 12), x[12], x[13]);
  load_shared_pair(shared_point(place ^ 14), x[14], x[15]);
}
DEVICE void step_3(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void store(Points& x, float2* p) {
  store_point(p, x[0]);
  store_point(p + 256, x[1]);
  store_point(p + 512, x[2]);
  store_point(p + 768, x[3]);
  store_point(p + 1024, x[4]);
  store_point(p + 1280, x[5]);
  store_point(p + 1536, x[6]);
  store_point(p + 1792, x[7]);
  store_point(p + 2048, x[8]);
  store_point(p + 2304, x[9]);
  store_point(p + 2560, x[10]);
  store_point(p + 2816, x[11]);
  store_point(p + 3072, x[12]);
  store_point(p + 3328, x[13]);
  store_point(p + 3584, x[14]);
  store_point(p + 3840, x[15]);
}

// ===== the kernel =====
// One block transforms 4096 points: 1 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(256, 3)
sonoma_c2c_f32_n4096_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = block_index();
  in += transform * 4096ull, out += transform * 4096ull;
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
  read_1(x, swizzle(thread % 16 + thread / 16 * 256));

  // Step 2: radix 16 over t2, butterflies in registers
  step_2(x);
  twiddle_2(x, tables + 2048 + thread % 16);

  // Exchange: from registers k2 | threads t3 k1
  write_2(x, swizzle(thread % 16 + thread / 16 * 256));
  block_barrier();

  // To the L2 cache what the block loads that will follow in this one's place
  if (thread_index() == 0 && transform + 397 <= batch) {
    prefetch(in + 1622016ull, 32768);
  }

  // To registers t3 | threads k1 k2
  read_2(x, swizzle(thread % 16 * 256 + thread / 16 * 16));

  // Step 3: radix 16 over t3, butterflies in registers
  step_3(x);

  // Store: registers k3 | threads k1 k2
  store(x, out + thread);
}
