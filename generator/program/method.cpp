// Which method serves a length, and how far one launch of it reaches.
#include <algorithm>
#include <bit>

#include "rader.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/pass.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

[[noreturn]] void refuse_rader(std::int64_t n, const std::string& why) {
  throw UnsupportedProblem("method", "rader", "bluestein for n = " + std::to_string(n) + why);
}

// What only several launches, or several blocks of one, have.
bool says_more_than_a_block(const Tuning& tuning) {
  return tuning.pass_lengths || tuning.fused.value_or(false) || tuning.workspace_points ||
         tuning.cluster.value_or(1) > 1 || tuning.rounds.value_or(1) > 1;
}

bool is_whole(const FftProblem& problem) { return !single_pass(problem).has_ends(); }

// Nothing that was asked for stands against it.
bool allows_rader(const Tuning& tuning, std::int64_t n) {
  const bool length = !tuning.decomposition || tuning.decomposition->n() == n - 1;
  const bool block = tuning.block_points.value_or(0) % (n - 1) == 0;
  return length && block && !says_more_than_a_block(tuning) && tuning.stage_load.value_or(true) &&
         tuning.stage_store.value_or(true);
}

// Measured on an H200, of the speed of a copy, where n - 1 has a factor of 17 to 31 (Bluestein at
// lengths nearby): 103 .67, 311 .53, 599 .46 (521 .45); 1117 .37, 1483 .35, 4003 .23 (1031 .40,
// 3001 .37, 4093 .38); 5209 .33, 8741 .31, 14281 .35 (5003 .29, 9001 .25, 10007 .24), where a
// convolution of 2n - 1 points is more than 8192; 7193, which has 29 and 31 and spills, .19.
bool prefers_rader(std::int64_t n) {
  const std::int64_t prime = largest_prime_factor(n - 1);
  if (prime <= 13 || n < 1024) return true;
  return n > 4096 && largest_prime_factor((n - 1) / prime) <= 23;
}

// Of a tuning that asks for it.
void require_rader(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  const std::int64_t n = problem.n(), most = largest_of_one_pass(target, n, Method::rader);
  if (n > most) {
    refuse_rader(n, "; a block of " + arch_name(target) + " takes up to " + std::to_string(most) +
                        " points by rader");
  }
  if (!is_whole(problem)) refuse_rader(n, ", as the request pads, crops or calls code");
  const auto require = [](const char* field, bool met, const char* needed) {
    if (!met) throw UnsupportedProblem(field, "with the method rader", needed);
  };
  require("pass_lengths", !tuning.pass_lengths && !tuning.fused.value_or(false),
          "one launch, or the method bluestein");
  require("cluster", tuning.cluster.value_or(1) == 1, "1, or the method bluestein");
  require("rounds", tuning.rounds.value_or(1) == 1, "1");
  const bool staged = tuning.stage_load.value_or(true) && tuning.stage_store.value_or(true);
  require("stage_load", staged, "1, as of stage_store: points are put in order in shared memory");
}

}  // namespace

std::int64_t largest_of_one_pass(const Target& target, std::int64_t n, Method method,
                                 unsigned parts, bool mma) {
  const bool large = target.shared_bytes >= 16384 * 8;
  if (method == Method::bluestein) {
    constexpr int for_largest_tile = 227 * 1024;
    if (parts == 1 && !mma && target.shared_bytes >= for_largest_tile)
      return largest_of_large_tiles;
    return std::int64_t{large ? 8192 : 4096} * parts;
  }
  if (method == Method::rader) {
    constexpr std::int64_t bytes_of_padded_point = 9;
    return std::min(largest_of_one_pass(target, n - 1),
                    target.shared_bytes / bytes_of_padded_point) +
           1;
  }
  if (std::has_single_bit(static_cast<std::uint64_t>(n))) {
    return std::int64_t{large ? 16384 : 8192} * parts;
  }
  constexpr std::int64_t padded = 7168;  // of a tile that fits 64 KB
  return (large ? largest_mixed(n) : std::min(largest_mixed(n), padded)) * parts;
}

Method method_for(const Tuning& tuning, std::int64_t n) {
  const bool steps = n >= 2 && is_smooth(n);
  if (!tuning.method) return steps ? Method::radix : Method::bluestein;
  if (tuning.method == Method::rader && !is_rader_prime(n)) {
    refuse_rader(n, ": rader takes primes n for which n - 1 has steps");
  }
  if (tuning.method != Method::radix || steps) return *tuning.method;
  throw UnsupportedProblem(
      "method", "radix",
      "bluestein for n = " + std::to_string(n) + ", which is no product of primes up to 31");
}

Method method_for(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  const std::int64_t n = problem.n();
  const Method method = method_for(tuning, n);
  if (method == Method::rader) require_rader(tuning, problem, target);
  if (tuning.method || method != Method::bluestein) return method;
  const bool serves = is_rader_prime(n) && prefers_rader(n) && !takes_mma(tuning, problem) &&
                      n <= largest_of_one_pass(target, n, Method::rader) && is_whole(problem) &&
                      allows_rader(tuning, n);
  return serves ? Method::rader : method;
}

}  // namespace sonoma
