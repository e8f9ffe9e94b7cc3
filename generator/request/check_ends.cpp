#include "check_ends.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "saturated.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

void check_end(const std::string& field, std::int64_t length, bool input, std::int64_t all) {
  if (length >= 0 && length <= (input ? largest_n : all)) return;
  throw UnsupportedProblem(
      field, std::to_string(length),
      input ? "0 (all n) or the points that a transform has in memory, up to 2^31"
            : "0 (all of them), or 1 to " + std::to_string(all) +
                  "; a longer output needs a longer transform");
}

// Along the axes before the last one.
void check_ends_before(const FftProblem& problem, bool input) {
  const std::string field = input ? "ends.in_lengths" : "ends.out_lengths";
  const auto& lengths = input ? problem.ends.in_lengths : problem.ends.out_lengths;
  if (lengths.empty()) return;
  if (lengths.size() + 1 != problem.lengths.size()) {
    throw UnsupportedProblem(
        field + ".size()", std::to_string(lengths.size()),
        "0, or one for each axis before the last: " + std::to_string(problem.lengths.size() - 1));
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;  // in bytes
  std::int64_t points = std::max<std::int64_t>(
      problem.lengths.back(), input ? problem.ends.in_length : problem.ends.out_length);
  for (std::size_t a = 0; a < lengths.size(); ++a) {
    const std::string name = field + "[" + std::to_string(a) + "]";
    check_end(name, lengths[a], input, problem.lengths[a]);
    const std::int64_t own = std::max(lengths[a], problem.lengths[a]);
    if (own > most / points) {
      throw UnsupportedProblem(name, std::to_string(lengths[a]),
                               "fewer points: those of all axes must fit 63 bits");
    }
    points *= own;
  }
}

// The largest index that code is told has 32 bits.
void check_code(const FftProblem& problem, bool input) {
  constexpr std::int64_t most = (std::int64_t{1} << 32) - 1;
  const std::string side = input ? "in" : "out";
  validate_code(input ? "ends.load_code" : "ends.store_code", problem.ends.code(input));
  if (problem.ends.code(input).empty()) return;
  if (is_trigonometric(problem.domain)) {
    throw UnsupportedProblem("ends", to_string(problem.ends),
                             "no code of the caller's with " + to_string(problem.domain) +
                                 "; change the numbers before or after the transform");
  }
  std::int64_t last = saturated_reach(input ? problem.in_length() : problem.out_length(),
                                      problem.ends.index(input).step);
  for (std::size_t i = 0; i < problem.layout.loops.size(); ++i) {
    const Loop& loop = problem.layout.loops[i];
    last = saturated_sum(last, saturated_reach(loop.count, loop.index(input)));
    if (loop.count == 1 || loop.index(input) > 0) continue;
    throw UnsupportedProblem(
        "layout.loops[" + std::to_string(i) + "]." + side + "_index",
        std::to_string(loop.index(input)),
        "1 or more beside code of the caller's: what one more of the loop adds "
        "to the index that it is told; or make the dimension the batch");
  }
  if (last <= most) return;
  throw UnsupportedProblem("ends." + side + "_length", std::to_string(saturated_sum(last, 1)),
                           "up to 2^32 points that code of the caller's tells apart by their "
                           "index; transform axis by axis, or make dimensions the batch");
}

}  // namespace

void check_ends(const FftProblem& problem) {
  for (const bool input : {true, false}) {
    check_end(input ? "ends.in_length" : "ends.out_length",
              input ? problem.ends.in_length : problem.ends.out_length, input,
              length_in_memory(problem.lengths.back(), problem.values(input)));
    check_ends_before(problem, input);
    check_code(problem, input);
  }
}

}  // namespace sonoma
