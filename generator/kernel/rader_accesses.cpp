#include "sonoma/rader_accesses.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "mirrored_rows.hpp"
#include "one_access.hpp"

namespace sonoma {
namespace {

std::uint32_t points_of(const Schedule& schedule) {
  return static_cast<std::uint32_t>(schedule.pass.n()) * schedule.points_per_block() /
         static_cast<std::uint32_t>(schedule.shape.tree.decomposition.n());
}

// The points that a block finds in memory, one after the other: see rader.cuh.
class InMemory {
 public:
  struct Point {
    std::uint32_t transform, index;
  };

  InMemory(const Schedule& schedule, bool input)
      : rows_(rows_in_memory(schedule.pass, input)),
        n_(static_cast<std::uint32_t>(schedule.pass.n())),
        points_(points_of(schedule)) {}

  [[nodiscard]] std::uint32_t points() const { return points_; }
  [[nodiscard]] Point point(std::uint32_t i) const {
    const std::uint32_t count = points_ / n_;
    if (rows_.apart < rows_.stride) return {i % count, i / count};
    return {i / n_, i % n_};
  }
  [[nodiscard]] std::uint32_t in_shared(std::uint32_t i) const {
    const Point at = point(i);
    return at.transform * n_ + at.index;
  }
  [[nodiscard]] std::int64_t in_global(std::uint32_t i) const {
    const Point at = point(i);
    return at.transform * rows_.apart + at.index * rows_.stride;
  }

 private:
  RowsInMemory rows_;
  std::uint32_t n_, points_;
};

Wavefronts of_memory(const Schedule& schedule, bool input) {
  if (schedule.pass.problem.lengths.size() > 1) return count_moved_rows(schedule);
  const InMemory memory(schedule, input);
  const std::uint32_t threads = schedule.launch.threads, points = memory.points();
  Wavefronts sum;
  for (std::uint32_t first = 0; first < points; first += threads) {
    add(sum, count_access(std::min(threads, points - first), [&](std::uint32_t t) {
          return std::optional(memory.in_shared(first + t));
        }));
  }
  return sum;
}

// One access of all threads of a layout, in rows where these come so.
Wavefronts count_threads(const Schedule& schedule, const Layout& layout, const Place& place) {
  const ThreadRows rows = schedule.rows_of(layout);
  return count_access(schedule.thread_numbers(layout), [&](std::uint32_t number) {
    const std::uint32_t in_row = number % rows.lanes;
    return in_row < rows.threads ? place(number / rows.lanes * rows.threads + in_row)
                                 : std::nullopt;
  });
}

// Of the threads and registers that have point 0 of a transform under `map`: at the place of the
// transform's number times `stride`, from `from` on.
Wavefronts of_first_points(const Schedule& schedule, const Layout& layout, const LinearMap& map,
                           std::uint32_t from, std::uint32_t stride) {
  const auto m = static_cast<std::uint32_t>(schedule.shape.tree.decomposition.n());
  Wavefronts sum;
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    if (map.of_register(reg) % m != 0) continue;
    const auto place = [&](std::uint32_t t) -> std::optional<std::uint32_t> {
      const std::uint32_t p = map.of(t, reg);
      if (p % m != 0) return std::nullopt;
      return from + p / m * stride;
    };
    add(sum, count_threads(schedule, layout, place));
  }
  return sum;
}

Wavefronts of_powers(const Schedule& schedule, const Layout& layout, unsigned root) {
  const LinearMap map = index_map(schedule.digits, layout, Side::time);
  const auto n = static_cast<std::uint32_t>(schedule.pass.n()), m = n - 1;
  std::vector<std::uint32_t> powers(m);
  std::uint32_t power = 1;
  for (std::uint32_t q = 0; q < m; ++q, power = power * root % n) powers[q] = power;
  Wavefronts sum = of_first_points(schedule, layout, map, 0, n);
  add(sum, of_first_points(schedule, layout, map, first_slot(schedule), 1));
  const std::vector<std::uint32_t> of_thread = map.of_threads();
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    const std::uint32_t of_register = map.of_register(reg);
    add(sum, count_threads(schedule, layout, [&](std::uint32_t t) {
          const std::uint32_t p = map.joined(of_thread[t], of_register);
          return std::optional(p / m * n + powers[p % m]);
        }));
  }
  return sum;
}

}  // namespace

Wavefronts count_wavefronts(const Schedule& schedule, const op::LoadInOrder&) {
  return of_memory(schedule, true);
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::StoreInOrder&) {
  return of_memory(schedule, false);
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::ReadPowers& op) {
  return of_powers(schedule, op.layout, op.root);
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::WritePowers& op) {
  return of_powers(schedule, op.layout, op.root);
}
// There and back.
Wavefronts count_wavefronts(const Schedule& schedule, const op::ZeroFrequency& op) {
  const LinearMap map = index_map(schedule.digits, op.layout, Side::frequency);
  Wavefronts sum = of_first_points(schedule, op.layout, map, first_slot(schedule), 1);
  add(sum, sum);
  return sum;
}

double sector_overhead_in_order(const Schedule& schedule, bool input) {
  const std::int64_t sector_points = 32 / schedule.pass.bytes_of_point(input);
  const InMemory memory(schedule, input);
  constexpr std::uint32_t lanes = 1u << lane_bits;
  const std::uint32_t points = memory.points();
  std::size_t touched = 0;
  for (std::uint32_t first = 0; first < points; first += lanes) {
    std::array<std::int64_t, lanes> sectors{};
    const std::uint32_t some = std::min(lanes, points - first);
    for (std::uint32_t lane = 0; lane < some; ++lane) {
      sectors[lane] = memory.in_global(first + lane) / sector_points;
    }
    const auto end = sectors.begin() + some;
    std::sort(sectors.begin(), end);
    touched += static_cast<std::size_t>(std::unique(sectors.begin(), end) - sectors.begin());
  }
  return static_cast<double>(touched) * static_cast<double>(sector_points) / points;
}

unsigned first_slot(const Schedule& schedule) {
  const unsigned tile = shared_strides(schedule.digits, schedule.places.points.pads, {}).room;
  const std::uint32_t before = schedule.places.tile_from;
  return before > 0 ? before + tile : std::max(tile, points_of(schedule));
}

RowsInMemory rows_in_memory(const Pass& pass, bool input) {
  RowsInMemory rows{pass.side(input).stride, pass.side(input).dist};
  if (pass.loops.empty()) return rows;
  rows.apart = pass.loops.front().stride(input);
  return rows;
}

}  // namespace sonoma
