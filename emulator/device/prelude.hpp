// The CUDA names and the instruction layer of templates/instructions.cuh for the host compiler.
// Comes first in the text of every emulated kernel.
#define SONOMA_EMULATED 1
#define DEVICE static inline
#define __global__ __attribute__((visibility("default")))
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
DEVICE float2 make_float2(float x, float y) { return {x, y}; }
DEVICE float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
DEVICE double2 make_double2(double x, double y) { return {x, y}; }
DEVICE uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
DEVICE uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

static const sonoma_emulator::Hooks* emulator_hooks = nullptr;
extern "C" __attribute__((visibility("default"))) unsigned sonoma_emulator_bind(
    const sonoma_emulator::Hooks* hooks) {
  emulator_hooks = hooks;
  return sonoma_emulator::hooks_version;
}

// --- threads -----------------------------------------------------------------------------------
DEVICE unsigned thread_index() { return emulator_hooks->thread_index(); }
DEVICE unsigned anew(unsigned p) { return p; }
DEVICE unsigned block_index() { return emulator_hooks->block_index(); }
DEVICE void block_barrier() { emulator_hooks->block_barrier(); }
DEVICE void warp_barrier() { emulator_hooks->warp_barrier(); }
DEVICE unsigned block_in_cluster() { return emulator_hooks->block_in_cluster(); }
DEVICE void cluster_barrier() { emulator_hooks->cluster_barrier(); }

// --- arithmetic --------------------------------------------------------------------------------
DEVICE float fused_multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE double fused_multiply_add_fp64(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
DEVICE unsigned bits_of(float value) { return sonoma::float_bits(value); }
DEVICE float float_of(unsigned bits) { return sonoma::float_from_bits(bits); }
DEVICE unsigned rounded_to_int16(float value) {
  if (value != value) return 0;
  const float rounded = __builtin_rintf(value);
  return static_cast<unsigned>(static_cast<int>(rounded < -32768  ? -32768
                                                : rounded > 32767 ? 32767
                                                                  : rounded));
}
DEVICE unsigned pack_halves(float low, float high) {
  return sonoma::half_from_float(low) | static_cast<unsigned>(sonoma::half_from_float(high)) << 16;
}
DEVICE float low_half(unsigned packed) {
  return sonoma::float_from_half(static_cast<unsigned short>(packed));
}
DEVICE float high_half(unsigned packed) {
  return sonoma::float_from_half(static_cast<unsigned short>(packed >> 16));
}
DEVICE unsigned pack_bfloats(float low, float high) {
  return sonoma::bfloat_from_float(low) | static_cast<unsigned>(sonoma::bfloat_from_float(high))
                                              << 16;
}
DEVICE float low_bfloat(unsigned packed) {
  return sonoma::float_from_bfloat(static_cast<unsigned short>(packed));
}
DEVICE float high_bfloat(unsigned packed) {
  return sonoma::float_from_bfloat(static_cast<unsigned short>(packed >> 16));
}
// fmaxf(|a|, |b|): a NaN only where both are.
DEVICE float max_magnitude(float a, float b) {
  constexpr unsigned infinity = 0x7f800000u;
  const unsigned x = bits_of(a) & 0x7fffffffu, y = bits_of(b) & 0x7fffffffu;
  if (x > infinity) return float_of(y > infinity ? 0x7fffffffu : y);
  return float_of(y > infinity || x > y ? x : y);
}

DEVICE float larger_magnitude(float a, float b) { return __builtin_fmaxf(a, __builtin_fabsf(b)); }
DEVICE unsigned max_halves(unsigned a, unsigned b) {
  return pack_halves(larger_magnitude(low_half(a), low_half(b)),
                     larger_magnitude(high_half(a), high_half(b)));
}
DEVICE unsigned max_bfloats(unsigned a, unsigned b) {
  return pack_bfloats(larger_magnitude(low_bfloat(a), low_bfloat(b)),
                      larger_magnitude(high_bfloat(a), high_bfloat(b)));
}
DEVICE unsigned multiply_halves(unsigned a, unsigned b) {
  return pack_halves(low_half(a) * low_half(b), high_half(a) * high_half(b));
}
// To FP32 so that rounding once more makes no difference: what is inexact becomes odd.
DEVICE float rounded_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double rest = value - nearest;
  if (!(rest != 0) || rest != rest || (bits_of(nearest) & 1u) != 0) return nearest;
  const bool outwards = (rest > 0) == (value > 0);
  return float_of(outwards ? bits_of(nearest) + 1 : bits_of(nearest) - 1);
}
// Exact in FP64, or so nearly that FP16 cannot tell.
DEVICE unsigned fused_multiply_add_halves(unsigned a, unsigned b, unsigned c) {
  const auto one = [](float x, float y, float z) {
    return rounded_to_odd(static_cast<double>(x) * y + z);
  };
  return pack_halves(one(low_half(a), low_half(b), low_half(c)),
                     one(high_half(a), high_half(b), high_half(c)));
}
// Sums of two FP16 that are inexact in FP32 lie nowhere near the middle between two FP16.
DEVICE unsigned add_halves(unsigned a, unsigned b) {
  return pack_halves(low_half(a) + low_half(b), high_half(a) + high_half(b));
}
DEVICE unsigned negate_halves(unsigned a) { return a ^ 0x80008000u; }
DEVICE unsigned subtract_halves(unsigned a, unsigned b) {
  return pack_halves(low_half(a) - low_half(b), high_half(a) - high_half(b));
}
DEVICE unsigned permuted_bytes(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = a | static_cast<unsigned long long>(b) << 32;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7u) & 0xffu) << 8 * i;
  }
  return result;
}

// --- a warp together ---------------------------------------------------------------------------
DEVICE unsigned shuffle(unsigned value, unsigned source_lane) {
  return emulator_hooks->shuffle(value, source_lane);
}
DEVICE unsigned shuffle_xor(unsigned value, unsigned lane_mask) {
  return emulator_hooks->shuffle(value, thread_index() ^ lane_mask);
}
DEVICE unsigned warp_max(unsigned value) { return emulator_hooks->warp_max(value); }
DEVICE void mma_m16n8k16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                         unsigned b0, unsigned b1) {
  const unsigned a[4] = {a0, a1, a2, a3};
  const unsigned b[2] = {b0, b1};
  emulator_hooks->mma_m16n8k16(d, a, b);
}
// Products that are zero do not count: see mma_model.hpp.
DEVICE void mma_m16n8k8(float (&d)[4], unsigned a0, unsigned a1, unsigned b0) {
  mma_m16n8k16(d, a0, a1, 0, 0, b0, 0);
}

// --- memory ------------------------------------------------------------------------------------
DEVICE unsigned char* dynamic_shared() { return emulator_hooks->dynamic_shared(); }
template <class T>
DEVICE T load_shared(const T* p) {
  emulator_hooks->access_shared(p, sizeof(T), sonoma_emulator::MemoryAccess::load);
  return *p;
}
template <class T>
DEVICE void store_shared(T* p, T value) {
  emulator_hooks->access_shared(p, sizeof(T), sonoma_emulator::MemoryAccess::store);
  *p = value;
}
using ClusterAddress = unsigned char*;
DEVICE ClusterAddress cluster_address(const unsigned char* p, unsigned block) {
  return emulator_hooks->cluster_address(p, block);
}
template <class T>
DEVICE void store_cluster(ClusterAddress p, T value) {
  emulator_hooks->access_shared(p, sizeof(T), sonoma_emulator::MemoryAccess::store_cluster);
  *reinterpret_cast<T*>(p) = value;
}
DEVICE float2 load_cluster(ClusterAddress p) {
  emulator_hooks->access_shared(p, sizeof(float2), sonoma_emulator::MemoryAccess::load_cluster);
  return *reinterpret_cast<const float2*>(p);
}
template <class T>
DEVICE T load_global(const T* p) {
  emulator_hooks->access_global(p, sizeof(T), sonoma_emulator::MemoryAccess::load);
  return *p;
}
template <class T>
DEVICE T load_global_if(const T* p, bool valid) {
  return valid ? load_global(p) : T{};
}
template <class T>
DEVICE void store_global(T* p, T value) {
  emulator_hooks->access_global(p, sizeof(T), sonoma_emulator::MemoryAccess::store);
  *p = value;
}
template <class T>
DEVICE T load_streamed(const T* p) {
  return load_global(p);
}
template <class T>
DEVICE void store_streamed(T* p, T value) {
  store_global(p, value);
}
DEVICE unsigned take_number(unsigned* next) { return emulator_hooks->take_number(next); }
DEVICE void add_release(unsigned* counter) { emulator_hooks->add_release(counter); }
DEVICE unsigned load_acquire(const unsigned* counter) {
  return emulator_hooks->load_acquire(counter);
}
DEVICE void pause() { emulator_hooks->pause(); }
template <class T>
DEVICE void store_global_if(T* p, T value, bool valid) {
  if (valid) store_global(p, value);
}
DEVICE unsigned short load_short_if(const unsigned short* p, bool valid) {
  return load_global_if(p, valid);
}
DEVICE void store_short_if(unsigned short* p, unsigned short value, bool valid) {
  store_global_if(p, value, valid);
}
DEVICE uint4 load_table(const uint4* p) {
  emulator_hooks->load_table(p);
  return *p;
}
DEVICE uint4 load_factors(const uint4* p) { return load_table(p); }
DEVICE uint2 load_factor(const uint2* p) {
  const auto address = reinterpret_cast<unsigned long long>(p);
  emulator_hooks->load_table(reinterpret_cast<const void*>(address / 16 * 16));
  return *p;
}
DEVICE void copy_async(float4* shared, const float4* global, bool valid = true) {
  emulator_hooks->copy_async(shared, global, 16, valid);
}
DEVICE void copy_async_8(float2* shared, const float2* global) {
  emulator_hooks->copy_async(shared, global, 8, true);
}
DEVICE void prefetch(const void* p, unsigned bytes) { emulator_hooks->prefetch(p, bytes); }
DEVICE void wait_for_launch_before() {}  // one launch at a time
DEVICE void wait_for_copies() { emulator_hooks->wait_for_copies(); }
