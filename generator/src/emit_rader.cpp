#include "emit_rader.hpp"

#include <sstream>

#include "index_text.hpp"
#include "rader.hpp"
#include "sonoma/rader_accesses.hpp"

namespace sonoma {
namespace {

std::string offsets(const LinearMap& map) {
  std::string text;
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    text += ", " + std::to_string(map.of_register(reg));
  }
  return text;
}

// Global memory, on a side.
std::string move(const KernelIr& ir, bool input) {
  const Schedule& schedule = ir.schedule;
  const RowsInMemory rows = rows_in_memory(schedule.pass, input);
  const std::int64_t numbers[] = {schedule.pass.n(), schedule.launch.transforms_per_block,
                                  rows.stride, rows.apart};
  std::string text = input ? "load_in_order<" : "store_in_order<";
  for (const std::int64_t number : numbers) text += std::to_string(number) + ", ";
  return text + std::to_string(schedule.launch.threads) +
         (schedule.by_index ? ", true>(" : ", false>(") + (input ? "in" : "out") + ", thread, " +
         (schedule.by_index ? "FirstPoints{from.columns}" : "existing") + ");";
}

std::string powers(const KernelIr& ir, const char* direction, const Layout& layout, unsigned root,
                   const TableRange& table) {
  const LinearMap map = index_map(ir.schedule.digits, layout, Side::time);
  return std::string(direction) + "_powers<" + std::to_string(ir.schedule.pass.n()) + ", " +
         std::to_string(root) + ", " + std::to_string(first_slot(ir.schedule)) + offsets(map) +
         ">(x, tables + " + std::to_string(table.offset) + ", thread);";
}

std::string power(const KernelIr& ir, unsigned root) {
  return "(" + std::to_string(root) + "^q mod " + std::to_string(ir.schedule.pass.n()) + ")";
}

}  // namespace

RaderStatement rader_statement(const KernelIr& ir, const op::LoadInOrder&) {
  return {"Load, to shared memory in the order of memory", move(ir, true)};
}

RaderStatement rader_statement(const KernelIr& ir, const op::ReadPowers& op) {
  return {"Point q is x" + power(ir, op.root) + ": to " + to_string(op.layout, ir.schedule.digits),
          powers(ir, "read", op.layout, op.root, op.table)};
}

RaderStatement rader_statement(const KernelIr& ir, const op::ZeroFrequency& op) {
  const LinearMap map = index_map(ir.schedule.digits, op.layout, Side::frequency);
  std::ostringstream factor;
  factor << std::hexfloat << op.factor;
  return {"X(0), and x(0) for all others, where the sum of the other points is",
          "zero_frequency<" + std::to_string(ir.schedule.decomposition.n()) + ", " +
              std::to_string(first_slot(ir.schedule)) + offsets(map) + ">(x, " +
              index_text(map.thread_bits, map.thread_counts) + ", " + factor.str() + "f);"};
}

RaderStatement rader_statement(const KernelIr& ir, const op::WritePowers& op) {
  return {
      "Point q is X" + power(ir, op.root) + ": from " + to_string(op.layout, ir.schedule.digits),
      powers(ir, "write", op.layout, op.root, op.table)};
}

RaderStatement rader_statement(const KernelIr& ir, const op::StoreInOrder&) {
  return {"Store, from shared memory in the order of memory", move(ir, false)};
}

}  // namespace sonoma
