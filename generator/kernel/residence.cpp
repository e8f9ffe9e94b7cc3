#include "residence.hpp"

#include <algorithm>

namespace sonoma {

unsigned resident_blocks(const Schedule& schedule, const Target& target, unsigned most_registers) {
  const auto registers = static_cast<int>(most_registers);
  const int threads = static_cast<int>(schedule.launch.threads);
  int by_registers = target.registers / (registers * threads);
  // An SM has four parts, each with its warps and registers; whole warps of others fill them
  // evenly.
  constexpr int parts = 4;
  const int warps = threads >> lane_bits;
  const auto taken = [&](int blocks) {
    return (blocks * warps + parts - 1) / parts * parts * (1 << lane_bits) * registers;
  };
  while (schedule.mixed() && by_registers > 1 && taken(by_registers) > target.registers) {
    --by_registers;
  }
  const int reserved = 1024;  // shared memory the driver keeps per block
  const int by_shared =
      target.shared_bytes / (static_cast<int>(schedule.launch.shared_bytes) + reserved);
  return static_cast<unsigned>(
      std::max(1, std::min({by_registers, by_shared, target.threads_of_sm() / threads,
                            target.blocks_of_sm()})));
}

void leave_room_for_cache(Schedule& schedule, const Target& target) {
  constexpr unsigned reserved = 1024, few = 2, percent = 100;
  LaunchShape& launch = schedule.launch;
  const unsigned of_sm = static_cast<unsigned>(target.shared_bytes) + reserved,
                 of_block = launch.shared_bytes + reserved,
                 most_blocks = static_cast<unsigned>(target.shared_beside_cache()) / of_block;
  const unsigned fit =
      std::min({of_sm / of_block, static_cast<unsigned>(target.threads_of_sm()) / launch.threads,
                static_cast<unsigned>(target.blocks_of_sm())});
  if (fit <= std::max(few, most_blocks) || schedule.min_blocks > most_blocks) return;
  launch.most_blocks = most_blocks;
  launch.carveout = (schedule.min_blocks * of_block * percent + of_sm - 1) / of_sm;
}

namespace {

// Whole transforms, one after the other as far as memory goes, so that a block loads one piece of
// it.
bool loads_one_piece(const Pass& pass, unsigned transforms) {
  const std::int64_t read = in_points(pass, transforms) - pass.in.first, most = pass.n() * 5 / 4;
  return pass.loops.empty() && !pass.part && pass.in.stride == 1 && pass.in.first_axis == 0 &&
         pass.problem.ends == Ends{} && pass.channels() == 1 && read <= most * transforms;
}

// Late, where the tiles of all blocks at a time take .4 of the L2 cache of an H200, or an SM holds
// so few blocks that they cover little of each other's loads. Of 2,985 kernels of f32 measured
// there, of 1000 points and more, those have 1.040 times the speed that they have without it, the
// others 1.005; 1,423 of 16 bits, whose tiles are small, 1.065; 533 of convolutions 1.004. 343 and
// 729 points lose .02. In rounds a tile waits for longer. Products of 8192 points would spill.
Prefetch default_prefetch(const Schedule& schedule, std::uint64_t bytes) {
  constexpr std::uint64_t room = std::uint64_t{20} << 20;
  constexpr unsigned few = 2;
  constexpr std::int64_t least = 1000;
  const Pass& pass = schedule.pass;
  const bool measured = schedule.engine() == Engine::simt && !pass.convolves() && pass.n() >= least;
  const bool alone = schedule.min_blocks <= few && schedule.shape.shares.rounds == 1;
  return measured && (bytes <= room || alone) ? Prefetch::late : Prefetch::none;
}

// Whether blocks may stay. A thread copies points of 8 bytes to where its first phase will write
// them, and all phases but the first and the last have the tile to themselves.
bool may_stay(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  return schedule.mixed() && schedule.engine() == Engine::simt && !pass.convolves() &&
         !pass.packed && pass.domain() == Domain::c2c && pass.in.storage == Storage::f32 &&
         schedule.shape.shares.parts() == 1 && schedule.launch.transforms_per_block == 1 &&
         !schedule.load.staged && !schedule.store.staged && schedule.phases.size() > 1 &&
         shared_laps(schedule).of_lap > 0;
}

}  // namespace

// Blocks begin in their order, each where one has ended: as many further on as there are at a time.
void choose_prefetch(Schedule& schedule, const Target& target) {
  std::optional<Prefetch>& prefetch = schedule.shape.prefetch;
  const Pass& pass = schedule.pass;
  const unsigned transforms = schedule.launch.transforms_per_block;
  const bool exchanges = schedule.phases.size() > 1 || schedule.load.staged;
  const bool possible =
      target.has_bulk_prefetch() && exchanges && loads_one_piece(pass, transforms);
  const std::uint64_t ahead = std::uint64_t{schedule.min_blocks} *
                              static_cast<unsigned>(target.sms) / schedule.launch.cluster *
                              transforms;
  const auto bytes = static_cast<std::uint64_t>(pass.in.dist) * pass.bytes_of_point(true);
  if (!prefetch) prefetch = default_prefetch(schedule, ahead * bytes);
  if (!possible || (prefetch == Prefetch::persistent && !may_stay(schedule))) {
    prefetch = Prefetch::none;
  }
  schedule.transforms_ahead = prefetch == Prefetch::none ? 0 : ahead;
  if (prefetch == Prefetch::persistent) schedule.launch.stays = ahead;
}

}  // namespace sonoma
