// Counts the trips to shared memory that the accesses of a warp take.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sonoma/emulator.hpp"

namespace sonoma::emulator {

/// One access instruction of a warp: which lanes took part, and where in shared memory.
struct WarpAccess {
  std::uint32_t lanes = 0;
  std::array<std::uint32_t, 32> offsets;
};

/// WavefrontCount of one warp access, each lane `bytes` = 2, 4, 8 or 16 wide.
[[nodiscard]] WavefrontCount count_wavefronts(const WarpAccess& access, unsigned bytes);

/// load_cluster, store_cluster: of another block of the cluster, or as if of one.
enum class SharedOperation { load, store, copy, load_cluster, store_cluster };
[[nodiscard]] constexpr bool is_load(SharedOperation operation) {
  return operation == SharedOperation::load || operation == SharedOperation::load_cluster;
}

/// The lanes of a warp run one after another, so an access of the warp is put together from the
/// lanes' calls: the same call path, and the same occurrence of it in each lane.
class WavefrontLog {
 public:
  void record(unsigned lane, std::uint64_t path, SharedOperation operation, std::uint32_t offset,
              unsigned bytes);

  /// Adds what was recorded to `report` and forgets it.
  void flush(EmulationReport& report);

 private:
  struct Site {
    SharedOperation operation = SharedOperation::load;
    unsigned bytes = 0;
    std::array<std::uint32_t, 32> occurrences{};
    std::vector<WarpAccess> accesses;
  };
  std::unordered_map<std::uint64_t, Site> sites_;
};

}  // namespace sonoma::emulator
