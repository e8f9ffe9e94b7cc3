// Real numbers in global memory, and Hermitian points. In registers both are complex.

// Real numbers of 16 bits, as the parts of a Point. Those of 32 bits are float.
template <class Point>
struct Real {
  unsigned short part;
};
template <class Access>
DEVICE unsigned short load_short(const unsigned short* p, Access access) {
  return load_word(p, access);
}
DEVICE unsigned short load_short(const unsigned short* p, When when) {
  return load_short_if(p, when.there);
}
template <class Access>
DEVICE void store_short(unsigned short* p, unsigned short part, Access access) {
  store_word(p, part, access);
}
DEVICE void store_short(unsigned short* p, unsigned short part, When when) {
  store_short_if(p, part, when.there);
}
template <class Access = Always>
DEVICE float2 load_real(const float* p, Access access = {}) {
  return make_float2(float_of(load_word(reinterpret_cast<const unsigned*>(p), access)), 0.0f);
}
template <class Point, class Access = Always>
DEVICE float2 load_real(const Real<Point>* p, Access access = {}) {
  return widened(Point{load_short(reinterpret_cast<const unsigned short*>(p), access)});
}
// Imaginary parts are not stored.
template <class Access = Always>
DEVICE void store_real(float* p, float2 a, Access access = {}) {
  store_word(reinterpret_cast<unsigned*>(p), bits_of(a.x), access);
}
template <class Point, class Access = Always>
DEVICE void store_real(Real<Point>* p, float2 a, Access access = {}) {
  Point to;
  narrow(to, a);
  store_short(reinterpret_cast<unsigned short*>(p), static_cast<unsigned short>(to.parts), access);
}
DEVICE float2 real_part(float2 a) { return make_float2(a.x, 0.0f); }

// What the caller's code makes of real numbers 2i and 2i + 1, which are a point.
template <class Code>
DEVICE float2 of_pair(Code code, float2 a, unsigned i, unsigned long long transform,
                      const void* user) {
  return make_float2(code(make_float2(a.x, 0.0f), 2 * i, transform, user).x,
                     code(make_float2(a.y, 0.0f), 2 * i + 1, transform, user).x);
}

// Of n Hermitian points memory has the first n / 2 + 1, `stride` apart; point i behind them is the
// conjugate of point n - i. p is where point i would lie.
template <unsigned n, long long stride, class Point, class Access = Always>
DEVICE float2 load_hermitian(const Point* p, unsigned i, Access access = {}) {
  const bool behind = i > n / 2;
  const float2 a = load_point(behind ? p - (2ll * i - n) * stride : p, access);
  return make_float2(a.x, behind ? -a.y : a.y);
}
// The same stored: of points k and n - k one is there, but both of those with k = 0 or `rows` / 2
// modulo `rows`: `row`.
template <unsigned n, unsigned rows>
DEVICE bool is_stored(unsigned i, unsigned row) {
  return i <= n / 2 || (row != 0 && 2 * row != rows);
}
template <unsigned n, long long stride, class Point, class Access = Always>
DEVICE void store_hermitian(Point* p, float2 a, unsigned i, Access access = {}) {
  const bool behind = i > n / 2;
  store_point(behind ? p - (2ll * i - n) * stride : p, make_float2(a.x, behind ? -a.y : a.y),
              access);
}
// Points 0 and n / 2 are their own conjugates: whatever memory has as their imaginary parts, infinity
// and NaN too, is ignored.
template <unsigned n>
DEVICE float2 own_conjugates(float2 a, unsigned i) {
  return make_float2(a.x, i == 0 || 2 * i == n ? 0.0f : a.y);
}
// What the caller's code makes of such a point: of the one that memory has.
template <unsigned n, class Code>
DEVICE float2 of_either(Code code, float2 a, unsigned i, unsigned long long transform,
                        const void* user) {
  const bool behind = i > n / 2;
  const float2 changed = code(behind ? conjugate(a) : a, behind ? n - i : i, transform, user);
  return behind ? conjugate(changed) : changed;
}
template <unsigned n, class Code>
DEVICE float2 of_hermitian(Code code, float2 a, unsigned i, unsigned long long transform,
                           const void* user) {
  return own_conjugates<n>(of_either<n>(code, a, i, transform, user), i);
}
// The same where the code is told another number, which grows by `step` with i.
template <unsigned n, unsigned step, class Code>
DEVICE float2 of_either(Code code, float2 a, unsigned i, unsigned told,
                        unsigned long long transform, const void* user) {
  const bool behind = i > n / 2;
  const float2 changed =
      code(behind ? conjugate(a) : a, behind ? told + (n - 2 * i) * step : told, transform, user);
  return behind ? conjugate(changed) : changed;
}
template <unsigned n, unsigned step, class Code>
DEVICE float2 of_hermitian(Code code, float2 a, unsigned i, unsigned told,
                           unsigned long long transform, const void* user) {
  return own_conjugates<n>(of_either<n, step>(code, a, i, told, transform, user), i);
}
