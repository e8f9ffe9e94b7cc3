// A tile in two rounds: a thread holds half of its points at once, and shared memory three quarters
// of those of the block.
//
// Half of a thread's points: of `count` registers those whose number has `value` in bit `bit`.
template <unsigned bit, unsigned value, unsigned count>
struct HalfOf {
  float2 (&x)[count];
};
template <unsigned bit, unsigned value, unsigned count>
DEVICE float2& point(HalfOf<bit, value, count>& half, unsigned r) {
  return half.x[register_without(bit, r) | value << bit];
}
template <unsigned bit, unsigned set, unsigned count>
struct PointCount<HalfOf<bit, set, count>> {
  static constexpr unsigned value = count / 2;
};

template <unsigned count>
DEVICE void take(float2 (&x)[count], const float2 (&y)[count]) {
#pragma unroll
  for (unsigned r = 0; r < count; ++r) x[r] = y[r];
}

// Real (0) or imaginary (1) parts: that of point p of the round lies at 4 bytes * part_swizzle(p).
template <unsigned component>
DEVICE float& part(float2& a) {
  return component == 0 ? a.x : a.y;
}
// As shared_point(): the swizzle reaches the last five bits only.
template <unsigned bits_of_p>
DEVICE float* shared_part(unsigned p, unsigned offset) {
  constexpr unsigned mixed = bits_of_p | 31;
  const unsigned place = part_swizzle(offset);
  return reinterpret_cast<float*>(dynamic_shared()) + (part_swizzle(p) ^ (place & mixed)) +
         (place & ~mixed);
}
template <unsigned component, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void write_parts(Points& x, unsigned p) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned r = 0; r < sizeof...(offset); ++r) {
    store_shared(shared_part<bits_of_p>(p, offsets[r]), part<component>(point(x, r)));
  }
}
template <unsigned component, unsigned bits_of_p, unsigned... offset, class Points>
DEVICE void read_parts(Points& x, unsigned p) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned r = 0; r < sizeof...(offset); ++r) {
    part<component>(point(x, r)) = load_shared(shared_part<bits_of_p>(p, offsets[r]));
  }
}
