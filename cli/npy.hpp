// numpy's .npy files of complex64 or int16 (format versions 1.0, 2.0 and 3.0: numpy.lib.format).
#pragma once

#include <complex>
#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma::cli {

/// C order. data.size() is the product of shape.
struct NpyArray {
  std::vector<std::int64_t> shape;
  std::vector<std::complex<float>> data;
  /// Of the file's numbers: f32 (complex64), or i16 (int16 of one more axis, (re, im), which is not
  /// in `shape`).
  Storage storage = Storage::f32;

  bool operator==(const NpyArray&) const = default;
};

/// The bytes are not a .npy file of little-endian complex64, or int16 whose last axis is 2, in C
/// order; what() says where it differs.
class NpyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads to the end of the stream. Never allocates more than a small multiple of what it has read,
/// whatever the header claims. Throws NpyError.
[[nodiscard]] NpyArray read_npy(std::istream& stream);

/// Version 1.0, header padded so that the data starts at a multiple of 64 bytes. Integers are
/// rounded and saturated as those of plans.
void write_npy(std::ostream& stream, const NpyArray& array);

/// The same with files; throws FileError (arguments.hpp) naming the path.
[[nodiscard]] NpyArray load_npy(const std::string& path);
void save_npy(const std::string& path, const NpyArray& array);

}  // namespace sonoma::cli
