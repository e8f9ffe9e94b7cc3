// Which blocks of a launch are ordered by counters that one adds to and the other reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace sonoma::emulator {

struct Accessor;

/// Knows of each block what it has seen of others: of block b, all before block barrier number
/// `until` of b; and from when on all of its own threads see it.
class BlockOrder {
 public:
  /// `by` adds to `counter`: what its block did before the last barrier, and has seen, is released.
  void release(const unsigned* counter, const Accessor& by);
  /// `by` reads a sum of `counter` that includes release number `index` (from 0 on): its block has
  /// seen what was released then, from the next barrier on.
  void acquire(const unsigned* counter, std::size_t index, const Accessor& by);
  /// True if the counter orders an access `before` and one `now` of another block.
  [[nodiscard]] bool ordered(const Accessor& before, const Accessor& now) const;

 private:
  struct Seen {
    std::uint32_t until = 0, from = 0;
  };
  using BlocksSeen = std::map<std::uint32_t, Seen>;

  std::map<const unsigned*, std::vector<BlocksSeen>> released_;
  std::map<std::uint32_t, BlocksSeen> seen_;  ///< by block
};

}  // namespace sonoma::emulator
