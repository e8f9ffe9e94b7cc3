// Machine code by the stages of the text that it is of.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/machine_code.hpp"

namespace sonoma::cli {

/// What stands below one comment of a kernel: an operation of the IR or a few.
struct Stage {
  std::string name;  ///< the comment; of a stage within another one both, with " / " between them
  std::vector<Instruction> code;

  /// How many instructions of each kind, see kind_of().
  [[nodiscard]] std::map<std::string, int> counts() const;
};

/// "tensor", "fp32", "fp16", "shared", "global", "integer", "barrier", "control" or "other", by the
/// mnemonic of an instruction of SASS, or by the words of one of PTX.
[[nodiscard]] std::string kind_of(const std::string& instruction);

/// In the order of the text. `text`: that of the kernel; what is of no comment's is "Start".
[[nodiscard]] std::vector<Stage> stages_of(std::string_view text,
                                           const std::vector<Instruction>& code);

/// A heading with counts for each stage, and its instructions.
[[nodiscard]] std::string listing_of(const std::vector<Stage>& stages);
[[nodiscard]] nlohmann::json json_of(const std::vector<Stage>& stages);

}  // namespace sonoma::cli
