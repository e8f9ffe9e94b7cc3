// The problems that a command is asked for: transforms of some lengths, or of the axes of arrays.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "request_options.hpp"

namespace sonoma::cli {

/// The parts between the commas of "f16,bf16"; without a list one that is open.
[[nodiscard]] std::vector<std::optional<std::string>> values_of(
    const std::optional<std::string>& list);

/// Which lengths a command takes of --n, and how it says so.
struct LengthsTaken {
  std::int64_t longest;
  const char* allowed;
};

/// Of commands that plan and compile, whatever the length.
inline constexpr LengthsTaken any_length = {
    std::numeric_limits<std::int64_t>::max(),
    "must be a length, or several: 4096, 256,1024 or 2..8192 (of a range the powers of two)"};

/// Options of one problem each, where --array, --shape or --n has a list: "8x64x3,4x64x2",
/// "64x64,8x8", "100,2..8192" (of a range the powers of two). Beside --array the others say one
/// problem.
[[nodiscard]] std::vector<RequestOptions> one_by_one(const RequestOptions& options,
                                                     const LengthsTaken& taken);

/// Of --n, --shape, or --array and --axes, as `run` makes it of such an input. Throws BadArgument
/// where options contradict each other, UnsupportedProblem.
[[nodiscard]] FftProblem problem_asked(const RequestOptions& options);

}  // namespace sonoma::cli
