// Tiles of complex words: a point in one 32-bit word, two 16-bit parts, the real one in the low half.
// As operands of products they are FP16 under the scale of the transform; loaded, they are what
// storage holds.
struct Words {
  unsigned at[8];
};
template <unsigned count>
DEVICE unsigned& word(Words (&w)[count], unsigned r) {
  return w[r / 8].at[r % 8];
}

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
template <unsigned tiles>
DEVICE void unpack_words(Tile (&x)[tiles], Words (&w)[tiles]) {
#pragma unroll
  for (unsigned r = 0; r < 8 * tiles; ++r) {
    point(x, r) = make_float2(low_half(word(w, r)), high_half(word(w, r)));
  }
}

// --- the largest magnitude, and the scale -------------------------------------------------------
DEVICE unsigned bits_of_halves(unsigned largest) {
  return bits_of(max_magnitude(low_half(largest), high_half(largest)));
}
DEVICE unsigned bits_of_bfloats(unsigned largest) {
  return bits_of(max_magnitude(low_bfloat(largest), high_bfloat(largest)));
}
template <unsigned tiles>
DEVICE unsigned max_of_halves(Words (&w)[tiles]) {
  unsigned largest = 0;
#pragma unroll
  for (unsigned r = 0; r < 8 * tiles; ++r) largest = max_halves(largest, word(w, r));
  return bits_of_halves(largest);
}
template <unsigned tiles>
DEVICE unsigned max_of_bfloats(Words (&w)[tiles]) {
  unsigned largest = 0;
#pragma unroll
  for (unsigned r = 0; r < 8 * tiles; ++r) largest = max_bfloats(largest, word(w, r));
  return bits_of_bfloats(largest);
}
// Exact but for what lies 2^-38 and more below the largest: the scale is at most 2^15.
template <unsigned tiles>
DEVICE void scale_halves(Words (&w)[tiles], float scale) {
  const unsigned factor = pack_halves(scale, scale);
#pragma unroll
  for (unsigned r = 0; r < 8 * tiles; ++r) word(w, r) = multiply_halves(word(w, r), factor);
}
template <unsigned tiles>
DEVICE void scale_bfloats(Words (&w)[tiles], float scale) {
#pragma unroll
  for (unsigned r = 0; r < 8 * tiles; ++r) {
    word(w, r) = pack_halves(low_bfloat(word(w, r)) * scale, high_bfloat(word(w, r)) * scale);
  }
}

// --- memory: one word, or two or four neighbours at a time --------------------------------------
// `vector` has the register bits within an access; offsets are those of the other registers.
DEVICE constexpr unsigned lowest_bit(unsigned mask) { return mask & (~mask + 1); }
DEVICE constexpr unsigned register_outside(unsigned vector, unsigned j) {
  for (unsigned bit = 1; bit <= vector; bit *= 2) {
    if (vector & bit) j = (j & ~(bit - 1)) * 2 | (j & (bit - 1));
  }
  return j;
}
template <unsigned vector, unsigned tiles>
DEVICE void put_words(Words (&w)[tiles], unsigned r, unsigned a) {
  word(w, r) = a;
}
template <unsigned vector, unsigned tiles>
DEVICE void put_words(Words (&w)[tiles], unsigned r, uint2 a) {
  word(w, r) = a.x, word(w, r | vector) = a.y;
}
template <unsigned vector, unsigned tiles>
DEVICE void put_words(Words (&w)[tiles], unsigned r, uint4 a) {
  constexpr unsigned one = lowest_bit(vector), two = vector & ~one;
  word(w, r) = a.x, word(w, r | one) = a.y, word(w, r | two) = a.z, word(w, r | vector) = a.w;
}
template <unsigned vector, unsigned tiles>
DEVICE void get_words(Words (&w)[tiles], unsigned r, unsigned& a) {
  a = word(w, r);
}
template <unsigned vector, unsigned tiles>
DEVICE void get_words(Words (&w)[tiles], unsigned r, uint2& a) {
  a = make_uint2(word(w, r), word(w, r | vector));
}
template <unsigned vector, unsigned tiles>
DEVICE void get_words(Words (&w)[tiles], unsigned r, uint4& a) {
  constexpr unsigned one = lowest_bit(vector), two = vector & ~one;
  a = make_uint4(word(w, r), word(w, r | one), word(w, r | two), word(w, r | vector));
}
template <unsigned count>
struct WordVector;
template <>
struct WordVector<1> {
  using type = unsigned;
};
template <>
struct WordVector<2> {
  using type = uint2;
};
template <>
struct WordVector<4> {
  using type = uint4;
};

// Word p ^ offset of the tile lies at 4 bytes * swizzle(p ^ offset), which reaches the last five
// bits only.
template <unsigned bits_of_p>
DEVICE unsigned* shared_word(unsigned p, unsigned offset) {
  constexpr unsigned mixed = bits_of_p | 31;
  const unsigned place = swizzle(offset);
  return reinterpret_cast<unsigned*>(dynamic_shared() + 4 * (swizzle(p) ^ (place & mixed))) +
         (place & ~mixed);
}
template <unsigned vector, unsigned width, unsigned bits_of_p, unsigned... offset, unsigned tiles>
DEVICE void read_words(Words (&w)[tiles], unsigned p) {
  using Vector = typename WordVector<width>::type;
  unsigned j = 0;
  (put_words<vector>(
       w, register_outside(vector, j++),
       load_shared(reinterpret_cast<const Vector*>(shared_word<bits_of_p>(p, offset)))),
   ...);
}
template <unsigned vector, class Vector, unsigned tiles>
DEVICE void write_vector(Words (&w)[tiles], unsigned r, unsigned* place) {
  Vector a;
  get_words<vector>(w, r, a);
  store_shared(reinterpret_cast<Vector*>(place), a);
}
template <unsigned vector, unsigned width, unsigned bits_of_p, unsigned... offset, unsigned tiles>
DEVICE void write_words(Words (&w)[tiles], unsigned p) {
  using Vector = typename WordVector<width>::type;
  unsigned j = 0;
  (write_vector<vector, Vector>(w, register_outside(vector, j++),
                                shared_word<bits_of_p>(p, offset)),
   ...);
}

// Point p ^ offset of an array: the sum is a constant in the address of the instruction.
template <unsigned vector, unsigned width, unsigned bits_of_p, unsigned... offset, unsigned tiles,
          class Point, class Existing>
DEVICE void load_words(Words (&w)[tiles], const Point* in, unsigned p, Existing existing) {
  using Vector = typename WordVector<width>::type;
  unsigned j = 0;
  (put_words<vector>(
       w, register_outside(vector, j++),
       load_existing<(offset & ~bits_of_p) / width>(
           reinterpret_cast<const Vector*>(in + (p ^ (offset & bits_of_p))), existing, p ^ offset)),
   ...);
}
// Four words at a time, without waiting.
template <unsigned bits_of_p, unsigned... offset, class Point, class Existing>
DEVICE void copy_words(const Point* in, unsigned p, Existing existing) {
  (copy_async(
       reinterpret_cast<float4*>(shared_word<bits_of_p>(p, offset)),
       reinterpret_cast<const float4*>(
           in +
           (existing.has(p ^ offset) ? (p ^ (offset & bits_of_p)) + (offset & ~bits_of_p) : 0)),
       existing.has(p ^ offset)),
   ...);
}
// Of the words this thread has copied.
template <unsigned bits_of_p, unsigned... offset>
DEVICE unsigned max_of_copied_halves(unsigned p) {
  unsigned largest = 0;
  const auto take = [&](uint4 a) {
    largest = max_halves(max_halves(largest, a.x), a.y);
    largest = max_halves(max_halves(largest, a.z), a.w);
  };
  (take(load_shared(reinterpret_cast<const uint4*>(shared_word<bits_of_p>(p, offset)))), ...);
  return bits_of_halves(largest);
}
template <unsigned bits_of_p, unsigned... offset>
DEVICE unsigned max_of_copied_bfloats(unsigned p) {
  unsigned largest = 0;
  const auto take = [&](uint4 a) {
    largest = max_bfloats(max_bfloats(largest, a.x), a.y);
    largest = max_bfloats(max_bfloats(largest, a.z), a.w);
  };
  (take(load_shared(reinterpret_cast<const uint4*>(shared_word<bits_of_p>(p, offset)))), ...);
  return bits_of_bfloats(largest);
}
