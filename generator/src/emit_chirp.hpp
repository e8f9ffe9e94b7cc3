// The text of the chirp of Bluestein's algorithm, and of where a transform ends.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// "Times the chirp w(t) = ..."
[[nodiscard]] std::string chirp_comment(const KernelIr& ir, const op::Chirp& op);

/// The same of the spectrum, and of the factor at the end, which may undo a power of two of it.
[[nodiscard]] std::string spectrum_comment(const KernelIr& ir, const op::Spectrum& op);
[[nodiscard]] std::string factor_comment(const Schedule& schedule);

/// The statement for a pass of a convolution, whose chirp has no table.
[[nodiscard]] std::string exact_chirp(const KernelIr& ir, const op::Chirp& op);

/// Template arguments of what goes point by point through transforms that are shorter in memory:
/// their lengths in the tile and in memory; for a load or a store also how far apart points and
/// transforms lie there.
[[nodiscard]] std::string padded_lengths(const Schedule& schedule);
[[nodiscard]] std::string padded_shape(const Schedule& schedule, bool input);

/// The statement for the spectrum in a tile of bits.
[[nodiscard]] std::string times_spectrum(const KernelIr& ir, const op::Spectrum& op);

/// Added to the address of the spectrum: where the part of the block begins.
[[nodiscard]] std::string spectrum_tile(const op::Spectrum& op);

/// The declaration of the points that a pass with loops finds in memory.
[[nodiscard]] std::string existing_declaration(const Pass& pass);

/// The argument for a side: what is declared, or all points of the workspace.
[[nodiscard]] std::string existing_text(const Pass& pass, bool input);

}  // namespace sonoma
