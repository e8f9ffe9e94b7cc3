// Pieces that forms share.
#pragma once

#include <map>
#include <string>

#include "sonoma/launch_kernel.hpp"
#include "sonoma/program.hpp"

namespace sonoma {

/// "c2c f32 n=4096 forward out-of-place scale=1", of one line.
[[nodiscard]] std::string problem_text(FftProblem problem);

/// The words of the templates that launcher and standalone share.
[[nodiscard]] std::map<std::string, std::string> launch_words(
    const Program& program, const std::vector<LaunchKernel>& kernels, const std::string& name);

}  // namespace sonoma
