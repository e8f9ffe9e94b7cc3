// Which two passes share a launch where nothing was measured, and the tile that both take. In one
// launch what lies between them stays in the L2 cache; a tile that suits both passes has other
// columns than either would take alone, and few blocks an SM. So both times are predicted, see
// SharedRules. Prime factors from 17 on have shapes that leave an SM few blocks: 29890 = 70 x 427
// .14 of a copy's speed for .28.
#include <algorithm>
#include <cmath>

#include "columns.hpp"
#include "fuse.hpp"
#include "pass_lengths.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/resolve.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

/// Both passes, of a points and of b points, take `points`.
struct SharedTile {
  std::int64_t a, b;
  unsigned points;
};

double time_of(const SharedTile& tile, const SharedRules& rules) {
  const ColumnWeights weights{.crowding = 0,
                              .lines = rules.aligned,
                              .sectors = rules.aligned,
                              .unaligned_lines = rules.unaligned,
                              .unaligned = rules.unaligned};
  const auto waste_of = [&](std::int64_t own, SideBySide all) {
    const auto n = static_cast<unsigned>(own);
    return waste_of_columns(n, all, tile.points / n, weights) - 1;
  };
  return rules.least + rules.point * tile.points + waste_of(tile.a, columns_of_first(tile.b)) +
         waste_of(tile.b, columns_of_last(tile.a));
}

// The fastest, of those whose shared memory a block has, padded by an eighth.
std::optional<SharedTile> best_tile(std::int64_t n, const SharedRules& rules,
                                    const Target& target) {
  const unsigned most =
      std::min(rules.most_points, (static_cast<unsigned>(target.shared_bytes) - 8) / 9);
  std::optional<SharedTile> best;
  for (const std::int64_t a : divisors_near_root(n, 2)) {
    const std::int64_t b = n / a;
    if (std::min(a, b) < shortest_pass || b > largest_pass) continue;
    for (const unsigned points : common_tiles(a, b)) {
      const SharedTile tile{a, b, points};
      if (points < rules.least_points || points > most) continue;
      if (!best || time_of(tile, rules) < time_of(*best, rules)) best = tile;
    }
  }
  return best;
}

// Rows of complex numbers in FP32, of which nothing is asked for.
bool may_share(const FftProblem& problem, const Tuning& given, const PassRules& rules) {
  const bool open = leaves_shape_open(given) && !given.method && !given.threads &&
                    !given.twiddles && shares_of(given).parts() == 1;
  const bool fp32 = admits_simt(problem.accuracy) && !takes_fp64(given, problem) &&
                    problem.storage == Storage::f32 && !problem.out_storage;
  const bool rows = problem.lengths.size() == 1 && problem.domain == Domain::c2c &&
                    problem.order == Order::natural && problem.ends == Ends{} &&
                    !problem.convolution && is_contiguous(single_pass(problem));
  const std::int64_t n = problem.n();
  return open && fp32 && rows && n <= rules.largest_shared && is_smooth(n, 13) &&
         !is_power_of_two(n);
}

// Of any lengths, which then are to have a tile for both.
bool asks_for_shared(const FftProblem& problem, const Tuning& given, Method method) {
  return given.fused.value_or(false) && !given.pass_lengths && method == Method::radix &&
         problem.lengths.size() == 1 && !is_power_of_two(problem.n()) && !problem.convolution;
}

}  // namespace

Tuning with_passes(const FftProblem& problem, const Tuning& given, const Target& target,
                   Method method) {
  Tuning tuning = given;
  tuning.pass_lengths = default_lengths(problem, given, target, method);
  const Sums sums = default_sums(method, problem, target);
  if (sums != Sums::fp32 && !tuning.sums && !takes_mma(given, problem)) tuning.sums = sums;
  const PassRules& rules = profile_of(target).passes;
  const SharedRules& shared = rules.shared;
  if (asks_for_shared(problem, given, method)) {
    if (const auto tile = best_tile(problem.n(), shared, target)) {
      tuning.pass_lengths = {tile->a, tile->b};
    }
    return tuning;
  }
  const Lengths& apart = *tuning.pass_lengths;
  if (!may_share(problem, given, rules) || apart.size() != 2) return tuning;
  const auto tile = best_tile(problem.n(), shared, target);
  const double gain =
      shared.gain + shared.of_twice * std::log2(static_cast<double>(problem.n()) / 65536);
  const double two = shared.of_cost * cost_of_passes(apart[0], apart[1], LastBlock::fewer);
  if (!tile || two < gain * time_of(*tile, shared)) return tuning;
  tuning.pass_lengths = {tile->a, tile->b};
  tuning.block_points = tile->points;
  tuning.fused = true;
  return tuning;
}

}  // namespace sonoma
