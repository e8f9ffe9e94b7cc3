// DFTs of 2, 4, 8, 16 and 32 points in registers; sign -1 forward, +1 inverse. Results in natural
// order. Complex factors are applied as fused products of both parts, never as (re + im) * c, so
// that nothing overflows that the exact result does not.

DEVICE float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
DEVICE float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

// a * (sign i)
template <int sign>
DEVICE float2 turned(float2 a) {
  return sign < 0 ? make_float2(a.y, -a.x) : make_float2(-a.y, a.x);
}

template <int sign>
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

// w_8 and w_16 to the first, second and third power: cos and sin of pi/8, pi/4, 3 pi/8.
template <int sign>
DEVICE float2 times_w16(float2 a, unsigned power) {
  constexpr float cos_pi_8 = 0x1.d906bcp-1f, sin_pi_8 = 0x1.87de2ap-2f, cos_pi_4 = 0x1.6a09e6p-1f;
  switch (power) {
    case 0: return a;
    case 1: return complex_product(a, make_float2(cos_pi_8, sign * sin_pi_8));
    case 2: return complex_product(a, make_float2(cos_pi_4, sign * cos_pi_4));
    case 3: return complex_product(a, make_float2(sin_pi_8, sign * cos_pi_8));
    case 4: return turned<sign>(a);
    case 6: return complex_product(a, make_float2(-cos_pi_4, sign * cos_pi_4));
    default: return complex_product(a, make_float2(-cos_pi_8, -sign * sin_pi_8));  // 9
  }
}

template <int sign>
DEVICE void dft8(float2 (&v)[8]) {
  dft4<sign>(v[0], v[2], v[4], v[6]);
  dft4<sign>(v[1], v[3], v[5], v[7]);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const float2 odd = times_w16<sign>(v[2 * k + 1], 2 * k);
    v[2 * k + 1] = v[2 * k] - odd;
    v[2 * k] = v[2 * k] + odd;
  }
  const float2 natural[8] = {v[0], v[2], v[4], v[6], v[1], v[3], v[5], v[7]};
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) v[k] = natural[k];
}

template <int sign>
DEVICE void dft16(float2 (&v)[16]) {
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    dft4<sign>(v[j], v[j + 4], v[j + 8], v[j + 12]);
#pragma unroll
    for (unsigned k = 1; k < 4; ++k) v[j + 4 * k] = times_w16<sign>(v[j + 4 * k], j * k);
  }
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) dft4<sign>(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {  // v[4 a + b] is X[a + 4 b]
#pragma unroll
    for (unsigned b = 0; b < k; ++b) {
      const float2 other = v[4 * b + k];
      v[4 * b + k] = v[4 * k + b];
      v[4 * k + b] = other;
    }
  }
}

// w_32^k, k = 0 to 15.
template <int sign>
DEVICE float2 times_w32(float2 a, unsigned k) {
  constexpr float cosine[] = {1.0f,           0x1.f6297cp-1f, 0x1.d906bcp-1f,
                              0x1.a9b662p-1f, 0x1.6a09e6p-1f, 0x1.1c73b4p-1f,
                              0x1.87de2ap-2f, 0x1.8f8b84p-3f, 0.0f};  // of j pi / 16
  if (k == 0) return a;
  if (k == 8) return turned<sign>(a);
  return complex_product(a, k < 8 ? make_float2(cosine[k], sign * cosine[8 - k])
                                  : make_float2(-cosine[16 - k], sign * cosine[k - 8]));
}

template <int sign>
DEVICE void dft32(float2 (&v)[32]) {
  float2 even[16], odd[16];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) even[j] = v[2 * j], odd[j] = v[2 * j + 1];
  dft16<sign>(even);
  dft16<sign>(odd);
#pragma unroll
  for (unsigned k = 0; k < 16; ++k) {
    const float2 turned_odd = times_w32<sign>(odd[k], k);
    v[k] = even[k] + turned_odd;
    v[k + 16] = even[k] - turned_odd;
  }
}

// The bits of `j` put where `mask` has bits, lowest first.
DEVICE constexpr unsigned scatter_bits(unsigned j, unsigned mask) {
  unsigned result = 0;
  for (unsigned bit = 1; bit <= mask; bit *= 2) {
    if ((mask & bit) == 0) continue;
    if (j & 1u) result |= bit;
    j >>= 1;
  }
  return result;
}

// dft(v) for every group v of registers that differ in the bits of `mask` only.
template <unsigned radix, unsigned mask, class Points, class Dft>
DEVICE void for_each_group(Points& x, Dft dft) {
#pragma unroll
  for (unsigned first = 0; first < PointCount<Points>::value; ++first) {
    if (first & mask) continue;
    float2 v[radix];
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) v[j] = point(x, first | scatter_bits(j, mask));
    dft(v);
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) point(x, first | scatter_bits(j, mask)) = v[j];
  }
}

// DFTs over the register bits in `mask`.
template <int sign, unsigned mask, class Points>
DEVICE void butterflies2(Points& x) {
  for_each_group<2, mask>(x, [](float2(&v)[2]) { dft2<sign>(v[0], v[1]); });
}
template <int sign, unsigned mask, class Points>
DEVICE void butterflies4(Points& x) {
  for_each_group<4, mask>(x, [](float2(&v)[4]) { dft4<sign>(v[0], v[1], v[2], v[3]); });
}
template <int sign, unsigned mask, class Points>
DEVICE void butterflies8(Points& x) {
  for_each_group<8, mask>(x, [](float2(&v)[8]) { dft8<sign>(v); });
}
template <int sign, unsigned mask, class Points>
DEVICE void butterflies16(Points& x) {
  for_each_group<16, mask>(x, [](float2(&v)[16]) { dft16<sign>(v); });
}
template <int sign, unsigned mask, class Points>
DEVICE void butterflies32(Points& x) {
  for_each_group<32, mask>(x, [](float2(&v)[32]) { dft32<sign>(v); });
}
