// Frequencies of real numbers of several axes, in pairs of the last one's: see mirrored.cuh. A
// transform has a row of the last axis for all frequencies q of the others, the nearest of which
// comes first here; row -q is that of these modulo their lengths:
//
//   X(q, k) = Z(q, k) + conj(Z(-q, m - k)) + T,  X(-q, m - k) = conj(... - T).
//
// In shared memory point k of row q of transform b lies at place b row + q pitch + k.
struct RowNumbers {
  unsigned transform, own, mirrored;
};
template <unsigned... others>
DEVICE constexpr unsigned rows_of() {
  return (others * ...);
}
template <unsigned length, unsigned... others>
DEVICE constexpr unsigned opposite_row(unsigned row) {
  const unsigned own = row % length == 0 ? 0 : length - row % length;
  if constexpr (sizeof...(others) > 0) {
    return opposite_row<others...>(row / length) * length + own;
  } else {
    return own;
  }
}
// Row p of the block.
template <unsigned... others>
DEVICE RowNumbers row_numbers(unsigned p) {
  constexpr unsigned rows = rows_of<others...>();
  return {p / rows, p % rows, opposite_row<others...>(p % rows)};
}
struct MirroredRows {
  float2 *own, *mirrored;
  bool first;  // of both, which may be the same
};
template <unsigned row, unsigned pitch, unsigned... others>
DEVICE MirroredRows mirrored_rows(unsigned p) {
  const RowNumbers of = row_numbers<others...>(p);
  float2* const first = shared_point(of.transform * row);
  return {first + of.own * pitch, first + of.mirrored * pitch, of.own <= of.mirrored};
}

// --- rows as they lie in global memory ------------------------------------------------------------
// Point `further` behind the thread's own, of rows that follow each other, and its place: offsets
// from one address, where places follow each other too.
template <unsigned length, unsigned pitch>
DEVICE float2* place_in_rows(unsigned thread, unsigned further) {
  const unsigned i = thread + further;
  return pitch == length ? shared_point(thread) + further
                         : shared_point(i / length * pitch + i % length);
}
// All rows of the block from and to global memory, where they follow each other: `count` transforms
// of `rows` rows of `length` points, of which there are `columns`. Neighbours are accessed together.
template <unsigned length, unsigned rows, unsigned count, unsigned pitch, unsigned threads,
          class Point>
DEVICE void load_rows(const Point* in, unsigned thread, unsigned columns) {
  constexpr unsigned n = length * rows;
  float2 x[turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    if (!has_turn<n, count, threads>(thread, r)) continue;
    const Point* from = in + thread + r * threads;
    const When there{thread + r * threads < n * columns};
    x[r] = count == 1 ? load_point(from) : load_point(from, there);
  }
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    if (!has_turn<n, count, threads>(thread, r)) continue;
    store_shared(place_in_rows<length, pitch>(thread, r * threads), x[r]);
  }
}
template <unsigned length, unsigned rows, unsigned count, unsigned pitch, unsigned threads,
          class Point>
DEVICE void store_rows(Point* out, unsigned thread, unsigned columns) {
  constexpr unsigned n = length * rows;
  float2 x[turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    if (!has_turn<n, count, threads>(thread, r)) continue;
    x[r] = load_shared(place_in_rows<length, pitch>(thread, r * threads));
  }
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    if (!has_turn<n, count, threads>(thread, r)) continue;
    Point* to = out + thread + r * threads;
    const When there{thread + r * threads < n * columns};
    count == 1 ? store_point(to, x[r]) : store_point(to, x[r], there);
  }
}

// What frequencies that should be Hermitian have in common with the conjugates.
DEVICE float2 hermitian_part(float2 a, float2 mirrored) {
  return make_float2(0.5f * a.x + 0.5f * mirrored.x, 0.5f * a.y - 0.5f * mirrored.y);
}
// Of an odd last axis of n points: X(-q, n - k) = conj X(q, k), of which the first half is there.
template <unsigned n, unsigned count, unsigned threads, unsigned... others>
DEVICE void complete_rows(unsigned thread) {
  constexpr unsigned rows = rows_of<others...>(), half = n / 2;
#pragma unroll
  for (unsigned r = 0; r < turns<half * rows, count, threads>(); ++r) {
    if (!has_turn<half * rows, count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = 1 + p % half;
    const MirroredRows of = mirrored_rows<rows * n, n, others...>(p / half);
    store_shared(of.mirrored + (n - k), conjugate(load_shared(of.own + k)));
  }
#pragma unroll
  for (unsigned r = 0; r < turns<rows, count, threads>(); ++r) {
    if (!has_turn<rows, count, threads>(thread, r)) continue;
    const MirroredRows of = mirrored_rows<rows * n, n, others...>(thread + r * threads);
    if (!of.first) continue;
    const float2 own = load_shared(of.own), mirrored = load_shared(of.mirrored);
    store_shared(of.own, hermitian_part(own, mirrored));
    store_shared(of.mirrored, hermitian_part(mirrored, own));
  }
}

// --- within shared memory, where a row has room for X(m) too: each takes the place of the other ---
// Pairs k and m - k, but those of the ends and the middle.
template <unsigned m, unsigned count, unsigned row, unsigned pitch, unsigned threads,
          unsigned... others>
DEVICE void mirror_within_rows(const uint4* table, unsigned thread) {
  constexpr unsigned rows = m > 2 ? count * rows_of<others...>() : 0,
                     each = m > 2 ? (m - 1) / 2 : 1;
#pragma unroll
  for (unsigned r = 0; r < turns<each, rows, threads>(); ++r) {
    if (!has_turn<each, rows, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = 1 + p % each;
    const MirroredRows of = mirrored_rows<row, pitch, others...>(p / each);
    const Mirrored x = of_mirrored({load_shared(of.own + k), load_shared(of.mirrored + (m - k))},
                                   factor_at(table, k));
    store_shared(of.own + k, x.low);
    store_shared(of.mirrored + (m - k), x.high);
  }
}
template <unsigned m>
DEVICE void mirror_middle(const MirroredRows& of) {
  if (m % 2 != 0) return;
  const float2 own = load_shared(of.own + m / 2), mirrored = load_shared(of.mirrored + m / 2);
  store_shared(of.own + m / 2, of_middle(mirrored));
  store_shared(of.mirrored + m / 2, of_middle(own));
}

template <unsigned m, unsigned count, unsigned row, unsigned pitch, unsigned threads,
          unsigned... others>
DEVICE void mirror_rows_of_output(const uint4* table, unsigned thread) {
  mirror_within_rows<m, count, row, pitch, threads, others...>(table, thread);
#pragma unroll
  for (unsigned r = 0; r < turns<rows_of<others...>(), count, threads>(); ++r) {
    if (!has_turn<rows_of<others...>(), count, threads>(thread, r)) continue;
    const MirroredRows of = mirrored_rows<row, pitch, others...>(thread + r * threads);
    if (!of.first) continue;
    const float2 own = load_shared(of.own), mirrored = load_shared(of.mirrored);
    const float2 factor = factor_at(table, 0);
    const bool real = of.own == of.mirrored;
    const Mirrored x = real_ends(of_mirrored({own, mirrored}, factor), real),
                   y = real_ends(of_mirrored({mirrored, own}, factor), real);
    store_shared(of.own, x.low), store_shared(of.mirrored + m, x.high);
    store_shared(of.mirrored, y.low), store_shared(of.own + m, y.high);
    mirror_middle<m>(of);
  }
}

template <unsigned m, unsigned count, unsigned row, unsigned pitch, unsigned threads,
          unsigned... others>
DEVICE void mirror_rows_of_input(const uint4* table, unsigned thread) {
  mirror_within_rows<m, count, row, pitch, threads, others...>(table, thread);
#pragma unroll
  for (unsigned r = 0; r < turns<rows_of<others...>(), count, threads>(); ++r) {
    if (!has_turn<rows_of<others...>(), count, threads>(thread, r)) continue;
    const MirroredRows of = mirrored_rows<row, pitch, others...>(thread + r * threads);
    if (!of.first) continue;
    const float2 first = load_shared(of.own), last = load_shared(of.own + m);
    const float2 other_first = load_shared(of.mirrored), other_last = load_shared(of.mirrored + m);
    const Mirrored x = {hermitian_part(first, other_first), hermitian_part(other_last, last)},
                   y = {hermitian_part(other_first, first), hermitian_part(last, other_last)};
    const float2 factor = factor_at(table, 0);
    store_shared(of.own, of_mirrored(x, factor, true).low);
    store_shared(of.mirrored, of_mirrored(y, factor, true).low);
    mirror_middle<m>(of);
  }
}

// --- to global memory: a thread stores both frequencies of a pair ---------------------------------
template <unsigned m, unsigned count, unsigned row, long long stride, long long apart,
          unsigned threads, unsigned... others, class Point>
DEVICE void store_mirrored_rows(Point* out, const uint4* table, unsigned thread, unsigned columns) {
  constexpr unsigned half = (m + 1) / 2;
  constexpr long long line = (m + 1) * stride;
#pragma unroll
  for (unsigned r = 0; r < turns<half * rows_of<others...>(), count, threads>(); ++r) {
    if (!has_turn<half * rows_of<others...>(), count, threads>(thread, r)) continue;
    const unsigned p = thread + r * threads, k = p % half;
    const RowNumbers of = row_numbers<others...>(p / half);
    const float2* const from = shared_point(of.transform * row);
    const float2 *near = from + of.own * m, *far = from + of.mirrored * m;
    Point* const to = out + of.transform * apart;
    Point *low = to + of.own * line, *high = to + of.mirrored * line;
    const When there{of.transform < columns};
    const Mirrored z = {load_shared(near + k), load_shared(far + (k == 0 ? 0 : m - k))};
    const bool real = k == 0 && of.own == of.mirrored;
    const Mirrored x = real_ends(of_mirrored(z, factor_at(table, k)), real);
    if (count == 1) {
      store_point(low + k * stride, x.low);
      store_point(high + (m - k) * stride, x.high);
    } else {
      store_point(low + k * stride, x.low, there);
      store_point(high + (m - k) * stride, x.high, there);
    }
    if (m % 2 == 0 && k == 0) {
      store_point(low + m / 2 * stride, of_middle(load_shared(far + m / 2)), there);
    }
  }
}
