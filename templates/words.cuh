// Tiles of complex words: a point in one 32-bit word, two 16-bit parts, the real one in the low
// half. As operands of products they are FP16 under the scale of the transform; loaded, they are
// what storage holds.
struct Words {
  unsigned at[8];
};

DEVICE Words pack_words(const Tile& x) {
  Words words;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) words.at[r] = pack_halves(x.at[r].x, x.at[r].y);
  return words;
}
DEVICE Words pack_words(const Tile& x, float scale) {
  Words words;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    words.at[r] = pack_halves(x.at[r].x * scale, x.at[r].y * scale);
  }
  return words;
}
DEVICE Tile unpack_words(const Words& words) {
  Tile x;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    x.at[r] = make_float2(low_half(words.at[r]), high_half(words.at[r]));
  }
  return x;
}

// --- the largest magnitude, and the scale -------------------------------------------------------
DEVICE unsigned bits_of_halves(unsigned largest) {
  return bits_of(max_magnitude(low_half(largest), high_half(largest)));
}
DEVICE unsigned bits_of_bfloats(unsigned largest) {
  return bits_of(max_magnitude(low_bfloat(largest), high_bfloat(largest)));
}
// Of a tile together with what was found before.
DEVICE unsigned with_halves(unsigned largest, const Words& words) {
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) largest = max_halves(largest, words.at[r]);
  return largest;
}
DEVICE unsigned with_bfloats(unsigned largest, const Words& words) {
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) largest = max_bfloats(largest, words.at[r]);
  return largest;
}
// Exact but for what lies 2^-38 and more below the largest: the scale is at most 2^15.
DEVICE void scale_halves(Words& words, float scale) {
  const unsigned factor = pack_halves(scale, scale);
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) words.at[r] = multiply_halves(words.at[r], factor);
}
DEVICE void scale_bfloats(Words& words, float scale) {
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    words.at[r] = pack_halves(low_bfloat(words.at[r]) * scale, high_bfloat(words.at[r]) * scale);
  }
}

// --- memory: one word, or two or four neighbours at a time --------------------------------------
template <class Point, class Access = Always>
DEVICE void load_words(const Point* p, unsigned& a, Access access = {}) {
  a = load_word(reinterpret_cast<const unsigned*>(p), access);
}
template <class Point, class Access = Always>
DEVICE void load_words(const Point* p, unsigned& a, unsigned& b, Access access = {}) {
  const uint2 words = load_word(reinterpret_cast<const uint2*>(p), access);
  a = words.x, b = words.y;
}
template <class Point, class Access = Always>
DEVICE void load_words(const Point* p, unsigned& a, unsigned& b, unsigned& c, unsigned& d,
                       Access access = {}) {
  const uint4 words = load_word(reinterpret_cast<const uint4*>(p), access);
  a = words.x, b = words.y, c = words.z, d = words.w;
}
// Four from global to shared memory, without waiting.
template <class Point>
DEVICE void copy_words(unsigned* place, const Point* from, bool there = true) {
  copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), there);
}

// A place of shared memory has 4 bytes.
DEVICE unsigned* shared_word(unsigned place) {
  return reinterpret_cast<unsigned*>(dynamic_shared() + 4 * place);
}
DEVICE void load_shared_words(const unsigned* place, unsigned& a) { a = load_shared(place); }
DEVICE void load_shared_words(const unsigned* place, unsigned& a, unsigned& b) {
  const uint2 words = load_shared(reinterpret_cast<const uint2*>(place));
  a = words.x, b = words.y;
}
DEVICE void load_shared_words(const unsigned* place, unsigned& a, unsigned& b, unsigned& c,
                              unsigned& d) {
  const uint4 words = load_shared(reinterpret_cast<const uint4*>(place));
  a = words.x, b = words.y, c = words.z, d = words.w;
}
DEVICE void store_shared_words(unsigned* place, unsigned a) { store_shared(place, a); }
DEVICE void store_shared_words(unsigned* place, unsigned a, unsigned b) {
  store_shared(reinterpret_cast<uint2*>(place), make_uint2(a, b));
}
DEVICE void store_shared_words(unsigned* place, unsigned a, unsigned b, unsigned c, unsigned d) {
  store_shared(reinterpret_cast<uint4*>(place), make_uint4(a, b, c, d));
}
// Of four words that this thread has copied.
DEVICE unsigned with_copied_halves(unsigned largest, const unsigned* place) {
  unsigned a, b, c, d;
  load_shared_words(place, a, b, c, d);
  return max_halves(max_halves(max_halves(max_halves(largest, a), b), c), d);
}
DEVICE unsigned with_copied_bfloats(unsigned largest, const unsigned* place) {
  unsigned a, b, c, d;
  load_shared_words(place, a, b, c, d);
  return max_bfloats(max_bfloats(max_bfloats(max_bfloats(largest, a), b), c), d);
}
