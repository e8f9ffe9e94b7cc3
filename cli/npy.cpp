#include "npy.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>
#include <limits>
#include <ostream>
#include <sstream>
#include <string_view>

#include "arguments.hpp"
#include "npy_header.hpp"

namespace sonoma::cli {

static_assert(std::endian::native == std::endian::little, ".npy data is copied as it lies");

namespace {

constexpr std::string_view magic = "\x93NUMPY";

std::string read_exactly(std::istream& stream, std::size_t bytes, std::string_view part) {
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  if (static_cast<std::size_t>(stream.gcount()) != bytes) {
    throw NpyError(fmt::format("the file ends inside its {} ({} of {} bytes are there)", part,
                               stream.gcount(), bytes));
  }
  return text;
}

std::size_t read_header_size(std::istream& stream) {
  const std::string start = read_exactly(stream, magic.size() + 2, "magic");
  if (!start.starts_with(magic)) {
    throw NpyError("not a .npy file (its first bytes are not \\x93NUMPY); write it by numpy.save");
  }
  const int major = static_cast<unsigned char>(start[magic.size()]);
  const int minor = static_cast<unsigned char>(start[magic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw NpyError(
        fmt::format("format version {}.{}; versions 1.0, 2.0 and 3.0 are read", major, minor));
  }
  const std::string length = read_exactly(stream, major == 1 ? 2 : 4, "header length");
  std::size_t size = 0;
  for (std::size_t i = length.size(); i-- > 0;)
    size = size << 8 | static_cast<unsigned char>(length[i]);
  constexpr std::size_t limit = 1 << 16;  // a shape of two integers needs about 80 bytes
  if (size > limit) {
    throw NpyError(fmt::format("header of {} bytes; at most {} are read", size, limit));
  }
  return size;
}

void check(const NpyHeader& header) {
  if (header.descr != "<c8") {
    throw NpyError(
        fmt::format("dtype '{}'; only little-endian complex64 ('<c8') is read: convert "
                    "with a.astype(numpy.complex64)",
                    header.descr));
  }
  if (header.fortran_order) {
    throw NpyError("Fortran order; only C order is read: convert with numpy.ascontiguousarray(a)");
  }
}

std::size_t element_count(const std::vector<std::int64_t>& shape) {
  constexpr auto limit = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()) / 8;
  std::size_t count = 1;
  for (const auto extent : shape) {
    const auto size = static_cast<std::size_t>(extent);
    if (size != 0 && count > limit / size)
      throw NpyError("shape: more elements than 64 bits count");
    count *= size;
  }
  return count;
}

// In pieces: a header that lies about the shape costs no more memory than the file has bytes.
std::vector<std::complex<float>> read_data(std::istream& stream, std::size_t count) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::complex<float>> data;
  while (data.size() < count) {
    const std::size_t start = data.size(), wanted = std::min(piece, count - start);
    data.resize(start + wanted);
    const auto bytes = static_cast<std::streamsize>(wanted * sizeof data[0]);
    stream.read(reinterpret_cast<char*>(data.data() + start), bytes);
    if (stream.gcount() != bytes) {
      const auto have = start * sizeof data[0] + static_cast<std::size_t>(stream.gcount());
      throw NpyError(fmt::format("truncated: {} bytes of data, {} needed by the shape", have,
                                 count * sizeof data[0]));
    }
  }
  if (stream.peek() != std::istream::traits_type::eof()) {
    throw NpyError("more data than the shape says; write one array to a file");
  }
  return data;
}

}  // namespace

NpyArray read_npy(std::istream& stream) {
  const std::size_t size = read_header_size(stream);
  const NpyHeader header = parse_npy_header(read_exactly(stream, size, "header"));
  check(header);
  return {header.shape, read_data(stream, element_count(header.shape))};
}

void write_npy(std::ostream& stream, const NpyArray& array) {
  std::string header = to_string(NpyHeader{"<c8", false, array.shape});
  const std::size_t before = magic.size() + 4;
  header.append((64 - (before + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  stream << magic << '\x01' << '\0' << static_cast<char>(header.size() & 0xff)
         << static_cast<char>(header.size() >> 8) << header;
  stream.write(reinterpret_cast<const char*>(array.data.data()),
               static_cast<std::streamsize>(array.data.size() * sizeof array.data[0]));
}

NpyArray load_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  try {
    return read_npy(file);
  } catch (const NpyError& error) {
    throw FileError(path, error.what());
  }
}

void save_npy(const std::string& path, const NpyArray& array) {
  std::ostringstream bytes;
  write_npy(bytes, array);
  write_file(path, bytes.view());
}

}  // namespace sonoma::cli
