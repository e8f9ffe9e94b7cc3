// Operations of the steps: products on tensor cores with their scales, and butterflies.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/layout.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/table_range.hpp"

namespace SONOMA_API sonoma {
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
/// Where schedule.words() holds, LoadTile, CopyAsync, FindMaximum, WriteShared and ReadShared move
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
/// DFTs of `radix` points within a thread, over the register digits in `register_mask`. `fp64`:
/// summed in FP64, and rounded once.
struct Butterfly {
  unsigned step = 0;
  unsigned radix = 2;
  unsigned register_mask = 1;
  bool fp64 = false;
  ButterflyForm form = ButterflyForm::plain;
  Layout layout = {};
  auto operator<=>(const Butterfly&) const = default;
};

}  // namespace op
}  // namespace sonoma
