// DFTs of 8, 16 and 32 points in registers, of fewer instructions: a factor exp(i a) is cos a times
// (1 + i tan a); its point takes the tangent, by one fused product of each part, and the sums that
// the point goes into take the cosine (E. Linzer, E. Feig, 1993). Sums are up to sqrt(2) times as
// large as with the factor. A point is turned first, by quarters, so that no tangent is above 1.
constexpr float tan_1_16 = 0x1.975f5ep-3f;
constexpr float tan_2_16 = 0x1.a8279ap-2f;
constexpr float tan_3_16 = 0x1.561b82p-1f;

DEVICE float2 negated(float2 a) { return make_float2(-a.x, -a.y); }

// a (1 + sign i tangent)
template <int sign>
DEVICE float2 sheared(float2 a, float tangent) {
  return multiply_add(turned<sign>(a), tangent, a);
}

// low and high: even + w odd and even - w odd, w = cosine (1 + sign i tangent).
template <int sign>
DEVICE void fused_join(float2 even, float2 odd, float cosine, float tangent, float2& low,
                       float2& high) {
  const float2 product = sheared<sign>(odd, tangent);
  low = multiply_add(product, cosine, even);
  high = multiply_add(product, -cosine, even);
}
// The same, w = exp(sign i pi / 4).
template <int sign>
DEVICE void fused_join_eighth(float2 even, float2 odd, float2& low, float2& high) {
  const float2 product = odd + turned<sign>(odd);
  low = multiply_add(product, cos_4_16, even);
  high = multiply_add(product, -cos_4_16, even);
}

// The second half of fused_dft8(): the even points and the odd ones are DFTs of 4.
template <int sign>
DEVICE void fused_join8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                        float2& v6, float2& v7) {
  const float2 a0 = v0, a1 = v2, a2 = v4, a3 = v6, b0 = v1, b1 = v3, b2 = v5, b3 = v7;
  join_halves(a0, b0, v0, v4);
  fused_join_eighth<sign>(a1, b1, v1, v5);
  join_halves(a2, turned<sign>(b2), v2, v6);
  fused_join_eighth<sign>(a3, turned<sign>(b3), v3, v7);
}

template <int sign>
DEVICE void fused_dft8(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                       float2& v6, float2& v7) {
  dft4<sign>(v0, v2, v4, v6);
  dft4<sign>(v1, v3, v5, v7);
  fused_join8<sign>(v0, v1, v2, v3, v4, v5, v6, v7);
}

// A DFT of 3 points, of which b still takes `factor`, c `factor` times `ratio`. `sine`: `factor` times
// that of a third of a turn.
template <int sign>
DEVICE void dft3_of_sheared(float2& a, float2& b, float2& c, float factor, float ratio,
                            float sine) {
  const float2 sum = multiply_add(c, ratio, b);
  const float2 difference = turned<sign>(multiply_add(c, -ratio, b));
  const float2 even = multiply_add(sum, -0.5f * factor, a);
  a = multiply_add(sum, factor, a);
  b = multiply_add(difference, sine, even);
  c = multiply_add(difference, -sine, even);
}

// A DFT of 4 points, of which b and d still take cos(pi / 8), and c cos(pi / 4).
template <int sign>
DEVICE void dft4_of_sheared(float2& a, float2& b, float2& c, float2& d) {
  const float2 even = multiply_add(c, cos_4_16, a), even_difference = multiply_add(c, -cos_4_16, a);
  const float2 odd = b + d, odd_difference = turned<sign>(b - d);
  a = multiply_add(odd, cos_2_16, even);
  c = multiply_add(odd, -cos_2_16, even);
  b = multiply_add(odd_difference, cos_2_16, even_difference);
  d = multiply_add(odd_difference, -cos_2_16, even_difference);
}
// The second half of fused_dft16(): every fourth points are DFTs of 4.
template <int sign>
DEVICE void fused_join16(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                         float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                         float2& v12, float2& v13, float2& v14, float2& v15) {
  dft4<sign>(v0, v1, v2, v3);
  // Factors w^1, w^2, w^3, w = exp(sign i pi / 8)
  v5 = sheared<sign>(v5, tan_2_16);
  v6 = v6 + turned<sign>(v6);
  v7 = turned<sign>(sheared<sign>(v7, -tan_2_16));
  dft4_of_sheared<sign>(v4, v5, v6, v7);
  // w^2, w^4, w^6
  const float2 a0 = v8 + turned<sign>(v10), a1 = v8 - turned<sign>(v10);
  const float2 b0 = v9 + turned<sign>(v11), b1 = v9 - turned<sign>(v11);
  fused_join_eighth<sign>(a0, b0, v8, v10);
  fused_join_eighth<sign>(a1, turned<sign>(b1), v9, v11);
  // w^3, w^6, w^9
  v13 = turned<sign>(sheared<sign>(v13, -tan_2_16));
  v14 = turned<sign>(v14 + turned<sign>(v14));
  v15 = turned<sign>(turned<sign>(sheared<sign>(v15, tan_2_16)));
  dft4_of_sheared<sign>(v12, v13, v14, v15);
  swap(v1, v4), swap(v2, v8), swap(v3, v12), swap(v6, v9), swap(v7, v13), swap(v11, v14);
}

template <int sign>
DEVICE void fused_dft16(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                        float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                        float2& v12, float2& v13, float2& v14, float2& v15) {
  dft4<sign>(v0, v4, v8, v12);
  dft4<sign>(v1, v5, v9, v13);
  dft4<sign>(v2, v6, v10, v14);
  dft4<sign>(v3, v7, v11, v15);
  fused_join16<sign>(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15);
}

template <int sign>
DEVICE void fused_dft32(float2& v0, float2& v1, float2& v2, float2& v3, float2& v4, float2& v5,
                        float2& v6, float2& v7, float2& v8, float2& v9, float2& v10, float2& v11,
                        float2& v12, float2& v13, float2& v14, float2& v15, float2& v16,
                        float2& v17, float2& v18, float2& v19, float2& v20, float2& v21,
                        float2& v22, float2& v23, float2& v24, float2& v25, float2& v26,
                        float2& v27, float2& v28, float2& v29, float2& v30, float2& v31) {
  float2 a0 = v0, a1 = v2, a2 = v4, a3 = v6, a4 = v8, a5 = v10, a6 = v12, a7 = v14, a8 = v16,
         a9 = v18, a10 = v20, a11 = v22, a12 = v24, a13 = v26, a14 = v28, a15 = v30;
  float2 b0 = v1, b1 = v3, b2 = v5, b3 = v7, b4 = v9, b5 = v11, b6 = v13, b7 = v15, b8 = v17,
         b9 = v19, b10 = v21, b11 = v23, b12 = v25, b13 = v27, b14 = v29, b15 = v31;
  fused_dft16<sign>(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15);
  fused_dft16<sign>(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15);
  join_halves(a0, b0, v0, v16);
  fused_join<sign>(a1, b1, cos_1_16, tan_1_16, v1, v17);
  fused_join<sign>(a2, b2, cos_2_16, tan_2_16, v2, v18);
  fused_join<sign>(a3, b3, cos_3_16, tan_3_16, v3, v19);
  fused_join_eighth<sign>(a4, b4, v4, v20);
  fused_join<sign>(a5, turned<sign>(b5), cos_3_16, -tan_3_16, v5, v21);
  fused_join<sign>(a6, turned<sign>(b6), cos_2_16, -tan_2_16, v6, v22);
  fused_join<sign>(a7, turned<sign>(b7), cos_1_16, -tan_1_16, v7, v23);
  join_halves(a8, turned<sign>(b8), v8, v24);
  fused_join<sign>(a9, turned<sign>(b9), cos_1_16, tan_1_16, v9, v25);
  fused_join<sign>(a10, turned<sign>(b10), cos_2_16, tan_2_16, v10, v26);
  fused_join<sign>(a11, turned<sign>(b11), cos_3_16, tan_3_16, v11, v27);
  fused_join_eighth<sign>(a12, turned<sign>(b12), v12, v28);
  fused_join<sign>(a13, b13, -cos_3_16, -tan_3_16, v13, v29);
  fused_join<sign>(a14, b14, -cos_2_16, -tan_2_16, v14, v30);
  fused_join<sign>(a15, b15, -cos_1_16, -tan_1_16, v15, v31);
}
