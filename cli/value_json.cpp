// Requests, tunings, programs, costs.
#include "value_json.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <variant>

#include "sonoma/tuning_fields.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

json side_of(const DataLayout& layout, bool input) {
  json side = {{"stride", input ? layout.in_stride : layout.out_stride}};
  const std::int64_t dist = input ? layout.in_dist : layout.out_dist;
  const auto& strides = input ? layout.in_strides : layout.out_strides;
  if (dist != 0) side["dist"] = dist;
  if (!strides.empty()) side["strides"] = strides;
  return side;
}

json json_of(const DataLayout& layout) {
  json loops = json::array();
  for (const Loop& loop : layout.loops) {
    loops.push_back(
        {{"count", loop.count}, {"in_stride", loop.in_stride}, {"out_stride", loop.out_stride}});
  }
  return {{"in", side_of(layout, true)}, {"out", side_of(layout, false)}, {"loops", loops}};
}

// Of each axis how many points memory has; 0: all of them.
json lengths_of(const std::vector<std::int64_t>& before, std::int64_t last, std::size_t axes) {
  std::vector<std::int64_t> all = before;
  all.resize(axes - 1);
  all.push_back(last);
  return all;
}

json json_of(const Ends& ends, std::size_t axes) {
  json document = {{"in_lengths", lengths_of(ends.in_lengths, ends.in_length, axes)},
                   {"out_lengths", lengths_of(ends.out_lengths, ends.out_length, axes)}};
  if (!ends.load_code.empty()) document["load_code"] = ends.load_code;
  if (!ends.store_code.empty()) document["store_code"] = ends.store_code;
  return document;
}

json json_of(const Convolution& asked) {
  return {{"real", asked.real},
          {"correlate", asked.correlate},
          {"spectrum_dist", asked.spectrum_dist},
          {"spectrum_strides", asked.spectrum_strides},
          {"spectrum_stride", asked.spectrum_stride},
          {"channels",
           {{"count", asked.channels.count},
            {"in_dist", asked.channels.in_dist},
            {"spectrum_dist", asked.channels.spectrum_dist}}}};
}

json json_of(const Accuracy& accuracy) {
  json document = json::object();
  if (accuracy.arithmetic) document["arithmetic"] = to_string(*accuracy.arithmetic);
  if (accuracy.max_rel_l2) document["max_rel_l2"] = *accuracy.max_rel_l2;
  return document;
}

std::vector<unsigned> steps_of(unsigned mask) {
  std::vector<unsigned> steps;
  for (unsigned step = 0; step < 32; ++step) {
    if ((mask >> step & 1) != 0) steps.push_back(step + 1);
  }
  return steps;
}

json value_of(const TuningField& field, const Tuning& tuning) {
  const auto value = [&](auto member) -> json {
    const auto& set = tuning.*member;
    if (!set) return {};
    using Value = std::decay_t<decltype(*set)>;
    if constexpr (std::is_same_v<Value, unsigned>) {
      return field.is_steps ? json(steps_of(*set)) : json(*set);
    } else if constexpr (std::is_arithmetic_v<Value> ||
                         std::is_same_v<Value, std::vector<std::int64_t>>) {
      return json(*set);
    } else {
      return to_string(*set);
    }
  };
  return std::visit(value, field.member);
}

json launch_json(const Launch& launch) {
  json document = {{"points", launch.pass.n()},
                   {"lengths", launch.pass.problem.lengths},
                   {"from", to_string(launch.from)},
                   {"to", to_string(launch.to)},
                   {"tuning", cli::json_of(tuning_of(launch.shape))}};
  if (launch.fusion) {
    document["fused_with"] = {{"points", launch.fusion->pass.n()},
                              {"slots", launch.fusion->slots},
                              {"tuning", cli::json_of(tuning_of(launch.fusion->shape))}};
  }
  return document;
}

}  // namespace

json json_of(const FftProblem& problem) {
  json document = {{"domain", to_string(problem.domain)},
                   {"lengths", problem.lengths},
                   {"batch", problem.batch},
                   {"direction", to_string(problem.direction)},
                   {"precision", to_string(problem.storage)},
                   {"out_precision", to_string(problem.result_storage())},
                   {"placement", to_string(problem.placement)},
                   {"order", to_string(problem.order)},
                   {"scale", problem.scale},
                   {"orthogonal", problem.orthogonal}};
  if (problem.layout != DataLayout{}) document["layout"] = json_of(problem.layout);
  if (problem.alignment != 16) document["alignment"] = problem.alignment;
  if (problem.ends != Ends{}) document["ends"] = json_of(problem.ends, problem.lengths.size());
  if (problem.accuracy != Accuracy{}) document["accuracy"] = json_of(problem.accuracy);
  if (problem.convolution) document["convolution"] = json_of(*problem.convolution);
  return document;
}

json json_of(const Tuning& tuning) {
  json document = json::object();
  for (const TuningField& field : tuning_fields()) {
    if (json value = value_of(field, tuning); !value.is_null()) document[field.name] = value;
  }
  return document;
}

json json_of(const KernelCosts& costs) {
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

json json_of(const Occupancy& occupancy) {
  json limiters = json::array();
  for (const SmResource limiter : occupancy.limiters) limiters.push_back(to_string(limiter));
  return {{"blocks", occupancy.blocks},
          {"warps", occupancy.warps},
          {"most_warps", occupancy.most_warps},
          {"share", occupancy.share()},
          {"limiters", limiters},
          {"blocks_by",
           {{"threads", occupancy.by_threads},
            {"blocks", occupancy.by_blocks},
            {"registers", occupancy.by_registers},
            {"shared_memory", occupancy.by_shared}}}};
}

json json_of(const Program& program) {
  json launches = json::array();
  for (const Launch& launch : program.launches) launches.push_back(launch_json(launch));
  return {{"launches", launches},
          {"transforms_together", program.transforms_together},
          {"workspace_bytes_per_transform", program.workspace_bytes(1)}};
}

}  // namespace sonoma::cli
