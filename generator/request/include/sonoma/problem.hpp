// What the caller wants: the first value of the flow (request -> ... -> executable).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/accuracy.hpp"
#include "sonoma/api.hpp"
#include "sonoma/convolution.hpp"
#include "sonoma/ends.hpp"

namespace SONOMA_API sonoma {

/// Sign of the exponent: X[k] = sum_t x[t] exp(sign * 2 pi i k t / n). Forward = -1, inverse = +1.
enum class Direction : int { forward = -1, inverse = +1 };

/// Which side of the transform is real. r2c: the input; forward. c2r: the output; inverse. The
/// other side is Hermitian, X[n - k] = conj(X[k]) (over several axes X[-k1, -k2] = conj(X[k1,
/// k2])), and memory has the frequencies 0 to n / 2 of the last axis only: n / 2 + 1 points,
/// rounded down. dct1 to dst4: cosine and sine transforms of real numbers, both sides real,
/// forward; see trigonometric.hpp.
enum class Domain { c2c, r2c, c2r, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

/// True where one side is real, and the other one Hermitian.
[[nodiscard]] constexpr bool has_hermitian(Domain domain) {
  return domain == Domain::r2c || domain == Domain::c2r;
}

/// What memory has of the points of a side: all of them; their real parts, the imaginary ones being
/// zero; those of a Hermitian side, from which the others follow; or the real numbers of a cosine
/// or sine transform, of which points of its DFT are made, or which are made of these.
enum class Values { complex, real, hermitian, trigonometric };

/// True where memory has real numbers.
[[nodiscard]] constexpr bool is_real(Values values) {
  return values == Values::real || values == Values::trigonometric;
}

/// Type of the components in device memory: IEEE binary32, IEEE binary16, bfloat16, or 16-bit
/// integers. Integers are taken as they are, `scale` brings them into a range; a result is rounded
/// to the nearest one, ties to even, what lies beyond them to the last one, and NaN to 0.
/// c12e8 is for what lies between passes and for nothing else: two components of 12 bits and an
/// exponent of 8 that they share, see storage_shared_exponent.cuh.
enum class Storage { f32, f16, bf16, i16, c12e8 };

/// True for the floating-point formats of 16 bits.
[[nodiscard]] constexpr bool is_half(Storage storage) {
  return storage == Storage::f16 || storage == Storage::bf16;
}

/// Bytes of one complex point.
[[nodiscard]] constexpr unsigned point_bytes(Storage storage) {
  return storage == Storage::f32 ? 8 : 4;
}
/// The same of a point of that side: half as many where it is real.
[[nodiscard]] constexpr unsigned point_bytes(Storage storage, Values values) {
  return point_bytes(storage) / (is_real(values) ? 2 : 1);
}

enum class Placement { out_of_place, in_place };

/// In which order the frequencies lie: the output of a forward transform, the input of an inverse
/// one. transposed: as the passes of a long transform leave and want them, so that no pass strides
/// through memory for their order: of pass lengths n1, n2, n3, frequency k1 + n1 (k2 + n2 k3) is
/// point (k1 n2 + k2) n3 + k3, see Program::place_of(). An inverse with the same lengths takes what
/// a forward transform left ("out-of-order", seed 004). natural where a transform takes one kernel,
/// or is a convolution.
enum class Order { natural, transposed };

/// A dimension of repetition: how many transforms, and how far apart they are on either side, in
/// points (FFTW's guru interface: howmany_dims).
struct Loop {
  std::int64_t count = 1;                      ///< how many, >= 1
  std::int64_t in_stride = 1, out_stride = 1;  ///< from one to the next
  /// What one more of them adds to the `index` that code of the caller's is told (see ends.hpp); 0
  /// on sides without code.
  std::int64_t in_index = 0, out_index = 0;

  auto operator<=>(const Loop&) const = default;
  [[nodiscard]] std::int64_t stride(bool input) const { return input ? in_stride : out_stride; }
  [[nodiscard]] std::int64_t index(bool input) const { return input ? in_index : out_index; }
  /// With the sides of each other.
  [[nodiscard]] Loop reversed() const {
    return {count, out_stride, in_stride, out_index, in_index};
  }
};

/// Where points lie, in points from the pointer of their side on (on a real side in real numbers,
/// on all others in complex ones): point t of transform b at b * dist + t * stride (FFTW's and
/// cuFFT's advanced interface: istride, idist, ostride, odist), and for each of `loops` one more
/// index times its stride. Of several axes t * stride is a sum over them. Every distance is 64 bits
/// wide and positive; that of a loop may be 0 in an input which all its transforms read. The points
/// along an axis lie within 2^32 points.
/// No two points of the output share a place, nor of a transform's input; out of place several
/// transforms may have points of the input in common: rows that overlap, as the frames of a
/// spectrogram, whose distance is the hop.
struct DataLayout {
  std::int64_t in_stride = 1, out_stride = 1;  ///< of the last axis
  /// 0: the transforms follow each other: as far apart as the first axis (of one: as Ends says)
  /// reaches, or of channels all of them
  std::int64_t in_dist = 0, out_dist = 0;
  /// More dimensions of transforms within one of the batch, innermost first: the columns of an
  /// array of rows x columns are loops = {{columns, 1, 1}}, strides columns, dists rows * columns.
  std::vector<Loop> loops = {};
  /// Strides of the axes before the last one, in their order (FFTW's guru interface). Empty:
  /// row-major, each as far as the axis after it reaches in memory (in place a row of real numbers
  /// as far as its n / 2 + 1 frequencies: 2 (n / 2 + 1), as FFTW and cuFFT pad it).
  std::vector<std::int64_t> in_strides = {}, out_strides = {};

  auto operator<=>(const DataLayout&) const = default;
};

/// An axis of a transform: its length; on either side how far apart its points are, and how many of
/// them memory has.
struct Axis {
  std::int64_t n = 1;                          ///< its length
  std::int64_t in_stride = 1, out_stride = 1;  ///< from a point to the next
  std::int64_t in_length = n, out_length = n;  ///< that memory has

  auto operator<=>(const Axis&) const = default;
  [[nodiscard]] std::int64_t stride(bool input) const { return input ? in_stride : out_stride; }
  [[nodiscard]] std::int64_t length(bool input) const { return input ? in_length : out_length; }
};

/// A batch of discrete Fourier transforms of interleaved complex numbers (re, im), or, on one side,
/// of real ones (see Domain), over one axis or several: X[k1, k2, ...] = sum over t1, t2, ... of
/// x[t1, t2, ...] exp(sign 2 pi i (k1 t1 / n1 + k2 t2 / n2 + ...)). Nothing is normalised unless
/// `scale` says so. With `convolution` instead the transform, its product with the spectrum of a
/// filter, and the inverse transform.
struct FftProblem {
  /// Slowest axis first; of several at most 2^32 points together.
  std::vector<std::int64_t> lengths;
  std::int64_t batch = 1;                    ///< number of transforms, >= 1
  Direction direction = Direction::forward;  ///< sign of the exponent
  Domain domain = Domain::c2c;               ///< which sides are real
  Storage storage = Storage::f32;            ///< of the input
  /// Of the output; empty: the same, but f32 of integers that are not transformed in place.
  std::optional<Storage> out_storage = {};
  Placement placement = Placement::out_of_place;  ///< in place: one pointer for both sides
  DataLayout layout = {};  ///< default: transform b occupies points [b*n, (b+1)*n) of both sides
  Ends ends = {};          ///< padding, cropping, and code of the caller's
  /// Bytes: the pointers to both sides are multiples of it. 16, or 8: then kernels take points of
  /// f32 one by one, not in pairs.
  unsigned alignment = 16;
  Order order = Order::natural;  ///< of the frequencies
  double scale = 1.0;  ///< every output is multiplied by float(scale); finite and not zero
  /// Of cosine and sine transforms: the numbers at the ends are multiplied such that the matrix,
  /// times 1 / sqrt(gain_of()), is orthogonal: scipy's `orthogonalize`. Of dct1 x[0] and x[n - 1]
  /// by sqrt(2), y[0] and y[n - 1] by its inverse; of dct2 y[0] and of dst2 y[n - 1] by that
  /// inverse, of dct3 x[0] and of dst3 x[n - 1] by sqrt(2); the others are so as they are.
  bool orthogonal = false;
  Accuracy accuracy = {};  ///< empty: what the storage deserves, see accuracy.hpp
  std::optional<Convolution> convolution = {};  ///< see convolution.hpp

  auto operator<=>(const FftProblem&) const = default;

  /// Points of the DFT of a transform: the length of the only axis, or the product of all; of
  /// cosine and sine transforms those behind their numbers, see dft_length().
  [[nodiscard]] std::int64_t n() const;
  /// Of each axis.
  [[nodiscard]] std::vector<std::int64_t> dft_lengths() const;
  /// The product of the lengths.
  [[nodiscard]] std::int64_t points() const;
  [[nodiscard]] std::vector<Axis> axes() const;   ///< slowest first
  [[nodiscard]] Values values(bool input) const;  ///< what memory has of that side
  /// Bytes of a point of that side in memory.
  [[nodiscard]] unsigned bytes_of_point(bool input) const {
    return point_bytes(input ? storage : result_storage(), values(input));
  }
  /// Points of a transform in memory.
  [[nodiscard]] std::int64_t in_length() const { return points_in_memory(true); }
  [[nodiscard]] std::int64_t out_length() const { return points_in_memory(false); }
  [[nodiscard]] Storage result_storage() const {
    const bool integers = storage == Storage::i16 && placement == Placement::out_of_place;
    return out_storage.value_or(integers ? Storage::f32 : storage);
  }
  /// From one of the batch to the next.
  [[nodiscard]] std::int64_t in_dist() const;
  [[nodiscard]] std::int64_t out_dist() const;  ///< of the output
  /// Of a convolution: how many signals a result sums, and from one to the next.
  [[nodiscard]] std::int64_t channels() const {
    return convolution ? convolution->channels.count : 1;
  }
  [[nodiscard]] std::int64_t channel_dist() const;  ///< in points of the input
  /// From the first point of the input (output) to behind the last one.
  [[nodiscard]] std::int64_t in_points() const;
  [[nodiscard]] std::int64_t out_points() const;  ///< of the output

 private:
  [[nodiscard]] std::int64_t length(std::size_t axis, bool input) const;  // in memory
  [[nodiscard]] std::int64_t points_in_memory(bool input) const;
};

/// Points that memory has of `n` on a side of these values.
[[nodiscard]] constexpr std::int64_t length_in_memory(std::int64_t n, Values values) {
  return values == Values::hermitian ? n / 2 + 1 : n;
}

/// numpy's and scipy's words for the factor: which direction is divided by n.
enum class Normalization { backward, ortho, forward };

/// The factor that `normalization` puts on a transform of length n in `direction`:
/// backward divides the inverse by n, forward the forward transform, ortho both by sqrt(n).
[[nodiscard]] double scale_factor(Normalization normalization, Direction direction, std::int64_t n);
/// Sets the scale of `problem`, whose lengths, domain and direction are known. Of cosine and sine
/// transforms as scipy's dct and dst: backward divides by nothing, forward by the gain_of() all
/// axes, so that of dct3 it is the inverse of dct2; ortho by its root, and orthogonal.
void normalize(FftProblem& problem, Normalization normalization);

/// Throws UnsupportedProblem, naming the field, its value and what is supported.
void validate(const FftProblem& problem);

/// True where dimensions of the input interleave, so that points may share places.
[[nodiscard]] bool input_overlaps(const FftProblem& problem);

/// The layout that FFTW's and cuFFT's advanced arguments describe for one axis, in which
/// inembed[0] and onembed[0] say nothing beside the distances.
[[nodiscard]] DataLayout advanced_layout(std::int64_t istride, std::int64_t idist,
                                         std::int64_t ostride, std::int64_t odist);

/// The same for several axes: arrays of the shapes `inembed` and `onembed`, of which a transform
/// takes the first points of each axis.
[[nodiscard]] DataLayout advanced_layout(const std::vector<std::int64_t>& inembed,
                                         std::int64_t istride, std::int64_t idist,
                                         const std::vector<std::int64_t>& onembed,
                                         std::int64_t ostride, std::int64_t odist);

/// "in 1,n out 256,65536 loops 256:1:1", or nothing for the default.
[[nodiscard]] std::string to_string(const DataLayout& layout);

/// One line, e.g. "c2c f32 n=4096 batch=16 forward out-of-place scale=1".
[[nodiscard]] std::string to_string(const FftProblem& problem);
/// "64x64"
[[nodiscard]] std::string to_shape(const std::vector<std::int64_t>& lengths);
[[nodiscard]] std::string to_string(Direction direction);
[[nodiscard]] std::string to_string(Domain domain);
[[nodiscard]] std::string to_string(Placement placement);
[[nodiscard]] std::string to_string(Order order);
[[nodiscard]] std::string to_string(Storage storage);

}  // namespace sonoma
