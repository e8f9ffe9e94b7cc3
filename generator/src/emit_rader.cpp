#include "emit_rader.hpp"

#include <sstream>

#include "index_text.hpp"

namespace sonoma {
namespace {

std::string offsets(const LinearMap& map) {
  std::string text;
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    text += ", " + std::to_string(map.of_register(reg));
  }
  return text;
}

std::string thread_part(const LinearMap& map) {
  return index_text(map.thread_bits, map.thread_counts);
}

std::int64_t apart(const Pass& pass, bool input) {
  if (pass.loops.empty()) return input ? pass.in_dist : pass.out_dist;
  return input ? pass.loops.front().in_stride : pass.loops.front().out_stride;
}

// What `existing` counts for each transform: points that are there, or, by index, columns.
std::string column(const Schedule& schedule) {
  return schedule.by_index ? "1" : std::to_string(schedule.pass.n());
}
std::string existing(const Schedule& schedule) {
  return schedule.by_index ? "FirstPoints{from.columns}" : "existing";
}

std::string move(const KernelIr& ir, const Layout& layout, bool input) {
  const Schedule& schedule = ir.schedule;
  const Pass& pass = schedule.pass;
  const LinearMap map = index_map(schedule.digits, layout, Side::time);
  return (input ? "load_rest<" : "store_rest<") + std::to_string(schedule.decomposition.n()) +
         ", " + std::to_string(input ? pass.in_stride : pass.out_stride) + ", " +
         std::to_string(apart(pass, input)) + ", " + column(schedule) + offsets(map) + ">(x, " +
         (input ? "in, " : "out, ") + thread_part(map) + ", " + existing(schedule) + ");";
}

std::string in_order(const KernelIr& ir, const char* direction, const Layout& layout, unsigned root,
                     const TableRange& table) {
  const LinearMap map = index_map(ir.schedule.digits, layout, Side::time);
  if (root == 0) {
    return std::string(direction) + "_in_order<" + offsets(map).substr(2) + ">(x, " +
           thread_part(map) + ");";
  }
  return std::string(direction) + "_powers<" + std::to_string(ir.schedule.pass.n()) + ", " +
         std::to_string(root) + offsets(map) + ">(x, tables + " + std::to_string(table.offset) +
         ", thread);";
}

std::string powers(const KernelIr& ir, unsigned root) {
  return std::to_string(root) + "^q mod " + std::to_string(ir.schedule.pass.n());
}

}  // namespace

RaderStatement rader_statement(const KernelIr& ir, const op::LoadTile& op) {
  return {"Load all points but the first one: " + to_string(op.layout, ir.schedule.digits),
          move(ir, op.layout, true)};
}

RaderStatement rader_statement(const KernelIr& ir, const op::StoreTile& op) {
  return {"Store all results but the first one: " + to_string(op.layout, ir.schedule.digits),
          move(ir, op.layout, false)};
}

RaderStatement rader_statement(const KernelIr& ir, const op::WriteInOrder& op) {
  return {(op.root == 0 ? "In the order of memory: from "
                        : "Point q is result " + powers(ir, op.root) + ": from ") +
              to_string(op.layout, ir.schedule.digits),
          in_order(ir, "write", op.layout, op.root, op.table)};
}

RaderStatement rader_statement(const KernelIr& ir, const op::ReadInOrder& op) {
  return {(op.root == 0 ? "In the order of memory to "
                        : "Point q is x(" + powers(ir, op.root) + "): to ") +
              to_string(op.layout, ir.schedule.digits),
          in_order(ir, "read", op.layout, op.root, op.table)};
}

RaderStatement rader_statement(const KernelIr& ir, const op::ZeroFrequency& op) {
  const Schedule& schedule = ir.schedule;
  const LinearMap map = index_map(schedule.digits, op.layout, Side::frequency);
  std::ostringstream factor;
  factor << std::hexfloat << op.factor;
  return {"X(0), and x(0) for all others, where the sum of the other points is",
          "zero_frequency<" + std::to_string(schedule.decomposition.n()) + ", " +
              std::to_string(apart(schedule.pass, true)) + ", " +
              std::to_string(apart(schedule.pass, false)) + ", " + column(schedule) + offsets(map) +
              ">(x, in, out, " + thread_part(map) + ", " + existing(schedule) + ", " +
              factor.str() + "f);"};
}

}  // namespace sonoma
