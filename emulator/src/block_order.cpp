#include "block_order.hpp"

#include <algorithm>
#include <utility>

#include "race_checker.hpp"

namespace sonoma::emulator {

void BlockOrder::release(const unsigned* counter, const Accessor& by) {
  BlocksSeen released;
  for (const auto& [block, seen] : seen_[by.block]) {
    if (seen.from >= by.block_epoch) continue;  // not yet seen by all threads
    released[block].until = std::max(released[block].until, seen.until);
  }
  released[by.block].until = by.block_epoch;
  released_[counter].push_back(std::move(released));
}

void BlockOrder::acquire(const unsigned* counter, std::size_t index, const Accessor& by) {
  BlocksSeen& mine = seen_[by.block];
  for (const auto& [block, released] : released_[counter].at(index)) {
    Seen& seen = mine[block];
    if (released.until <= seen.until) continue;
    seen = {released.until, by.block_epoch};
  }
}

bool BlockOrder::ordered(const Accessor& before, const Accessor& now) const {
  const auto mine = seen_.find(now.block);
  if (mine == seen_.end()) return false;
  const auto seen = mine->second.find(before.block);
  return seen != mine->second.end() && before.block_epoch < seen->second.until &&
         seen->second.from < now.block_epoch;
}

}  // namespace sonoma::emulator
