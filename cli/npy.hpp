// numpy's .npy files of complex64, float32 or int16 (format versions 1.0, 2.0 and 3.0:
// numpy.lib.format).
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
  /// Of the file's numbers: f32 (complex64; float32 where they are real), or i16 (int16; where they
  /// are complex of one more axis, (re, im), which is not in `shape`).
  Storage storage = Storage::f32;
  Values values = Values::complex;  ///< or real: imaginary parts are zero, and not in the file

  bool operator==(const NpyArray&) const = default;
};

/// The bytes are not a .npy file of little-endian complex64, float32 or int16 in C order, complex
/// int16 with a last axis of 2; what() says where it differs.
class NpyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads to the end of the stream. Never allocates more than a small multiple of what it has read,
/// whatever the header claims. `integers`: what int16 stands for, complex or real, which no header
/// says. Throws NpyError.
[[nodiscard]] NpyArray read_npy(std::istream& stream, Values integers = Values::complex);

/// Version 1.0, header padded so that the data starts at a multiple of 64 bytes. Integers are
/// rounded and saturated as those of plans.
void write_npy(std::ostream& stream, const NpyArray& array);

/// The same with files; throws FileError (arguments.hpp) naming the path.
[[nodiscard]] NpyArray load_npy(const std::string& path, Values integers = Values::complex);
void save_npy(const std::string& path, const NpyArray& array);

}  // namespace sonoma::cli
