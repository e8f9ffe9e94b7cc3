// Index digits and where they live.
//
// The points of a block's tile are numbered by digits. A layout assigns every digit to a place (a
// digit of the register number or of the thread number); a LinearMap turns places into addresses.
// Loads, exchanges, twiddle look-ups and stores are all pairs of these two values.
//
// Where n is a power of two all digits are bits, and so are the digits of register and thread
// numbers. Of other lengths ("mixed") a digit takes as many values as a prime factor of n.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/pass.hpp"

namespace SONOMA_API sonoma {

/// One digit of the index of a point within the tile of a block.
///
/// A digit of step s is, before that step, part of the time digit t_s and, after it, part of the
/// frequency digit k_s that takes its place. A digit with step < 0 numbers the transforms of the
/// block.
struct Digit {
  int step = -1;
  unsigned weight = 1;            ///< of this digit within its step's (a bit: 1, 2, 4 or 8)
  std::uint32_t time_stride = 0;  ///< of its input index, in points, within the tile
  std::uint32_t freq_stride = 0;  ///< of its output index, in points, within the tile
  unsigned count = 2;             ///< values that it takes: a prime
  std::uint32_t in_stride = 0;    ///< in the memory that a pass reads, in points
  std::uint32_t out_stride = 0;   ///< in the memory that a pass writes, in points
  unsigned axis = 0;              ///< whose index its step has a part of

  auto operator<=>(const Digit&) const = default;
};

/// Position in the vector of digits.
using DigitId = unsigned;

/// Digits of a tile of `transforms` transforms of a decomposition, ordered by ascending time
/// stride: every radix, and their number, as its prime factors. Transform after transform in
/// memory. `lengths`: of several axes, the slowest first, of which each takes steps of its own.
[[nodiscard]] std::vector<Digit> make_digits(const Decomposition& decomposition,
                                             std::uint32_t transforms,
                                             const std::vector<std::int64_t>& lengths = {});

/// The same, in memory as `pass` has them.
[[nodiscard]] std::vector<Digit> make_digits(const Decomposition& decomposition,
                                             std::uint32_t transforms, const Pass& pass);

/// Of step `step` the higher digit, of `parts` values.
struct StepInTwo {
  std::size_t step = 0;
  unsigned parts = 1;
};
/// The same with one digit for each step, and one for the transforms; of one step two, if it has
/// more values than parts, and these divide it.
[[nodiscard]] std::vector<Digit> whole_digits(const std::vector<Digit>& digits,
                                              const StepInTwo& split = {});

/// What one more of a step's digit adds to the place in memory on a side of the pass.
enum class Side { time, frequency };
[[nodiscard]] std::int64_t place_of(const Pass& pass, const Digit& digit, bool input, Side side);

/// The step behind the last one of the axis of step `step`.
[[nodiscard]] unsigned end_of_axis(const std::vector<Digit>& digits, unsigned step);

/// True if all digits are bits.
[[nodiscard]] bool is_binary(const std::vector<Digit>& digits);

/// How many values the digits `ids` take together.
[[nodiscard]] std::uint32_t count_of(const std::vector<Digit>& digits,
                                     const std::vector<DigitId>& ids);

/// "t2 t1/2%5": neighbouring digits of a step are one number, here the quotient by 2 of the first
/// step's digit, and of that the remainder by 5. k1 for t1 where that step is among the first
/// `done` ones; "b" numbers the transforms.
[[nodiscard]] std::string digits_text(const std::vector<Digit>& digits,
                                      const std::vector<DigitId>& ids, unsigned done = 0);

/// Digit i of the register number (the first changes fastest) is digit registers[i] of the tile;
/// digit i of the thread number is digit threads[i]. Where all are bits, bits 0..4 of the thread
/// number are the lane. A bijection: every digit of the tile stands exactly once.
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

/// Empty if `layout` is a bijection on `digits`, else the reason why not.
[[nodiscard]] std::string check_layout(const Layout& layout, const std::vector<Digit>& digits);

/// True if every thread (warp) owns the same points under both layouts. In a mixed tile warps cut
/// through digits, so that only the same threads are the same warps.
[[nodiscard]] bool same_threads(const Layout& a, const Layout& b);
[[nodiscard]] bool same_warps(const std::vector<Digit>& digits, const Layout& a, const Layout& b);

/// Of mixed digits of threads: [first, middle) and [middle, last) are both of the number that all
/// of them would be: those of its remainder by the product of their counts, which have no common
/// factor. So the number is known by the two (the Chinese remainder theorem).
struct Residues {
  unsigned first = 0, middle = 0, last = 0;  ///< last = 0: there are none

  auto operator<=>(const Residues&) const = default;
};

/// From places to numbers. Of bits (no counts): linear over GF(2), value(thread, register) = XOR of
/// the entries of the bits that are set; where all entries are distinct powers of two this is an
/// ordinary sum of strides. Of mixed digits: the sum of digits times strides.
struct LinearMap {
  std::vector<std::uint32_t> thread_bits;  ///< the stride of each digit
  std::vector<std::uint32_t> register_bits;
  std::vector<unsigned> thread_counts = {};  ///< the values of each digit; empty: all are bits
  std::vector<unsigned> register_counts = {};
  Residues residues = {};

  auto operator<=>(const LinearMap&) const = default;

  [[nodiscard]] std::uint32_t threads() const;
  [[nodiscard]] std::uint32_t registers() const;
  [[nodiscard]] std::uint32_t of_thread(std::uint32_t thread) const;
  [[nodiscard]] std::uint32_t of_register(std::uint32_t reg) const;
  [[nodiscard]] std::vector<std::uint32_t> of_threads() const;  ///< of each, digit by digit
  [[nodiscard]] std::uint32_t of(std::uint32_t thread, std::uint32_t reg) const;
  /// What of() is, by its two parts.
  [[nodiscard]] std::uint32_t joined(std::uint32_t of_a_thread, std::uint32_t of_a_register) const {
    const bool bits = thread_counts.empty() && register_counts.empty();
    return bits ? of_a_thread ^ of_a_register : of_a_thread + of_a_register;
  }
};

/// Index of a point in the input (time) or output (frequency) of the tile.
[[nodiscard]] LinearMap index_map(const std::vector<Digit>& digits, const Layout& layout,
                                  Side side);
/// Where a point of the tile lies in the memory that is read (time) or written (frequency), from
/// the first one on.
[[nodiscard]] LinearMap memory_map(const std::vector<Digit>& digits, const Layout& layout,
                                   Side side);
/// The same under these strides, of every digit.
[[nodiscard]] LinearMap stride_map(const std::vector<Digit>& digits, const Layout& layout,
                                   const std::vector<std::uint32_t>& strides);
/// The value of a step's digit, or (step -1) which of the block's transforms a point belongs to.
[[nodiscard]] LinearMap value_map(const std::vector<Digit>& digits, const Layout& layout, int step);
/// value_map() of the transforms.
[[nodiscard]] LinearMap column_map(const std::vector<Digit>& digits, const Layout& layout);

/// The values of each digit, for a LinearMap: nothing where all digits of the tile are bits.
[[nodiscard]] std::vector<unsigned> counts_of(const std::vector<Digit>& digits,
                                              const std::vector<DigitId>& ids);

/// "registers t1 t2/2 | threads t2%2 b", after so many steps: see digits_text().
[[nodiscard]] std::string to_string(const Layout& layout, const std::vector<Digit>& digits,
                                    unsigned done = 0);

}  // namespace sonoma
