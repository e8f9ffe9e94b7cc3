// Places in shared memory with the fewest bank conflicts.
#include <algorithm>
#include <bit>

#include "padding.hpp"
#include "rounds.hpp"
#include "sonoma/mirrored.hpp"
#include "swizzles.hpp"
#include "trips.hpp"

namespace sonoma {
namespace {

// In rounds, of what is exchanged by parts.
Swizzle choose_part_swizzle(const Schedule& schedule, const std::vector<Trip>& trips) {
  std::vector<SharedAccess> accesses;
  for (const Trip& trip : trips) {
    accesses.push_back(parts_access(schedule, trip.layout, trip.blocks));
  }
  const unsigned round_points = schedule.points_per_block() / schedule.shape.shares.cluster / 2;
  return search_swizzle(accesses, static_cast<unsigned>(std::countr_zero(round_points)), 0);
}

}  // namespace

Swizzle choose_swizzle(const std::vector<const Schedule*>& schedules) {
  std::vector<SharedAccess> accesses;
  unsigned together = 1;
  std::size_t point_bits = 0;
  for (const Schedule* schedule : schedules) {
    const unsigned bytes = schedule->exchange_bytes();
    if (schedule->load.staged) together = std::max(together, 16 / bytes);
    for (const Trip& trip : shared_trips(*schedule)) {
      accesses.push_back(shared_access(*schedule, trip.layout, trip.blocks));
      together = std::max(together, accesses.back().points);
    }
    // Within a block: its number takes no part.
    const auto block_bits =
        static_cast<std::size_t>(std::countr_zero(schedule->shape.shares.cluster));
    point_bits = std::max(point_bits, schedule->digits.size() - block_bits);
  }
  if (accesses.empty()) return {};
  return search_swizzle(accesses, static_cast<unsigned>(point_bits),
                        static_cast<unsigned>(std::countr_zero(together)));
}

void choose_places(Schedule& schedule, const Target& target) {
  schedule.places.row_pad = choose_row_pad(schedule, target);
  std::vector<Trip> trips = shared_trips(schedule);
  const bool sums = schedule.mixed();
  // Rader's algorithm has a slot for each transform beside its points.
  const unsigned taken =
      schedule.pass.by_powers ? schedule.columns() + schedule.places.tile_from : 0;
  const auto points = static_cast<std::uint32_t>(target.shared_bytes) / schedule.exchange_bytes();
  const std::uint32_t room = points - std::min(points, taken);
  if (sums) schedule.places.points.pads = search_padding(schedule.digits, trips, room);
  if (!sums) schedule.places.points.swizzle = choose_swizzle({&schedule});
  if (schedule.shape.shares.rounds == 1) return;
  constexpr std::uint32_t banks_of_parts = 32;
  std::erase_if(trips, [](const Trip& trip) { return trip.turns; });
  if (sums)
    schedule.places.parts.pads = search_padding(schedule.digits, trips, 2 * room, banks_of_parts);
  if (!sums) schedule.places.parts.swizzle = choose_part_swizzle(schedule, trips);
}

}  // namespace sonoma
