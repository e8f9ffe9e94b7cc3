// Two passes in one launch: the tiles that they take in turns.
#include "fuse.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "axes.hpp"
#include "columns.hpp"
#include "pass_lengths.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// Of one of the batch.
std::int64_t points_of(const Pass& pass) {
  std::int64_t points = pass.n();
  for (const Loop& loop : pass.loops) points *= loop.count;
  return points;
}

bool has_axes(const Pass& pass) { return pass.whole().lengths.size() > 1; }

// Whether tiles of so many points are full in both passes.
bool are_whole(const Pass& first, const Pass& second, std::int64_t points) {
  return points_of(first) % points == 0 && points % first.n() == 0 && points % second.n() == 0;
}

std::uint64_t tiles_of(const Launch& launch) {
  const std::int64_t row = launch.pass.n() * launch.pass.loops.front().count;
  return tiles_of_row(launch.pass,
                      launch.shape.block_points / static_cast<unsigned>(launch.pass.n())) *
         static_cast<std::uint64_t>(points_of(launch.pass) / row);
}

// Points of a tile of either pass, of which both have as many.
struct Tiles {
  std::uint64_t count;
  unsigned first, second;
};
Tiles tiles_of(const Launch& first, const Launch& second) {
  const unsigned one = first.shape.block_points, other = second.shape.block_points;
  const unsigned points = has_axes(first.pass) ? std::max(one, other) : std::min(one, other);
  if (are_whole(first.pass, second.pass, points)) {
    return {static_cast<std::uint64_t>(points_of(first.pass) / points), points, points};
  }
  if (!has_axes(first.pass) && tiles_of(first) == tiles_of(second)) {
    return {tiles_of(first), one, other};
  }
  throw UnsupportedProblem("fused", to_list(first.pass.part->lengths),
                           "two passes in one launch of as many tiles: block_points a multiple of "
                           "both lengths, columns, or drop it");
}

// Of so many tiles of a row, none of them empty: as many columns as are wanted, or fewer, whole
// sectors of them if possible. The last tile may have fewer. A tile of bits has other threads.
std::optional<unsigned> columns_for(std::uint64_t tiles, const Pass& pass, unsigned wanted) {
  constexpr std::uint64_t sector = 4;
  const auto all = static_cast<std::uint64_t>(pass.loops.front().count);
  const std::uint64_t fewest = (all + tiles - 1) / tiles;
  for (const std::uint64_t some :
       {std::uint64_t{wanted}, (fewest + sector - 1) / sector * sector, fewest}) {
    const auto columns = static_cast<unsigned>(some);
    const bool bits = is_power_of_two(pass.n() * columns);
    if (!bits && tiles_of_row(pass, columns) == tiles) return columns;
  }
  return std::nullopt;
}

// As many tiles as the pass takes that takes more, or a few more. Those that are asked for are of
// the pass that has more columns.
std::optional<unsigned> columns_of_ragged(const Tuning& tuning, const std::vector<Pass>& passes,
                                          std::size_t p, const Target& target) {
  std::array<std::uint64_t, 2> counts{};
  std::array<unsigned, 2> wanted{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (passes[i].loops.size() > 1) return std::nullopt;
    counts[i] = static_cast<std::uint64_t>(passes[i].loops.front().count);
    wanted[i] = columns_of(tuning, passes[i], target);
  }
  std::uint64_t tiles = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    if (tuning.columns && counts[i] < counts[1 - i]) continue;
    tiles = std::max(tiles, tiles_of_row(passes[i], wanted[i]));
  }
  for (; tiles <= std::min(counts[0], counts[1]); ++tiles) {
    const auto own = columns_for(tiles, passes[p], wanted[p]);
    if (own && columns_for(tiles, passes[1 - p], wanted[1 - p])) return own;
  }
  return std::nullopt;
}

}  // namespace

Launch fuse(const Launch& first, const Launch& second, const Tuning& tuning, const Target& target) {
  const bool axes = has_axes(first.pass);
  if (first.shape.shares.parts() > 1 || second.shape.shares.parts() > 1) {
    throw UnsupportedProblem("fused", to_list(first.pass.part->lengths),
                             "two passes in one launch of one block each, not in rounds or by "
                             "clusters, as the first one takes so many points; drop it");
  }
  const Tiles tiles = tiles_of(first, second);
  const auto with_points = [&](const Launch& launch, unsigned points) {
    Shape shape = launch.shape;
    shape.block_points = points;
    if (axes) {  // each has taken threads of its own
      shape.points_per_thread =
          std::max(first.shape.points_per_thread, second.shape.points_per_thread);
      shape.registers = std::max(first.shape.registers, second.shape.registers);
    }
    check(shape, axes ? as_one_axis(launch.pass.problem, tuning) : launch.pass.problem);
    return shape;
  };
  const std::int64_t slot = first.pass.out.dist;
  const std::int64_t ring = tuning.workspace_points.value_or(profile_of(target).passes.ring_points);
  Fusion fusion{second.pass, with_points(second, tiles.second), 2, 1, {}};
  fusion.slots = static_cast<unsigned>(std::max<std::int64_t>(2, ring / slot));
  const auto lag = std::max(tiles.count, fusion.slots * tiles.count / 2);
  fusion.lag = static_cast<unsigned>(lag);
  if (!axes && !is_power_of_two(points_of(first.pass))) {
    fusion.asked = {tuning.columns, tuning.points_per_thread, tuning.registers, tuning.threads,
                    tuning.twiddles};
  }
  return {first.pass, with_points(first, tiles.first), Buffer::input, Buffer::output, fusion};
}

void choose_common_tile(Tuning& tuning, const std::vector<Pass>& passes, std::size_t p,
                        const Target& target) {
  constexpr unsigned enough = 4096;
  const Pass &first = passes[0], &second = passes[1];
  if (tuning.block_points || is_power_of_two(first.n() * second.n())) return;
  if (!tuning.columns) {
    for (const unsigned points : common_tiles(first.n(), second.n())) {
      tuning.block_points = points;
      if (points >= enough) return;
    }
  }
  if (tuning.block_points || has_axes(first)) return;
  const std::int64_t asked = tuning.columns.value_or(1) * std::min(first.n(), second.n());
  if (are_whole(first, second, asked)) return;
  if (const auto columns = columns_of_ragged(tuning, passes, p, target)) tuning.columns = columns;
}

std::vector<unsigned> common_tiles(std::int64_t a, std::int64_t b) {
  std::vector<unsigned> tiles;
  const std::int64_t both = std::lcm(a, b);
  for (std::int64_t times = 1; both * times <= largest_mixed_tile; ++times) {
    if (std::gcd(a, b) % times == 0) tiles.push_back(static_cast<unsigned>(both * times));
  }
  return tiles;
}

std::vector<unsigned> ragged_columns(const Lengths& lengths) {
  constexpr unsigned sector = 4;
  const auto [n, all] = std::minmax(lengths[0], lengths[1]);
  const unsigned step = all % sector == 0 ? sector : 1;
  std::vector<unsigned> columns;
  for (const std::int64_t points : {2800, 3500, 4200, 4800, 5600, 6400, 7600, 8800, 10400}) {
    const auto some = static_cast<unsigned>(points / n) / step * step;
    const bool seen = !columns.empty() && columns.back() == some;
    if (some > 1 && some < all && all % some != 0 && !seen) columns.push_back(some);
  }
  return columns;
}

}  // namespace sonoma
