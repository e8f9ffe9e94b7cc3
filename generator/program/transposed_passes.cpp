// Frequencies in the order in which the passes leave them.
#include <numeric>
#include <utility>

#include "sonoma/passes.hpp"

namespace sonoma {
namespace {

// The last pass, which leaves every point where it was: rows side by side.
Pass last_in_place(const FftProblem& problem, const Lengths& lengths) {
  Pass pass = pass_of(problem, lengths, lengths.size() - 1);
  const std::int64_t out = problem.layout.out_stride;
  pass.out.stride = out;
  pass.loops.clear();
  std::int64_t stride = pass.n();
  for (std::size_t q = lengths.size() - 1; q-- > 0;) {
    pass.loops.push_back({lengths[q], apart_in_workspace(problem, lengths, q), stride * out});
    stride *= lengths[q];
  }
  append_loops(pass, problem, lengths, false, true);
  return pass;
}

std::vector<Pass> forward_passes(const FftProblem& problem, const Lengths& lengths) {
  std::vector<Pass> passes;
  for (std::size_t p = 0; p + 1 < lengths.size(); ++p) {
    passes.push_back(pass_of(problem, lengths, p));
  }
  passes.push_back(last_in_place(problem, lengths));
  return passes;
}

}  // namespace

Pass reversed(Pass pass) {
  std::swap(pass.in, pass.out);
  std::swap(pass.before, pass.after);
  pass.problem.storage = pass.in.storage;
  for (Loop& loop : pass.loops) loop = loop.reversed();
  return pass;
}

FftProblem reversed(FftProblem problem) {
  const Storage storage = problem.storage;
  std::swap(problem.layout.in_stride, problem.layout.out_stride);
  std::swap(problem.layout.in_dist, problem.layout.out_dist);
  std::swap(problem.ends.in_length, problem.ends.out_length);
  problem.storage = problem.result_storage();
  problem.out_storage = storage;
  for (Loop& loop : problem.layout.loops) loop = loop.reversed();
  return problem;
}

// An inverse transform takes the way of the forward one back: each pass was a symmetric matrix, and
// the sign of the exponent is its own.
std::vector<Pass> transposed_passes(const FftProblem& problem, const Lengths& lengths) {
  if (problem.direction == Direction::forward) return forward_passes(problem, lengths);
  return backwards(forward_passes(reversed(problem), lengths), problem, lengths);
}

std::vector<Pass> backwards(const std::vector<Pass>& there, const FftProblem& problem,
                            const Lengths& lengths) {
  std::vector<Pass> passes;
  for (std::size_t p = there.size(); p-- > 0;) {
    Pass pass = reversed(there[p]);
    pass.problem.scale = p == 0 ? problem.scale : 1;
    pass.part = Part{lengths, static_cast<unsigned>(passes.size() + 1), problem};
    pass.part->whole.batch = 1;
    passes.push_back(pass);
  }
  return passes;
}

}  // namespace sonoma
