// Columns of a tile, where so many are left.
DEVICE unsigned at_most(unsigned long long left, unsigned columns) {
  return left < columns ? static_cast<unsigned>(left) : columns;
}

// How an access meets global memory: always; only when a condition holds, else the point reads as
// zero and is not stored; streamed: what is touched once is the first to leave the caches.
struct Always {};
struct When {
  bool there;
};
struct Streamed {};
struct StreamedWhen {
  bool there;
};
template <class T>
DEVICE T load_word(const T* p, Always) {
  return load_global(p);
}
template <class T>
DEVICE T load_word(const T* p, When when) {
  return load_global_if(p, when.there);
}
template <class T>
DEVICE T load_word(const T* p, Streamed) {
  return load_streamed(p);
}
template <class T>
DEVICE T load_word(const T* p, StreamedWhen when) {
  T word = {};
  if (when.there) word = load_streamed(p);
  return word;
}
template <class T>
DEVICE void store_word(T* p, T word, Always) {
  store_global(p, word);
}
template <class T>
DEVICE void store_word(T* p, T word, When when) {
  store_global_if(p, word, when.there);
}
template <class T>
DEVICE void store_word(T* p, T word, Streamed) {
  store_streamed(p, word);
}
template <class T>
DEVICE void store_word(T* p, T word, StreamedWhen when) {
  if (when.there) store_streamed(p, word);
}
