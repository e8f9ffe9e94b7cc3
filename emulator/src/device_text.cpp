#include "device_text.hpp"

#include "embedded/device.hpp"

namespace sonoma::emulator {

std::string device_text() {
  std::string text;
  for (const embedded::TextFile& file : embedded::device) text += file.text;
  return text;
}

}  // namespace sonoma::emulator
