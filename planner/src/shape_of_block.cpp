#include "shape_of_block.hpp"

#include <algorithm>
#include <bitset>
#include <limits>

#include "sonoma/check_shape.hpp"
#include "way.hpp"

namespace sonoma {

void count_threads(std::vector<unsigned>& counts, const Fillings& fillings, const MixedShape& shape,
                   const MixedKernel& kernel) {
  constexpr unsigned most_laps = 8, warp = 32;
  counts.assign(1, 0);
  const bool shares = shape.shares.parts() > 1 && shape.opposite == OppositePhase::none;
  if (!kernel.laps || fillings.phases().size() == 1 || shares) return;
  const unsigned all = std::ranges::max(fillings.phases(), {}, &Fillings::Phase::items).items;
  std::bitset<most_threads_of_block / warp + 1> warps;
  for (const Fillings::Phase& phase : fillings.phases()) {
    const unsigned of_phase = (phase.items + warp - 1) / warp;
    for (unsigned laps = 1; laps <= most_laps; ++laps) {
      const unsigned of_lap = (of_phase + laps - 1) / laps;
      if (of_lap * warp < fewest_threads) break;
      if (of_lap < warps.size()) warps.set(of_lap);
    }
  }
  for (unsigned one = 1; one < warps.size() && one * warp < all; ++one) {
    if (warps[one]) counts.push_back(one * warp);
  }
}

bool may_fill(const Decomposition& tree, unsigned points) {
  return std::ranges::any_of(tree.radices, [&](unsigned radix) { return points % radix == 0; });
}

unsigned usual_points_of(const Decomposition& tree, const Tuning& wish, const MixedKernel& kernel) {
  if (kernel.opposite == OppositePhase::none || shares_of(wish).parts() == 1) return usual_points;
  const auto& radices = tree.radices;
  const bool first = kernel.opposite == OppositePhase::first;
  return std::max(usual_points, 2 * (first ? radices.front() : radices.back()));
}

unsigned usual_block_of(const MixedKernel& kernel) {
  return kernel.filters ? 2 * usual_block : usual_block;
}

void BlockJudge::look_at(const Decomposition& tree, unsigned block, unsigned most_points,
                         Expecting& expected) {
  candidates_.clear();
  const unsigned one = largest_of(tree);
  MixedShape shape{0, block, shares_of(wish_), 0, kernel_.opposite, kernel_.coprime};
  for (unsigned points = one; points <= std::max(most_points, one); ++points) {
    if (!wish_.points_per_thread && !may_fill(tree, points)) continue;
    shape.points_per_thread = wish_.points_per_thread.value_or(points);
    const Fillings fillings(work_of(tree, shape), shape.points_per_thread);
    // Else room for more points fills no phase further, and takes no more laps at once.
    if (candidates_.empty() ||
        !std::ranges::equal(candidates_.back().fillings.phases(), fillings.phases())) {
      const double at_least = wish_.threads ? 0 : expected.at_least(fillings, shape);
      candidates_.push_back({shape, fillings, at_least});
    }
    if (wish_.points_per_thread) break;
  }
}

std::optional<JudgedShape> BlockJudge::best(const Decomposition& tree, unsigned block,
                                            unsigned most_points, double below) {
  Expecting expected(tree, kernel_, norms_);
  look_at(tree, block, most_points, expected);
  const auto may_be = [=](const Candidate& one) { return one.at_least < below; };
  if (std::ranges::none_of(candidates_, may_be)) return std::nullopt;
  std::optional<JudgedShape> best;
  counts_.assign(1, wish_.threads.value_or(0));
  for (const auto& [shape, fillings, at_least] : candidates_) {
    const auto most = [&] {
      return best ? 0.99 * best->cycles : std::numeric_limits<double>::infinity();
    };
    if (at_least >= most()) continue;
    if (!wish_.threads) count_threads(counts_, fillings, shape, kernel_);
    for (const unsigned threads : counts_) {
      MixedShape one = shape;
      one.threads = threads;
      const double cycles = expected.of(fillings.on(threads), one, most()).cycles;
      if (cycles < most()) best = {one, cycles};
    }
  }
  return best;
}

}  // namespace sonoma
