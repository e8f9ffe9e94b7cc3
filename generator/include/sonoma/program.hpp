// A transform as launches in order: one where it fits a block, several passes where it does not.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/pass.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

enum class Buffer { input, workspace, output };

struct Launch {
  Pass pass;
  Tuning tuning;  ///< of its kernel, resolved
  Buffer from = Buffer::input, to = Buffer::output;

  auto operator<=>(const Launch&) const = default;
};

struct Program {
  FftProblem problem;  ///< its batch does not matter
  std::vector<Launch> launches;
  /// Transforms that go through all launches before the next ones begin; 0: all at once. Small
  /// enough that the workspace stays in the L2 cache where one transform allows that.
  std::int64_t transforms_together = 0;
  std::int64_t workspace_points = 0;  ///< of FP32, for each of those transforms

  auto operator<=>(const Program&) const = default;

  /// Transforms of a batch that are under way at once.
  [[nodiscard]] std::int64_t together(std::int64_t batch) const;
  [[nodiscard]] std::uint64_t workspace_bytes(std::int64_t batch) const;
};

/// True if `problem` takes several passes, because it must or because `tuning` asks for it.
[[nodiscard]] bool takes_passes(const FftProblem& problem, const Target& target,
                                const Tuning& tuning);

/// True if `problem` is one that choose() knows about: one launch over rows that follow each other,
/// n <= 8192.
[[nodiscard]] bool is_plain(const FftProblem& problem, const Tuning& tuning);

/// `tuning` of a plain problem must be resolved; of others, open fields are chosen, and those of
/// kernels hold for every pass.
[[nodiscard]] Program make_program(const FftProblem& problem, const Target& target,
                                   const Tuning& tuning);

/// The lengths of the passes that are taken where nothing else is asked for: as few as possible,
/// as equal as possible, each at most 4096. Throws UnsupportedProblem where there are none.
[[nodiscard]] std::vector<std::int64_t> pass_lengths(std::int64_t n);

[[nodiscard]] std::string to_string(Buffer buffer);
[[nodiscard]] std::string to_string(const Program& program);

}  // namespace sonoma
