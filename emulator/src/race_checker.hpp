// Finds uses of shared memory that no barrier orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sonoma::emulator {

/// When and by whom: two accesses of different threads are ordered if a block barrier lies between
/// them or, within one warp, a warp barrier.
struct Accessor {
  static constexpr std::uint32_t whole_warp = 32;  ///< as lane: a wmma access, by unknown lanes

  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t block_epoch = 0;  ///< block barriers passed, counted from 1; 0: nobody
  std::uint32_t warp_epoch = 0;   ///< warp barriers passed
};

/// One block's shared memory. Every check returns what is wrong, if anything is, as the end of a
/// sentence that starts with the thread.
class RaceChecker {
 public:
  explicit RaceChecker(std::size_t bytes);

  /// Nothing is written yet, nobody was here.
  void start_block();

  [[nodiscard]] std::optional<std::string> load(std::size_t offset, std::size_t bytes,
                                                const Accessor& by);
  [[nodiscard]] std::optional<std::string> store(std::size_t offset, std::size_t bytes,
                                                 const Accessor& by);
  /// From here until finish_copy nobody may touch the 16 bytes.
  [[nodiscard]] std::optional<std::string> begin_copy(std::size_t offset, const Accessor& by);
  [[nodiscard]] std::optional<std::string> finish_copy(std::size_t offset, const Accessor& by);

 private:
  // Of two bytes, the smallest access there is.
  struct Cell {
    Accessor writer;
    // All readers of the last reading warp since its last warp barrier, and any one other warp.
    Accessor reader;  ///< lane: the last one
    std::uint64_t reader_lanes = 0;
    Accessor other_reader;
    bool written = false;
    bool copy_under_way = false;
  };
  std::optional<std::string> load_cell(std::size_t index, const Accessor& by);
  std::optional<std::string> store_cell(std::size_t index, const Accessor& by);

  std::vector<Cell> cells_;
};

}  // namespace sonoma::emulator
