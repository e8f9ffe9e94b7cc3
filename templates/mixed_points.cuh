// Points of a mixed tile (n is no power of two), and their way to and from memory.
//
// A thread holds as many points as its phase gives it, in the first registers of the array. Offsets
// are given per register; the thread's part of an index or place, p, is added. Threads that a phase
// leaves without points skip it.

// --- global memory, in points -------------------------------------------------------------------
template <unsigned... offset, unsigned count, class Point, class Existing>
DEVICE void load_points(float2 (&x)[count], const Point* in, unsigned p, Existing existing) {
  unsigned r = 0;
  ((x[r++] = load_point<offset>(in + p, existing, p + offset)), ...);
}
template <unsigned... offset, unsigned count, class Point, class Existing>
DEVICE void store_points(float2 (&x)[count], Point* out, unsigned p, Existing existing) {
  unsigned r = 0;
  (store_point<offset>(out + p, x[r++], existing, p + offset), ...);
}

// --- shared memory, in places of 8 bytes, padded ------------------------------------------------
DEVICE float2* shared_place(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}
template <unsigned... offset, unsigned count>
DEVICE void read_places(float2 (&x)[count], unsigned p) {
  unsigned r = 0;
  ((x[r++] = load_shared(shared_place(p) + offset)), ...);
}
template <unsigned... offset, unsigned count>
DEVICE void write_places(float2 (&x)[count], unsigned p) {
  unsigned r = 0;
  (store_shared(shared_place(p) + offset, x[r++]), ...);
}

// --- twiddles -----------------------------------------------------------------------------------
// x *= w. Register r takes the factor entry[r] of its thread, none if that is negative. Two factors
// lie in each 16-byte unit of the table, units `stride` apart, which `load` loads.
template <uint4 (*load)(const uint4*), unsigned stride, int... entry, unsigned count>
DEVICE void twiddle_points(float2 (&x)[count], const uint4* table) {
  constexpr int entries[] = {entry...};
  float4 unit = {};
  int loaded = -1;
#pragma unroll
  for (unsigned r = 0; r < sizeof...(entry); ++r) {
    if (entries[r] < 0) continue;
    if (entries[r] / 2 != loaded) {
      loaded = entries[r] / 2;
      const uint4 bits = load(table + loaded * stride);
      unit = make_float4(float_of(bits.x), float_of(bits.y), float_of(bits.z), float_of(bits.w));
    }
    const bool first = entries[r] % 2 == 0;
    const float2 w = first ? make_float2(unit.x, unit.y) : make_float2(unit.z, unit.w);
    x[r] = complex_product(x[r], w);
  }
}
