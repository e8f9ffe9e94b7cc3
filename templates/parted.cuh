// Columns of n real numbers, two neighbours as a complex one. Of its transform Z
//
//   A(k) = Z(k) + conj(Z(n - k)),  B(k) = -i (Z(k) - conj(Z(n - k))),  k <= n / 2,
//
// both times 1/2, which Z has already, are the frequencies of either, Z(n) being Z(0). They take
// their twiddle w^(k column), one = 2^64 / length of w. Back from these Z(k) = A + i B, Z(n - k) =
// conj(A) + i conj(B). (R. C. Singleton, "An algorithm for computing the mixed radix fast Fourier
// transform", IEEE Trans. Audio Electroacoust. 17, 1969.)
//
// In shared memory point k of column c lies at place c row + k; in global memory the numbers of two
// neighbours lie side by side, and points `stride` apart. A thread takes k and n - k of k < n / 2;
// the one with k = 0 the middle too.
template <unsigned n, unsigned count, unsigned threads>
DEVICE bool has_parted_turn(unsigned thread, unsigned r, unsigned columns) {
  constexpr unsigned pairs = count * ((n + 1) / 2);
  const unsigned p = thread + r * threads;
  return ((r + 1) * threads <= pairs || p < pairs) && p % count < columns;
}
template <unsigned n, unsigned count, unsigned threads>
DEVICE constexpr unsigned parted_turns() {
  return (count * ((n + 1) / 2) + threads - 1) / threads;
}

template <int sign, unsigned long long one, long long stride, class Point>
DEVICE void store_neighbours(Point* out, unsigned k, unsigned column, float2 low, float2 high) {
  const float2 b = conjugate(high);
  const float2 first = make_float2(low.x + b.x, low.y + b.y);
  const float2 second = make_float2(low.y - b.y, b.x - low.x);
  store_pair(out + k * stride, complex_product(first, root_of_product<sign, one>(k, column)),
             complex_product(second, root_of_product<sign, one>(k, column + 1)));
}
template <unsigned n, unsigned count, unsigned row, long long stride, unsigned threads, int sign,
          unsigned long long one, class Point>
DEVICE void store_parted(Point* out, unsigned thread, unsigned column, unsigned columns) {
#pragma unroll
  for (unsigned r = 0; r < parted_turns<n, count, threads>(); ++r) {
    if (!has_parted_turn<n, count, threads>(thread, r, columns)) continue;
    const unsigned p = thread + r * threads, c = p % count, k = p / count;
    const float2* from = shared_point(c * row);
    Point* to = out + 2 * c;
    const float2 low = load_shared(from + k), high = load_shared(from + (k == 0 ? 0 : n - k));
    store_neighbours<sign, one, stride>(to, k, 2 * (column + c), low, high);
    if (n % 2 == 0 && k == 0) {
      const float2 middle = load_shared(from + n / 2);
      store_neighbours<sign, one, stride>(to, n / 2, 2 * (column + c), middle, middle);
    }
  }
}

struct Neighbours {
  float2 first, second;
};
template <int sign, unsigned long long one>
DEVICE Neighbours turned(Neighbours x, unsigned k, unsigned column) {
  return {complex_product(x.first, root_of_product<sign, one>(k, column)),
          complex_product(x.second, root_of_product<sign, one>(k, column + 1))};
}
template <unsigned n, unsigned count, unsigned row, long long stride, unsigned threads, int sign,
          unsigned long long one, class Point>
DEVICE void load_parted(const Point* in, unsigned thread, unsigned column, unsigned columns) {
  const Neighbours none = {make_float2(0.0f, 0.0f), make_float2(0.0f, 0.0f)};
  Neighbours x[parted_turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < parted_turns<n, count, threads>(); ++r) {
    x[r] = none;  // of columns that are not there
    if (!has_parted_turn<n, count, threads>(thread, r, columns)) continue;
    const unsigned p = thread + r * threads, c = p % count, k = p / count;
    load_pair(in + 2 * c + k * stride, x[r].first, x[r].second);
  }
#pragma unroll
  for (unsigned r = 0; r < parted_turns<n, count, threads>(); ++r) {
    if (!has_parted_turn<n, count, threads>(thread, r, count)) continue;
    const unsigned p = thread + r * threads, c = p % count, k = p / count;
    float2* to = shared_point(c * row);
    const auto [a, b] = turned<sign, one>(x[r], k, 2 * (column + c));
    // Of frequency 0 only the real parts.
    store_shared(to + k, make_float2(a.x - (k == 0 ? 0.0f : b.y), b.x + (k == 0 ? 0.0f : a.y)));
    if (k != 0) store_shared(to + (n - k), make_float2(a.x + b.y, b.x - a.y));
    if (n % 2 == 0 && k == 0) {
      Neighbours middle = none;
      if (c < columns) load_pair(in + 2 * c + n / 2 * stride, middle.first, middle.second);
      middle = turned<sign, one>(middle, n / 2, 2 * (column + c));
      store_shared(to + n / 2, make_float2(middle.first.x, middle.second.x));
    }
  }
}
