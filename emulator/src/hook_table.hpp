// The emulator's side of device/hooks.hpp.
#pragma once

#include "../device/hooks.hpp"

namespace sonoma::emulator {

/// The one table every kernel is bound to; its functions act on the calling thread's BlockRunner.
[[nodiscard]] const sonoma_emulator::Hooks& hook_table();

}  // namespace sonoma::emulator
