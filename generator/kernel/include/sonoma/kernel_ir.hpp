// The kernel as a flat list of tile-level operations: one line each in the emitted text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/factor_ops.hpp"
#include "sonoma/move_ops.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/step_ops.hpp"

namespace SONOMA_API sonoma {

using AnyOp = std::variant<
    op::LoadMatrix, op::WaitForLaunch, op::LoadTile, op::CopyAsync, op::WaitAsync, op::FetchTile,
    op::EachTile, op::PrefetchTile, op::Barrier, op::Round, op::WriteTurn, op::ReadTurn,
    op::WriteParts, op::ReadParts, op::WriteShared, op::ReadShared, op::LoadInOrder,
    op::StoreInOrder, op::ReadPowers, op::WritePowers, op::ReadInOrder, op::WriteInOrder,
    op::LoadMirrored, op::StoreMirrored, op::MirrorRows, op::LoadOpposite, op::StoreOpposite,
    op::ZeroFrequency, op::FindMaximum, op::TransformScale, op::Fold, op::Scale, op::Split, op::Mma,
    op::Combine, op::Join, op::ScaleWords, op::UnpackWords, op::PackWords, op::WordProduct,
    op::Unscale, op::Butterfly, op::Twiddle, op::PassTwiddle, op::Chirp, op::Spectrum, op::Filter,
    op::FilterPairs, op::FilterOpposite, op::EachChannel, op::SumChannels, op::Conjugate,
    op::JoinHalves, op::Multiply, op::CallerCode, op::StoreTile>;

/// One operation of any kind. Its copies, its end and its comparison are defined once: of so many
/// kinds each is much code, and every file that holds a kernel would have it again.
struct Op : AnyOp {
  using AnyOp::AnyOp;
  Op();
  Op(const Op& other);
  Op(Op&& other) noexcept;
  Op& operator=(const Op& other);
  Op& operator=(Op&& other) noexcept;
  ~Op();
  bool operator==(const Op& other) const;
};

struct KernelIr {
  Schedule schedule;
  Direction direction = Direction::forward;
  std::vector<Op> ops;
  std::uint32_t table_units = 0;  ///< 16-byte units of the plan's tables

  // Defined once: comparing every kind of operation is much code.
  bool operator==(const KernelIr& other) const;
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
