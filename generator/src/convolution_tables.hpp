// The tables of Bluestein's algorithm: the chirp and its spectrum.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// 16-byte units of the chirp, and of the spectrum for one block.
[[nodiscard]] std::uint32_t chirp_units(const Schedule& schedule);
[[nodiscard]] std::uint32_t spectrum_units(const op::Spectrum& op);

/// How many blocks have a part of the spectrum each.
[[nodiscard]] std::uint32_t spectrum_tiles(const Schedule& schedule);

/// Into words that have room for it: the chirp in the order of t. (Threads read beyond n for points
/// that are zero, or dropped.)
void fill_chirp(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Chirp& op);
/// The spectrum in the order in which threads meet it, block after block.
void fill_spectrum(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Spectrum& op);

}  // namespace sonoma
