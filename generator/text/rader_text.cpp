// Rader's algorithm: what it does between memory and the convolution.
#include <ios>

#include "expression.hpp"
#include "pass_text.hpp"
#include "rader.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// Global memory, on a side.
std::string thread_of(const Schedule& schedule) {
  return schedule.has_laps() ? "thread_index()" : "thread";  // not that of a lap
}

std::string move_in_order(const Schedule& schedule, bool input) {
  const RowsInMemory rows = rows_in_memory(schedule.pass, input);
  std::string text = input ? "load_in_order<" : "store_in_order<";
  const std::int64_t n = schedule.pass.n() + (schedule.pass.is_mirrored(input) ? 1 : 0);
  for (const std::int64_t value :
       {n, std::int64_t{schedule.launch.transforms_per_block}, rows.stride, rows.apart}) {
    text += number(value) + ", ";
  }
  const bool several = access_of(schedule, input).columns_end;
  return text + number(schedule.launch.threads) + ">(" + (input ? "in" : "out") + ", " +
         thread_of(schedule) + ", " +
         (several ? "columns" : number(schedule.launch.transforms_per_block)) + ");";
}

// Of several axes: rows of frequencies.
std::string move_rows(const Schedule& schedule, bool input) {
  const std::int64_t last = schedule.pass.problem.lengths.back();
  const std::int64_t count = schedule.launch.transforms_per_block;
  std::string text = input ? "load_rows<" : "store_rows<";
  for (const std::int64_t value : {schedule.pass.mirrored_row_points(), schedule.pass.n() / last,
                                   count, std::int64_t{row_pitch(schedule)}}) {
    text += number(value) + ", ";
  }
  const bool several = access_of(schedule, input).columns_end;
  return text + number(schedule.launch.threads) + ">(" + (input ? "in" : "out") + ", " +
         thread_of(schedule) + ", " + (several ? "columns" : number(count)) + ");";
}

std::string move_as_they_lie(const Schedule& schedule, bool input) {
  const bool planes = schedule.pass.problem.lengths.size() > 1;
  return planes ? move_rows(schedule, input) : move_in_order(schedule, input);
}

}  // namespace

void PassWriter::operator()(const op::LoadInOrder&) {
  comment("Load, to shared memory in the order of memory");
  line(move_as_they_lie(schedule_, true));
}

void PassWriter::operator()(const op::StoreInOrder&) {
  comment("Store, from shared memory in the order of memory");
  line(move_as_they_lie(schedule_, false));
}

void PassWriter::powers(const Layout& layout, unsigned root, const TableRange& table, bool reads) {
  const std::int64_t n = schedule_.pass.n(), m = n - 1;
  const SumPlaces places = sums(layout, time_strides());
  FunctionBody body{"Points& x, uint2 own", {}};
  std::vector<std::string> firsts;
  for (unsigned reg = 0; reg < places.offset.size(); ++reg) {
    const std::int64_t offset = places.offset[reg], transform = offset / m;
    const std::string place = plus(
        "place_of_power<" + number(n) + ">(own, " + number(power_modulo(root, offset % m, n)) + ")",
        transform * n);
    body.statements.push_back(reads ? at(reg) + " = load_shared(" + place + ");"
                                    : "store_shared(" + place + ", " + at(reg) + ");");
    if (offset % m != 0) continue;
    const std::string first = plus("place_in_order(own.y)", transform * n);
    const std::string slot =
        plus("place_in_order(" + number(first_slot(schedule_)) + " + own.y / " + number(n) + ")",
             transform);
    firsts.push_back("  store_shared(" + (reads ? slot : first) + ", load_shared(" +
                     (reads ? first : slot) + "));");
  }
  body.statements.push_back("if (has_first_point<" + number(n) + ">(own)) {");
  body.statements.insert(body.statements.end(), firsts.begin(), firsts.end());
  body.statements.emplace_back("}");
  call(reads ? "read_powers" : "write_powers", body,
       {"x", "power_of_thread(" + plus("tables", table.offset) + ", thread)"});
}

void PassWriter::operator()(const op::ReadPowers& op) {
  enter(op.layout);
  comment("Point q is x(" + number(op.root) + "^q mod " + number(schedule_.pass.n()) + "): to " +
          layout_text(op.layout));
  powers(op.layout, op.root, op.table, true);
}

void PassWriter::operator()(const op::WritePowers& op) {
  enter(op.layout);
  comment("Point q is X(" + number(op.root) + "^q mod " + number(schedule_.pass.n()) + "): from " +
          layout_text(op.layout));
  powers(op.layout, op.root, op.table, false);
}

void PassWriter::operator()(const op::ZeroFrequency& op) {
  comment("X(0), and x(0) for all others, where the sum of the other points is");
  const std::int64_t m = schedule_.shape.tree.decomposition.n();
  std::vector<std::uint32_t> strides;
  for (const Digit& digit : digits_) strides.push_back(digit.freq_stride);
  const SumPlaces places = sums(op.layout, strides);
  FunctionBody body{"Points& x, unsigned p", {}};
  body.statements.push_back("if (p % " + number(m) + "u != 0) return;");
  for (unsigned reg = 0; reg < places.offset.size(); ++reg) {
    if (places.offset[reg] % m != 0) continue;
    const std::string slot =
        plus("place_in_order(" + number(first_slot(schedule_)) + " + p / " + number(m) + ")",
             places.offset[reg] / m);
    body.statements.push_back(at(reg) + " = with_first_point<" + number(m) + ">(" + at(reg) + ", " +
                              slot + ", " + hex(op.factor) + ");");
  }
  call("zero_frequency", body, {"x", places.bases.front()});
}

}  // namespace sonoma
