// Accesses to the tile in shared memory, one after the other, and the barriers between them.
#pragma once

#include <optional>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Where points lie in shared memory: each at its place in the tile; in the order of memory; each
/// at the place of a power of the root there; two that mirror each other together; each at the
/// place in the tile that its remainders say.
enum class TileOrder { tile, memory, powers, mirrored, residues };

class TileAccesses {
 public:
  using Blocks = std::vector<DigitId>;

  explicit TileAccesses(const Schedule& schedule) : schedule_(schedule) {}

  /// What the next access needs before it. `blocks` as in WriteShared and ReadShared: places differ
  /// where they do.
  [[nodiscard]] std::optional<op::Barrier> before_read(const Layout& layout,
                                                       const Blocks& blocks = {},
                                                       TileOrder order = TileOrder::tile) {
    return before(Kind::read, layout, blocks, order);
  }
  [[nodiscard]] std::optional<op::Barrier> before_write(const Layout& layout,
                                                        const Blocks& blocks = {},
                                                        TileOrder order = TileOrder::tile) {
    return before(Kind::write, layout, blocks, order);
  }

  /// Points were written where no barrier was needed.
  void written(TileOrder order, const Layout& layout = {});
  /// All threads have met since the last access.
  void forget() { last_ = Kind::none; }
  /// So have those of all blocks of the cluster.
  void all_met() { forget(), all_met_ = true; }
  [[nodiscard]] bool none() const { return last_ == Kind::none; }
  /// The last one was to other blocks' memory.
  [[nodiscard]] bool reached_far() const { return was_far_; }

 private:
  enum class Kind { none, read, write };

  std::optional<op::Barrier> before(Kind next, const Layout& layout, const Blocks& blocks,
                                    TileOrder order);

  // Of the last access.
  const Schedule& schedule_;
  Kind last_ = Kind::none;
  Layout owner_;
  Blocks places_;
  TileOrder order_ = TileOrder::tile;
  bool was_far_ = false, all_met_ = false;
};

}  // namespace sonoma
