// What `explain --json` says.
#include <nlohmann/json.hpp>

#include "explain.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/passes.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

json roofline_json(const Generated& generated) {
  const auto roofline = roofline_of(generated);
  if (!roofline) return {};
  return {{"locality_flops_per_element", roofline->locality},
          {"copy_bytes_per_second", roofline->copy_bytes_per_second},
          {"flops_per_second_bound", roofline->flops_bound},
          {"seconds_per_transform_bound", roofline->seconds_bound}};
}

json binary_json(const Binary& binary) {
  if (!binary.cubin) return {{"missing", binary.why_not}};
  return {{"registers", binary.cubin->registers},
          {"local_bytes", binary.cubin->local_bytes},
          {"static_shared_bytes", binary.cubin->static_shared_bytes},
          {"code_bytes", binary.cubin->code_bytes}};
}

json launch_json(const LaunchShape& launch) {
  return {{"threads", launch.threads},
          {"shared_bytes", launch.shared_bytes},
          {"transforms_per_block", launch.transforms_per_block},
          {"cluster", launch.cluster}};
}

json pass_json(const Generated& generated, const LaunchKernel& kernel, const Choice& choice,
               double limit) {
  const Tuning& tuning = generated.tuning;
  const Binary binary = compile_for_facts(kernel.source, generated.target);
  return {{"request", json_of(generated.problem)},
          {"target", arch_name(generated.target)},
          {"kernel", kernel.source.name},
          {"choice", json_of(tuning)},
          {"reason", full_reason(choice)},
          {"arithmetic", to_string(generated.shape.arithmetic)},
          {"error_limit", limit},
          {"method", to_string(*tuning.method)},
          {"engine", to_string(*tuning.engine)},
          {"decomposition", to_string(*tuning.decomposition)},
          {"schedule", json_of(generated.schedule)},
          {"kernel_ir", json_of(generated.ir)},
          {"launch", launch_json(kernel.source.launch)},
          {"costs", json_of(generated.costs)},
          {"roofline", roofline_json(generated)},
          {"error_bound_u", error_bound_in_u(generated.error)},
          {"expected_error_u", expected_error_in_u(generated.error)},
          {"occupancy", json_of(occupancy_of(generated, kernel.source, binary))},
          {"binary", binary_json(binary)}};
}

// Of one axis. Of one launch: its document; of several: theirs, and what they share.
json one_axis_json(const ChosenProgram& chosen) {
  json passes = json::array();
  const Program& program = chosen.planned.program;
  const double limit = error_limit(program);
  const ErrorEstimate error = error_of(chosen.kernels);
  for (const LaunchKernel& kernel : chosen.kernels) {
    for (const Generated& pass : kernel.passes) {
      passes.push_back(pass_json(pass, kernel, chosen.planned.choice, limit));
    }
  }
  const json few = chosen.planned.few ? json_of(*chosen.planned.few) : json();
  if (passes.size() == 1) {
    passes.front()["few"] = few;
    return passes.front();
  }
  return {{"request", json_of(program.problem)},
          {"method", method_name(program)},
          {"reason", full_reason(chosen.planned.choice)},
          {"transforms_together", program.transforms_together},
          {"workspace_bytes_per_transform", program.workspace_bytes(1)},
          {"error_bound_u", error_bound_in_u(error)},
          {"expected_error_u", expected_error_in_u(error)},
          {"fused", program.launches.front().fusion.has_value()},
          {"launches", passes},
          {"few", few}};
}

}  // namespace

// What they share, and the document of each axis.
json explanation_json(const ChosenProgram& chosen) {
  const Program& program = chosen.planned.program;
  if (program.axes.empty()) return one_axis_json(chosen);
  json axes = json::array();
  for (const ChosenProgram& one : axes_of(chosen)) {
    const AxisLaunches& axis = program.axes[axes.size()];
    json document = one_axis_json(one);
    document.erase("few");
    document["axis"] = axis.axis;
    document["transforms"] = axis.repeat * transforms_of(axis.problem);
    axes.push_back(std::move(document));
  }
  return {{"request", json_of(program.problem)},
          {"method", "axis by axis"},
          {"reason", full_reason(chosen.planned.choice)},
          {"between_axes", program.keeps_axes_in_output() ? "output" : "workspace"},
          {"workspace_bytes_per_transform", program.workspace_bytes(1)},
          {"error_limit", error_limit(program)},
          {"axes", axes},
          {"few", chosen.planned.few ? json_of(*chosen.planned.few) : json()}};
}

}  // namespace sonoma::cli
