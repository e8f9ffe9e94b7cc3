// What was decided about one kernel: what a Tuning wishes or leaves open, a Shape says.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "sonoma/accuracy.hpp"
#include "sonoma/api.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/tuning.hpp"

namespace SONOMA_API sonoma {

/// The steps, and which of them are products on tensor cores; of simt none.
struct Tree {
  Decomposition decomposition;
  unsigned tensor_steps = 0;

  auto operator<=>(const Tree&) const = default;
};

/// A tile that is addressed by sums of digits, not by bits: of transforms of `length` points.
[[nodiscard]] constexpr bool is_mixed_tile(std::int64_t length, std::int64_t block_points) {
  return !is_power_of_two(length) ||
         (block_points > length && block_points % length == 0 && !is_power_of_two(block_points));
}

/// How a transform is shared out to blocks, and over the time of one.
struct Shares {
  unsigned cluster = 1, rounds = 1;

  auto operator<=>(const Shares&) const = default;
  [[nodiscard]] unsigned parts() const { return cluster * rounds; }
};

/// by_sectors: staged where a warp would not fill its sectors, which its layout decides.
enum class Staging { by_sectors, direct, staged };

struct Stagings {
  Staging load = Staging::by_sectors, store = Staging::by_sectors;

  auto operator<=>(const Stagings&) const = default;
};

/// The fields are those of Tuning.
struct Shape {
  Method method = Method::radix;
  Tree tree;
  Arithmetic arithmetic = Arithmetic::simt;
  Sums sums = Sums::fp32;
  unsigned points_per_thread = 0, block_points = 0, registers = 0;
  unsigned threads = 0;  ///< 0: as many as the phases take
  bool opposite = false;
  Shares shares;
  Twiddles twiddles = Twiddles::table;
  Stagings staging;
  std::optional<Prefetch> prefetch = {};  ///< open: schedule() decides
  unsigned rows = 0;                      ///< of what was wished those phases that take them

  auto operator<=>(const Shape&) const = default;

  [[nodiscard]] std::int64_t length() const { return tree.decomposition.n(); }
  [[nodiscard]] bool in_fp64(std::size_t step) const {
    return is_in_fp64(sums, step, tree.decomposition);
  }
  [[nodiscard]] bool convolves() const { return method != Method::radix; }
  [[nodiscard]] bool mixed() const { return opposite || is_mixed_tile(length(), block_points); }
};

/// The phase, of those to the frequencies, whose threads take two butterflies of frequencies that
/// mirror each other, if any.
enum class OppositePhase { none, first, last };

/// FP16 products of a step; 0 of the engine simt.
[[nodiscard]] unsigned products_of(Arithmetic arithmetic);

/// The wish that leaves nothing open but what `shape` does: resolve() makes it again.
[[nodiscard]] Tuning tuning_of(const Shape& shape);

}  // namespace sonoma
