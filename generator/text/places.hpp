// Where the registers of a thread have their points: an expression of the thread and a constant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expression.hpp"
#include "sonoma/layout.hpp"
#include "sonoma/swizzle.hpp"

namespace sonoma {

/// A sum over digits. Register r: bases[base[r]] + offset[r]. There is more than one base where a
/// digit is folded: the values of its upper half count backwards.
struct SumPlaces {
  std::vector<std::string> bases;
  std::vector<std::uint32_t> last;  ///< of each base the largest value
  std::vector<unsigned> base;
  std::vector<std::uint32_t> offset;

  /// The largest value of a register's place.
  [[nodiscard]] std::uint32_t last_of(unsigned reg) const { return last[base[reg]] + offset[reg]; }
};

/// `strides`: of every digit of the tile.
[[nodiscard]] SumPlaces sum_places(const std::vector<Digit>& digits, const Layout& layout,
                                   const std::vector<std::uint32_t>& strides,
                                   const Numbering& numbering = {});

/// Registers whose points are `width` neighbours in memory, each group in the order of its places
/// and at the place of its first register; bases are multiples of the width.
[[nodiscard]] std::vector<std::vector<unsigned>> neighbours(const SumPlaces& places,
                                                            unsigned width);

/// Places in shared memory, of what an operation moves. Register r: (thread ^ flip[r]) + add[r],
/// where `thread` is the part of the thread, swizzled where the tile is.
struct SharedPlaces {
  std::string thread;
  std::vector<std::uint32_t> flip, add;
  std::vector<std::uint32_t> point;  ///< before the swizzle, beside the thread's part

  /// "p ^ 16"
  [[nodiscard]] std::string flipped(const std::string& p, unsigned reg) const {
    return flip[reg] == 0 ? p : p + " ^ " + std::to_string(flip[reg]);
  }
};

/// Of a tile by XOR: of points (words, parts) at `map`, under `swizzle`, which reaches the last
/// `line_bits` bits only. What the thread cannot reach is added: a constant of the instruction.
/// `further`: of every register, if there are any, what its point lies behind that.
[[nodiscard]] SharedPlaces xor_places(const LinearMap& map, const Swizzle& swizzle,
                                      unsigned line_bits,
                                      const std::vector<std::uint32_t>& further = {});

/// Of a tile by sums.
[[nodiscard]] SharedPlaces padded_places(const SumPlaces& sums,
                                         const std::vector<std::uint32_t>& further = {});

/// Registers that are neighbours before the swizzle.
[[nodiscard]] std::vector<std::vector<unsigned>> neighbours(const SharedPlaces& places,
                                                            unsigned width);

}  // namespace sonoma
