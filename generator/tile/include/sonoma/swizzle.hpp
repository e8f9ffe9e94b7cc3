// Shared-memory addresses: the swizzle is searched, its bank conflicts are computed.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/layout.hpp"

namespace SONOMA_API sonoma {

/// Point p of the tile lives at point position p ^ XOR_i((p >> shifts[i]) & mask). Linear over
/// GF(2) and a bijection, since every shift moves higher bits onto lower ones outside the mask.
struct Swizzle {
  std::uint32_t mask =
      0;  ///< of the bits that are swizzled: those within 128 bytes, above a vector
  std::vector<unsigned> shifts;

  auto operator<=>(const Swizzle&) const = default;

  [[nodiscard]] std::uint32_t operator()(std::uint32_t point) const;
};

[[nodiscard]] std::string to_string(const Swizzle& swizzle);

/// One access of a whole block: every thread touches each of its registers once, `points` (1, 2 or
/// 4) neighbouring points at a time, at most 16 bytes.
struct SharedAccess {
  LinearMap positions;         ///< unswizzled point positions; of mixed tiles the padded ones
  unsigned points = 1;         ///< of one access
  unsigned vector = 0;         ///< the register bits that number them
  unsigned words_a_point = 2;  ///< of 4 bytes: 2 for FP32 points, 1 for complex words
  /// Of mixed tiles: so many threads begin with a half warp of their own; 0: all follow each other.
  unsigned row = 0;

  auto operator<=>(const SharedAccess&) const = default;
};

/// The access of all points of a layout; neighbours go together where their digits (time strides 1
/// and 2) are in registers.
[[nodiscard]] SharedAccess shared_access(const std::vector<Digit>& digits, const Layout& layout,
                                         unsigned words_a_point = 2);

/// Wavefronts (cycles of the 32 x 4-byte banks) of one block, given 8-byte accesses served per half
/// warp and 16-byte accesses per quarter warp.
struct Wavefronts {
  unsigned total = 0;
  unsigned minimum = 0;

  auto operator<=>(const Wavefronts&) const = default;
};

[[nodiscard]] Wavefronts count_wavefronts(const SharedAccess& access, const Swizzle& swizzle);

/// The first swizzle, fewest terms first, with the fewest wavefronts over all accesses, which agree
/// in words_a_point. 2^kept neighbours stay together.
[[nodiscard]] Swizzle search_swizzle(const std::vector<SharedAccess>& accesses, unsigned point_bits,
                                     unsigned kept);

}  // namespace sonoma
