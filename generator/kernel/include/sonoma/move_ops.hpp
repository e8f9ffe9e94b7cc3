// Operations that move the points of a tile: loads, stores, exchanges, and the barriers between
// them.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/layout.hpp"
#include "sonoma/table_range.hpp"

namespace SONOMA_API sonoma {
namespace op {

/// Until the launch before has ended and what it stored can be read. Before the first access to the
/// tile in global memory, where the schedule's launch follows another.
struct WaitForLaunch {
  auto operator<=>(const WaitForLaunch&) const = default;
};
/// Global memory to registers.
struct LoadTile {
  Layout layout;
  auto operator<=>(const LoadTile&) const = default;
};
/// Global to shared memory, 16 bytes at a time, without waiting.
struct CopyAsync {
  Layout layout;
  auto operator<=>(const CopyAsync&) const = default;
};
struct WaitAsync {
  auto operator<=>(const WaitAsync&) const = default;
};
/// Of blocks that stay: a thread's points of the block's first tile or, `next`, of the one that
/// follows, from global memory each to its place in shared memory, without waiting. `next`: once
/// all threads of the block have read what lay there, in laps, that of the lap.
struct FetchTile {
  Layout layout;
  bool next = false;
  auto operator<=>(const FetchTile&) const = default;
};
/// From here on for each tile of the block, `apart` transforms from one to the next.
struct EachTile {
  std::uint64_t apart = 0;
  auto operator<=>(const EachTile&) const = default;
};
/// Asks the L2 cache for the tile of a block that has not begun: so many transforms on.
struct PrefetchTile {
  std::uint64_t transforms = 0;
  auto operator<=>(const PrefetchTile&) const = default;
};
struct Barrier {
  enum class Scope { warp, block, cluster };
  Scope scope = Scope::block;
  auto operator<=>(const Barrier&) const = default;
};
/// What follows, up to the next one, is done for the points of one round: see Turn. First both
/// rounds before the turn, then both after it.
struct Round {
  unsigned number = 0;
  bool turned = false;
  auto operator<=>(const Round&) const = default;
};
/// Half of a thread's points: those whose digit of the turn in registers is 0, or 1.
enum class Half { both, zero, one };
/// The points of a round before the turn to shared memory, to the block and the quarter of it
/// where their round after the turn finds them.
struct WriteTurn {
  Layout layout;
  unsigned round = 0;
  Half half = Half::both;
  auto operator<=>(const WriteTurn&) const = default;
};
/// The points of a round after the turn. Half of them: into registers of their own, beside what has
/// not been written yet, until the other half is there.
struct ReadTurn {
  Layout layout;
  unsigned round = 0;
  Half half = Half::both;
  auto operator<=>(const ReadTurn&) const = default;
};
/// One component of all points of a round, to and from a quarter of shared memory: an exchange in
/// half the room.
enum class Component { real, imaginary };
struct WriteParts {
  Layout layout;
  std::vector<DigitId> blocks = {};  ///< as of ReadShared
  Component component = Component::real;
  unsigned quarter = 0;
  auto operator<=>(const WriteParts&) const = default;
};
struct ReadParts {
  Layout layout;
  std::vector<DigitId> blocks = {};
  Component component = Component::real;
  unsigned quarter = 0;
  auto operator<=>(const ReadParts&) const = default;
};
/// Registers to shared memory. A point has one place for the whole kernel, or, in a cluster, one
/// for each choice of `blocks`: the digits that number the block whose memory holds it. What the
/// layout has in another block goes there.
struct WriteShared {
  Layout layout;
  std::vector<DigitId> blocks = {};
  bool residues = false;  ///< by remainders: see Schedule::coprime_phase
  auto operator<=>(const WriteShared&) const = default;
};
struct ReadShared {
  Layout layout;
  /// Of the thread's own block; of opposite butterflies, which any block has, of that which wrote.
  std::vector<DigitId> blocks = {};
  bool residues = false;  ///< by remainders: see Schedule::coprime_phase
  auto operator<=>(const ReadShared&) const = default;
};
/// All points of a block's transforms from global to shared memory, in the order of memory, and
/// back: of method rader, and of rows of mirrored frequencies. See rader.cuh, of several axes
/// mirrored_rows.cuh.
struct LoadInOrder {
  auto operator<=>(const LoadInOrder&) const = default;
};
struct StoreInOrder {
  auto operator<=>(const StoreInOrder&) const = default;
};
/// Between registers and that order: point q of a transform is x(root^q mod n). x(0), and X(0),
/// goes between its place there and a slot behind the tile.
struct ReadPowers {
  Layout layout;
  unsigned root = 0;
  TableRange table;  ///< of both
  auto operator<=>(const ReadPowers&) const = default;
};
struct WritePowers {
  Layout layout;
  unsigned root = 0;
  TableRange table;
  auto operator<=>(const WritePowers&) const = default;
};
/// Between registers and the order of the points' own numbers: point t (frequency k) of transform b
/// of the block at place b row + t.
struct ReadInOrder {
  Layout layout;
  std::uint32_t row = 0;
  bool frequencies = false;  ///< by their numbers
  auto operator<=>(const ReadInOrder&) const = default;
};
struct WriteInOrder {
  Layout layout;
  std::uint32_t row = 0;
  auto operator<=>(const WriteInOrder&) const = default;
};
/// Between that order and global memory, where frequencies of real numbers lie: see mirrored.cuh.
struct LoadMirrored {
  std::uint32_t row = 0;
  TableRange table;  ///< of all transforms
  auto operator<=>(const LoadMirrored&) const = default;
};
struct StoreMirrored {
  std::uint32_t row = 0;
  TableRange table;
  auto operator<=>(const StoreMirrored&) const = default;
};
/// The same within shared memory, where rows lie as in global memory: from there LoadInOrder brings
/// them, to there StoreInOrder takes them. See mirrored.cuh, and of several axes mirrored_rows.cuh.
/// Of Mirror::Kind::rows: what is loaded is completed by its conjugates, without a table.
struct MirrorRows {
  std::uint32_t row = 0;
  TableRange table;
  auto operator<=>(const MirrorRows&) const = default;
};
/// Between the same and the registers of threads that take butterflies q and -q, whose points
/// mirror each other: see opposite.cuh.
struct LoadOpposite {
  Layout layout;
  TableRange table;  ///< +-i w^q of each butterfly q, w = exp(+-i pi / m)
  auto operator<=>(const LoadOpposite&) const = default;
};
struct StoreOpposite {
  Layout layout;
  TableRange table;  ///< as of LoadOpposite
  auto operator<=>(const StoreOpposite&) const = default;
};
/// Every point that memory has becomes what the caller's code makes of it: see ends.hpp. After the
/// load, or (`store`) before the store.
struct CallerCode {
  Layout layout;
  bool store = false;
  auto operator<=>(const CallerCode&) const = default;
};
/// Registers to global memory.
struct StoreTile {
  Layout layout;
  auto operator<=>(const StoreTile&) const = default;
};

}  // namespace op
}  // namespace sonoma
