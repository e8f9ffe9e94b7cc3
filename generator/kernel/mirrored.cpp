#include "sonoma/mirrored.hpp"

#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

Wavefronts in_order(const Schedule& schedule, const Layout& layout, std::uint32_t row, bool input) {
  LinearMap map = stride_map(schedule.digits, layout, strides_in_order(schedule, row, input));
  map.thread_counts.clear(), map.register_counts.clear();  // sums of strides, also of bits
  for (const DigitId id : layout.threads) map.thread_counts.push_back(schedule.digits[id].count);
  for (const DigitId id : layout.registers) {
    map.register_counts.push_back(schedule.digits[id].count);
  }
  return count_wavefronts({map, 1, 0, 2}, {});
}

// Threads take neighbours, upwards and downwards.
Wavefronts neighbours(const Schedule& schedule) {
  constexpr unsigned together = 16;
  const unsigned fronts = (schedule.points_per_block() + together - 1) / together;
  return {fronts, fronts};
}

}  // namespace

std::vector<std::uint32_t> strides_in_order(const Schedule& schedule, std::uint32_t row,
                                            bool input) {
  std::vector<std::uint32_t> strides;
  for (const Digit& digit : schedule.digits) {
    strides.push_back(digit.step < 0 ? digit.weight * row
                      : input        ? digit.time_stride
                                     : digit.freq_stride);
  }
  return strides;
}

bool stores_rows(const Schedule& schedule) {
  constexpr std::int64_t warp = 32;
  const Pass& pass = schedule.pass;
  return pass.is_mirrored(false) && !pass.pairs_of && pass.problem.lengths.size() == 1 &&
         pass.n() < warp && schedule.points_per_block() > pass.n() && pass.loops.empty() &&
         pass.out.stride == 1 && pass.out.dist == pass.n() + 1;
}

std::uint32_t mirrored_row(const Schedule& schedule) {
  constexpr std::uint32_t most = 16;  // places of 8 bytes in all banks
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  if (stores_rows(schedule)) return n + 1;
  if (schedule.points_per_block() == n) return n;
  const bool input = schedule.pass.is_mirrored(true);
  const Layout& layout = schedule.pass.filter ? schedule.phases[schedule.phases_there() - 1].out
                         : input              ? schedule.phases.front().in
                                              : schedule.result_layout();
  std::uint32_t best = n;
  for (std::uint32_t row = n + 1; row < n + most; ++row) {
    const unsigned fronts = in_order(schedule, layout, row, input).total;
    if (fronts < in_order(schedule, layout, best, input).total) best = row;
  }
  return best;
}

bool turns_numbers(const Pass& pass) {
  return pass.pairs_of && type_of(pass.pairs_of->domain) != 1;
}

double mirrored_undo(const Schedule& schedule) {
  return schedule.pass.is_mirrored(false) && !turns_numbers(schedule.pass) ? 0.5 : 1;
}

std::uint32_t mirrored_units(const Schedule& schedule) {
  if (turns_numbers(schedule.pass)) return static_cast<std::uint32_t>(schedule.pass.n() / 2 + 1);
  if (schedule.pass.parted_length() != 0) return 0;  // of two factors of each pair
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
  return neighbours(schedule);
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::StoreMirrored&) {
  return neighbours(schedule);
}
// There and back.
Wavefronts count_wavefronts(const Schedule& schedule, const op::MirrorRows&) {
  const Wavefronts once = neighbours(schedule);
  return {2 * once.total, 2 * once.minimum};
}
Wavefronts count_wavefronts(const Schedule& schedule, const op::FilterPairs&) {
  return count_wavefronts(schedule, op::MirrorRows{});
}

}  // namespace sonoma
