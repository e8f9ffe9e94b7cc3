// The operations of blocks that stay for a tile after the other.
#include <algorithm>

#include "verifier.hpp"

namespace sonoma {

// Where blocks stay: first of all the first tile; then, for each, once the last phase has read the
// tile, the next one, behind which nobody touches shared memory but the next round's first phase.
void Verifier::check(const op::FetchTile& op) {
  check_layout_of(op.layout);
  require(waited_ == ir_.schedule.launch.follows, "the launch before may still be storing this");
  require(ir_.schedule.stays() && op.layout == ir_.schedule.load.layout, "a tile that is not due");
  require(!copying_ && op.next == in_tiles_, "the tile is loaded twice");
  if (op.next) {
    const bool read = std::holds_alternative<op::ReadShared>(ir_.ops[position_ - 1]);
    require(read && registers_ == ir_.schedule.result_layout(),
            "the next tile comes before the last phase has read this one");
    require(laps_agree(), "a lap of the next tile comes to points that the lap has not read");
    for (Access& access : accesses_) raise(access, {op::Barrier::Scope::block});
  }
  touch_shared(Access::Kind::write, op.layout, Where::tile, ir_.schedule.block_digits(op.layout));
  accesses_.back().copied = true;
  copying_ = in_shared_ = true;
}

// Of the first and the last phase: a lap takes the same values of digits that are the slowest ones
// of either.
bool Verifier::laps_agree() const {
  const Schedule& schedule = ir_.schedule;
  const Layout &first = schedule.load.layout, &last = schedule.result_layout();
  if (schedule.laps(first) == 1 && schedule.laps(last) == 1) return true;
  unsigned values = 1;
  for (std::size_t i = 0; i < std::min(first.threads.size(), last.threads.size()); ++i) {
    const DigitId id = first.threads.rbegin()[static_cast<std::ptrdiff_t>(i)];
    if (id != last.threads.rbegin()[static_cast<std::ptrdiff_t>(i)]) break;
    values *= schedule.digits[id].count;
  }
  const auto of_others = [&](const Layout& layout) { return schedule.work_items(layout) / values; };
  const unsigned of_first = schedule.lap_threads(first), of_last = schedule.lap_threads(last);
  return of_first % of_others(first) == 0 && of_last % of_others(last) == 0 &&
         of_first / of_others(first) == of_last / of_others(last);
}

void Verifier::check(const op::EachTile& op) {
  require(ir_.schedule.stays() && op.apart == ir_.schedule.launch.stays &&
              op.apart == ir_.schedule.transforms_ahead,
          "other blocks stay");
  require(copying_ && !in_tiles_, "tiles begin before the first one is on its way");
  in_tiles_ = true;
}

}  // namespace sonoma
