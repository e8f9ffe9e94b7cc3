#include "deflate.hpp"

#include <zlib.h>

#include "sonoma/fft_error.hpp"

namespace sonoma {

std::string deflated(std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string made(size, '\0');
  if (::compress2(reinterpret_cast<Bytef*>(made.data()), &size,
                  reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                  Z_BEST_COMPRESSION) != Z_OK) {
    throw FftError(Stage::cache, "zlib has no memory to compress with");
  }
  made.resize(size);
  return made;
}

std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
  constexpr std::size_t most =
      1032;  // bytes that deflate makes one of: a size that lies costs nothing
  if (size / most > packed.size()) return std::nullopt;
  std::string made(size, '\0');
  uLongf made_size = size;
  const int result = ::uncompress(reinterpret_cast<Bytef*>(made.data()), &made_size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (result != Z_OK || made_size != size) return std::nullopt;
  return made;
}

}  // namespace sonoma
