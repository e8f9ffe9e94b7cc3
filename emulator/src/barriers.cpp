// Barriers of blocks and of clusters of them.
#include <algorithm>
#include <bit>

#include "block_runner.hpp"

namespace sonoma::emulator {

void BlockRunner::block_barrier() {
  warp().runnable &= ~(1u << current_ % 32);
  ++blocks_[block_in_cluster()].at_barrier;
  yield();
}

void BlockRunner::cluster_barrier() {
  if (launch_.shape.cluster == 1) fail("waits at cluster_barrier in a launch without clusters");
  warp().runnable &= ~(1u << current_ % 32);
  ++at_cluster_barrier_;
  yield();
}

void BlockRunner::release_block(unsigned block) {
  const unsigned warps = static_cast<unsigned>(warps_.size()) / launch_.shape.cluster;
  for (unsigned w = block * warps; w < (block + 1) * warps; ++w) {
    warps_[w].runnable = warps_[w].lanes;
  }
  blocks_[block].at_barrier = 0;
  ++blocks_[block].epoch;
}

// No warp can run: lets go whoever has come together. False: nobody has.
bool BlockRunner::release_barriers() {
  if (at_cluster_barrier_ == all_threads()) {
    for (unsigned b = 0; b < blocks_.size(); ++b) release_block(b);
    at_cluster_barrier_ = 0;
    ++cluster_epoch_;
    ++report_.cluster_barriers;
    return true;
  }
  bool any = false;
  for (unsigned b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].at_barrier < launch_.shape.threads) continue;
    release_block(b);
    ++report_.block_barriers;
    any = true;
  }
  return any;
}

void BlockRunner::fail_block_barrier() const {
  for (unsigned w = 0; w < warps_.size(); ++w) {
    const std::uint32_t waiting = warps_[w].lanes & ~warps_[w].finished;
    if (waiting == 0) continue;
    const auto is_done = [](const Warp& each) { return each.finished != 0; };
    const auto done = std::find_if(warps_.begin(), warps_.end(), is_done);
    const auto thread = w * 32 + static_cast<unsigned>(std::countr_zero(waiting));
    if (done == warps_.end())
      fail(thread,
           "waits at a barrier of its block or of its cluster, and others at the other one");
    fail(thread, "waits at block_barrier, but " +
                     describe_lanes(done->finished, static_cast<unsigned>(done - warps_.begin())) +
                     " returned without it");
  }
  fail("no thread can run");
}

}  // namespace sonoma::emulator
