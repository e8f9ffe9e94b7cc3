// Passes over memory that are sections of one Gentleman-Sande tree.
#include <algorithm>

#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {
namespace {

// The tables of a first pass are 3 n bytes and more. Measured on an H200: from 2^20 on they cost
// more than they save.
constexpr std::int64_t most_points = std::int64_t{1} << 22;

}  // namespace

std::vector<Decomposition> sections(const FftProblem& problem, const Decomposition& tree,
                                    const Lengths& lengths, bool simt) {
  const auto refuse = [&](const std::string& allowed) {
    throw UnsupportedProblem(
        "decomposition", to_string(tree),
        allowed + ", or of one of pass_lengths " + to_list(lengths) + ", or none with them");
  };
  const bool bits = std::ranges::all_of(tree.radices, is_power_of_two);
  // A fragment of the engine mma holds several columns, whose factors differ.
  const bool plain = problem.order == Order::natural && !has_hermitian(problem.domain);
  if (!bits || problem.n() > most_points || !plain || !simt) {
    refuse(
        "of all passes: the arithmetic of the engine simt, powers of two up to 2^22, order "
        "natural, "
        "no domain r2c or c2r");
  }
  std::vector<Decomposition> result;
  auto next = tree.radices.begin();
  for (const std::int64_t length : lengths) {
    Decomposition& section = result.emplace_back();
    std::int64_t points = 1;
    while (points < length && next != tree.radices.end()) {
      points *= *next;
      section.radices.push_back(*next++);
    }
    if (points != length) refuse("steps of all passes that end where the passes do");
  }
  return result;
}

std::vector<Pass> section_passes(const FftProblem& problem, const Decomposition& tree,
                                 const Lengths& lengths) {
  std::vector<Pass> passes = passes_of(problem, lengths);
  for (Pass& pass : passes) {
    pass.part->tree = tree;
    pass.after.reset();
  }
  return passes;
}

}  // namespace sonoma
