// Which transforms take one launch: of a block, of a cluster of blocks, or of blocks in two rounds.
#include "decide.hpp"
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

}  // namespace

Shares shares_of(const Tuning& tuning) {
  return {tuning.cluster.value_or(1), tuning.rounds.value_or(1)};
}

bool convolves(const Tuning& tuning) {
  return tuning.method.value_or(Method::radix) != Method::radix;
}

std::int64_t length_of(const FftProblem& problem, const Tuning& tuning) {
  return convolves(tuning) ? convolution_length(tuning, problem.n()) : problem.n();
}

Shares default_shares(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  const Shares given = shares_of(tuning);
  const DeviceProfile& profile = profile_of(target);
  const bool simt = problem.accuracy.arithmetic.value_or(Arithmetic::simt) == Arithmetic::simt;
  const Pass pass = single_pass(problem);
  const bool open = !tuning.cluster && !tuning.rounds && !says_otherwise(tuning);
  if (!open || profile.spread.empty() || !simt || !is_contiguous(pass) || pass.has_ends()) {
    return given;
  }
  const Method method = method_for(tuning, problem, target);
  if (method == Method::rader) return given;
  const bool whole = method == Method::bluestein;
  const std::int64_t n = whole ? convolution_length(tuning, problem.n()) : problem.n();
  if (whole && n > profile.longest_spread_convolution) return given;
  for (const Spread& spread : profile.spread) {
    if (spread.length != n) continue;
    const bool shaped = whole || shapes(tuning);
    if (!whole && is_half(problem.storage)) return shaped ? spread.half_shaped : spread.half_open;
    return shaped ? spread.shaped : spread.open;
  }
  return given;
}

bool takes_passes(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  const Method method = method_for(tuning, problem, target);
  return tuning.pass_lengths.has_value() || tuning.fused.value_or(false) ||
         problem.n() > largest_of_one_pass(target, problem.n(), method,
                                           default_shares(problem, target, tuning).parts(),
                                           takes_mma(tuning, problem));
}

bool is_plain(const FftProblem& problem, const Tuning& tuning) {
  const bool half =
      is_power_of_two(problem.n()) || method_for(tuning, problem.n()) != Method::radix;
  return problem.n() <= (half ? 8192 : largest_mixed(problem.n())) && !tuning.pass_lengths &&
         !tuning.columns && !tuning.fused && is_contiguous(single_pass(problem)) &&
         problem.ends == Ends{} && !problem.out_storage && problem.storage != Storage::i16;
}

}  // namespace sonoma
