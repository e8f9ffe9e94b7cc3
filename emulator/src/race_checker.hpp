// Finds uses of memory that no barrier orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "block_order.hpp"

namespace sonoma::emulator {

/// When and by whom: two accesses of different threads of a block are ordered if a block barrier
/// lies between them or, within one warp, a warp barrier; those of two blocks of a cluster by a
/// cluster barrier; those of other blocks by counters only, see BlockOrder.
struct Accessor {
  std::uint32_t warp = 0;  ///< counted through the cluster
  std::uint32_t lane = 0;
  std::uint32_t block_epoch = 0;    ///< barriers of the block passed, counted from 1; 0: nobody
  std::uint32_t warp_epoch = 0;     ///< warp barriers passed
  std::uint32_t collectives = 0;    ///< passed, warp barriers among them
  std::uint32_t block = 0;          ///< or cluster
  std::uint32_t in_cluster = 0;     ///< which of its blocks
  std::uint32_t cluster_epoch = 0;  ///< cluster barriers passed
};

/// A stretch of memory, in cells of the smallest access there is. Every check returns what is
/// wrong, if anything is, as the end of a sentence that starts with the thread. Of two earlier
/// races on one cell one may be reported in place of the other.
class RaceChecker {
 public:
  /// `name`: of the memory, for messages. `written`: whether it has a content to begin with.
  RaceChecker(std::string name, std::size_t bytes, std::size_t cell_bytes, bool written);

  /// What orders blocks; without it nothing does. Outlives the checker.
  void set_order(const BlockOrder& order) { order_ = &order; }

  /// Back to the beginning: nobody was here.
  void reset();

  [[nodiscard]] std::optional<std::string> load(std::size_t offset, std::size_t bytes,
                                                const Accessor& by);
  [[nodiscard]] std::optional<std::string> store(std::size_t offset, std::size_t bytes,
                                                 const Accessor& by);
  /// From here until finish_copy nobody may touch these bytes.
  [[nodiscard]] std::optional<std::string> begin_copy(std::size_t offset, std::size_t bytes,
                                                      const Accessor& by);
  [[nodiscard]] std::optional<std::string> finish_copy(std::size_t offset, std::size_t bytes,
                                                       const Accessor& by);

 private:
  struct Cell {
    Accessor writer;
    // All readers of the last reading warp since its last collective, and any one other warp.
    Accessor reader;  ///< lane: the last one
    std::uint32_t reader_lanes = 0;
    Accessor other_reader;
    bool written = false;
    bool copy_under_way = false;
  };
  std::optional<std::string> load_cell(std::size_t index, const Accessor& by);
  std::optional<std::string> store_cell(std::size_t index, const Accessor& by);

  [[nodiscard]] bool unordered(const Accessor& before, const Accessor& now) const;
  [[nodiscard]] bool unordered_read(const Accessor& before, const Accessor& now) const;
  [[nodiscard]] std::string cell_name(std::size_t index) const;

  std::string name_;
  std::size_t cell_bytes_;
  bool written_;
  const BlockOrder* order_ = nullptr;
  std::vector<Cell> cells_;
};

}  // namespace sonoma::emulator
