// sonoma explain: every step from the request to the kernel, and what the kernel costs.
#include "explain.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "commands.hpp"
#include "explain_candidates.hpp"
#include "request_options.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/passes.hpp"
#include "stages.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

struct ExplainOptions {
  RequestOptions request;
  std::string candidates;  ///< how many
  std::string measurements;
  bool as_json = false, sass = false, ptx = false;
  std::string html;        ///< the file to write
  bool text_only = false;  ///< in it nothing of the CUDA compiler
};

std::string one_axis_explained(const ChosenProgram& chosen) {
  std::string text;
  const double limit = error_limit(chosen.planned.program);
  const bool several = chosen.kernels.size() > 1 || chosen.kernels[0].passes.size() > 1;
  if (several) text = overview(chosen.planned.program, chosen.planned.choice);
  for (std::size_t i = 0; i < chosen.kernels.size(); ++i) {
    const LaunchKernel& kernel = chosen.kernels[i];
    for (const Generated& pass : kernel.passes) {
      if (several) text += fmt::format("\n\nLaunch {}\n", i + 1);
      text += explanation(pass, kernel.source, chosen.planned.choice, limit,
                          compile_for_facts(kernel.source, pass.target));
    }
  }
  return text;
}

std::string explanation_of(const ChosenProgram& chosen) {
  const Program& program = chosen.planned.program;
  std::string text;
  if (program.axes.empty()) {
    text = one_axis_explained(chosen);
  } else {
    text = overview_of_axes(program, chosen.planned.choice);
    for (std::size_t i = 0; const ChosenProgram& axis : axes_of(chosen)) {
      text += fmt::format("\n\n{}\n{}", axis_title(program, i++), one_axis_explained(axis));
    }
  }
  if (chosen.planned.few) {
    text +=
        "\n\nFew transforms\nThis batch leaves multiprocessors idle: a plan does the same steps in "
        "other blocks, for the same bits.\n" +
        to_string(*chosen.planned.few);
  }
  return text;
}

void explain_candidates(const ExplainOptions& options, const FftProblem& problem) {
  const auto most =
      static_cast<std::size_t>(parse_integer("--candidates", options.candidates, 1, 1 << 20,
                                             "must be how many are shown: --candidates=50"));
  const std::string rows = options.measurements.empty() ? "" : read_file(options.measurements);
  const auto ranked = ranked_candidates(options.request, problem, rows);
  if (!options.as_json) return fmt::print("{}", table_of(ranked, most));
  fmt::print("{}\n", nlohmann::json{{"candidates", json_of(ranked, most)}}.dump(2));
}

void explain_machine_code(const ExplainOptions& options, const ChosenProgram& chosen) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const LaunchKernel& kernel : chosen.kernels) {
    const CudaSource& source = kernel.source;
    const Target target = target_of(options.request);
    const auto code = options.ptx ? ptx_code(source, target) : machine_code(source, target);
    const auto stages = stages_of(source.text, code);
    if (!options.as_json) fmt::print("Kernel {}\n{}\n", source.name, listing_of(stages));
    kernels.push_back({{"kernel", source.name}, {"stages", json_of(stages)}});
  }
  if (options.as_json) fmt::print("{}\n", nlohmann::json{{"kernels", kernels}}.dump(2));
}

void explain(const ExplainOptions& options, const CLI::App& command) {
  const FftProblem problem = problem_asked(options.request);
  if (!options.candidates.empty()) return explain_candidates(options, problem);
  const ChosenProgram chosen = generate_chosen(options.request, problem, TableWords::left_out);
  if (options.sass || options.ptx) return explain_machine_code(options, chosen);
  const std::string asked = to_string(problem);
  if (!options.html.empty()) {
    return write_page(chosen, asked, command, options.html, options.text_only);
  }
  if (options.as_json) {
    nlohmann::json document = explanation_json(chosen);
    document["asked"] = json_of(problem);
    return fmt::print("{}\n", document.dump(2));
  }
  const std::string text = explanation_of(chosen);
  const bool said = text.find(asked) != std::string::npos;
  fmt::print("{}{}\n", said ? "" : fmt::format("asked for      {}\n", asked), text);
}

}  // namespace

void add_explain_command(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Show decomposition, schedule, kernel IR, costs and bounds");
  add_request_options(*command, options->request, "length of the transform");
  add_end_options(*command, options->request);
  add_layout_options(*command, options->request);
  add_convolution_options(*command, options->request);
  add_array_options(*command, options->request);
  auto* candidates = command->add_flag(
      "--candidates{12}", options->candidates,
      "the tunings that could serve, with their predicted and measured speeds, and why the winner "
      "won: twelve, or --candidates=50, and all that were measured");
  command
      ->add_option("--measurements", options->measurements,
                   "rows of a search, as `tune --measure DIR` leaves them in "
                   "DIR/measurements.csv")
      ->needs(candidates);
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->add_flag("--sass", options->sass,
                    "the machine code of each stage of the kernels' texts, and how many "
                    "instructions of each kind it has; needs NVRTC and nvdisasm");
  command->add_flag("--ptx", options->ptx, "the same of PTX; needs NVRTC alone")
      ->excludes("--sass");
  command
      ->add_option("--html", options->html,
                   "write a page with pictures, the text and its machine code to this file")
      ->excludes("--json");
  command
      ->add_flag("--text-only", options->text_only,
                 "in the page nothing that depends on the CUDA compiler: the same everywhere")
      ->needs("--html");
  command->footer(
      "Examples:\n  sonoma explain 4096\n  sonoma explain --shape 1080x1920\n"
      "  sonoma explain 1000 --candidates --arch sm_90");
  command->callback([options, command] { explain(*options, *command); });
}

}  // namespace sonoma::cli
