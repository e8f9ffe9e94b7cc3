// sonoma emit --n 32768 --decomposition "(gs 16 (gs 16 (gs 16 (dft 8))))" --engine simt
//     --points-per-thread 32 --block-points 32768 --registers 128 --stage-load 0 --stage-store 0
//     --cluster 8 --twiddles products --prefetch late --arch sm_90
//
// DFT of 32768 complex f32 points, forward, (gs 16 (gs 16 (gs 16 (dft 8))))
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 1 transform(s) a block, 128 threads, 32 points a thread, 32768 bytes shared, at
//     least 4 block(s) an SM
//   clusters of 8 blocks hold a tile together: the last digits of the threads number them
//   after the last barrier the L2 cache is asked for the tile 66 transforms on, which the block
//     loads that follows on this SM
//   load direct: registers t1 t2/8 | threads t4 t3%2 t2%8 t3/2
//   phase 1: registers t1 t2/8 | threads t4 t3%2 t2%8 t3/2
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 k1/8 | threads t4 t3%2 k1%8 t3/2
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3 k1/8 | threads t4 k2%2 k1%8 k2/2
//     step 3: radix 16, butterflies in registers
//   phase 4: registers t4 k3/4 | threads k1 k2%2 k3%4 k2/2
//     step 4: radix 8, butterflies in registers
//   store direct: registers k4 k3/4 | threads k1 k2%2 k3%4 k2/2
//   point p lies at p ^ ((p >> 4 ^ p >> 7) & 14) in shared memory
//
// Costs of a transform: 2.4576e+06 flops nominal, 0 MMAs (m16n8k16), 524288 bytes moved of 524288
//   needed.
// A block of 4 warps: 4 barriers, 3 trips through shared memory, 0 bank conflicts, 115712 bytes of
//   tables.
// |error|_2 / |result|_2 <= 2.02102e-06 (bound); of random input 1.3387e-07.
//
// To launch it:
//   grid     8 * batch blocks
//   block    128 threads
//   cluster  8 blocks, as the kernel declares
//   shared   32768 bytes, dynamic
//            where more than 5 blocks fit on an SM they shall take 58 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   115712 bytes
//            [0, 98304) after step 1: w^(k1 t), w = exp(-2 pi i / 32768), those others are products
//              of
//            [98304, 114688) after step 2: w^(k2 t), w = exp(-2 pi i / 2048)
//            [114688, 115712) after step 3: w^(k3 t), w = exp(-2 pi i / 128)
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
DEVICE void store_cluster(ClusterAddress p, float2 value) {
  asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(p), "f"(value.x), "f"(value.y)
               : "memory");
}
DEVICE void store_cluster(ClusterAddress p, float4 value) {
  asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(p), "f"(value.x),
               "f"(value.y), "f"(value.z), "f"(value.w)
               : "memory");
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

// a c + b for a real c.
DEVICE float2 multiply_add(float2 a, float c, float2 b) {
  return make_float2(fused_multiply_add(a.x, c, b.x), fused_multiply_add(a.y, c, b.y));
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

// a + w b and a - w b, w = exp(sign i pi / 4): of the mean of b and (sign i) b a rounding less than
// of w b.
template <int sign>
DEVICE void dft2_eighth(float2& a, float2& b) {
  const float2 mean = multiply_add(turned<sign>(b), 0.5f, scaled(b, 0.5f));
  b = multiply_add(mean, -2 * cos_4_16, a);
  a = multiply_add(mean, 2 * cos_4_16, a);
}

template <int sign>
DEVICE void dft8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5, float2& v6,
                 float2& v7) {
  dft4<sign>(v0, v2, v4, v6);
  dft4<sign>(v1, v3, v5, v7);
  v5 = turned<sign>(v5);
  v7 = turned<sign>(v7);
  dft2(v0, v1);
  dft2_eighth<sign>(v2, v3);
  dft2(v4, v5);
  dft2_eighth<sign>(v6, v7);
  const float2 x1 = v2, x2 = v4, x3 = v6, x4 = v1, x5 = v3, x6 = v5;
  v1 = x1, v2 = x2, v3 = x3, v4 = x4, v5 = x5, v6 = x6;
}

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
using Points = float2[32];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 4 ^ p >> 7) & 14); }

DEVICE void load(Points& x, const float2* p) {
  x[0] = load_point(p);
  x[1] = load_point(p + 2048);
  x[2] = load_point(p + 4096);
  x[3] = load_point(p + 6144);
  x[4] = load_point(p + 8192);
  x[5] = load_point(p + 10240);
  x[6] = load_point(p + 12288);
  x[7] = load_point(p + 14336);
  x[8] = load_point(p + 16384);
  x[9] = load_point(p + 18432);
  x[10] = load_point(p + 20480);
  x[11] = load_point(p + 22528);
  x[12] = load_point(p + 24576);
  x[13] = load_point(p + 26624);
  x[14] = load_point(p + 28672);
  x[15] = load_point(p + 30720);
  x[16] = load_point(p + 1024);
  x[17] = load_point(p + 3072);
  x[18] = load_point(p + 5120);
  x[19] = load_point(p + 7168);
  x[20] = load_point(p + 9216);
  x[21] = load_point(p + 11264);
  x[22] = load_point(p + 13312);
  x[23] = load_point(p + 15360);
  x[24] = load_point(p + 17408);
  x[25] = load_point(p + 19456);
  x[26] = load_point(p + 21504);
  x[27] = load_point(p + 23552);
  x[28] = load_point(p + 25600);
  x[29] = load_point(p + 27648);
  x[30] = load_point(p + 29696);
  x[31] = load_point(p + 31744);
}
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
  dft16<-1>(x[16], x[17], x[18], x[19], x[20], x[21], x[22], x[23], x[24], x[25], x[26], x[27],
            x[28], x[29], x[30], x[31]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  const Factors w1 = factors_of(load_table(f + 1024));
  const Factors w2 = factors_of(load_table(f + 2048));
  const Factors w3 = factors_of(load_table(f + 3072));
  const Factors w4 = factors_of(load_table(f + 4096));
  const Factors w5 = factors_of(load_table(f + 5120));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  x[5] = complex_product(x[5], complex_product(w0.first, w1.second));
  x[6] = complex_product(x[6], complex_product(w0.second, w1.second));
  x[7] = complex_product(x[7], complex_product(w1.first, w1.second));
  x[8] = complex_product(x[8], w2.first);
  x[9] = complex_product(x[9], complex_product(w0.first, w2.first));
  x[10] = complex_product(x[10], complex_product(w0.second, w2.first));
  x[11] = complex_product(x[11], complex_product(w1.first, w2.first));
  x[12] = complex_product(x[12], w2.second);
  x[13] = complex_product(x[13], complex_product(w0.first, w2.second));
  x[14] = complex_product(x[14], complex_product(w0.second, w2.second));
  x[15] = complex_product(x[15], complex_product(w1.first, w2.second));
  x[17] = complex_product(x[17], w3.first);
  x[18] = complex_product(x[18], w3.second);
  x[19] = complex_product(x[19], w4.first);
  x[20] = complex_product(x[20], w4.second);
  x[21] = complex_product(x[21], complex_product(w3.first, w4.second));
  x[22] = complex_product(x[22], complex_product(w3.second, w4.second));
  x[23] = complex_product(x[23], complex_product(w4.first, w4.second));
  x[24] = complex_product(x[24], w5.first);
  x[25] = complex_product(x[25], complex_product(w3.first, w5.first));
  x[26] = complex_product(x[26], complex_product(w3.second, w5.first));
  x[27] = complex_product(x[27], complex_product(w4.first, w5.first));
  x[28] = complex_product(x[28], w5.second);
  x[29] = complex_product(x[29], complex_product(w3.first, w5.second));
  x[30] = complex_product(x[30], complex_product(w3.second, w5.second));
  x[31] = complex_product(x[31], complex_product(w4.first, w5.second));
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
  store_shared(shared_point(place ^ 8) + 128, x[16]);
  store_shared(shared_point(place ^ 10) + 384, x[17]);
  store_shared(shared_point(place ^ 12) + 640, x[18]);
  store_shared(shared_point(place ^ 14) + 896, x[19]);
  store_shared(shared_point(place) + 1152, x[20]);
  store_shared(shared_point(place ^ 2) + 1408, x[21]);
  store_shared(shared_point(place ^ 4) + 1664, x[22]);
  store_shared(shared_point(place ^ 6) + 1920, x[23]);
  store_shared(shared_point(place ^ 8) + 2176, x[24]);
  store_shared(shared_point(place ^ 10) + 2432, x[25]);
  store_shared(shared_point(place ^ 12) + 2688, x[26]);
  store_shared(shared_point(place ^ 14) + 2944, x[27]);
  store_shared(shared_point(place) + 3200, x[28]);
  store_shared(shared_point(place ^ 2) + 3456, x[29]);
  store_shared(shared_point(place ^ 4) + 3712, x[30]);
  store_shared(shared_point(place ^ 6) + 3968, x[31]);
}
DEVICE void read_1(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place) + 16);
  x[2] = load_shared(shared_point(place ^ 2) + 32);
  x[3] = load_shared(shared_point(place ^ 2) + 48);
  x[4] = load_shared(shared_point(place ^ 4) + 64);
  x[5] = load_shared(shared_point(place ^ 4) + 80);
  x[6] = load_shared(shared_point(place ^ 6) + 96);
  x[7] = load_shared(shared_point(place ^ 6) + 112);
  x[8] = load_shared(shared_point(place ^ 8) + 128);
  x[9] = load_shared(shared_point(place ^ 8) + 144);
  x[10] = load_shared(shared_point(place ^ 10) + 160);
  x[11] = load_shared(shared_point(place ^ 10) + 176);
  x[12] = load_shared(shared_point(place ^ 12) + 192);
  x[13] = load_shared(shared_point(place ^ 12) + 208);
  x[14] = load_shared(shared_point(place ^ 14) + 224);
  x[15] = load_shared(shared_point(place ^ 14) + 240);
  x[16] = load_shared(shared_point(place) + 2048);
  x[17] = load_shared(shared_point(place) + 2064);
  x[18] = load_shared(shared_point(place ^ 2) + 2080);
  x[19] = load_shared(shared_point(place ^ 2) + 2096);
  x[20] = load_shared(shared_point(place ^ 4) + 2112);
  x[21] = load_shared(shared_point(place ^ 4) + 2128);
  x[22] = load_shared(shared_point(place ^ 6) + 2144);
  x[23] = load_shared(shared_point(place ^ 6) + 2160);
  x[24] = load_shared(shared_point(place ^ 8) + 2176);
  x[25] = load_shared(shared_point(place ^ 8) + 2192);
  x[26] = load_shared(shared_point(place ^ 10) + 2208);
  x[27] = load_shared(shared_point(place ^ 10) + 2224);
  x[28] = load_shared(shared_point(place ^ 12) + 2240);
  x[29] = load_shared(shared_point(place ^ 12) + 2256);
  x[30] = load_shared(shared_point(place ^ 14) + 2272);
  x[31] = load_shared(shared_point(place ^ 14) + 2288);
}
DEVICE void step_2(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
  dft16<-1>(x[16], x[17], x[18], x[19], x[20], x[21], x[22], x[23], x[24], x[25], x[26], x[27],
            x[28], x[29], x[30], x[31]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  x[17] = complex_product(x[17], w0.first);
  x[18] = complex_product(x[18], w0.second);
  const Factors w1 = factors_of(load_table(f + 128));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  x[19] = complex_product(x[19], w1.first);
  x[20] = complex_product(x[20], w1.second);
  const Factors w2 = factors_of(load_table(f + 256));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  x[21] = complex_product(x[21], w2.first);
  x[22] = complex_product(x[22], w2.second);
  const Factors w3 = factors_of(load_table(f + 384));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  x[23] = complex_product(x[23], w3.first);
  x[24] = complex_product(x[24], w3.second);
  const Factors w4 = factors_of(load_table(f + 512));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  x[25] = complex_product(x[25], w4.first);
  x[26] = complex_product(x[26], w4.second);
  const Factors w5 = factors_of(load_table(f + 640));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  x[27] = complex_product(x[27], w5.first);
  x[28] = complex_product(x[28], w5.second);
  const Factors w6 = factors_of(load_table(f + 768));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  x[29] = complex_product(x[29], w6.first);
  x[30] = complex_product(x[30], w6.second);
  const Factors w7 = factors_of(load_table(f + 896));
  x[15] = complex_product(x[15], w7.first);
  x[31] = complex_product(x[31], w7.first);
}
DEVICE void write_2(Points& x, unsigned place, unsigned block) {
  store_cluster(cluster_point(place, block), x[0]);
  store_cluster(cluster_point(place ^ 8, block) + 1024, x[1]);
  store_cluster(cluster_point(place, block ^ 1), x[2]);
  store_cluster(cluster_point(place ^ 8, block ^ 1) + 1024, x[3]);
  store_cluster(cluster_point(place, block ^ 2), x[4]);
  store_cluster(cluster_point(place ^ 8, block ^ 2) + 1024, x[5]);
  store_cluster(cluster_point(place, block ^ 3), x[6]);
  store_cluster(cluster_point(place ^ 8, block ^ 3) + 1024, x[7]);
  store_cluster(cluster_point(place, block ^ 4), x[8]);
  store_cluster(cluster_point(place ^ 8, block ^ 4) + 1024, x[9]);
  store_cluster(cluster_point(place, block ^ 5), x[10]);
  store_cluster(cluster_point(place ^ 8, block ^ 5) + 1024, x[11]);
  store_cluster(cluster_point(place, block ^ 6), x[12]);
  store_cluster(cluster_point(place ^ 8, block ^ 6) + 1024, x[13]);
  store_cluster(cluster_point(place, block ^ 7), x[14]);
  store_cluster(cluster_point(place ^ 8, block ^ 7) + 1024, x[15]);
  store_cluster(cluster_point(place, block) + 16384, x[16]);
  store_cluster(cluster_point(place ^ 8, block) + 17408, x[17]);
  store_cluster(cluster_point(place, block ^ 1) + 16384, x[18]);
  store_cluster(cluster_point(place ^ 8, block ^ 1) + 17408, x[19]);
  store_cluster(cluster_point(place, block ^ 2) + 16384, x[20]);
  store_cluster(cluster_point(place ^ 8, block ^ 2) + 17408, x[21]);
  store_cluster(cluster_point(place, block ^ 3) + 16384, x[22]);
  store_cluster(cluster_point(place ^ 8, block ^ 3) + 17408, x[23]);
  store_cluster(cluster_point(place, block ^ 4) + 16384, x[24]);
  store_cluster(cluster_point(place ^ 8, block ^ 4) + 17408, x[25]);
  store_cluster(cluster_point(place, block ^ 5) + 16384, x[26]);
  store_cluster(cluster_point(place ^ 8, block ^ 5) + 17408, x[27]);
  store_cluster(cluster_point(place, block ^ 6) + 16384, x[28]);
  store_cluster(cluster_point(place ^ 8, block ^ 6) + 17408, x[29]);
  store_cluster(cluster_point(place, block ^ 7) + 16384, x[30]);
  store_cluster(cluster_point(place ^ 8, block ^ 7) + 17408, x[31]);
}
DEVICE void read_2(Points& x, unsigned place) {
  x[0] = load_shared(shared_point(place));
  x[1] = load_shared(shared_point(place ^ 8));
  x[2] = load_shared(shared_point(place) + 16);
  x[3] = load_shared(shared_point(place ^ 8) + 16);
  x[4] = load_shared(shared_point(place ^ 2) + 32);
  x[5] = load_shared(shared_point(place ^ 10) + 32);
  x[6] = load_shared(shared_point(place ^ 2) + 48);
  x[7] = load_shared(shared_point(place ^ 10) + 48);
  x[8] = load_shared(shared_point(place ^ 4) + 64);
  x[9] = load_shared(shared_point(place ^ 12) + 64);
  x[10] = load_shared(shared_point(place ^ 4) + 80);
  x[11] = load_shared(shared_point(place ^ 12) + 80);
  x[12] = load_shared(shared_point(place ^ 6) + 96);
  x[13] = load_shared(shared_point(place ^ 14) + 96);
  x[14] = load_shared(shared_point(place ^ 6) + 112);
  x[15] = load_shared(shared_point(place ^ 14) + 112);
  x[16] = load_shared(shared_point(place) + 2048);
  x[17] = load_shared(shared_point(place ^ 8) + 2048);
  x[18] = load_shared(shared_point(place) + 2064);
  x[19] = load_shared(shared_point(place ^ 8) + 2064);
  x[20] = load_shared(shared_point(place ^ 2) + 2080);
  x[21] = load_shared(shared_point(place ^ 10) + 2080);
  x[22] = load_shared(shared_point(place ^ 2) + 2096);
  x[23] = load_shared(shared_point(place ^ 10) + 2096);
  x[24] = load_shared(shared_point(place ^ 4) + 2112);
  x[25] = load_shared(shared_point(place ^ 12) + 2112);
  x[26] = load_shared(shared_point(place ^ 4) + 2128);
  x[27] = load_shared(shared_point(place ^ 12) + 2128);
  x[28] = load_shared(shared_point(place ^ 6) + 2144);
  x[29] = load_shared(shared_point(place ^ 14) + 2144);
  x[30] = load_shared(shared_point(place ^ 6) + 2160);
  x[31] = load_shared(shared_point(place ^ 14) + 2160);
}
DEVICE void step_3(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
  dft16<-1>(x[16], x[17], x[18], x[19], x[20], x[21], x[22], x[23], x[24], x[25], x[26], x[27],
            x[28], x[29], x[30], x[31]);
}
DEVICE void twiddle_3(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  x[17] = complex_product(x[17], w0.first);
  x[18] = complex_product(x[18], w0.second);
  const Factors w1 = factors_of(load_table(f + 8));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  x[19] = complex_product(x[19], w1.first);
  x[20] = complex_product(x[20], w1.second);
  const Factors w2 = factors_of(load_table(f + 16));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  x[21] = complex_product(x[21], w2.first);
  x[22] = complex_product(x[22], w2.second);
  const Factors w3 = factors_of(load_table(f + 24));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  x[23] = complex_product(x[23], w3.first);
  x[24] = complex_product(x[24], w3.second);
  const Factors w4 = factors_of(load_table(f + 32));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  x[25] = complex_product(x[25], w4.first);
  x[26] = complex_product(x[26], w4.second);
  const Factors w5 = factors_of(load_table(f + 40));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  x[27] = complex_product(x[27], w5.first);
  x[28] = complex_product(x[28], w5.second);
  const Factors w6 = factors_of(load_table(f + 48));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  x[29] = complex_product(x[29], w6.first);
  x[30] = complex_product(x[30], w6.second);
  const Factors w7 = factors_of(load_table(f + 56));
  x[15] = complex_product(x[15], w7.first);
  x[31] = complex_product(x[31], w7.first);
}
DEVICE void write_3(Points& x, unsigned place) {
  store_shared(shared_point(place), x[0]);
  store_shared(shared_point(place ^ 8), x[1]);
  store_shared(shared_point(place) + 16, x[2]);
  store_shared(shared_point(place ^ 8) + 16, x[3]);
  store_shared(shared_point(place ^ 2) + 32, x[4]);
  store_shared(shared_point(place ^ 10) + 32, x[5]);
  store_shared(shared_point(place ^ 2) + 48, x[6]);
  store_shared(shared_point(place ^ 10) + 48, x[7]);
  store_shared(shared_point(place ^ 4) + 64, x[8]);
  store_shared(shared_point(place ^ 12) + 64, x[9]);
  store_shared(shared_point(place ^ 4) + 80, x[10]);
  store_shared(shared_point(place ^ 12) + 80, x[11]);
  store_shared(shared_point(place ^ 6) + 96, x[12]);
  store_shared(shared_point(place ^ 14) + 96, x[13]);
  store_shared(shared_point(place ^ 6) + 112, x[14]);
  store_shared(shared_point(place ^ 14) + 112, x[15]);
  store_shared(shared_point(place) + 2048, x[16]);
  store_shared(shared_point(place ^ 8) + 2048, x[17]);
  store_shared(shared_point(place) + 2064, x[18]);
  store_shared(shared_point(place ^ 8) + 2064, x[19]);
  store_shared(shared_point(place ^ 2) + 2080, x[20]);
  store_shared(shared_point(place ^ 10) + 2080, x[21]);
  store_shared(shared_point(place ^ 2) + 2096, x[22]);
  store_shared(shared_point(place ^ 10) + 2096, x[23]);
  store_shared(shared_point(place ^ 4) + 2112, x[24]);
  store_shared(shared_point(place ^ 12) + 2112, x[25]);
  store_shared(shared_point(place ^ 4) + 2128, x[26]);
  store_shared(shared_point(place ^ 12) + 2128, x[27]);
  store_shared(shared_point(place ^ 6) + 2144, x[28]);
  store_shared(shared_point(place ^ 14) + 2144, x[29]);
  store_shared(shared_point(place ^ 6) + 2160, x[30]);
  store_shared(shared_point(place ^ 14) + 2160, x[31]);
}
DEVICE void read_3(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0], x[1]);
  load_shared_pair(shared_point(place ^ 2), x[2], x[3]);
  load_shared_pair(shared_point(place ^ 4), x[4], x[5]);
  load_shared_pair(shared_point(place ^ 6), x[6], x[7]);
  load_shared_pair(shared_point(place ^ 2) + 32, x[8], x[9]);
  load_shared_pair(shared_point(place) + 32, x[10], x[11]);
  load_shared_pair(shared_point(place ^ 6) + 32, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 4) + 32, x[14], x[15]);
  load_shared_pair(shared_point(place ^ 4) + 64, x[16], x[17]);
  load_shared_pair(shared_point(place ^ 6) + 64, x[18], x[19]);
  load_shared_pair(shared_point(place) + 64, x[20], x[21]);
  load_shared_pair(shared_point(place ^ 2) + 64, x[22], x[23]);
  load_shared_pair(shared_point(place ^ 6) + 96, x[24], x[25]);
  load_shared_pair(shared_point(place ^ 4) + 96, x[26], x[27]);
  load_shared_pair(shared_point(place ^ 2) + 96, x[28], x[29]);
  load_shared_pair(shared_point(place) + 96, x[30], x[31]);
}
DEVICE void step_4(Points& x) {
  dft8<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
  dft8<-1>(x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]);
  dft8<-1>(x[16], x[17], x[18], x[19], x[20], x[21], x[22], x[23]);
  dft8<-1>(x[24], x[25], x[26], x[27], x[28], x[29], x[30], x[31]);
}
DEVICE void store(Points& x, float2* p) {
  store_point(p, x[0]);
  store_point(p + 4096, x[1]);
  store_point(p + 8192, x[2]);
  store_point(p + 12288, x[3]);
  store_point(p + 16384, x[4]);
  store_point(p + 20480, x[5]);
  store_point(p + 24576, x[6]);
  store_point(p + 28672, x[7]);
  store_point(p + 1024, x[8]);
  store_point(p + 5120, x[9]);
  store_point(p + 9216, x[10]);
  store_point(p + 13312, x[11]);
  store_point(p + 17408, x[12]);
  store_point(p + 21504, x[13]);
  store_point(p + 25600, x[14]);
  store_point(p + 29696, x[15]);
  store_point(p + 2048, x[16]);
  store_point(p + 6144, x[17]);
  store_point(p + 10240, x[18]);
  store_point(p + 14336, x[19]);
  store_point(p + 18432, x[20]);
  store_point(p + 22528, x[21]);
  store_point(p + 26624, x[22]);
  store_point(p + 30720, x[23]);
  store_point(p + 3072, x[24]);
  store_point(p + 7168, x[25]);
  store_point(p + 11264, x[26]);
  store_point(p + 15360, x[27]);
  store_point(p + 19456, x[28]);
  store_point(p + 23552, x[29]);
  store_point(p + 27648, x[30]);
  store_point(p + 31744, x[31]);
}

// ===== the kernel =====
// A cluster of 8 blocks transforms 32768 points: 1 of the batch.
// in and out may be the same.
extern "C" __global__ void __cluster_dims__(8) __launch_bounds__(128, 4)
sonoma_c2c_f32_n32768_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  // Of the cluster
  const unsigned thread = thread_index() + 128 * block_in_cluster();
  const unsigned long long transform = (block_index() / 8);
  in += transform * 32768ull, out += transform * 32768ull;
  Points x;

  // Load: registers t1 t2/8 | threads t4 t3%2 t2%8 t3/2
  load(x, in + (thread % 16 + thread / 16 % 8 * 128 + thread / 128 * 16));

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);
  twiddle_1(x, tables + thread);

  // Exchange: from registers k1 t2/8 | threads t4 t3%2 t2%8 t3/2
  write_1(x, swizzle(thread % 128));
  block_barrier();

  // To registers t2 k1/8 | threads t4 t3%2 k1%8 t3/2
  read_1(x, swizzle(thread % 16 + thread / 16 % 8 * 256));

  // Step 2: radix 16 over t2, butterflies in registers
  step_2(x);
  twiddle_2(x, tables + 6144 + thread % 16 + thread / 128 * 16);
  cluster_barrier();

  // Exchange within the cluster: from registers k2 k1/8 | threads t4 t3%2 k1%8 t3/2
  write_2(x, swizzle(thread % 16 + thread / 16 % 8 * 256 + thread / 128 * 16), 0);
  cluster_barrier();

  // To registers t3 k1/8 | threads t4 k2%2 k1%8 k2/2
  read_2(x, swizzle(thread % 8 + thread / 8 % 16 * 128));

  // Step 3: radix 16 over t3, butterflies in registers
  step_3(x);
  twiddle_3(x, tables + 7168 + thread % 8);

  // Exchange: from registers k3 k1/8 | threads t4 k2%2 k1%8 k2/2
  write_3(x, swizzle(thread % 8 + thread / 8 % 16 * 128));
  block_barrier();

  // To the L2 cache what the block loads that will follow in this one's place
  if (block_in_cluster() == 0 && thread_index() == 0 && transform + 67 <= batch) {
    prefetch(in + 2162688ull, 262144);
  }

  // To registers t4 k3/4 | threads k1 k2%2 k3%4 k2/2
  read_3(x, swizzle(thread % 16 * 256 + thread / 16 % 2 * 128 + thread / 32 % 4 * 8));

  // Step 4: radix 8 over t4, butterflies in registers
  step_4(x);

  // Store: registers k4 k3/4 | threads k1 k2%2 k3%4 k2/2
  store(x, out + (thread % 32 + thread / 32 % 4 * 256 + thread / 128 * 32));
}
