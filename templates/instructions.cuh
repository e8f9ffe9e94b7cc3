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
DEVICE void warp_barrier() { __syncwarp(); }

// --- arithmetic (compiled with --fmad=false: what is fused is written fused) ---------------------
DEVICE float fused_multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
DEVICE double fused_multiply_add_fp64(double a, double b, double c) { return __fma_rn(a, b, c); }
DEVICE unsigned bits_of(float value) { return __float_as_uint(value); }
DEVICE float float_of(unsigned bits) { return __uint_as_float(bits); }
// The larger magnitude; that of the other where one is NaN.
DEVICE float max_magnitude(float a, float b) { return fmaxf(fabsf(a), fabsf(b)); }
// To the nearest integer, ties to even, or the last one; NaN to 0.
DEVICE unsigned rounded_to_int16(float value) {
  return static_cast<unsigned>(max(-32768, min(32767, __float2int_rn(value))));
}

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

// The same with bfloat16.
DEVICE unsigned pack_bfloats(float low, float high) {
#if __CUDA_ARCH__ >= 800
  unsigned packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
#else
  const unsigned parts[2] = {bits_of(low), bits_of(high)};
  unsigned rounded[2];
#pragma unroll
  for (unsigned i = 0; i < 2; ++i) {
    const bool nan = (parts[i] & 0x7fffffffu) > 0x7f800000u;
    rounded[i] = nan ? 0x7fffu : (parts[i] + 0x7fffu + (parts[i] >> 16 & 1u)) >> 16;
  }
  return rounded[0] | rounded[1] << 16;
#endif
}
// In each half of the word the larger of a and |b|; a where b is NaN.
DEVICE unsigned max_halves(unsigned a, unsigned b) {
  unsigned largest;
  asm("{ .reg .b32 m; abs.f16x2 m, %2; max.f16x2 %0, %1, m; }" : "=r"(largest) : "r"(a), "r"(b));
  return largest;
}
DEVICE unsigned max_bfloats(unsigned a, unsigned b) {
  unsigned largest;
  asm("{ .reg .b32 m; abs.bf16x2 m, %2; max.bf16x2 %0, %1, m; }" : "=r"(largest) : "r"(a), "r"(b));
  return largest;
}
// In each half of the word the product of two FP16, rounded once.
DEVICE unsigned multiply_halves(unsigned a, unsigned b) {
  unsigned product;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
}
// In each half of the word, rounded once; what is not fused in the text is not fused.
DEVICE unsigned add_halves(unsigned a, unsigned b) {
  unsigned sum;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}
DEVICE unsigned subtract_halves(unsigned a, unsigned b) {
  unsigned difference;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
  return difference;
}
DEVICE unsigned negate_halves(unsigned a) {
  unsigned negative;
  asm("neg.f16x2 %0, %1;" : "=r"(negative) : "r"(a));
  return negative;
}
DEVICE unsigned fused_multiply_add_halves(unsigned a, unsigned b, unsigned c) {
  unsigned sum;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
// Of the eight bytes of a, then b, those that the digits of the selector number, the last one first.
DEVICE unsigned permuted_bytes(unsigned a, unsigned b, unsigned selector) {
  return __byte_perm(a, b, selector);
}
DEVICE float low_bfloat(unsigned packed) { return float_of(packed << 16); }
DEVICE float high_bfloat(unsigned packed) { return float_of(packed & 0xffff0000u); }

// --- a warp together (all 32 lanes call) ---------------------------------------------------------
DEVICE unsigned shuffle_xor(unsigned value, unsigned lane_mask) {
  return __shfl_xor_sync(0xffffffffu, value, lane_mask);
}
DEVICE unsigned shuffle(unsigned value, unsigned source_lane) {
  return __shfl_sync(0xffffffffu, value, source_lane);
}
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
// d += A B: A 16x8 and B 8x8 of FP16, d 16x8 of FP32 (PTX ISA, "Matrix Fragments for mma.m16n8k8"):
// a0: A(g, 2t..), a1: A(g+8, 2t..), b0: B(2t.., g), d[0] to d[3] as of mma.m16n8k16.
DEVICE void mma_m16n8k8(float (&d)[4], unsigned a0, unsigned a1, unsigned b0) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(b0));
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
// What is touched once: the first to leave the caches.
template <class T>
DEVICE T load_streamed(const T* p) {
  return __ldcs(p);
}
template <class T>
DEVICE void store_streamed(T* p, T value) {
  __stcs(p, value);
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
DEVICE unsigned short load_short_if(const unsigned short* p, bool valid) {
  unsigned short a;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.b16 %0, 0; @p ld.global.b16 %0, [%1]; }"
               : "=&h"(a)
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
DEVICE void store_short_if(unsigned short* p, unsigned short value, bool valid) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.b16 [%0], %2; }" ::"l"(p),
               "r"(static_cast<unsigned>(valid)), "h"(value)
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
// The same, one or two factors, but not before the last barrier: a compiler that may would load all
// factors of a long kernel at once, and spill them.
DEVICE uint4 load_factors(const uint4* p) { return *p; }
DEVICE uint2 load_factor(const uint2* p) { return *p; }

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
// The same of 8 bytes.
DEVICE void copy_async_8(float2* shared, const float2* global) {
#if __CUDA_ARCH__ >= 800
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(global) : "memory");
#else
  *shared = *global;
#endif
}
// To the L2 cache, from the 16 bytes on that p is in, the whole ones of so many bytes: no waiting.
DEVICE void prefetch(const void* p, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  const unsigned long long first = reinterpret_cast<unsigned long long>(p) & ~15ull;
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first), "r"(bytes & ~15u));
#endif
}
// Until the launch before this one in the stream has ended, and its stores can be seen.
DEVICE void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
DEVICE void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
#endif  // SONOMA_EMULATED
