// Which candidates a search takes that has time for few.
#include "few_candidates.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sonoma::bench {
namespace {

Candidate of(const char* steps, double cost, unsigned registers,
             std::optional<Method> method = std::nullopt) {
  Candidate one;
  one.tuning.decomposition = parse_decomposition(steps);
  one.tuning.registers = registers, one.tuning.method = method;
  one.cost.total = cost;
  return one;
}

std::vector<unsigned> registers_of(const std::vector<Candidate>& candidates) {
  std::vector<unsigned> registers;
  for (const Candidate& one : candidates) registers.push_back(one.tuning.registers.value());
  return registers;
}

using Registers = std::vector<unsigned>;
const FftProblem problem{.lengths = {60}};

TEST(FewCandidates, AreTheFirstAndTheCheapestInTheirOrder) {
  const std::vector<Candidate> found = {of("(gs 6 (dft 10))", 9, 1), of("(gs 10 (dft 6))", 3, 2),
                                        of("(gs 12 (dft 5))", 1, 3), of("(gs 5 (dft 12))", 2, 4)};
  EXPECT_EQ(registers_of(few_candidates(found, 2, problem)), (Registers{1, 3, 4}));
  EXPECT_EQ(registers_of(few_candidates(found, 0, problem)), (Registers{1}));
  EXPECT_EQ(registers_of(few_candidates(found, 9, problem)), (Registers{1, 2, 3, 4}));
}

TEST(FewCandidates, AreOfManySteps) {
  std::vector<Candidate> found = {of("(gs 4 (dft 15))", 1, 0)};
  for (unsigned i = 1; i <= 8; ++i) found.push_back(of("(gs 6 (dft 10))", 1, i));
  found.push_back(of("(gs 5 (dft 12))", 5, 20));
  found.push_back(of("(gs 12 (dft 5))", 6, 21));
  EXPECT_EQ(registers_of(few_candidates(found, 5, problem)), (Registers{0, 1, 2, 3, 20, 21}))
      << "one of each, then the cheapest";
}

TEST(FewCandidates, AreOfEveryKind) {
  std::vector<Candidate> found = {of("(gs 4 (dft 15))", 1, 0)};
  for (unsigned i = 1; i <= 6; ++i) {
    Candidate passes = of("(gs 6 (dft 10))", i, i);
    passes.tuning.decomposition.reset();
    passes.tuning.pass_lengths = std::vector<std::int64_t>{60, 10 * i};
    found.push_back(passes);
  }
  for (unsigned i = 20; i <= 22; ++i) {
    found.push_back(of("(gs 5 (dft 12))", i, i));
    found.back().tuning.cluster = 2;
  }
  EXPECT_EQ(registers_of(few_candidates(found, 5, problem)), (Registers{0, 1, 2, 3, 4, 20}))
      << "of one kind, and of the same steps, few";
}

TEST(FewCandidates, WeighConvolutionsByTheirPoints) {
  const FftProblem prime{.lengths = {67}};
  const auto by = Method::bluestein;
  const std::vector<Candidate> found = {of("(gs 12 (dft 12))", 1, 1, by),
                                        of("(gs 16 (dft 16))", 1, 2, by),
                                        of("(gs 12 (dft 14))", 1.2, 3, by)};
  EXPECT_EQ(registers_of(few_candidates(found, 1, prime)), (Registers{1, 3}));
}

}  // namespace
}  // namespace sonoma::bench
