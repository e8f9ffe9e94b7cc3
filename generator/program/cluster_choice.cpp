// Which transforms a cluster of blocks takes in one pass, and which blocks take two rounds.
#include "cluster_choice.hpp"

#include "sonoma/convolution_lengths.hpp"
#include "sonoma/pass.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

// What a request says about several passes, or about blocks that stand alone.
bool says_otherwise(const Tuning& t) {
  return t.pass_lengths || t.columns || t.workspace_points || t.fused || t.block_points ||
         t.stage_load || t.stage_store || t.mma_form || t.tensor_steps || t.products ||
         t.engine == Engine::mma;
}

// What a request says about the steps of a block and their shape.
bool shapes(const Tuning& t) {
  return t.decomposition || t.radix || t.points_per_thread || t.registers || t.method;
}

// Of the length of the decomposition. `free`: its steps and their shape are open.
Shares of_bits(std::int64_t length, bool half, bool free) {
  if (free && length == 16384) return {1, 2};
  if (free && length == 32768) return {half ? 1u : 2u, 2};
  if (free && !half && (length == 65536 || length == 131072)) return {8, 2};
  if (half) return {length == 32768 ? 8u : 1u, 1};
  return {length == 32768 || length == 65536 ? 8u : length == 131072 ? 16u : 1u, 1};
}

}  // namespace

// The results of a transform must not depend on the batch, so that the method does not either.
// Measured on an H200, 2^26 points, from 2^14 on: .92, .76, .69, .62 of a copy in two rounds, .83,
// .70, .64, .54 in one, against .53, .57, .51 of two passes from 2^15 on, which are the faster at
// 2^18 (.54 to .38). f16: .67, .53 in two rounds, then two passes: .42, .40 (clusters .37, .33).
// Convolutions: 16381 .19 against .16, 32749 .18, but 65521, of 131072 points, .14 in passes.
Shares default_shares(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  Shares shares{tuning.cluster.value_or(1), tuning.rounds.value_or(1)};
  if (tuning.cluster || tuning.rounds) return shares;
  const std::int64_t n = problem.n();
  const auto& arithmetic = problem.accuracy.arithmetic;
  if (target.arch != 90 || (arithmetic && *arithmetic != Arithmetic::simt)) return shares;
  const Pass pass = single_pass(problem);
  if (says_otherwise(tuning) || !is_contiguous(pass) || pass.has_ends()) return shares;
  const Method method = method_for(tuning, problem, target);
  if (method == Method::rader) return shares;
  if (method == Method::bluestein) {
    const std::int64_t length = convolution_length(tuning, n);
    return length > 65536 ? shares : of_bits(length, false, false);
  }
  return of_bits(n, is_half(problem.storage), !shapes(tuning));
}

// The fastest found on an H200.
Decomposition steps_in_rounds(std::int64_t length) {
  switch (length) {
    case 16384:
      return {{32, 16, 32}};
    case 32768:
      return {{32, 32, 32}};
    case 65536:
      return {{16, 16, 8, 32}};
    case 131072:
      return {{16, 16, 16, 32}};
    default:
      return decompose(length);
  }
}

}  // namespace sonoma
