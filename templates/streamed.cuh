// Points of a pass that shares its launch with another one: what comes from the input, or goes to the
// output, leaves the cache to what lies between the passes.
struct StreamedInput {
  __device__ bool has(unsigned) const { return true; }
};
struct StreamedOutput {
  __device__ bool has(unsigned) const { return true; }
};
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, StreamedInput, unsigned) {
  return load_streamed(p + offset);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, StreamedInput, unsigned) {
  store_global(p + offset, value);
}
template <unsigned offset, class T>
DEVICE T load_existing(const T* p, StreamedOutput, unsigned) {
  return load_global(p + offset);
}
template <unsigned offset, class T>
DEVICE void store_existing(T* p, T value, StreamedOutput, unsigned) {
  store_streamed(p + offset, value);
}
