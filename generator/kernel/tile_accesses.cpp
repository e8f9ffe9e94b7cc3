#include "tile_accesses.hpp"

#include "access.hpp"

namespace sonoma {
namespace {

bool is_of_tile(TileOrder order) {
  return order == TileOrder::tile || order == TileOrder::residues;
}

}  // namespace

void TileAccesses::written(TileOrder order, const Layout& layout) {
  last_ = Kind::write, order_ = order, owner_ = layout;
}

std::optional<op::Barrier> TileAccesses::before(Kind next, const Layout& layout,
                                                const Blocks& blocks, TileOrder order) {
  const bool far = blocks != schedule_.block_digits(layout);
  const bool ordered =
      last_ == Kind::none || (last_ == next && next != Kind::write) || same_threads(owner_, layout);
  // Since either was last touched all threads have met, see Places::tile_from.
  const bool apart = schedule_.places.tile_from > 0 && is_of_tile(order) != is_of_tile(order_);
  const bool same_places = (blocks == places_ && order == order_) || last_ == Kind::none;
  std::optional<op::Barrier> barrier;
  if ((far && !all_met_) || was_far_) {
    barrier =
        op::Barrier{op::Barrier::Scope::cluster};  // before the first one: that all have begun
  } else if (!apart && (!ordered || !same_places)) {
    const bool warp = same_places && same_warps(schedule_.digits, owner_, layout);
    barrier = op::Barrier{warp ? op::Barrier::Scope::warp : op::Barrier::Scope::block};
  }
  last_ = next;
  owner_ = layout;
  places_ = blocks;
  order_ = order;
  was_far_ = far, all_met_ = false;
  return barrier;
}

}  // namespace sonoma
