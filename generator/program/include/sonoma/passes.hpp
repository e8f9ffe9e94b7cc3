// Into which passes a transform, or a convolution, falls apart: from lengths to passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sonoma/decomposition.hpp"
#include "sonoma/pass.hpp"

namespace sonoma {

using Lengths = std::vector<std::int64_t>;

/// Shorter powers of two would leave a warp without 32 neighbours.
constexpr std::int64_t shortest_pass = 32, largest_pass = 4096;

/// Throws UnsupportedProblem for lengths that are no passes of the transform.
void check_pass_lengths(const Lengths& lengths, const FftProblem& problem);
/// The same of its convolution by the method bluestein.
void check_convolution_lengths(const Lengths& lengths, const FftProblem& problem);

/// In the order of their launches.
[[nodiscard]] std::vector<Pass> passes_of(const FftProblem& problem, const Lengths& lengths);
/// The same of a convolution over lengths.size() columns, rows, and columns: see Convolution.
[[nodiscard]] std::vector<Pass> convolution_passes(const FftProblem& problem,
                                                   const Lengths& lengths);

/// The steps of each pass, which is a section of that tree of the whole transform: with FP32
/// between them passes make the same bits as one kernel of it. `simt`: of that engine. Throws
/// UnsupportedProblem for a tree whose steps do not end where the passes do.
[[nodiscard]] std::vector<Decomposition> sections(const FftProblem& problem,
                                                  const Decomposition& tree, const Lengths& lengths,
                                                  bool simt);
[[nodiscard]] std::vector<Pass> section_passes(const FftProblem& problem, const Decomposition& tree,
                                               const Lengths& lengths);

/// Several axes, powers of two, in two passes of so many points: the first takes the last axes and
/// a part of the one before them, the second what is left of it, and the axes before that. Of that
/// axis the passes are those of one transform (four-step); its frequencies come into their places
/// in the first one, so that the second one's input and output lie alike.
[[nodiscard]] std::vector<Pass> axis_passes(const FftProblem& problem, const Lengths& lengths);
/// Throws UnsupportedProblem for lengths that are none.
void check_axis_lengths(const Lengths& lengths, const FftProblem& problem);

/// Of one of the batch.
[[nodiscard]] std::int64_t transforms_of(const FftProblem& problem);

// ---- what those of a transform and of a convolution have in common

/// Decimation in frequency over whole passes. Of n = n1 n2 n3, time index t = (t1 n2 + t2) n3 + t3,
/// frequency index k = k1 + n1 (k2 + n2 k3): pass p transforms over t_p, whose points lie `below`
/// apart, and leaves k_p in its place; the last one stores in order.
[[nodiscard]] Pass pass_of(const FftProblem& problem, const Lengths& lengths, std::size_t p);

/// A row of the workspace in FP32: whole sectors of memory, so that no two blocks that store whole
/// ones write into the same. For a sector that a store fills in part an H100 takes as long as for
/// two or three. With 16 bits a row has no more than its points: with columns as they are chosen
/// there, whole sectors were 3 % slower.
[[nodiscard]] std::int64_t row_in_workspace(std::int64_t points, const FftProblem& problem);
/// Points of the workspace from one k_p to the next, p from 0 on: those of the passes after it, and
/// where p is 0 a row.
[[nodiscard]] std::int64_t apart_in_workspace(const FftProblem& problem, const Lengths& lengths,
                                              std::size_t p);
/// Of a transform.
[[nodiscard]] std::int64_t points_in_workspace(const FftProblem& problem, const Lengths& lengths);

/// The caller's loops; in the workspace their transforms follow each other.
void append_loops(Pass& pass, const FftProblem& problem, const Lengths& lengths, bool first,
                  bool last);

/// Its two sides, and what is read and written there, exchanged.
[[nodiscard]] Pass reversed(Pass pass);
[[nodiscard]] FftProblem reversed(FftProblem problem);
/// The passes of `problem`, which takes those of reversed(problem), `there`, the other way.
[[nodiscard]] std::vector<Pass> backwards(const std::vector<Pass>& there, const FftProblem& problem,
                                          const Lengths& lengths);

/// Of frequencies in transposed order.
[[nodiscard]] std::vector<Pass> transposed_passes(const FftProblem& problem,
                                                  const Lengths& lengths);

/// Of real numbers, or to them: after the columns of the real side half of the rows are enough.
[[nodiscard]] std::vector<Pass> real_passes(const FftProblem& problem, const Lengths& lengths);

}  // namespace sonoma
