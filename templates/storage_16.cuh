// Points of two 16-bit parts in global memory, the real part in the low half; in registers they are
// FP32. Rounding to nearest even is all that storage does: what FP16 cannot hold becomes infinite.
struct HalfPoint {
  unsigned parts;
};
DEVICE float2 widened(HalfPoint a) { return make_float2(low_half(a.parts), high_half(a.parts)); }
DEVICE void narrow(HalfPoint& to, float re, float im) { to.parts = pack_halves(re, im); }

struct BfloatPoint {
  unsigned parts;
};
DEVICE float2 widened(BfloatPoint a) {
  return make_float2(low_bfloat(a.parts), high_bfloat(a.parts));
}
DEVICE void narrow(BfloatPoint& to, float re, float im) { to.parts = pack_bfloats(re, im); }

// One point, or two neighbours: p[offset] and what follows it.
template <unsigned offset, class Point, class Existing>
DEVICE float2 load_point(const Point* p, Existing existing, unsigned index) {
  return widened(
      Point{load_existing<offset>(reinterpret_cast<const unsigned*>(p), existing, index)});
}
template <unsigned offset, class Point, class Existing>
DEVICE float4 load_pair(const Point* p, Existing existing, unsigned index) {
  const uint2 both = load_existing<offset / 2>(reinterpret_cast<const uint2*>(p), existing, index);
  const float2 a = widened(Point{both.x}), b = widened(Point{both.y});
  return make_float4(a.x, a.y, b.x, b.y);
}
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
