// Where a tile meets memory that has only the first `length` points of each transform, or points that
// code of the caller's changes on the way.
//
// Point p of the tile is point p % n of column p / n. In memory points lie `stride` and columns
// `apart` points apart. Point 0 is the point `first` of its transform (see Place), the next ones
// follow `step` points apart. Columns are transforms of their own (next = 0), or, in a pass of a
// longer transform, begin `next` points apart in it.
template <unsigned n_, unsigned length_, unsigned stride_, unsigned apart_, unsigned step_,
          unsigned next_>
struct End {
  static constexpr unsigned n = n_, length = length_, stride = stride_, apart = apart_;
  static constexpr unsigned step = step_, next = next_;
};

// The end of one tile: how many of its columns the batch has, and the number in the batch of the
// first of its transforms.
struct Place {
  unsigned first, columns;
  unsigned long long transform;
};

template <class End>
DEVICE constexpr unsigned in_memory_of(unsigned p) {
  return p / End::n * End::apart + p % End::n * End::stride;
}
template <class End>
DEVICE constexpr unsigned in_transform(unsigned p) {
  return p / End::n * End::next + p % End::n * End::step;
}
template <class End>
DEVICE constexpr unsigned column_of(unsigned p) {
  return p / End::n;
}

// Of point p + offset, p and offset having no digit in common.
template <class End, unsigned offset>
DEVICE unsigned index_at(unsigned p, Place place) {
  return place.first + in_transform<End>(p) + in_transform<End>(offset);
}
template <class End, unsigned offset>
DEVICE bool is_there(unsigned p, Place place) {
  return index_at<End, offset>(p, place) < End::length &&
         column_of<End>(p) + column_of<End>(offset) < place.columns;
}
template <class End, unsigned offset>
DEVICE FirstPoints there(unsigned p, Place place) {
  return {is_there<End, offset>(p, place) ? 1u : 0u};
}

template <class End, unsigned... offset, class Points, class Point>
DEVICE void load_end(Points& x, const Point* in, unsigned p, Place place) {
  unsigned r = 0;
  const Point* from = in + in_memory_of<End>(p);
  ((point(x, r++) = load_point<in_memory_of<End>(offset)>(from, there<End, offset>(p, place), 0)),
   ...);
}
template <class End, unsigned... offset, class Points, class Point>
DEVICE void store_end(Points& x, Point* out, unsigned p, Place place) {
  unsigned r = 0;
  Point* to = out + in_memory_of<End>(p);
  (store_point<in_memory_of<End>(offset)>(to, point(x, r++), there<End, offset>(p, place), 0), ...);
}

// The caller's code, on what memory has.
template <class End, unsigned offset, class Code>
DEVICE float2 changed(float2 value, unsigned p, Place place, const void* user, Code code) {
  if (!is_there<End, offset>(p, place)) return value;
  const unsigned column = End::next == 0 ? column_of<End>(p) + column_of<End>(offset) : 0;
  return code(value, index_at<End, offset>(p, place), place.transform + column, user);
}
template <class End, unsigned... offset, class Points, class Code>
DEVICE void apply_code(Points& x, unsigned p, Place place, const void* user, Code code) {
  unsigned r = 0;
  ((point(x, r) = changed<End, offset>(point(x, r), p, place, user, code), ++r), ...);
}
