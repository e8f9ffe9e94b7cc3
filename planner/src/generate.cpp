#include "sonoma/generate.hpp"

#include "sonoma/resolve.hpp"

namespace sonoma {

Generated generate(const FftProblem& problem, const Target& target, const Tuning& wish) {
  validate(problem);
  return generate(single_pass(problem), target, wish);
}

Generated generate(const Pass& pass, const Target& target, const Tuning& wish) {
  validate(pass);
  return generate(Launch{pass, resolve(wish, pass.problem, target)}, target).passes.front();
}

}  // namespace sonoma
