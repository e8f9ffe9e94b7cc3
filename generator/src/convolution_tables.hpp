// The tables of convolutions: the chirp and the spectrum.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// The operation after the steps that end in `layout`; but for the place of its table.
[[nodiscard]] op::Spectrum spectrum_of(const Schedule& schedule, const Layout& layout);

/// 16-byte units of the chirp, and of the spectrum for one block.
[[nodiscard]] std::uint32_t chirp_units(const Schedule& schedule);
[[nodiscard]] std::uint32_t spectrum_units(const std::vector<Digit>& digits,
                                           const op::Spectrum& op);

/// Of every register the entry of its factor, two entries a unit.
[[nodiscard]] std::vector<int> spectrum_entries(const std::vector<Digit>& digits,
                                                const op::Spectrum& op);

/// The spectrum is multiplied by 2^exponent: see op::Spectrum. 0 for convolutions by the bits.
[[nodiscard]] int spectrum_exponent(const Schedule& schedule);
/// What the last kernel of a convolution multiplies by for that, beside the factor of the request.
[[nodiscard]] double spectrum_undo(const Schedule& schedule);

/// How many blocks have a part of the spectrum each.
[[nodiscard]] std::uint32_t spectrum_tiles(const Schedule& schedule);

/// Into words that have room for it: the chirp in the order of t. (Threads read beyond n for points
/// that are zero, or dropped.)
void fill_chirp(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Chirp& op);
/// The spectrum in the order in which threads meet it, block after block.
void fill_spectrum(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Spectrum& op);

}  // namespace sonoma
