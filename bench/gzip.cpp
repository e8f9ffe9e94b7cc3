#include "gzip.hpp"

#include <zlib.h>

#include <stdexcept>

namespace sonoma::bench {
namespace {

constexpr int window_of_gzip = 15 + 16, most_memory = 9;
constexpr std::size_t at_a_time = std::size_t{1} << 18;

// zlib takes no const input, but does not write to it.
void give(z_stream& stream, std::string_view bytes) {
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
}

// All that `step` (deflate or inflate) makes of the input; its last result in `result`.
template <class Step>
std::string run(z_stream& stream, int& result, Step&& step) {
  std::string made;
  do {
    const std::size_t before = made.size();
    made.resize(before + at_a_time);
    stream.next_out = reinterpret_cast<Bytef*>(made.data() + before);
    stream.avail_out = at_a_time;
    result = step();
    made.resize(made.size() - stream.avail_out);
  } while (result == Z_OK && stream.avail_out == 0);
  return made;
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window_of_gzip, most_memory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib has no memory to compress with");
  }
  give(stream, bytes);
  int result = Z_OK;
  std::string made = run(stream, result, [&] { return deflate(&stream, Z_FINISH); });
  (void)deflateEnd(&stream);
  return made;
}

std::optional<std::string> gunzip(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, window_of_gzip) != Z_OK) {
    throw std::runtime_error("zlib has no memory to decompress with");
  }
  give(stream, bytes);
  int result = Z_OK;
  std::string made = run(stream, result, [&] { return inflate(&stream, Z_NO_FLUSH); });
  const bool whole = result == Z_STREAM_END && stream.avail_in == 0;
  (void)inflateEnd(&stream);
  return whole ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace sonoma::bench
