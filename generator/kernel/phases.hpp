// Decomposition to phases: which steps go together, and a place for every digit.
#pragma once

#include <vector>

#include "sonoma/schedule.hpp"

namespace sonoma {

/// How many places a layout has: 2^registers points per thread, 2^threads threads, those of a
/// cluster of blocks, and of all rounds, together. Of a mixed tile cluster and rounds only.
struct BlockShape {
  unsigned registers = 4;
  unsigned threads = 8;
  unsigned cluster = 1, rounds = 1;
  OppositePhase opposite = OppositePhase::none;  ///< its threads hold no digits but its steps'
  bool coprime = false;  ///< the phase before the last two steps has their digits in its threads
};

/// Order in which passive digits are spread over lanes: those the neighbouring global access wants
/// contiguous come first.
enum class Affinity { input, output };

/// Which steps are products on tensor cores (by bit), and whether those of radix 16 take complex
/// words.
struct Products {
  unsigned steps = 0;
  bool words = false;
};

/// The digits that number the blocks of a cluster, and then the rounds. A block may be numbered by
/// digits that are transformed later, then by some that are done; points change their block between
/// the two. Half of the way there is least to lose: what is read and what is written is contiguous
/// as far as either digits lie apart; so as near to it as there are such digits. Opposite
/// butterflies are any block's: points change theirs before them (last), or after (first), and that
/// side of the change has no numbers.
struct BlockNumbers {
  std::size_t change = 0;  ///< the first phase after it
  std::vector<DigitId> before, after;

  [[nodiscard]] const std::vector<DigitId>& of(std::size_t phase) const {
    return phase < change ? before : after;
  }
};
/// Of phases that need not have their layouts. Throws UnsupportedProblem where there are none.
[[nodiscard]] BlockNumbers block_numbers(const std::vector<Phase>& phases,
                                         const std::vector<Digit>& digits, BlockShape shape);

/// Tensor-core engine: up to two products, first left then right, on warp tiles of 16 x 16 points,
/// and the butterflies that fit beside them.
[[nodiscard]] std::vector<Phase> mma_phases(const Decomposition& decomposition, Products products,
                                            const std::vector<Digit>& digits, BlockShape shape);
/// The same on the way back of a convolution, from the last step to the first.
[[nodiscard]] std::vector<Phase> mma_phases_back(const Decomposition& decomposition,
                                                 Products products,
                                                 const std::vector<Digit>& digits,
                                                 BlockShape shape);

/// The way back through phases that move nothing but registers: each in its own layout.
[[nodiscard]] std::vector<Phase> mirrored(const std::vector<Phase>& there);
[[nodiscard]] std::vector<Phase> joined(std::vector<Phase> there, const std::vector<Phase>& back);

/// The layout of a phase of butterflies whose steps are known: their digits in registers, and as
/// many others as make up to `most_points` of a thread, those farthest in memory; `blocks` are the
/// last ones of the threads, `apart` digits that stay in them.
void lay_out(Phase& phase, const std::vector<Digit>& digits, unsigned most_points,
             Affinity affinity, const std::vector<DigitId>& blocks,
             const std::vector<DigitId>& apart = {});

/// The first step of each phase of the CUDA-core engine, and behind them the number of steps: as
/// many steps in each as a thread has room for; in one of opposite butterflies for two.
[[nodiscard]] std::vector<std::size_t> first_steps(const std::vector<unsigned>& radices,
                                                   unsigned most_points, OppositePhase opposite);

/// CUDA-core engine: as many steps as fit the registers of a thread, which holds up to
/// `most_points`, or one butterfly. Where blocks share a tile, they are numbered by digits that
/// both sides have far apart in memory, and exchange points once.
[[nodiscard]] std::vector<Phase> simt_phases(const Decomposition& decomposition,
                                             const std::vector<Digit>& digits, unsigned most_points,
                                             BlockShape shape = {});

/// The layout that moves the tile to or from global memory in whole contiguous runs: the first
/// `vector_bits` register bits number neighbouring points, lanes and warps follow, the farthest
/// digits are registers.
[[nodiscard]] Layout linear_layout(const std::vector<Digit>& digits, BlockShape shape, Side side,
                                   unsigned vector_bits);

/// The same of a mixed tile, on at most `most_threads`: no neighbours in a thread.
[[nodiscard]] Layout mixed_linear_layout(const std::vector<Digit>& digits, unsigned most_threads,
                                         Side side);

/// The digits of opposite butterflies number the blocks of a cluster.
[[nodiscard]] StepInTwo of_opposite(const Decomposition& tree, const Shares& shares,
                                    OppositePhase phase);

/// Digits of step `step`, ascending weight.
[[nodiscard]] std::vector<DigitId> step_digits(const std::vector<Digit>& digits, unsigned step);

/// All digits but `used`, by ascending distance in the memory that is read or written.
[[nodiscard]] std::vector<DigitId> passive_digits(const std::vector<Digit>& digits,
                                                  const std::vector<DigitId>& used,
                                                  Affinity affinity);

}  // namespace sonoma
