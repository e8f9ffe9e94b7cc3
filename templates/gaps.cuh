// Tiles with gaps: a step whose radix is no power of two has bits for the next one. The values of its
// digit from the radix on are no points: they are zeros where points are loaded, and are not stored.

// A step's digit, or the number of the transform: the first `values` of those that its bits can take
// are points, `stride` apart in memory. Bit i of the register's number changes the i-th of `bits`.
template <unsigned values, unsigned stride, unsigned... bits>
struct Digit {
  unsigned of_thread;  // the value in register 0

  __device__ unsigned value(unsigned r) const {
    unsigned v = of_thread, i = 0;
    ((v ^= r >> i++ & 1u ? bits : 0u), ...);
    return v;
  }
  __device__ bool has(unsigned r) const {
    constexpr bool all = (values & (values - 1)) == 0;
    return all || value(r) < values;
  }
  __device__ unsigned place(unsigned r) const { return value(r) * stride; }
};

template <class Points, class Point, class Existing, class... Digits>
DEVICE void load_digits(Points& x, const Point* in, Existing existing, Digits... digits) {
#pragma unroll
  for (unsigned r = 0; r < PointCount<Points>::value; ++r) {
    const unsigned p = (digits.place(r) + ...);
    const bool there = (digits.has(r) && ...) && existing.has(p);
    point(x, r) = load_point<0>(in + p, FirstPoints{there ? 1u : 0u}, 0);
  }
}

template <class Points, class Point, class Existing, class... Digits>
DEVICE void store_digits(Points& x, Point* out, Existing existing, Digits... digits) {
#pragma unroll
  for (unsigned r = 0; r < PointCount<Points>::value; ++r) {
    const unsigned p = (digits.place(r) + ...);
    const bool there = (digits.has(r) && ...) && existing.has(p);
    store_point<0>(out + p, point(x, r), FirstPoints{there ? 1u : 0u}, 0);
  }
}

// DFTs of `radix` points over the register bits in `mask`, which have room for the next power of two.
template <int sign, unsigned radix, unsigned mask, class Points>
DEVICE void padded_butterflies(Points& x) {
#pragma unroll
  for (unsigned first = 0; first < PointCount<Points>::value; ++first) {
    if (first & mask) continue;
    float2 v[radix];
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) v[j] = point(x, first | scatter_bits(j, mask));
    dft<sign>(v);
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) point(x, first | scatter_bits(j, mask)) = v[j];
  }
}
