// Frequencies of real numbers, whose pairs are the points of the kernel.
#include "expression.hpp"
#include "mirrored_cluster.hpp"
#include "pass_text.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// Between shared and global memory.
std::string move_mirrored(const Schedule& schedule, std::uint32_t row, const TableRange& table,
                          bool input) {
  const unsigned count = schedule.launch.transforms_per_block;
  const RowsInMemory rows = rows_in_memory(schedule.pass, input);
  const auto numbers = access_of(schedule, input).trigonometric;
  std::vector<std::int64_t> values = {schedule.pass.problem.lengths.back(),
                                      std::int64_t{count},
                                      std::int64_t{row},
                                      rows.stride,
                                      count == 1 ? 0 : rows.apart,
                                      std::int64_t{schedule.launch.threads}};
  const auto& lengths = schedule.pass.problem.lengths;
  const std::string what = numbers              ? to_string(numbers->numbers) + "_pairs"
                           : lengths.size() > 1 ? "mirrored_rows"
                                                : "mirrored";
  values.insert(values.end(), lengths.rbegin() + 1, lengths.rend());  // the nearest axis first
  std::string text = (input ? "load_" : "store_") + what + "<";
  for (const std::int64_t value : values) {
    text += (text.back() == '<' ? "" : ", ") + number(value);
  }
  if (numbers) text += numbers->sine ? ", true" : ", false";
  if (numbers) text += numbers->orthogonal ? ", true" : ", false";
  const bool several = access_of(schedule, input).columns_end;
  return text + ">(" + (input ? "in" : "out") + ", " + plus("tables", table.offset) + ", thread, " +
         (several ? "columns" : number(count)) + ");";
}

// By a cluster, whose `Blocks` blocks_of() says.
std::string move_of_cluster(const Schedule& schedule, const TableRange& table, bool input) {
  const auto& lengths = schedule.pass.problem.lengths;
  std::string text =
      concat(input ? "load" : "store", "_mirrored_of_cluster<Blocks, ", number(lengths.back()),
             ", ", number(schedule.shape.shares.cluster), ", ", number(schedule.launch.threads));
  for (auto at = lengths.rbegin() + 1; at != lengths.rend(); ++at) text += ", " + number(*at);
  return concat(text, ">(", input ? "in" : "out", ", ", plus("tables", table.offset),
                ", thread, rank);");
}

// Which points each block of the cluster has.
std::string blocks_of(const Schedule& schedule) {
  std::string digits;
  for (const auto& [stride, count, weight] : block_share(schedule)) {
    digits += concat(digits.empty() ? "" : ", ", "BlockDigit<", number(stride), ", ", number(count),
                     ", ", number(weight), ">");
  }
  return "using Blocks = BlockDigits<" + digits + ">;";
}

}  // namespace

void PassWriter::move_parted(std::uint32_t row, bool input) {
  const unsigned count = schedule_.launch.transforms_per_block;
  const auto length = static_cast<std::uint64_t>(schedule_.pass.parted_length());
  comment("Two neighbours each: " + std::string(input ? "load" : "part and store") +
          " their frequencies, times w^(k column), w = exp(" + sign_text() + "2 pi i / " +
          number(schedule_.pass.parted_length()) + ")");
  std::string text = input ? "load_parted<" : "store_parted<";
  for (const std::int64_t value : {schedule_.pass.n(), std::int64_t{count}, std::int64_t{row},
                                   schedule_.pass.side(input).stride,
                                   std::int64_t{schedule_.launch.threads}, std::int64_t{sign()}}) {
    text += number(value) + ", ";
  }
  const bool several = access_of(schedule_, input).columns_end;
  line(text + std::to_string(turn_of_one(length)) + "ull>(" + (input ? "in" : "out") +
       ", thread, column, " + (several ? "columns" : number(count)) + ");");
}

void PassWriter::operator()(const op::LoadMirrored& op) {
  if (schedule_.pass.parted_length() != 0) return move_parted(op.row, true);
  const bool numbers = schedule_.pass.pairs_of.has_value();
  comment((numbers ? "Load numbers, make frequencies of " : "Load frequencies of ") +
          number(schedule_.pass.real_length()) + " real numbers" + (numbers ? " of them" : "") +
          ", make points of their pairs of them, to shared memory in order");
  if (mirrors_in_cluster(schedule_)) line(blocks_of(schedule_));
  line(mirrors_in_cluster(schedule_) ? move_of_cluster(schedule_, op.table, true)
                                     : move_mirrored(schedule_, op.row, op.table, true));
}

void PassWriter::operator()(const op::StoreMirrored& op) {
  if (schedule_.pass.parted_length() != 0) return move_parted(op.row, false);
  comment("Of the pairs' frequencies those of the " + number(schedule_.pass.real_length()) +
          " real numbers, and store" + (schedule_.pass.pairs_of ? " what is made of these" : ""));
  if (mirrors_in_cluster(schedule_)) line(blocks_of(schedule_));
  line(mirrors_in_cluster(schedule_) ? move_of_cluster(schedule_, op.table, false)
                                     : move_mirrored(schedule_, op.row, op.table, false));
}

void PassWriter::complete_rows() {
  const auto& lengths = schedule_.pass.problem.lengths;
  comment("Of each row the frequencies that mirror others are their conjugates");
  std::string text = "complete_rows<" + number(lengths.back()) + ", " +
                     number(schedule_.launch.transforms_per_block) + ", " +
                     number(schedule_.launch.threads);
  for (auto at = lengths.rbegin() + 1; at != lengths.rend(); ++at) text += ", " + number(*at);
  line(text + ">(thread);");
}

void PassWriter::operator()(const op::MirrorRows& op) {
  const auto& lengths = schedule_.pass.problem.lengths;
  const bool input = schedule_.pass.is_mirrored(true);
  const std::string length = number(schedule_.pass.real_length());
  if (schedule_.pass.row_length() != 0) return complete_rows();
  comment(input ? "Of frequencies of " + length + " real numbers points of their pairs"
                : "Of the pairs' frequencies those of the " + length + " real numbers");
  std::vector<std::int64_t> values = {lengths.back(), schedule_.launch.transforms_per_block,
                                      op.row};
  if (lengths.size() > 1) values.push_back(row_pitch(schedule_));
  values.push_back(schedule_.launch.threads);
  values.insert(values.end(), lengths.rbegin() + 1, lengths.rend());  // the nearest axis first
  std::string text = lengths.size() == 1 ? "mirror_rows<"
                     : input             ? "mirror_rows_of_input<"
                                         : "mirror_rows_of_output<";
  for (const std::int64_t value : values) {
    text += (text.back() == '<' ? "" : ", ") + number(value);
  }
  line(text + ">(" + plus("tables", op.table.offset) + ", thread);");
}

// A tile that Bluestein's algorithm pads has zeros behind what lies there.
void PassWriter::in_order(const Layout& layout, std::uint32_t row, bool reads, bool times) {
  const SumPlaces places = sums(layout, strides_in_order(schedule_, row, times));
  FunctionBody body{"Points& x", {}};
  std::vector<std::string> arguments = {"x"};
  add_places("place", places, "0", body, arguments);
  const bool padded = schedule_.pass.is_chirped(reads);
  const Side side = side_of(layout, reads);
  if (padded) add_places("index", side.index, "0", body, arguments);
  for (std::string& argument : arguments) argument = way_back(argument);
  for (unsigned reg = 0; reg < places.offset.size(); ++reg) {
    const std::string where = plus(
        "shared_point(" + base_name("place", places, places.base[reg]) + ")", places.offset[reg]);
    const std::string there = padded ? within_points(side, reg) : "";
    if (there == "false") {
      if (reads) body.statements.push_back(at(reg) + " = make_float2(0.0f, 0.0f);");
    } else if (reads) {
      body.statements.push_back(concat(at(reg), " = ", there, there.empty() ? "" : " ? ",
                                       "load_shared(", where, ")",
                                       there.empty() ? "" : " : make_float2(0.0f, 0.0f)", ";"));
    } else {
      body.statements.push_back(concat(there.empty() ? "" : "if (" + there + ") ", "store_shared(",
                                       where, ", ", at(reg), ");"));
    }
  }
  call(reads ? "read_in_order" : "write_in_order", body, arguments);
}

void PassWriter::operator()(const op::ReadInOrder& op) {
  enter(op.layout);
  comment("To " + layout_text(op.layout));
  in_order(op.layout, op.row, true, !op.frequencies);
}

void PassWriter::operator()(const op::WriteInOrder& op) {
  enter(op.layout);
  comment("To shared memory in order: from " + layout_text(op.layout));
  in_order(op.layout, op.row, false, false);
}

}  // namespace sonoma
