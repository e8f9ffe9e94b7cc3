// The tables of convolutions: the chirp and the spectrum.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Into words that have room for it: the chirp in the order of t. (Threads read beyond n for points
/// that are zero, or dropped.)
void fill_chirp(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Chirp& op);
/// The spectrum in the order in which threads meet it, block after block.
void fill_spectrum(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::Spectrum& op,
                   double more);

}  // namespace sonoma
