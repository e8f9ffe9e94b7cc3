#include "sonoma/storage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sonoma/float16.hpp"

namespace sonoma {
namespace {

static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16, "pack() promises aligned bytes");

unsigned short integer_from_float(float value) {
  if (std::isnan(value)) return 0;
  const float rounded = std::nearbyint(std::clamp(value, -32768.0f, 32767.0f));
  return static_cast<unsigned short>(static_cast<short>(rounded));
}
float float_from_integer(unsigned short bits) { return static_cast<short>(bits); }

// Of the formats of 16 bits.
using FromFloat = unsigned short (*)(float);
using ToFloat = float (*)(unsigned short);
void require_components(Storage storage) {
  if (storage != Storage::c12e8) return;
  throw std::invalid_argument(
      "storage c12e8 is for what kernels leave for each other; take f32, "
      "f16, bf16 or i16");
}
FromFloat narrowing(Storage storage) {
  require_components(storage);
  if (storage == Storage::i16) return integer_from_float;
  return storage == Storage::f16 ? half_from_float : bfloat_from_float;
}
ToFloat widening(Storage storage) {
  require_components(storage);
  if (storage == Storage::i16) return float_from_integer;
  return storage == Storage::f16 ? float_from_half : float_from_bfloat;
}

}  // namespace

StorageFormat format_of(Storage storage) {
  switch (storage) {
    case Storage::f32:
      return {0x1p-24, 0x1p-149, 0x1p-126, 0x1p128 - 0x1p104, 0x1p128 - 0x1p103};
    case Storage::f16:
      return {0x1p-11, 0x1p-24, 0x1p-14, 65504, 65520};
    case Storage::bf16:
      return {0x1p-8, 0x1p-133, 0x1p-126, 0x1p128 - 0x1p120, 0x1p128 - 0x1p119};
    case Storage::i16:  // all are multiples of the quantum
      return {0x1p-16, 1, 32768, 32767, 32767.5};
    case Storage::c12e8:
      break;
  }
  throw std::invalid_argument("format_of: storage " + std::to_string(static_cast<int>(storage)) +
                              " is none of f32, f16, bf16 and i16");
}

float rounded_to(Storage storage, float value) {
  return storage == Storage::f32 ? value : widening(storage)(narrowing(storage)(value));
}

std::complex<float> rounded_to(Storage storage, std::complex<float> value) {
  return {rounded_to(storage, value.real()), rounded_to(storage, value.imag())};
}

std::vector<std::byte> pack(Storage storage, std::span<const std::complex<float>> values) {
  return pack(storage, Values::complex, values);
}

std::vector<std::byte> pack(Storage storage, Values values,
                            std::span<const std::complex<float>> points) {
  const std::size_t size = point_bytes(storage, values);
  std::vector<std::byte> packed(points.size() * size);
  if (storage == Storage::f32) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::memcpy(packed.data() + i * size, &points[i], size);
    }
    return packed;
  }
  const FromFloat narrow = narrowing(storage);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const unsigned short point[] = {narrow(points[i].real()), narrow(points[i].imag())};
    std::memcpy(packed.data() + i * size, point, size);
  }
  return packed;
}

std::vector<std::complex<float>> unpack(Storage storage, std::span<const std::byte> bytes) {
  return unpack(storage, Values::complex, bytes);
}

std::vector<std::complex<float>> unpack(Storage storage, Values values,
                                        std::span<const std::byte> bytes) {
  const std::size_t size = point_bytes(storage, values);
  if (bytes.size() % size != 0) {
    throw std::invalid_argument("unpack: " + std::to_string(bytes.size()) +
                                " bytes are no whole number of points of " + to_string(storage) +
                                ", which take " + std::to_string(size) + " each");
  }
  std::vector<std::complex<float>> points(bytes.size() / size);
  if (storage == Storage::f32) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::memcpy(&points[i], bytes.data() + i * size, size);
    }
    return points;
  }
  const ToFloat widen = widening(storage);
  for (std::size_t i = 0; i < points.size(); ++i) {
    unsigned short point[2] = {};  // zero has no bits in any of them
    std::memcpy(point, bytes.data() + i * size, size);
    points[i] = {widen(point[0]), widen(point[1])};
  }
  return points;
}

}  // namespace sonoma
