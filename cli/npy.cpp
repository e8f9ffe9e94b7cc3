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
#include "sonoma/storage.hpp"

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

constexpr std::string_view complex64 = "<c8", float32 = "<f4", int16 = "<i2";

void check(const NpyHeader& header, Values integers) {
  if (header.descr != complex64 && header.descr != float32 && header.descr != int16) {
    throw NpyError(
        fmt::format("dtype '{}'; only little-endian complex64 ('<c8'), float32 ('<f4') and int16 "
                    "('<i2') are read: convert with a.astype(numpy.complex64), or, real numbers, "
                    "with a.astype(numpy.float32)",
                    header.descr));
  }
  if (header.descr == int16 && integers == Values::complex &&
      (header.shape.empty() || header.shape.back() != 2)) {
    throw NpyError(
        "int16 without a last axis of 2, (re, im); where these are real numbers, say --domain r2c");
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
std::vector<std::complex<float>> read_data(std::istream& stream, std::size_t count, Storage storage,
                                           Values values) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  const std::size_t size = point_bytes(storage, values);
  std::vector<std::complex<float>> data;
  while (data.size() < count) {
    std::vector<std::byte> bytes(size * std::min(piece, count - data.size()));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (const auto got = static_cast<std::size_t>(stream.gcount()); got != bytes.size()) {
      throw NpyError(fmt::format("truncated: {} bytes of data, {} needed by the shape",
                                 data.size() * size + got, count * size));
    }
    const auto points = unpack(storage, values, bytes);
    data.insert(data.end(), points.begin(), points.end());
  }
  if (stream.peek() != std::istream::traits_type::eof()) {
    throw NpyError("more data than the shape says; write one array to a file");
  }
  return data;
}

}  // namespace

NpyArray read_npy(std::istream& stream, Values integers) {
  const std::size_t size = read_header_size(stream);
  NpyHeader header = parse_npy_header(read_exactly(stream, size, "header"));
  check(header, integers);
  const Storage storage = header.descr == int16 ? Storage::i16 : Storage::f32;
  const Values floats = header.descr == float32 ? Values::real : Values::complex;
  const Values values = storage == Storage::i16 ? integers : floats;
  if (storage == Storage::i16 && values == Values::complex) header.shape.pop_back();
  return {header.shape, read_data(stream, element_count(header.shape), storage, values), storage,
          values};
}

void write_npy(std::ostream& stream, const NpyArray& array) {
  const bool integers = array.storage == Storage::i16;
  const bool real = array.values == Values::real;
  NpyHeader described{std::string(integers ? int16
                                  : real   ? float32
                                           : complex64),
                      false, array.shape};
  if (integers && !real) described.shape.push_back(2);
  std::string header = to_string(described);
  const std::size_t before = magic.size() + 4;
  header.append((64 - (before + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  stream << magic << '\x01' << '\0' << static_cast<char>(header.size() & 0xff)
         << static_cast<char>(header.size() >> 8) << header;
  const auto bytes = pack(array.storage, array.values, array.data);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

NpyArray load_npy(const std::string& path, Values integers) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  try {
    return read_npy(file, integers);
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
