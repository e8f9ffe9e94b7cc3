// Loads and stores.
#include <algorithm>

#include "expression.hpp"
#include "pass_text.hpp"
#include "point_types.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

std::string base_name(const std::string& name, const SumPlaces& places, unsigned base) {
  return places.bases.size() == 1 ? name : name + number(base);
}

void add_places(const std::string& name, const SumPlaces& places, const std::string& first,
                FunctionBody& body, std::vector<std::string>& arguments) {
  for (unsigned base = 0; base < places.bases.size(); ++base) {
    body.parameters += ", unsigned " + base_name(name, places, base);
    arguments.push_back(plus(first, places.bases[base]));
  }
}

PassWriter::Side PassWriter::side_of(const Layout& layout, bool input) const {
  Side side;
  side.input = input;
  side.access = access_of(schedule_, input);
  std::vector<std::uint32_t> columns;
  for (const Digit& digit : digits_) columns.push_back(digit.step < 0 ? digit.weight : 0);
  side.memory = sums(layout, side.access.memory);
  side.index = sums(layout, side.access.index);
  side.column = sums(layout, columns);
  const bool differs =
      side.access.told != side.access.index || side.access.told_loops != side.access.loops;
  if (differs) side.told = sums(layout, side.access.told);
  return side;
}

void PassWriter::number_stores(Side& side) const {
  const auto& own = side.column.offset;
  const bool shared = side.column.bases.size() == 1 &&
                      std::all_of(own.begin(), own.end(), [](unsigned c) { return c == 0; });
  if (shared) side.numbers = static_cast<unsigned>(own.size());
}

std::string PassWriter::within_points(const Side& side, unsigned reg) const {
  const Access& access = side.access;
  if (access.present == 0) return {};
  const std::int64_t own = side.index.offset[reg], last = side.index.last_of(reg);
  if (own >= access.present) return "false";
  if (!differs_by_block(access) && last < access.present) return {};
  return base_name("index", side.index, side.index.base[reg]) + " < " +
         number(access.present - own) + "u";
}

std::string PassWriter::condition(const Side& side, unsigned reg) const {
  const Access& access = side.access;
  std::string text = within_points(side, reg);
  if (text == "false") return text;
  if (const auto& known = access.hermitian; known && known->stored < known->n / 2 + 1) {
    const std::string index = index_text(side, reg);
    text += (text.empty() ? "(" : " && (") + index + " < " + number(known->stored) + "u || " +
            index + " > " + number(known->n - known->stored) + "u)";
  }
  if (may_be_behind(side, reg)) {
    const auto& [n, stride, stored, rows] = *access.hermitian;
    text += concat(text.empty() ? "" : " && ", "is_stored<", number(n), "u, ", number(rows), "u>(",
                   index_text(side, reg), ", ", row_text(side, reg), ")");
  }
  if (access.columns_end) {
    const std::string column = base_name("column", side.column, side.column.base[reg]);
    text += (text.empty() ? "" : " && ") +
            (side.numbers > 1 ? plus("own", reg) + " < end"
                              : plus(column, side.column.offset[reg]) + " < columns");
  }
  return text;
}

std::string PassWriter::access_argument(const Side& side, unsigned reg, bool streamed) const {
  const std::string when = condition(side, reg);
  if (when.empty()) return streamed ? ", Streamed{}" : "";
  return std::string(streamed ? ", StreamedWhen{" : ", When{") + when + "}";
}

// Of the tile's first point, where one more of each loop adds `loops`.
std::string PassWriter::first_number(const std::vector<std::int64_t>& loops) const {
  const auto times = [](const std::string& value, std::int64_t factor) {
    return factor == 1 ? value : value + " * " + number(factor) + "u";
  };
  std::string text = "0";
  std::uint64_t below = 1;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::int64_t step = loops[i];
    const std::string value = i == 0 ? "column"
                                     : "block / " + std::to_string(below) + "u % " +
                                           number(schedule_.pass.loops[i].count) + "u";
    if (step != 0) text = plus(text, times(value, step));
    below *= i == 0 ? tiles_of_row(schedule_.pass, schedule_.launch.transforms_per_block)
                    : static_cast<std::uint64_t>(schedule_.pass.loops[i].count);
  }
  return text;
}

// Which of hermitian_rows() points are of.
void PassWriter::add_rows(const Side& side, FunctionBody& body,
                          std::vector<std::string>& arguments) {
  if (!side.access.hermitian || side.access.hermitian->rows == 0) return;
  add_places("row", side.column, "column", body, arguments);
}

// For conditions, or to know which Hermitian points follow from others.
bool PassWriter::needs_index(const Side& side) const {
  bool by_index = side.access.hermitian || side.access.trigonometric;
  for (unsigned reg = 0; reg < side.index.offset.size(); ++reg) {
    by_index = by_index || condition(side, reg).find("index") != std::string::npos;
  }
  return by_index;
}

void PassWriter::add_condition_parameters(const Side& side, FunctionBody& body,
                                          std::vector<std::string>& arguments) const {
  if (needs_index(side)) {
    add_places("index", side.index, first_number(side.access.loops), body, arguments);
  }
  add_rows(side, body, arguments);
  if (!side.access.columns_end) return;
  if (side.numbers > 1) {
    body.parameters += ", unsigned own, unsigned end";
    const std::string times = " * " + number(side.numbers) + "u";
    arguments.push_back(as_factor(side.column.bases.front()) + times);
    arguments.push_back("columns" + times);
    return;
  }
  add_places("column", side.column, "0", body, arguments);
  // One predicate a register: the compiler would keep those of the load for the store.
  const auto& columns = side.column.offset;
  const bool several =
      std::any_of(columns.begin(), columns.end(), [](unsigned c) { return c > 0; });
  if (!side.input && several) arguments.back() = "anew(" + arguments.back() + ")";
  body.parameters += ", unsigned columns";
  arguments.emplace_back("columns");
}

void PassWriter::add_bases(const Side& side, const std::string& pointer, const std::string& type,
                           FunctionBody& body, std::vector<std::string>& arguments) const {
  const std::string first = pointer + back_to_first(side);
  for (unsigned base = 0; base < side.memory.bases.size(); ++base) {
    body.parameters += ", " + type + "* " + base_name("p", side.memory, base);
    const std::string& where = side.memory.bases[base];
    arguments.push_back(where == "0" ? first : first + " + " + as_factor(where));
  }
}

// Of the numbers of a cosine or sine transform, from the tile's first point to the first number.
std::string PassWriter::back_to_first(const Side& side) const {
  if (!side.access.trigonometric) return {};
  const std::string index = first_number(side.access.loops);
  if (index == "0") return {};
  return concat(" - ", as_factor(index), " * ", number(side.access.trigonometric->stride), "ll");
}

void PassWriter::move(const Layout& layout, bool input) {
  enter(layout);
  if (by_functions_) return;  // of the caller's: see CallerCode
  comment((input ? "Load: " : "Store: ") + layout_text(layout));
  Side side = side_of(layout, input);
  if (!input && schedule_.mixed()) number_stores(side);
  const bool raw = input && words();
  const std::string point = point_in_memory(schedule_.pass, input);
  FunctionBody body{raw ? "WordTiles& w" : "Points& x", {}};
  std::vector<std::string> arguments = {raw ? "w" : "x"};
  add_bases(side, input ? "in" : "out", (input ? "const " : "") + point, body, arguments);
  add_condition_parameters(side, body, arguments);
  // Neighbours travel together as far as they lie in registers.
  unsigned width = 1;
  while (width < side.access.together &&
         neighbours(side.memory, 2 * width).front().size() == 2 * width) {
    width *= 2;
  }
  for (const std::vector<unsigned>& group : neighbours(side.memory, width)) {
    const std::string where = address(side, group.front());
    const std::string when = condition(side, group.front());
    const std::string access =
        access_argument(side, group.front(), input ? streaming_.load : streaming_.store);
    std::string registers;
    for (const unsigned reg : group) registers += concat(", ", raw ? word_at(reg) : at(reg));
    const std::string first = at(group.front());
    if (when == "false") {
      if (input) body.statements.push_back(concat(first, " = make_float2(0.0f, 0.0f);"));
    } else if (raw || group.size() == 2) {
      const std::string store = concat("store", joined_text("_pair"));
      const std::string name = raw ? "load_words(" : input ? "load_pair(" : store;
      body.statements.push_back(concat(name, where, registers, access, ");"));
    } else {
      body.statements.push_back(
          input ? concat(first, " = ", load_text(side, group.front(), access), ";")
                : store_text(side, group.front(), access));
    }
  }
  call(input ? "load" : "store", body, arguments);
}

void PassWriter::operator()(const op::WaitForLaunch&) {
  comment(begins_early);
  line("wait_for_launch_before();");
}

void PassWriter::operator()(const op::LoadTile& op) { move(op.layout, true); }
void PassWriter::operator()(const op::StoreTile& op) { move(op.layout, false); }

// Neighbours travel together, 16 bytes at a time; in a mixed tile, where they may lie apart, each
// point alone.
void PassWriter::copy(const std::string& name, const Layout& layout, const std::string& from) {
  const Side side = side_of(layout, true);
  const SharedPlaces places = shared_places(layout, {});
  FunctionBody body{"unsigned place", {}};
  std::vector<std::string> arguments = {place_argument(places)};
  add_bases(side, from, "const " + std::string(point_in_memory(schedule_.pass, true)), body,
            arguments);
  add_condition_parameters(side, body, arguments);
  const unsigned together = words() ? 4 : schedule_.mixed() ? 1 : 2;
  const std::string to = together == 4   ? "copy_words(shared_word("
                         : together == 2 ? "copy_pair(shared_point("
                                         : "copy_point(shared_point(";
  for (const std::vector<unsigned>& group : neighbours(side.memory, together)) {
    const unsigned reg = group.front();
    const std::string when = condition(side, reg);
    body.statements.push_back(concat(to, plus(places.flipped("place", reg) + ")", places.add[reg]),
                                     ", ", address(side, reg), when.empty() ? "" : ", " + when,
                                     ");"));
  }
  call(name, body, arguments);
}

void PassWriter::operator()(const op::CopyAsync& op) {
  comment("Load, asynchronously, to shared memory: " + layout_text(op.layout));
  copy("copy", op.layout, "in");
}

void PassWriter::operator()(const op::WaitAsync&) {
  if (in_tiles_)
    comment("Until what this thread has copied is there: its points of the first phase");
  line("wait_for_copies();");
}

// By one thread: one instruction is enough.
void PassWriter::operator()(const op::PrefetchTile& op) {
  if (by_functions_) return;  // who calls them loads the points
  const Pass& pass = schedule_.pass;
  const unsigned transforms = schedule_.launch.transforms_per_block;
  const std::int64_t points = in_points(pass, transforms) - pass.in.first;
  const auto first = op.transforms * static_cast<std::uint64_t>(pass.in.dist);
  const bool cluster = schedule_.shape.shares.cluster > 1;
  comment(schedule_.stays()
              ? "To the L2 cache what the block loads next, or the one that follows in its place"
              : "To the L2 cache what the block loads that will follow in this one's place");
  line(concat("if (", cluster ? "block_in_cluster() == 0 && " : "",
              "thread_index() == 0 && transform + ", std::to_string(op.transforms + transforms),
              " <= batch) {"));
  line(concat("  prefetch(in + ", std::to_string(first), "ull, ",
              std::to_string(points * pass.bytes_of_point(true)), ");"));
  line("}");
}

void PassWriter::operator()(const op::Barrier& op) {
  leave();
  static constexpr const char* barriers[] = {"warp_barrier();", "block_barrier();",
                                             "cluster_barrier();"};
  line(barriers[static_cast<int>(op.scope)]);
}

}  // namespace sonoma
