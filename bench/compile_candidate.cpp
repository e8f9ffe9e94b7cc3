#include <algorithm>

#include "compiled_subject.hpp"
#include "kernel_facts.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::bench {
namespace {

struct Texts {
  Program program;
  std::vector<LaunchKernel> kernels;
  std::vector<CudaSource> sources;
};

Texts texts_of(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  Texts texts;
  texts.program = make_program(problem, target, tuning);
  for (const Launch& launch : texts.program.launches) {
    texts.kernels.push_back(generate(launch, target));
    texts.sources.push_back(texts.kernels.back().source);
  }
  return texts;
}

// What `known` has of this very text.
const CompiledCandidate* find(const CompiledSubject* known, const CompiledCandidate& wanted) {
  if (known == nullptr) return nullptr;
  const auto at = std::ranges::find_if(known->candidates, [&](const CompiledCandidate& one) {
    return one.tuning == wanted.tuning && one.kernels == wanted.kernels && one.failure.empty();
  });
  return at == known->candidates.end() ? nullptr : &*at;
}

void compile_all(const Texts& texts, const Target& target, CompiledKernels& made) {
  std::vector<Cubin> cubins;
  for (std::size_t i = 0; i < texts.sources.size(); ++i) {
    cubins.push_back(compile(texts.sources[i], target));
    made.modules[made.candidate.modules[i]] = cubins.back().bytes;
  }
  made.candidate.facts = kernel_facts(texts.program, target, texts.kernels, cubins);
}

}  // namespace

CompiledKernels compile_candidate(const FftProblem& problem, const Target& target,
                                  const Tuning& tuning, const CompiledSubject* known) {
  CompiledKernels made;
  made.candidate.tuning = tuning;
  try {
    const Texts texts = texts_of(problem, target, tuning);
    made.candidate.kernels = kernels_of(texts.sources);
    for (const CudaSource& source : texts.sources) {
      made.candidate.modules.push_back(kernels_of(std::vector{source}));
    }
    const CompiledCandidate* found = find(known, made.candidate);
    if (found == nullptr) {
      compile_all(texts, target, made);
    } else {
      made.candidate = *found;
      for (const auto& module : found->modules) made.modules[module] = known->modules.at(module);
    }
  } catch (const UnsupportedProblem& error) {
    made.candidate.failure = error.what();
  } catch (const FftError& error) {
    if (error.stage() != Stage::compile) throw;
    made.candidate.failure = error.message();
  }
  return made;
}

}  // namespace sonoma::bench
