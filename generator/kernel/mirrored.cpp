#include "sonoma/mirrored.hpp"

#include <algorithm>

#include "mirrored_cluster.hpp"
#include "mirrored_rows.hpp"
#include "one_access.hpp"
#include "rounds.hpp"
#include "sonoma/rader_accesses.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

// The tile of Bluestein's algorithm is longer than what lies in order: of its points those that are
// numbered below n.
Wavefronts within_row(const Schedule& schedule, const LinearMap& places, const LinearMap& points) {
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  const auto length = static_cast<std::uint32_t>(schedule.shape.length());
  Wavefronts sum;
  for (std::uint32_t reg = 0; reg < places.registers(); ++reg) {
    add(sum, count_access(places.threads(), [&](std::uint32_t t) -> std::optional<std::uint32_t> {
          if (points.of(t, reg) % length >= n) return std::nullopt;
          return places.of_thread(t) + places.of_register(reg);
        }));
  }
  return sum;
}

Wavefronts in_order(const Schedule& schedule, const Layout& layout, std::uint32_t row, bool input) {
  LinearMap map = stride_map(schedule.digits, layout, strides_in_order(schedule, row, input));
  map.thread_counts.clear(), map.register_counts.clear();  // sums of strides, also of bits
  for (const DigitId id : layout.threads) map.thread_counts.push_back(schedule.digits[id].count);
  for (const DigitId id : layout.registers) {
    map.register_counts.push_back(schedule.digits[id].count);
  }
  if (!schedule.pass.is_chirped(input)) {
    const unsigned blocks = schedule.shape.shares.cluster;
    const Wavefronts one = count_wavefronts(of_one_block({map, 1, 0, 2}, schedule, layout), {});
    return {one.total * blocks, one.minimum * blocks};
  }
  return within_row(schedule, map, index_map(schedule.digits, layout, Side::time));
}

// Neighbouring threads take the same pair of columns beside each other, not the pairs of one row:
// as parted.cuh and, of numbers, mirrored_numbers.cuh have it.
bool takes_columns(const Pass& pass) {
  const RowsInMemory rows = rows_in_memory(pass, pass.is_mirrored(true));
  return pass.parted_length() != 0 || (pass.pairs_of && rows.apart < rows.stride);
}

bool in_rows(const Schedule& schedule) {
  return moves_rows(schedule, true) || moves_rows(schedule, false);
}

// Pair p of the block: where its points lie, and that of the middle beside point 0.
struct PairPlaces {
  std::uint32_t low, high, middle;
  bool first;
};
PairPlaces pair_places(const Schedule& schedule, std::uint32_t row, std::uint32_t p) {
  const std::uint32_t m = last_axis(schedule), half = (m + 1) / 2, columns = schedule.columns();
  if (schedule.pass.problem.lengths.size() > 1) {
    const RowPlaces at = row_places(schedule, p / half);
    const std::uint32_t k = p % half;
    return {at.own + k, at.mirrored + (k == 0 ? 0 : m - k), at.mirrored + m / 2, k == 0};
  }
  const bool by_columns = takes_columns(schedule.pass);
  const std::uint32_t first = (by_columns ? p % columns : p / half) * row,
                      k = by_columns ? p / columns : p % half;
  return {first + k, first + (k == 0 ? 0 : m - k), first + m / 2, k == 0};
}

// Of all pairs, one for a thread and turn: either point, and the middle.
Wavefronts of_pairs(const Schedule& schedule, bool writes) {
  using Where = std::optional<std::uint32_t>;
  const std::uint32_t m = last_axis(schedule), row = mirrored_row(schedule);
  const std::uint32_t threads = schedule.launch.threads;
  const std::uint32_t rows = static_cast<std::uint32_t>(schedule.pass.n()) / m;
  const std::uint32_t pairs = schedule.columns() * rows * ((m + 1) / 2);
  Wavefronts sum;
  for (std::uint32_t begin = 0; begin < pairs; begin += threads) {
    const auto each = [&](auto&& place) {
      add(sum, count_access(std::min(threads, pairs - begin), [&](std::uint32_t t) {
            return place(pair_places(schedule, row, begin + t));
          }));
    };
    each([](const PairPlaces& at) { return Where(at.low); });
    each([&](const PairPlaces& at) { return writes && at.first ? Where() : Where(at.high); });
    each([&](const PairPlaces& at) { return at.first && m % 2 == 0 ? Where(at.middle) : Where(); });
  }
  return sum;
}

}  // namespace

std::vector<std::uint32_t> strides_in_order(const Schedule& schedule, std::uint32_t row,
                                            bool input) {
  const bool times = input || schedule.pass.is_chirped(false);
  std::vector<std::uint32_t> strides;
  const bool rows = schedule.pass.problem.lengths.size() > 1;
  const std::uint32_t m = last_axis(schedule), pitch = row_pitch(schedule);
  const std::vector<BlockDigit> share = block_share(schedule);
  for (const Digit& digit : schedule.digits) {
    const std::uint32_t all = times ? digit.time_stride : digit.freq_stride;
    const bool of_block = std::ranges::any_of(share, [&](const BlockDigit& one) {
      return all >= one.stride && all < one.stride * one.count;
    });
    const std::uint32_t own = of_block ? 0 : place_in_block(share, all);
    strides.push_back(digit.step < 0                      ? digit.weight * row
                      : rows && share.empty() && own >= m ? own / m * pitch
                                                          : own);
  }
  return strides;
}

bool moves_rows(const Schedule& schedule, bool input) {
  constexpr std::int64_t warp = 32;
  const Pass& pass = schedule.pass;
  if (!pass.is_mirrored(input) || mirrors_in_cluster(schedule)) return false;
  if (pass.problem.lengths.size() > 1) {  // which follow each other
    if (pass.row_length() != 0) return true;
    const std::int64_t m = last_axis(schedule);
    const bool whole_sectors =
        (m + 1) % 8 == 0 || m == 3;  // half of a row; of 3 points half of one
    return input || (m < (schedule.mixed() ? 2 * warp : warp) && !whole_sectors);
  }
  return !input && !pass.convolves() && !pass.pairs_of && pass.n() < warp &&
         schedule.points_per_block() > pass.n() && pass.loops.empty() && pass.out.stride == 1 &&
         pass.out.dist == pass.n() + 1;
}

std::uint32_t row_pitch(const Schedule& schedule) {
  const std::uint32_t m = last_axis(schedule);
  if (!in_rows(schedule) || schedule.pass.row_length() != 0) return m;
  const bool planes = schedule.pass.problem.lengths.size() > 1;
  return m + 1 + (planes && (m + 1) % 4 == 0 ? 1 : 0);
}

std::uint32_t mirrored_row(const Schedule& schedule) {
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  if (mirrors_in_cluster(schedule)) return n / schedule.shape.shares.cluster;
  if (in_rows(schedule)) return n / last_axis(schedule) * row_pitch(schedule);
  return n + schedule.places.row_pad;
}

std::uint32_t choose_row_pad(const Schedule& schedule, const Target& target) {
  constexpr std::uint32_t most = 16, bytes = 8;  // places of 8 bytes in all banks
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  const bool open = schedule.pass.mirrors() && !schedule.shape.opposite &&
                    !mirrors_in_cluster(schedule) && !in_rows(schedule) && schedule.columns() > 1 &&
                    !schedule.pass.by_powers;
  if (!open) return 0;
  const std::uint32_t room =
      static_cast<std::uint32_t>(target.shared_bytes) / (schedule.columns() * bytes);
  const bool input = schedule.pass.is_mirrored(true);
  const Layout& layout = schedule.pass.filter ? schedule.phases[schedule.phases_there() - 1].out
                         : input              ? schedule.phases.front().in
                                              : schedule.result_layout();
  std::uint32_t best = 0;
  Wavefronts least = in_order(schedule, layout, n, input);
  for (std::uint32_t pad = 1; pad < most && n + pad <= room && least.total > least.minimum; ++pad) {
    const Wavefronts fronts = in_order(schedule, layout, n + pad, input);
    if (fronts.total < least.total) least = fronts, best = pad;
  }
  return best;
}

bool turns_numbers(const Pass& pass) {
  return pass.pairs_of && type_of(pass.pairs_of->domain) != 1;
}

std::size_t digits_of_blocks(const Schedule& schedule) { return block_share(schedule).size(); }

double mirrored_undo(const Schedule& schedule) {
  const bool twice = schedule.pass.row_length() == 0 && !turns_numbers(schedule.pass);
  return schedule.pass.is_mirrored(false) && twice ? 0.5 : 1;
}

std::uint32_t mirrored_units(const Schedule& schedule) {
  if (turns_numbers(schedule.pass)) return static_cast<std::uint32_t>(schedule.pass.n() / 2 + 1);
  if (schedule.pass.parted_length() != 0) return 0;  // of two factors of each pair
  if (schedule.pass.row_length() != 0) return 0;
  if (schedule.shape.opposite) return (schedule.opposite_butterflies() + 1) / 2;
  const auto factors = static_cast<std::uint32_t>((schedule.pass.problem.lengths.back() + 1) / 2);
  return (factors + 1) / 2;
}

Wavefronts count_wavefronts(const Schedule& schedule, const op::ReadInOrder& op) {
  return in_order(schedule, op.layout, op.row, !op.frequencies);
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::WriteInOrder& op) {
  return in_order(schedule, op.layout, op.row, false);
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::LoadMirrored&) {
  if (mirrors_in_cluster(schedule)) return count_mirrored_of_cluster(schedule, true);
  return of_pairs(schedule, true);
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::StoreMirrored&) {
  if (mirrors_in_cluster(schedule)) return count_mirrored_of_cluster(schedule, false);
  return of_pairs(schedule, false);
}
// There and back.
Wavefronts count_wavefronts(const Schedule& schedule, const op::MirrorRows&) {
  if (schedule.pass.problem.lengths.size() > 1) return count_mirrored_rows(schedule);
  Wavefronts sum = of_pairs(schedule, false);
  add(sum, of_pairs(schedule, true));
  return sum;
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::FilterPairs&) {
  return count_wavefronts(schedule, op::MirrorRows{});
}

}  // namespace sonoma
