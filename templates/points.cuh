// Complex points in registers, and their way to and from shared memory.

// 16 x 16 points of a warp, eight a lane.
struct Tile {
  float2 at[8];
};

DEVICE float2 complex_product(float2 a, float2 w) {
  return make_float2(fused_multiply_add(a.x, w.x, -(a.y * w.y)),
                     fused_multiply_add(a.x, w.y, a.y * w.x));
}
// w^(a + b) of w^a, w^b and w^(a - b).
DEVICE float2 next_power(float2 a, float2 b, float2 before) {
  const float twice = b.x + b.x;
  return make_float2(fused_multiply_add(a.x, twice, -before.x),
                     fused_multiply_add(a.y, twice, -before.y));
}
DEVICE float2 conjugate(float2 a) { return make_float2(a.x, -a.y); }
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
DEVICE void store_shared_pair(float2* place, float2 first, float2 second) {
  store_shared(reinterpret_cast<float4*>(place), make_float4(first.x, first.y, second.x, second.y));
}
// Two neighbours from global memory, without waiting.
DEVICE void copy_pair(float2* place, const float2* from, bool there = true) {
  copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), there);
}
// One of 8 bytes.
DEVICE void copy_point(float2* place, const float2* from) { copy_async_8(place, from); }

// A place of another block of the cluster; the next place is 8 bytes further.
DEVICE ClusterAddress cluster_point(unsigned place, unsigned block) {
  return cluster_address(dynamic_shared() + 8 * place, block);
}
DEVICE void store_cluster_pair(ClusterAddress place, float2 first, float2 second) {
  store_cluster(place, make_float4(first.x, first.y, second.x, second.y));
}

// Real or imaginary parts alone: a place has 4 bytes.
DEVICE float* shared_part(unsigned place) {
  return reinterpret_cast<float*>(dynamic_shared() + 4 * place);
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
// One alone: 8 bytes.
DEVICE float2 factor_at(const uint4* table, unsigned number) {
  const uint2 w = load_factor(reinterpret_cast<const uint2*>(table) + number);
  return make_float2(float_of(w.x), float_of(w.y));
}

// --- the largest magnitude -----------------------------------------------------------------------
DEVICE float with_point(float largest, float2 a) {
  return max_magnitude(max_magnitude(largest, a.x), a.y);
}
// Of two points that this thread has copied to shared memory.
DEVICE float with_copied_pair(float largest, const float2* place) {
  float2 a, b;
  load_shared_pair(place, a, b);
  return with_point(with_point(largest, a), b);
}
