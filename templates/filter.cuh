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
    Mirrored s = {load_point(from + k, there), load_point(from + (m - k), there)};
    s = real_ends({conjugate_if(conjugated, s.low), conjugate_if(conjugated, s.high)}, k == 0);
    const Mirrored z = {load_shared(at + k), load_shared(at + (k == 0 ? 0 : m - k))};
    const Mirrored y = of_filter(z, s, factor_at(table, k));
    store_shared(at + k, y.low);
    if (k != 0) store_shared(at + (m - k), y.high);
    if (m % 2 == 0 && k == 0) {
      const float2 middle = conjugate_if(conjugated, load_point(from + m / 2, there));
      const float2 a = complex_product(conjugate(load_shared(at + m / 2)), middle);
      store_shared(at + m / 2, make_float2(a.x + a.x, a.y + a.y));
    }
  }
}
