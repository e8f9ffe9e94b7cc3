#include "sonoma/rader_accesses.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "mirrored_rows.hpp"
#include "one_access.hpp"

namespace sonoma {
namespace {

std::uint32_t points_of(const Schedule& schedule) {
  return static_cast<std::uint32_t>(schedule.pass.n()) * schedule.points_per_block() /
         static_cast<std::uint32_t>(schedule.shape.tree.decomposition.n());
}

// The i-th point that a block finds in memory: see rader.cuh.
struct InMemory {
  std::uint32_t transform, index;
};
InMemory in_memory(const Schedule& schedule, bool input, std::uint32_t i) {
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  const std::uint32_t count = points_of(schedule) / n;
  const RowsInMemory rows = rows_in_memory(schedule.pass, input);
  if (rows.apart < rows.stride) return {i % count, i / count};
  return {i / n, i % n};
}

Wavefronts of_memory(const Schedule& schedule, bool input) {
  if (schedule.pass.problem.lengths.size() > 1) return count_moved_rows(schedule);
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  const std::uint32_t threads = schedule.launch.threads, points = points_of(schedule);
  Wavefronts sum;
  for (std::uint32_t first = 0; first < points; first += threads) {
    add(sum, count_access(std::min(threads, points - first), [&](std::uint32_t t) {
          const InMemory at = in_memory(schedule, input, first + t);
          return std::optional(at.transform * n + at.index);
        }));
  }
  return sum;
}

// Of the threads and registers that have point 0 of a transform under `map`: at the place of the
// transform's number times `stride`, from `from` on.
Wavefronts of_first_points(const Schedule& schedule, const LinearMap& map, std::uint32_t from,
                           std::uint32_t stride) {
  const auto m = static_cast<std::uint32_t>(schedule.shape.tree.decomposition.n());
  Wavefronts sum;
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    if (map.of_register(reg) % m != 0) continue;
    add(sum, count_access(map.threads(), [&](std::uint32_t t) -> std::optional<std::uint32_t> {
          const std::uint32_t p = map.of(t, reg);
          if (p % m != 0) return std::nullopt;
          return from + p / m * stride;
        }));
  }
  return sum;
}

Wavefronts of_powers(const Schedule& schedule, const Layout& layout, unsigned root) {
  const LinearMap map = index_map(schedule.digits, layout, Side::time);
  const auto n = static_cast<std::uint32_t>(schedule.pass.n()), m = n - 1;
  std::vector<std::uint32_t> powers(m);
  std::uint32_t power = 1;
  for (std::uint32_t q = 0; q < m; ++q, power = power * root % n) powers[q] = power;
  Wavefronts sum = of_first_points(schedule, map, 0, n);
  add(sum, of_first_points(schedule, map, first_slot(schedule), 1));
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    add(sum, count_access(map.threads(), [&](std::uint32_t t) {
          const std::uint32_t p = map.of(t, reg);
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
  Wavefronts sum = of_first_points(schedule, map, first_slot(schedule), 1);
  add(sum, sum);
  return sum;
}

double sector_overhead_in_order(const Schedule& schedule, bool input) {
  const std::int64_t sector_points = 32 / schedule.pass.bytes_of_point(input);
  const RowsInMemory rows = rows_in_memory(schedule.pass, input);
  constexpr std::uint32_t lanes = 1u << lane_bits;
  const std::uint32_t points = points_of(schedule);
  std::size_t touched = 0;
  for (std::uint32_t first = 0; first < points; first += lanes) {
    std::set<std::int64_t> sectors;
    for (std::uint32_t i = first; i < std::min(first + lanes, points); ++i) {
      const InMemory at = in_memory(schedule, input, i);
      sectors.insert((at.transform * rows.apart + at.index * rows.stride) / sector_points);
    }
    touched += sectors.size();
  }
  return static_cast<double>(touched) * static_cast<double>(sector_points) / points;
}

unsigned first_slot(const Schedule& schedule) {
  const unsigned tile = shared_strides(schedule.digits, schedule.places.points.pads, {}).room;
  return std::max(tile, points_of(schedule));
}

RowsInMemory rows_in_memory(const Pass& pass, bool input) {
  RowsInMemory rows{pass.side(input).stride, pass.side(input).dist};
  if (pass.loops.empty()) return rows;
  rows.apart = pass.loops.front().stride(input);
  return rows;
}

}  // namespace sonoma
