// Digits of the thread's number as C expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/layout.hpp"

namespace sonoma {

/// A digit of the thread's number, the first changing fastest, and what its value is multiplied by.
/// `backwards`: the value counts down from count - 1.
struct ThreadDigit {
  unsigned count = 2;
  std::uint32_t stride = 0;
  bool backwards = false;

  bool operator==(const ThreadDigit&) const = default;
};

/// The sum of values times strides, e.g. "thread % 4 * 2 + thread / 4 % 8 * 16"; digits that
/// continue each other are one number. "0" if none counts.
[[nodiscard]] std::string sum_text(const std::vector<ThreadDigit>& digits,
                                   const std::string& of = "thread");

/// The last digits of the threads where they are not the thread's: those of `rank`, the block's
/// number in its cluster, and those of the round, which is known. Others may be of residues.
struct Numbering {
  std::size_t cluster = 0, rounds = 0;
  unsigned round = 0;
  Residues residues = {};
};
[[nodiscard]] std::string sum_text(const std::vector<ThreadDigit>& digits,
                                   const Numbering& numbering);

/// The parts one after the other.
template <class... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  std::string text;
  ((text += parts), ...);
  return text;
}

/// "0x1.8p+0f"
[[nodiscard]] std::string hex(float value);
/// "0x1.8p+0"
[[nodiscard]] std::string hex(double value);

/// "(a + b)", but "a": fit for a factor.
[[nodiscard]] std::string as_factor(const std::string& sum);

/// a + b, either of which may be "0".
[[nodiscard]] std::string plus(const std::string& a, const std::string& b);
/// "p" or "p + 256".
[[nodiscard]] std::string plus(const std::string& a, std::int64_t constant);

/// 2^64 / length, rounded: half a unit times k c < length is 2^-33 of a turn at most. For
/// root_of_product(), see roots.cuh.
[[nodiscard]] std::uint64_t turn_of_one(std::uint64_t length);

}  // namespace sonoma
