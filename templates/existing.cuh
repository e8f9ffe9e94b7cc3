// Global memory that may end within the tile of a block: points that the batch does not have read as
// zero and are not stored.
struct AllPoints {
  __device__ bool has(unsigned) const { return true; }
};
struct FirstPoints {
  unsigned limit;
  __device__ bool has(unsigned p) const { return p < limit; }
};
// p[offset], the point `index` of the tile.
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, AllPoints, unsigned) {
  return load_global(p + offset);
}
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, FirstPoints existing, unsigned index) {
  return load_global_if<offset>(p, existing.has(index));
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, AllPoints, unsigned) {
  store_global(p + offset, value);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, FirstPoints existing, unsigned index) {
  store_global_if<offset>(p, value, existing.has(index));
}
