// Several axes in two passes, of which the second one goes on within an axis where the first ends.
#include <algorithm>

#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {
namespace {

/// How a first pass of so many points cuts the axes.
struct Cut {
  std::size_t axis = 0;             ///< the slowest one that it has a part of
  std::int64_t part = 1, rest = 1;  ///< of that axis, in the first pass and in the second
  std::int64_t inner = 1;           ///< points of the axes behind it
};

Cut cut_of(const std::vector<std::int64_t>& lengths, std::int64_t first) {
  Cut cut{lengths.size() - 1};
  while (cut.axis > 0 && cut.inner * lengths[cut.axis] < first) cut.inner *= lengths[cut.axis--];
  cut.part = first / cut.inner;
  cut.rest = lengths[cut.axis] / cut.part;
  return cut;
}

Pass common(const FftProblem& problem, const Lengths& lengths, unsigned number) {
  Pass pass;
  pass.problem = problem;
  pass.problem.layout = {}, pass.problem.ends = {}, pass.problem.out_storage.reset();
  pass.problem.batch = 1, pass.problem.scale = 1;
  pass.part = Part{lengths, number, problem};
  pass.part->whole.batch = 1;
  return pass;
}

}  // namespace

void check_axis_lengths(const Lengths& lengths, const FftProblem& problem) {
  const bool two = lengths.size() == 2 && product_of(lengths) == problem.n();
  const bool bits = std::ranges::all_of(problem.lengths, is_power_of_two);
  const auto fits = [&] {
    const Cut cut = cut_of(problem.lengths, lengths[0]);
    return is_power_of_two(lengths[0]) && lengths[0] >= problem.lengths.back() &&
           lengths[1] <= largest_pass && cut.part * cut.inner >= shortest_pass;
  };
  if (two && bits && fits()) return;
  throw UnsupportedProblem(
      "pass_lengths", to_list(lengths),
      "for " + to_shape(problem.lengths) + " in two passes powers of two whose product is " +
          std::to_string(problem.n()) + ": the first at least the last axis, the second at most " +
          std::to_string(largest_pass));
}

std::vector<Pass> axis_passes(const FftProblem& problem, const Lengths& lengths) {
  const std::int64_t n = problem.n();
  const Cut cut = cut_of(problem.lengths, lengths[0]);
  const auto axis = problem.lengths.begin() + static_cast<std::ptrdiff_t>(cut.axis);
  Pass first = common(problem, lengths, 1), second = common(problem, lengths, 2);

  first.problem.lengths.assign(axis + 1, problem.lengths.end());
  first.in = {problem.storage, 1, problem.in_dist()};
  first.out = {Storage::f32, 1, n, false};
  if (cut.part > 1) {
    first.problem.lengths.insert(first.problem.lengths.begin(), cut.part);
    if (cut.rest > 1) {
      first.in.first_axis = cut.rest * cut.inner;
      first.after = {Factor::Kind::twiddle, cut.part * cut.rest};
    }
  }
  if (cut.rest > 1) first.loops.push_back({cut.rest, cut.inner, lengths[0]});
  const std::int64_t before = n / lengths[0] / cut.rest, whole = lengths[0] * cut.rest;
  if (before > 1) first.loops.push_back({before, whole, whole});

  second.problem.lengths.assign(problem.lengths.begin(), axis);
  if (cut.rest > 1 || second.problem.lengths.empty()) second.problem.lengths.push_back(cut.rest);
  second.problem.storage = Storage::f32, second.problem.scale = problem.scale;
  second.in = {Storage::f32, lengths[0], n, false};
  second.out = {problem.result_storage(), lengths[0], problem.out_dist()};
  second.loops = {{lengths[0], 1, 1}};
  return {first, second};
}

}  // namespace sonoma
