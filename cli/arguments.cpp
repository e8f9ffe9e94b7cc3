#include "arguments.hpp"

#include <spdlog/fmt/fmt.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace sonoma::cli {

BadArgument::BadArgument(std::string_view argument, std::string_view value,
                         std::string_view allowed)
    : std::invalid_argument(
          fmt::format("{} {}: {}", argument, value.empty() ? "''" : value, allowed)) {}

FileError::FileError(std::string_view path, std::string_view what_happened)
    : std::runtime_error(fmt::format("{}: {}", path, what_happened)) {}

std::int64_t parse_integer(std::string_view argument, std::string_view text, std::int64_t low,
                           std::int64_t high, std::string_view allowed) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < low || value > high) {
    throw BadArgument(argument, text, allowed);
  }
  return value;
}

std::vector<std::int64_t> parse_lengths(std::string_view argument, std::string_view text,
                                        std::int64_t largest, std::string_view allowed) {
  std::vector<std::int64_t> lengths;
  for (std::size_t start = 0; start <= text.size();) {
    const std::string_view part = text.substr(start, text.find(',', start) - start);
    start += part.size() + 1;
    const std::size_t dots = part.find("..");
    if (dots == std::string_view::npos) {
      lengths.push_back(parse_integer(argument, part, 1, largest, allowed));
      continue;
    }
    const auto low = parse_integer(argument, part.substr(0, dots), 1, largest, allowed);
    const auto high = parse_integer(argument, part.substr(dots + 2), 1, largest, allowed);
    const std::size_t before = lengths.size();
    for (std::int64_t n = 2; n <= high; n *= 2) {
      if (n >= low) lengths.push_back(n);
      if (n > high / 2) break;
    }
    if (lengths.size() == before) throw BadArgument(argument, part, allowed);
  }
  return lengths;
}

std::vector<std::int64_t> parse_shape(std::string_view argument, std::string_view text) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::vector<std::int64_t> lengths;
  std::int64_t points = 1;
  for (std::size_t start = 0; start <= text.size();) {
    const std::string_view part = text.substr(start, text.find('x', start) - start);
    start += part.size() + 1;
    lengths.push_back(parse_integer(argument, part, 1, most,
                                    "must be the lengths of the axes, slowest first: 256x256"));
    if (lengths.back() > most / points) {
      throw BadArgument(argument, text, "must be of at most 2^40 points");
    }
    points *= lengths.back();
  }
  return lengths;
}

std::vector<std::vector<std::int64_t>> parse_shapes(std::string_view argument,
                                                    std::string_view text) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::size_t start = 0; start <= text.size();) {
    const std::string_view part = text.substr(start, text.find(',', start) - start);
    start += part.size() + 1;
    shapes.push_back(parse_shape(argument, part));
  }
  return shapes;
}

double parse_number(std::string_view argument, std::string_view text, std::string_view allowed) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) {
    throw BadArgument(argument, text, allowed);
  }
  return value;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (file.bad() || text.fail()) throw FileError(path, "reading failed");
  return std::move(text).str();
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) throw FileError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file.fail()) {
    const int error = errno;
    std::error_code ignored;  // only half a file is removed, never a device such as /dev/full
    if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
    throw FileError(path, fmt::format("writing failed: {}", std::strerror(error)));
  }
}

}  // namespace sonoma::cli
