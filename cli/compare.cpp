// sonoma compare A -- B: two requests or tunings beside each other.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "commands.hpp"
#include "compared.hpp"
#include "line_diff.hpp"
#include "pair.hpp"
#include "request_words.hpp"
#include "sonoma/gpu.hpp"
#include "suite.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct CompareOptions {
  RequestOptions request;
  std::optional<std::string> repeat;
  bool diff = false, as_json = false;
};

struct Timing {
  std::optional<bench::PairTimes> times;
  int repetitions = 0;
  std::string why_not;
};

// Why these cannot be timed here, if so.
std::string not_here(const Compared& a, const Compared& b) {
  if (a.options.device == "cpu" || b.options.device == "cpu") return "--device cpu has no clock";
  if (a.problem.ends.has_code() || b.problem.ends.has_code()) {
    return "with --load-code or --store-code results cannot be judged";
  }
  if (a.problem.placement == Placement::in_place || b.problem.placement == Placement::in_place) {
    return "transforms in place, which would take what the one before has left";
  }
  try {
    const Target here = gpu_info().target;
    for (const Compared* side : {&a, &b}) {
      if (side->target.arch == here.arch) continue;
      return "the kernels are for " + arch_name(side->target) + ", this GPU is " + arch_name(here);
    }
    return "";
  } catch (const FftError& error) {
    return error.message().substr(0, error.message().find('\n'));
  }
}

FftProblem timed_problem(const Compared& side) {
  constexpr std::int64_t points = std::int64_t{1} << 26;
  const bool counted = side.options.batch || side.options.array;
  return counted ? side.problem : bench::repeated(side.problem, points);
}

Timing timing_of(const CompareOptions& options, const Compared& a, const Compared& b) {
  Timing timing;
  timing.repetitions =
      static_cast<int>(parse_integer("--repeat", options.repeat.value_or("31"), 1, 10000,
                                     "must be a number of repetitions, 1 to 10000"));
  timing.why_not = not_here(a, b);
  if (!timing.why_not.empty()) return timing;
  timing.times =
      bench::time_pair({timed_problem(a), {"A", tuning_of(a.options)}},
                       {timed_problem(b), {"B", tuning_of(b.options)}}, timing.repetitions);
  return timing;
}

std::string winner(const bench::MedianInterval& ratio) {
  if (ratio.high < 1) return "B is faster";
  return ratio.low > 1 ? "A is faster" : "no difference beyond noise";
}

// Of B's time over A's, for a byte: whose copy would take as long.
double predicted_ratio(const Compared& a, const Compared& b) { return a.cost.eff() / b.cost.eff(); }

std::string verdict(const Compared& a, const Compared& b, const Timing& timing) {
  std::string text = fmt::format("predicted          B takes {:.3f} of A's time for a byte\n",
                                 predicted_ratio(a, b));
  if (!timing.times) return text + "measured           not: " + timing.why_not + "\n";
  const auto& [of_a, of_b, ratio] = *timing.times;
  const auto side = [](const char* name, const bench::PairTimes::Side& one) {
    return fmt::format(
        "measured {}         {:.4f} ms, {:.3f} of the speed of a copy, relative L2 "
        "error {:.2e}\n",
        name, one.ms, one.copy_ms / one.ms, one.rel_l2);
  };
  return text + side("A", of_a) + side("B", of_b) +
         fmt::format(
             "verdict            {}: B takes {:.4f} of A's time for a byte, in [{:.4f}, {:.4f}] "
             "(95 %, {} repetitions)\n",
             winner(ratio), ratio.median, ratio.low, ratio.high, timing.repetitions);
}

json side_json(const bench::PairTimes::Side& side) {
  return {{"ms", side.ms},
          {"copy_ms", side.copy_ms},
          {"eff", side.copy_ms / side.ms},
          {"rel_l2", side.rel_l2}};
}

json verdict_json(const Compared& a, const Compared& b, const Timing& timing) {
  json document = {{"predicted_ratio", predicted_ratio(a, b)}};
  if (!timing.times) {
    document["not_measured"] = timing.why_not;
    return document;
  }
  const auto& [of_a, of_b, ratio] = *timing.times;
  document["a"] = side_json(of_a), document["b"] = side_json(of_b);
  document["ratio"] = {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}};
  document["repetitions"] = timing.repetitions;
  document["verdict"] = winner(ratio);
  return document;
}

struct Difference {
  const char* what;
  std::vector<DiffLine> lines;
};

std::vector<Difference> differences(const Compared& a, const Compared& b) {
  return {{"schedule", diff_lines(schedules_of(a), schedules_of(b))},
          {"text", diff_lines(text_of(a), text_of(b))}};
}

json differences_json(const Compared& a, const Compared& b) {
  json document = json::object();
  for (const auto& [what, lines] : differences(a, b)) {
    json removed = json::array(), added = json::array();
    for (const DiffLine& line : lines) {
      if (line.kind == '-') removed.push_back(line.text);
      if (line.kind == '+') added.push_back(line.text);
    }
    document[what] = {{"only_a", removed}, {"only_b", added}};
  }
  return document;
}

void print_differences(const Compared& a, const Compared& b) {
  for (const auto& [what, lines] : differences(a, b)) {
    const std::string text = diff_text(lines, 2);
    fmt::print("\nThe {} (- A, + B)\n{}", what, text.empty() ? "the same\n" : text);
  }
}

void compare(const CompareOptions& options, const std::vector<std::string>& second) {
  const Compared a = compared(options.request);
  const Compared b =
      compared(with_problem_of(parse_request(second, "the options of B").options, options.request));
  const Timing timing = timing_of(options, a, b);
  if (options.as_json) {
    json document = {{"a", json_of(a)}, {"b", json_of(b)}, {"verdict", verdict_json(a, b, timing)}};
    if (options.diff) document["differences"] = differences_json(a, b);
    return fmt::print("{}\n", document.dump(2));
  }
  fmt::print("{}{}", beside(a, b), verdict(a, b, timing));
  if (options.diff) print_differences(a, b);
}

}  // namespace

void add_compare_command(CLI::App& app, const std::vector<std::string>& second) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare", "Two requests or tunings beside each other: A's options, then -- and B's");
  add_request_options(*command, options->request, "length of the transform");
  add_end_options(*command, options->request);
  add_layout_options(*command, options->request);
  add_convolution_options(*command, options->request);
  add_array_options(*command, options->request);
  add_device_option(*command, options->request);
  command->add_option("--repeat", options->repeat, "on a GPU: repetitions (default 31)");
  command->add_flag("--diff", options->diff, "and what differs: schedule, and text of the kernels");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->footer(
      "B's transform is A's where its options do not say otherwise; its tuning is what they say.\n"
      "Without options B is what the planner chooses.\n"
      "Examples:\n  sonoma compare 4096 --engine mma -- --engine simt\n"
      "  sonoma compare 1000 --registers 40 -- --registers 64\n"
      "  sonoma compare 4096 --engine simt --diff --");
  command->callback([options, &second] { compare(*options, second); });
}

}  // namespace sonoma::cli
