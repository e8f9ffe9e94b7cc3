#include <algorithm>

#include "compiled_subject.hpp"
#include "kernel_facts.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/occupancy.hpp"
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

CompiledKernels compile_as_it_is(const FftProblem& problem, const Target& target,
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

unsigned fact(const CompiledCandidate& of, const char* name) {
  const auto at = std::ranges::find(fact_names(), name);
  return static_cast<unsigned>(of.facts.at(static_cast<std::size_t>(at - fact_names().begin())));
}

// Of a kernel by its own, with so many registers.
unsigned blocks_of(const CompiledCandidate& one, unsigned registers, const Target& target) {
  LaunchShape launch;
  launch.threads = fact(one, "threads"), launch.shared_bytes = fact(one, "shared_bytes");
  return occupancy_of(launch, registers, fact(one, "static_shared_bytes"), target).blocks;
}

// The largest limit of registers, a multiple of 8, that promises as many blocks of an SM as the
// kernel leaves room for; none where the candidate's does.
std::optional<unsigned> kept_limit(const CompiledCandidate& one, const Target& target) {
  if (!one.failure.empty() || !one.tuning.registers || fact(one, "launches") != 1) return {};
  constexpr unsigned unit = 8;
  const unsigned taken = fact(one, "registers"), blocks = blocks_of(one, taken, target);
  unsigned limit = *one.tuning.registers;
  if (blocks_of(one, limit, target) >= blocks) return {};
  for (limit = limit / unit * unit; blocks_of(one, limit, target) < blocks; limit -= unit) {
    if (limit < taken + unit) return {};
  }
  return limit;
}

bool is_as_small(const CompiledCandidate& one, const CompiledCandidate& other,
                 const Target& target) {
  return one.failure.empty() && fact(one, "local_bytes") <= fact(other, "local_bytes") &&
         blocks_of(one, fact(one, "registers"), target) >=
             blocks_of(other, fact(other, "registers"), target);
}

}  // namespace

CompiledKernels compile_candidate(const FftProblem& problem, const Target& target,
                                  const Tuning& tuning, RegisterLimit limit,
                                  const CompiledSubject* known) {
  CompiledKernels made = compile_as_it_is(problem, target, tuning, known);
  if (limit == RegisterLimit::as_said) return made;
  const std::optional<unsigned> fewer = kept_limit(made.candidate, target);
  if (!fewer) return made;
  Tuning kept = tuning;
  kept.registers = fewer;
  CompiledKernels promised = compile_as_it_is(problem, target, kept, known);
  return is_as_small(promised.candidate, made.candidate, target) ? promised : made;
}

}  // namespace sonoma::bench
