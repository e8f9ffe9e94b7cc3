#include "sonoma/packed.hpp"

#include "sonoma/errors.hpp"

namespace sonoma {

std::string lacks_for_packed(const FftProblem& problem) {
  FftProblem plain = problem;
  plain.layout.in_dist = plain.layout.out_dist = 0;
  const bool follow = problem.in_dist() == problem.n() && problem.out_dist() == problem.n();
  if (problem.domain != Domain::c2c || problem.lengths.size() > 1 || problem.convolution) {
    return "a complex transform over one axis";
  }
  if (problem.storage != Storage::f16 || problem.result_storage() != Storage::f16) {
    return "storage f16 on both sides";
  }
  if (plain.layout != DataLayout{} || !follow || problem.alignment < 16) {
    return "transforms one after the other, from multiples of 16 bytes on";
  }
  if (problem.ends != Ends{} || problem.order != Order::natural) {
    return "all points, in natural order, and no code of the caller's";
  }
  return problem.n() % 4 == 0 ? "" : "n a multiple of 4";
}

FftProblem packed_half(const FftProblem& problem) {
  if (const std::string lacking = lacks_for_packed(problem); !lacking.empty()) {
    throw UnsupportedProblem("accuracy", to_string(Arithmetic::packed),
                             lacking + "; simt serves every request");
  }
  FftProblem half = problem;
  half.lengths.front() /= 2;
  half.storage = Storage::f32, half.out_storage.reset();
  half.layout = {};
  half.accuracy = {Arithmetic::simt, {}};
  return half;
}

Pass packed_pass(Pass pass, const FftProblem& problem) {
  pass.packed = problem, pass.packed->batch = 1;
  if (pass.in.end) pass.in.storage = Storage::f16;
  if (pass.out.end) pass.out.storage = Storage::f16, pass.out.dist = problem.n();
  if (pass.in.end || pass.out.end) pass.problem.scale = problem.scale;
  return pass;
}

}  // namespace sonoma
