// One plan as one HTML file: what `sonoma explain --html` writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sonoma/launch_kernel.hpp"
#include "sonoma/machine_code.hpp"
#include "sonoma/planned.hpp"

namespace sonoma::cli::page {

/// What the CUDA compiler made of a kernel, as far as it is there.
struct Compiled {
  std::optional<Cubin> cubin;
  std::vector<Instruction> code;
  std::string why_no_code;  ///< a sentence, where there is none
};

struct Subject {
  std::string command;  ///< that makes this page
  std::string asked;    ///< the request
  std::string reason;   ///< why this plan
  std::string method;   ///< of several launches: how they work together
  Planned planned;
  std::vector<LaunchKernel> kernels;  ///< of planned.program
  std::vector<Compiled> compiled;     ///< of each of them
};

/// Self-contained: no network, no other file. Well-formed XML. Pure: equal subjects give equal
/// bytes.
[[nodiscard]] std::string page_of(const Subject& subject);

}  // namespace sonoma::cli::page
