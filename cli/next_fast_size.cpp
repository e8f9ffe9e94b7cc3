// sonoma next-fast-size: which lengths to pad to.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "commands.hpp"
#include "request_options.hpp"
#include "sonoma/sonoma.hpp"

namespace sonoma::cli {
namespace {

struct FastSizeOptions {
  std::optional<std::string> n, shape, arch, batch;
  std::string precision = "f32", domain = "c2c";
  bool as_json = false;
};

constexpr std::int64_t large_batch = std::int64_t{1} << 26;  // points

// Batches are large unless they are named.
FftProblem least_of(const FastSizeOptions& options) {
  if (!options.n && !options.shape) {
    throw BadArgument("--n", "(missing)",
                      "give a length, e.g. --n 1009, or two: --shape 1000x1500");
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  FftProblem least;
  least.lengths = options.shape
                      ? parse_shape("--shape", *options.shape)
                      : std::vector{parse_integer("--n", *options.n, 1, most,
                                                  "must be a positive integer, e.g. --n 1009")};
  least.storage = parse_storage(options.precision);
  least.domain = parse_domain(options.domain);
  if (least.domain == Domain::c2r) least.direction = Direction::inverse;
  std::int64_t points = 1;
  for (const std::int64_t n : least.lengths)
    points = std::min(large_batch, points * std::min(n, large_batch));
  least.batch = options.batch ? parse_integer("--batch", *options.batch, 1, most,
                                              "must be a positive integer, e.g. --batch 1")
                              : large_batch / points;
  return least;
}

void next_fast_size(const FastSizeOptions& options) {
  const FftProblem least = least_of(options);
  PlanOptions plan_options;
  if (options.arch) plan_options.target = target_for(*options.arch);
  const FastShape found = next_fast_shape(least, plan_options);
  if (options.as_json) {
    nlohmann::json document = {{"eff", found.eff}, {"measured", found.measured}};
    if (options.shape) {
      document["shape"] = least.lengths, document["fast"] = found.lengths;
    } else {
      document["n"] = least.n(), document["fast"] = found.lengths.front();
    }
    return fmt::print("{}\n", document.dump(2));
  }
  fmt::print("{}: {} at {:.2f} of the speed of a copy\n", to_shape(found.lengths),
             found.measured ? "measured" : "estimated", found.eff);
}

}  // namespace

void add_next_fast_size_command(CLI::App& app) {
  auto options = std::make_shared<FastSizeOptions>();
  CLI::App* command = app.add_subcommand(
      "next-fast-size", "Name the lengths from n on whose transform takes the least time");
  auto* n =
      command->add_option("n,--n", options->n, "length of the data, which zeros would extend");
  command->add_option("--shape", options->shape, "lengths of two axes, e.g. 1000x1500")
      ->excludes(n);
  command->add_option("--precision", options->precision, "f32 (the default), f16 or bf16");
  command->add_option("--domain", options->domain, "c2c (the default), r2c, c2r, dct1 to dst4");
  command->add_option("--batch", options->batch, "number of transforms (default: many)");
  command->add_option("--arch", options->arch, "default: that of the GPU in use, else sm_90");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options] { next_fast_size(*options); });
}

}  // namespace sonoma::cli
