// Two passes in one launch: the tiles that they take in turns.
#include "fuse.hpp"

#include <algorithm>
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

// Of n points each, so many tiles of `all` columns, none of them empty: as many columns as are
// wanted, or fewer, whole sectors of them if possible. A tile of bits has other threads.
std::optional<unsigned> columns_for(std::uint64_t tiles, std::int64_t n, std::uint64_t all,
                                    unsigned wanted) {
  constexpr std::uint64_t sector = 4;
  const std::uint64_t fewest = (all + tiles - 1) / tiles;
  for (const std::uint64_t some :
       {std::uint64_t{wanted}, (fewest + sector - 1) / sector * sector, fewest}) {
    const bool bits = is_power_of_two(n * static_cast<std::int64_t>(some));
    if (!bits && (all + some - 1) / some == tiles) return static_cast<unsigned>(some);
  }
  return std::nullopt;
}

struct ColumnsOfTwo {
  unsigned first, second;
};

// As many tiles of both passes, of a and of b points: those of the pass that takes more of them by
// the columns that are wanted, or a few more. A pass has as many columns as are wanted, or fewer,
// and its last tile may have fewer still.
std::optional<ColumnsOfTwo> columns_of_two(std::int64_t a, std::int64_t b, ColumnsOfTwo wanted) {
  const auto all = static_cast<std::uint64_t>(b), all_of_second = static_cast<std::uint64_t>(a);
  std::uint64_t tiles = std::max((all + wanted.first - 1) / wanted.first,
                                 (all_of_second + wanted.second - 1) / wanted.second);
  for (; tiles <= std::min(all, all_of_second); ++tiles) {
    const auto first = columns_for(tiles, a, all, wanted.first);
    const auto second = columns_for(tiles, b, all_of_second, wanted.second);
    if (first && second) return ColumnsOfTwo{*first, *second};
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
  if (are_whole(first, second, asked) || first.loops.size() > 1 || second.loops.size() > 1) return;
  const ColumnsOfTwo wanted{columns_of(tuning, first, target), columns_of(tuning, second, target)};
  const auto both = columns_of_two(first.n(), second.n(), wanted);
  if (both) tuning.columns = p == 0 ? both->first : both->second;
}

std::vector<unsigned> common_tiles(std::int64_t a, std::int64_t b) {
  std::vector<unsigned> tiles;
  const std::int64_t both = std::lcm(a, b);
  for (std::int64_t times = 1; both * times <= largest_mixed_tile; ++times) {
    if (std::gcd(a, b) % times == 0) tiles.push_back(static_cast<unsigned>(both * times));
  }
  return tiles;
}

}  // namespace sonoma
