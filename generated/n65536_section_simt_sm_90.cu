// sonoma emit --n 65536 --pass-lengths 256,256 --pass 1 --decomposition "(gs 16 (gs 16 (gs 16 (dft 16))))" --engine simt --points-per-thread 16 --block-points 1024 --registers 80 --stage-load 0 --stage-store 0 --twiddles products --arch sm_90
//
// DFT of 256 complex f32 points, forward, (gs 16 (dft 16))
// Pass 1 of 2 of a DFT of 65536 points: DFTs of 256 points, 256 apart in, 256 apart out; 256 of them, 1 apart in, 1 apart out; steps of the tree of the whole transform
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine simt, 4 transform(s) a block, 64 threads, 16 points a thread, 8192 bytes shared, at least 12 block(s) an SM
//   load direct: registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] t2[0] t2[1] t2[2] | warps t2[3]
//   phase 1: registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] t2[0] t2[1] t2[2] | warps t2[3]
//     step 1: radix 16, butterflies in registers
//   phase 2: registers t2[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] t1[0] t1[1] t1[2] | warps t1[3]
//     step 2: radix 16, butterflies in registers
//   store direct: registers t2[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] t1[0] t1[1] t1[2] | warps t1[3]
//   point p lies at p ^ ((p >> 3 ^ p >> 6) & 14) in shared memory
//
// Costs of a transform: 10240 flops nominal, 0 MMAs (m16n8k16), 4096 bytes moved of 4096 needed.
// A block of 2 warps: 1 barriers, 1 trips through shared memory, 0 bank conflicts, 208896 bytes of tables.
// |error|_2 / |result|_2 <= 1.54972e-06 (bound).

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
// Read-only for the whole launch.
DEVICE uint4 load_table(const uint4* p) { return __ldg(p); }

#endif  // SONOMA_EMULATED

// ===== this plan =====
// Where point p of the block's tile lies in shared memory: a permutation of the points that
// spreads every access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ ((p >> 3 ^ p >> 6) & 14); }

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

DEVICE void two_factors(const uint4* at, float2& first, float2& second) {
  const uint4 unit = load_table(at);
  first = make_float2(float_of(unit.x), float_of(unit.y));
  second = make_float2(float_of(unit.z), float_of(unit.w));
}

// The same where registers hold all k of a digit of radix 16 or 32, in the bits of `own`: the table
// has w^k for k = 1, 2, 3 and the multiples of 4, the others are products of two of those.
template <unsigned registers, unsigned mask, unsigned own, unsigned stride, class Points>
DEVICE void twiddle_by_products(Points& x, const uint4* table) {
  constexpr unsigned others = mask & ~own, sets = gather_bits(others, others) + 1;
  constexpr unsigned fours = gather_bits(own, own) / 4, units = (fours + 3) / 2;
#pragma unroll
  for (unsigned set = 0; set < sets; ++set) {
    const uint4* factors = table + units * set * stride;
    float2 near[4], far[fours + 1];  // w^a and w^(4 b)
    two_factors(factors, near[1], near[2]);
    two_factors(factors + stride, near[3], far[1]);
#pragma unroll
    for (unsigned b = 2; b < fours; b += 2) {
      two_factors(factors + (1 + b / 2) * stride, far[b], far[b + 1]);
    }
#pragma unroll
    for (unsigned r = 0; r < registers; ++r) {
      const unsigned k = gather_bits(r, own), a = k % 4, b = k / 4;
      if (k == 0 || gather_bits(r, others) != set) continue;
      const float2 w = b == 0 ? near[a] : a == 0 ? far[b] : complex_product(near[a], far[b]);
      point(x, r) = complex_product(point(x, r), w);
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

template <int sign, unsigned mask, class Points>
DEVICE void butterflies16(Points& x) {
  for_each_group<16, mask>(x, [](float2(&v)[16]) { dft16<sign>(v); });
}

// ===== the kernel =====
// One block transforms 1024 points: 4 columns side by side. in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 12)
sonoma_c2c_f32_n65536_pass1_forward_simt(const float2* in, float2* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned block = block_index();
  const unsigned column = block % 64u * 4;  // the first of 4
  in += column * 1ull + block / 64u * 65536ull;
  out += column * 1ull + block / 64u * 65536ull;
  const AllPoints existing;
  float2 x[16];

  // Load: registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] t2[0] t2[1] t2[2] | warps t2[3]
  load_tile<-1, 3843, 0, 4096, 8192, 12288, 16384, 20480, 24576, 28672, 32768, 36864, 40960, 45056, 49152, 53248, 57344, 61440>(x, in, thread % 4 + thread / 4 * 256, existing);

  // Step 1: radix 16 over t1, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle_by_products<16, 15, 15, 4096>(x, tables + 0 + column + (thread % 4 + thread / 4 * 256));

  // Exchange: from registers t1[0] t1[1] t1[2] t1[3] | lanes b[0] b[1] t2[0] t2[1] t2[2] | warps t2[3]
  write_shared<-1, 783, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240>(x, thread % 4 * 256 + thread / 4);
  block_barrier();

  // To registers t2[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] t1[0] t1[1] t1[2] | warps t1[3]
  read_shared<0, 1008, 0, 2, 4, 6, 8, 10, 12, 14>(x, thread % 4 * 256 + thread / 4 * 16);

  // Step 2: radix 16 over t2, butterflies in registers
  butterflies16<-1, 15>(x);
  twiddle_by_products<16, 15, 15, 256>(x, tables + 12288 + column + (thread % 4));

  // Store: registers t2[0] t2[1] t2[2] t2[3] | lanes b[0] b[1] t1[0] t1[1] t1[2] | warps t1[3]
  store_tile<-1, 3843, 0, 4096, 8192, 12288, 16384, 20480, 24576, 28672, 32768, 36864, 40960, 45056, 49152, 53248, 57344, 61440>(x, out, thread % 4 + thread / 4 * 256, existing);
}
