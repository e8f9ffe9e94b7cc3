// DFTs of 2, 4, 8, 16 and 32 points in registers; sign -1 forward, +1 inverse. Results in natural
// order. Complex factors are applied as fused products of both parts, never as (re + im) * c, so
// that nothing overflows that the exact result does not. Every line is straight: what a compiler
// would have to unroll takes it ten times as long.

DEVICE float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
DEVICE float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
DEVICE void swap(float2& a, float2& b) {
  const float2 was = a;
  a = b;
  b = was;
}

// a c + b for a real c.
DEVICE float2 multiply_add(float2 a, float c, float2 b) {
  return make_float2(fused_multiply_add(a.x, c, b.x), fused_multiply_add(a.y, c, b.y));
}

// a * (sign i)
template <int sign>
DEVICE float2 turned(float2 a) {
  return sign < 0 ? make_float2(a.y, -a.x) : make_float2(-a.y, a.x);
}

DEVICE void dft2(float2& a, float2& b) {
  const float2 sum = a + b;
  b = a - b;
  a = sum;
}

template <int sign>
DEVICE void dft4(float2& a, float2& b, float2& c, float2& d) {
  const float2 even = a + c, odd = b + d, even_difference = a - c;
  const float2 odd_difference = turned<sign>(b - d);
  a = even + odd;
  c = even - odd;
  b = even_difference + odd_difference;
  d = even_difference - odd_difference;
}

// a * exp(sign i angle), its cosine and sine given.
template <int sign>
DEVICE float2 rotated(float2 a, float cosine, float sine) {
  return complex_product(a, make_float2(cosine, sign * sine));
}
constexpr float cos_1_16 = 0x1.f6297cp-1f;
constexpr float cos_2_16 = 0x1.d906bcp-1f;
constexpr float cos_3_16 = 0x1.a9b662p-1f;
constexpr float cos_4_16 = 0x1.6a09e6p-1f;
constexpr float sin_3_16 = 0x1.1c73b4p-1f;
constexpr float sin_2_16 = 0x1.87de2ap-2f;
constexpr float sin_1_16 = 0x1.8f8b84p-3f;

// a + w b and a - w b, w = exp(sign i pi / 4): of the mean of b and (sign i) b a rounding less than
// of w b.
template <int sign>
DEVICE void dft2_eighth(float2& a, float2& b) {
  const float2 mean = multiply_add(turned<sign>(b), 0.5f, scaled(b, 0.5f));
  b = multiply_add(mean, -2 * cos_4_16, a);
  a = multiply_add(mean, 2 * cos_4_16, a);
}

template <int sign>
DEVICE void dft8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5, float2& v6,
                 float2& v7) {
  dft4<sign>(v0, v2, v4, v6);
  dft4<sign>(v1, v3, v5, v7);
  v5 = turned<sign>(v5);
  v7 = turned<sign>(v7);
  dft2(v0, v1);
  dft2_eighth<sign>(v2, v3);
  dft2(v4, v5);
  dft2_eighth<sign>(v6, v7);
  const float2 x1 = v2, x2 = v4, x3 = v6, x4 = v1, x5 = v3, x6 = v5;
  v1 = x1, v2 = x2, v3 = x3, v4 = x4, v5 = x5, v6 = x6;
}

template <int sign>
DEVICE void dft16(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                  float2& v12, float2& v13, float2& v14, float2& v15) {
  dft4<sign>(v0, v4, v8, v12);
  dft4<sign>(v1, v5, v9, v13);
  dft4<sign>(v2, v6, v10, v14);
  dft4<sign>(v3, v7, v11, v15);
  v5 = rotated<sign>(v5, cos_2_16, sin_2_16);
  v9 = rotated<sign>(v9, cos_4_16, cos_4_16);
  v13 = rotated<sign>(v13, sin_2_16, cos_2_16);
  v6 = rotated<sign>(v6, cos_4_16, cos_4_16);
  v10 = turned<sign>(v10);
  v14 = rotated<sign>(v14, -cos_4_16, cos_4_16);
  v7 = rotated<sign>(v7, sin_2_16, cos_2_16);
  v11 = rotated<sign>(v11, -cos_4_16, cos_4_16);
  v15 = rotated<sign>(v15, -cos_2_16, -sin_2_16);
  dft4<sign>(v0, v1, v2, v3);
  dft4<sign>(v4, v5, v6, v7);
  dft4<sign>(v8, v9, v10, v11);
  dft4<sign>(v12, v13, v14, v15);
  swap(v1, v4), swap(v2, v8), swap(v3, v12), swap(v6, v9), swap(v7, v13), swap(v11, v14);
}

// X[k] and X[k + 16] of the even points' and the odd points' k-th results.
DEVICE void join_halves(float2 even, float2 odd, float2& low, float2& high) {
  low = even + odd;
  high = even - odd;
}
template <int sign>
DEVICE void dft32(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                  float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                  float2& v12, float2& v13, float2& v14, float2& v15, float2& v16, float2& v17,
                  float2& v18, float2& v19, float2& v20, float2& v21, float2& v22, float2& v23,
                  float2& v24, float2& v25, float2& v26, float2& v27, float2& v28, float2& v29,
                  float2& v30, float2& v31) {
  float2 a0 = v0, a1 = v2, a2 = v4, a3 = v6, a4 = v8, a5 = v10, a6 = v12, a7 = v14, a8 = v16,
         a9 = v18, a10 = v20, a11 = v22, a12 = v24, a13 = v26, a14 = v28, a15 = v30;
  float2 b0 = v1, b1 = v3, b2 = v5, b3 = v7, b4 = v9, b5 = v11, b6 = v13, b7 = v15, b8 = v17,
         b9 = v19, b10 = v21, b11 = v23, b12 = v25, b13 = v27, b14 = v29, b15 = v31;
  dft16<sign>(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15);
  dft16<sign>(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15);
  join_halves(a0, b0, v0, v16);
  join_halves(a1, rotated<sign>(b1, cos_1_16, sin_1_16), v1, v17);
  join_halves(a2, rotated<sign>(b2, cos_2_16, sin_2_16), v2, v18);
  join_halves(a3, rotated<sign>(b3, cos_3_16, sin_3_16), v3, v19);
  join_halves(a4, rotated<sign>(b4, cos_4_16, cos_4_16), v4, v20);
  join_halves(a5, rotated<sign>(b5, sin_3_16, cos_3_16), v5, v21);
  join_halves(a6, rotated<sign>(b6, sin_2_16, cos_2_16), v6, v22);
  join_halves(a7, rotated<sign>(b7, sin_1_16, cos_1_16), v7, v23);
  join_halves(a8, turned<sign>(b8), v8, v24);
  join_halves(a9, rotated<sign>(b9, -sin_1_16, cos_1_16), v9, v25);
  join_halves(a10, rotated<sign>(b10, -sin_2_16, cos_2_16), v10, v26);
  join_halves(a11, rotated<sign>(b11, -sin_3_16, cos_3_16), v11, v27);
  join_halves(a12, rotated<sign>(b12, -cos_4_16, cos_4_16), v12, v28);
  join_halves(a13, rotated<sign>(b13, -cos_3_16, sin_3_16), v13, v29);
  join_halves(a14, rotated<sign>(b14, -cos_2_16, sin_2_16), v14, v30);
  join_halves(a15, rotated<sign>(b15, -cos_1_16, sin_1_16), v15, v31);
}
