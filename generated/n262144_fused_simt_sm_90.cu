// sonoma emit --n 262144 --pass-lengths 512,512 --fused 1 --workspace-points 3145728 --engine simt --points-per-thread 16 --block-points 8192 --registers 80 --arch sm_90
//
// Two passes in one launch.
//
// DFT of 512 complex f32 points, forward, (gs 16 (gs 16 (dft 2)))
// Pass 1 of 2 of a DFT of 262144 points: DFTs of 512 points, 512 apart in, 512 apart out; 512 of them, 1 apart in, 1 apart out; then times w_262144^(k column)
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine simt, 16 transform(s) a block, 512 threads, 16 points a thread, 65536 bytes shared, at least 1 block(s) an SM
//   load direct: registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] b[2] b[3] t3[0] | warps t2[0] t2[1] t2[2] t2[3]
//   phase 1: registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] b[2] b[3] t3[0] | warps t2[0] t2[1] t2[2] t2[3]
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t3[0] | warps t1[0] t1[1] t1[2] t1[3]
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
//     step 3: radix 2, butterflies in registers
//   store direct: registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
//   point p lies at p ^ ((p >> 4 ^ p >> 8) & 14) in shared memory
//
// Costs of a transform: 23040 flops nominal, 0 MMAs (m16n8k16), 8192 bytes moved of 8192 needed.
// A block of 16 warps: 2 barriers, 2 trips through shared memory, 1536 bank conflicts, 4352 bytes of tables.
// |error|_2 / |result|_2 <= 1.61886e-06 (bound).
//
// DFT of 512 complex f32 points, forward, (gs 16 (gs 16 (dft 2)))
// Pass 2 of 2 of a DFT of 262144 points: DFTs of 512 points, 1 apart in, 512 apart out; 512 of them, 512 apart in, 1 apart out
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine simt, 16 transform(s) a block, 512 threads, 16 points a thread, 65536 bytes shared, at least 1 block(s) an SM
//   load direct: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t2[0] t2[1] t2[2] t2[3] | warps b[0] b[1] b[2] b[3]
//   phase 1: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t2[0] t2[1] t2[2] t2[3] | warps b[0] b[1] b[2] b[3]
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t1[0] t1[1] t1[2] t1[3] | warps b[0] b[1] b[2] b[3]
//     step 2: radix 16, butterflies in registers
//   phase 3: registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
//     step 3: radix 2, butterflies in registers
//   store direct: registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
//   point p lies at p ^ ((p >> 4 ^ p >> 8) & 14) in shared memory
//
// Costs of a transform: 23040 flops nominal, 0 MMAs (m16n8k16), 8192 bytes moved of 8192 needed.
// A block of 16 warps: 1 barriers, 2 trips through shared memory, 0 bank conflicts, 4352 bytes of tables.
// |error|_2 / |result|_2 <= 1.2517e-06 (bound).

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
// p[offset]; zero, and nothing read, where `valid` is false. (As a predicate: an `if` would become a
// branch around every load.)
template <unsigned offset>
DEVICE unsigned load_global_if(const unsigned* p, bool valid) {
  unsigned a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.b32 %0, 0; @p ld.global.b32 %0, [%1+%3]; }"
      : "=&r"(a)
      : "l"(p), "r"(static_cast<unsigned>(valid)), "n"(4 * offset));
  return a;
}
template <unsigned offset>
DEVICE uint2 load_global_if(const uint2* p, bool valid) {
  uint2 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %3, 0; mov.b32 %0, 0; mov.b32 %1, 0; "
      "@p ld.global.v2.b32 {%0, %1}, [%2+%4]; }"
      : "=&r"(a.x), "=&r"(a.y)
      : "l"(p), "r"(static_cast<unsigned>(valid)), "n"(8 * offset));
  return a;
}
template <unsigned offset>
DEVICE uint4 load_global_if(const uint4* p, bool valid) {
  uint4 a;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %5, 0; mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; "
      "mov.b32 %3, 0; @p ld.global.v4.b32 {%0, %1, %2, %3}, [%4+%6]; }"
      : "=&r"(a.x), "=&r"(a.y), "=&r"(a.z), "=&r"(a.w)
      : "l"(p), "r"(static_cast<unsigned>(valid)), "n"(16 * offset));
  return a;
}
// p[offset] = value where `valid`.
template <unsigned offset>
DEVICE void store_global_if(unsigned* p, unsigned value, bool valid) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.b32 [%0+%3], %2; }" ::"l"(p),
               "r"(static_cast<unsigned>(valid)), "r"(value), "n"(4 * offset)
               : "memory");
}
template <unsigned offset>
DEVICE void store_global_if(uint2* p, uint2 value, bool valid) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v2.b32 [%0+%4], {%2, %3}; }" ::"l"(p),
      "r"(static_cast<unsigned>(valid)), "r"(value.x), "r"(value.y), "n"(8 * offset)
      : "memory");
}
template <unsigned offset>
DEVICE void store_global_if(uint4* p, uint4 value, bool valid) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v4.b32 [%0+%6], {%2, %3, %4, %5}; }" ::
          "l"(p),
      "r"(static_cast<unsigned>(valid)), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w),
      "n"(16 * offset)
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

#endif  // SONOMA_EMULATED

// ===== this plan =====
// Where point p of the block's tile lies in shared memory: a permutation of the points that
// spreads every access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 4 ^ p >> 8) & 14); }

// ===== existing.cuh =====
// Global memory that may end within the tile of a block: points that the batch does not have read as
// zero and are not stored.
struct AllPoints {
  __device__ bool has(unsigned) const { return true; }
};
struct FirstPoints {
  unsigned limit;
  __device__ bool has(unsigned p) const { return p < limit; }
};
// p[offset], the point `index` of the tile.
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, AllPoints, unsigned) {
  return load_global(p + offset);
}
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, FirstPoints existing, unsigned index) {
  return load_global_if<offset>(p, existing.has(index));
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, AllPoints, unsigned) {
  store_global(p + offset, value);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, FirstPoints existing, unsigned index) {
  store_global_if<offset>(p, value, existing.has(index));
}

// ===== streamed.cuh =====
// Points of a pass that shares its launch with another one: what comes from the input, or goes to the
// output, leaves the cache to what lies between the passes.
struct StreamedInput {
  __device__ bool has(unsigned) const { return true; }
};
struct StreamedOutput {
  __device__ bool has(unsigned) const { return true; }
};
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, StreamedInput, unsigned) {
  return load_streamed(p + offset);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, StreamedInput, unsigned) {
  store_global(p + offset, value);
}
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, StreamedOutput, unsigned) {
  return load_global(p + offset);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, StreamedOutput, unsigned) {
  store_streamed(p + offset, value);
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
// Points in global memory, by type of the pointer: one, or two neighbours, p[offset] and what follows
// it. In registers they are FP32.

// FP32
template <unsigned offset, class Existing>
DEVICE float2 load_point(const float2* p, Existing existing, unsigned index) {
  const uint2 a = load_existing<offset>(reinterpret_cast<const uint2*>(p), existing, index);
  return make_float2(float_of(a.x), float_of(a.y));
}
template <unsigned offset, class Existing>
DEVICE float4 load_pair(const float2* p, Existing existing, unsigned index) {
  const uint4 a = load_existing<offset / 2>(reinterpret_cast<const uint4*>(p), existing, index);
  return make_float4(float_of(a.x), float_of(a.y), float_of(a.z), float_of(a.w));
}
template <unsigned offset, class Existing>
DEVICE void store_point(float2* p, float2 a, Existing existing, unsigned index) {
  store_existing<offset>(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)),
                         existing, index);
}
template <unsigned offset, class Existing>
DEVICE void store_pair(float2* p, float4 a, Existing existing, unsigned index) {
  store_existing<offset / 2>(reinterpret_cast<uint4*>(p),
                             make_uint4(bits_of(a.x), bits_of(a.y), bits_of(a.z), bits_of(a.w)),
                             existing, index);
}

// ===== points.cuh =====
// Complex points in registers, and their way to and from memory.
//
// A thread holds its points in an array; register r of it is the r-th point. Offsets are given per
// register, in points, ascending, without the registers that have `pair_bit` set: those are the
// neighbours (offset + 1) of the ones that have not, and travel with them, 16 bytes at a time.
// pair_bit < 0: no pairs, 8 bytes at a time.
//
// The index of a point is p ^ offset, p the thread's part. Where a digit is folded, offsets have
// bits in common with p; `bits_of_p` says which bits p can have, so that all others are added, and
// become constants in the addresses of instructions.

// 16 x 16 points of a warp, eight a lane.
struct Tile {
  float2 at[8];
};

template <unsigned count>
DEVICE float2& point(float2 (&x)[count], unsigned r) {
  return x[r];
}
template <unsigned count>
DEVICE float2& point(Tile (&x)[count], unsigned r) {
  return x[r / 8].at[r % 8];
}

// How many points an array of registers holds.
template <class Points>
struct PointCount;
template <unsigned count>
struct PointCount<float2[count]> {
  static constexpr unsigned value = count;
};
template <unsigned count>
struct PointCount<Tile[count]> {
  static constexpr unsigned value = 8 * count;
};
// Offsets that an array of registers takes: one for each access.
template <class Points>
DEVICE constexpr unsigned access_count(int pair_bit) {
  return PointCount<Points>::value / (pair_bit < 0 ? 1 : 2);
}

// The j-th register without `bit`.
DEVICE constexpr unsigned register_without(int bit, unsigned j) {
  return bit < 0 ? j : (j >> bit << (bit + 1)) | (j & ((1u << bit) - 1));
}

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}

// Two neighbouring points and their registers r and r | 1 << pair_bit, the other way round if
// swapped: where a fold makes the offset odd.
template <int pair_bit, class Points>
DEVICE void put_pair(Points& x, unsigned r, bool swapped, float4 pair) {
  const unsigned other = r | 1u << pair_bit;
  point(x, swapped ? other : r) = make_float2(pair.x, pair.y);
  point(x, swapped ? r : other) = make_float2(pair.z, pair.w);
}
template <int pair_bit, class Points>
DEVICE float4 get_pair(Points& x, unsigned r, bool swapped) {
  const unsigned other = r | 1u << pair_bit;
  const float2 a = point(x, swapped ? other : r), b = point(x, swapped ? r : other);
  return make_float4(a.x, a.y, b.x, b.y);
}

// --- shared memory: point p of the tile lies at 8 bytes * swizzle(p) -----------------------------
DEVICE float2* shared_point(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}
// The place of point p ^ offset: the part that p cannot reach is added, a constant in the address of
// the instruction. The swizzle reaches the last four bits only.
template <unsigned bits_of_p>
DEVICE float2* shared_point(unsigned p, unsigned offset) {
  constexpr unsigned mixed = bits_of_p | 15;
  const unsigned place = swizzle(offset);
  return shared_point(swizzle(p) ^ (place & mixed)) + (place & ~mixed);
}

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void read_shared(Points& x, unsigned p) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    if constexpr (pair_bit < 0) {
      point(x, r) = load_shared(shared_point<bits_of_p>(p, offsets[j]));
    } else {
      const float2* place = shared_point<bits_of_p>(p, offsets[j] & ~1u);
      put_pair<pair_bit>(x, r, offsets[j] % 2 == 1,
                         load_shared(reinterpret_cast<const float4*>(place)));
    }
  }
}

template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void write_shared(Points& x, unsigned p) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned j = 0; j < sizeof...(offset); ++j) {
    const unsigned r = register_without(pair_bit, j);
    if constexpr (pair_bit < 0) {
      store_shared(shared_point<bits_of_p>(p, offsets[j]), point(x, r));
    } else {
      float2* place = shared_point<bits_of_p>(p, offsets[j] & ~1u);
      store_shared(reinterpret_cast<float4*>(place), get_pair<pair_bit>(x, r, offsets[j] % 2 == 1));
    }
  }
}

// --- global memory ------------------------------------------------------------------------------
// One access of a thread; load_point, load_pair and their stores are those of the storage type: see
// storage_32.cuh and storage_16.cuh.
template <int pair_bit, unsigned bits_of_p, unsigned offset, class Points, class Point,
          class Existing>
DEVICE void load_access(Points& x, unsigned r, const Point* in, unsigned p, Existing existing) {
  constexpr unsigned even = pair_bit < 0 ? offset : offset & ~1u, further = even & ~bits_of_p;
  const Point* from = in + (p ^ (even & bits_of_p));
  if constexpr (pair_bit < 0) {
    point(x, r) = load_point<further>(from, existing, p ^ offset);
  } else {
    put_pair<pair_bit>(x, r, offset % 2 == 1, load_pair<further>(from, existing, p ^ offset));
  }
}
template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Point,
          class Existing>
DEVICE void load_tile(Points& x, const Point* in, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  unsigned j = 0;
  (load_access<pair_bit, bits_of_p, offset>(x, register_without(pair_bit, j++), in, p, existing),
   ...);
}

template <int pair_bit, unsigned bits_of_p, unsigned offset, class Points, class Point,
          class Existing>
DEVICE void store_access(Points& x, unsigned r, Point* out, unsigned p, Existing existing) {
  constexpr unsigned even = pair_bit < 0 ? offset : offset & ~1u, further = even & ~bits_of_p;
  Point* to = out + (p ^ (even & bits_of_p));
  if constexpr (pair_bit < 0) {
    store_point<further>(to, point(x, r), existing, p ^ offset);
  } else {
    store_pair<further>(to, get_pair<pair_bit>(x, r, offset % 2 == 1), existing, p ^ offset);
  }
}
template <int pair_bit, unsigned bits_of_p, unsigned... offset, class Points, class Point,
          class Existing>
DEVICE void store_tile(Points& x, Point* out, unsigned p, Existing existing) {
  static_assert(sizeof...(offset) == access_count<Points>(pair_bit), "one offset an access");
  unsigned j = 0;
  (store_access<pair_bit, bits_of_p, offset>(x, register_without(pair_bit, j++), out, p, existing),
   ...);
}

// --- twiddles -----------------------------------------------------------------------------------
// The bits of `r` that `mask` selects, closed up.
DEVICE constexpr unsigned gather_bits(unsigned r, unsigned mask) {
  unsigned result = 0, place = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    if (mask >> bit & 1u) result |= (r >> bit & 1u) << place++;
  }
  return result;
}

// x *= w. The factor of a register depends on the register bits in `mask`; two factors lie in each
// 16-byte unit of the table, units `stride` apart, which `load` loads. Registers with no bit in
// `unity` have factor 1 (unity = 0: there are none).
template <unsigned registers, unsigned mask, unsigned unity, unsigned stride,
          uint4 (*load)(const uint4*) = load_table, class Points>
DEVICE void twiddle(Points& x, const uint4* table) {
  constexpr unsigned units = (gather_bits(mask, mask) + 2) / 2;
#pragma unroll
  for (unsigned u = 0; u < units; ++u) {
    const uint4 unit = load(table + u * stride);
    const float2 w[2] = {make_float2(float_of(unit.x), float_of(unit.y)),
                         make_float2(float_of(unit.z), float_of(unit.w))};
#pragma unroll
    for (unsigned r = 0; r < registers; ++r) {
      const unsigned entry = gather_bits(r, mask);
      if (entry / 2 != u || (unity != 0 && (r & unity) == 0)) continue;
      point(x, r) = complex_product(point(x, r), w[entry % 2]);
    }
  }
}

// ===== butterflies.cuh =====
// DFTs of 2, 4, 8, 16 and 32 points in registers; sign -1 forward, +1 inverse. Results in natural
// order. Complex factors are applied as fused products of both parts, never as (re + im) * c, so
// that nothing overflows that the exact result does not.

DEVICE float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
DEVICE float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

// a * (sign i)
template <int sign>
DEVICE float2 turned(float2 a) {
  return sign < 0 ? make_float2(a.y, -a.x) : make_float2(-a.y, a.x);
}

template <int sign>
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

// w_8 and w_16 to the first, second and third power: cos and sin of pi/8, pi/4, 3 pi/8.
template <int sign>
DEVICE float2 times_w16(float2 a, unsigned power) {
  constexpr float cos_pi_8 = 0x1.d906bcp-1f, sin_pi_8 = 0x1.87de2ap-2f, cos_pi_4 = 0x1.6a09e6p-1f;
  switch (power) {
    case 0: return a;
    case 1: return complex_product(a, make_float2(cos_pi_8, sign * sin_pi_8));
    case 2: return complex_product(a, make_float2(cos_pi_4, sign * cos_pi_4));
    case 3: return complex_product(a, make_float2(sin_pi_8, sign * cos_pi_8));
    case 4: return turned<sign>(a);
    case 6: return complex_product(a, make_float2(-cos_pi_4, sign * cos_pi_4));
    default: return complex_product(a, make_float2(-cos_pi_8, -sign * sin_pi_8));  // 9
  }
}

template <int sign>
DEVICE void dft16(float2 (&v)[16]) {
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    dft4<sign>(v[j], v[j + 4], v[j + 8], v[j + 12]);
#pragma unroll
    for (unsigned k = 1; k < 4; ++k) v[j + 4 * k] = times_w16<sign>(v[j + 4 * k], j * k);
  }
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) dft4<sign>(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {  // v[4 a + b] is X[a + 4 b]
#pragma unroll
    for (unsigned b = 0; b < k; ++b) {
      const float2 other = v[4 * b + k];
      v[4 * b + k] = v[4 * k + b];
      v[4 * k + b] = other;
    }
  }
}

// The bits of `j` put where `mask` has bits, lowest first.
DEVICE constexpr unsigned scatter_bits(unsigned j, unsigned mask) {
  unsigned result = 0;
  for (unsigned bit = 1; bit <= mask; bit *= 2) {
    if ((mask & bit) == 0) continue;
    if (j & 1u) result |= bit;
    j >>= 1;
  }
  return result;
}

// dft(v) for every group v of registers that differ in the bits of `mask` only.
template <unsigned radix, unsigned mask, class Points, class Dft>
DEVICE void for_each_group(Points& x, Dft dft) {
#pragma unroll
  for (unsigned first = 0; first < PointCount<Points>::value; ++first) {
    if (first & mask) continue;
    float2 v[radix];
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) v[j] = point(x, first | scatter_bits(j, mask));
    dft(v);
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) point(x, first | scatter_bits(j, mask)) = v[j];
  }
}

// DFTs over the register bits in `mask`.
template <int sign, unsigned mask, class Points>
DEVICE void butterflies2(Points& x) {
  for_each_group<2, mask>(x, [](float2(&v)[2]) { dft2<sign>(v[0], v[1]); });
}
template <int sign, unsigned mask, class Points>
DEVICE void butterflies16(Points& x) {
  for_each_group<16, mask>(x, [](float2(&v)[16]) { dft16<sign>(v); });
}

// ===== roots.cuh =====
// Roots of unity without a table: a turn is 2^32, so that angles are exact integers and wrap by
// themselves.

// exp(2 pi i turn / 2^32). The angle, reduced to an eighth of a turn on either side of a multiple of
// a quarter, goes into Taylor polynomials of sin(pi y / 2) and cos(pi y / 2), |y| <= 1/2, to degree 9
// and 10; pi / 2 in two parts keeps the sine to little more than half a unit in the last place.
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

// Of each register the first one with the same part of its offset.
template <unsigned count>
struct Firsts {
  unsigned of[count] = {};
};
template <unsigned count>
DEVICE constexpr Firsts<count> first_with_same(unsigned part, const unsigned (&offsets)[count]) {
  Firsts<count> first;
  for (unsigned r = 0; r < count; ++r) {
    while ((offsets[first.of[r]] & part) != (offsets[r] & part)) ++first.of[r];
  }
  return first;
}

// The twiddle between two passes: x *= w^(k column), w = exp(sign 2 pi i / 2^log2_length), where
// register r of a thread holds k + offset[r] of a pass of 4 `quarter` points. A factor is always the
// product of two roots, that of k modulo a quarter and that of the quarters, so that it does not
// depend on which thread computes it; few of either differ within a thread. `within`: k is below a
// quarter, and so is the second root 1 where the offset is.
template <int sign, unsigned log2_length, unsigned quarter, bool within, unsigned... offset,
          class Points>
DEVICE void twiddle_between_passes(Points& x, unsigned k, unsigned column) {
  constexpr unsigned count = sizeof...(offset), rest = quarter - 1, quarters = ~rest;
  static_assert(count == PointCount<Points>::value, "one offset a point");
  constexpr unsigned offsets[] = {offset...};
  constexpr Firsts<count> same_rest = first_with_same(rest, offsets),
                          same_quarter = first_with_same(quarters, offsets);
  const unsigned step = (sign < 0 ? 0u - column : column) << (32 - log2_length);
  float2 far[count];
#pragma unroll
  for (unsigned b = 0; b < count; ++b) {
    const bool one = within && offsets[b] < quarter;
    if (same_quarter.of[b] != b || one) continue;
    far[b] = unit_root(((k & quarters) + (offsets[b] & quarters)) * step);
  }
#pragma unroll
  for (unsigned a = 0; a < count; ++a) {
    if (same_rest.of[a] != a) continue;
    const float2 near = unit_root(((k & rest) + (offsets[a] & rest)) * step);
#pragma unroll
    for (unsigned r = a; r < count; ++r) {
      if (same_rest.of[r] != a) continue;
      const bool one = within && offsets[r] < quarter;
      const float2 w = one ? near : complex_product(near, far[same_quarter.of[r]]);
      point(x, r) = complex_product(point(x, r), w);
    }
  }
}

// ===== the kernel =====
// Pass 1: one block transforms 8192 points: 16 columns side by side.
DEVICE void pass_1(const float2* in, float2* out, const uint4* tables, unsigned block) {
  const unsigned thread = thread_index();
  const unsigned column = block % 32u * 16;  // the first of 16
  in += column * 1ull + block / 32u * 262144ull;
  out += column * 1ull + block / 32u * 262144ull;
  const StreamedInput existing;
  float2 x[16];

  // Load: registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] b[2] b[3] t3[0] | warps t2[0] t2[1] t2[2] t2[3]
  load_tile<-1, 15887, 0, 16384, 32768, 49152, 65536, 81920, 98304, 114688, 131072, 147456, 163840, 180224, 196608, 212992, 229376, 245760>(x, in, thread % 16 + thread / 16 * 512, existing);

  // Step 1: radix 16 over t1, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 32>(x, tables + 0 + (thread / 16));

  // Exchange: from registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] b[2] b[3] t3[0] | warps t2[0] t2[1] t2[2] t2[3]
  write_shared<-1, 7711, 0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480>(x, thread % 16 * 512 + thread / 16);
  block_barrier();

  // To registers t2[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t3[0] | warps t1[0] t1[1] t1[2] t1[3]
  read_shared<-1, 8161, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(x, thread % 16 * 512 + thread / 16 % 2 + thread / 32 * 32);

  // Step 2: radix 16 over t2, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 2>(x, tables + 256 + (thread / 16 % 2));

  // Exchange: from registers t2[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t3[0] | warps t1[0] t1[1] t1[2] t1[3]
  write_shared<-1, 8161, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(x, thread % 16 * 512 + thread / 16 % 2 + thread / 32 * 32);
  block_barrier();

  // To registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
  read_shared<0, 8162, 0, 4, 8, 12, 16, 20, 24, 28>(x, thread % 16 * 512 + thread / 16 % 16 * 32 + thread / 256 * 2);

  // Step 3: radix 2 over t3, butterflies in registers
  butterflies2<-1, 1>(x);

  // Between passes: times w^(k column), w = exp(-2 pi i / 262144)
  twiddle_between_passes<-1, 18, 128, true, 0, 256, 32, 288, 64, 320, 96, 352, 128, 384, 160, 416, 192, 448, 224, 480>(x, thread / 16, column + thread % 16);

  // Store: registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
  store_tile<-1, 15887, 0, 131072, 16384, 147456, 32768, 163840, 49152, 180224, 65536, 196608, 81920, 212992, 98304, 229376, 114688, 245760>(x, out, thread % 16 + thread / 16 * 512, existing);
}

// Pass 2: one block transforms 8192 points: 16 columns side by side.
DEVICE void pass_2(const float2* in, float2* out, const uint4* tables, unsigned block) {
  const unsigned thread = thread_index();
  const unsigned column = block % 32u * 16;  // the first of 16
  in += column * 512ull + block / 32u * 262144ull;
  out += column * 1ull + block / 32u * 262144ull;
  const StreamedOutput existing;
  float2 x[16];

  // Load: registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t2[0] t2[1] t2[2] t2[3] | warps b[0] b[1] b[2] b[3]
  load_tile<-1, 7711, 0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480>(x, in, thread % 32 + thread / 32 * 512, existing);

  // Step 1: radix 16 over t1, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 32>(x, tables + 0 + (thread % 32));

  // Exchange: from registers t1[0] t1[1] t1[2] t1[3] | lanes t3[0] t2[0] t2[1] t2[2] t2[3] | warps b[0] b[1] b[2] b[3]
  write_shared<-1, 7711, 0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480>(x, thread % 32 + thread / 32 * 512);
  warp_barrier();

  // To registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t1[0] t1[1] t1[2] t1[3] | warps b[0] b[1] b[2] b[3]
  read_shared<-1, 8161, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(x, thread % 2 + thread / 2 * 32);

  // Step 2: radix 16 over t2, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle<16, 15, 15, 2>(x, tables + 256 + (thread % 2));

  // Exchange: from registers t2[0] t2[1] t2[2] t2[3] | lanes t3[0] t1[0] t1[1] t1[2] t1[3] | warps b[0] b[1] b[2] b[3]
  write_shared<-1, 8161, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(x, thread % 2 + thread / 2 * 32);
  block_barrier();

  // To registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
  read_shared<0, 8162, 0, 4, 8, 12, 16, 20, 24, 28>(x, thread % 16 * 512 + thread / 16 % 16 * 32 + thread / 256 * 2);

  // Step 3: radix 2 over t3, butterflies in registers
  butterflies2<-1, 1>(x);

  // Store: registers t3[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] b[2] b[3] t1[0] | warps t1[1] t1[2] t1[3] t2[0]
  store_tile<-1, 15887, 0, 131072, 16384, 147456, 32768, 163840, 49152, 180224, 65536, 196608, 81920, 212992, 98304, 229376, 114688, 245760>(x, out, thread % 16 + thread / 16 * 512, existing);
}

// One block makes one tile of either pass. in and out may be the same.
extern "C" __global__ void __launch_bounds__(512, 1)
sonoma_c2c_f32_n262144_fused_forward_simt(const float2* in, float2* out, const uint4* tables, unsigned long long batch, unsigned* workspace) {
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
    pass_1(in + transform * 262144ull, between, tables, tile % 32u);
    signal(written + slot);
  } else {
    // Pass 1 of this transform
    wait_for(written + slot, (round + 1) * 32u);
    pass_2(between, out + transform * 262144ull, tables + 272, tile % 32u);
    signal(left + slot);
  }
}
