// sonoma emit --n 262144 --pass-lengths 512,512 --fused 1 --workspace-points 3145728
//     --engine simt --points-per-thread 16 --block-points 8192 --registers 80 --arch sm_90
//
// Two passes in one launch.
//
// DFT of 512 complex f32 points, forward, (gs 16 (gs 16 (dft 2)))
// Pass 1 of 2 of a DFT of 262144 points: DFTs of 512 points, 512 apart in, 512 apart out; 512 of
//   them, 1 apart in, 1 apart out; then times w_262144^(k column)
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 16 transform(s) a block, 512 threads, 16 points a thread, 65536 bytes shared, at
//     least 1 block(s) an SM
//   load direct: registers t1 | threads b t3 t2
//   phase 1: registers t1 | threads b t3 t2
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 | threads b t3 k1
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3 k2/2 | threads b k1 k2%2
//     step 3: radix 2, butterflies in registers
//   store direct: registers k3 k2/2 | threads b k1 k2%2
//   point p lies at p ^ ((p >> 4 ^ p >> 8) & 14) in shared memory
//
// Costs of a transform: 23040 flops nominal, 0 MMAs (m16n8k16), 8192 bytes moved of 8192 needed.
// A block of 16 warps: 2 barriers, 2 trips through shared memory, 1536 bank conflicts, 4352 bytes
//   of tables.
// |error|_2 / |result|_2 <= 1.55453e-06 (bound); of random input 1.10555e-07.
//
// DFT of 512 complex f32 points, forward, (gs 16 (gs 16 (dft 2)))
// Pass 2 of 2 of a DFT of 262144 points: DFTs of 512 points, 1 apart in, 512 apart out; 512 of
//   them, 512 apart in, 1 apart out
// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in
// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are
// remainder and quotient; b numbers the transforms of a block.
//
//   engine simt, 16 transform(s) a block, 512 threads, 16 points a thread, 65536 bytes shared, at
//     least 1 block(s) an SM
//   load direct: registers t1 | threads t3 t2 b
//   phase 1: registers t1 | threads t3 t2 b
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2 | threads t3 k1 b
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3 k2/2 | threads b k1 k2%2
//     step 3: radix 2, butterflies in registers
//   store direct: registers k3 k2/2 | threads b k1 k2%2
//   point p lies at p ^ ((p >> 4 ^ p >> 8) & 14) in shared memory
//
// Costs of a transform: 23040 flops nominal, 0 MMAs (m16n8k16), 8192 bytes moved of 8192 needed.
// A block of 16 warps: 1 barriers, 2 trips through shared memory, 0 bank conflicts, 4352 bytes of
//   tables.
// |error|_2 / |result|_2 <= 1.18736e-06 (bound); of random input 1.00146e-07.
//
// To launch it:
//   grid     64 * batch + 384 blocks
//   block    512 threads
//   shared   65536 bytes, dynamic; needs CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
//   in, out  device memory, 16-byte aligned
//   tables   8704 bytes
//            [0, 4096) after step 1: w^(k1 t), w = exp(-2 pi i / 512)
//            [4096, 4352) after step 2: w^(k2 t), w = exp(-2 pi i / 32)
//            [4352, 8448) after step 1: w^(k1 t), w = exp(-2 pi i / 512)
//            [8448, 8704) after step 2: w^(k2 t), w = exp(-2 pi i / 32)
//   batch    transforms
//   workspace  256 bytes of counters, zero before each launch, then the slots
// nvcc -cubin -arch=sm_90 -std=c++17 --fmad=false FILE.cu

// ===== instructions.cuh =====
// One wrapper per instruction. Everything above this layer is plain C++: an emulated device
// (SONOMA_EMULATED) brings its own versions of exactly these functions and runs the same text.
#ifndef SONOMA_EMULATED
#define DEVICE static __device__ __forceinline__

// --- threads -----------------------------------------------------------------------------------
DEVICE unsigned thread_index() { return threadIdx.x; }
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
// What is touched once: the first to leave the caches.
template <class T>
DEVICE T load_streamed(const T* p) {
  return __ldcs(p);
}
template <class T>
DEVICE void store_streamed(T* p, T value) {
  __stcs(p, value);
}
// Between blocks. What a thread has seen or done, and the barriers before add_release() make its
// block's part of that, is there for those who see the sum in load_acquire(), and behind a barrier
// for their blocks.
DEVICE unsigned take_number(unsigned* next) { return atomicAdd(next, 1u); }
DEVICE void add_release(unsigned* counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
DEVICE unsigned load_acquire(const unsigned* counter) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
  return value;
}
DEVICE void pause() { __nanosleep(100); }
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

#endif  // SONOMA_EMULATED

// ===== global.cuh =====
// How an access meets global memory: always; only when a condition holds, else the point reads as
// zero and is not stored; streamed: what is touched once is the first to leave the caches.
struct Always {};
struct Streamed {};
template <class T>
DEVICE T load_word(const T* p, Always) {
  return load_global(p);
}
template <class T>
DEVICE T load_word(const T* p, Streamed) {
  return load_streamed(p);
}
template <class T>
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}
template <class T>
DEVICE void store_word(T* p, T word, Streamed) {
  store_streamed(p, word);
}

// ===== turns.cuh =====
// Blocks of one launch that wait for each other. Each takes a ticket when it starts and waits for
// lower tickets only: those have started, so that the lowest that is not done never waits, whatever
// order the device starts blocks in.

// The block's ticket. Uses the first word of shared memory: a barrier must follow before others do.
DEVICE unsigned take_ticket(unsigned* next) {
  unsigned* const shared = reinterpret_cast<unsigned*>(dynamic_shared());
  if (thread_index() == 0) store_shared(shared, take_number(next));
  block_barrier();
  return load_shared(shared);
}

// Until `count` blocks have signalled; what they did is then there for all threads.
DEVICE void wait_for(const unsigned* signals, unsigned count) {
  if (thread_index() == 0) {
    while (load_acquire(signals) < count) pause();
  }
  block_barrier();
}

// What the block did is there for those who wait.
DEVICE void signal(unsigned* signals) {
  block_barrier();
  if (thread_index() == 0) add_release(signals);
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

// ===== roots.cuh =====
// Roots of unity without a table: a turn is 2^32, so that angles are exact integers and wrap by
// themselves.

// exp(2 pi i turn / 2^32). The angle, reduced to an eighth of a turn on either side of a multiple
// of a quarter, goes into Taylor polynomials of sin(pi y / 2) and cos(pi y / 2), |y| <= 1/2, to
// degree 9 and 10; pi / 2 in two parts keeps the sine to little more than half a unit in the last
// place.
DEVICE float2 unit_root(unsigned turn) {
  const unsigned quarter = (turn + 0x20000000u) >> 30;
  const float y = static_cast<float>(static_cast<int>(turn - (quarter << 30))) * 0x1p-30f;
  const float z = y * y;
  float tail = fused_multiply_add(z, 0x1.507834p-13f, -0x1.32d2ccp-8f);  // (pi/2)^9/9!, ^7/7!
  tail = fused_multiply_add(z, tail, 0x1.466bc6p-4f);                    // ^5/5!
  tail = fused_multiply_add(z, tail, -0x1.4abbcep-1f);                   // ^3/3!
  const float pi_2 = 0x1.921fb6p+0f, pi_2_rest = -0x1.777a5cp-25f;
  const float correction = fused_multiply_add(z * y, tail, pi_2_rest * y);
  const float sine = fused_multiply_add(pi_2, y, correction);
  float bend = fused_multiply_add(z, -0x1.a6d1f2p-16f, 0x1.e1f506p-11f);  // (pi/2)^10/10!, ^8/8!
  bend = fused_multiply_add(z, bend, -0x1.55d3c8p-6f);                    // ^6/6!
  bend = fused_multiply_add(z, bend, 0x1.03c1f0p-2f);                     // ^4/4!
  bend = fused_multiply_add(z, bend, -0x1.3bd3ccp+0f);                    // ^2/2!
  const float cosine = fused_multiply_add(z, bend, 1.0f);
  const float re = quarter & 1u ? sine : cosine, im = quarter & 1u ? cosine : sine;
  return make_float2(float_of(bits_of(re) ^ ((quarter + 1) & 2u) << 30),
                     float_of(bits_of(im) ^ (quarter & 2u) << 30));
}

// ===== this plan =====
namespace pass_1 {
// The points of a thread
using Points = float2[16];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 4 ^ p >> 8) & 14); }

DEVICE void load(Points& x, const float2* p) {
  x[0] = load_point(p, Streamed{});
  x[1] = load_point(p + 16384, Streamed{});
  x[2] = load_point(p + 32768, Streamed{});
  x[3] = load_point(p + 49152, Streamed{});
  x[4] = load_point(p + 65536, Streamed{});
  x[5] = load_point(p + 81920, Streamed{});
  x[6] = load_point(p + 98304, Streamed{});
  x[7] = load_point(p + 114688, Streamed{});
  x[8] = load_point(p + 131072, Streamed{});
  x[9] = load_point(p + 147456, Streamed{});
  x[10] = load_point(p + 163840, Streamed{});
  x[11] = load_point(p + 180224, Streamed{});
  x[12] = load_point(p + 196608, Streamed{});
  x[13] = load_point(p + 212992, Streamed{});
  x[14] = load_point(p + 229376, Streamed{});
  x[15] = load_point(p + 245760, Streamed{});
}
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 32));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 64));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 96));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 128));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 160));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 192));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 224));
  x[15] = complex_product(x[15], w7.first);
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
DEVICE void step_2(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
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
  load_shared_pair(shared_point(place ^ 4), x[2], x[3]);
  load_shared_pair(shared_point(place ^ 8), x[4], x[5]);
  load_shared_pair(shared_point(place ^ 12), x[6], x[7]);
  load_shared_pair(shared_point(place) + 16, x[8], x[9]);
  load_shared_pair(shared_point(place ^ 4) + 16, x[10], x[11]);
  load_shared_pair(shared_point(place ^ 8) + 16, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 12) + 16, x[14], x[15]);
}
DEVICE void step_3(Points& x) {
  dft2(x[0], x[1]);
  dft2(x[2], x[3]);
  dft2(x[4], x[5]);
  dft2(x[6], x[7]);
  dft2(x[8], x[9]);
  dft2(x[10], x[11]);
  dft2(x[12], x[13]);
  dft2(x[14], x[15]);
}
DEVICE void twiddle_between_passes(Points& x, unsigned k, unsigned column) {
  const unsigned step = (0u - column) << 14;
  const float2 near0 = unit_root(k * step);
  const float2 far0 = unit_root(256 * step);
  const float2 near1 = unit_root((k + 32) * step);
  const float2 near2 = unit_root((k + 64) * step);
  const float2 near3 = unit_root((k + 96) * step);
  const float2 far1 = unit_root(128 * step);
  const float2 far2 = unit_root(384 * step);
  x[0] = complex_product(x[0], near0);
  x[1] = complex_product(x[1], complex_product(near0, far0));
  x[2] = complex_product(x[2], near1);
  x[3] = complex_product(x[3], complex_product(near1, far0));
  x[4] = complex_product(x[4], near2);
  x[5] = complex_product(x[5], complex_product(near2, far0));
  x[6] = complex_product(x[6], near3);
  x[7] = complex_product(x[7], complex_product(near3, far0));
  x[8] = complex_product(x[8], complex_product(near0, far1));
  x[9] = complex_product(x[9], complex_product(near0, far2));
  x[10] = complex_product(x[10], complex_product(near1, far1));
  x[11] = complex_product(x[11], complex_product(near1, far2));
  x[12] = complex_product(x[12], complex_product(near2, far1));
  x[13] = complex_product(x[13], complex_product(near2, far2));
  x[14] = complex_product(x[14], complex_product(near3, far1));
  x[15] = complex_product(x[15], complex_product(near3, far2));
}
DEVICE void store(Points& x, float2* p) {
  store_point(p, x[0]);
  store_point(p + 131072, x[1]);
  store_point(p + 16384, x[2]);
  store_point(p + 147456, x[3]);
  store_point(p + 32768, x[4]);
  store_point(p + 163840, x[5]);
  store_point(p + 49152, x[6]);
  store_point(p + 180224, x[7]);
  store_point(p + 65536, x[8]);
  store_point(p + 196608, x[9]);
  store_point(p + 81920, x[10]);
  store_point(p + 212992, x[11]);
  store_point(p + 98304, x[12]);
  store_point(p + 229376, x[13]);
  store_point(p + 114688, x[14]);
  store_point(p + 245760, x[15]);
}
// One block transforms 8192 points: 16 columns side by side.
DEVICE void tile(const float2* in, float2* out, const uint4* tables, unsigned block) {
  const unsigned thread = thread_index();
  const unsigned column = block % 32u * 16;  // the first of 16
  in += column * 1ull + block / 32u * 262144ull;
  out += column * 1ull + block / 32u * 262144ull;
  Points x;

  // Load: registers t1 | threads b t3 t2
  load(x, in + (thread % 16 + thread / 16 * 512));

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);
  twiddle_1(x, tables + thread / 16);

  // Exchange: from registers k1 | threads b t3 t2
  write_1(x, swizzle(thread % 16 * 512 + thread / 16));
  block_barrier();

  // To registers t2 | threads b t3 k1
  read_1(x, swizzle(thread % 16 * 512 + thread / 16 % 2 + thread / 32 * 32));

  // Step 2: radix 16 over t2, butterflies in registers
  step_2(x);
  twiddle_2(x, tables + 256 + thread / 16 % 2);

  // Exchange: from registers k2 | threads b t3 k1
  write_2(x, swizzle(thread % 16 * 512 + thread / 16 % 2 + thread / 32 * 32));
  block_barrier();

  // To registers t3 k2/2 | threads b k1 k2%2
  read_2(x, swizzle(thread % 16 * 512 + thread / 16 % 16 * 32 + thread / 256 * 2));

  // Step 3: radix 2 over t3, butterflies in registers
  step_3(x);

  // Between passes: times w^(k column), w = exp(-2 pi i / 262144)
  twiddle_between_passes(x, thread / 16, column + thread % 16);

  // Store: registers k3 k2/2 | threads b k1 k2%2
  store(x, out + (thread % 16 + thread / 16 * 512));
}
}  // namespace pass_1

namespace pass_2 {
// The points of a thread
using Points = float2[16];
// Where point p of the tile lies in shared memory: a permutation of the points that spreads every
// access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 4 ^ p >> 8) & 14); }

DEVICE void load(Points& x, const float2* p) {
  x[0] = load_point(p);
  x[1] = load_point(p + 32);
  x[2] = load_point(p + 64);
  x[3] = load_point(p + 96);
  x[4] = load_point(p + 128);
  x[5] = load_point(p + 160);
  x[6] = load_point(p + 192);
  x[7] = load_point(p + 224);
  x[8] = load_point(p + 256);
  x[9] = load_point(p + 288);
  x[10] = load_point(p + 320);
  x[11] = load_point(p + 352);
  x[12] = load_point(p + 384);
  x[13] = load_point(p + 416);
  x[14] = load_point(p + 448);
  x[15] = load_point(p + 480);
}
DEVICE void step_1(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_1(Points& x, const uint4* f) {
  const Factors w0 = factors_of(load_table(f));
  x[1] = complex_product(x[1], w0.first);
  x[2] = complex_product(x[2], w0.second);
  const Factors w1 = factors_of(load_table(f + 32));
  x[3] = complex_product(x[3], w1.first);
  x[4] = complex_product(x[4], w1.second);
  const Factors w2 = factors_of(load_table(f + 64));
  x[5] = complex_product(x[5], w2.first);
  x[6] = complex_product(x[6], w2.second);
  const Factors w3 = factors_of(load_table(f + 96));
  x[7] = complex_product(x[7], w3.first);
  x[8] = complex_product(x[8], w3.second);
  const Factors w4 = factors_of(load_table(f + 128));
  x[9] = complex_product(x[9], w4.first);
  x[10] = complex_product(x[10], w4.second);
  const Factors w5 = factors_of(load_table(f + 160));
  x[11] = complex_product(x[11], w5.first);
  x[12] = complex_product(x[12], w5.second);
  const Factors w6 = factors_of(load_table(f + 192));
  x[13] = complex_product(x[13], w6.first);
  x[14] = complex_product(x[14], w6.second);
  const Factors w7 = factors_of(load_table(f + 224));
  x[15] = complex_product(x[15], w7.first);
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
DEVICE void step_2(Points& x) {
  dft16<-1>(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13],
            x[14], x[15]);
}
DEVICE void twiddle_2(Points& x, const uint4* f) {
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
  load_shared_pair(shared_point(place ^ 4), x[2], x[3]);
  load_shared_pair(shared_point(place ^ 8), x[4], x[5]);
  load_shared_pair(shared_point(place ^ 12), x[6], x[7]);
  load_shared_pair(shared_point(place) + 16, x[8], x[9]);
  load_shared_pair(shared_point(place ^ 4) + 16, x[10], x[11]);
  load_shared_pair(shared_point(place ^ 8) + 16, x[12], x[13]);
  load_shared_pair(shared_point(place ^ 12) + 16, x[14], x[15]);
}
DEVICE void step_3(Points& x) {
  dft2(x[0], x[1]);
  dft2(x[2], x[3]);
  dft2(x[4], x[5]);
  dft2(x[6], x[7]);
  dft2(x[8], x[9]);
  dft2(x[10], x[11]);
  dft2(x[12], x[13]);
  dft2(x[14], x[15]);
}
DEVICE void store(Points& x, float2* p) {
  store_point(p, x[0], Streamed{});
  store_point(p + 131072, x[1], Streamed{});
  store_point(p + 16384, x[2], Streamed{});
  store_point(p + 147456, x[3], Streamed{});
  store_point(p + 32768, x[4], Streamed{});
  store_point(p + 163840, x[5], Streamed{});
  store_point(p + 49152, x[6], Streamed{});
  store_point(p + 180224, x[7], Streamed{});
  store_point(p + 65536, x[8], Streamed{});
  store_point(p + 196608, x[9], Streamed{});
  store_point(p + 81920, x[10], Streamed{});
  store_point(p + 212992, x[11], Streamed{});
  store_point(p + 98304, x[12], Streamed{});
  store_point(p + 229376, x[13], Streamed{});
  store_point(p + 114688, x[14], Streamed{});
  store_point(p + 245760, x[15], Streamed{});
}
// One block transforms 8192 points: 16 columns side by side.
DEVICE void tile(const float2* in, float2* out, const uint4* tables, unsigned block) {
  const unsigned thread = thread_index();
  const unsigned column = block % 32u * 16;  // the first of 16
  in += column * 512ull + block / 32u * 262144ull;
  out += column * 1ull + block / 32u * 262144ull;
  Points x;

  // Load: registers t1 | threads t3 t2 b
  load(x, in + (thread % 32 + thread / 32 * 512));

  // Step 1: radix 16 over t1, butterflies in registers
  step_1(x);
  twiddle_1(x, tables + thread % 32);

  // Exchange: from registers k1 | threads t3 t2 b
  write_1(x, swizzle(thread % 32 + thread / 32 * 512));
  warp_barrier();

  // To registers t2 | threads t3 k1 b
  read_1(x, swizzle(thread % 2 + thread / 2 * 32));

  // Step 2: radix 16 over t2, butterflies in registers
  step_2(x);
  twiddle_2(x, tables + 256 + thread % 2);

  // Exchange: from registers k2 | threads t3 k1 b
  write_2(x, swizzle(thread % 2 + thread / 2 * 32));
  block_barrier();

  // To registers t3 k2/2 | threads b k1 k2%2
  read_2(x, swizzle(thread % 16 * 512 + thread / 16 % 16 * 32 + thread / 256 * 2));

  // Step 3: radix 2 over t3, butterflies in registers
  step_3(x);

  // Store: registers k3 k2/2 | threads b k1 k2%2
  store(x, out + (thread % 16 + thread / 16 * 512));
}
}  // namespace pass_2


// ===== the kernel =====
// One block makes one tile of either pass. in and out may be the same.
extern "C" __global__ void __launch_bounds__(512, 1)
sonoma_c2c_f32_n262144_fused_forward_simt(
    const float2* in, float2* out, const uint4* tables, unsigned long long batch,
    unsigned* workspace) {
  // The workspace: a counter of tickets; for each slot, tiles of pass 1 that are written and
  // tiles of pass 2 that have read theirs; then slots of one transform each.
  unsigned* const written = workspace + 32;
  unsigned* const left = written + 12;
  float2* const slots = reinterpret_cast<float2*>(workspace + 64);

  // Tiles of pass 1 and of pass 2 take turns, the latter 192 behind.
  const unsigned ticket = take_ticket(workspace);
  const bool first = ticket % 2 == 0;
  const unsigned turn = ticket / 2;
  if (!first && turn < 192u) return;
  const unsigned tile = first ? turn : turn - 192u;
  if (tile >= 32u * batch) return;
  const unsigned transform = tile / 32u;
  const unsigned slot = transform % 12u, round = transform / 12u;
  float2* const between = slots + slot * 262144ull;
  if (first) {
    // Pass 2 of the transform that was in the slot before
    wait_for(left + slot, round * 32u);
    pass_1::tile(in + transform * 262144ull, between, tables, tile % 32u);
    signal(written + slot);
  } else {
    // Pass 1 of this transform
    wait_for(written + slot, (round + 1) * 32u);
    pass_2::tile(between, out + transform * 262144ull, tables + 272,
                 tile % 32u);
    signal(left + slot);
  }
}
