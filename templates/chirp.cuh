// Bluestein's algorithm (L. I. Bluestein, "A linear filtering approach to the computation of discrete
// Fourier transform", 1970): with the chirp w(t) = exp(sign pi i t^2 / n), a DFT of n points is
//
//   X(k) = w(k) sum over t of (x(t) w(t)) conj w(k - t),
//
// a convolution, which two transforms of m >= 2 n - 1 points compute. Point p of the block's tile is
// point p % m of its transform p / m; those from n on are zero on the way in, and dropped on the way
// out. In memory points lie `stride` and transforms `apart` points apart.

template <unsigned m, unsigned stride, unsigned apart>
DEVICE constexpr unsigned in_memory(unsigned p) {
  return p / m * apart + p % m * stride;
}
// Whether point p + offset is one that memory has.
template <unsigned m, unsigned n, unsigned apart, unsigned offset, class Existing>
DEVICE FirstPoints within_transform(unsigned p, Existing existing) {
  return {existing.has((p / m + offset / m) * apart) ? n : 0};
}

template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned offset, class Point,
          class Existing>
DEVICE float2 load_padded_point(const Point* from, unsigned p, Existing existing) {
  if constexpr (offset % m < n) {
    return load_point<in_memory<m, stride, apart>(offset)>(
        from, within_transform<m, n, apart, offset>(p, existing), p % m + offset % m);
  } else {
    return make_float2(0.0f, 0.0f);
  }
}
template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned... offset, class Points,
          class Point, class Existing>
DEVICE void load_padded(Points& x, const Point* in, unsigned p, Existing existing) {
  unsigned r = 0;
  const Point* from = in + in_memory<m, stride, apart>(p);
  ((point(x, r++) = load_padded_point<m, n, stride, apart, offset>(from, p, existing)), ...);
}

template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned offset, class Point,
          class Existing>
DEVICE void store_cropped_point(Point* to, float2 a, unsigned p, Existing existing) {
  if constexpr (offset % m < n) {
    store_point<in_memory<m, stride, apart>(offset)>(
        to, a, within_transform<m, n, apart, offset>(p, existing), p % m + offset % m);
  }
}
template <unsigned m, unsigned n, unsigned stride, unsigned apart, unsigned... offset, class Points,
          class Point, class Existing>
DEVICE void store_cropped(Points& x, Point* out, unsigned p, Existing existing) {
  unsigned r = 0;
  Point* to = out + in_memory<m, stride, apart>(p);
  (store_cropped_point<m, n, stride, apart, offset>(to, point(x, r++), p, existing), ...);
}

DEVICE float2 conjugate(float2 a) { return make_float2(a.x, -a.y); }

// x w, or conj(x) w for the result of a transform that stands for the inverse one: F^-1 V is the
// conjugate of F conj(V), but for the factor 1 / m, which is in the spectrum. The table holds w in the
// order of t.
template <unsigned m, unsigned n, bool of_conjugate, unsigned offset>
DEVICE float2 chirped(float2 a, const uint4* table, unsigned p) {
  if constexpr (offset % m < n) {
    const uint2 w = load_factor(reinterpret_cast<const uint2*>(table) + p % m + offset % m);
    return complex_product(of_conjugate ? conjugate(a) : a,
                           make_float2(float_of(w.x), float_of(w.y)));
  } else {
    return a;
  }
}
template <unsigned m, unsigned n, bool of_conjugate, unsigned... offset, class Points>
DEVICE void times_chirp(Points& x, const uint4* table, unsigned p) {
  unsigned r = 0;
  ((point(x, r) = chirped<m, n, of_conjugate, offset>(point(x, r), table, p), ++r), ...);
}

// x = conj(x b), b the spectrum of the conjugate chirp.
template <unsigned registers, unsigned mask, unsigned stride, class Points>
DEVICE void times_spectrum(Points& x, const uint4* table) {
  twiddle<registers, mask, 0, stride, load_factors>(x, table);
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) point(x, r) = conjugate(point(x, r));
}

// The same in a mixed tile.
template <unsigned stride, int... entry, class Points>
DEVICE void times_spectrum_points(Points& x, const uint4* table) {
  twiddle_points<load_factors, stride, entry...>(x, table);
#pragma unroll
  for (unsigned r = 0; r < sizeof...(entry); ++r) point(x, r) = conjugate(point(x, r));
}
