// Real transforms in several passes.
//
// r2c of n = n1 n2: the n2 columns of n1 real points have Hermitian frequencies k1. Those up to
// n1 / 2 (two columns are transformed as one of complex numbers) are n1 / 2 + 1 rows, of whose
// frequencies k = k1 + n1 k2 each is one of the output, or the conjugate of n - k; rows 0 and n1 /
// 2 have both. Half of the points go through memory between the passes. c2r takes the passes
// backwards: what the last one stored it loads.
#include "sonoma/half_length.hpp"
#include "sonoma/passes.hpp"

namespace sonoma {
namespace {

// Of pass p of r2c, the rows k1 <= n1 / 2 alone.
Pass with_half_of_rows(Pass pass, const Lengths& lengths, std::size_t p) {
  const std::int64_t n1 = lengths.front(), rows = n1 / 2 + 1;
  const auto halved = [&](std::int64_t points) { return points / n1 * rows; };
  if (p == 0) pass.out.half = true;
  if (p > 0) pass.in.dist = halved(pass.in.dist);
  if (p + 1 < lengths.size()) pass.out.dist = halved(pass.out.dist);
  const std::size_t own = pass.loops.size() - pass.part->whole.layout.loops.size();
  if (p > 0) pass.loops[p + 1 < lengths.size() ? own - 1 : 0].count = rows;
  // The caller's loops, where they number transforms of the workspace.
  for (std::size_t i = own; i < pass.loops.size(); ++i) {
    if (p > 0) pass.loops[i].in_stride = halved(pass.loops[i].in_stride);
    if (p + 1 < lengths.size()) pass.loops[i].out_stride = halved(pass.loops[i].out_stride);
  }
  return pass;
}

std::vector<Pass> r2c_passes(const FftProblem& problem, const Lengths& lengths) {
  std::vector<Pass> passes;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    passes.push_back(with_half_of_rows(pass_of(problem, lengths, p), lengths, p));
  }
  return passes;
}

// Whether two columns of real numbers may be one of complex ones.
bool neighbours_are_points(const FftProblem& problem, const Lengths& lengths) {
  const bool input = problem.domain == Domain::r2c;
  const Ends& ends = problem.ends;
  const std::int64_t n = problem.n(), own = input ? problem.in_length() : problem.out_length();
  return (input ? ends.load_code : ends.store_code).empty() && own == n &&
         n / lengths.front() % 2 == 0 && lies_in_pairs(problem);
}

// The first pass of r2c, over so many columns of neighbours.
void take_neighbours(Pass& pass, std::int64_t n) {
  pass.in.stride /= 2, pass.in.dist /= 2;
  for (Loop& loop : pass.loops) loop.in_stride /= 2;
  pass.loops.front() = {pass.loops.front().count / 2, 1, 2};
  pass.out.mirror = {Mirror::Kind::parted, n};  // with the twiddle
  pass.after.reset();
}

// The forward transform whose input is the output of `problem`, and the other way round.
FftProblem there(const FftProblem& problem) {
  FftProblem forward = reversed(problem);
  forward.domain = Domain::r2c;
  forward.layout.in_dist = problem.out_dist(), forward.layout.out_dist = problem.in_dist();
  return forward;
}

}  // namespace

std::vector<Pass> real_passes(const FftProblem& problem, const Lengths& lengths) {
  const bool real_input = problem.domain == Domain::r2c;
  std::vector<Pass> forward = r2c_passes(real_input ? problem : there(problem), lengths);
  if (neighbours_are_points(problem, lengths)) take_neighbours(forward.front(), problem.n());
  return real_input ? forward : backwards(forward, problem, lengths);
}

}  // namespace sonoma
