// Threads that take butterflies q and -q: see opposite.cuh.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "expression.hpp"
#include "pass_text.hpp"
#include "point_types.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

TableRange opposite_table(const KernelIr& ir) {
  for (const Op& op : ir.ops) {
    if (const auto* load = std::get_if<op::LoadOpposite>(&op)) return load->table;
    if (const auto* store = std::get_if<op::StoreOpposite>(&op)) return store->table;
  }
  return {};
}

// Register of each point of a butterfly, in the order of the points.
std::vector<unsigned> registers_of_points(const Schedule& schedule, const Layout& layout,
                                          bool input) {
  const LinearMap map = index_map(schedule.digits, layout, input ? Side::time : Side::frequency);
  std::vector<unsigned> registers(map.registers());
  std::iota(registers.begin(), registers.end(), 0u);
  std::ranges::sort(registers, {}, [&](unsigned reg) { return map.of_register(reg); });
  return registers;
}

// Under which conditions a thread has points to move.
struct Conditions {
  std::string low, high, middle;
};
Conditions conditions(bool several, bool alone) {
  const std::string there = several ? "there && " : "";
  const std::string always = several ? "When{there}" : "Always{}";
  return {always, alone ? "When{" + there + "!own}" : always, "When{" + there + "own}"};
}

}  // namespace

struct PassWriter::Opposites {
  unsigned points, butterflies, count;
  std::vector<unsigned> registers;
  RowsInMemory rows;
  bool input, several;
  int direction;

  [[nodiscard]] std::string x(unsigned point) const { return at("x", point); }
  [[nodiscard]] std::string y(unsigned point) const { return at("y", point); }
  [[nodiscard]] bool has_middle() const { return points * butterflies % 2 == 0; }
  // In front of point R / 2 the first ones of pairs lie, of butterfly q and of -q.
  [[nodiscard]] unsigned low_half() const { return (points + 1) / 2; }
  [[nodiscard]] unsigned high_half() const { return points / 2; }
  // "<250>(a, c, s, ": point `point` of butterfly a, w^(q + 250) = w^q (c + i s).
  [[nodiscard]] std::string further(const char* butterfly, unsigned point) const {
    const double turn = direction * std::numbers::pi * point / points;
    return concat("<", number(std::int64_t{butterflies} * point * rows.stride), ">(", butterfly,
                  ", ", hex(static_cast<float>(std::cos(turn))), ", ",
                  hex(static_cast<float>(std::sin(turn))), ", ");
  }
  [[nodiscard]] std::string middle() const {
    return "a.low + " + number(std::int64_t{points} * butterflies / 2 * rows.stride);
  }

 private:
  [[nodiscard]] std::string at(const char* of, unsigned point) const {
    return std::string(of) + "[" + number(registers[point]) + "]";
  }
};

PassWriter::Opposites PassWriter::opposites(const Layout& layout, bool input) const {
  const unsigned points = count_of(digits_, layout.registers);
  return {points,
          schedule_.opposite_butterflies(),
          schedule_.columns(),
          registers_of_points(schedule_, layout, input),
          rows_in_memory(schedule_.pass, input),
          input,
          schedule_.columns() > 1 && access_of(schedule_, input).columns_end,
          sign()};
}

// Point J of butterfly q with R - 1 - J of butterfly -q, or with its own.
FunctionBody PassWriter::store_of(const Opposites& of) {
  const unsigned last = of.points - 1;
  const Conditions when = conditions(of.several, of.butterflies % 2 != 0);
  FunctionBody body{"const Points& x, const Points& y, bool own, ", {}};
  const auto add = [&](const char* ends, unsigned point, const std::string& low,
                       const std::string& own, const std::string& other,
                       const std::string& access) {
    const std::string high = own == other ? own : "own ? " + own + " : " + other;
    body.statements.push_back(point == 0
                                  ? concat("store_first(", ends, ", ", low, ", ", high,
                                           ends[0] == 'a' ? ", own, " : ", false, ", access, ");")
                                  : concat("store_further", of.further(ends, point), low, ", ",
                                           high, ", ", access, ");"));
  };
  for (unsigned j = 0; j < of.low_half(); ++j) {
    add("a", j, of.x(j), of.x(j == 0 ? 0 : of.points - j), of.y(last - j), when.low);
  }
  for (unsigned j = 0; j < of.high_half(); ++j) {
    add("b", j, of.y(j), of.y(last - j), of.x(last - j), when.high);
  }
  if (of.has_middle()) {
    const std::string middle = of.points % 2 == 0 ? of.x(of.points / 2) : of.y(of.points / 2);
    body.statements.push_back(
        concat("store_point(", of.middle(), ", of_middle(", middle, "), ", when.middle, ");"));
  }
  return body;
}

FunctionBody PassWriter::load_of(const Opposites& of) {
  const unsigned last = of.points - 1, low = of.low_half(), high = of.high_half();
  const Conditions when = conditions(of.several, false);
  FunctionBody body{"Points& x, Points& y, bool own, ", {}};
  auto& lines = body.statements;
  const auto load = [&](const char* ends, unsigned point) {
    const std::string what =
        point == 0 ? concat("load_first(", ends, ends[0] == 'a' ? ", own, " : ", false, ")
                   : concat("load_further", of.further(ends, point));
    lines.push_back(concat("const Mirrored ", ends, number(point), " = ", what, when.low, ");"));
  };
  for (unsigned j = 0; j < low; ++j) load("a", j);
  for (unsigned j = 0; j < high; ++j) load("b", j);
  if (of.has_middle()) {
    lines.push_back(concat("const float2 middle = of_middle(load_point(", of.middle(), ", ",
                           when.middle, "));"));
  }
  const auto pair = [](const char* ends, unsigned point) { return ends + number(point) + ".high"; };
  for (unsigned j = 0; j < low; ++j) lines.push_back(of.x(j) + " = a" + number(j) + ".low;");
  for (unsigned j = 0; j < high; ++j) lines.push_back(of.y(j) + " = b" + number(j) + ".low;");
  for (unsigned j = low; j <= last; ++j) {
    const std::string own = 2 * j == of.points ? "middle" : pair("a", of.points - j);
    lines.push_back(concat(of.x(j), " = own ? ", own, " : ", pair("b", last - j), ";"));
  }
  for (unsigned j = high; j <= last; ++j) {
    const bool middle = 2 * j == last, none = middle && !of.has_middle();
    const std::string other = pair("a", last - j);
    const std::string own = middle ? "middle" : pair("b", last - j);
    lines.push_back(none ? of.y(j) + " = " + other + ";"
                         : concat(of.y(j), " = own ? ", own, " : ", other, ";"));
  }
  return body;
}

void PassWriter::move_opposite(const Layout& layout, bool input) {
  const Opposites of = opposites(layout, input);
  FunctionBody body = input ? load_of(of) : store_of(of);
  const std::string ends =
      std::string("Ends<") + (input ? "const " : "") + point_in_memory(schedule_.pass, input) + ">";
  body.parameters += "const " + ends + "& a, const " + ends + "& b";
  if (of.several) body.parameters += ", bool there";
  std::string row = input ? "in" : "out";
  if (of.count > 1) row += " + pair.transform * " + number(of.rows.apart) + "ll";
  const auto ends_of = [&](const char* butterfly) {
    return concat("ends_of<", number(schedule_.pass.n()), ", ", number(of.rows.stride), ">(", row,
                  ", pair.", butterfly, ", ", butterfly, "_factor)");
  };
  std::vector<std::string> arguments = {"both[0]", "both[1]", "pair.low == 0", ends_of("low"),
                                        ends_of("high")};
  if (of.several) arguments.emplace_back("pair.transform < columns");
  call(input ? "load_frequencies" : "store_frequencies", body, arguments);
}

void PassWriter::begin_pair() {
  const std::string factors = plus("tables", opposite_table(ir_).offset);
  line("const OppositePair pair = opposite_pair<" + number(schedule_.opposite_butterflies()) +
       ", " + number(schedule_.columns()) + ">(item);  // butterflies q and -q");
  line("const float2 low_factor = factor_at(" + factors + ", pair.low);");
  line("const float2 high_factor = factor_at(" + factors + ", pair.high);");
  line("Points both[2];");
  if (schedule_.opposite_phase() == OppositePhase::last) begin_sides();
}

void PassWriter::begin_sides() {
  const unsigned butterflies = schedule_.opposite_butterflies();
  text_ += "\n#pragma unroll\n";
  line("for (unsigned side = 0; side < 2; ++side) {");
  sides_ = true;
  if (butterflies % 2 != 0) {
    line("if (side > 0 && pair.low == 0) continue;  // butterfly 0 mirrors itself");
  }
  const std::string butterfly = "side == 0 ? pair.low : pair.high";
  line("const unsigned thread = " +
       (schedule_.columns() == 1
            ? butterfly
            : "pair.transform * " + number(butterflies) + " + (" + butterfly + ")") +
       ";");
  line("Points& x = both[side];");
}

void PassWriter::operator()(const op::LoadOpposite& op) {
  enter(op.layout);
  comment("Load frequencies of " + number(schedule_.pass.real_length()) +
          " real numbers, make points of their pairs of them: to " + layout_text(op.layout));
  move_opposite(op.layout, true);
  begin_sides();
}

void PassWriter::operator()(const op::StoreOpposite& op) {
  end_sides();
  comment("Of the pairs' frequencies those of the " + number(schedule_.pass.real_length()) +
          " real numbers, and store: from " + layout_text(op.layout));
  move_opposite(op.layout, false);
}

}  // namespace sonoma
