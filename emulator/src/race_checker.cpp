#include "race_checker.hpp"

#include <algorithm>
#include <bit>

namespace sonoma::emulator {
namespace {

bool same_thread(const Accessor& a, const Accessor& b) {
  return a.warp == b.warp && a.lane == b.lane && a.lane != Accessor::whole_warp;
}

// Whether no barrier lies between `before` and `now`, and they are different threads.
bool unordered(const Accessor& before, const Accessor& now) {
  if (before.block_epoch != now.block_epoch || same_thread(before, now)) return false;
  return before.warp != now.warp || before.warp_epoch == now.warp_epoch;
}

std::string name(const Accessor& who) {
  if (who.lane == Accessor::whole_warp) return "warp " + std::to_string(who.warp);
  return "thread " + std::to_string(who.warp * 32 + who.lane);
}

constexpr std::size_t cell_bytes = 2;

std::string at(std::size_t cell) {
  return " shared bytes " + std::to_string(cell * cell_bytes) + "..";
}

}  // namespace

RaceChecker::RaceChecker(std::size_t bytes) : cells_((bytes + cell_bytes - 1) / cell_bytes) {}

void RaceChecker::start_block() { std::fill(cells_.begin(), cells_.end(), Cell{}); }

std::optional<std::string> RaceChecker::load_cell(std::size_t index, const Accessor& by) {
  Cell& cell = cells_[index];
  if (cell.copy_under_way) {
    return "reads" + at(index) + " while an asynchronous copy to them is under way";
  }
  if (!cell.written) return "reads" + at(index) + ", which nobody has written";
  if (unordered(cell.writer, by)) {
    return "reads" + at(index) + ", which " + name(cell.writer) + " wrote, with no barrier between";
  }
  const std::uint64_t lane = std::uint64_t{1} << by.lane;
  const bool same_epoch = cell.reader.block_epoch == by.block_epoch;
  if (same_epoch && cell.reader.warp == by.warp) {
    cell.reader_lanes = cell.reader.warp_epoch == by.warp_epoch ? cell.reader_lanes | lane : lane;
  } else {
    if (same_epoch) cell.other_reader = cell.reader;
    cell.reader_lanes = lane;
  }
  cell.reader = by;
  return std::nullopt;
}

std::optional<std::string> RaceChecker::store_cell(std::size_t index, const Accessor& by) {
  Cell& cell = cells_[index];
  if (cell.copy_under_way) {
    return "writes" + at(index) + " while an asynchronous copy to them is under way";
  }
  if (unordered(cell.writer, by)) {
    return "writes" + at(index) + ", which " + name(cell.writer) +
           " wrote, with no barrier between";
  }
  std::optional<Accessor> reader;
  for (std::uint64_t lanes = cell.reader_lanes; lanes != 0; lanes &= lanes - 1) {
    Accessor candidate = cell.reader;
    candidate.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    if (unordered(candidate, by)) reader = candidate;
  }
  if (unordered(cell.other_reader, by)) reader = cell.other_reader;
  if (reader) {
    return "writes" + at(index) + ", which " + name(*reader) + " read, with no barrier between";
  }
  cell.writer = by;
  cell.written = true;
  return std::nullopt;
}

std::optional<std::string> RaceChecker::load(std::size_t offset, std::size_t bytes,
                                             const Accessor& by) {
  for (std::size_t cell = offset / cell_bytes; cell < (offset + bytes) / cell_bytes; ++cell) {
    if (auto wrong = load_cell(cell, by)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::store(std::size_t offset, std::size_t bytes,
                                              const Accessor& by) {
  for (std::size_t cell = offset / cell_bytes; cell < (offset + bytes) / cell_bytes; ++cell) {
    if (auto wrong = store_cell(cell, by)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::begin_copy(std::size_t offset, const Accessor& by) {
  if (auto wrong = store(offset, 16, by)) return wrong;
  for (std::size_t cell = offset / cell_bytes; cell < (offset + 16) / cell_bytes; ++cell) {
    cells_[cell].copy_under_way = true;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::finish_copy(std::size_t offset, const Accessor& by) {
  for (std::size_t cell = offset / cell_bytes; cell < (offset + 16) / cell_bytes; ++cell) {
    cells_[cell].copy_under_way = false;
  }
  return store(offset, 16, by);
}

}  // namespace sonoma::emulator
