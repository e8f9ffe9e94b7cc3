// Index digits and where they live.
//
// The points of a block's tile are numbered by digits. A layout assigns every digit to a place (a
// bit of the register index or of the thread index); a LinearMap turns places into addresses.
// Loads, exchanges, twiddle look-ups and stores are all pairs of these two values.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/decomposition.hpp"

namespace sonoma {

/// One binary digit of the index of a point within the tile of a block.
///
/// A digit of step s is, before that step, part of the time digit t_s and, after it, part of the
/// frequency digit k_s that takes its place. A digit with step < 0 numbers the transforms of the
/// block.
struct Digit {
  int step = -1;
  unsigned weight = 1;            ///< of this bit within its step's digit (1, 2, 4 or 8)
  std::uint32_t time_stride = 0;  ///< of its input index, in points, within the tile
  std::uint32_t freq_stride = 0;  ///< of its output index, in points, within the tile

  auto operator<=>(const Digit&) const = default;
};

/// Position in the vector of digits.
using DigitId = unsigned;

/// Digits of a tile of `transforms` (a power of two) transforms of a decomposition, ordered by
/// ascending time stride.
[[nodiscard]] std::vector<Digit> make_digits(const Decomposition& decomposition,
                                             std::uint32_t transforms);

/// "t2[1]" (bit 1 of the second step's digit) or "b[0]".
[[nodiscard]] std::string digit_name(const Digit& digit);

/// Bit i of the register index holds digit registers[i]; bit i of the thread index (bits 0..4 are
/// the lane) holds digit threads[i]. A bijection: every digit of the tile stands exactly once.
///
/// The time digit of a step in `folded` stands so that its values v and r - 1 - v are neighbours in
/// the register bit of its highest bit: where that bit is set, the lower ones count backwards.
struct Layout {
  std::vector<DigitId> registers;
  std::vector<DigitId> threads;
  std::vector<unsigned> folded = {};  ///< indices of steps, ascending

  auto operator<=>(const Layout&) const = default;
};

constexpr unsigned lane_bits = 5;

/// Empty if `layout` is a bijection on `digits` digits, else the reason why not.
[[nodiscard]] std::string check_layout(const Layout& layout, std::size_t digits);

/// True if every thread (warp) owns the same points under both layouts.
[[nodiscard]] bool same_threads(const Layout& a, const Layout& b);
[[nodiscard]] bool same_warps(const Layout& a, const Layout& b);

/// Linear over GF(2): value(thread, register) = XOR of the entries of the bits that are set. Where
/// all entries are distinct powers of two this is an ordinary sum of strides.
struct LinearMap {
  std::vector<std::uint32_t> thread_bits;
  std::vector<std::uint32_t> register_bits;

  auto operator<=>(const LinearMap&) const = default;

  [[nodiscard]] std::uint32_t of_thread(std::uint32_t thread) const;
  [[nodiscard]] std::uint32_t of_register(std::uint32_t reg) const;
};

enum class Side { time, frequency };

/// Index of a point in the input (time) or output (frequency) of the tile.
[[nodiscard]] LinearMap index_map(const std::vector<Digit>& digits, const Layout& layout,
                                  Side side);

/// "registers t1[0] t1[3] t2[3] b[0] | lanes ... | warps ..."
[[nodiscard]] std::string to_string(const Layout& layout, const std::vector<Digit>& digits);

}  // namespace sonoma
