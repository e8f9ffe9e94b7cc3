// Code of the caller's on the way.
#include "expression.hpp"
#include "pass_text.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

// The number of the point that code of the caller's is told.
std::string PassWriter::told_text(const Side& side, unsigned reg) const {
  if (!side.told) return index_text(side, reg);
  return plus(base_name("told", *side.told, side.told->base[reg]), side.told->offset[reg]);
}

void PassWriter::add_told(const Side& side, FunctionBody& body,
                          std::vector<std::string>& arguments) const {
  if (!side.told || needs_index(side)) {
    add_places("index", side.index, first_number(side.access.loops), body, arguments);
  }
  if (side.told) {
    add_places("told", *side.told, first_number(side.access.told_loops), body, arguments);
  }
}

// What the caller's code makes of a point.
std::string PassWriter::changed_text(const Side& side, unsigned reg,
                                     const std::string& transform) const {
  const Values values = schedule_.pass.values(side.input);
  const std::string code = side.input ? "LoadCode()" : "StoreCode()";
  const std::string further = concat(told_text(side, reg), ", ", transform, ", user)");
  if (side.access.hermitian) {
    const std::string n = number(side.access.hermitian->n) + "u";
    const std::string step = number(schedule_.pass.whole().ends.index(side.input).step) + "u";
    const std::string of = side.input ? "of_hermitian<" : "of_either<";
    if (!side.told) return concat(of, n, ">(", code, ", ", at(reg), ", ", further);
    return concat(of, n, ", ", step, ">(", code, ", ", at(reg), ", ", index_text(side, reg), ", ",
                  further);
  }
  if (schedule_.pass.real_length() != 0) {
    return concat("of_pair(", code, ", ", at(reg), ", ", further);
  }
  if (values != Values::real) return concat(code, "(", at(reg), ", ", further);
  return side.input ? concat("real_part(", code, "(", at(reg), ", ", further, ")")
                    : concat(code, "(real_part(", at(reg), "), ", further);
}

// Points that padding adds are zero.
void PassWriter::call_function(const op::CallerCode& op) {
  comment((op.store ? "Store: " : "Load: ") + layout_text(op.layout));
  const Side side = side_of(op.layout, !op.store);
  FunctionBody body{"Points& x", {}, "void", op.store ? "class Store" : "class Load"};
  std::vector<std::string> arguments = {"x"};
  add_told(side, body, arguments);
  add_places("column", side.column, "0", body, arguments);
  body.parameters += ", unsigned columns, ";
  body.parameters += op.store ? "const Store& store" : "const Load& load";
  arguments.emplace_back(side.access.columns_end ? "columns" : "0");
  arguments.emplace_back(op.store ? "store" : "load");
  for (unsigned reg = 0; reg < side.index.offset.size(); ++reg) {
    const std::string when = condition(side, reg);
    const std::string column =
        plus(base_name("column", side.column, side.column.base[reg]), side.column.offset[reg]);
    const std::string of = concat(told_text(side, reg), ", ", column);
    if (op.store && when != "false") {
      const std::string in_time = when.empty() ? "" : concat("if (", when, ") ");
      body.statements.push_back(concat(in_time, "store(", of, ", ", at(reg), ");"));
    } else if (!op.store) {
      const std::string zero = "make_float2(0.0f, 0.0f)", value = concat("load(", of, ")");
      body.statements.push_back(concat(at(reg), " = ",
                                       when.empty()      ? value
                                       : when == "false" ? zero
                                                         : concat(when, " ? ", value, " : ", zero),
                                       ";"));
    }
  }
  call(op.store ? "store_points" : "load_points", body, arguments);
}

void PassWriter::operator()(const op::CallerCode& op) {
  if (by_functions_) return call_function(op);
  comment("The caller's code");
  const Side side = side_of(op.layout, !op.store);
  FunctionBody body{"Points& x", {}};
  std::vector<std::string> arguments = {"x"};
  add_told(side, body, arguments);
  add_rows(side, body, arguments);
  add_places("column", side.column, "0", body, arguments);
  body.parameters += ", unsigned columns, unsigned long long transform, const void* user";
  const bool several = schedule_.pass.loops.empty();  // columns are transforms
  arguments.emplace_back(side.access.columns_end ? "columns" : "0");
  arguments.emplace_back("first_transform + transform");
  arguments.emplace_back("user");
  for (unsigned reg = 0; reg < side.index.offset.size(); ++reg) {
    const std::string when = condition(side, reg);
    if (when == "false") continue;
    const std::string column =
        plus(base_name("column", side.column, side.column.base[reg]), side.column.offset[reg]);
    const std::string in_time = when.empty() ? "" : concat("if (", when, ")\n    ");
    const std::string transform = several ? concat("transform + ", column) : "transform";
    body.statements.push_back(
        concat(in_time, at(reg), " = ", changed_text(side, reg, transform), ";"));
  }
  call(op.store ? "change_result" : "change_input", body, arguments);
}

}  // namespace sonoma
