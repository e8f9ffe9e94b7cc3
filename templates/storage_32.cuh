// FP32 points in global memory: one, or two neighbours, 16 bytes at a time.
template <class Access = Always>
DEVICE float2 load_point(const float2* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return make_float2(float_of(a.x), float_of(a.y));
}
template <class Access = Always>
DEVICE void load_pair(const float2* p, float2& first, float2& second, Access access = {}) {
  const uint4 a = load_word(reinterpret_cast<const uint4*>(p), access);
  first = make_float2(float_of(a.x), float_of(a.y));
  second = make_float2(float_of(a.z), float_of(a.w));
}
template <class Access = Always>
DEVICE void store_point(float2* p, float2 a, Access access = {}) {
  store_word(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)), access);
}
template <class Access = Always>
DEVICE void store_pair(float2* p, float2 first, float2 second, Access access = {}) {
  store_word(reinterpret_cast<uint4*>(p),
             make_uint4(bits_of(first.x), bits_of(first.y), bits_of(second.x), bits_of(second.y)),
             access);
}
