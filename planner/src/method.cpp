// Which method serves a length, and how far one launch of it reaches.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "mixed_shape.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/pass.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

constexpr int for_largest_tile = 227 * 1024;  // bytes of shared memory

bool prefers_rader(std::int64_t n, const RaderRules& rules) {
  const std::int64_t prime = largest_prime_factor(n - 1);
  if (prime > rules.largest_prime) return false;
  if (prime <= rules.small_prime || n < rules.all_below) return true;
  return n > rules.longer_above && largest_prime_factor((n - 1) / prime) <= rules.second_prime;
}

// Nothing where one block takes n, a prime, by rader, as far as it is asked for.
std::optional<UnsupportedProblem> refusal_of_rader(const Tuning& t, const FftProblem& problem,
                                                   const Target& target) {
  struct Rule {
    bool broken;
    const char *field, *value;
    std::string allowed;
  };
  const std::int64_t n = problem.n();
  const bool prime = is_rader_prime(n);
  const std::int64_t most = prime ? largest_of_one_pass(target, n, Method::rader) : n;
  const std::string other = "bluestein for n = " + std::to_string(n);
  const char* with = "with the method rader";
  const Rule rules[] = {
      {!prime, "method", "rader", other + ": rader takes primes n for which n - 1 has steps"},
      {n > most, "method", "rader",
       other + "; a block of " + arch_name(target) + " takes up to " + std::to_string(most) +
           " points by rader"},
      {prime && single_pass(problem).has_ends(), "method", "rader",
       other + ", as the request pads, crops, calls code or has a real side"},
      {t.pass_lengths || t.fused.value_or(false), "pass_lengths", with,
       "one launch, or the method bluestein"},
      {t.cluster.value_or(1) > 1, "cluster", with, "1, or the method bluestein"},
      {t.rounds.value_or(1) > 1, "rounds", with, "1"},
      {!t.stage_load.value_or(true) || !t.stage_store.value_or(true), "stage_load", with,
       "1, as of stage_store: points are put in order in shared memory"}};
  const auto at = std::ranges::find(rules, true, &Rule::broken);
  if (at == std::end(rules)) return std::nullopt;
  return UnsupportedProblem(at->field, at->value, at->allowed);
}

// Nothing that was asked for is another method's.
bool allows_rader(const Tuning& tuning, const FftProblem& problem) {
  const std::int64_t n = problem.n();
  return (!tuning.decomposition || tuning.decomposition->n() == n - 1) &&
         tuning.block_points.value_or(0) % (n - 1) == 0 && !tuning.workspace_points &&
         !takes_mma(tuning, problem);
}

// Rows whose block may have fewer threads than its phases take, however long it is. On an H200 the
// fastest kernel in one block beats the fastest passes at 162 of 165 lengths from 16385 to 24576,
// and at all of 74 from there to 29056: 1.15 times in the geometric mean.
bool goes_round(const FftProblem& problem, const Target& target, bool opposite) {
  const Pass pass = single_pass(problem);
  return goes_by_cost_model(problem.n()) && pass.loops.empty() &&
         (opposite || mixed_kernel(pass, Method::radix, target).laps);
}

}  // namespace

std::int64_t longest_in_one_launch(const FftProblem& problem, const Target& target,
                                   const Tuning& tuning, Method method, unsigned parts) {
  const std::int64_t n = problem.n();
  const std::int64_t most =
      largest_of_one_pass(target, n, method, parts, takes_mma(tuning, problem));
  const bool opposite = tuning.opposite.value_or(false);
  const bool rounds = (parts == 1 || opposite) && method == Method::radix && !is_power_of_two(n) &&
                      target.shared_bytes >= for_largest_tile;
  const bool served = (tuning.block_points && *tuning.block_points % n == 0) ||
                      ((leaves_shape_open(tuning) || opposite) && !takes_mma(tuning, problem) &&
                       goes_round(problem, target, opposite));
  return rounds && served ? std::max(most, std::int64_t{largest_mixed_tile} * parts) : most;
}

std::int64_t largest_of_one_pass(const Target& target, std::int64_t n, Method method,
                                 unsigned parts, bool mma) {
  const bool large = target.shared_bytes >= 16384 * 8;
  if (method == Method::bluestein) {
    if (parts == 1 && !mma && target.shared_bytes >= for_largest_tile)
      return largest_of_large_tiles;
    return std::int64_t{large ? 8192 : 4096} * parts;
  }
  if (method == Method::rader) {
    constexpr std::int64_t bytes_of_padded_point = 9;
    return std::min(largest_of_one_pass(target, n - 1, Method::radix),
                    target.shared_bytes / bytes_of_padded_point) +
           1;
  }
  if (is_power_of_two(n)) return std::int64_t{large ? 16384 : 8192} * parts;
  constexpr std::int64_t padded = 7168;  // of a tile that fits 64 KB
  return (large ? largest_mixed(n) : std::min(largest_mixed(n), padded)) * parts;
}

Sums default_sums(Method method, const FftProblem& problem, const Target& target) {
  constexpr std::int64_t exact = 4, one_butterfly = 24;
  const std::int64_t n = problem.n();
  const bool convolved = method == Method::bluestein && errs_less_in_cufft(n);
  const bool errs_more =
      convolved || (problem.domain == Domain::c2r && n % 2 == 0 && n > exact && n <= one_butterfly);
  const bool fp32 = problem.storage == Storage::f32 && problem.result_storage() == Storage::f32;
  const bool suits = errs_more && fp32 && target.has_fast_fp64() && !problem.accuracy.arithmetic;
  return suits ? Sums::fp64_last : Sums::fp32;
}

Method method_for(const Tuning& tuning, std::int64_t n) {
  const bool steps = n >= 2 && is_smooth(n);
  if (!tuning.method) return steps ? Method::radix : Method::bluestein;
  if (tuning.method != Method::radix || steps) return *tuning.method;
  throw UnsupportedProblem(
      "method", "radix",
      "bluestein for n = " + std::to_string(n) + ", which is no product of primes up to 61");
}

Method method_for(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  const std::int64_t n = problem.n();
  if (problem.convolution && tuning.method.value_or(Method::radix) != Method::radix) {
    throw UnsupportedProblem("method", to_string(*tuning.method),
                             "radix for a convolution with a filter, which is none within another; "
                             "drop it");
  }
  // A butterfly in FP64 of 37 points takes 253 registers, and spills from 43 on (NVRTC 13.0,
  // sm_90): in one block a convolution.
  const bool convolved = !tuning.method && !tuning.decomposition && !tuning.radix &&
                         !problem.convolution && takes_fp64(tuning, problem) &&
                         !is_smooth(n, largest_usual_radix) &&
                         n <= largest_of_one_pass(target, n, Method::bluestein);
  const Method method = convolved ? Method::bluestein : method_for(tuning, n);
  if (method == Method::radix || tuning.method == Method::bluestein) return method;
  const auto refusal = refusal_of_rader(tuning, problem, target);
  if (tuning.method && refusal) throw *refusal;
  return tuning.method || (!refusal && prefers_rader(n, profile_of(target).rader) &&
                           allows_rader(tuning, problem))
             ? Method::rader
             : method;
}

}  // namespace sonoma
