// Convolutions of real numbers x(0), x(1), ..., n = 2 m of them, in pairs, with the Hermitian
// spectrum S of a filter: of the pairs' transform Z those of the result, by a = Z(k), b = conj(Z(m -
// k)), P = S(k), Q = conj(S(m - k)) and exp(-2 pi i k / n) = c - i s,
//
//   Z'(k) = (P + Q) a + (P - Q) (i c b - s a), conj(Z'(m - k)) = (P + Q) b + (P - Q) (s b - i c a).
//
// What is left are the conjugates, for steps that run backwards. The factor is -s - i c. Places in
// shared memory, and which thread takes what: see Mirrored. Spectra of the block's transforms lie
// `apart` points apart.
DEVICE float2 sum_of_products(float2 a, float2 p, float2 b, float2 q) {
  const float2 first = complex_product(a, p), second = complex_product(b, q);
  return make_float2(first.x + second.x, first.y + second.y);
}
DEVICE Mirrored of_filter(Mirrored z, Mirrored s, float2 factor) {
  const float2 a = z.low, b = conjugate(z.high), q = conjugate(s.high);
  const float2 sum = make_float2(s.low.x + q.x, s.low.y + q.y);
  const float2 difference = make_float2(s.low.x - q.x, s.low.y - q.y);
  const float2 u = make_float2(fused_multiply_add(factor.x, a.x, factor.y * b.y),
                               fused_multiply_add(factor.x, a.y, -(factor.y * b.x)));
  const float2 v = make_float2(-fused_multiply_add(factor.x, b.x, factor.y * a.y),
                               fused_multiply_add(factor.y, a.x, -(factor.x * b.y)));
  return {conjugate(sum_of_products(a, sum, u, difference)),
          sum_of_products(b, sum, v, difference)};
}
DEVICE float2 conjugate_if(bool conjugated, float2 a) {
  return make_float2(a.x, conjugated ? -a.y : a.y);
}

template <bool conjugated, class Access>
DEVICE Mirrored load_spectrum(const float2* low, const float2* high, bool first, Access access) {
  const Mirrored s = {load_point(low, access), load_point(high, access)};
  return real_ends({conjugate_if(conjugated, s.low), conjugate_if(conjugated, s.high)}, first);
}
template <bool conjugated, class Access>
DEVICE float2 filter_middle(const float2* spectrum, float2 z, Access access) {
  const float2 factor = conjugate_if(conjugated, load_point(spectrum, access));
  const float2 a = complex_product(conjugate(z), factor);
  return make_float2(a.x + a.x, a.y + a.y);
}

template <unsigned m, unsigned count, unsigned row, long long apart, unsigned threads,
          bool conjugated>
DEVICE void filter_pairs(const float2* spectrum, const uint4* table, unsigned thread,
                         unsigned columns) {
#pragma unroll
  for (unsigned r = 0; r < mirrored_turns<m, count, threads>(); ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = mirrored_point<m, count>(p);
    const unsigned transform = mirrored_transform<m, count>(p);
    float2* at = shared_point(transform * row);
    const float2* from = spectrum + transform * apart;
    const When there{apart == 0 || transform < columns};
    const Mirrored s = load_spectrum<conjugated>(from + k, from + (m - k), k == 0, there);
    const Mirrored z = {load_shared(at + k), load_shared(at + (k == 0 ? 0 : m - k))};
    const Mirrored y = of_filter(z, s, factor_at(table, k));
    store_shared(at + k, y.low);
    if (k != 0) store_shared(at + (m - k), y.high);
    if (m % 2 == 0 && k == 0) {
      store_shared(at + m / 2, filter_middle<conjugated>(from + m / 2, load_shared(at + m / 2),
                                                         there));
    }
  }
}

// The same of opposite butterflies: the first points of one, and those `k` points further on.
template <bool conjugated, class Access>
DEVICE Mirrored filter_first(const Ends<const float2>& spectrum, bool first, Mirrored z,
                             Access access) {
  const Mirrored s = load_spectrum<conjugated>(spectrum.low, spectrum.high, first, access);
  return of_filter(z, s, spectrum.factor);
}
template <long long k, bool conjugated, class Access>
DEVICE Mirrored filter_further(const Ends<const float2>& spectrum, float c, float s, Mirrored z,
                               Access access) {
  return of_filter(
      z, load_spectrum<conjugated>(spectrum.low + k, spectrum.high - k, false, access),
      complex_product(spectrum.factor, make_float2(c, s)));
}
