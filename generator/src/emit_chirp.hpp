// The text of the chirp of Bluestein's algorithm, and of where a transform ends.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// "Times the chirp w(t) = ..."
[[nodiscard]] std::string chirp_comment(const KernelIr& ir, const op::Chirp& op);

/// The statement for a pass of a convolution, whose chirp has no table.
[[nodiscard]] std::string exact_chirp(const KernelIr& ir, const op::Chirp& op);

/// The declaration of the points that a pass with loops finds in memory.
[[nodiscard]] std::string existing_declaration(const Pass& pass);

/// The argument for a side: what is declared, or all points of the workspace.
[[nodiscard]] std::string existing_text(const Pass& pass, bool input);

}  // namespace sonoma
