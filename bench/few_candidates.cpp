#include "few_candidates.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sonoma::bench {
namespace {

// The cost model's is that of a point of the tile.
double cost_of(const Candidate& one, const FftProblem& problem) {
  const bool convolves = one.tuning.method.value_or(Method::radix) != Method::radix;
  const bool longer = convolves && one.tuning.decomposition;
  const auto points = static_cast<double>(longer ? one.tuning.decomposition->n() : problem.n());
  return one.cost.total * points;
}

// The cost model compares those of one kind: passes of real numbers take longer than it says, and
// clusters of blocks less; blocks that stay have weights of their own.
enum class Kind { block, persistent, cluster, passes };

Kind kind_of(const Tuning& tuning) {
  if (tuning.pass_lengths) return Kind::passes;
  if (tuning.prefetch == Prefetch::persistent) return Kind::persistent;
  return tuning.cluster.value_or(1) > 1 ? Kind::cluster : Kind::block;
}

}  // namespace

std::vector<Candidate> few_candidates(std::vector<Candidate> found, std::size_t most,
                                      const FftProblem& problem) {
  if (found.size() <= most + 1) return found;
  std::vector<std::size_t> by_cost(found.size() - 1);
  std::iota(by_cost.begin(), by_cost.end(), 1);
  std::ranges::stable_sort(by_cost, {}, [&](std::size_t i) { return cost_of(found[i], problem); });
  using Steps = decltype(std::pair(Tuning().decomposition, Tuning().pass_lengths));
  const std::size_t of_same = std::max<std::size_t>(1, most / 5),
                    of_one = std::max<std::size_t>(1, most * 2 / 3);
  std::map<Steps, std::size_t> of_steps;
  std::map<Kind, std::size_t> of_kind;
  std::vector<std::size_t> taken = {0}, beyond, others;
  for (const std::size_t i : by_cost) {
    const Tuning& tuning = found[i].tuning;
    if (++of_steps[{tuning.decomposition, tuning.pass_lengths}] > of_same) {
      others.push_back(i);
    } else {
      (++of_kind[kind_of(tuning)] > of_one ? beyond : taken).push_back(i);
    }
  }
  taken.insert(taken.end(), beyond.begin(), beyond.end());
  taken.insert(taken.end(), others.begin(), others.end());
  taken.resize(most + 1);
  std::ranges::sort(taken);
  std::vector<Candidate> result;
  for (const std::size_t i : taken) result.push_back(std::move(found[i]));
  return result;
}

}  // namespace sonoma::bench
