// Batches that do not fill the GPU.
#pragma once

#include <optional>

#include "sonoma/planned.hpp"

namespace sonoma {

/// Its two passes are one launch.
[[nodiscard]] bool share_a_launch(const Program& program);

/// These with a launch each, of the same steps. `tuning` may say how large the workspace is.
[[nodiscard]] Program in_two_launches(const Program& shared, const FftProblem& problem,
                                      const Tuning& tuning, const Target& target);

/// True if a wish says how blocks share a transform, or what one of them takes.
[[nodiscard]] bool says_shapes(const Tuning& wish);

/// Blocks of a cluster that may run: 8 everywhere, 16 on H100 and B200, which have to be asked for
/// more than 8 (NVIDIA's tuning guides of both).
[[nodiscard]] unsigned largest_cluster(const Target& target);

/// The steps of `made`, of one launch, by a cluster for each transform, or by one of more blocks,
/// where that serves: see FewRules.
[[nodiscard]] std::optional<Program> over_clusters(const Launch& made, const FftProblem& problem,
                                                   const Target& target, const Tuning& wish);

/// The steps of a launch whose blocks take transforms alone, by blocks that take fewer of them and
/// have more threads: sooner where these are not many. `program`: of that launch alone.
[[nodiscard]] std::optional<Program> by_smaller_blocks(const Program& program,
                                                       const FftProblem& problem,
                                                       const Target& target, const Tuning& wish);

/// Columns of an array, along one of its axes, of which a block takes neighbours.
[[nodiscard]] bool are_columns(const Launch& launch);

/// The passes of `program`, or its columns, in blocks of fewer columns, where that is sooner.
[[nodiscard]] std::optional<Program> over_more_blocks(const Program& program,
                                                      const FftProblem& problem,
                                                      const Target& target);

/// The steps of `program`, a launch for all axes, by a launch for each of them: where that is
/// sooner, see FewRules::serve_by_axes().
[[nodiscard]] std::optional<Program> by_axes(const Program& program, const FftProblem& problem,
                                             const Target& target, const Tuning& wish);

/// Where the batch of `problem` does not fill the GPU: the same steps over more blocks, in one
/// round or in fewer columns, or as two launches through a workspace that `program` may not take.
/// The results are the same bits, sooner. `program`: what `tuning` makes of the problem. Nothing:
/// it is as it should be, or `wish` says what blocks are like.
[[nodiscard]] std::optional<Program> for_batch(const Program& program, const Tuning& tuning,
                                               const FftProblem& problem, const Target& target,
                                               const Tuning& wish);

}  // namespace sonoma
