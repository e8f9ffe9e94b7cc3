// The kernel as a flat list of tile-level operations: one line each in the emitted text.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sonoma/layout.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {

/// A range of the plan's tables, in 16-byte units.
struct TableRange {
  std::uint32_t offset = 0, size = 0;
  auto operator<=>(const TableRange&) const = default;
};

namespace op {

/// DFT matrix of a radix for products from one side, as FP16 fragments in the lane order of the
/// MMA.
struct LoadMatrix {
  unsigned radix = 16;
  StepForm form = StepForm::left;
  bool words = false;  ///< for complex words
  TableRange table;
  auto operator<=>(const LoadMatrix&) const = default;
};
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
  auto operator<=>(const WriteShared&) const = default;
};
struct ReadShared {
  Layout layout;
  std::vector<DigitId> blocks = {};  ///< of the thread's own block
  auto operator<=>(const ReadShared&) const = default;
};
/// Method rader: all points of a block's transforms from global to shared memory, in the order of
/// memory, and back. See rader.cuh.
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
/// Sums and differences of the points v and 15 - v of a digit of radix 16: see fold.cuh.
struct Fold {
  unsigned tile = 0;
  StepForm form = StepForm::left;
  bool scaled = false;  ///< of the points under the transform's scale
  unsigned step = 0;
  auto operator<=>(const Fold&) const = default;
};
/// The power-of-two scale of every group of a warp tile: all points of one transform in it.
struct Scale {
  unsigned tile = 0;
  unsigned register_mask = 0;  ///< register bits within a group
  unsigned lane_mask = 0;      ///< lane bits within a group
  bool contained = false;      ///< see Split
  unsigned step = 0;
  auto operator<=>(const Scale&) const = default;
};
/// The largest magnitude among a warp's points of the one transform they belong to: in registers,
/// or
/// (`copied`) those that the thread has copied to shared memory. With several warps a transform it
/// is left in shared memory for the others.
struct FindMaximum {
  Layout layout;
  bool copied = false;
  unsigned warps = 1;
  auto operator<=>(const FindMaximum&) const = default;
};
/// The power-of-two scale of the transform, from the maxima of its warps: see scaling.hpp.
struct TransformScale {
  unsigned warps = 1;
  int target = 14;
  int undo = 0;
  int most = 126;  ///< of the exponent
  auto operator<=>(const TransformScale&) const = default;
};
/// What a split multiplies by: the scale of its group, that of the transform, or nothing because
/// its fold or an earlier step did.
enum class SplitScale { group, transform, none };
/// x 2^k = hi + lo, FP16 both. `contained`: the contracted index also runs over other
/// transforms, so that groups that are not finite must be zeroed here and poisoned in Combine.
/// `parts`: 1 keeps hi only; 3 adds what two leave, for steps whose matrix is exact in FP16 (radix
/// 2 and 4).
struct Split {
  unsigned tile = 0;
  bool contained = false;
  unsigned parts = 2;
  SplitScale scale = SplitScale::group;
  unsigned step = 0;
  auto operator<=>(const Split&) const = default;
};
/// Products of the split tile with the DFT matrix (schedule.products() of them), corrections
/// accumulated apart.
struct Mma {
  unsigned tile = 0;
  unsigned step = 0;
  unsigned radix = 16;
  StepForm form = StepForm::left;
  auto operator<=>(const Mma&) const = default;
};
/// Main product + corrections, in FP32, and the scale undone.
struct Combine {
  unsigned tile = 0;
  StepForm form = StepForm::left;
  bool contained = false;
  bool uniform = false;  ///< the scale does not depend on the lane
  unsigned step = 0;
  auto operator<=>(const Combine&) const = default;
};
/// Main product + corrections, in FP32, and nothing else: the transform's scale stays on.
struct Join {
  unsigned tile = 0;
  unsigned step = 0;
  auto operator<=>(const Join&) const = default;
};
/// Where schedule.words() is set, LoadTile, CopyAsync, FindMaximum, WriteShared and ReadShared move
/// words, not points: those of the storage until ScaleWords, then FP16.
///
/// Words of the storage to FP16 under the transform's scale, on all tiles.
struct ScaleWords {
  auto operator<=>(const ScaleWords&) const = default;
};
/// FP16 words to points, on all tiles.
struct UnpackWords {
  auto operator<=>(const UnpackWords&) const = default;
};
/// Points to complex FP16 words, under the transform's scale (`scaled`) or as they are.
struct PackWords {
  unsigned tile = 0;
  bool scaled = false;
  auto operator<=>(const PackWords&) const = default;
};
/// The product of a tile of words with the DFT matrix of radix 16, in FP32.
struct WordProduct {
  unsigned tile = 0;
  unsigned step = 0;
  StepForm form = StepForm::left;
  auto operator<=>(const WordProduct&) const = default;
};
/// The transform's scale undone.
struct Unscale {
  auto operator<=>(const Unscale&) const = default;
};
/// DFTs of `radix` points within a thread, over the register digits in `register_mask`.
struct Butterfly {
  unsigned step = 0;
  unsigned radix = 2;
  unsigned register_mask = 1;
  Layout layout = {};
  auto operator<=>(const Butterfly&) const = default;
};
/// Which factors of a step: w^(k t'), the `twiddles`, and w_16^(15 k / 2), which a fold leaves, the
/// `centre`. There they follow a step together. Back, twiddles come before it; the centre, of the
/// digit that it leaves, after it.
enum class StepFactors { both, twiddles, centre };
/// x *= those of `step`.
struct Twiddle {
  unsigned step = 0;
  StepFactors factors = StepFactors::twiddles;
  Layout layout;
  std::vector<std::uint32_t> thread_bits;  ///< table index of thread digits (0: do not matter)
  std::uint32_t stride = 1;                ///< table units between register entries
  unsigned register_mask = 0;              ///< register digits the factor depends on
  unsigned unity_mask = 0;  ///< != 0: registers where these digits, all of k, are 0 have factor 1
  unsigned unity_time_mask = 0;  ///< the same of these digits, all of t'
  int exponent = 0;              ///< the table holds the factors times 2^exponent
  /// The table holds w^k, k = 1, 2, 3, 4, 8, 12 of a whole digit of radix 16; the others are
  /// products of two of them.
  bool products = false;
  TableRange table;
  auto operator<=>(const Twiddle&) const = default;
};
/// x *= w_N^(k c), N the twiddle length of the pass, c the number of the transform (its column).
struct PassTwiddle {
  Layout layout;
  bool before = false;  ///< the steps: k numbers their input
  auto operator<=>(const PassTwiddle&) const = default;
};
/// x *= w(t), the chirp exp(sign pi i t^2 / n); `last`: x = conj(x) w(t).
struct Chirp {
  Layout layout;
  bool last = false;
  TableRange table;  ///< w(0), w(1), ..., for both; empty: from exact angles
  auto operator<=>(const Chirp&) const = default;
};
/// Method rader: where a thread holds frequency 0, A, of the points of a transform but x(0): leaves
/// X(0) = (x(0) + A) factor in the slot, where x(0) was, and in the register x(0) - A / m, the
/// product with the spectrum, B(0) / m = -1 / m, plus what all other results have of x(0).
struct ZeroFrequency {
  Layout layout;
  float factor = 1.0f;  ///< of the request
  auto operator<=>(const ZeroFrequency&) const = default;
};
/// x = conj(x B(k)), B the spectrum of the conjugate chirp over m, the length of the transforms.
/// From here on the steps run backwards: each was a symmetric matrix, so that their product in the
/// reverse order is the same DFT, from frequency digits to time digits.
///
/// Method rader: x = x B(k), B the spectrum of w^(g^-q), which has 1 for B(0): see ZeroFrequency.
/// With no conjugate, points come back in the reverse order, at the powers g^q of their own places.
struct Spectrum {
  Layout layout;
  std::vector<std::uint32_t> thread_bits;  ///< table index of thread digits (0: do not matter)
  std::uint32_t stride = 1;                ///< table units between register entries
  unsigned register_mask = 0;              ///< register digits the factor depends on
  std::uint32_t tiles = 1;                 ///< blocks with a part of the table each
  /// The table holds B(k) times 2^exponent, which a factor before the last chirp undoes. On the way
  /// back no point exceeds the sum S of all |x|, but sums within a DFT of p points y, p an odd
  /// prime, may, up to sqrt(p) S: the p results, S at most, have p times the squares of the points,
  /// so that |y|_2 <= S, and |y|_1 <= sqrt(p) |y|_2.
  int exponent = 0;
  TableRange table;
  auto operator<=>(const Spectrum&) const = default;
};
/// x *= factor, the user's.
struct Multiply {
  float factor = 1.0f;
  auto operator<=>(const Multiply&) const = default;
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

using Op =
    std::variant<op::LoadMatrix, op::WaitForLaunch, op::LoadTile, op::CopyAsync, op::WaitAsync,
                 op::Barrier, op::Round, op::WriteTurn, op::ReadTurn, op::WriteParts, op::ReadParts,
                 op::WriteShared, op::ReadShared, op::LoadInOrder, op::StoreInOrder, op::ReadPowers,
                 op::WritePowers, op::ZeroFrequency, op::FindMaximum, op::TransformScale, op::Fold,
                 op::Scale, op::Split, op::Mma, op::Combine, op::Join, op::ScaleWords,
                 op::UnpackWords, op::PackWords, op::WordProduct, op::Unscale, op::Butterfly,
                 op::Twiddle, op::PassTwiddle, op::Chirp, op::Spectrum, op::Multiply,
                 op::CallerCode, op::StoreTile>;

struct KernelIr {
  Schedule schedule;
  Direction direction = Direction::forward;
  std::vector<Op> ops;
  std::uint32_t table_units = 0;  ///< 16-byte units of the plan's tables

  auto operator<=>(const KernelIr&) const = default;
};

/// The factors that follow a step, if there are any; and whether, on the way back, twiddles come
/// before it.
[[nodiscard]] std::optional<op::StepFactors> factors_after(const Schedule& schedule,
                                                           const Step& step);
[[nodiscard]] bool has_twiddles_before(const Schedule& schedule, const Step& step);

/// Schedule to operations.
[[nodiscard]] KernelIr lower(const Schedule& schedule, Direction direction, double scale);

/// One line.
[[nodiscard]] std::string to_string(const Op& op, const std::vector<Digit>& digits);
/// One line per op.
[[nodiscard]] std::string to_string(const KernelIr& ir);

}  // namespace sonoma
