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

std::string at(std::size_t word) { return " shared bytes " + std::to_string(word * 4) + ".."; }

}  // namespace

void RaceChecker::start_block() { std::fill(words_.begin(), words_.end(), Word{}); }

std::optional<std::string> RaceChecker::load_word(std::size_t index, const Accessor& by) {
  Word& word = words_[index];
  if (word.copy_under_way) {
    return "reads" + at(index) + " while an asynchronous copy to them is under way";
  }
  if (!word.written) return "reads" + at(index) + ", which nobody has written";
  if (unordered(word.writer, by)) {
    return "reads" + at(index) + ", which " + name(word.writer) + " wrote, with no barrier between";
  }
  const std::uint64_t lane = std::uint64_t{1} << by.lane;
  const bool same_epoch = word.reader.block_epoch == by.block_epoch;
  if (same_epoch && word.reader.warp == by.warp) {
    word.reader_lanes = word.reader.warp_epoch == by.warp_epoch ? word.reader_lanes | lane : lane;
  } else {
    if (same_epoch) word.other_reader = word.reader;
    word.reader_lanes = lane;
  }
  word.reader = by;
  return std::nullopt;
}

std::optional<std::string> RaceChecker::store_word(std::size_t index, const Accessor& by) {
  Word& word = words_[index];
  if (word.copy_under_way) {
    return "writes" + at(index) + " while an asynchronous copy to them is under way";
  }
  if (unordered(word.writer, by)) {
    return "writes" + at(index) + ", which " + name(word.writer) +
           " wrote, with no barrier between";
  }
  std::optional<Accessor> reader;
  for (std::uint64_t lanes = word.reader_lanes; lanes != 0; lanes &= lanes - 1) {
    Accessor candidate = word.reader;
    candidate.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    if (unordered(candidate, by)) reader = candidate;
  }
  if (unordered(word.other_reader, by)) reader = word.other_reader;
  if (reader) {
    return "writes" + at(index) + ", which " + name(*reader) + " read, with no barrier between";
  }
  word.writer = by;
  word.written = true;
  return std::nullopt;
}

std::optional<std::string> RaceChecker::load(std::size_t offset, std::size_t bytes,
                                             const Accessor& by) {
  for (std::size_t word = offset / 4; word < (offset + bytes + 3) / 4; ++word) {
    if (auto wrong = load_word(word, by)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::store(std::size_t offset, std::size_t bytes,
                                              const Accessor& by) {
  for (std::size_t word = offset / 4; word < (offset + bytes + 3) / 4; ++word) {
    if (auto wrong = store_word(word, by)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::begin_copy(std::size_t offset, const Accessor& by) {
  if (auto wrong = store(offset, 16, by)) return wrong;
  for (std::size_t word = offset / 4; word < offset / 4 + 4; ++word) {
    words_[word].copy_under_way = true;
  }
  return std::nullopt;
}

std::optional<std::string> RaceChecker::finish_copy(std::size_t offset, const Accessor& by) {
  for (std::size_t word = offset / 4; word < offset / 4 + 4; ++word) {
    words_[word].copy_under_way = false;
  }
  return store(offset, 16, by);
}

}  // namespace sonoma::emulator
