// What programs of a transform and of a convolution have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sonoma/program.hpp"

namespace sonoma {

/// Of one of the batch.
[[nodiscard]] std::int64_t transforms_of(const FftProblem& problem);

/// The caller's loops; in the workspace their transforms follow each other.
void append_loops(Pass& pass, const FftProblem& problem, bool first, bool last);

/// Decimation in frequency over whole passes. Of n = n1 n2 n3, time index t = (t1 n2 + t2) n3 + t3,
/// frequency index k = k1 + n1 (k2 + n2 k3): pass p transforms over t_p, whose points lie `below`
/// apart, and leaves k_p in its place; the last one stores in order.
[[nodiscard]] Pass pass_of(const FftProblem& problem, const std::vector<std::int64_t>& lengths,
                           std::size_t p);

/// Where `tuning` has a decomposition of the whole transform and pass_lengths: the steps of each
/// pass, which is a section of that tree: with FP32 between them passes make the same bits as one
/// kernel of it. Else nothing. Throws UnsupportedProblem for a tree whose steps do not end where
/// the passes do.
[[nodiscard]] std::vector<Decomposition> sections(const FftProblem& problem, const Tuning& tuning);

/// Its two sides, and what is read and written there, exchanged.
[[nodiscard]] Pass reversed(Pass pass);
[[nodiscard]] FftProblem reversed(FftProblem problem);

/// The passes of a problem whose frequencies are in transposed order, in the order of their
/// launches.
[[nodiscard]] std::vector<Pass> transposed_passes(const FftProblem& problem,
                                                  const std::vector<std::int64_t>& lengths);

/// Of the kernel of one pass, not yet resolved. `fused`: see Fusion.
[[nodiscard]] Tuning kernel_tuning(const Tuning& tuning, const Pass& pass, const Target& target,
                                   bool fused);

/// How many transforms go through all launches together, each with so many points of workspace: as
/// many as it allows, or the next number after which addresses are multiples of 16 bytes again.
[[nodiscard]] std::int64_t transforms_together(const FftProblem& problem, const Tuning& tuning,
                                               std::int64_t points);

/// The method bluestein in several launches: see Convolution.
[[nodiscard]] Program convolution_program(const FftProblem& problem, const Target& target,
                                          const Tuning& tuning);

}  // namespace sonoma
