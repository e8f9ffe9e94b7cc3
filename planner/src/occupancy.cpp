#include "sonoma/occupancy.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sonoma {
namespace {

constexpr unsigned warp = 32;

unsigned rounded_up(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

// An SM has four parts with a quarter of the registers each. A block starts only where there are
// registers for warps in fours.
unsigned blocks_by_registers(unsigned warps, unsigned registers, const Target& target) {
  constexpr unsigned unit = 256, parts = 4;
  const unsigned of_warp = rounded_up(std::max(registers, 1u) * warp, unit);
  const auto all = static_cast<unsigned>(target.registers);
  if (of_warp * rounded_up(warps, parts) > all) return 0;
  return all / parts / of_warp * parts / warps;
}

unsigned blocks_by_shared(unsigned bytes, const Target& target) {
  const bool old = target.arch < 80;
  const unsigned reserved = old ? 0 : 1024, unit = old ? 256 : 128;
  const unsigned all = static_cast<unsigned>(target.shared_bytes) + reserved;
  const unsigned taken = rounded_up(bytes + reserved, unit);
  return taken == 0 ? static_cast<unsigned>(target.blocks_of_sm()) : all / taken;
}

}  // namespace

std::string to_string(SmResource resource) {
  static constexpr std::array names = {"threads", "blocks", "registers", "shared memory"};
  return names[static_cast<std::size_t>(resource)];
}

Occupancy occupancy_of(const LaunchShape& launch, unsigned registers, unsigned static_shared_bytes,
                       const Target& target) {
  const unsigned warps = rounded_up(launch.threads, warp) / warp;
  Occupancy result;
  result.most_warps = static_cast<unsigned>(target.threads_of_sm()) / warp;
  result.by_threads = result.most_warps / warps;
  result.by_blocks = static_cast<unsigned>(target.blocks_of_sm());
  result.by_registers = blocks_by_registers(warps, registers, target);
  result.by_shared = blocks_by_shared(launch.shared_bytes + static_shared_bytes, target);
  result.blocks =
      std::min({result.by_threads, result.by_blocks, result.by_registers, result.by_shared});
  result.warps = result.blocks * warps;
  for (const auto& [resource, room] : {std::pair{SmResource::threads, result.by_threads},
                                       {SmResource::blocks, result.by_blocks},
                                       {SmResource::registers, result.by_registers},
                                       {SmResource::shared_memory, result.by_shared}}) {
    if (room == result.blocks) result.limiters.push_back(resource);
  }
  return result;
}

}  // namespace sonoma
