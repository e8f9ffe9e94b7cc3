// How a schedule's layouts touch shared and global memory.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "sonoma/schedule.hpp"
#include "trips.hpp"

namespace sonoma {
namespace {

// Sectors that the warps touch, each by itself, where register 0 is `offset` points further. The
// points of a warp's threads ascend.
std::uint32_t sectors_touched(const std::vector<std::uint32_t>& points, std::uint32_t offset,
                              unsigned sector_bits) {
  constexpr std::size_t lanes = std::size_t{1} << lane_bits;
  const auto begins = [&](std::size_t t) {  // another sector than the thread before
    return ((points[t] + offset) ^ (points[t - 1] + offset)) >> sector_bits != 0;
  };
  std::uint32_t touched = 1;
  for (std::size_t t = 1; t < points.size(); ++t) touched += begins(t) ? 1 : 0;
  for (std::size_t t = lanes; t < points.size(); t += lanes) touched += begins(t) ? 0 : 1;
  return touched;
}

// Every access of every warp is its own; whole sectors further it is the same.
double mixed_sector_overhead(const LinearMap& map, std::uint32_t sector_points) {
  constexpr std::ptrdiff_t lanes = std::ptrdiff_t{1} << lane_bits;
  std::vector<std::uint32_t> of_threads = map.of_threads();
  for (auto warp = of_threads.begin(); warp != of_threads.end();) {
    const auto end = warp + std::min(lanes, of_threads.end() - warp);
    if (!std::is_sorted(warp, end)) std::sort(warp, end);
    warp = end;
  }
  std::vector<std::uint32_t> begins(sector_points, 0);  // registers, by where in a sector
  const std::uint32_t registers = map.registers();
  for (std::uint32_t reg = 0; reg < registers; ++reg)
    ++begins[map.of_register(reg) % sector_points];
  const auto sector_bits = static_cast<unsigned>(std::countr_zero(sector_points));
  std::size_t touched = 0;
  for (std::uint32_t offset = 0; offset < sector_points; ++offset) {
    if (begins[offset] == 0) continue;
    touched += std::size_t{begins[offset]} * sectors_touched(of_threads, offset, sector_bits);
  }
  return static_cast<double>(touched * sector_points) /
         static_cast<double>(registers * of_threads.size());
}

// No more than this. A run of so many neighbours touches (run - 2) / sector + 2 sectors at most,
// and each warp begins one.
double mixed_sector_bound(const LinearMap& map, std::uint32_t sector_points) {
  std::uint32_t run = 1;
  for (std::size_t i = 0; i < map.thread_bits.size() && map.thread_bits[i] == run; ++i) {
    run *= map.thread_counts[i];
  }
  const std::uint32_t threads = map.threads(), warps = (threads + 31) >> lane_bits;
  return 1 + (1.0 / run + 1.0 * warps / threads) * (2 * sector_points - 2);
}

}  // namespace

SharedStrides shared_strides(const std::vector<Digit>& digits,
                             const std::vector<std::uint32_t>& pads,
                             const std::vector<DigitId>& blocks) {
  SharedStrides strides{std::vector<std::uint32_t>(digits.size()),
                        std::vector<std::uint32_t>(digits.size())};
  std::uint32_t next = 1, block = 1;
  for (DigitId id = 0; id < digits.size(); ++id) {  // by ascending time stride
    if (std::find(blocks.begin(), blocks.end(), id) != blocks.end()) continue;
    const std::uint32_t stride = next + (pads.empty() ? 0 : pads[id]);
    strides.place[id] = stride;
    strides.room += stride * (digits[id].count - 1);
    next = stride * digits[id].count;
  }
  for (const DigitId id : blocks) strides.block[id] = block, block *= digits[id].count;
  return strides;
}

Residues residues_of(const std::vector<Digit>& digits, const Layout& layout) {
  int last = 0;
  for (const Digit& digit : digits) last = std::max(last, digit.step);
  const auto& threads = layout.threads;
  const auto first_of = [&](int step) {
    return std::ranges::find_if(threads, [&](DigitId id) { return digits[id].step == step; });
  };
  // t' = b t1 + t2: the digits of t2 come first.
  const auto first = first_of(last), middle = first_of(last - 1);
  auto end = middle;
  while (end != threads.end() && digits[*end].step == last - 1) ++end;
  const auto ascends = [&](DigitId a, DigitId b) {
    return digits[b].time_stride == digits[a].time_stride * digits[a].count;
  };
  const auto there =
      std::ranges::count_if(digits, [&](const Digit& digit) { return digit.step >= last - 1; });
  const bool one = first < middle && end - first == there &&
                   std::adjacent_find(first, end, std::not_fn(ascends)) == end;
  if (!one) return {};
  const auto place = [&](auto at) { return static_cast<unsigned>(at - threads.begin()); };
  return {place(first), place(middle), place(end)};
}

SharedAccess shared_access(const Schedule& schedule, const Layout& layout,
                           const std::vector<DigitId>& blocks, bool residues) {
  const SharedStrides strides =
      shared_strides(schedule.digits, schedule.places.points.pads, blocks);
  std::vector<Digit> placed = schedule.digits;
  for (DigitId id = 0; id < placed.size(); ++id) {
    placed[id].time_stride = strides.place[id] + strides.block[id] * strides.room;
  }
  if (schedule.mixed()) {
    LinearMap map = index_map(placed, layout, Side::time);
    if (residues) map.residues = residues_of(schedule.digits, layout);
    const ThreadRows rows = schedule.rows_of(layout);
    return {map, 1, 0, 2, rows.have_gaps() ? rows.threads : 0};
  }
  return shared_access(placed, layout, schedule.exchange_bytes() / 4);
}

unsigned shared_points(const Schedule& schedule) {
  const std::vector<Trip> trips = shared_trips(schedule);
  if (trips.empty()) return 0;
  if (schedule.shape.shares.rounds > 1) return 3 * turn_of(schedule).quarter;
  unsigned most = 0;
  for (const Trip& trip : trips) {
    most = std::max(most,
                    shared_strides(schedule.digits, schedule.places.points.pads, trip.blocks).room);
  }
  return most;
}

// A point is written to where it is read; of opposite butterflies it stays where it is.
std::vector<Trip> shared_trips(const Schedule& schedule) {
  std::vector<Trip> trips;
  const auto exchange = [&](const Layout& from, const Layout& to, std::size_t phase = 0) {
    if (from == to) return;
    const bool turns = schedule.shape.shares.rounds > 1 &&
                       schedule.block_digits(from) != schedule.block_digits(to);
    const auto blocks = turns ? turn_of(schedule).places : schedule.holders(from, to);
    const auto residues = [&](bool are, const Layout& layout) {
      return are ? residues_of(schedule.digits, layout) : Residues{};
    };
    trips.push_back({from, blocks, turns, residues(schedule.writes_residues(phase), from),
                     schedule.rows_of(from)});
    trips.push_back(
        {to, blocks, turns, residues(schedule.reads_residues(phase), to), schedule.rows_of(to)});
  };
  exchange(schedule.load.layout, schedule.phases.front().in);
  for (std::size_t p = 0; p + 1 < schedule.phases.size(); ++p) {
    exchange(schedule.phases[p].out, schedule.phases[p + 1].in, p + 1);
  }
  exchange(schedule.result_layout(), schedule.store.layout);
  return trips;
}

double sector_overhead(const std::vector<Digit>& digits, const Layout& layout, Side side,
                       unsigned point_bytes) {
  LinearMap map = memory_map(digits, layout, side);
  const std::uint32_t sector_points = 32 / point_bytes;
  if (!is_binary(digits)) return mixed_sector_overhead(map, sector_points);
  const auto pair = std::find(map.register_bits.begin(), map.register_bits.end(), 1u);
  const std::uint32_t points = pair == map.register_bits.end() ? 1 : 2;
  map.thread_counts.assign(map.thread_bits.size(), 2);  // any strides: sums, not XORs
  std::array<std::uint32_t, 1u << lane_bits> sectors{};
  for (std::uint32_t lane = 0; lane < sectors.size(); ++lane) {
    sectors[lane] = map.of_thread(lane) / sector_points;
  }
  std::ranges::sort(sectors);
  const auto touched = std::unique(sectors.begin(), sectors.end()) - sectors.begin();
  return static_cast<double>(touched * sector_points) /
         static_cast<double>(sectors.size() * points);
}

bool has_sectors_within(double most, const std::vector<Digit>& digits, const Layout& layout,
                        Side side, unsigned point_bytes) {
  const LinearMap map = memory_map(digits, layout, side);
  const bool counts = is_binary(digits) || map.residues.last > 0;
  if (!counts && mixed_sector_bound(map, 32 / point_bytes) <= most) return true;
  return sector_overhead(digits, layout, side, point_bytes) <= most;
}

}  // namespace sonoma
