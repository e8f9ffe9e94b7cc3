// The launches of a program as C++: what they need, in which order they go over a batch.
#pragma once

#include <string>
#include <vector>

#include "sonoma/launch_kernel.hpp"
#include "sonoma/program.hpp"

namespace sonoma {

/// For a launch each what follows its names: "256, 32768, 1, 0, false".
[[nodiscard]] std::vector<std::string> shapes_text(const std::vector<LaunchKernel>& kernels);

/// workspace_bytes() of a batch, and the functions that it and execute_text() call.
[[nodiscard]] std::string workspace_text(const Program& program);

/// Statements that call launch(which, blocks, {from, to, count, workspace, ...}, stream). They see
/// in, out, workspace, batch, stream, and user or spectrum where a kernel takes them.
[[nodiscard]] std::string execute_text(const Program& program,
                                       const std::vector<LaunchKernel>& kernels);

[[nodiscard]] bool takes_user(const Program& program);
[[nodiscard]] bool takes_spectrum(const Program& program);

}  // namespace sonoma
