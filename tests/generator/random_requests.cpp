#include "random_requests.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace sonoma::test {

Generated RandomRequest::generated() const { return generate(problem, target_for(arch), tuning); }

std::string name(const RandomRequest& request) {
  return "n=" + std::to_string(request.problem.n()) + " " + to_string(request.problem.direction) +
         " " + to_string(request.problem.storage) +
         " scale=" + std::to_string(request.problem.scale) + " " + request.arch + " " +
         to_string(request.tuning);
}

Decomposition RandomRequests::decomposition(unsigned bits) {
  Decomposition d;
  while (bits > 0) {
    const unsigned step = 1 + below(std::min(bits, 4u));
    d.radices.push_back(1u << step);
    bits -= step;
  }
  return d;
}

Tuning RandomRequests::tuning(const FftProblem& problem) {
  Tuning t;
  t.engine = one_in(3) ? Engine::simt : Engine::mma;
  const auto bits = static_cast<unsigned>(std::bit_width(static_cast<unsigned>(problem.n()))) - 1;
  t.decomposition = decomposition(bits);
  const bool mma = t.engine == Engine::mma;
  if (mma && one_in(3)) t.tensor_steps = 1 + below((1u << t.decomposition->radices.size()) - 1);
  if (mma && one_in(2)) t.products = std::array{1u, 3u, 4u}[below(3)];
  if (one_in(2)) t.points_per_thread = mma ? 16u << below(2) : 2u << below(5);
  if (one_in(2)) t.block_points = static_cast<unsigned>(problem.n()) << below(6);
  if (one_in(2)) t.stage_load = one_in(2);
  if (one_in(2)) t.stage_store = one_in(2);
  return t;
}

RandomRequest RandomRequests::next() {
  RandomRequest request;
  request.problem.lengths = {std::int64_t{2} << below(13)};
  request.problem.direction = one_in(2) ? Direction::forward : Direction::inverse;
  request.problem.storage = std::array{Storage::f32, Storage::f16, Storage::bf16}[below(3)];
  if (one_in(4)) request.problem.scale = 1.0 / 3;
  request.arch = one_in(4) ? "sm_75" : "sm_90";
  request.tuning = tuning(request.problem);
  return request;
}

RandomRequest RandomRequests::next_supported() {
  for (;;) {
    RandomRequest request = next();
    try {
      (void)request.generated();
      return request;
    } catch (const UnsupportedProblem&) {
      continue;
    }
  }
}

}  // namespace sonoma::test
