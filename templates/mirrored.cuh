// Real numbers x(0), x(1), ..., n = 2 m of them, in pairs: points z(t) = x(2t) + i x(2t + 1). Of
// their transform Z, w = exp(sign 2 pi i / n), f = sign i w^k, D = Z(k) - conj(Z(m - k)):
//
//   X(k) = Z(k) + conj(Z(m - k)) + f D,  X(m - k) = conj(Z(k) + conj(Z(m - k)) - f D),
//
// both times 1/2, which Z has already; and with another sign, and no 1/2, Z of X. Z(m) is Z(0).
// (J. W. Cooley, P. A. W. Lewis, P. D. Welch, J. Sound and Vibration 12, 1970.) They are also
//
//   X(k) = 2 conj(Z(m - k)) + (1 + f) D,  X(m - k) = conj(2 Z(k) - (1 + f) D),
//
// which rounds smaller numbers: the real part of 1 + f, the factor here, is between 0 and 1. Added
// first it leaves a mean of Z(k) and conj(Z(m - k)), so that nothing overflows that X does not.
//
// In shared memory point k of transform b lies at place b row + k; in global memory points lie
// `stride` and transforms `apart` points apart, of `count` in a block there are `columns`. A thread
// takes points k and m - k, of k up to (m - 1) / 2; the one with k = 0 the middle too.
struct Mirrored {
  float2 low, high;  // at k, at m - k
};
DEVICE float2 with_turned(float2 a, float2 b, float2 d, float re, float im) {
  return make_float2(fused_multiply_add(-d.y, im, fused_multiply_add(d.x, re, a.x + b.x)),
                     fused_multiply_add(d.x, im, fused_multiply_add(d.y, re, a.y + b.y)));
}
// Where f = +-i, at the end of a row, the plain sum of both is a rounding less.
DEVICE Mirrored of_mirrored(Mirrored a, float2 factor, bool end = false) {
  const float2 b = conjugate(a.high), d = make_float2(a.low.x - b.x, a.low.y - b.y);
  return {with_turned(b, end ? a.low : b, d, end ? 0.0f : factor.x, factor.y),
          conjugate(with_turned(a.low, a.low, d, -factor.x, -factor.y))};
}
// X(0) and X(m) are real.
DEVICE Mirrored real_ends(Mirrored a, bool ends) {
  a.low.y = ends ? 0.0f : a.low.y;
  a.high.y = ends ? 0.0f : a.high.y;
  return a;
}
DEVICE float2 of_middle(float2 a) { return make_float2(a.x + a.x, -(a.y + a.y)); }

// Pair p of the block: of which transform, and of which point.
template <unsigned m, unsigned count>
DEVICE constexpr unsigned mirrored_transform(unsigned p) {
  return count == 1 ? 0 : p / ((m + 1) / 2);
}
template <unsigned m, unsigned count>
DEVICE constexpr unsigned mirrored_point(unsigned p) {
  return count == 1 ? p : p % ((m + 1) / 2);
}
// Threads take every `threads`-th pair; the last ones may have one less.
template <unsigned m, unsigned count, unsigned threads>
DEVICE constexpr unsigned mirrored_turns() {
  return (count * ((m + 1) / 2) + threads - 1) / threads;
}
template <unsigned m, unsigned count, unsigned threads>
DEVICE bool has_mirrored_turn(unsigned thread, unsigned r) {
  constexpr unsigned pairs = count * ((m + 1) / 2);
  return (r + 1) * threads <= pairs || thread + r * threads < pairs;
}

template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, class Point>
DEVICE void load_mirrored(const Point* in, const uint4* table, unsigned thread, unsigned columns) {
  constexpr unsigned pairs_each = mirrored_turns<m, count, threads>();
  Mirrored x[pairs_each];
#pragma unroll
  for (unsigned r = 0; r < pairs_each; ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    const unsigned transform = mirrored_transform<m, count>(p);
    const Point *low = in + transform * apart + k * stride,
                *high = in + transform * apart + (m - k) * stride;
    const When there{transform < columns};
    x[r].low = count == 1 ? load_point(low) : load_point(low, there);
    x[r].high = count == 1 ? load_point(high) : load_point(high, there);
  }
#pragma unroll
  for (unsigned r = 0; r < pairs_each; ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    const unsigned transform = mirrored_transform<m, count>(p);
    float2* to = shared_point(transform * row);
    const bool end = k == 0 && (count > 1 || r == 0);
    const Mirrored z = of_mirrored(real_ends(x[r], end), factor_at(table, k), end);
    store_shared(to + k, z.low);
    if (k != 0) store_shared(to + (m - k), z.high);
    if (m % 2 == 0 && k == 0) {
      const float2 middle =
          load_point(in + transform * apart + m / 2 * stride, When{transform < columns});
      store_shared(to + m / 2, of_middle(middle));
    }
  }
}

// The same within shared memory, where rows have room for X(m) too.
template <unsigned m, unsigned count, unsigned row, unsigned threads>
DEVICE void mirror_rows(const uint4* table, unsigned thread) {
#pragma unroll
  for (unsigned r = 0; r < mirrored_turns<m, count, threads>(); ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    float2* at = shared_point(mirrored_transform<m, count>(p) * row);
    const Mirrored z = {load_shared(at + k), load_shared(at + (k == 0 ? 0 : m - k))};
    const Mirrored x = real_ends(of_mirrored(z, factor_at(table, k)), k == 0);
    store_shared(at + k, x.low);
    store_shared(at + (m - k), x.high);
    if (m % 2 == 0 && k == 0) store_shared(at + m / 2, of_middle(load_shared(at + m / 2)));
  }
}

template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, class Point>
DEVICE void store_mirrored(Point* out, const uint4* table, unsigned thread, unsigned columns) {
#pragma unroll
  for (unsigned r = 0; r < mirrored_turns<m, count, threads>(); ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    const unsigned transform = mirrored_transform<m, count>(p);
    const float2* from = shared_point(transform * row);
    Point *to = out + transform * apart, *low = to + k * stride, *high = to + (m - k) * stride;
    const When there{transform < columns};
    const Mirrored z = {load_shared(from + k), load_shared(from + (k == 0 ? 0 : m - k))};
    const Mirrored x = real_ends(of_mirrored(z, factor_at(table, k)), k == 0);
    if (count == 1) {
      store_point(low, x.low);
      store_point(high, x.high);
    } else {
      store_point(low, x.low, there);
      store_point(high, x.high, there);
    }
    if (m % 2 == 0 && k == 0) {
      store_point(to + m / 2 * stride, of_middle(load_shared(from + m / 2)), there);
    }
  }
}
