// Cosine and sine transforms of types 1 to 3 by half as many points: the numbers of which a DFT is
// of real numbers go in pairs, as in mirrored.cuh; of points k and m - k together frequencies k and
// m - k are made, and of these the results, or the other way round. With N = 2 m, Z(m) = Z(0):
//
//   E = Z(k) + conj(Z(m - k)),  D = Z(k) - conj(Z(m - k)),  X(k) = (E + T) / 2,
//   X(m - k) = conj(E - T) / 2,  T = -i exp(-2 pi i k / N) D.
//
// In shared memory point k of transform b lies at place b row + k; in global memory numbers lie
// `stride` and transforms `apart` apart, of `count` in a block there are `columns`. A thread takes
// points k and m - k, of k up to (m - 1) / 2; the one with k = 0 the middle too. Threads take
// neighbours in global memory: points, or, where transforms lie side by side, these.
template <unsigned m, unsigned count, bool aside>
DEVICE constexpr unsigned pair_transform(unsigned p) {
  return count == 1 ? 0 : aside ? p % count : p / ((m + 1) / 2);
}
template <unsigned m, unsigned count, bool aside>
DEVICE constexpr unsigned pair_point(unsigned p) {
  return count == 1 ? p : aside ? p / count : p % ((m + 1) / 2);
}
// body(turn, transform, k) for each pair of the thread.
template <unsigned m, unsigned count, unsigned threads, bool aside, class Body>
DEVICE void for_each_pair(unsigned thread, const Body& body) {
#pragma unroll
  for (unsigned r = 0; r < mirrored_turns<m, count, threads>(); ++r) {
    if (!has_mirrored_turn<m, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads;
    body(r, pair_transform<m, count, aside>(p), pair_point<m, count, aside>(p));
  }
}
template <unsigned count, long long stride, class Number>
DEVICE float number_of(const Number* p, unsigned i, bool there) {
  return count == 1 ? load_real(p + i * stride).x : load_real(p + i * stride, When{there}).x;
}
template <unsigned count, long long stride, class Number>
DEVICE void put_number(Number* p, unsigned i, float value, bool there) {
  if (count == 1) {
    store_real(p + i * stride, make_float2(value, 0.0f));
  } else {
    store_real(p + i * stride, make_float2(value, 0.0f), When{there});
  }
}

// --- type 1: the points are pairs of the numbers and their mirror image --------------------------
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_extended_pair(const Number* p, unsigned index, unsigned offset, bool behind,
                                 bool other_behind, Access access = {}) {
  return make_float2(
      load_extended<n, stored, stride, sine, orthogonal>(p, 2 * index, 2 * offset, behind, access)
          .x,
      load_extended<n, stored, stride, sine, orthogonal>(p, 2 * index, 2 * offset + 1, other_behind,
                                                         access)
          .x);
}
// Twice frequency k is x.
template <unsigned m, unsigned count, long long stride, bool sine, bool orthogonal, class Number>
DEVICE void store_extended_frequency(Number* p, unsigned k, float2 x, bool there) {
  const bool end = k == 0 || k == m;
  if (sine) {
    if (!end) put_number<count, stride>(p, k - 1, -x.y, there);
  } else {
    put_number<count, stride>(p, k, orthogonal && end ? x.x * root_half : x.x, there);
  }
}
template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, bool sine, bool orthogonal, class Number>
DEVICE void store_extended_pairs(Number* out, const uint4* table, unsigned thread,
                                 unsigned columns) {
  for_each_pair<m, count, threads, (apart < stride)>(
      thread, [&](unsigned, unsigned transform, unsigned k) {
        const float2* from = shared_point(transform * row);
        Number* to = out + transform * apart;
        const bool there = transform < columns;
        const Mirrored z = {load_shared(from + k), load_shared(from + (k == 0 ? 0 : m - k))};
        const Mirrored x = of_mirrored(z, factor_at(table, k));
        store_extended_frequency<m, count, stride, sine, orthogonal>(to, k, x.low, there);
        store_extended_frequency<m, count, stride, sine, orthogonal>(to, m - k, x.high, there);
        if (m % 2 == 0 && k == 0) {
          const float2 middle = of_middle(load_shared(from + m / 2));
          store_extended_frequency<m, count, stride, sine, orthogonal>(to, m / 2, middle, there);
        }
      });
}

// --- types 2 and 3 -------------------------------------------------------------------------------
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_interleaved_pair(const Number* p, unsigned index, unsigned offset, bool behind,
                                    bool other_behind, Access access = {}) {
  return make_float2(load_interleaved<n, stored, stride, sine, orthogonal>(p, 2 * index, 2 * offset,
                                                                           behind, access)
                         .x,
                     load_interleaved<n, stored, stride, sine, orthogonal>(
                         p, 2 * index, 2 * offset + 1, other_behind, access)
                         .x);
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE void store_interleaved_pair(Number* p, float2 a, unsigned index, unsigned offset,
                                   bool behind, bool other_behind, Access access = {}) {
  store_interleaved<n, stored, stride, sine, orthogonal>(p, a, 2 * index, 2 * offset, behind,
                                                         access);
  store_interleaved<n, stored, stride, sine, orthogonal>(p, make_float2(a.y, 0.0f), 2 * index,
                                                         2 * offset + 1, other_behind, access);
}

// n = 2 m numbers. With w = exp(-2 pi i / (4 n)) results 2 Re(w^k X(k)) and, at n - k, -2 Im are
// the parts of y = w^k E + w^k T and, at m - k and m + k, of exp(-pi i / 4) conj(w^k E - w^k T):
// the table has w^k and -i w^(5 k).
struct Turned {
  float2 low, high;  // real part: at k, at m - k; imaginary part, its negative: at n - k, at m + k
};
DEVICE Turned turned_results(Mirrored z, Factors f) {
  const float2 e = make_float2(z.low.x + z.high.x, z.low.y - z.high.y);
  const float2 d = make_float2(z.low.x - z.high.x, z.low.y + z.high.y);
  const float2 a = complex_product(e, f.first), b = complex_product(d, f.second);
  const float2 difference = make_float2(a.x - b.x, a.y - b.y);
  return {make_float2(a.x + b.x, a.y + b.y),
          make_float2(root_half * (difference.x - difference.y),
                      -(root_half * (difference.x + difference.y)))};
}
template <unsigned n, unsigned count, long long stride, bool sine, class Number>
DEVICE void put_turned(Number* p, unsigned i, float value, bool there) {
  put_number<count, stride>(p, sine ? n - 1 - i : i, value, there);
}
template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, bool sine, bool orthogonal, class Number>
DEVICE void store_turned_pairs(Number* out, const uint4* table, unsigned thread, unsigned columns) {
  constexpr unsigned n = 2 * m;
  for_each_pair<m, count, threads, (apart < stride)>(
      thread, [&](unsigned, unsigned transform, unsigned k) {
        const float2* from = shared_point(transform * row);
        Number* to = out + transform * apart;
        const bool there = transform < columns;
        const Mirrored z = {load_shared(from + k), load_shared(from + (k == 0 ? 0 : m - k))};
        const Turned y = turned_results(z, factors_of(load_table(table + k)));
        const float first = orthogonal && k == 0 ? y.low.x * root_half : y.low.x;
        put_turned<n, count, stride, sine>(to, k, first, there);
        put_turned<n, count, stride, sine>(to, m - k, y.high.x, there);
        if (k != 0) {
          put_turned<n, count, stride, sine>(to, n - k, -y.low.y, there);
          put_turned<n, count, stride, sine>(to, m + k, -y.high.y, there);
        }
        if (m % 2 == 0 && k == 0) {
          const float2 a = load_shared(from + m / 2);
          const Turned middle = turned_results({a, a}, factors_of(load_table(table + m / 2)));
          put_turned<n, count, stride, sine>(to, m / 2, middle.low.x, there);
          put_turned<n, count, stride, sine>(to, n - m / 2, -middle.low.y, there);
        }
      });
}

// Back: a = x(k) + i x(n - k), b = exp(pi i / 4) (x(m - k) - i x(m + k)) are, times w^k, X(k) and
// conj(X(m - k)); Z(k) = w^k (a + b) + i w^(5 k) (a - b), Z(m - k) the conjugate of the difference.
// The table has w^k and i w^(5 k).
struct Numbers4 {
  float2 outer, inner;  // x(k), x(n - k); x(m - k), x(m + k)
};
DEVICE Mirrored of_turned(Numbers4 x, Factors f) {
  const float2 b =
      make_float2(root_half * (x.inner.x + x.inner.y), root_half * (x.inner.x - x.inner.y));
  const float2 sum = make_float2(x.outer.x + b.x, x.outer.y + b.y);
  const float2 difference = make_float2(x.outer.x - b.x, x.outer.y - b.y);
  const float2 s = complex_product(sum, f.first), t = complex_product(difference, f.second);
  return {make_float2(s.x + t.x, s.y + t.y), make_float2(s.x - t.x, t.y - s.y)};
}
// Numbers of points k and m - k; x(n) is zero.
template <unsigned m, unsigned count, long long stride, bool sine, bool orthogonal, class Number>
DEVICE Numbers4 load_numbers(const Number* p, unsigned k, bool there) {
  constexpr unsigned n = 2 * m;
  const auto at = [&](unsigned i) {
    return number_of<count, stride>(p, sine ? n - 1 - i : i, there);
  };
  const float first = at(k), last = at(k == 0 ? 0 : n - k);
  return {make_float2(orthogonal && k == 0 ? first * root_2 : first, k == 0 ? 0.0f : last),
          make_float2(at(m - k), at(m + k))};
}
template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, bool sine, bool orthogonal, class Number>
DEVICE void load_turned_pairs(const Number* in, const uint4* table, unsigned thread,
                              unsigned columns) {
  Numbers4 x[mirrored_turns<m, count, threads>()];
  for_each_pair<m, count, threads, (apart < stride)>(
      thread, [&](unsigned r, unsigned transform, unsigned k) {
        x[r] = load_numbers<m, count, stride, sine, orthogonal>(in + transform * apart, k,
                                                                transform < columns);
      });
  for_each_pair<m, count, threads, (apart < stride)>(
      thread, [&](unsigned r, unsigned transform, unsigned k) {
        float2* to = shared_point(transform * row);
        const Mirrored z = of_turned(x[r], factors_of(load_table(table + k)));
        store_shared(to + k, z.low);
        if (k != 0) store_shared(to + (m - k), z.high);
        if (m % 2 == 0 && k == 0) {
          const Numbers4 middle = load_numbers<m, count, stride, sine, false>(
              in + transform * apart, m / 2, transform < columns);
          store_shared(to + m / 2, of_turned(middle, factors_of(load_table(table + m / 2))).low);
        }
      });
}
