// The kernel's text beside its machine code.
#pragma once

#include <string>
#include <vector>

#include "kernel_lines.hpp"
#include "sonoma/machine_code.hpp"

namespace sonoma::cli::page {

/// `id`: a prefix for the ids of lines, of this kernel alone. Without code `why_no_code` is shown.
[[nodiscard]] std::string listing(const KernelLines& kernel, const std::vector<Instruction>& code,
                                  const std::string& why_no_code, const std::string& id);

/// How many instructions a thread has of each kind. Loops are counted once.
struct InstructionCounts {
  unsigned all = 0, fused = 0, float32 = 0, tensor = 0, integer = 0;
  unsigned global = 0, shared = 0, other = 0;
  /// Additions and multiplications in FP32.
  [[nodiscard]] unsigned flops() const { return 2 * fused + float32; }
};
[[nodiscard]] InstructionCounts count(const std::vector<Instruction>& code);

}  // namespace sonoma::cli::page
