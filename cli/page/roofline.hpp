// Where a kernel stands between what memory and what arithmetic allow.
#pragma once

#include <optional>
#include <string>

#include "sonoma/cost_model.hpp"
#include "sonoma/generated.hpp"

namespace sonoma::cli::page {

/// What a GPU does in a second.
struct Roofs {
  std::string device;
  double copy = 0;     ///< bytes, read and written
  double float32 = 0;  ///< flops of the CUDA cores
  double tensor = 0;   ///< of mma.sync m16n8k16
};
/// Nothing for architectures where no GPU was measured.
[[nodiscard]] std::optional<Roofs> roofs_of(const Target& target);

struct Standing {
  double flops_of_byte = 0;        ///< 5 n log2 n over the bytes moved
  double modelled = 0;             ///< share of a copy's speed, by the cost model
  std::optional<double> measured;  ///< the same, on a GPU
};

/// An SVG: flops a second over flops a byte, both axes by powers of two.
[[nodiscard]] std::string roofline_svg(const Roofs& roofs, const Standing& standing);

/// An SVG: cycles of an SM for a point in each of the resources that a kernel takes.
[[nodiscard]] std::string cycles_svg(const CostEstimate& cost);

}  // namespace sonoma::cli::page
