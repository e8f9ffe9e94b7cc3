// sonoma emit --n 16 --decomposition "(dft 16)" --engine simt --points-per-thread 16
//     --block-points 1024 --registers 80 --stage-load 1 --stage-store 1 --arch sm_90
//
// DFT of 16 complex f32 points, forward, (dft 16)
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 64 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared, at
//     least 12 block(s) an SM
//   load through shared memory: registers t1%2 b/4%8 | threads t1/2 b%4 b/32
//   phase 1: registers t1 | threads b
//     step 1: radix 16, butterflies in registers
//   store through shared memory: registers k1%2 b/4%8 | threads k1/2 b%4 b/32
//   point p lies at p ^ (p >> 3 & 14) in shared memory
//
// Costs of a transform: 320 flops nominal, 0 MMAs (m16n8k16), 256 bytes moved of 256 needed.
// A block of 2 warps: 0 barriers, 2 trips through shared memory, 0 bank conflicts, 0 bytes of
//   tables.
// |error|_2 / |result|_2 <= 4.02361e-07 (bound); of random input 5.76757e-08.
//
// To launch it:
//   grid     ceil(batch / 64) blocks
//   block    64 threads
//   shared   8192 bytes, dynamic
//            where more than 21 blocks fit on an SM they shall take 48 % of it,
//            the rest is L1 cache (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
//   in, out  device memory, 16-byte aligned
//   tables   none
//   batch    transforms
// nvcc -cubin -arch=sm_90 -std=c++17 --fmad=false FILE.cu

// ===== instructions.cuh =====
// One wrapper per instruction. Everything above this layer is plain C++: an emulated device
// (SONOMA_EMULATED) brings its own versions of exactly these functions and runs the same text.
#ifndef SONOMA_EMULATED
#define DEVICE static __device__ __forceinline__

// --- threads -----------------------------------------------------------------------------------
DEVICE unsigned thread_index() { return threadIdx.x; }
// The same number; but what was computed from it before is not kept in registers for what follows.
DEVICE unsigned anew(unsigned p) {
  asm volatile("" : "+r"(p));
  return p;
}
DEVICE unsigned block_index() { return blockIdx.x; }
DEVICE void warp_barrier() { __syncwarp(); }

// --- arithmetic (compiled with --fmad=false: what is fused is written fused) ---------------------
DEVICE float fused_multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
DEVICE unsigned bits_of(float value) { return __float_as_uint(value); }

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
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}
template <class T>
DEVICE void store_word(T* p, T word, When when) {
  store_global_if(p, word, when.there);
}

// ===== storage_32.cuh =====
template <class Access = Always>
DEVICE void store_pair(float2* p, float2 first, float2 second, Access access = {}) {
  store_word(reinterpret_cast<uint4*>(p),
             make_uint4(bits_of(first.x), bits_of(first.y), bits_of(second.x), bits_of(second.y)),
             access);
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
DEVICE void store_shared_pair(float2* place, float2 first, float2 second) {
  store_shared(reinterpret_cast<float4*>(place), make_float4(first.x, first.y, second.x, second.y));
}
// Two neighbours from global memory, without waiting.
DEVICE void copy_pair(float2* place, const float2* from, bool there = true) {
  copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), there);
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
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 3 & 14); }

DEVICE void copy(unsigned place, const float2* p, unsigned column, unsigned columns) {
  copy_pair(shared_point(place), p, column < columns);
  copy_pair(shared_point(place ^ 8) + 64, p + 64, column + 4 < columns);
  copy_pair(shared_point(place) + 128, p + 128, column + 8 < columns);
  copy_pair(shared_point(place ^ 8) + 192, p + 192, column + 12 < columns);
  copy_pair(shared_point(place) + 256, p + 256, column + 16 < columns);
  copy_pair(shared_point(place ^ 8) + 320, p + 320, column + 20 < columns);
  copy_pair(shared_point(place) + 384, p + 384, column + 24 < columns);
  copy_pair(shared_point(place ^ 8) + 448, p + 448, column + 28 < columns);
}
DEVICE void read_0(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0], x[1]);
  load_shared_pair(shared_point(place ^ 2), x[2], x[3]);
  load_shared_pair(shared_point(place ^ 4), x[4], x[5]);
  load_shared_pair(shared_point(place ^ 6), x[6], x[7]);
  load_shared_pair(shared_point(place ^ 8), x[8], x[9]);
  load_shared_pair(shared_point(place ^ 10), x[10], x[11]);
  load_shared_pair(shared_point(place ^ 12), x[12], x[13]);
  load_shared_pair(shared_point(place ^ 14), x[14], x[15]);
}
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void write_1(Points& x, unsigned place) {
  store_shared_pair(shared_point(place), x[0], x[1]);
  store_shared_pair(shared_point(place ^ 2), x[2], x[3]);
  store_shared_pair(shared_point(place ^ 4), x[4], x[5]);
  store_shared_pair(shared_point(place ^ 6), x[6], x[7]);
  store_shared_pair(shared_point(place ^ 8), x[8], x[9]);
  store_shared_pair(shared_point(place ^ 10), x[10], x[11]);
  store_shared_pair(shared_point(place ^ 12), x[12], x[13]);
  store_shared_pair(shared_point(place ^ 14), x[14], x[15]);
}
DEVICE void read_1(Points& x, unsigned place) {
  load_shared_pair(shared_point(place), x[0], x[1]);
  load_shared_pair(shared_point(place ^ 8) + 64, x[2], x[3]);
  load_shared_pair(shared_point(place) + 128, x[4], x[5]);
  load_shared_pair(shared_point(place ^ 8) + 192, x[6], x[7]);
  load_shared_pair(shared_point(place) + 256, x[8], x[9]);
  load_shared_pair(shared_point(place ^ 8) + 320, x[10], x[11]);
  load_shared_pair(shared_point(place) + 384, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 8) + 448, x[14], x[15]);
}
DEVICE void store(Points& x, float2* p, unsigned column, unsigned columns) {
  store_pair(p, x[0], x[1], When{column < columns});
  store_pair(p + 64, x[2], x[3], When{column + 4 < columns});
  store_pair(p + 128, x[4], x[5], When{column + 8 < columns});
  store_pair(p + 192, x[6], x[7], When{column + 12 < columns});
  store_pair(p + 256, x[8], x[9], When{column + 16 < columns});
  store_pair(p + 320, x[10], x[11], When{column + 20 < columns});
  store_pair(p + 384, x[12], x[13], When{column + 24 < columns});
  store_pair(p + 448, x[14], x[15], When{column + 28 < columns});
}

// ===== the kernel =====
// One block transforms 1024 points: 64 of the batch.
// in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 12)
sonoma_c2c_f32_n16_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long transform = 64ull * block_index();  // the first one
  in += transform * 16ull, out += transform * 16ull;
  const unsigned columns = at_most(batch - transform, 64);
  Points x;

  // Load, asynchronously, to shared memory: registers t1%2 b/4%8 | threads t1/2 b%4 b/32
  copy(swizzle(thread % 32 * 2 + thread / 32 * 512), in + (thread % 32 * 2 + thread / 32 * 512),
       thread / 8 % 4 + thread / 32 * 32, columns);
  wait_for_copies();
  warp_barrier();

  // To registers t1 | threads b
  read_0(x, swizzle(thread * 16));

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);

  // Exchange: from registers k1 | threads b
  write_1(x, swizzle(thread * 16));
  warp_barrier();

  // To registers k1%2 b/4%8 | threads k1/2 b%4 b/32
  read_1(x, swizzle(thread % 32 * 2 + thread / 32 * 512));

  // Store: registers k1%2 b/4%8 | threads k1/2 b%4 b/32
  store(x, out + (thread % 32 * 2 + thread / 32 * 512), anew(thread / 8 % 4 + thread / 32 * 32),
        columns);
}
