// Schedules and operations.
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

json json_of(const Layout& layout) {
  json document = {{"registers", layout.registers}, {"threads", layout.threads}};
  if (!layout.folded.empty()) document["folded"] = layout.folded;
  return document;
}

json digits_of(const std::vector<Digit>& digits) {
  json all = json::array();
  for (DigitId id = 0; id < digits.size(); ++id) {
    const Digit& digit = digits[id];
    json one = {{"name", digits_text(digits, {id})},
                {"values", digit.count},
                {"weight", digit.weight},
                {"time_stride", digit.time_stride},
                {"frequency_stride", digit.freq_stride},
                {"in_stride", digit.in_stride},
                {"out_stride", digit.out_stride},
                {"axis", digit.axis}};
    one["step"] = digit.step < 0 ? json() : json(digit.step + 1);  // null: of the transforms
    all.push_back(std::move(one));
  }
  return all;
}

const char* name_of(StepForm form) {
  static constexpr std::array names = {"left", "right", "registers"};
  return names[static_cast<std::size_t>(form)];
}

const char* name_of(ButterflyForm form) {
  static constexpr std::array names = {"plain", "halved", "fused"};
  return names[static_cast<std::size_t>(form)];
}

json json_of(const Phase& phase) {
  json steps = json::array();
  for (const Step& step : phase.steps) {
    steps.push_back({{"step", step.index + 1},
                     {"radix", step.radix},
                     {"form", name_of(step.form)},
                     {"digits", step.digits},
                     {"folds", step.folds},
                     {"words", step.words},
                     {"back", step.back}});
  }
  return {{"in", json_of(phase.in)}, {"out", json_of(phase.out)}, {"steps", steps}};
}

json json_of(const Transfer& transfer) {
  return {{"staged", transfer.staged}, {"layout", json_of(transfer.layout)}};
}

json json_of(const Positions& positions) {
  return {{"swizzle", {{"mask", positions.swizzle.mask}, {"shifts", positions.swizzle.shifts}}},
          {"pads", positions.pads}};
}

json json_of(const TableRange& table) { return {{"offset", table.offset}, {"size", table.size}}; }

const char* name_of(op::Half half) {
  static constexpr std::array names = {"both", "zero", "one"};
  return names[static_cast<std::size_t>(half)];
}
const char* name_of(op::Component component) {
  return component == op::Component::real ? "real" : "imaginary";
}
const char* name_of(op::SplitScale scale) {
  static constexpr std::array names = {"group", "transform", "none"};
  return names[static_cast<std::size_t>(scale)];
}
const char* name_of(op::StepFactors factors) {
  static constexpr std::array names = {"both", "twiddles", "centre"};
  return names[static_cast<std::size_t>(factors)];
}

// Fields of operations that are numbers, flags or lists of numbers, under their own names.
#define SONOMA_FIELD(name) \
  if constexpr (requires { op.name; }) fields[#name] = op.name

template <class Operation>
void add_numbers(const Operation& op, json& fields) {
  SONOMA_FIELD(tile);
  SONOMA_FIELD(radix);
  SONOMA_FIELD(words);
  SONOMA_FIELD(scaled);
  SONOMA_FIELD(register_mask);
  SONOMA_FIELD(lane_mask);
  SONOMA_FIELD(contained);
  SONOMA_FIELD(copied);
  SONOMA_FIELD(warps);
  SONOMA_FIELD(target);
  SONOMA_FIELD(undo);
  SONOMA_FIELD(most);
  SONOMA_FIELD(parts);
  SONOMA_FIELD(uniform);
  SONOMA_FIELD(thread_bits);
  SONOMA_FIELD(stride);
  SONOMA_FIELD(unity_mask);
  SONOMA_FIELD(unity_time_mask);
  SONOMA_FIELD(exponent);
  SONOMA_FIELD(products);
  SONOMA_FIELD(before);
  SONOMA_FIELD(last);
  SONOMA_FIELD(factor);
  SONOMA_FIELD(tiles);
  SONOMA_FIELD(row);
  SONOMA_FIELD(count);
  SONOMA_FIELD(root);
  SONOMA_FIELD(frequencies);
  SONOMA_FIELD(number);
  SONOMA_FIELD(turned);
  SONOMA_FIELD(round);
  SONOMA_FIELD(quarter);
  SONOMA_FIELD(blocks);
  SONOMA_FIELD(residues);
  SONOMA_FIELD(store);
}
#undef SONOMA_FIELD

template <class Operation>
json fields_of(const Operation& op) {
  json fields = json::object();
  add_numbers(op, fields);
  if constexpr (requires { op.step; }) fields["step"] = op.step + 1;
  if constexpr (requires { op.layout; }) fields["layout"] = json_of(op.layout);
  if constexpr (requires { op.table; }) fields["table"] = json_of(op.table);
  if constexpr (requires { op.form; }) fields["form"] = name_of(op.form);
  if constexpr (requires { op.half; }) fields["half"] = name_of(op.half);
  if constexpr (requires { op.component; }) fields["component"] = name_of(op.component);
  if constexpr (requires { op.factors; }) fields["factors"] = name_of(op.factors);
  if constexpr (requires { op.scale; }) fields["scale"] = name_of(op.scale);
  if constexpr (requires { op.scope; }) {
    static constexpr std::array scopes = {"warp", "block", "cluster"};
    fields["scope"] = scopes[static_cast<std::size_t>(op.scope)];
  }
  return fields;
}

}  // namespace

json json_of(const Schedule& schedule) {
  json phases = json::array();
  for (const Phase& phase : schedule.phases) phases.push_back(json_of(phase));
  json document = {{"engine", to_string(schedule.engine())},
                   {"radices", schedule.shape.tree.decomposition.radices},
                   {"digits", digits_of(schedule.digits)},
                   {"load", json_of(schedule.load)},
                   {"phases", phases},
                   {"store", json_of(schedule.store)},
                   {"places", json_of(schedule.places.points)},
                   {"points_per_thread", schedule.points_per_thread()},
                   {"min_blocks", schedule.min_blocks},
                   {"scale_warps", schedule.scale_warps},
                   {"cluster", schedule.shape.shares.cluster},
                   {"rounds", schedule.shape.shares.rounds},
                   {"by_index", schedule.by_index()},
                   {"laps", schedule.has_laps()},
                   {"coprime_phase", schedule.coprime_phase}};
  if (schedule.shape.shares.rounds > 1)
    document["places_of_parts"] = json_of(schedule.places.parts);
  return document;
}

json json_of(const KernelIr& ir) {
  json ops = json::array();
  for (const Op& op : ir.ops) {
    const std::string line = to_string(op, ir.schedule.digits);
    json one = std::visit([](const auto& own) { return fields_of(own); }, op);
    one["op"] = line.substr(0, line.find(' '));
    ops.push_back(std::move(one));
  }
  return ops;
}

}  // namespace sonoma::cli
