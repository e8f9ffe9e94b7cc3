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

/// The steps of `made`, of one launch, by a cluster for each transform, where that serves: see
/// FewRules.
[[nodiscard]] std::optional<Program> over_clusters(const Launch& made, const FftProblem& problem,
                                                   const Target& target, const Tuning& wish);

/// The steps of a launch whose blocks take transforms alone, by blocks that take fewer of them and
/// have more threads: sooner where these are not many. `program`: of that launch alone.
[[nodiscard]] std::optional<Program> by_smaller_blocks(const Program& program,
                                                       const FftProblem& problem,
                                                       const Target& target, const Tuning& wish);

/// Real transforms that `made` takes in pairs whose frequencies meet in shared memory: by steps
/// whose frequencies meet in registers, which a block of few ends sooner. The bits are others.
[[nodiscard]] std::optional<Program> few_in_registers(const Launch& made, const FftProblem& problem,
                                                      const Target& target, const Tuning& wish);

/// Where the batch of `problem` does not fill the GPU: the same steps over more blocks, in one
/// round or in fewer columns, or as two launches through a workspace that `program` may not take.
/// The results are sooner there, and the same bits but of two kinds of real transforms: those that
/// a cluster takes, which go in passes, and those of few_in_registers(). `program`: what `tuning`
/// makes of the problem. Nothing: it is as it should be, or `wish` says what blocks are like.
[[nodiscard]] std::optional<Program> for_batch(const Program& program, const Tuning& tuning,
                                               const FftProblem& problem, const Target& target,
                                               const Tuning& wish);

}  // namespace sonoma
