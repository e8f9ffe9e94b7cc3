// Real numbers x(0), ..., x(n - 1) of cosine and sine transforms as points of a DFT, and its
// frequencies as such numbers: see trigonometric.hpp, which names its source. p is where number 0
// lies; numbers are `stride` apart, and memory has the first `stored` of them: others read as zero
// and are not stored. Points are numbered by `index`, of the thread, and `offset`, a constant, so
// that what a thread adds to p is the same for all its points; `behind`: those that come backwards.
// Of a transform with an orthogonal matrix numbers at the ends have factors.

DEVICE When also(Always, bool there) { return {there}; }
DEVICE When also(When when, bool there) { return {when.there && there}; }
DEVICE StreamedWhen also(Streamed, bool there) { return {there}; }
DEVICE StreamedWhen also(StreamedWhen when, bool there) { return {when.there && there}; }

// Number first + step index.
template <int step, long long stride, class Number>
DEVICE Number* number_at(Number* p, unsigned index, long long first) {
  return p + step * stride * index + first * stride;
}
// Number i, at p.
template <unsigned n, unsigned stored, class Number, class Access>
DEVICE float load_number(const Number* p, unsigned i, Access access) {
  return stored < n ? load_real(p, also(access, i < stored)).x : load_real(p, access).x;
}
template <unsigned n, unsigned stored, class Number, class Access>
DEVICE void store_number(Number* p, unsigned i, float value, Access access) {
  if (stored < n) {
    store_real(p, make_float2(value, 0.0f), also(access, i < stored));
  } else {
    store_real(p, make_float2(value, 0.0f), access);
  }
}
// exp(-2 pi i k / length), k < length.
template <unsigned long long length>
DEVICE float2 root_of(unsigned k) {
  return root_of_product<-1, ~0ull / length>(k, 1);
}
constexpr float root_2 = 0x1.6a09e6p+0f;
constexpr float root_half = 0x1.6a09e6p-1f;

// --- type 1: the numbers and their mirror image --------------------------------------------------
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_extended(const Number* p, unsigned index, unsigned offset, bool behind,
                            Access access = {}) {
  const unsigned t = index + offset;
  if (sine) {
    const bool none = t == 0 || t == n + 1;
    const Number* at = behind ? number_at<-1, stride>(p, index, 2ll * n + 1 - offset)
                              : number_at<1, stride>(p, index, offset - 1ll);
    const float x =
        load_number<n, stored>(none ? p : at, behind ? 2 * n + 1 - t : t - 1, also(access, !none));
    return make_float2(behind ? -x : x, 0.0f);
  }
  const unsigned i = behind ? 2 * n - 2 - t : t;
  const Number* at = behind ? number_at<-1, stride>(p, index, 2ll * n - 2 - offset)
                            : number_at<1, stride>(p, index, offset);
  const float x = load_number<n, stored>(at, i, access);
  return make_float2(orthogonal && (i == 0 || i == n - 1) ? x * root_2 : x, 0.0f);
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE void store_extended(Number* p, float2 a, unsigned index, unsigned offset,
                           Access access = {}) {
  const unsigned k = index + offset;
  if (sine) {
    store_real(number_at<1, stride>(p, index, offset - 1ll), make_float2(-a.y, 0.0f),
               also(access, k - 1 < stored));
  } else {
    const float y = orthogonal && (k == 0 || k == n - 1) ? a.x * root_half : a.x;
    store_number<n, stored>(number_at<1, stride>(p, index, offset), k, y, access);
  }
}

// --- types 2 and 3: even numbers, then odd ones backwards; the other side turned -----------------
template <unsigned n>
DEVICE unsigned interleaved(unsigned t, bool behind) {
  return behind ? 2 * n - 1 - 2 * t : 2 * t;
}
template <unsigned n, long long stride, class Number>
DEVICE Number* interleaved_at(Number* p, unsigned index, unsigned offset, bool behind) {
  return behind ? number_at<-2, stride>(p, index, 2ll * n - 1 - 2ll * offset)
                : number_at<2, stride>(p, index, 2ll * offset);
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_interleaved(const Number* p, unsigned index, unsigned offset, bool behind,
                               Access access = {}) {
  const float x = load_number<n, stored>(interleaved_at<n, stride>(p, index, offset, behind),
                                         interleaved<n>(index + offset, behind), access);
  return make_float2(sine && behind ? -x : x, 0.0f);
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE void store_interleaved(Number* p, float2 a, unsigned index, unsigned offset, bool behind,
                              Access access = {}) {
  store_number<n, stored>(interleaved_at<n, stride>(p, index, offset, behind),
                          interleaved<n>(index + offset, behind), sine && behind ? -a.x : a.x,
                          access);
}
// Number k, of sines that in the reverse order.
template <unsigned n, long long stride, bool sine, class Number>
DEVICE Number* turned_at(Number* p, unsigned index, unsigned offset) {
  return sine ? number_at<-1, stride>(p, index, n - 1ll - offset)
              : number_at<1, stride>(p, index, offset);
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_turned(const Number* p, unsigned index, unsigned offset, Access access = {}) {
  const unsigned k = index + offset;
  const bool first = offset == 0 && index == 0;  // x(n) is zero
  const Number* at = turned_at<n, stride, sine>(p, index, offset);
  const Number* other = sine ? number_at<1, stride>(p, index, offset - 1ll)
                             : number_at<-1, stride>(p, index, static_cast<long long>(n) - offset);
  const float own = load_number<n, stored>(at, sine ? n - 1 - k : k, access);
  const float mirror =
      load_number<n, stored>(first ? at : other, sine ? k - 1 : n - k, also(access, !first));
  return complex_product(make_float2(orthogonal && first ? own * root_2 : own, mirror),
                         root_of<4ull * n>(k));
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE void store_turned(Number* p, float2 a, unsigned index, unsigned offset, Access access = {}) {
  const unsigned k = index + offset;
  const float x = complex_product(a, root_of<4ull * n>(k)).x;
  const bool first = offset == 0 && index == 0;
  store_number<n, stored>(turned_at<n, stride, sine>(p, index, offset), sine ? n - 1 - k : k,
                          orthogonal && first ? x * root_2 : x + x, access);
}

// --- type 4 of even n: two numbers a point -------------------------------------------------------
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_paired(const Number* p, unsigned index, unsigned offset, Access access = {}) {
  const unsigned j = index + offset;
  const float even =
      load_number<n, stored>(number_at<2, stride>(p, index, 2ll * offset), 2 * j, access);
  const float odd = load_number<n, stored>(number_at<-2, stride>(p, index, n - 1ll - 2ll * offset),
                                           n - 1 - 2 * j, access);
  return complex_product(sine ? make_float2(odd, even) : make_float2(even, odd),
                         root_of<8ull * n>(4 * j + 1));
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE void store_paired(Number* p, float2 a, unsigned index, unsigned offset, Access access = {}) {
  const unsigned k = index + offset;
  const float2 c = complex_product(a, root_of<2ull * n>(k));
  store_number<n, stored>(number_at<2, stride>(p, index, 2ll * offset), 2 * k, c.x + c.x, access);
  store_number<n, stored>(number_at<-2, stride>(p, index, n - 1ll - 2ll * offset), n - 1 - 2 * k,
                          sine ? c.y + c.y : -(c.y + c.y), access);
}

// --- type 4 of odd n -----------------------------------------------------------------------------
// Number i of an odd a below 8 n: cos(2 pi a b / (8 n)), b odd, is that of 2 i + 1, or its negative.
struct Quarter {
  unsigned i;
  bool negative;
};
template <unsigned n>
DEVICE Quarter quarter_of(unsigned long long a) {
  const bool second = a > 4ull * n;
  const unsigned long long half = second ? a - 4ull * n : a;
  const bool folded = half > 2ull * n;
  return {static_cast<unsigned>((folded ? 4ull * n - half : half) / 2), second != folded};
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE float2 load_scattered(const Number* p, unsigned index, unsigned offset, Access access = {}) {
  const unsigned long long a = 8ull * (index + offset) + n % 8 * 1ull * n;
  const Quarter at = quarter_of<n>(a < 8ull * n ? a : a - 8ull * n);
  const unsigned i = sine ? n - 1 - at.i : at.i;
  const float x = load_number<n, stored>(p + i * stride, i, access);
  return make_float2(at.negative ? -x : x, 0.0f);
}
template <unsigned n, unsigned stored, long long stride, bool sine, bool orthogonal, class Number,
          class Access = Always>
DEVICE void store_scattered(Number* p, float2 a, unsigned index, unsigned offset,
                            Access access = {}) {
  const unsigned k = index + offset;
  const Quarter at = quarter_of<n>(k + (n * (1 - k) % 8) * 1ull * n);
  // Twice the real part of exp(-pi i n / 4) a.
  const float x = n % 8 == 1 || n % 8 == 7 ? a.x : -a.x, y = n % 8 < 4 ? a.y : -a.y;
  const float value = root_2 * (x + y);
  store_number<n, stored>(p + at.i * stride, at.i,
                          at.negative != (sine && at.i % 2 == 1) ? -value : value, access);
}
