// How a transform is made of kernels: in one launch, of a block, of a cluster of blocks, or of
// blocks in two rounds; or in several passes.
#include "way.hpp"

#include <algorithm>

#include "mixed_shape.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"

namespace sonoma {
namespace {

// What a request says about several passes, or about blocks that stand alone.
bool says_otherwise(const Tuning& t) {
  return t.pass_lengths || t.columns || t.workspace_points || t.fused || t.block_points ||
         t.stage_load || t.stage_store || t.tensor_steps || t.products || t.engine == Engine::mma;
}

// What a request says about the steps of a block and their shape.
bool shapes(const Tuning& t) {
  return t.decomposition || t.radix || t.points_per_thread || t.registers || t.method;
}

// What clusters and rounds were measured of.
bool takes_fp32_sums(const Tuning& tuning, const FftProblem& problem) {
  return admits_simt(problem.accuracy) && !takes_fp64(tuning, problem);
}

// Columns of which one block takes less than a sector of each row: a cluster of blocks takes
// enough.
bool are_narrow(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  const ColumnRules& rules = profile_of(target).columns;
  const auto& loops = problem.layout.loops;
  if (problem.n() != rules.narrow || loops.empty() || !target.has_clusters()) return false;
  const bool open = !says_otherwise(tuning) && !shapes(tuning) && !tuning.cluster && !tuning.rounds;
  const bool simt = takes_fp32_sums(tuning, problem);
  const bool f32 = problem.storage == Storage::f32 && problem.result_storage() == Storage::f32;
  const std::int64_t count = loops.front().count;
  return open && simt && f32 && loops.front() == Loop{count} &&
         count % rules.blocks_of_narrow == 0 && !single_pass(problem).has_ends();
}

// Of a transform in one launch, where `tuning` leaves them open.
Shares default_shares(const FftProblem& problem, const Target& target, const Tuning& tuning,
                      Method method) {
  const Shares given = shares_of(tuning);
  const DeviceProfile& profile = profile_of(target);
  const bool simt = takes_fp32_sums(tuning, problem);
  if (tuning.cluster || tuning.rounds || says_otherwise(tuning) || !simt) return given;
  const auto spread_of = [&](std::int64_t n) {
    return std::ranges::find(profile.spread, n, &Spread::length);
  };
  const auto none = profile.spread.end();
  if (method == Method::radix && spread_of(problem.n()) == none) return given;
  const Pass pass = single_pass(problem);
  const bool rows = pass.loops.empty() && pass.in.stride == 1 && pass.out.stride == 1;
  const bool filter = problem.convolution.has_value();
  if (filter ? !rows : !is_contiguous(pass) || pass.has_ends()) return given;
  const bool whole = method != Method::radix;  // the transforms are longer
  const std::int64_t n = whole ? convolution_length(tuning, problem.n()) : problem.n();
  const auto at = spread_of(n);
  if (method == Method::rader || at == none) return given;
  if (whole || filter) return n > profile.longest_spread_convolution ? given : at->shaped;
  if (is_half(problem.storage)) return shapes(tuning) ? at->half_shaped : at->half_open;
  return shapes(tuning) ? at->shaped : at->open;
}

}  // namespace

bool leaves_shape_open(Tuning tuning) {
  tuning.method.reset();
  return !says_otherwise(tuning) && !shapes(tuning);
}

Shares shares_of(const Tuning& tuning) {
  return {tuning.cluster.value_or(1), tuning.rounds.value_or(1)};
}

bool convolves(const Tuning& tuning) {
  return tuning.method.value_or(Method::radix) != Method::radix;
}

std::int64_t length_of(const FftProblem& problem, const Tuning& tuning) {
  return convolves(tuning) ? convolution_length(tuning, problem.n()) : problem.n();
}

namespace {

// Threads of a filter's kernel do not go round: beside two large primes a block has none for all
// butterflies of a small step. 14268 = 12 x 29 x 41.
bool lacks_threads(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  constexpr std::int64_t enough = 2048;
  const std::int64_t n = problem.n();
  if (!problem.convolution || n <= enough || n > largest_mixed(n) || is_smooth(n, 13)) return false;
  if (!leaves_shape_open(tuning) || tuning.method || takes_mma(tuning, problem)) return false;
  Tuning one = tuning;
  one.engine = Engine::simt;
  return butterflies_of(resolve(one, problem, target)) > most_threads_of_block;
}

}  // namespace

Way way_of(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  const Method method = method_for(tuning, problem, target);
  const bool narrow =
      method == Method::radix && !problem.convolution && are_narrow(problem, target, tuning);
  if (narrow) {
    const unsigned blocks = profile_of(target).columns.blocks_of_narrow;
    return {method, {blocks, 1}, false, static_cast<unsigned>(problem.n()) * blocks};
  }
  const Shares shares = default_shares(problem, target, tuning, method);
  const std::int64_t most = longest_in_one_launch(problem, target, tuning, method, shares.parts());
  const bool asks = tuning.pass_lengths || tuning.fused.value_or(false);
  return {method, shares, asks || problem.n() > most || lacks_threads(problem, target, tuning)};
}

bool takes_passes(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  return way_of(problem, target, tuning).passes;
}

bool is_plain(const FftProblem& problem, const Tuning& tuning) {
  const std::int64_t n = problem.n();
  const bool mixed = !is_power_of_two(n) && method_for(tuning, n) == Method::radix;
  return n <= (mixed ? largest_mixed(n) : 8192) && !tuning.pass_lengths && !tuning.columns &&
         !tuning.fused && is_contiguous(single_pass(problem)) && problem.ends == Ends{} &&
         !problem.convolution && !problem.out_storage && problem.storage != Storage::i16;
}

}  // namespace sonoma
