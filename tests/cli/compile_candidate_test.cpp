// Candidates of a search as they are compiled: what becomes of their limit of registers.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "compiled_subject.hpp"
#include "kernel_facts.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma::bench {
namespace {

const FftProblem problem{.lengths = {1000}, .batch = 1000};

Tuning tuning_with(unsigned registers) {
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.decomposition = parse_decomposition("(gs 10 (gs 10 (dft 10)))");
  tuning.points_per_thread = 10, tuning.block_points = 2000, tuning.threads = 224;
  tuning.registers = registers;
  return tuning;
}

std::optional<CompiledCandidate> compiled(unsigned registers,
                                          const CompiledSubject* known = nullptr,
                                          RegisterLimit limit = RegisterLimit::promised) {
  try {
    return compile_candidate(problem, target_for("sm_90"), tuning_with(registers), limit, known)
        .candidate;
  } catch (const FftError& error) {
    if (error.stage() == Stage::load_library) return {};
    throw;
  }
}

double fact(const CompiledCandidate& of, const char* name) {
  const auto at = std::ranges::find(fact_names(), name);
  return of.facts.at(static_cast<std::size_t>(at - fact_names().begin()));
}

// It takes some 50 registers: with a limit of 128 two blocks of 224 threads are promised.
TEST(CompileCandidate, KeepsTheBlocksThatAKernelLeavesRoomFor) {
  const auto loose = compiled(128);
  if (!loose) GTEST_SKIP() << "no NVRTC";
  ASSERT_EQ(loose->failure, "");
  ASSERT_TRUE(loose->tuning.registers);
  const unsigned limit = *loose->tuning.registers;
  EXPECT_LT(limit, 128u);
  EXPECT_LE(fact(*loose, "registers"), limit);
  EXPECT_EQ(fact(*loose, "local_bytes"), 0);
  Tuning others = loose->tuning;
  others.registers = 128;
  EXPECT_EQ(others, tuning_with(128));

  // What is asked for with that limit is left as it is.
  EXPECT_EQ(*compiled(limit), *loose);
  // So is one that promises as many blocks already, though the kernel takes less.
  EXPECT_EQ(compiled(limit - 1)->tuning, tuning_with(limit - 1));
  // And what is measured again: with another limit it is another kernel.
  const auto again = compiled(128, nullptr, RegisterLimit::as_said);
  EXPECT_EQ(again->tuning, tuning_with(128));
  EXPECT_NE(again->kernels, loose->kernels);
}

TEST(CompileCandidate, TakesWhatIsKnown) {
  const auto kept = compiled(128);
  if (!kept) GTEST_SKIP() << "no NVRTC";
  CompiledSubject known;
  known.candidates = {*kept};
  known.candidates.front().facts.back() += 1;  // which no compiler says
  for (const std::string& module : kept->modules) known.modules[module] = "cubin";
  EXPECT_EQ(*compiled(128, &known), known.candidates.front());
}

}  // namespace
}  // namespace sonoma::bench
