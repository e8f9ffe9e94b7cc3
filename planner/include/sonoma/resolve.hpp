// What a request becomes where it leaves something open, wisdom aside.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/problem.hpp"
#include "sonoma/program.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// What `tuning` asks for, or else radix where there are steps for n; bluestein where not.
[[nodiscard]] Method method_for(const Tuning& tuning, std::int64_t n);
/// The same, but for what one block takes by it, and faster as measured, rader in place of
/// bluestein, as far as `tuning` says nothing that it does not have.
[[nodiscard]] Method method_for(const Tuning& tuning, const FftProblem& problem,
                                const Target& target);

/// What butterflies sum in where nothing says so: fp32, and fp64_last where FP32 may err more than
/// cuFFT (bench/NOTES.md), if points are FP32, FP64 is fast, and no arithmetic is asked for. That
/// is convolutions for lengths with a largest prime factor of 67 to 127, where cuFFT's butterflies
/// end, in one kernel or in passes; and c2r of even n from 6 to 24, one butterfly, which costs
/// nothing.
[[nodiscard]] Sums default_sums(Method method, const FftProblem& problem, const Target& target);

/// Of one kernel: decides what is open, and checks it all against problem, its accuracy, and
/// target. Throws UnsupportedProblem.
[[nodiscard]] Shape resolve(const Tuning& wish, const FftProblem& problem, const Target& target);
/// The same of a pass, which is one of several or all of its problem.
[[nodiscard]] Shape resolve(const Tuning& wish, const Pass& pass, const Target& target);

/// True if `problem` takes several passes, because it must or because `tuning` asks for it.
[[nodiscard]] bool takes_passes(const FftProblem& problem, const Target& target,
                                const Tuning& tuning);

/// True if `problem` is one that choose() knows about where it takes one launch: rows that follow
/// each other; of powers of two, n <= 8192.
[[nodiscard]] bool is_plain(const FftProblem& problem, const Tuning& tuning);

/// Open fields are chosen, and those of kernels hold for every pass. The batch decides whether two
/// passes share a launch: where it is too small to keep tiles of both under way, two launches are
/// faster.
[[nodiscard]] Program make_program(const FftProblem& problem, const Target& target,
                                   const Tuning& tuning);

/// Of the blocks that take a row of columns: as many as the others, or perhaps fewer.
enum class LastBlock { full, fewer };

/// The lengths of the passes that are taken where nothing else is asked for: as few as possible, as
/// equal as possible, each at most 4096; powers of two at most `longest`. `last`: what the blocks
/// of two passes take, by which lengths are compared. `domain`: of r2c and c2r the second of two is
/// even if n is, as real columns go in pairs. Throws UnsupportedProblem where there are none.
[[nodiscard]] std::vector<std::int64_t> pass_lengths(std::int64_t n, std::int64_t longest = 4096,
                                                     LastBlock last = LastBlock::fewer,
                                                     Domain domain = Domain::c2c);
/// Those that `tuning` says, or else the same for a transform, or, by the method bluestein, for its
/// convolution.
[[nodiscard]] std::vector<std::int64_t> default_lengths(const FftProblem& problem,
                                                        const Tuning& tuning, const Target& target,
                                                        Method method);

}  // namespace sonoma
