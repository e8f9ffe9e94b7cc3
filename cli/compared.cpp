#include "compared.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "asked_problems.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

constexpr int instruction_bytes = 16;

// What `of` says of each launch, in their order.
template <class Of>
std::string each_launch(const Compared& side, Of&& of) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < side.kernels.size(); ++i) {
    texts.push_back(of(side.kernels[i], side.binaries[i]));
  }
  return fmt::format("{}", fmt::join(texts, " + "));
}

template <class Of>
std::string each_pass(const Compared& side, Of&& of) {
  return each_launch(side, [&](const LaunchKernel& kernel, const Binary&) {
    std::vector<std::string> texts;
    for (const Generated& pass : kernel.passes) texts.push_back(of(pass));
    return fmt::format("{}", fmt::join(texts, ", "));
  });
}

template <class Of>
std::string each_cubin(const Compared& side, Of&& of) {
  return each_launch(side, [&](const LaunchKernel&, const Binary& binary) {
    return binary.cubin ? of(*binary.cubin) : std::string("not compiled");
  });
}

std::string occupancy_text(const LaunchKernel& kernel, const Binary& binary) {
  const Occupancy found = occupancy_of(kernel.passes.front(), kernel.source, binary);
  std::vector<std::string> limiters;
  for (const SmResource limiter : found.limiters) limiters.push_back(to_string(limiter));
  return fmt::format("{} blocks, {}/{} warps ({})", found.blocks, found.warps, found.most_warps,
                     fmt::join(limiters, ", "));
}

double sum(const Compared& side, double (*of)(const Generated&)) {
  double total = 0;
  for (const LaunchKernel& kernel : side.kernels) {
    for (const Generated& pass : kernel.passes) total += of(pass);
  }
  return total;
}

std::string number(double value) { return fmt::format("{:.0f}", value); }

struct Row {
  const char* name;
  std::string (*of)(const Compared&);
};

const std::vector<Row>& rows_of_plan() {
  static const std::vector<Row> rows = {
      {"request", [](const Compared& c) { return to_string(c.problem); }},
      {"target", [](const Compared& c) { return arch_name(c.target); }},
      {"chosen", [](const Compared& c) { return full_reason(c.choice); }},
      {"launches", [](const Compared& c) { return std::to_string(c.kernels.size()); }},
      {"arithmetic",
       [](const Compared& c) {
         return each_pass(c, [](const Generated& g) { return to_string(g.shape.arithmetic); });
       }},
      {"decomposition",
       [](const Compared& c) {
         return each_pass(c, [](const Generated& g) { return to_string(*g.tuning.decomposition); });
       }},
      {"points a thread", [](const Compared& c) {
         return each_pass(
             c, [](const Generated& g) { return std::to_string(g.schedule.points_per_thread()); });
       }}};
  return rows;
}

const std::vector<Row>& rows_of_costs() {
  static const std::vector<Row> rows = {
      {"exchanges",
       [](const Compared& c) {
         return number(sum(c, [](const Generated& g) { return double(g.costs.exchanges); }));
       }},
      {"barriers",
       [](const Compared& c) {
         return number(sum(c, [](const Generated& g) { return double(g.costs.barriers); }));
       }},
      {"bank conflicts",
       [](const Compared& c) {
         return number(sum(c, [](const Generated& g) { return double(g.costs.bank_conflicts()); }));
       }},
      {"bytes moved",
       [](const Compared& c) {
         return number(sum(c, [](const Generated& g) { return g.costs.bytes_moved; }));
       }},
      {"MMAs",
       [](const Compared& c) {
         return number(sum(c, [](const Generated& g) { return g.costs.mmas; }));
       }},
      {"error bound",
       [](const Compared& c) {
         return fmt::format("{:.2f} u", error_bound_in_u(error_of(c.kernels)));
       }},
      {"expected error",
       [](const Compared& c) {
         return fmt::format("{:.2f} u", expected_error_in_u(error_of(c.kernels)));
       }},
      {"error limit",
       [](const Compared& c) { return fmt::format("{:.2g}", error_limit(c.program)); }}};
  return rows;
}

const std::vector<Row>& rows_of_kernels() {
  static const std::vector<Row> rows = {
      {"threads",
       [](const Compared& c) {
         return each_launch(c, [](const LaunchKernel& kernel, const Binary&) {
           return std::to_string(kernel.source.launch.threads);
         });
       }},
      {"transforms a block",
       [](const Compared& c) {
         return each_launch(c, [](const LaunchKernel& kernel, const Binary&) {
           return std::to_string(kernel.source.launch.transforms_per_block);
         });
       }},
      {"shared bytes",
       [](const Compared& c) {
         return each_launch(c, [](const LaunchKernel& kernel, const Binary&) {
           return std::to_string(kernel.source.launch.shared_bytes);
         });
       }},
      {"registers",
       [](const Compared& c) {
         return each_cubin(c, [](const Cubin& one) { return std::to_string(one.registers); });
       }},
      {"spilled bytes",
       [](const Compared& c) {
         return each_cubin(c, [](const Cubin& one) { return std::to_string(one.local_bytes); });
       }},
      {"instructions",
       [](const Compared& c) {
         return each_cubin(c, [](const Cubin& one) {
           return std::to_string(one.code_bytes / instruction_bytes);
         });
       }},
      {"occupancy", [](const Compared& c) { return each_launch(c, occupancy_text); }},
      {"predicted", [](const Compared& c) {
         return fmt::format("{:.3f} of the speed of a copy", c.cost.eff());
       }}};
  return rows;
}

std::string wrapped_row(const Row& row, const Compared& a, const Compared& b, std::size_t width) {
  const std::string of_a = row.of(a), of_b = row.of(b);
  if (of_a == of_b) return fmt::format("{:<19}{}\n", row.name, of_a);
  if (of_a.size() > width) return fmt::format("{:<19}A {}\n{:<19}B {}\n", row.name, of_a, "", of_b);
  return fmt::format("{:<19}A {:<{}}  B {}\n", row.name, of_a, width, of_b);
}

json cost_json(const CostEstimate& cost) {
  return {{"eff", cost.eff()},       {"total", cost.total},
          {"copy", cost.copy},       {"memory", cost.memory},
          {"issue", cost.issue},     {"shared", cost.shared},
          {"tensor", cost.tensor},   {"blocks", cost.blocks},
          {"crowded", cost.crowded}, {"missing_registers", cost.missing_registers}};
}

json binary_json(const Binary& binary) {
  if (!binary.cubin) return {{"missing", binary.why_not}};
  return {{"registers", binary.cubin->registers},
          {"local_bytes", binary.cubin->local_bytes},
          {"static_shared_bytes", binary.cubin->static_shared_bytes},
          {"instructions", binary.cubin->code_bytes / instruction_bytes}};
}

json pass_json(const Generated& pass) {
  return {{"choice", json_of(pass.tuning)},
          {"arithmetic", to_string(pass.shape.arithmetic)},
          {"costs", json_of(pass.costs)},
          {"error_bound_u", error_bound_in_u(pass.error)},
          {"expected_error_u", expected_error_in_u(pass.error)}};
}

}  // namespace

Compared compared(const RequestOptions& options) {
  Compared side;
  side.options = options;
  side.problem = problem_asked(options);
  side.target = target_of(options);
  Planned planned = plan_asked(options, side.problem);
  const bool few = planned.few && (options.batch || options.array);
  side.choice = planned.choice;
  side.program = few ? *std::move(planned.few) : std::move(planned.program);
  side.kernels = generate_all(side.program, side.target, TableWords::left_out);
  for (const LaunchKernel& kernel : side.kernels) {
    side.binaries.push_back(compile_for_facts(kernel.source, side.target));
  }
  side.cost = estimate_cost(side.program, side.target);
  return side;
}

std::string beside(const Compared& a, const Compared& b) {
  constexpr std::size_t width = 40;
  std::string text;
  for (const auto* rows : {&rows_of_plan(), &rows_of_costs(), &rows_of_kernels()}) {
    for (const Row& row : *rows) text += wrapped_row(row, a, b, width);
  }
  return text;
}

json json_of(const Compared& side) {
  json launches = json::array();
  for (std::size_t i = 0; i < side.kernels.size(); ++i) {
    const LaunchKernel& kernel = side.kernels[i];
    json passes = json::array();
    for (const Generated& pass : kernel.passes) passes.push_back(pass_json(pass));
    const LaunchShape& launch = kernel.source.launch;
    launches.push_back({{"kernel", kernel.source.name},
                        {"launch",
                         {{"threads", launch.threads},
                          {"shared_bytes", launch.shared_bytes},
                          {"transforms_per_block", launch.transforms_per_block},
                          {"cluster", launch.cluster}}},
                        {"occupancy", json_of(occupancy_of(kernel.passes.front(), kernel.source,
                                                           side.binaries[i]))},
                        {"binary", binary_json(side.binaries[i])},
                        {"passes", passes}});
  }
  return {{"request", json_of(side.problem)},
          {"target", arch_name(side.target)},
          {"reason", full_reason(side.choice)},
          {"predicted", cost_json(side.cost)},
          {"error_limit", error_limit(side.program)},
          {"error_bound_u", error_bound_in_u(error_of(side.kernels))},
          {"expected_error_u", expected_error_in_u(error_of(side.kernels))},
          {"launches", launches}};
}

std::string schedules_of(const Compared& side) {
  std::string text;
  for (const LaunchKernel& kernel : side.kernels) {
    for (const Generated& pass : kernel.passes) text += to_string(pass.schedule) + "\n";
  }
  return text;
}

std::string text_of(const Compared& side) {
  std::string text;
  for (const LaunchKernel& kernel : side.kernels) {
    const std::string& all = kernel.source.text;
    const std::size_t plan = all.find("// ===== this plan");
    text += all.substr(plan == std::string::npos ? 0 : plan);
  }
  return text;
}

}  // namespace sonoma::cli
