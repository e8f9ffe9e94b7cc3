// The same pairs where the blocks of a cluster share a transform of several axes. Digits
// p / stride % count of a point's number p, in the order of memory, count the blocks: block r has
// the points of which each is r / weight % count, one after the other. Each block takes one of two
// mirrored points, and reads the other one, too.
template <unsigned stride_, unsigned count_, unsigned weight_>
struct BlockDigit {
  static constexpr unsigned stride = stride_, count = count_, weight = weight_;
};
template <class... Digits>
struct BlockDigits {};  // the slowest first

template <class... Digits>
DEVICE ClusterAddress point_of_cluster(BlockDigits<Digits...>, unsigned p) {
  const unsigned block = ((p / Digits::stride % Digits::count * Digits::weight) + ...);
  ((p = p / (Digits::stride * Digits::count) * Digits::stride + p % Digits::stride), ...);
  return cluster_point(p, block);
}
DEVICE unsigned point_of_block(BlockDigits<>, unsigned place, unsigned) { return place; }
template <class Digit, class... Faster>
DEVICE unsigned point_of_block(BlockDigits<Digit, Faster...>, unsigned place, unsigned rank) {
  const unsigned p = point_of_block(BlockDigits<Faster...>(), place, rank);
  return p / Digit::stride * (Digit::stride * Digit::count) +
         rank / Digit::weight % Digit::count * Digit::stride + p % Digit::stride;
}

// Point k of row q, as the low or the high one of the pair of points j and m - j of rows `low` and
// `high`, which are q and -q or the reverse.
struct OneOfPair {
  unsigned low, high, j;
  bool is_high, in_middle, own;  // own: -q is q
};
template <unsigned m, unsigned... others>
DEVICE OneOfPair one_of_pair(unsigned q, unsigned k) {
  const unsigned mirrored = opposite_row<others...>(q);
  const bool is_high = 2 * k > m;
  return {is_high ? mirrored : q, is_high ? q : mirrored, is_high ? m - k : k, is_high, 2 * k == m,
          q == mirrored};
}

// Of all frequencies of a transform, as they lie in memory, the block's share. All points are on
// their way before the first one is used.
template <class Digits, unsigned m, unsigned blocks, unsigned threads, unsigned... others,
          class Point>
DEVICE void store_mirrored_of_cluster(Point* out, const uint4* table, unsigned thread,
                                      unsigned rank) {
  constexpr unsigned all = (m + 1) * rows_of<others...>(), share = (all + blocks - 1) / blocks;
  constexpr unsigned count = turns<share, 1, threads>();
  const auto pair_of = [=](unsigned r) {
    const unsigned i = has_turn<share, 1, threads>(thread, r) ? thread + r * threads : share - 1;
    const unsigned p = rank * share + i < all ? rank * share + i : all - 1;
    return one_of_pair<m, others...>(p / (m + 1), p % (m + 1));
  };
  Mirrored z[count];
#pragma unroll
  for (unsigned r = 0; r < count; ++r) {
    const OneOfPair of = pair_of(r);
    const unsigned low = of.low * m + of.j, high = of.high * m + (of.j == 0 ? 0 : m - of.j);
    z[r].low = load_cluster(point_of_cluster(Digits(), low));
    z[r].high = load_cluster(point_of_cluster(Digits(), high));
  }
#pragma unroll
  for (unsigned r = 0; r < count; ++r) {
    const unsigned p = rank * share + thread + r * threads;
    if (!has_turn<share, 1, threads>(thread, r) || p >= all) continue;
    const OneOfPair of = pair_of(r);
    const Mirrored x = real_ends(of_mirrored(z[r], factor_at(table, of.in_middle ? 0 : of.j)),
                                 of.j == 0 && of.own);
    store_point(out + p, of.in_middle ? of_middle(z[r].high) : of.is_high ? x.high : x.low);
  }
}

// Back: the points that the block has of the pairs' transform, from frequencies in memory.
template <class Digits, unsigned m, unsigned blocks, unsigned threads, unsigned... others,
          class Point>
DEVICE void load_mirrored_of_cluster(const Point* in, const uint4* table, unsigned thread,
                                     unsigned rank) {
  constexpr unsigned share = m * rows_of<others...>() / blocks;
  constexpr unsigned count = turns<share, 1, threads>();
  const auto pair_of = [=](unsigned r) {
    const bool there = has_turn<share, 1, threads>(thread, r);
    const unsigned p = point_of_block(Digits(), there ? thread + r * threads : share - 1, rank);
    return one_of_pair<m, others...>(p / m, p % m);
  };
  Mirrored x[count], end[count];
#pragma unroll
  for (unsigned r = 0; r < count; ++r) {
    const OneOfPair of = pair_of(r);
    const Point *low = in + of.low * (m + 1), *high = in + of.high * (m + 1);
    x[r] = {load_point(low + of.j), load_point(high + (m - of.j))};
    const When first{of.j == 0};
    end[r] = {load_point(high, first), load_point(low + m, first)};
  }
#pragma unroll
  for (unsigned r = 0; r < count; ++r) {
    if (!has_turn<share, 1, threads>(thread, r)) continue;
    const OneOfPair of = pair_of(r);
    const bool first = of.j == 0;
    const Mirrored ends = {hermitian_part(x[r].low, end[r].low),
                           hermitian_part(x[r].high, end[r].high)};
    const Mirrored z =
        of_mirrored(first ? ends : x[r], factor_at(table, of.in_middle ? 0 : of.j), first);
    store_shared(shared_point(thread + r * threads), of.in_middle ? of_middle(x[r].high)
                                                     : of.is_high ? z.high
                                                                  : z.low);
  }
}
