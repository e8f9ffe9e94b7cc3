// Tiles with gaps: where their points are in memory, and which there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/schedule.hpp"

namespace sonoma {

/// A step's digit, or the number of the transform.
struct SparseDigit {
  int step = -1;
  unsigned values = 2;       ///< those below are points, the others gaps
  std::uint32_t stride = 1;  ///< in memory, in points
  LinearMap value;           ///< of threads and registers
  bool wide = false;         ///< its values stand for frequencies as of wide_frequency()
};

/// Steps that leave frequencies to be told from values of their digit by wide_frequency().
[[nodiscard]] bool counts_back(const Step& step);

/// The frequency that a wide step of `radix` leaves at a value of its digit: below 16 the value
/// itself, above 16 radix + 16 - value; nothing where that is a gap. See wide.cuh.
[[nodiscard]] std::optional<std::uint32_t> wide_frequency(unsigned radix, std::uint32_t value);

/// Of a schedule with gaps; the nearest points first.
[[nodiscard]] std::vector<SparseDigit> sparse_digits(const Schedule& schedule, const Layout& layout,
                                                     Side side);

/// Where a thread's register has its point in memory; nothing if it is a gap.
[[nodiscard]] std::optional<std::uint32_t> place_of(const std::vector<SparseDigit>& digits,
                                                    std::uint32_t thread, std::uint32_t reg);

/// The digits as arguments of load_digits and store_digits: see gaps.cuh.
[[nodiscard]] std::string digits_text(const std::vector<SparseDigit>& digits);

/// "15 of 16 values of t1, 7 of 8 of t2 are points"
[[nodiscard]] std::string gaps_comment(const Schedule& schedule);

}  // namespace sonoma
