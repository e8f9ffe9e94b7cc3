#include "support/photo.hpp"

#include <turbojpeg.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace examples {

Photo read_photo(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const bool debian = path == default_photo;
    throw std::runtime_error(
        path + ": cannot be read" +
        (debian ? " (Debian and Ubuntu: apt install python-matplotlib-data)" : ""));
  }
  const std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
  const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
  const auto check = [&](int status) {
    if (status == 0) return;
    throw std::runtime_error(path + ": " + tjGetErrorStr2(decoder.get()));
  };
  int width = 0, height = 0, subsampling = 0, colours = 0;
  check(tjDecompressHeader3(decoder.get(), bytes.data(), bytes.size(), &width, &height,
                            &subsampling, &colours));
  Photo photo{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  std::vector<unsigned char> grey(photo.width * photo.height);
  check(tjDecompress2(decoder.get(), bytes.data(), bytes.size(), grey.data(), width, 0, height,
                      TJPF_GRAY, TJFLAG_ACCURATEDCT));
  for (const unsigned char level : grey) photo.grey.push_back(static_cast<float>(level) / 255);
  return photo;
}

std::vector<float> in_8_bits(std::vector<float> grey) {
  for (float& level : grey) level = std::round(255 * std::clamp(level, 0.0f, 1.0f)) / 255;
  return grey;
}

double psnr(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = double{a[i]} - double{b[i]};
    sum += difference * difference;
  }
  return -10 * std::log10(sum / static_cast<double>(a.size()));
}

}  // namespace examples
