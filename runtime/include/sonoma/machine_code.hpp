// What the CUDA compiler made of a kernel, instruction by instruction, and of which lines.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/compile.hpp"

namespace SONOMA_API sonoma {

/// One instruction of SASS or PTX.
struct Instruction {
  unsigned address = 0;  ///< of PTX its number
  std::string text;      ///< "FADD R6, R0, R17", with its predicate if it has one
  /// Of the kernel's text, from 1 on: the line that it is of, then the one that calls the function
  /// which has that, and so on to the kernel's own. Empty: the compiler does not say.
  std::vector<unsigned> lines;

  auto operator<=>(const Instruction&) const = default;
};

/// The instructions in a listing of `nvdisasm -c -gi`, without the padding at their end. Lines of
/// other files than `file` are left out.
[[nodiscard]] std::vector<Instruction> instructions_of(std::string_view listing,
                                                       std::string_view file);

/// Compiles `source` with line information, which leaves the code as it is, and asks nvdisasm: that
/// of SONOMA_CUDA_PATH, of the toolkits where NVRTC is looked for, or of PATH. Throws FftError as
/// compile() does, and Stage::load_library where there is no nvdisasm or it fails.
[[nodiscard]] std::vector<Instruction> machine_code(const CudaSource& source, const Target& target);

/// The instructions of PTX with line information, whose file 1 is the kernel's text. What an asm
/// statement says is one.
[[nodiscard]] std::vector<Instruction> ptx_instructions_of(std::string_view text);

/// What NVRTC makes of `source` for the virtual architecture of `target`, from which the driver or
/// ptxas makes machine code. Throws FftError as compile() does.
[[nodiscard]] std::vector<Instruction> ptx_code(const CudaSource& source, const Target& target);

}  // namespace sonoma
