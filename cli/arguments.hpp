// Values of command-line arguments, checked with messages that name the argument, its value, what
// is allowed and the way out.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sonoma::cli {

/// A command line that cannot be served. Exit code 2.
class BadArgument : public std::invalid_argument {
 public:
  /// "--engine tensor: <allowed>". `allowed` says what is possible and, if not obvious, the way
  /// out.
  BadArgument(std::string_view argument, std::string_view value, std::string_view allowed);
};

/// Reading or writing a file failed. Exit code 3. what() starts with the path.
class FileError : public std::runtime_error {
 public:
  FileError(std::string_view path, std::string_view what_happened);
};

/// The whole of `text` as a decimal integer of [low, high].
[[nodiscard]] std::int64_t parse_integer(std::string_view argument, std::string_view text,
                                         std::int64_t low, std::int64_t high,
                                         std::string_view allowed);

/// Lengths up to `largest`, between commas: one, or LO..HI, of which the powers of two are taken,
/// at least one. In the order given.
[[nodiscard]] std::vector<std::int64_t> parse_lengths(std::string_view argument,
                                                      std::string_view text, std::int64_t largest,
                                                      std::string_view allowed);

/// The lengths of axes, the slowest first: "256x256".
[[nodiscard]] std::vector<std::int64_t> parse_shape(std::string_view argument,
                                                    std::string_view text);

/// Several of them, with commas between them: "64x64,8x8x8".
[[nodiscard]] std::vector<std::vector<std::int64_t>> parse_shapes(std::string_view argument,
                                                                  std::string_view text);

/// The whole of `text` as a finite number.
[[nodiscard]] double parse_number(std::string_view argument, std::string_view text,
                                  std::string_view allowed);

/// All bytes of the file.
[[nodiscard]] std::string read_file(const std::string& path);

/// Replaces the file or creates it; a failed write leaves no half-written file.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace sonoma::cli
