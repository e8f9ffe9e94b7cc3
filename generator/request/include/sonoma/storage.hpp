// Numbers as a Storage holds them: its range and precision, and conversion from and to float.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/problem.hpp"

namespace SONOMA_API sonoma {

/// What a floating-point format can hold.
struct StorageFormat {
  double unit_roundoff;  ///< largest relative error of rounding a normal number: 2^-precision
  double quantum;        ///< smallest number above zero; what is subnormal is a multiple of it
  double smallest;       ///< normal number above zero
  double largest;        ///< finite number
  double overflow;       ///< magnitudes from here on round to infinity

  bool operator==(const StorageFormat&) const = default;
};

/// f32: 24 bits of precision, 2^-149, 2^-126, 2^128 - 2^104. f16: 11 bits, 2^-24, 2^-14, 65504.
/// bf16: 8 bits, 2^-133, 2^-126, 2^128 - 2^120.
/// i16: multiples of 1 up to 32767, none of them normal; on the negative side up to -32768.
[[nodiscard]] StorageFormat format_of(Storage storage);

/// `value` as the storage holds it: rounded to nearest, ties to even; infinity of its sign from
/// format_of(storage).overflow on; subnormal numbers are kept, and a NaN stays one.
/// i16: the last integer from there on, and 0 for a NaN.
[[nodiscard]] float rounded_to(Storage storage, float value);
[[nodiscard]] std::complex<float> rounded_to(Storage storage, std::complex<float> value);

/// The bytes that a plan of that storage reads: point_bytes(storage) for each value, (re, im), each
/// rounded_to the storage. The vector's data is aligned to 16 bytes.
[[nodiscard]] std::vector<std::byte> pack(Storage storage,
                                          std::span<const std::complex<float>> values);

/// The same of a side of these values: of a real one the real parts alone.
[[nodiscard]] std::vector<std::byte> pack(Storage storage, Values values,
                                          std::span<const std::complex<float>> points);

/// The inverse, exact. Throws std::invalid_argument if the bytes are no whole number of points.
[[nodiscard]] std::vector<std::complex<float>> unpack(Storage storage,
                                                      std::span<const std::byte> bytes);
/// Of a real side imaginary parts are zero.
[[nodiscard]] std::vector<std::complex<float>> unpack(Storage storage, Values values,
                                                      std::span<const std::byte> bytes);

}  // namespace sonoma
