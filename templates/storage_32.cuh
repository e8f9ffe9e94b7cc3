// Points in global memory, by type of the pointer: one, or two neighbours, p[offset] and what follows
// it. In registers they are FP32.

// FP32
template <unsigned offset, class Existing>
DEVICE float2 load_point(const float2* p, Existing existing, unsigned index) {
  const uint2 a = load_existing<offset>(reinterpret_cast<const uint2*>(p), existing, index);
  return make_float2(float_of(a.x), float_of(a.y));
}
template <unsigned offset, class Existing>
DEVICE float4 load_pair(const float2* p, Existing existing, unsigned index) {
  const uint4 a = load_existing<offset / 2>(reinterpret_cast<const uint4*>(p), existing, index);
  return make_float4(float_of(a.x), float_of(a.y), float_of(a.z), float_of(a.w));
}
template <unsigned offset, class Existing>
DEVICE void store_point(float2* p, float2 a, Existing existing, unsigned index) {
  store_existing<offset>(reinterpret_cast<uint2*>(p), make_uint2(bits_of(a.x), bits_of(a.y)),
                         existing, index);
}
template <unsigned offset, class Existing>
DEVICE void store_pair(float2* p, float4 a, Existing existing, unsigned index) {
  store_existing<offset / 2>(reinterpret_cast<uint4*>(p),
                             make_uint4(bits_of(a.x), bits_of(a.y), bits_of(a.z), bits_of(a.w)),
                             existing, index);
}
