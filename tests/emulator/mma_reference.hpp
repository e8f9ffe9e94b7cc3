// The numeric model of mma.m16n8k16 written for plainness, one dot product at a time, in integers.
#pragma once

#include <array>
#include <cstdint>

namespace sonoma::testing {

using Halves = std::array<std::uint16_t, 16>;

/// Bits of c + sum of a[k] * b[k], as sonoma::emulator::mma_m16n8k16 documents it.
[[nodiscard]] std::uint32_t reference_dot(const Halves& a, const Halves& b, std::uint32_t c);

}  // namespace sonoma::testing
