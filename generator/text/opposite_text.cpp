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
    if (const auto* filter = std::get_if<op::FilterOpposite>(&op)) return filter->table;
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

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

}  // namespace

struct PassWriter::Opposites {
  struct Meeting {
    const char* ends;  // of butterfly q "a", of -q "b"
    unsigned point;    // of it
    std::string low, high;
  };
  unsigned points, butterflies, count;
  std::vector<unsigned> registers;
  RowsInMemory rows;
  bool several;  // transforms, of which the last block may lack some
  int direction;

  [[nodiscard]] std::string x(unsigned point) const { return at("x", point); }
  [[nodiscard]] std::string y(unsigned point) const { return at("y", point); }
  [[nodiscard]] bool has_middle() const { return points * butterflies % 2 == 0; }
  // In front of point R / 2 the first ones of pairs lie, of butterfly q and of -q.
  [[nodiscard]] unsigned low_half() const { return (points + 1) / 2; }
  [[nodiscard]] unsigned high_half() const { return points / 2; }
  // From point 0 of a butterfly to point `point`: in memory, and w^(q + 250) = w^q (c + i s).
  [[nodiscard]] std::string distance(unsigned point) const {
    return number(std::int64_t{butterflies} * point * rows.stride);
  }
  [[nodiscard]] std::string root(unsigned point) const {
    const double turn = direction * std::numbers::pi * point / points;
    return concat(hex(static_cast<float>(std::cos(turn))), ", ",
                  hex(static_cast<float>(std::sin(turn))));
  }
  [[nodiscard]] std::string middle() const {
    return points % 2 == 0 ? x(points / 2) : y(points / 2);
  }
  [[nodiscard]] std::string place_of_middle() const {
    return "a.low + " + number(std::int64_t{points} * butterflies / 2 * rows.stride);
  }
  [[nodiscard]] std::vector<Meeting> meetings() const;
  [[nodiscard]] std::vector<std::string> take_pairs() const;

 private:
  [[nodiscard]] std::string at(const char* of, unsigned point) const {
    return std::string(of) + "[" + number(registers[point]) + "]";
  }
};

PassWriter::Opposites PassWriter::opposites(const Layout& layout, const RowsInMemory& rows,
                                            bool several, bool input) const {
  return {count_of(digits_, layout.registers),
          schedule_.opposite_butterflies(),
          schedule_.columns(),
          registers_of_points(schedule_, layout, input),
          rows,
          several,
          sign()};
}

// The points that meet: J of butterfly q with R - 1 - J of butterfly -q, or with its own.
std::vector<PassWriter::Opposites::Meeting> PassWriter::Opposites::meetings() const {
  const unsigned last = points - 1;
  std::vector<Meeting> result;
  for (unsigned j = 0; j < low_half(); ++j) {
    const std::string own = x(j == 0 ? 0 : points - j), other = y(last - j);
    result.push_back({"a", j, x(j), own == other ? own : "own ? " + own + " : " + other});
  }
  for (unsigned j = 0; j < high_half(); ++j) {
    const std::string own = y(last - j), other = x(last - j);
    result.push_back({"b", j, y(j), own == other ? own : "own ? " + own + " : " + other});
  }
  return result;
}

// Pairs a0, a1, ..., b0, b1, ..., and the point in the middle, to their registers.
std::vector<std::string> PassWriter::Opposites::take_pairs() const {
  const unsigned last = points - 1, low = low_half(), high = high_half();
  const auto pair = [](const char* ends, unsigned point) { return ends + number(point) + ".high"; };
  std::vector<std::string> lines;
  for (unsigned j = 0; j < low; ++j) lines.push_back(x(j) + " = a" + number(j) + ".low;");
  for (unsigned j = 0; j < high; ++j) lines.push_back(y(j) + " = b" + number(j) + ".low;");
  for (unsigned j = low; j <= last; ++j) {
    const std::string own = 2 * j == points ? "middle" : pair("a", points - j);
    lines.push_back(concat(x(j), " = own ? ", own, " : ", pair("b", last - j), ";"));
  }
  for (unsigned j = high; j <= last; ++j) {
    const bool middle = 2 * j == last, none = middle && !has_middle();
    const std::string other = pair("a", last - j);
    const std::string own = middle ? "middle" : pair("b", last - j);
    lines.push_back(none ? y(j) + " = " + other + ";"
                         : concat(y(j), " = own ? ", own, " : ", other, ";"));
  }
  return lines;
}

FunctionBody PassWriter::store_of(const Opposites& of) {
  const Conditions when = conditions(of.several, of.butterflies % 2 != 0);
  FunctionBody body{"const Points& x, const Points& y, bool own, ", {}};
  for (const auto& [ends, point, low, high] : of.meetings()) {
    const bool first = ends[0] == 'a';
    const std::string& access = first ? when.low : when.high;
    body.statements.push_back(point == 0 ? concat("store_first(", ends, ", ", low, ", ", high,
                                                  first ? ", own, " : ", false, ", access, ");")
                                         : concat("store_further<", of.distance(point), ">(", ends,
                                                  ", ", of.root(point), ", ", low, ", ", high, ", ",
                                                  access, ");"));
  }
  if (of.has_middle()) {
    body.statements.push_back(concat("store_point(", of.place_of_middle(), ", of_middle(",
                                     of.middle(), "), ", when.middle, ");"));
  }
  return body;
}

FunctionBody PassWriter::load_of(const Opposites& of) {
  const Conditions when = conditions(of.several, false);
  FunctionBody body{"Points& x, Points& y, bool own, ", {}};
  for (const auto& [ends, point, low, high] : of.meetings()) {
    const std::string what =
        point == 0
            ? concat("load_first(", ends, ends[0] == 'a' ? ", own, " : ", false, ")
            : concat("load_further<", of.distance(point), ">(", ends, ", ", of.root(point), ", ");
    body.statements.push_back(
        concat("const Mirrored ", ends, number(point), " = ", what, when.low, ");"));
  }
  if (of.has_middle()) {
    body.statements.push_back(concat("const float2 middle = of_middle(load_point(",
                                     of.place_of_middle(), ", ", when.middle, "));"));
  }
  append(body.statements, of.take_pairs());
  return body;
}

// Of a convolution, half of its way.
FunctionBody PassWriter::filter_of(const Opposites& of, bool conjugated) {
  const Conditions when = conditions(of.several, false);
  const std::string kind = conjugated ? "true" : "false";
  FunctionBody body{"Points& x, Points& y, bool own, ", {}};
  for (const auto& [ends, point, low, high] : of.meetings()) {
    const std::string where =
        point == 0 ? concat("filter_first<", kind, ">(", ends, ends[0] == 'a' ? ", own" : ", false")
                   : concat("filter_further<", of.distance(point), ", ", kind, ">(", ends, ", ",
                            of.root(point));
    body.statements.push_back(concat("const Mirrored ", ends, number(point), " = ", where, ", {",
                                     low, ", ", high, "}, ", when.low, ");"));
  }
  if (of.has_middle()) {
    body.statements.push_back(concat("const float2 middle = filter_middle<", kind, ">(",
                                     of.place_of_middle(), ", ", of.middle(), ", ", when.middle,
                                     ");"));
  }
  append(body.statements, of.take_pairs());
  return body;
}

// `row`: where that of the block's first transform lies.
void PassWriter::call_opposite(const char* name, const Opposites& of, FunctionBody body,
                               std::string row, const std::string& point) {
  const std::string ends = "Ends<" + point + ">";
  body.parameters += "const " + ends + "& a, const " + ends + "& b";
  if (of.several) body.parameters += ", bool there";
  if (of.count > 1 && of.rows.apart != 0) {
    row += " + pair.transform * " + number(of.rows.apart) + "ll";
  }
  const auto ends_of = [&](const char* butterfly) {
    return concat("ends_of<", number(schedule_.pass.n()), ", ", number(of.rows.stride), ">(", row,
                  ", pair.", butterfly, ", ", butterfly, "_factor)");
  };
  std::vector<std::string> arguments = {"both[0]", "both[1]", "pair.low == 0", ends_of("low"),
                                        ends_of("high")};
  if (of.several) arguments.emplace_back("pair.transform < columns");
  call(name, body, arguments);
}

void PassWriter::move_opposite(const Layout& layout, bool input) {
  const bool several = schedule_.columns() > 1 && access_of(schedule_, input).columns_end;
  const Opposites of = opposites(layout, rows_in_memory(schedule_.pass, input), several, input);
  const std::string point =
      std::string(input ? "const " : "") + point_in_memory(schedule_.pass, input);
  call_opposite(input ? "load_frequencies" : "store_frequencies", of,
                input ? load_of(of) : store_of(of), input ? "in" : "out", point);
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

void PassWriter::operator()(const op::FilterOpposite& op) {
  end_sides();
  const FilterSide& filter = *schedule_.pass.filter;
  comment(std::string("The convolution: of the pairs' frequencies those of the ") +
          number(schedule_.pass.real_length()) + " real numbers, times the spectrum of the filter" +
          (filter.conjugated ? ", its conjugate" : "") + ", and back");
  const std::int64_t apart = apart_in_spectrum();
  const Opposites of = opposites(op.layout, {1, apart}, has_spectra_of_columns(), false);
  call_opposite("times_spectrum", of, filter_of(of, filter.conjugated), "spectrum", "const float2");
  begin_sides();
  backwards_ = true, begun_ = 0;
}

}  // namespace sonoma
