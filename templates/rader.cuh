// Rader's algorithm (C. M. Rader, "Discrete Fourier transforms when the number of data samples is
// prime", 1968): n being a prime, the powers g^q, q = 0 .. m - 1, m = n - 1, of a primitive root g
// are the numbers from 1 to m in another order. With w = exp(sign 2 pi i / n), modulo n,
//
//   X(0)    = x(0) + sum over r of x(g^r),
//   X(g^-q) = x(0) + sum over r of x(g^r) b(q - r),   b(s) = w^(g^-s),
//
// a cyclic convolution of m points: a transform of them, a product with the spectrum B of b over m,
// and a transform back. In place of that one the first one comes a second time; its result is in the
// reverse order, so that point q is X(g^q).
//
// Point p of the block's tile is point p % m of its transform p / m. In the order of memory that is
// x(p % m + 1), at place p of shared memory. In memory points lie `stride` and transforms `apart`
// points apart; of those, `existing` counts `column` for each.

template <unsigned m, unsigned stride, unsigned apart>
DEVICE constexpr unsigned in_memory(unsigned p) {
  return p / m * apart + (p % m + 1) * stride;
}

template <unsigned m, unsigned stride, unsigned apart, unsigned column, unsigned... offset,
          class Points, class Point, class Existing>
DEVICE void load_rest(Points& x, const Point* in, unsigned p, Existing existing) {
  unsigned r = 0;
  const Point* from = in + in_memory<m, stride, apart>(p);
  ((point(x, r++) = load_point<in_memory<m, stride, apart>(offset) - stride>(
        from, existing, (p / m + offset / m) * column)),
   ...);
}
template <unsigned m, unsigned stride, unsigned apart, unsigned column, unsigned... offset,
          class Points, class Point, class Existing>
DEVICE void store_rest(Points& x, Point* out, unsigned p, Existing existing) {
  unsigned r = 0;
  Point* to = out + in_memory<m, stride, apart>(p);
  (store_point<in_memory<m, stride, apart>(offset) - stride>(to, point(x, r++), existing,
                                                             (p / m + offset / m) * column),
   ...);
}

// --- shared memory, in the order of memory ------------------------------------------------------
DEVICE float2* place_in_order(unsigned place) {
  return reinterpret_cast<float2*>(dynamic_shared() + 8 * place);
}
template <unsigned... offset, class Points>
DEVICE void write_in_order(Points& x, unsigned p) {
  unsigned r = 0;
  (store_shared(place_in_order(p) + offset, point(x, r++)), ...);
}
template <unsigned... offset, class Points>
DEVICE void read_in_order(Points& x, unsigned p) {
  unsigned r = 0;
  ((point(x, r++) = load_shared(place_in_order(p) + offset)), ...);
}

// g^q mod n, n below 2^16
template <unsigned n>
DEVICE constexpr unsigned power(unsigned g, unsigned q) {
  return q == 0 ? 1 : power<n>(g * g % n, q / 2) * (q % 2 == 1 ? g : 1) % n;
}
// Where x(g^q) lies, q being the thread's part of the point's number and that of `offset` together.
// The table has of each thread g^q mod n / n in units of 2^-32 of a turn, rounded up: turns add up as
// the numbers multiply modulo n, and n times the part of a turn that is left is their remainder (it
// is too large by offset's power times n / 2^32 at most, less than 1). Then where its transform
// begins, less 1.
template <unsigned n, unsigned g, unsigned offset>
DEVICE float2* place_of_power(uint2 own) {
  constexpr unsigned m = n - 1, further = power<n>(g, offset % m);
  const unsigned long long remainder = own.x * further * static_cast<unsigned long long>(n) >> 32;
  return place_in_order(own.y + static_cast<unsigned>(remainder)) + offset / m * m;
}
template <unsigned n, unsigned g, unsigned... offset, class Points>
DEVICE void read_powers(Points& x, const uint4* table, unsigned thread) {
  const uint2 own = load_factor(reinterpret_cast<const uint2*>(table) + thread);
  unsigned r = 0;
  ((point(x, r++) = load_shared(place_of_power<n, g, offset>(own))), ...);
}
template <unsigned n, unsigned g, unsigned... offset, class Points>
DEVICE void write_powers(Points& x, const uint4* table, unsigned thread) {
  const uint2 own = load_factor(reinterpret_cast<const uint2*>(table) + thread);
  unsigned r = 0;
  (store_shared(place_of_power<n, g, offset>(own), point(x, r++)), ...);
}

// --- frequency 0 --------------------------------------------------------------------------------
// Of the transform whose frequency 0 is point p + offset: a is the sum of its points but x(0). B(0)
// is -1, and x(0) is in all results.
template <unsigned m, unsigned in_apart, unsigned out_apart, unsigned column, class In, class Out,
          class Existing>
DEVICE float2 first_point(float2 a, const In* in, Out* out, unsigned transform, Existing existing,
                          float factor) {
  const unsigned index = transform * column;
  const float2 first = load_point<0>(in + transform * in_apart, existing, index);
  const float2 sum = make_float2((first.x + a.x) * factor, (first.y + a.y) * factor);
  store_point<0>(out + transform * out_apart, sum, existing, index);
  return make_float2(fused_multiply_add(a.x, -1.0f / m, first.x),
                     fused_multiply_add(a.y, -1.0f / m, first.y));
}
template <unsigned m, unsigned in_apart, unsigned out_apart, unsigned column, unsigned offset,
          class In, class Out, class Existing>
DEVICE float2 with_first_point(float2 a, const In* in, Out* out, unsigned p, Existing existing,
                               float factor) {
  if constexpr (offset % m == 0) {
    return first_point<m, in_apart, out_apart, column>(a, in, out, p / m + offset / m, existing,
                                                       factor);
  } else {
    return a;
  }
}
template <unsigned m, unsigned in_apart, unsigned out_apart, unsigned column, unsigned... offset,
          class Points, class In, class Out, class Existing>
DEVICE void zero_frequency(Points& x, const In* in, Out* out, unsigned p, Existing existing,
                           float factor) {
  if (p % m != 0) return;
  unsigned r = 0;
  ((point(x, r) = with_first_point<m, in_apart, out_apart, column, offset>(point(x, r), in, out, p,
                                                                           existing, factor),
    ++r),
   ...);
}
