// What the caller wants: the first value of the flow (request -> ... -> executable).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/accuracy.hpp"

namespace sonoma {

/// Sign of the exponent: X[k] = sum_t x[t] exp(sign * 2 pi i k t / n). Forward = -1, inverse = +1.
enum class Direction : int { forward = -1, inverse = +1 };

/// Which side of the transform is real. Only c2c is implemented so far.
enum class Domain { c2c };

/// Type of the components in device memory: IEEE binary32, IEEE binary16, or bfloat16.
enum class Storage { f32, f16, bf16 };

/// Bytes of one complex point.
[[nodiscard]] constexpr unsigned point_bytes(Storage storage) {
  return storage == Storage::f32 ? 8 : 4;
}

/// The longest transform that one launch makes.
constexpr std::int64_t largest_of_one_pass = 8192;

enum class Placement { out_of_place, in_place };

/// A batch of discrete Fourier transforms.
///
/// Layout: interleaved complex (re, im), row-major, contiguous: transform b occupies elements
/// [b*n, (b+1)*n) of both sides. Nothing is normalised unless `scale` says so.
struct FftProblem {
  std::vector<std::int64_t> lengths;  ///< slowest axis first; one axis so far
  std::int64_t batch = 1;             ///< number of transforms, >= 1
  Direction direction = Direction::forward;
  Domain domain = Domain::c2c;
  Storage storage = Storage::f32;
  Placement placement = Placement::out_of_place;
  double scale = 1.0;      ///< every output is multiplied by float(scale); finite and not zero
  Accuracy accuracy = {};  ///< empty: what the storage deserves, see accuracy.hpp

  auto operator<=>(const FftProblem&) const = default;

  /// Length of the (only) axis.
  [[nodiscard]] std::int64_t n() const { return lengths.at(0); }
};

/// numpy's and scipy's words for the factor: which direction is divided by n.
enum class Normalization { backward, ortho, forward };

/// The factor that `normalization` puts on a transform of length n in `direction`:
/// backward divides the inverse by n, forward the forward transform, ortho both by sqrt(n).
[[nodiscard]] double scale_factor(Normalization normalization, Direction direction, std::int64_t n);

/// Throws UnsupportedProblem, naming the field, its value and what is supported.
void validate(const FftProblem& problem);

/// One line, e.g. "c2c f32 n=4096 batch=16 forward out-of-place scale=1".
[[nodiscard]] std::string to_string(const FftProblem& problem);
[[nodiscard]] std::string to_string(Direction direction);
[[nodiscard]] std::string to_string(Placement placement);
[[nodiscard]] std::string to_string(Storage storage);

}  // namespace sonoma
