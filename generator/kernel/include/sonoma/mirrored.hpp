// Where points lie in shared memory while those that mirror each other are taken together: in the
// order of their numbers, transform after transform.
#pragma once

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// True where frequencies of this side go between shared and global memory in the order of memory,
/// whichever row they are of, and are mirrored within shared memory: results in short rows, but of
/// several axes not those half of whose row is whole sectors, and what is loaded of several axes.
/// Else threads take pairs from and to global memory. (H200: results of 64 x 128 numbers .76 of a
/// copy in rows, .88 in pairs; of 12 x 14, 8 points a row, .87 and .97; but of 28 x 16 .87 and .58,
/// of 20 x 54 .96 and .87, for pairs write parts of sectors. Input of 45 x 20 .89 and .20.)
[[nodiscard]] bool moves_rows(const Schedule& schedule, bool input);

/// From one row of the last axis to the next there: as many places as the row has points; where
/// rows are moved one more, and of several axes no multiple of four, which would leave columns few
/// banks. (H200, input of 4 x 30 numbers, 16 points a row: .70 of a copy, with 17 places .87; of 28
/// x 18, 10 points, .86, but with 11 places .75: they are found by divisions.)
[[nodiscard]] std::uint32_t row_pitch(const Schedule& schedule);

/// From one transform of the block to the next there: its points, and a few more where that spreads
/// accesses over the banks.
[[nodiscard]] std::uint32_t mirrored_row(const Schedule& schedule);
/// How many more, as far as a block of the target has room.
[[nodiscard]] std::uint32_t choose_row_pad(const Schedule& schedule, const Target& target);

/// Of a cluster whose blocks share the points of a real transform of several axes: how many digits
/// of the points' numbers count the blocks. 0 elsewhere.
[[nodiscard]] std::size_t digits_of_blocks(const Schedule& schedule);

/// True where the numbers of a cosine or sine transform of type 2 or 3 are on the mirrored side:
/// two factors for each point.
[[nodiscard]] bool turns_numbers(const Pass& pass);

/// What the last step is multiplied by beside the request's factor: 1/2 before points are mirrored
/// that are then frequencies.
[[nodiscard]] double mirrored_undo(const Schedule& schedule);

/// 16-byte units of the table: a factor for each point up to the middle, or two, and with it; of
/// opposite butterflies one for each of them.
[[nodiscard]] std::uint32_t mirrored_units(const Schedule& schedule);

/// Of each digit the stride of its points there: by their times where they are loaded (`input`), or
/// the result of a convolution, else by their frequencies.
[[nodiscard]] std::vector<std::uint32_t> strides_in_order(const Schedule& schedule,
                                                          std::uint32_t row, bool input);

[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::ReadInOrder& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::WriteInOrder& op);
/// In shared memory.
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::LoadMirrored& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::StoreMirrored& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::MirrorRows& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::FilterPairs& op);

}  // namespace sonoma
