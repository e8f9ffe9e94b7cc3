// What `explain` says about a generated kernel.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "request_options.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/occupancy.hpp"
#include "sonoma/program.hpp"

namespace sonoma::cli {

/// The locality bound of seed 002, section 2.2: with 5 log2 n flops per element and every element
/// read once and written once, memory bandwidth bounds the flop rate by 5 log2 n * (elements per
/// second) / 2.
struct Roofline {
  double locality = 0;               ///< 5 log2 n
  double copy_bytes_per_second = 0;  ///< read + written, by a device-to-device copy
  double flops_bound = 0;            ///< per second
  double seconds_bound = 0;          ///< per transform, in a large batch
};

/// Empty for targets whose copy rate has not been measured (all but sm_90, an H200).
[[nodiscard]] std::optional<Roofline> roofline_of(const Generated& generated);

/// In u.
[[nodiscard]] double error_bound_in_u(const ErrorEstimate& error);
[[nodiscard]] double expected_error_in_u(const ErrorEstimate& error);

/// What the CUDA compiler made of the kernel, or why there is nothing to tell.
struct Binary {
  std::optional<Cubin> cubin;
  std::string why_not;
};
[[nodiscard]] Binary compile_for_facts(const CudaSource& source, const Target& target);

/// With the registers that the compiler took, or else as many as it may take.
[[nodiscard]] Occupancy occupancy_of(const Generated& generated, const CudaSource& source,
                                     const Binary& binary);

/// The programs of its axes, each with its choice and its kernels.
[[nodiscard]] std::vector<ChosenProgram> axes_of(const ChosenProgram& chosen);

/// How several passes of one axis work together, in the words of Napa-FFT2 (seed 004): "2-step" has
/// two whose copies transpose, "2-step fused" both in one launch, "2-step twice" has three, "2-step
/// 3 times" four.
[[nodiscard]] std::string method_name(const Program& program);

/// The launches of one axis that takes several, and what they move.
[[nodiscard]] std::string overview(const Program& program, const Choice& choice);

/// Of several axes: how they follow each other, and where the points are between them.
[[nodiscard]] std::string overview_of_axes(const Program& program, const Choice& choice);
/// "axis 1 of 64x37: 37 points, 64 times"
[[nodiscard]] std::string axis_title(const Program& program, std::size_t number);

/// `source`: of the launch; `limit`: error_limit() of the transform.
[[nodiscard]] std::string explanation(const Generated& generated, const CudaSource& source,
                                      const Choice& choice, double limit, const Binary& binary);

/// All that `explain --json` says.
[[nodiscard]] nlohmann::json explanation_json(const ChosenProgram& chosen);

/// Writes the page of `chosen`: see page/page.hpp. The options given to `command` are the command
/// that it says made it. `text_only`: nothing is compiled.
void write_page(const ChosenProgram& chosen, const std::string& asked, const CLI::App& command,
                const std::string& path, bool text_only);

}  // namespace sonoma::cli
