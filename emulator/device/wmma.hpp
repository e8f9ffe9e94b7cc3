// FP16 and the part of nvcuda::wmma that the portable kernels use. A fragment is spread over the
// lanes as mma.m16n8k16 wants it, so a 16x16x16 product is two of those, one for each half of the
// columns; its layout is as opaque to the kernel as on a GPU.
struct half {
  unsigned short bits;

  half() = default;
  half(float value) : bits(sonoma::half_from_float(value)) {}
  operator float() const { return sonoma::float_from_half(bits); }
};
typedef half __half;
DEVICE half __float2half(float value) { return half(value); }
DEVICE half __float2half_rn(float value) { return half(value); }
DEVICE float __half2float(half value) { return value; }

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static_assert(M == 16 && N == 16 && K == 16, "the emulated device knows 16x16x16 only");
  static constexpr int num_elements = 8;
  T x[num_elements];
};

// Row and column of element e of this lane (PTX ISA, "Matrix Fragments for mma.m16n8k16").
struct Element {
  unsigned row, column;
};
DEVICE Element element_of(matrix_a*, unsigned e) {
  const unsigned lane = thread_index() % 32, r = e / 2;
  return {lane / 4 + 8 * (r % 2), 2 * (lane % 4) + e % 2 + 8 * (r / 2)};
}
DEVICE Element element_of(matrix_b*, unsigned e) {
  const unsigned lane = thread_index() % 32, r = e / 2;
  return {2 * (lane % 4) + e % 2 + 8 * (r % 2), lane / 4 + 8 * (r / 2)};
}
DEVICE Element element_of(accumulator*, unsigned e) {
  const unsigned lane = thread_index() % 32;
  return {lane / 4 + 8 * (e / 2 % 2), 2 * (lane % 4) + e % 2 + 8 * (e / 4)};
}
DEVICE layout_t order_of(row_major*) { return mem_row_major; }
DEVICE layout_t order_of(col_major*) { return mem_col_major; }

template <class Use, class T>
DEVICE T* element_address(T* corner, unsigned stride, layout_t order, unsigned e) {
  const Element at = element_of(static_cast<Use*>(nullptr), e);
  return order == mem_row_major ? corner + at.row * stride + at.column
                                : corner + at.column * stride + at.row;
}

template <class Use, class T, class Layout>
DEVICE void load_elements(fragment<Use, 16, 16, 16, T, Layout>& f, const T* corner, unsigned stride,
                          layout_t order) {
  emulator_hooks->begin_matrix_access(corner, stride * static_cast<unsigned>(sizeof(T)));
  for (unsigned e = 0; e < 8; ++e) {
    const T* p = element_address<Use>(corner, stride, order, e);
    emulator_hooks->access_matrix_element(p, sizeof(T), sonoma_emulator::MemoryAccess::load);
    f.x[e] = *p;
  }
}
template <class Use, class T, class Layout>
DEVICE void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout>& f, const T* corner,
                             unsigned stride) {
  load_elements(f, corner, stride, order_of(static_cast<Layout*>(nullptr)));
}
template <class T>
DEVICE void load_matrix_sync(fragment<accumulator, 16, 16, 16, T>& f, const T* corner,
                             unsigned stride, layout_t order) {
  load_elements(f, corner, stride, order);
}
template <class T>
DEVICE void store_matrix_sync(T* corner, const fragment<accumulator, 16, 16, 16, T>& f,
                              unsigned stride, layout_t order) {
  emulator_hooks->begin_matrix_access(corner, stride * static_cast<unsigned>(sizeof(T)));
  for (unsigned e = 0; e < 8; ++e) {
    T* p = element_address<accumulator>(corner, stride, order, e);
    emulator_hooks->access_matrix_element(p, sizeof(T), sonoma_emulator::MemoryAccess::store);
    *p = f.x[e];
  }
}

template <class Use, class T, class Layout, class Value>
DEVICE void fill_fragment(fragment<Use, 16, 16, 16, T, Layout>& f, Value value) {
  for (T& element : f.x) element = static_cast<T>(value);
}

template <class LayoutA, class LayoutB>
DEVICE void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
                     const fragment<matrix_a, 16, 16, 16, half, LayoutA>& a,
                     const fragment<matrix_b, 16, 16, 16, half, LayoutB>& b,
                     const fragment<accumulator, 16, 16, 16, float>& c) {
  unsigned packed_a[4], packed_b[4];
  __builtin_memcpy(packed_a, a.x, sizeof packed_a);
  __builtin_memcpy(packed_b, b.x, sizeof packed_b);
  fragment<accumulator, 16, 16, 16, float> sum = c;
  emulator_hooks->mma_m16n8k16(sum.x, packed_a, packed_b);
  emulator_hooks->mma_m16n8k16(sum.x + 4, packed_a, packed_b + 2);
  d = sum;
}

}  // namespace wmma
}  // namespace nvcuda
