// Rader's algorithm (C. M. Rader, "Discrete Fourier transforms when the number of data samples is
// prime", 1968): n being a prime, the powers g^q, q = 0 .. m - 1, m = n - 1, of a primitive root g
// are the numbers from 1 to m in another order. With w = exp(sign 2 pi i / n), modulo n,
//
//   X(0)    = x(0) + sum over r of x(g^r),
//   X(g^-q) = x(0) + sum over r of x(g^r) b(q - r),   b(s) = w^(g^-s),
//
// a cyclic convolution of m points: a transform of them, a product with the spectrum B of b over m,
// and a transform back. In place of that one the first one comes a second time; its result is in
// the reverse order, so that point q is X(g^q).
//
// All points come and go through shared memory, where x(t) of transform b of the block lies at
// place b n + t. Behind them and the tile each transform has a slot, for x(0) and then X(0).

DEVICE float2* place_in_order(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}

// --- global memory ------------------------------------------------------------------------------
// A block takes `count` transforms of n points, of which there are `columns`; in memory points lie
// `stride` and transforms `apart` points apart. Point i is the i-th one from there on: neighbours
// are accessed together.
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned transform_of(unsigned i) {
  return apart < stride ? i % count : i / n;
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned index_of(unsigned i) {
  return apart < stride ? i / count : i % n;
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned in_memory(unsigned i) {
  return transform_of<n, count, stride, apart>(i) * apart +
         index_of<n, count, stride, apart>(i) * stride;
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart>
DEVICE constexpr unsigned in_order(unsigned i) {
  return transform_of<n, count, stride, apart>(i) * n + index_of<n, count, stride, apart>(i);
}
// Threads take every `threads`-th point; the last ones may have one less.
template <unsigned n, unsigned count, unsigned threads>
DEVICE constexpr unsigned turns() {
  return (n * count + threads - 1) / threads;
}
template <unsigned n, unsigned count, unsigned threads>
DEVICE bool has_turn(unsigned thread, unsigned r) {
  return (r + 1) * threads <= n * count || thread + r * threads < n * count;
}

template <unsigned n, unsigned count, unsigned stride, unsigned apart, unsigned threads,
          class Point>
DEVICE void load_in_order(const Point* in, unsigned thread, unsigned columns) {
  constexpr bool contiguous = stride == 1 && apart == n;
  float2 x[turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    const Point* from =
        contiguous ? in + thread + r * threads : in + in_memory<n, count, stride, apart>(i);
    const When there{contiguous ? i < n * columns
                                : transform_of<n, count, stride, apart>(i) < columns};
    if (!has_turn<n, count, threads>(thread, r)) continue;
    x[r] = count == 1 ? load_point(from) : load_point(from, there);
  }
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    float2* to = contiguous ? place_in_order(thread) + r * threads
                            : place_in_order(in_order<n, count, stride, apart>(i));
    if (has_turn<n, count, threads>(thread, r)) store_shared(to, x[r]);
  }
}
template <unsigned n, unsigned count, unsigned stride, unsigned apart, unsigned threads,
          class Point>
DEVICE void store_in_order(Point* out, unsigned thread, unsigned columns) {
  constexpr bool contiguous = stride == 1 && apart == n;
  float2 x[turns<n, count, threads>()];
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    const float2* from = contiguous ? place_in_order(thread) + r * threads
                                    : place_in_order(in_order<n, count, stride, apart>(i));
    if (has_turn<n, count, threads>(thread, r)) x[r] = load_shared(from);
  }
#pragma unroll
  for (unsigned r = 0; r < turns<n, count, threads>(); ++r) {
    const unsigned i = thread + r * threads;
    Point* to =
        contiguous ? out + thread + r * threads : out + in_memory<n, count, stride, apart>(i);
    const When there{contiguous ? i < n * columns
                                : transform_of<n, count, stride, apart>(i) < columns};
    if (!has_turn<n, count, threads>(thread, r)) continue;
    count == 1 ? store_point(to, x[r]) : store_point(to, x[r], there);
  }
}

// --- powers -------------------------------------------------------------------------------------
// Point p of the tile is point q = p % m of the convolution of transform p / m.
// Where x(g^q) lies, q being the thread's part of the point's number and that of a register
// together. The table has of each thread g^q mod n / n in units of 2^-32 of a turn, rounded up:
// turns add up as the numbers multiply modulo n, and n times the part of a turn that is left is
// their remainder (it is too large by the register's power, `further`, times n / 2^32 at most, less
// than 1). Then the place where its transform begins.
DEVICE uint2 power_of_thread(const uint4* table, unsigned thread) {
  return load_factor(reinterpret_cast<const uint2*>(table) + thread);
}
template <unsigned n>
DEVICE float2* place_of_power(uint2 own, unsigned further) {
  const unsigned long long remainder = own.x * further * static_cast<unsigned long long>(n) >> 32;
  return place_in_order(own.y + static_cast<unsigned>(remainder));
}
// True for the thread that has point 0 of a transform, which looks after x(0) and X(0) too.
template <unsigned n>
DEVICE bool has_first_point(uint2 own) {
  return own.x == 0xffffffffu / n + 1;  // g^0 in the table
}

// --- frequency 0 --------------------------------------------------------------------------------
// a is the sum of all points but x(0). B(0) is -1, and x(0) is in all results.
template <unsigned m>
DEVICE float2 with_first_point(float2 a, float2* slot, float factor) {
  const float2 first = load_shared(slot);
  store_shared(slot, make_float2((first.x + a.x) * factor, (first.y + a.y) * factor));
  return make_float2(fused_multiply_add(a.x, -1.0f / m, first.x),
                     fused_multiply_add(a.y, -1.0f / m, first.y));
}
