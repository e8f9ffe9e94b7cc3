// sonoma next-fast-size: which length to pad to.
#include <spdlog/fmt/fmt.h>

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
  std::optional<std::string> n, arch;
  std::string precision = "f32";
  bool as_json = false;
};

void next_fast_size(const FastSizeOptions& options) {
  if (!options.n) throw BadArgument("--n", "(missing)", "give a length, e.g. --n 1009");
  const auto n = parse_integer("--n", *options.n, 1, std::numeric_limits<std::int64_t>::max(),
                               "must be a positive integer, e.g. --n 1009");
  PlanOptions plan_options;
  if (options.arch) plan_options.target = target_for(*options.arch);
  const FastSize found = sonoma::next_fast_size(n, parse_storage(options.precision), plan_options);
  if (options.as_json) {
    const nlohmann::json document = {
        {"n", n}, {"fast", found.n}, {"eff", found.eff}, {"measured", found.measured}};
    return fmt::print("{}\n", document.dump(2));
  }
  fmt::print("{}: {} at {:.2f} of the speed of a copy\n", found.n,
             found.measured ? "measured" : "estimated", found.eff);
}

}  // namespace

void add_next_fast_size_command(CLI::App& app) {
  auto options = std::make_shared<FastSizeOptions>();
  CLI::App* command = app.add_subcommand(
      "next-fast-size", "Name the length from n on whose transform takes the least time");
  command->add_option("--n", options->n, "length of the data, which zeros would extend");
  command->add_option("--precision", options->precision, "f32 (the default), f16 or bf16");
  command->add_option("--arch", options->arch, "default: that of the GPU in use, else sm_90");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options] { next_fast_size(*options); });
}

}  // namespace sonoma::cli
