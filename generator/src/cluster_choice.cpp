// Which transforms a cluster of blocks takes in one pass.
#include "cluster_choice.hpp"

#include "sonoma/convolution_lengths.hpp"
#include "sonoma/pass.hpp"

namespace sonoma {
namespace {

// What a request says about several passes, or about blocks that stand alone.
bool says_otherwise(const Tuning& t) {
  return t.pass_lengths || t.columns || t.workspace_points || t.fused || t.block_points ||
         t.stage_load || t.stage_store || t.persistent.value_or(false) || t.mma_form ||
         t.tensor_steps || t.products || t.engine == Engine::mma;
}

unsigned cluster_of_bits(std::int64_t length) {
  return length == 32768 || length == 65536 ? 8 : length == 131072 ? 16 : 1;
}

}  // namespace

// The results of a transform must not depend on the batch, so that the method does not either.
// Measured on an H200, 2^26 points: .70, .63, .55 of a copy, against .53, .57, .51 of two passes;
// at 16384 one block is the faster (.83 to .76), at 262144 two passes are (.54 to .38). f16: .43,
// .37, .33 against .43, .42, .40. Convolutions: 16381 .19 against .16, 32749 .18, but 65521, of
// 131072 points, .14 in passes.
unsigned default_cluster(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  if (tuning.cluster) return *tuning.cluster;
  const std::int64_t n = problem.n();
  const auto& arithmetic = problem.accuracy.arithmetic;
  if (target.arch != 90 || (arithmetic && *arithmetic != Arithmetic::simt)) return 1;
  const Pass pass = single_pass(problem);
  if (says_otherwise(tuning) || !is_contiguous(pass) || pass.has_ends()) return 1;
  const bool convolves = method_for(tuning, n) == Method::bluestein;
  if (is_half(problem.storage) && !convolves) return n == 32768 ? 8 : 1;
  const std::int64_t length = convolves ? convolution_length(tuning, n) : n;
  return convolves && length > 65536 ? 1 : cluster_of_bits(length);
}

}  // namespace sonoma
