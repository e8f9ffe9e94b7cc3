#include "race_checker.hpp"

#include <algorithm>
#include <bit>

namespace sonoma::emulator {
namespace {

bool same_thread(const Accessor& a, const Accessor& b) {
  return a.block == b.block && a.warp == b.warp && a.lane == b.lane;
}

std::string name(const Accessor& who, const Accessor& seen_by) {
  const std::string block =
      who.block == seen_by.block ? "" : " of block " + std::to_string(who.block);
  return "thread " + std::to_string(who.warp * 32 + who.lane) + block;
}

}  // namespace

RaceChecker::RaceChecker(std::string name, std::size_t bytes, std::size_t cell_bytes, bool written)
    : name_(std::move(name)), cell_bytes_(cell_bytes), written_(written) {
  cells_.resize((bytes + cell_bytes - 1) / cell_bytes);
  reset();
}

// Whether nothing orders the write `before` and any access `now`.
bool RaceChecker::unordered(const Accessor& before, const Accessor& now) const {
  if (before.block_epoch == 0 || same_thread(before, now)) return false;
  if (before.block != now.block) return order_ == nullptr || !order_->ordered(before, now);
  if (before.in_cluster != now.in_cluster) return before.cluster_epoch == now.cluster_epoch;
  if (before.block_epoch != now.block_epoch) return false;
  return before.warp != now.warp || before.warp_epoch == now.warp_epoch;
}

// Whether nothing orders the read `before` and the write `now`.
bool RaceChecker::unordered_read(const Accessor& before, const Accessor& now) const {
  return unordered(before, now) && (before.block != now.block || before.warp != now.warp ||
                                    before.collectives == now.collectives);
}

void RaceChecker::reset() {
  Cell fresh;
  fresh.written = written_;
  std::fill(cells_.begin(), cells_.end(), fresh);
}

std::string RaceChecker::cell_name(std::size_t index) const {
  return " " + name_ + " bytes " + std::to_string(index * cell_bytes_) + "..";
}

std::optional<std::string> RaceChecker::load_cell(std::size_t index, const Accessor& by) {
  Cell& cell = cells_[index];
  if (cell.copy_under_way) {
    return "reads" + cell_name(index) + " while an asynchronous copy to them is under way";
  }
  if (!cell.written) return "reads" + cell_name(index) + ", which nobody has written";
  if (unordered(cell.writer, by)) {
    return "reads" + cell_name(index) + ", which " + name(cell.writer, by) +
           " wrote, with no barrier between";
  }
  const std::uint32_t lane = 1u << by.lane;
  const bool same_block = cell.reader.block == by.block && cell.reader.in_cluster == by.in_cluster;
  const bool same_epoch = same_block && cell.reader.block_epoch == by.block_epoch;
  if (same_epoch && cell.reader.warp == by.warp) {
    cell.reader_lanes = cell.reader.collectives == by.collectives ? cell.reader_lanes | lane : lane;
  } else {
    if (same_epoch || !same_block) cell.other_reader = cell.reader;
    cell.reader_lanes = lane;
  }
  cell.reader = by;
  return std::nullopt;
}

std::optional<std::string> RaceChecker::store_cell(std::size_t index, const Accessor& by) {
  Cell& cell = cells_[index];
  if (cell.copy_under_way) {
    return "writes" + cell_name(index) + " while an asynchronous copy to them is under way";
  }
  if (unordered(cell.writer, by)) {
    return "writes" + cell_name(index) + ", which " + name(cell.writer, by) +
           " wrote, with no barrier between";
  }
  std::optional<Accessor> reader;
  for (std::uint32_t lanes = cell.reader_lanes; lanes != 0; lanes &= lanes - 1) {
    Accessor candidate = cell.reader;
    candidate.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    if (unordered_read(candidate, by)) reader = candidate;
  }
  if (unordered_read(cell.other_reader, by)) reader = cell.other_reader;
  if (reader) {
    return "writes" + cell_name(index) + ", which " + name(*reader, by) +
           " read, with no barrier between";
  }
  cell.writer = by;
  cell.written = true;
  return std::nullopt;
}

std::optional<std::string> RaceChecker::load(std::size_t offset, std::size_t bytes,
                                             const Accessor& by) {
  for (std::size_t cell = offset / cell_bytes_; cell < (offset + bytes) / cell_bytes_; ++cell) {
    if (auto wrong = load_cell(cell, by)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::store(std::size_t offset, std::size_t bytes,
                                              const Accessor& by) {
  for (std::size_t cell = offset / cell_bytes_; cell < (offset + bytes) / cell_bytes_; ++cell) {
    if (auto wrong = store_cell(cell, by)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::begin_copy(std::size_t offset, std::size_t bytes,
                                                   const Accessor& by) {
  if (auto wrong = store(offset, bytes, by)) return wrong;
  for (std::size_t cell = offset / cell_bytes_; cell < (offset + bytes) / cell_bytes_; ++cell) {
    cells_[cell].copy_under_way = true;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::finish_copy(std::size_t offset, std::size_t bytes,
                                                    const Accessor& by) {
  for (std::size_t cell = offset / cell_bytes_; cell < (offset + bytes) / cell_bytes_; ++cell) {
    cells_[cell].copy_under_way = false;
  }
  return store(offset, bytes, by);
}

}  // namespace sonoma::emulator
