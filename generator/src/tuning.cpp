#include "sonoma/tuning.hpp"

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

void check_decomposition(const Tuning& tuning, const FftProblem& problem) {
  if (tuning.radix && tuning.decomposition) {
    throw UnsupportedProblem("radix", std::to_string(*tuning.radix),
                             "a radix or a decomposition, not both");
  }
  if (!tuning.decomposition) return;
  for (const unsigned radix : tuning.decomposition->radices) {
    if (radix == 2 || radix == 4 || radix == 8 || radix == 16) continue;
    throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                             "steps of radix 2, 4, 8 or 16");
  }
  if (tuning.decomposition->n() != problem.n()) {
    throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                             "its radices multiply to " +
                                 std::to_string(tuning.decomposition->n()) + ", n is " +
                                 std::to_string(problem.n()));
  }
}

void check_form(const Tuning& tuning, const Target& target) {
  if (!tuning.mma_form) return;
  if (tuning.engine == Engine::simt) {
    throw UnsupportedProblem("mma_form", to_string(*tuning.mma_form),
                             "only the engine mma has warp-matrix products; drop one of the two");
  }
  if (*tuning.mma_form == MmaForm::ptx && !target.has_mma_m16n8k16()) {
    throw UnsupportedProblem(
        "mma_form", "ptx",
        "mma.sync.m16n8k16 needs sm_80 or later; " + arch_name(target) + " takes wmma");
  }
}

}  // namespace

Tuning resolve(const Tuning& tuning, const FftProblem& problem, const Target& target) {
  validate(problem);
  check_decomposition(tuning, problem);
  check_form(tuning, target);
  Tuning result = tuning;
  // Below 16 points a tensor-core step would multiply mostly zeros.
  if (!result.engine) {
    result.engine = problem.n() >= 16 || tuning.mma_form ? Engine::mma : Engine::simt;
  }
  if (!result.decomposition) result.decomposition = decompose(problem.n(), tuning.radix);
  result.radix.reset();
  if (*result.engine == Engine::mma && !result.mma_form) {
    result.mma_form = target.has_mma_m16n8k16() ? MmaForm::ptx : MmaForm::wmma;
  }
  return result;
}

std::string to_string(Engine engine) { return engine == Engine::mma ? "mma" : "simt"; }
std::string to_string(MmaForm form) { return form == MmaForm::ptx ? "ptx" : "wmma"; }

std::string to_string(const Tuning& tuning) {
  std::string text = tuning.engine ? "engine=" + to_string(*tuning.engine) : "engine=default";
  if (tuning.radix) text += " radix=" + std::to_string(*tuning.radix);
  if (tuning.decomposition) text += " decomposition=" + to_string(*tuning.decomposition);
  if (tuning.mma_form) text += " mma_form=" + to_string(*tuning.mma_form);
  return text;
}

}  // namespace sonoma
