// A request as the options that stand for it on the command line.
#pragma once

#include <string>

#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// "--n 4096 --batch 16 --inverse". Words that the shell would change are quoted. Axes whose
/// strides are said one by one have no options: "--array" stands for their lengths then, followed
/// by "..." for what is to be filled in.
[[nodiscard]] std::string request_words(const FftProblem& problem, const Tuning& tuning);

}  // namespace sonoma
