// The text that comes before a kernel's own when it is compiled for the host.
#pragma once

#include <string>

namespace sonoma::emulator {

/// The files of emulator/device, in order.
[[nodiscard]] std::string device_text();

}  // namespace sonoma::emulator
