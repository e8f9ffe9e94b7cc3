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

// The same of the frequencies that a product of radix 17 to 32 leaves, see wide.cuh: below 16 those
// from 0 to radix / 2, beyond 16 the rest, which counts backwards: value 16 + k is frequency
// radix - k. At 16 radix 32 has its frequency 16, others a gap.
template <unsigned radix, unsigned stride, unsigned... bits>
struct WideDigit {
  unsigned of_thread;

  __device__ unsigned value(unsigned r) const {
    return Digit<32, stride, bits...>{of_thread}.value(r);
  }
  __device__ bool has(unsigned r) const {
    const unsigned v = value(r);
    return v < 16 ? 2 * v <= radix : v == 16 ? radix == 32 : 2 * (v - 16) < radix;
  }
  __device__ unsigned place(unsigned r) const {
    const unsigned v = value(r);
    return (v <= 16 ? v : radix + 16 - v) * stride;
  }
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
