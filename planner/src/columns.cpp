// How many transforms a block of a pass takes side by side.
#include "columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/passes.hpp"
#include "way.hpp"

namespace sonoma {

unsigned tile_of_bits(const Target& target) {
  return std::min(most_block_points,
                  std::bit_floor(static_cast<unsigned>(target.shared_bytes) / 8));
}

namespace {

// That a tile by sums may have, which is padded by an eighth at most.
unsigned tile_of_sums(const Target& target) {
  return std::min(most_block_points, (static_cast<unsigned>(target.shared_bytes) - 8) / 9);
}

// Powers of two: whole sectors of 32 bytes on the side where columns lie side by side, two or four
// where the tile has room for that, and a warp of threads of 16 points, or of a longer step's.
unsigned columns_of_bits(unsigned n, std::int64_t side_by_side, unsigned longest_step,
                         const Target& target) {
  const unsigned room = (n <= 256 ? 4096u : n <= 1024 ? 8192u : tile_of_bits(target)) / n;
  const unsigned least = 32 * std::max(16u, longest_step) / n;
  const auto most = static_cast<unsigned>(std::min<std::int64_t>(side_by_side, 16));
  unsigned columns = std::max(std::min(room, most), least);
  // Fewer, where the last block of a row would not have all of them.
  while (columns > 4 && columns > least && side_by_side % columns != 0 &&
         side_by_side % (columns / 2) == 0) {
    columns /= 2;
  }
  return columns;
}

// Whole convolutions. By the bits: a power of two of them, for a tile of bits and a warp of threads
// of 16 points; whole sectors, though the last block of a row then has fewer.
unsigned convolution_columns(std::int64_t length, SideBySide all, const Target& target) {
  const std::int64_t side_by_side = all.columns;
  if (!is_power_of_two(length)) {
    return mixed_columns(static_cast<unsigned>(length), all, LastBlock::fewer, tile_of_sums(target),
                         profile_of(target).columns.of_passes);
  }
  auto columns = static_cast<unsigned>(std::max<std::int64_t>(1, 512 / length));
  const auto fits = [&](std::int64_t more) {
    return length * more <= 8192 &&
           (side_by_side % more == 0 || (more <= 4 && more <= side_by_side));
  };
  while (columns < 16 && fits(2 * columns)) columns *= 2;
  return columns;
}

// Of a batch whose transforms lie between each other's points as many as are worth while.
std::int64_t number_side_by_side(const Pass& pass) {
  if (are_rows_of_code(pass)) return 1;
  if (!pass.loops.empty()) return pass.loops.front().count;
  return pass.in.dist < pass.in.stride || pass.out.dist < pass.out.stride ? 16 : 1;
}

}  // namespace

SideBySide side_by_side(const Pass& pass) {
  const bool stored = pass.out.stride > 1;
  return {number_side_by_side(pass), stored ? pass.out.stride : pass.in.stride, stored};
}

SideBySide columns_of_first(std::int64_t other) { return {other, row_in_workspace(other, {})}; }

SideBySide columns_of_last(std::int64_t other) { return {other, other}; }

SideBySide columns_of_numbers(std::int64_t other, bool stored) {
  const std::int64_t columns = other % 2 == 0 ? other / 2 : other;
  return {columns, columns, stored};
}

SideBySide columns_of_frequencies(std::int64_t other, bool stored) {
  return {other / 2 + 1, other, stored, false};
}

double waste_of_columns(unsigned n, SideBySide all, unsigned columns,
                        const ColumnWeights& weights) {
  constexpr std::int64_t sector = 4, line = 2 * sector;
  const bool lines = columns % line == 0;
  double lost = lines ? weights.lines : weights.sectors;
  if (!all.begins_sector || all.apart % sector != 0 || columns % sector != 0) {
    lost = lines ? weights.unaligned_lines : weights.unaligned;
    if (!all.stored) lost *= weights.read;
  }
  return 1 + lost / columns + weights.crowding * n * columns;
}

double cost_of_columns(unsigned n, SideBySide all, unsigned columns, const ColumnWeights& weights) {
  const double waste = waste_of_columns(n, all, columns, weights);
  if (all.columns % columns == 0) return waste;
  const auto side = static_cast<double>(all.columns);
  const double filled = side / columns / std::ceil(side / columns);
  return weights.by_index * waste / filled + weights.ragged;
}

unsigned mixed_columns(unsigned n, SideBySide all, LastBlock last, unsigned tile,
                       const ColumnWeights& weights) {
  const unsigned room = std::max(1u, tile / n);
  const unsigned eight = std::min(8u, weights.most_points_of_eight / n);
  const unsigned most = std::min({std::max({4u, eight, weights.most_points / n}), 32u, room});
  const bool bits = is_power_of_two(n);
  unsigned best = 1;
  double least = std::numeric_limits<double>::infinity();
  // By the bits, beside a large prime that may be the only divisor, as many as there is room for.
  for (unsigned c = 2; c <= most || (best == 1 && bits && c <= room); ++c) {
    if (c > all.columns || (bits && is_power_of_two(c))) continue;
    if (last == LastBlock::full && all.columns % c != 0) continue;
    const double cost = cost_of_columns(n, all, c, weights);
    if (cost < least) best = c, least = cost;
  }
  return best;
}

double cost_of_passes(std::int64_t first, std::int64_t second, LastBlock last, Domain domain) {
  const auto of_pass = [last](std::int64_t own, SideBySide all) {
    const auto n = static_cast<unsigned>(own);
    return cost_of_columns(n, all, mixed_columns(n, all, last, most_block_points, {}), {});
  };
  if (!has_hermitian(domain)) {
    return of_pass(first, columns_of_first(second)) + of_pass(second, columns_of_last(first));
  }
  const bool back = domain == Domain::c2r;  // which begins with the second length
  return of_pass(first, columns_of_numbers(second, back)) +
         of_pass(second, columns_of_frequencies(first, !back));
}

bool are_rows_of_code(const Pass& pass) {
  const auto in_rows = [&](bool input) {
    return pass.loops.front().stride(input) >= pass.side(input).stride;
  };
  const bool code = !pass.code(true).empty() || !pass.code(false).empty();
  return code && !pass.part && !pass.loops.empty() && in_rows(true) && in_rows(false);
}

namespace {

// Of a convolution in passes all blocks of a row have as many: see require_columns().
LastBlock last_of(const Pass& pass) {
  return pass.part && pass.part->convolution ? LastBlock::full : LastBlock::fewer;
}

unsigned default_columns(const Tuning& tuning, const Pass& pass, const Target& target) {
  const SideBySide all = side_by_side(pass);
  const auto n = static_cast<unsigned>(pass.n());
  if (!pass.part && (convolves(tuning) || pass.filter)) {
    const std::int64_t length = convolves(tuning) ? convolution_length(tuning, pass.n()) : pass.n();
    return convolution_columns(length, all, target);
  }
  const bool bits = is_power_of_two(pass.n()) &&
                    (!pass.part || std::ranges::all_of(pass.part->lengths, is_power_of_two));
  if (!bits) {
    const ColumnRules& rules = profile_of(target).columns;
    return mixed_columns(n, all, last_of(pass), tile_of_sums(target),
                         pass.part ? rules.of_passes : rules.of_arrays);
  }
  const unsigned longest_step = tuning.decomposition ? largest_of(*tuning.decomposition) : 1;
  return columns_of_bits(n, all.columns, longest_step, target);
}

}  // namespace

unsigned columns_of(const Tuning& tuning, const Pass& pass, const Target& target) {
  const bool axes = pass.part && pass.whole().lengths.size() > 1;
  const bool rows = axes && pass.in.stride == 1 && pass.out.stride == 1;
  if (rows) {
    const std::int64_t most = std::max<std::int64_t>(1, 4096 / pass.n());
    return static_cast<unsigned>(std::min(most, pass.loops.front().count));
  }
  if (tuning.columns) return *tuning.columns;
  unsigned columns = default_columns(tuning, pass, target);
  // Rows in shared memory that spread over its banks are a few points longer.
  constexpr std::int64_t most_more = 15, point = 8;
  while (pass.mirrors() && columns > 1 &&
         (pass.n() + most_more) * columns * point > target.shared_bytes) {
    columns /= 2;
  }
  return columns;
}

}  // namespace sonoma
