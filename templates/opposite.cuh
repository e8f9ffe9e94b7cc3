// The same pairs in registers. Of m points in Q butterflies of R points each, point k = q + Q J is
// point J of butterfly q. Then m - k is point R - 1 - J of butterfly Q - q: a thread that takes
// butterflies q and Q - q has both. Butterfly 0 mirrors itself, J and R - J, and where Q is even so
// does the one in the middle, J and R - 1 - J: one thread takes these two.
struct OppositePair {
  unsigned transform, low, high;  // of the block, and its butterflies q and Q - q
};
// Pair p of the block; `count` transforms.
template <unsigned butterflies, unsigned count>
DEVICE OppositePair opposite_pair(unsigned p) {
  constexpr unsigned pairs = (butterflies + 1) / 2, middle = butterflies % 2 == 0 ? pairs : 0;
  const unsigned q = count == 1 ? p : p % pairs;
  return {count == 1 ? 0 : p / pairs, q, q == 0 ? middle : butterflies - q};
}

// Of a butterfly q where its point 0 and that of number m - q lie, and the factor f of q.
template <class Point>
struct Ends {
  Point *low, *high;
  float2 factor;
};
template <unsigned m, long long stride, class Point>
DEVICE Ends<Point> ends_of(Point* row, unsigned q, float2 factor) {
  return {row + q * stride, row + (m - q) * stride, factor};
}
// 1 + f of point k of it; w^k = c + i s.
DEVICE float2 factor_of(float2 f, float c, float s) {
  return make_float2(fused_multiply_add(f.x, c, fused_multiply_add(-f.y, s, 1.0f)),
                     fused_multiply_add(f.x, s, f.y * c));
}
DEVICE float2 factor_of(float2 f) { return make_float2(1.0f + f.x, f.y); }

// Its first point; `first`: it is point 0 of the transform, which is real, as is point m.
template <class Point, class Access>
DEVICE void store_first(const Ends<Point>& ends, float2 low, float2 high, bool first,
                        Access access) {
  const Mirrored x = real_ends(of_mirrored({low, high}, factor_of(ends.factor)), first);
  store_point(ends.low, x.low, access);
  store_point(ends.high, x.high, access);
}
// Those `k` points further on.
template <long long k, class Point, class Access>
DEVICE void store_further(const Ends<Point>& ends, float c, float s, float2 low, float2 high,
                          Access access) {
  const Mirrored x = of_mirrored({low, high}, factor_of(ends.factor, c, s));
  store_point(ends.low + k, x.low, access);
  store_point(ends.high - k, x.high, access);
}
template <class Point, class Access>
DEVICE Mirrored load_first(const Ends<Point>& ends, bool first, Access access) {
  const Mirrored x = {load_point(ends.low, access), load_point(ends.high, access)};
  return of_mirrored(real_ends(x, first), factor_of(ends.factor), first);
}
template <long long k, class Point, class Access>
DEVICE Mirrored load_further(const Ends<Point>& ends, float c, float s, Access access) {
  const Mirrored x = {load_point(ends.low + k, access), load_point(ends.high - k, access)};
  return of_mirrored(x, factor_of(ends.factor, c, s));
}
