// DFTs of 2 to 32 points in registers, of any prime factors; sign -1 forward,
// +1 inverse. Results in natural order. No sum goes over more than the points of the DFT, so that
// nothing overflows that the exact result does not.

// cos and sin of 2 pi j / n, j = 0 to n - 1: those that the plan needs follow above the kernel.
template <unsigned n>
struct Roots;

template <int sign, unsigned n>
DEVICE void dft(float2 (&v)[n]);

// Of an odd prime: with s = x_j + x_(p-j) and d = x_j - x_(p-j), X_k and X_(p-k) are
// sum of s cos(2 pi j k / p) +- sign i (sum of d sin(2 pi j k / p)).
template <int sign, unsigned p>
DEVICE void prime_dft(float2 (&v)[p]) {
  constexpr unsigned half = p / 2;
  float2 s[half + 1], d[half + 1];
  const float2 first = v[0];
#pragma unroll
  for (unsigned j = 1; j <= half; ++j) {
    s[j] = v[j] + v[p - j];
    d[j] = v[j] - v[p - j];
    v[0] = v[0] + s[j];
  }
#pragma unroll
  for (unsigned k = 1; k <= half; ++k) {
    float2 even = first, odd = {};
#pragma unroll
    for (unsigned j = 1; j <= half; ++j) {
      const float c = Roots<p>::cosine(j * k % p), w = Roots<p>::sine(j * k % p);
      even =
          make_float2(fused_multiply_add(s[j].x, c, even.x), fused_multiply_add(s[j].y, c, even.y));
      odd = j == 1 ? make_float2(d[j].x * w, d[j].y * w)
                   : make_float2(fused_multiply_add(d[j].x, w, odd.x),
                                 fused_multiply_add(d[j].y, w, odd.y));
    }
    v[k] = even + turned<sign>(odd);
    v[p - k] = even - turned<sign>(odd);
  }
}

// n = a b with no common factor (I. J. Good, 1958): the point t = b t1 + a t2 goes to the frequency
// that leaves k1 when divided by a and k2 when divided by b; no factors between the two.
DEVICE constexpr unsigned leaving_one(unsigned a, unsigned b) {  // by a, and 0 by b
  unsigned multiple = b;
  while (multiple % a != 1) multiple += b;
  return multiple;
}
template <int sign, unsigned a, unsigned b>
DEVICE void coprime_dft(float2 (&v)[a * b]) {
  constexpr unsigned n = a * b, one_of_a = leaving_one(a, b), one_of_b = leaving_one(b, a);
  float2 columns[b][a];
#pragma unroll
  for (unsigned t2 = 0; t2 < b; ++t2) {
#pragma unroll
    for (unsigned t1 = 0; t1 < a; ++t1) columns[t2][t1] = v[(b * t1 + a * t2) % n];
    dft<sign>(columns[t2]);
  }
#pragma unroll
  for (unsigned k1 = 0; k1 < a; ++k1) {
    float2 row[b];
#pragma unroll
    for (unsigned t2 = 0; t2 < b; ++t2) row[t2] = columns[t2][k1];
    dft<sign>(row);
#pragma unroll
    for (unsigned k2 = 0; k2 < b; ++k2) v[(one_of_a * k1 + one_of_b * k2) % n] = row[k2];
  }
}

// n = a b, powers of one prime: the same with factors w_n^(k1 t2), t = b t1 + t2, k = k1 + a k2.
template <int sign, unsigned a, unsigned b>
DEVICE void power_dft(float2 (&v)[a * b]) {
  float2 columns[b][a];
#pragma unroll
  for (unsigned t2 = 0; t2 < b; ++t2) {
#pragma unroll
    for (unsigned t1 = 0; t1 < a; ++t1) columns[t2][t1] = v[b * t1 + t2];
    dft<sign>(columns[t2]);
  }
#pragma unroll
  for (unsigned k1 = 0; k1 < a; ++k1) {
    float2 row[b];
#pragma unroll
    for (unsigned t2 = 0; t2 < b; ++t2) {
      const unsigned power = k1 * t2;
      const float2 w = make_float2(Roots<a * b>::cosine(power), sign * Roots<a * b>::sine(power));
      row[t2] = power == 0 ? columns[t2][k1] : complex_product(columns[t2][k1], w);
    }
    dft<sign>(row);
#pragma unroll
    for (unsigned k2 = 0; k2 < b; ++k2) v[k1 + a * k2] = row[k2];
  }
}

// The largest power of the smallest prime that divides n.
DEVICE constexpr unsigned first_power(unsigned n) {
  unsigned prime = 2, power = 1;
  while (n % prime != 0) ++prime;
  for (; n % prime == 0; n /= prime) power *= prime;
  return power;
}
// The smallest prime that divides n; of 32 the 4.
DEVICE constexpr unsigned first_step(unsigned n) {
  unsigned prime = 2;
  while (n % prime != 0) ++prime;
  return n == 32 ? 4 : prime;
}

template <int sign, unsigned n>
DEVICE void dft(float2 (&v)[n]) {
  if constexpr (n == 2) {
    dft2<sign>(v[0], v[1]);
  } else if constexpr (n == 4) {
    dft4<sign>(v[0], v[1], v[2], v[3]);
  } else if constexpr (n == 8) {
    dft8<sign>(v);
  } else if constexpr (n == 16) {
    dft16<sign>(v);
  } else if constexpr (first_power(n) != n) {
    coprime_dft<sign, first_power(n), n / first_power(n)>(v);
  } else if constexpr (first_step(n) != n) {
    power_dft<sign, first_step(n), n / first_step(n)>(v);
  } else {
    prime_dft<sign>(v);
  }
}

// DFTs of `radix` of the first `registers` points each, those that lie `step` registers apart.
template <int sign, unsigned radix, unsigned step, unsigned registers, unsigned count>
DEVICE void butterflies(float2 (&x)[count]) {
#pragma unroll
  for (unsigned first = 0; first < registers; ++first) {
    if (first / step % radix != 0) continue;
    float2 v[radix];
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) v[j] = x[first + step * j];
    dft<sign>(v);
#pragma unroll
    for (unsigned j = 0; j < radix; ++j) x[first + step * j] = v[j];
  }
}

// The same of large primes, with no loop, which would be too long for the compiler to unroll.
template <int sign, unsigned radix, unsigned step, unsigned registers, unsigned first = 0,
          unsigned count>
DEVICE void long_butterflies(float2 (&x)[count]) {
  if constexpr (first < registers) {
    if constexpr (first / step % radix == 0) {
      float2 v[radix];
#pragma unroll
      for (unsigned j = 0; j < radix; ++j) v[j] = x[first + step * j];
      dft<sign>(v);
#pragma unroll
      for (unsigned j = 0; j < radix; ++j) x[first + step * j] = v[j];
    }
    long_butterflies<sign, radix, step, registers, first + 1>(x);
  }
}
