// Where points lie at the turn of a tile in rounds, and where those of one round do.
#include "rounds.hpp"

#include <algorithm>
#include <bit>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// The register bit of a digit, or none.
std::ptrdiff_t bit_of(const Layout& layout, DigitId id) {
  const auto at = std::find(layout.registers.begin(), layout.registers.end(), id);
  return at == layout.registers.end() ? -1 : at - layout.registers.begin();
}

void without_blocks(std::vector<std::uint32_t>& thread_bits, const Schedule& schedule) {
  const auto blocks = std::countr_zero(schedule.launch.cluster * schedule.rounds);
  std::fill(thread_bits.end() - blocks, thread_bits.end(), 0u);
}

}  // namespace

Turn turn_of(const Schedule& schedule) {
  Turn turn;
  turn.quarter = schedule.points_per_block() / schedule.launch.cluster / 4;
  for (std::size_t p = 1; p < schedule.phases.size(); ++p) {
    const auto before = schedule.block_digits(schedule.phases[p - 1].out);
    const auto after = schedule.block_digits(schedule.phases[p].in);
    if (before == after) continue;
    turn.phase = p;
    turn.before = before.back(), turn.after = after.back();
    turn.places = {turn.before, turn.after};
    turn.places.insert(turn.places.end(), after.begin(), after.end() - 1);
    return turn;
  }
  throw InternalError("turn_of: a schedule without a turn");
}

std::string check_turn(const Schedule& schedule) {
  if (schedule.rounds == 1) return {};
  const Turn turn = turn_of(schedule);
  const bool held = bit_of(schedule.phases[turn.phase - 1].out, turn.after) >= 0 &&
                    bit_of(schedule.phases[turn.phase].in, turn.before) >= 0;
  return held ? "" : "a turn whose digits are not in registers";
}

SharedAccess of_one_round(SharedAccess access, const Schedule& schedule) {
  if (schedule.rounds > 1) access.positions.thread_bits.pop_back();
  return access;
}

TurnAccess turn_access(const Schedule& schedule, const Layout& layout, bool writes, unsigned round,
                       op::Half half) {
  const Turn turn = turn_of(schedule);
  // The quarter stands for both digits of the turn.
  std::vector<Digit> placed = shared_digits(schedule.digits, turn.places);
  placed[turn.before].time_stride = placed[turn.after].time_stride = 0;
  LinearMap map = index_map(placed, layout, Side::time);
  if (!writes) without_blocks(map.thread_bits, schedule);
  TurnAccess result;
  result.bit = static_cast<unsigned>(bit_of(layout, writes ? turn.after : turn.before));
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    const unsigned value = reg >> result.bit & 1u;
    if (half != op::Half::both && value != (half == op::Half::one ? 1u : 0u)) continue;
    const unsigned before = writes ? round : value, after = writes ? value : round;
    const unsigned quarter = after == 0 ? 0 : 1 + before;
    result.offsets.push_back(map.of_register(reg) + quarter * turn.quarter);
  }
  result.thread_bits = map.thread_bits;
  if (half != op::Half::both) map.register_bits.erase(map.register_bits.begin() + result.bit);
  result.access = of_one_round({map, 1, 0, 2}, schedule);
  return result;
}

SharedAccess parts_access(const Schedule& schedule, const Layout& layout,
                          const std::vector<DigitId>& blocks) {
  LinearMap map = index_map(shared_digits(schedule.digits, blocks), layout, Side::time);
  without_blocks(map.thread_bits, schedule);
  return {map, 1, 0, 1};
}

std::uint32_t parts_of_quarter(const Schedule& schedule) { return 2 * turn_of(schedule).quarter; }

}  // namespace sonoma
