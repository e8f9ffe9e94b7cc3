// Points of two 16-bit parts in global memory, the real part in the low half; in registers they are
// FP32. Rounding to nearest even is all that storage does: what FP16 cannot hold becomes infinite.
struct HalfPoint {
  unsigned parts;
};
DEVICE float2 widened(HalfPoint a) { return make_float2(low_half(a.parts), high_half(a.parts)); }
DEVICE void narrow(HalfPoint& to, float2 a) { to.parts = pack_halves(a.x, a.y); }

struct BfloatPoint {
  unsigned parts;
};
DEVICE float2 widened(BfloatPoint a) {
  return make_float2(low_bfloat(a.parts), high_bfloat(a.parts));
}
DEVICE void narrow(BfloatPoint& to, float2 a) { to.parts = pack_bfloats(a.x, a.y); }

// One point, or two neighbours, 8 bytes at a time.
template <class Point, class Access = Always>
DEVICE float2 load_point(const Point* p, Access access = {}) {
  return widened(Point{load_word(reinterpret_cast<const unsigned*>(p), access)});
}
template <class Point, class Access = Always>
DEVICE void load_pair(const Point* p, float2& first, float2& second, Access access = {}) {
  const uint2 both = load_word(reinterpret_cast<const uint2*>(p), access);
  first = widened(Point{both.x});
  second = widened(Point{both.y});
}
template <class Point, class Access = Always>
DEVICE void store_point(Point* p, float2 a, Access access = {}) {
  Point to;
  narrow(to, a);
  store_word(reinterpret_cast<unsigned*>(p), to.parts, access);
}
template <class Point, class Access = Always>
DEVICE void store_pair(Point* p, float2 first, float2 second, Access access = {}) {
  Point to[2];
  narrow(to[0], first);
  narrow(to[1], second);
  store_word(reinterpret_cast<uint2*>(p), make_uint2(to[0].parts, to[1].parts), access);
}
