// Where points lie at the turn of a tile in rounds, and where those of one round do.
#include "rounds.hpp"

#include <algorithm>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

bool holds(const Layout& layout, DigitId id) {
  return std::find(layout.registers.begin(), layout.registers.end(), id) != layout.registers.end();
}

// The value of a digit of a register.
unsigned value_of(const std::vector<Digit>& digits, const Layout& layout, DigitId id,
                  std::uint32_t reg) {
  for (const DigitId other : layout.registers) {
    if (other == id) break;
    reg /= digits[other].count;
  }
  return reg % digits[id].count;
}

// Half of what one round exchanges by its parts; by the points of the turn, a quarter of the tile.
std::uint32_t quarter_of(const Schedule& schedule, const Turn& turn) {
  std::uint32_t points =
      shared_strides(schedule.digits, schedule.places.points.pads, turn.places).room;
  for (const Phase& phase : schedule.phases) {
    for (const auto& pads : {schedule.places.points.pads, schedule.places.parts.pads}) {
      const auto blocks = schedule.block_digits(phase.in);
      points = std::max(points, (shared_strides(schedule.digits, pads, blocks).room + 1) / 2);
    }
  }
  return points;
}

}  // namespace

Turn turn_of(const Schedule& schedule) {
  Turn turn;
  for (std::size_t p = 1; p < schedule.phases.size(); ++p) {
    const auto before = schedule.block_digits(schedule.phases[p - 1].out);
    const auto after = schedule.block_digits(schedule.phases[p].in);
    if (before == after) continue;
    turn.phase = p;
    turn.before = before.back(), turn.after = after.back();
    turn.places = {turn.before, turn.after};
    turn.places.insert(turn.places.end(), after.begin(), after.end() - 1);
    turn.quarter = quarter_of(schedule, turn);
    return turn;
  }
  throw InternalError("turn_of: a schedule without a turn");
}

std::string check_turn(const Schedule& schedule) {
  if (schedule.shape.shares.rounds == 1) return {};
  const Turn turn = turn_of(schedule);
  const bool held = holds(schedule.phases[turn.phase - 1].out, turn.after) &&
                    holds(schedule.phases[turn.phase].in, turn.before);
  return held ? "" : "a turn whose digits are not in registers";
}

SharedAccess of_one_block(SharedAccess access, const Schedule& schedule, const Layout& layout) {
  LinearMap& map = access.positions;
  map.thread_bits.resize(map.thread_bits.size() - block_digits_of(schedule, layout).count());
  if (!map.thread_counts.empty()) map.thread_counts.resize(map.thread_bits.size());
  return access;
}

TurnAccess turn_access(const Schedule& schedule, const Layout& layout, bool writes, unsigned round,
                       op::Half half) {
  const std::vector<Digit>& digits = schedule.digits;
  const Turn turn = turn_of(schedule);
  const DigitId turned = writes ? turn.after : turn.before;
  TurnAccess result;
  result.strides = shared_strides(digits, schedule.places.points.pads, turn.places);
  // The quarter stands for both digits of the turn.
  const std::vector<DigitId> blocks(turn.places.begin() + 2, turn.places.end());
  result.strides.block = shared_strides(digits, {}, blocks).block;
  for (std::uint32_t reg = 0; reg < count_of(digits, layout.registers); ++reg) {
    const unsigned value = value_of(digits, layout, turned, reg);
    if (half != op::Half::both && value != (half == op::Half::one ? 1u : 0u)) continue;
    const unsigned before = writes ? round : value, after = writes ? value : round;
    const unsigned quarter = after == 0 ? 0 : 1 + before;
    result.registers.push_back(reg);
    result.quarters.push_back(quarter * turn.quarter);
  }
  Layout moved = layout;
  if (half != op::Half::both) std::erase(moved.registers, turned);
  const LinearMap map = stride_map(digits, moved, result.strides.place);
  result.access = of_one_block({map, 1, 0, 2}, schedule, layout);
  return result;
}

SharedAccess parts_access(const Schedule& schedule, const Layout& layout,
                          const std::vector<DigitId>& blocks) {
  const auto strides = shared_strides(schedule.digits, schedule.places.parts.pads, blocks).place;
  return {stride_map(schedule.digits, layout, strides), 1, 0, 1};
}

std::uint32_t parts_of_quarter(const Schedule& schedule) { return 2 * turn_of(schedule).quarter; }

}  // namespace sonoma
