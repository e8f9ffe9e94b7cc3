// sonoma emit --n 1024 --decomposition "(gs 16 (gs 16 (dft 4)))" --engine mma --mma-form ptx --tensor-steps 1,2 --products 1 --points-per-thread 16 --block-points 1024 --registers 128 --stage-load 1 --stage-store 0 --precision f16 --arch sm_90
//
// DFT of 1024 complex f16 points, forward, (gs 16 (gs 16 (dft 4)))
// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in
// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of t1; b
// numbers the transforms of a block.
//
//   engine mma (ptx), 1 transform(s) a block, 64 threads, 16 points a thread, 4104 bytes shared, at least 8 block(s) an SM
//   load through shared memory: registers t3[0] t3[1] t1[2] t1[3] | lanes t2[0] t2[1] t2[2] t2[3] t1[0] | warps t1[1]
//   phase 1: registers t1[0] t1[3] t2[3] t3[0] | lanes t1[1] t1[2] t2[0] t2[1] t2[2] | warps t3[1]
//     step 1: radix 16, left (DFT matrix x tile)
//     step 2: radix 16, right (tile x DFT matrix)
//     leaves: registers t2[0] t1[3] t2[3] t3[0] | lanes t2[1] t2[2] t1[0] t1[1] t1[2] | warps t3[1]
//   phase 2: registers t3[0] t3[1] t2[2] t2[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1]
//     step 3: radix 4, butterflies in registers
//   store direct: registers t3[0] t3[1] t2[2] t2[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1]
//   one scale a transform, found by 2 warp(s)
//   point p lies at p ^ (p >> 4 & 28) in shared memory
//
// Costs of a transform: 51200 flops nominal, 64 MMAs (m16n8k16), 8192 bytes moved of 8192 needed.
// A block of 2 warps: 2 barriers, 2 trips through shared memory, 64 bank conflicts, 12800 bytes of tables.
// |error|_2 / |result|_2 <= 0.00249455 (bound).

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

// ===== this plan =====
// Where point p of the block's tile lies in shared memory: a permutation of the points that
// spreads every access of the kernel over the banks.
DEVICE constexpr unsigned swizzle(unsigned p) { return p ^ (p >> 4 & 28); }

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
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, AllPoints, unsigned) {
  store_global(p + offset, value);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, FirstPoints existing, unsigned index) {
  store_global_if<offset>(p, value, existing.has(index));
}

// ===== storage_16.cuh =====
// Points of two 16-bit parts in global memory, the real part in the low half; in registers they are
// FP32. Rounding to nearest even is all that storage does: what FP16 cannot hold becomes infinite.
struct HalfPoint {
  unsigned parts;
};
DEVICE void narrow(HalfPoint& to, float re, float im) { to.parts = pack_halves(re, im); }

struct BfloatPoint {
  unsigned parts;
};
DEVICE void narrow(BfloatPoint& to, float re, float im) { to.parts = pack_bfloats(re, im); }

template <unsigned offset, class Point, class Existing>
DEVICE void store_point(Point* p, float2 a, Existing existing, unsigned index) {
  Point to;
  narrow(to, a.x, a.y);
  store_existing<offset>(reinterpret_cast<unsigned*>(p), to.parts, existing, index);
}
template <unsigned offset, class Point, class Existing>
DEVICE void store_pair(Point* p, float4 a, Existing existing, unsigned index) {
  Point to[2];
  narrow(to[0], a.x, a.y);
  narrow(to[1], a.z, a.w);
  store_existing<offset / 2>(reinterpret_cast<uint2*>(p), make_uint2(to[0].parts, to[1].parts),
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

template <int pair_bit, class Points>
DEVICE float4 get_pair(Points& x, unsigned r, bool swapped) {
  const unsigned other = r | 1u << pair_bit;
  const float2 a = point(x, swapped ? other : r), b = point(x, swapped ? r : other);
  return make_float4(a.x, a.y, b.x, b.y);
}

// --- global memory ------------------------------------------------------------------------------
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

template <unsigned registers, class Points>
DEVICE void multiply(Points& x, float factor) {
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) {
    point(x, r) = make_float2(point(x, r).x * factor, point(x, r).y * factor);
  }
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

// ===== mma_ptx.cuh =====

// ===== words.cuh =====
// Tiles of complex words: a point in one 32-bit word, two 16-bit parts, the real one in the low half.
// As operands of products they are FP16 under the scale of the transform; loaded, they are what
// storage holds.
struct Words {
  unsigned at[8];
};
template <unsigned count>
DEVICE unsigned& word(Words (&w)[count], unsigned r) {
  return w[r / 8].at[r % 8];
}

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
template <unsigned tiles>
DEVICE void unpack_words(Tile (&x)[tiles], Words (&w)[tiles]) {
#pragma unroll
  for (unsigned r = 0; r < 8 * tiles; ++r) {
    point(x, r) = make_float2(low_half(word(w, r)), high_half(word(w, r)));
  }
}

// --- the largest magnitude, and the scale -------------------------------------------------------
DEVICE unsigned bits_of_halves(unsigned largest) {
  return bits_of(max_magnitude(low_half(largest), high_half(largest)));
}
// Exact but for what lies 2^-38 and more below the largest: the scale is at most 2^15.
template <unsigned tiles>
DEVICE void scale_halves(Words (&w)[tiles], float scale) {
  const unsigned factor = pack_halves(scale, scale);
#pragma unroll
  for (unsigned r = 0; r < 8 * tiles; ++r) word(w, r) = multiply_halves(word(w, r), factor);
}

// --- memory: one word, or two or four neighbours at a time --------------------------------------
// `vector` has the register bits within an access; offsets are those of the other registers.
DEVICE constexpr unsigned lowest_bit(unsigned mask) { return mask & (~mask + 1); }
DEVICE constexpr unsigned register_outside(unsigned vector, unsigned j) {
  for (unsigned bit = 1; bit <= vector; bit *= 2) {
    if (vector & bit) j = (j & ~(bit - 1)) * 2 | (j & (bit - 1));
  }
  return j;
}
template <unsigned vector, unsigned tiles>
DEVICE void put_words(Words (&w)[tiles], unsigned r, unsigned a) {
  word(w, r) = a;
}
template <unsigned vector, unsigned tiles>
DEVICE void put_words(Words (&w)[tiles], unsigned r, uint2 a) {
  word(w, r) = a.x, word(w, r | vector) = a.y;
}
template <unsigned vector, unsigned tiles>
DEVICE void put_words(Words (&w)[tiles], unsigned r, uint4 a) {
  constexpr unsigned one = lowest_bit(vector), two = vector & ~one;
  word(w, r) = a.x, word(w, r | one) = a.y, word(w, r | two) = a.z, word(w, r | vector) = a.w;
}
template <unsigned vector, unsigned tiles>
DEVICE void get_words(Words (&w)[tiles], unsigned r, unsigned& a) {
  a = word(w, r);
}
template <unsigned vector, unsigned tiles>
DEVICE void get_words(Words (&w)[tiles], unsigned r, uint2& a) {
  a = make_uint2(word(w, r), word(w, r | vector));
}
template <unsigned vector, unsigned tiles>
DEVICE void get_words(Words (&w)[tiles], unsigned r, uint4& a) {
  constexpr unsigned one = lowest_bit(vector), two = vector & ~one;
  a = make_uint4(word(w, r), word(w, r | one), word(w, r | two), word(w, r | vector));
}
template <unsigned count>
struct WordVector;
template <>
struct WordVector<1> {
  using type = unsigned;
};
template <>
struct WordVector<2> {
  using type = uint2;
};
template <>
struct WordVector<4> {
  using type = uint4;
};

// Word p ^ offset of the tile lies at 4 bytes * swizzle(p ^ offset), which reaches the last five
// bits only.
template <unsigned bits_of_p>
DEVICE unsigned* shared_word(unsigned p, unsigned offset) {
  constexpr unsigned mixed = bits_of_p | 31;
  const unsigned place = swizzle(offset);
  return reinterpret_cast<unsigned*>(dynamic_shared() + 4 * (swizzle(p) ^ (place & mixed))) +
         (place & ~mixed);
}
template <unsigned vector, unsigned width, unsigned bits_of_p, unsigned... offset, unsigned tiles>
DEVICE void read_words(Words (&w)[tiles], unsigned p) {
  using Vector = typename WordVector<width>::type;
  unsigned j = 0;
  (put_words<vector>(
       w, register_outside(vector, j++),
       load_shared(reinterpret_cast<const Vector*>(shared_word<bits_of_p>(p, offset)))),
   ...);
}
template <unsigned vector, class Vector, unsigned tiles>
DEVICE void write_vector(Words (&w)[tiles], unsigned r, unsigned* place) {
  Vector a;
  get_words<vector>(w, r, a);
  store_shared(reinterpret_cast<Vector*>(place), a);
}
template <unsigned vector, unsigned width, unsigned bits_of_p, unsigned... offset, unsigned tiles>
DEVICE void write_words(Words (&w)[tiles], unsigned p) {
  using Vector = typename WordVector<width>::type;
  unsigned j = 0;
  (write_vector<vector, Vector>(w, register_outside(vector, j++),
                                shared_word<bits_of_p>(p, offset)),
   ...);
}

// Four words at a time, without waiting.
template <unsigned bits_of_p, unsigned... offset, class Point, class Existing>
DEVICE void copy_words(const Point* in, unsigned p, Existing existing) {
  (copy_async(
       reinterpret_cast<float4*>(shared_word<bits_of_p>(p, offset)),
       reinterpret_cast<const float4*>(
           in +
           (existing.has(p ^ offset) ? (p ^ (offset & bits_of_p)) + (offset & ~bits_of_p) : 0)),
       existing.has(p ^ offset)),
   ...);
}
// Of the words this thread has copied.
template <unsigned bits_of_p, unsigned... offset>
DEVICE unsigned max_of_copied_halves(unsigned p) {
  unsigned largest = 0;
  const auto take = [&](uint4 a) {
    largest = max_halves(max_halves(largest, a.x), a.y);
    largest = max_halves(max_halves(largest, a.z), a.w);
  };
  (take(load_shared(reinterpret_cast<const uint4*>(shared_word<bits_of_p>(p, offset)))), ...);
  return bits_of_halves(largest);
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
DEVICE void butterflies4(Points& x) {
  for_each_group<4, mask>(x, [](float2(&v)[4]) { dft4<sign>(v[0], v[1], v[2], v[3]); });
}

// ===== the kernel =====
// One block transforms 1024 points: 1 of the batch. in and out may be the same.
extern "C" __global__ void __launch_bounds__(64, 8)
sonoma_c2c_f16_n1024_forward_mma(const HalfPoint* in, HalfPoint* out, const uint4* tables, unsigned long long batch) {
  const unsigned thread = thread_index();
  const unsigned long long first = 1024ull * block_index();
  in += first, out += first;
  const AllPoints existing;
  Tile x[2];
  Words w[2];

  // Load, asynchronously, to shared memory: registers t3[0] t3[1] t1[2] t1[3] | lanes t2[0] t2[1] t2[2] t2[3] t1[0] | warps t1[1]
  copy_words<252, 0, 256, 512, 768>(in, thread * 4, existing);
  wait_for_copies();

  // The largest magnitude of the transform gives its scale
  publish_max(4096, max_of_copied_halves<252, 0, 256, 512, 768>(thread * 4));
  block_barrier();
  const float scale = transform_scale<11, 15>(published_max<2>(4096));

  // To registers t1[0] t1[3] t2[3] t3[0] | lanes t1[1] t1[2] t2[0] t2[1] t2[2] | warps t3[1]
  read_words<8, 2, 414, 0, 64, 512, 576, 32, 96, 544, 608>(w, thread % 4 * 128 + thread / 4 % 8 * 4 + thread / 32 * 2);
  scale_halves(w, scale);

  const WordMatrix f16_left = load_word_matrix(tables + 0);

  // Step 1: radix 16 over t1, DFT matrix x tile, over rows
  x[0] = left_words(f16_left, w[0]);
  x[1] = left_words(f16_left, w[1]);
  twiddle<16, 15, 0, 64>(x, tables + 128 + (thread));

  const WordMatrix f16_right = load_word_matrix(tables + 640);
  w[0] = pack_words(x[0]);
  w[1] = pack_words(x[1]);

  // Step 2: radix 16 over t2, tile x DFT matrix, over columns
  x[0] = right_words(f16_right, w[0]);
  x[1] = right_words(f16_right, w[1]);
  twiddle<16, 13, 0, 8>(x, tables + 768 + (thread % 4 + thread / 32 * 4));
  w[0] = pack_words(x[0]);
  w[1] = pack_words(x[1]);
  warp_barrier();

  // Exchange: from registers t2[0] t1[3] t2[3] t3[0] | lanes t2[1] t2[2] t1[0] t1[1] t1[2] | warps t3[1]
  write_words<8, 2, 474, 0, 4, 512, 516, 32, 36, 544, 548>(w, thread % 4 * 8 + thread / 4 % 8 * 64 + thread / 32 * 2);
  block_barrier();

  // To registers t3[0] t3[1] t2[2] t2[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1]
  read_words<3, 4, 972, 0, 16, 32, 48>(w, thread % 16 * 64 + thread / 16 * 4);
  unpack_words(x, w);

  // Step 3: radix 4 over t3, butterflies in registers
  butterflies4<-1, 3>(x);

  // The scale undone
  multiply<16>(x, transform_undo<11, 15, 4>(published_max<2>(4096)));

  // Store: registers t3[0] t3[1] t2[2] t2[3] | lanes t1[0] t1[1] t1[2] t1[3] t2[0] | warps t2[1]
  store_tile<-1, 63, 0, 256, 512, 768, 64, 320, 576, 832, 128, 384, 640, 896, 192, 448, 704, 960>(x, out, thread, existing);
}
