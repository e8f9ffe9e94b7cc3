// Points of two 16-bit integers in global memory, the real part in the low half. Stores round to
// nearest even; what lies beyond the integers becomes the last one of its side, and NaN becomes 0.
struct IntegerPoint {
  unsigned parts;
};
DEVICE float2 widened(IntegerPoint a) {
  return make_float2(static_cast<float>(static_cast<short>(a.parts)),
                     static_cast<float>(static_cast<short>(a.parts >> 16)));
}
DEVICE void narrow(IntegerPoint& to, float2 a) {
  to.parts = (rounded_to_int16(a.x) & 0xffffu) | rounded_to_int16(a.y) << 16;
}
