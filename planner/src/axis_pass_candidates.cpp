// The search space of several axes in two passes; and one after the other.
#include <algorithm>
#include <map>
#include <utility>

#include "axes.hpp"
#include "search.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "trees.hpp"

namespace sonoma {
namespace {

using Wishes = std::vector<Tuning>;

// Of which the first one takes so many points, all of the last axis at least.
std::vector<Lengths> lengths_tried(const FftProblem& problem) {
  constexpr std::int64_t longest_columns = 4096;
  std::vector<Lengths> lengths;
  for (const std::int64_t first : {2048, 4096, 8192, 16384}) {
    const std::int64_t second = problem.n() / first;
    if (first < problem.lengths.back() || second < 2 || second > longest_columns) continue;
    lengths.push_back({first, second});
  }
  return lengths;
}

// Points and registers of threads: as the planner chooses for either pass, or the same of both.
void append_threads(Wishes& wishes, Tuning tuning) {
  wishes.push_back(tuning);
  for (const auto& [points, registers] : {std::pair{16u, 64u}, {16u, 80u}, {32u, 128u}}) {
    tuning.points_per_thread = points, tuning.registers = registers;
    wishes.push_back(tuning);
  }
}

// The columns of the second pass; of one launch how much lies between the passes.
void append_blocks(Wishes& wishes, Tuning tuning, bool fused) {
  tuning.fused = fused;
  for (const unsigned columns : {0u, 4u, 8u, 16u, 32u}) {
    tuning.columns = columns == 0 ? std::nullopt : std::optional(columns);
    append_threads(wishes, tuning);
  }
  tuning.columns.reset();
  if (!fused) return;
  for (const std::int64_t millions : {2, 4, 6}) {
    tuning.workspace_points = millions << 20;
    wishes.push_back(tuning);
  }
}

// Other steps of the first pass, three phases of 16 to 32 points.
void append_steps(Wishes& wishes, Tuning tuning) {
  const std::int64_t n = tuning.pass_lengths->front();
  for (const Decomposition& tree : trees_of(n, 3, 32, 8)) {
    tuning.decomposition = tree;
    tuning.points_per_thread = 32, tuning.registers = 128, tuning.fused = false;
    wishes.push_back(tuning);
  }
}

}  // namespace

std::vector<Candidate> axis_pass_candidates(const Search& begun) {
  const std::size_t few = begun.patient ? 96 : 6;
  std::vector<Candidate> result;
  for (const Lengths& lengths : lengths_tried(begun.problem)) {
    Tuning tuning;
    tuning.engine = Engine::simt;
    tuning.pass_lengths = lengths;
    for (const bool fused : {false, true}) {
      Wishes wishes;
      append_blocks(wishes, tuning, fused);
      if (!fused) append_steps(wishes, tuning);
      Search search = begun;
      for (const Tuning& wish : wishes) search.keep(wish);
      auto found = search.found();
      if (found.size() > few) found.resize(few);
      result.insert(result.end(), found.begin(), found.end());
    }
  }
  return result;
}

std::optional<Candidate> axis_by_axis_candidate(const Search& search) {
  Tuning each;
  each.engine = Engine::simt, each.fused = false;
  each.pass_lengths.emplace();
  for (const std::size_t axis : long_axes(search.problem)) {
    each.pass_lengths->push_back(search.problem.lengths[axis]);
  }
  if (!says_each_axis(each, search.problem)) return std::nullopt;
  try {
    return search.made(each).candidate;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

}  // namespace sonoma
