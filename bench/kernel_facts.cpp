#include "kernel_facts.hpp"

#include <algorithm>
#include <utility>

#include "sonoma/cost_model.hpp"
#include "sonoma/layout.hpp"

namespace sonoma::bench {
namespace {

struct Facts {
  double launches = 0, passes = 0, threads = 0, shared_bytes = 0, cluster = 0, registers = 0,
         local_bytes = 0, static_shared_bytes = 0, points_per_thread = 0, code_bytes = 0,
         transforms_per_block = 0, phases = 0, exchanges = 0, barriers = 0, wavefronts = 0,
         bank_conflicts = 0, idle = 0, bytes_moved = 0, bytes_minimum = 0, table_bytes = 0,
         mmas = 0, flops = 0, error_bound = 0, model_memory = 0, model_copy = 0, model_issue = 0,
         model_shared = 0, model_tensor = 0, model_blocks = 0, model_loading_warps = 0,
         model_crowded = 0, model_missing_registers = 0, model_total = 0;
};

struct Fact {
  const char* name;
  double Facts::*member;
};

constexpr Fact all_facts[] = {{"launches", &Facts::launches},
                              {"passes", &Facts::passes},
                              {"threads", &Facts::threads},
                              {"shared_bytes", &Facts::shared_bytes},
                              {"cluster", &Facts::cluster},
                              {"registers", &Facts::registers},
                              {"local_bytes", &Facts::local_bytes},
                              {"static_shared_bytes", &Facts::static_shared_bytes},
                              {"points_per_thread", &Facts::points_per_thread},
                              {"code_bytes", &Facts::code_bytes},
                              {"transforms_per_block", &Facts::transforms_per_block},
                              {"phases", &Facts::phases},
                              {"exchanges", &Facts::exchanges},
                              {"barriers", &Facts::barriers},
                              {"wavefronts", &Facts::wavefronts},
                              {"bank_conflicts", &Facts::bank_conflicts},
                              {"idle", &Facts::idle},
                              {"bytes_moved", &Facts::bytes_moved},
                              {"bytes_minimum", &Facts::bytes_minimum},
                              {"table_bytes", &Facts::table_bytes},
                              {"mmas", &Facts::mmas},
                              {"flops", &Facts::flops},
                              {"error_bound", &Facts::error_bound},
                              {"model_memory", &Facts::model_memory},
                              {"model_copy", &Facts::model_copy},
                              {"model_issue", &Facts::model_issue},
                              {"model_shared", &Facts::model_shared},
                              {"model_tensor", &Facts::model_tensor},
                              {"model_blocks", &Facts::model_blocks},
                              {"model_loading_warps", &Facts::model_loading_warps},
                              {"model_crowded", &Facts::model_crowded},
                              {"model_missing_registers", &Facts::model_missing_registers},
                              {"model_total", &Facts::model_total}};

template <class Number>
void keep_most(double& most, Number value) {
  most = std::max(most, static_cast<double>(value));
}

// Of the threads of a tile, the mean over its phases.
double idle_share(const Schedule& schedule) {
  double busy = 0;
  for (const Phase& phase : schedule.phases) {
    busy += count_of(schedule.digits, phase.in.threads);
  }
  const double all = static_cast<double>(schedule.phases.size()) * schedule.tile_threads();
  return std::max(0.0, 1 - busy / all);
}

void add(Facts& facts, const Generated& pass) {
  const Schedule& schedule = pass.schedule;
  const KernelCosts& costs = pass.costs;
  if (facts.passes++ == 0) facts.transforms_per_block = schedule.launch.transforms_per_block;
  keep_most(facts.cluster, schedule.shape.shares.cluster);
  keep_most(facts.points_per_thread, schedule.points_per_thread());
  facts.phases += static_cast<double>(schedule.phases.size());
  facts.exchanges += costs.exchanges, facts.barriers += costs.barriers;
  facts.wavefronts += costs.shared_wavefronts, facts.bank_conflicts += costs.bank_conflicts();
  facts.idle += idle_share(schedule);
  facts.bytes_moved += costs.bytes_moved, facts.bytes_minimum += costs.bytes_minimum;
  facts.table_bytes += costs.table_bytes, facts.mmas += costs.mmas;
  facts.flops += costs.nominal_flops, facts.error_bound += pass.error.bound;
}

void add(Facts& facts, const LaunchShape& launch, const Cubin& cubin) {
  ++facts.launches;
  keep_most(facts.threads, launch.threads);
  keep_most(facts.shared_bytes, launch.shared_bytes);
  keep_most(facts.registers, cubin.registers);
  keep_most(facts.local_bytes, cubin.local_bytes);
  keep_most(facts.static_shared_bytes, cubin.static_shared_bytes);
  facts.code_bytes += cubin.code_bytes;
}

void add(Facts& facts, const CostEstimate& cost) {
  facts.model_memory = cost.memory, facts.model_copy = cost.copy, facts.model_issue = cost.issue;
  facts.model_shared = cost.shared, facts.model_tensor = cost.tensor;
  facts.model_blocks = cost.blocks, facts.model_loading_warps = cost.loading_warps;
  facts.model_crowded = cost.crowded ? 1 : 0;
  facts.model_missing_registers = cost.missing_registers;
  facts.model_total = cost.total;
}

}  // namespace

const std::vector<std::string>& fact_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Fact& fact : all_facts) all.emplace_back(fact.name);
    return all;
  }();
  return names;
}

std::vector<double> kernel_facts(const Program& program, const Target& target,
                                 std::span<const LaunchKernel> kernels,
                                 std::span<const Cubin> cubins) {
  Facts facts;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    for (const Generated& pass : kernels[i].passes) add(facts, pass);
    add(facts, kernels[i].source.launch, cubins[i]);
  }
  facts.idle /= facts.passes;
  add(facts, estimate_cost(program, target));
  std::vector<double> values;
  for (const Fact& fact : all_facts) values.push_back(facts.*fact.member);
  return values;
}

}  // namespace sonoma::bench
