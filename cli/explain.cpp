// sonoma explain: every step from the request to the kernel, and what the kernel costs.
#include "explain.hpp"

#include <spdlog/fmt/fmt.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "asked_problems.hpp"
#include "commands.hpp"
#include "request_options.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/passes.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct ExplainOptions {
  RequestOptions request;
  bool as_json = false;
  std::string html;        ///< the file to write
  bool text_only = false;  ///< in it nothing of the CUDA compiler
};

json to_json(const KernelCosts& costs) {
  return {{"bytes_moved", costs.bytes_moved},
          {"bytes_minimum", costs.bytes_minimum},
          {"table_bytes", costs.table_bytes},
          {"nominal_flops", costs.nominal_flops},
          {"tensor_flops", costs.tensor_flops},
          {"mmas", costs.mmas},
          {"launches", costs.passes},
          {"block_barriers", costs.barriers},
          {"exchanges", costs.exchanges},
          {"shared_wavefronts", costs.shared_wavefronts},
          {"shared_wavefronts_minimum", costs.shared_wavefronts_minimum},
          {"bank_conflicts", costs.bank_conflicts()}};
}

json to_json(const Roofline& roofline) {
  return {{"locality_flops_per_element", roofline.locality},
          {"copy_bytes_per_second", roofline.copy_bytes_per_second},
          {"flops_per_second_bound", roofline.flops_bound},
          {"seconds_per_transform_bound", roofline.seconds_bound}};
}

json to_json(const Binary& binary) {
  if (!binary.cubin) return {{"missing", binary.why_not}};
  return {{"registers", binary.cubin->registers},
          {"local_bytes", binary.cubin->local_bytes},
          {"static_shared_bytes", binary.cubin->static_shared_bytes}};
}

json to_json(const Generated& generated, const Choice& choice, double limit, const Binary& binary) {
  const Tuning& tuning = generated.tuning;
  const auto roofline = roofline_of(generated);
  return {{"request", to_string(generated.problem)},
          {"target", arch_name(generated.target)},
          {"choice", to_string(tuning)},
          {"reason", full_reason(choice)},
          {"arithmetic", to_string(arithmetic_of(tuning))},
          {"error_limit", limit},
          {"method", to_string(*tuning.method)},
          {"engine", to_string(*tuning.engine)},
          {"decomposition", to_string(*tuning.decomposition)},
          {"schedule", to_string(generated.schedule)},
          {"kernel_ir", to_string(generated.ir)},
          {"launch",
           {{"threads", generated.source.launch.threads},
            {"shared_bytes", generated.source.launch.shared_bytes},
            {"transforms_per_block", generated.source.launch.transforms_per_block}}},
          {"costs", to_json(generated.costs)},
          {"roofline", roofline ? to_json(*roofline) : json()},
          {"error_bound_u", error_bound_in_u(generated)},
          {"binary", to_json(binary)}};
}

// Of one axis. Of one launch: its document; of several: theirs, and what they share.
json one_axis_to_json(const ChosenProgram& chosen) {
  json passes = json::array();
  const Program& program = chosen.planned.program;
  const double limit = error_limit(program);
  double error_bound = 0;
  for (const LaunchKernel& kernel : chosen.kernels) {
    const Target& target = kernel.passes.front().target;
    for (const Generated& pass : kernel.passes) {
      passes.push_back(
          to_json(pass, chosen.planned.choice, limit, compile_for_facts(kernel.source, target)));
      error_bound += error_bound_in_u(pass);
    }
  }
  const json few = chosen.planned.few ? json(to_string(*chosen.planned.few)) : json();
  if (passes.size() == 1) {
    passes.front()["few"] = few;
    return passes.front();
  }
  return {{"request", to_string(program.problem)},
          {"method", method_name(program)},
          {"reason", full_reason(chosen.planned.choice)},
          {"transforms_together", program.transforms_together},
          {"workspace_bytes_per_transform", program.workspace_bytes(1)},
          {"error_bound_u", error_bound},
          {"fused", program.launches.front().fusion.has_value()},
          {"launches", passes},
          {"few", few}};
}

// What they share, and the document of each axis.
json to_json(const ChosenProgram& chosen) {
  const Program& program = chosen.planned.program;
  if (program.axes.empty()) return one_axis_to_json(chosen);
  json axes = json::array();
  for (const ChosenProgram& one : axes_of(chosen)) {
    const AxisLaunches& axis = program.axes[axes.size()];
    json document = one_axis_to_json(one);
    document.erase("few");
    document["axis"] = axis.axis;
    document["transforms"] = axis.repeat * transforms_of(axis.problem);
    axes.push_back(std::move(document));
  }
  return {{"request", to_string(program.problem)},
          {"method", "axis by axis"},
          {"reason", full_reason(chosen.planned.choice)},
          {"between_axes", program.keeps_axes_in_output() ? "output" : "workspace"},
          {"workspace_bytes_per_transform", program.workspace_bytes(1)},
          {"error_limit", error_limit(program)},
          {"axes", axes},
          {"few", chosen.planned.few ? json(to_string(*chosen.planned.few)) : json()}};
}

std::string one_axis_explained(const ChosenProgram& chosen) {
  std::string text;
  const double limit = error_limit(chosen.planned.program);
  const bool several = chosen.kernels.size() > 1 || chosen.kernels[0].passes.size() > 1;
  if (several) text = overview(chosen.planned.program, chosen.planned.choice);
  for (std::size_t i = 0; i < chosen.kernels.size(); ++i) {
    const LaunchKernel& kernel = chosen.kernels[i];
    for (const Generated& pass : kernel.passes) {
      if (several) text += fmt::format("\n\nLaunch {}\n", i + 1);
      text += explanation(pass, chosen.planned.choice, limit,
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

void explain(const ExplainOptions& options, const CLI::App& command) {
  const FftProblem problem = problem_asked(options.request);
  const ChosenProgram chosen = generate_chosen(options.request, problem);
  const std::string asked = to_string(problem);
  if (!options.html.empty())
    return write_page(chosen, asked, command, options.html, options.text_only);
  if (options.as_json) {
    json document = to_json(chosen);
    document["asked"] = asked;
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
  command->add_flag("--json", options->as_json, "print a JSON document");
  command
      ->add_option("--html", options->html,
                   "write a page with pictures, the text and its machine code to this file")
      ->excludes("--json");
  command
      ->add_flag("--text-only", options->text_only,
                 "in the page nothing that depends on the CUDA compiler: the same everywhere")
      ->needs("--html");
  command->callback([options, command] { explain(*options, *command); });
}

}  // namespace sonoma::cli
