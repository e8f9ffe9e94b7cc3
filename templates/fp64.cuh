// Points of a butterfly that sums in FP64: exact on their way in, rounded once on their way out.
// What is fused is written fused, as in FP32.

DEVICE double2 widened_point(float2 a) { return make_double2(a.x, a.y); }
DEVICE float2 rounded_point(double2 a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}

DEVICE double2 operator+(double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); }
DEVICE double2 operator-(double2 a, double2 b) { return make_double2(a.x - b.x, a.y - b.y); }
DEVICE double2 scaled_fp64(double2 a, double factor) {
  return make_double2(a.x * factor, a.y * factor);
}
// a c + b for a real c.
DEVICE double2 multiply_add_fp64(double2 a, double c, double2 b) {
  return make_double2(fused_multiply_add_fp64(a.x, c, b.x), fused_multiply_add_fp64(a.y, c, b.y));
}
// a * (sign i)
template <int sign>
DEVICE double2 turned_fp64(double2 a) {
  return sign < 0 ? make_double2(a.y, -a.x) : make_double2(-a.y, a.x);
}
// a * exp(sign i angle), its cosine and sine given.
template <int sign>
DEVICE double2 rotated_fp64(double2 a, double cosine, double sine) {
  return make_double2(fused_multiply_add_fp64(a.x, cosine, -(a.y * (sign * sine))),
                      fused_multiply_add_fp64(a.x, sign * sine, a.y * cosine));
}

DEVICE void dft2_fp64(double2& a, double2& b) {
  const double2 sum = a + b;
  b = a - b;
  a = sum;
}
template <int sign>
DEVICE void dft4_fp64(double2& a, double2& b, double2& c, double2& d) {
  const double2 even = a + c, odd = b + d, even_difference = a - c;
  const double2 odd_difference = turned_fp64<sign>(b - d);
  a = even + odd;
  c = even - odd;
  b = even_difference + odd_difference;
  d = even_difference - odd_difference;
}
