#include "mirrored_rows.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "one_access.hpp"
#include "sonoma/mirrored.hpp"

namespace sonoma {
namespace {

using Where = std::optional<std::uint32_t>;

std::uint32_t rows_of_transform(const Schedule& schedule) {
  return static_cast<std::uint32_t>(schedule.pass.n()) / last_axis(schedule);
}

std::uint32_t rows_of_block(const Schedule& schedule) {
  return schedule.columns() * rows_of_transform(schedule);
}

// Of `all` items, one for a thread and turn.
template <class PlaceOf>
Wavefronts of_items(const Schedule& schedule, std::uint32_t all, const PlaceOf& place) {
  const std::uint32_t threads = schedule.launch.threads;
  Wavefronts sum;
  for (std::uint32_t begin = 0; begin < all; begin += threads) {
    add(sum, count_access(std::min(threads, all - begin),
                          [&](std::uint32_t t) -> Where { return place(begin + t); }));
  }
  return sum;
}

// Both points of each pair within the rows.
Wavefronts of_inner_pairs(const Schedule& schedule) {
  const std::uint32_t m = last_axis(schedule), each = (m - 1) / 2;
  const std::uint32_t pairs = rows_of_block(schedule) * each;
  Wavefronts sum = of_items(schedule, pairs, [&](std::uint32_t p) {
    return row_places(schedule, p / each).own + 1 + p % each;
  });
  add(sum, of_items(schedule, pairs, [&](std::uint32_t p) {
        return row_places(schedule, p / each).mirrored + m - 1 - p % each;
      }));
  return sum;
}

// Point k of both rows, once for both.
Wavefronts of_both_rows(const Schedule& schedule, std::uint32_t k) {
  const auto of = [&](auto row) {
    return of_items(schedule, rows_of_block(schedule), [&](std::uint32_t p) -> Where {
      const RowPlaces at = row_places(schedule, p);
      if (at.own > at.mirrored) return std::nullopt;
      return at.*row + k;
    });
  };
  Wavefronts sum = of(&RowPlaces::own);
  add(sum, of(&RowPlaces::mirrored));
  return sum;
}

}  // namespace

std::uint32_t last_axis(const Schedule& schedule) {
  return static_cast<std::uint32_t>(schedule.pass.problem.lengths.back());
}

// Each axis by itself.
std::uint32_t opposite_row(const Schedule& schedule, std::uint32_t q) {
  const std::vector<std::int64_t>& lengths = schedule.pass.problem.lengths;
  std::uint32_t mirrored = 0, of_nearer = 1;
  for (auto axis = lengths.rbegin() + 1; axis != lengths.rend(); ++axis) {
    const auto length = static_cast<std::uint32_t>(*axis);
    mirrored += (length - q / of_nearer % length) % length * of_nearer;
    of_nearer *= length;
  }
  return mirrored;
}

RowPlaces row_places(const Schedule& schedule, std::uint32_t p) {
  const std::uint32_t rows = rows_of_transform(schedule), pitch = row_pitch(schedule);
  const std::uint32_t mirrored = opposite_row(schedule, p % rows);
  const std::uint32_t first = p / rows * mirrored_row(schedule);
  return {first + p % rows * pitch, first + mirrored * pitch};
}

// Of both ends one side has X(0) and X(m), the other Z(0).
Wavefronts count_mirrored_rows(const Schedule& schedule) {
  const std::uint32_t m = last_axis(schedule);
  if (schedule.pass.row_length() != 0) {  // from one point of a pair to the other
    Wavefronts sum = of_both_rows(schedule, 0);
    add(sum, sum);
    add(sum, of_inner_pairs(schedule));
    return sum;
  }
  Wavefronts sum = of_inner_pairs(schedule);
  add(sum, of_both_rows(schedule, 0));
  if (m % 2 == 0) add(sum, of_both_rows(schedule, m / 2));
  add(sum, sum);
  add(sum, of_both_rows(schedule, m));
  return sum;
}

Wavefronts count_moved_rows(const Schedule& schedule) {
  const auto length = static_cast<std::uint32_t>(schedule.pass.mirrored_row_points());
  const std::uint32_t pitch = row_pitch(schedule);
  return of_items(schedule, rows_of_block(schedule) * length,
                  [=](std::uint32_t i) { return i / length * pitch + i % length; });
}

}  // namespace sonoma
