// The compression function of SHA-256 by the instructions that x86 processors have for it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sonoma {

/// Of this processor; false on any that is not x86.
[[nodiscard]] bool has_sha256_instructions();

/// Adds blocks of 64 bytes to the 8 words of `state`. `constants`: the 64 of FIPS 180-4, 4.2.2.
/// Only where has_sha256_instructions().
void add_blocks_x86(std::uint32_t* state, const char* bytes, std::size_t blocks,
                    const std::uint32_t* constants);

}  // namespace sonoma
