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

// twiddle() of points.cuh, with factors that are loaded when they are due.
template <unsigned registers, unsigned mask, unsigned unity, unsigned stride, class Points>
DEVICE void times_factors(Points& x, const uint4* table) {
  constexpr unsigned units = (gather_bits(mask, mask) + 2) / 2;
#pragma unroll
  for (unsigned u = 0; u < units; ++u) {
    const uint4 unit = load_factors(table + u * stride);
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

// x = conj(x b), b the spectrum of the conjugate chirp.
template <unsigned registers, unsigned mask, unsigned stride, class Points>
DEVICE void times_spectrum(Points& x, const uint4* table) {
  times_factors<registers, mask, 0, stride>(x, table);
#pragma unroll
  for (unsigned r = 0; r < registers; ++r) point(x, r) = conjugate(point(x, r));
}

// The same in a mixed tile: twiddle_points() of mixed_points.cuh, with factors that are loaded when
// they are due.
template <unsigned stride, int... entry, class Points>
DEVICE void times_factor_points(Points& x, const uint4* table) {
  constexpr int entries[] = {entry...};
  float4 unit = {};
  int loaded = -1;
#pragma unroll
  for (unsigned r = 0; r < sizeof...(entry); ++r) {
    if (entries[r] < 0) continue;
    if (entries[r] / 2 != loaded) {
      loaded = entries[r] / 2;
      const uint4 bits = load_factors(table + loaded * stride);
      unit = make_float4(float_of(bits.x), float_of(bits.y), float_of(bits.z), float_of(bits.w));
    }
    const bool first = entries[r] % 2 == 0;
    const float2 w = first ? make_float2(unit.x, unit.y) : make_float2(unit.z, unit.w);
    point(x, r) = complex_product(point(x, r), w);
  }
}
template <unsigned stride, int... entry, class Points>
DEVICE void times_spectrum_points(Points& x, const uint4* table) {
  times_factor_points<stride, entry...>(x, table);
#pragma unroll
  for (unsigned r = 0; r < sizeof...(entry); ++r) point(x, r) = conjugate(point(x, r));
}
