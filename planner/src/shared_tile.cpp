// Which two passes share a launch where nothing was measured, and the tile that both take. In one
// launch what lies between them stays in the L2 cache: a gain where passes of a launch each would
// read and write many sectors twice, as of odd lengths.
//
// Of the lengths to 393216 whose candidates an H200 measured
// (bench/results/2026-11-26-h200-tune-long.csv.gz) 83 waste so much. At 69 of them what is chosen
// here was among these: 1.16 times as fast as two launches in the geometric mean, the fastest
// candidate 1.27 times; slower at 12, to .84. Of 34 others, drawn by chance, none is slower than
// .98 (2026-11-26-h200-odd.csv). These counts are of before two more conditions, for which see
// most_shared_waste and least_shared_tile in profile.hpp. Longer ones lost to .60. Where less is
// wasted, one launch by such a rule loses as often as it wins. Prime factors from 17 on have shapes
// that leave an SM few blocks: 29890 = 70 x 427 .14 of a copy's speed for .28.
#include <algorithm>

#include "decide.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/passes.hpp"

namespace sonoma {
namespace {

/// Both passes, of a points and of b points, take `points`.
struct SharedTile {
  std::int64_t a, b;
  unsigned points;
};

// Of the columns of a pass beside `other` ones.
double waste_of(std::int64_t own, std::int64_t other, unsigned columns, double crowding) {
  const ColumnRules rules{.crowding = crowding};
  return waste_of_columns(static_cast<unsigned>(own), other, columns, rules) - 1;
}

double waste_of(const SharedTile& tile, double crowding) {
  const auto of_pass = [&](std::int64_t own, std::int64_t other) {
    return waste_of(own, other, tile.points / static_cast<unsigned>(own), crowding);
  };
  return of_pass(tile.a, tile.b) + of_pass(tile.b, tile.a);
}

// Of passes of a launch each, but for what large tiles lose.
double waste_apart(const Lengths& lengths, LastBlock last) {
  const auto of_pass = [last](std::int64_t own, std::int64_t other) {
    const unsigned columns =
        mixed_columns(static_cast<unsigned>(own), other, last, most_block_points, {});
    return waste_of(own, other, columns, 0);
  };
  return of_pass(lengths[0], lengths[1]) + of_pass(lengths[1], lengths[0]);
}

// The tile with the least waste, of those whose shared memory a block has, padded by an eighth; of
// equal ones that of the most equal lengths.
std::optional<SharedTile> best_tile(std::int64_t n, const PassRules& rules, const Target& target) {
  const unsigned most =
      std::min(rules.most_shared_tile, (static_cast<unsigned>(target.shared_bytes) - 8) / 9);
  // Twice as much for each point of the tile as where a pass has a launch of its own: fitted to the
  // same rows.
  constexpr double crowding = 2e-5;
  // Below least_shared_tile, so that a small tile may be the best one: then passes are not to share
  // a launch at all, by a larger one that wastes more.
  constexpr unsigned fewest = 1024;
  std::optional<SharedTile> best;
  for (const std::int64_t a : divisors_near_root(n, 2)) {
    const std::int64_t b = n / a;
    if (std::min(a, b) < shortest_pass || b > largest_pass) continue;
    for (const unsigned points : common_tiles(a, b)) {
      const SharedTile tile{a, b, points};
      if (points < fewest || points > most) continue;
      if (!best || waste_of(tile, crowding) < waste_of(*best, crowding)) best = tile;
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

}  // namespace

Tuning with_passes(const FftProblem& problem, const Tuning& given, const Target& target,
                   Method method) {
  Tuning tuning = given;
  const auto in_passes = [&](LastBlock last) {
    return default_lengths(problem, given, target, method, last);
  };
  tuning.pass_lengths = in_passes(LastBlock::fewer);
  const PassRules& rules = profile_of(target).passes;
  const auto& apart = *tuning.pass_lengths;
  if (!may_share(problem, given, rules) || apart.size() != 2) return tuning;
  if (waste_apart(in_passes(LastBlock::full), LastBlock::full) < rules.shared_from_waste) {
    return tuning;
  }
  const auto tile = best_tile(problem.n(), rules, target);
  const double most = waste_apart(apart, LastBlock::fewer) + rules.most_shared_waste;
  if (!tile || tile->points < rules.least_shared_tile) return tuning;
  if (waste_of(*tile, 0) > most) return tuning;
  tuning.pass_lengths = {tile->a, tile->b};
  tuning.block_points = tile->points;
  tuning.fused = true;
  return tuning;
}

}  // namespace sonoma
