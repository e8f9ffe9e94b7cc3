// Which two passes share a launch where nothing was measured, and the tiles that both take. In one
// launch what lies between them stays in the L2 cache; tiles that suit both passes have other
// columns than either would take alone, and may leave few blocks an SM. So both times are
// predicted, see SharedRules. Prime factors from 17 on have shapes that leave an SM few blocks:
// 29890 = 70 x 427 .14 of a copy's speed for .28.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "columns.hpp"
#include "fuse.hpp"
#include "pass_lengths.hpp"
#include "profile.hpp"
#include "remembered.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/resolve.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

/// Both passes, of a points and of b points, take so many points, or as many tiles as the shorter
/// one by so many columns.
struct SharedTile {
  std::int64_t a, b;
  unsigned points, columns;  // one of them is 0
  double time;               // of a copy's
};

unsigned points_of(const SharedTile& tile) {
  return tile.points > 0 ? tile.points
                         : tile.columns * static_cast<unsigned>(std::min(tile.a, tile.b));
}

// By so many blocks an SM.
double time_of(const SharedTile& tile, unsigned blocks, const SharedRules& rules) {
  constexpr std::int64_t sector = 4;
  const auto waste = [&](std::int64_t own, std::int64_t all) {
    const std::int64_t columns = std::max<std::int64_t>(1, points_of(tile) / own);
    const bool aligned = all % sector == 0 && columns % sector == 0;
    const auto taken = static_cast<double>((all + columns - 1) / columns * columns);
    return (aligned ? rules.aligned : rules.unaligned) / static_cast<double>(columns) +
           rules.filling / 2 * (taken / static_cast<double>(all) - 1);
  };
  return rules.least + rules.of_blocks / blocks + waste(tile.a, tile.b) + waste(tile.b, tile.a);
}

// Of all pairs of passes, with as many blocks as their points have in the mean, the fastest first.
std::vector<SharedTile> tiles_of(std::int64_t n, const SharedRules& rules, const Target& target) {
  const unsigned most =
      std::min(rules.most_points, (static_cast<unsigned>(target.shared_bytes) - 8) / 9);
  std::vector<SharedTile> tiles;
  const auto add = [&](SharedTile tile) {
    const unsigned points = points_of(tile);
    if (points < rules.least_points || points > most) return;
    tile.time = time_of(tile, std::max(1u, rules.points_of_sm / points), rules);
    tiles.push_back(tile);
  };
  for (const std::int64_t a : divisors_near_root(n, 2)) {
    const std::int64_t b = n / a;
    if (std::min(a, b) < shortest_pass || std::max(a, b) > largest_pass) continue;
    for (const unsigned points : common_tiles(a, b)) add({a, b, points, 0, 0});
    for (const unsigned columns : ragged_columns({a, b})) add({a, b, 0, columns, 0});
  }
  std::ranges::stable_sort(tiles, {}, &SharedTile::time);
  return tiles;
}

Tuning with_tile(Tuning tuning, const SharedTile& tile) {
  tuning.pass_lengths = {tile.a, tile.b};
  if (tile.points > 0) tuning.block_points = tile.points;
  if (tile.columns > 0) tuning.columns = tile.columns;
  tuning.fused = true;
  return tuning;
}

// That an SM has of both passes; its shared memory is padded by an eighth.
unsigned blocks_of(const Launch& launch, const Target& target) {
  constexpr unsigned warp = 32;
  unsigned threads = 1, registers = 1, points = 1;
  for (const Shape* shape : {&launch.shape, &launch.fusion->shape}) {
    const unsigned own =
        shape->threads > 0 ? shape->threads : shape->block_points / shape->points_per_thread;
    threads = std::max(threads, (own + warp - 1) / warp * warp);
    registers = std::max(registers, shape->registers);
    points = std::max(points, shape->block_points);
  }
  return std::max(1u, std::min({static_cast<unsigned>(target.registers) / (threads * registers),
                                static_cast<unsigned>(target.shared_bytes) / (9 * points),
                                static_cast<unsigned>(target.threads_of_sm()) / threads}));
}

// The fastest, of the passes whose tiles are so in the mean; none where even those take longer than
// `below`.
std::optional<SharedTile> best_tile(std::int64_t n, const Target& target, double below) {
  const SharedRules& rules = profile_of(target).passes.shared;
  FftProblem problem;
  problem.lengths = {n};
  std::optional<SharedTile> best;
  const std::vector<SharedTile> tiles = tiles_of(n, rules, target);
  if (tiles.empty() || tiles.front().time > rules.judged * below) return std::nullopt;
  for (SharedTile tile : tiles) {
    if (tile.a != tiles.front().a || tile.time > rules.judged * tiles.front().time) continue;
    try {
      const Program program = make_program(problem, target, with_tile({}, tile));
      tile.time = time_of(tile, blocks_of(program.launches.front(), target), rules);
    } catch (const UnsupportedProblem&) {
      continue;  // no tiles of both passes
    }
    if (!best || tile.time < best->time) best = tile;
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

double time_of_two(const Lengths& lengths, const SharedRules& rules) {
  return rules.of_two + rules.of_cost * cost_of_passes(lengths[0], lengths[1], LastBlock::fewer) +
         rules.of_twice * std::log2(static_cast<double>(product_of(lengths)) / 65536);
}

}  // namespace

Tuning with_passes(const FftProblem& problem, const Tuning& given, const Target& target,
                   Method method) {
  Tuning tuning = given;
  tuning.pass_lengths = default_lengths(problem, given, target, method);
  const Sums sums = default_sums(method, problem, target);
  if (sums != Sums::fp32 && !tuning.sums && !takes_mma(given, problem)) tuning.sums = sums;
  const bool asked = asks_for_shared(problem, given, method);
  const PassRules& rules = profile_of(target).passes;
  const bool may = may_share(problem, given, rules) && tuning.pass_lengths->size() == 2;
  if (!asked && !may) return tuning;
  const double two = asked ? std::numeric_limits<double>::infinity()
                           : time_of_two(*tuning.pass_lengths, rules.shared);
  static Remembered<std::tuple<std::int64_t, Target, double>, std::optional<SharedTile>> remembered;
  const auto tile = remembered.of({problem.n(), target, two},
                                  [&] { return best_tile(problem.n(), target, two); });
  if (!tile || tile->time > two) return tuning;
  if (!given.block_points && !given.columns) return with_tile(tuning, *tile);
  tuning.pass_lengths = {tile->a, tile->b};
  return tuning;
}

}  // namespace sonoma
