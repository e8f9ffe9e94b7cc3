// Exchanges through shared memory: whole points, words, parts of points, to blocks of a cluster,
// and from one kind of rounds to the other.
#include "expression.hpp"
#include "pass_text.hpp"
#include "rounds.hpp"

namespace sonoma {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// Points and words lie in lines of 128 bytes, which the swizzle does not leave.
constexpr unsigned bits_of_points = 4, bits_of_words = 5;

}  // namespace

SharedPlaces PassWriter::places_under(const Layout& layout,
                                      const std::vector<std::uint32_t>& strides,
                                      const Swizzle& swizzle, unsigned line_bits,
                                      const std::vector<std::uint32_t>& further) const {
  if (schedule_.mixed()) return padded_places(sums(layout, strides), further);
  return xor_places(stride_map(digits_, layout, strides), swizzle, line_bits, further);
}

// The number of the block whose memory takes a point.
SharedPlaces PassWriter::block_places(const Layout& layout,
                                      const std::vector<std::uint32_t>& strides) const {
  return places_under(layout, strides, {}, 31);
}

SharedPlaces PassWriter::shared_places(const Layout& layout, const std::vector<DigitId>& blocks,
                                       bool residues) const {
  const SharedStrides strides = shared_strides(digits_, schedule_.places.points.pads, blocks);
  if (residues) {
    return padded_places(
        sum_places(digits_, layout, strides.place, {.residues = residues_of(digits_, layout)}));
  }
  return places_under(layout, strides.place, schedule_.places.points.swizzle,
                      words() ? bits_of_words : bits_of_points);
}

// Neighbours travel together as far as registers hold them and the swizzle keeps them.
std::vector<std::vector<unsigned>> PassWriter::shared_groups(const Layout& layout,
                                                             const SharedPlaces& places) const {
  const unsigned width =
      schedule_.mixed() ? 1 : shared_access(digits_, layout, schedule_.exchange_bytes() / 4).points;
  return neighbours(places, width);
}

std::string PassWriter::place_argument(const SharedPlaces& places) const {
  const std::string place = way_back(places.thread);
  return schedule_.mixed() ? place : "swizzle(" + place + ")";
}

void PassWriter::exchange(const std::string& name, const Layout& layout,
                          const std::vector<DigitId>& blocks, bool writes, bool residues) {
  const SharedPlaces places = shared_places(layout, blocks, residues);
  FunctionBody body{words() ? "WordTiles& w, unsigned place" : "Points& x, unsigned place", {}};
  const std::string to = words() ? "shared_word(" : "shared_point(";
  for (const std::vector<unsigned>& group : shared_groups(layout, places)) {
    const unsigned first = group.front();
    const std::string where = plus(to + places.flipped("place", first) + ")",
                                   schedule_.places.tile_from + std::int64_t{places.add[first]});
    std::string registers;
    for (const unsigned reg : group) registers += ", " + (words() ? word_at(reg) : at(reg));
    if (words()) {
      body.statements.push_back(
          concat(writes ? "store_shared_words(" : "load_shared_words(", where, registers, ");"));
    } else if (group.size() == 2) {
      body.statements.push_back(
          concat(writes ? "store_shared_pair(" : "load_shared_pair(", where, registers, ");"));
    } else {
      body.statements.push_back(writes ? concat("store_shared(", where, registers, ");")
                                       : at(first) + " = load_shared(" + where + ");");
    }
  }
  call(name, body, {words() ? "w" : "x", place_argument(places)});
}

// What the numbers of the last two steps are, of points that lie by remainders.
std::string PassWriter::residues_text(bool residues) const {
  if (!residues) return "";
  const auto& radices = schedule_.shape.tree.decomposition.radices;
  const auto digit = [&](std::size_t step) { return "t" + std::to_string(step); };
  return concat(", by remainders: ", digit(radices.size() - 1), " is that by ",
                number(radices.end()[-2]), ", ", digit(radices.size()), " that by ",
                number(radices.back()));
}

void PassWriter::operator()(const op::WriteShared& op) {
  enter(op.layout);
  ++exchanges_;
  if (op.blocks != schedule_.block_digits(op.layout)) {
    comment("Exchange within the cluster: from " + layout_text(op.layout));
    return exchange_in_cluster(op.layout, op.blocks, true);
  }
  comment("Exchange: from " + layout_text(op.layout) + residues_text(op.residues));
  exchange("write_" + number(exchanges_), op.layout, op.blocks, true, op.residues);
}

void PassWriter::operator()(const op::ReadShared& op) {
  enter(op.layout);
  if (op.blocks != schedule_.block_digits(op.layout)) {
    comment("Out of all blocks of the cluster: to " + layout_text(op.layout));
    return exchange_in_cluster(op.layout, op.blocks, false);
  }
  comment("To " + layout_text(op.layout) + residues_text(op.residues));
  exchange("read_" + number(exchanges_), op.layout, op.blocks, false, op.residues);
}

std::string PassWriter::place_in_cluster(const SharedPlaces& places, const SharedPlaces& blocks,
                                         unsigned reg) const {
  const std::string block = plus(blocks.flipped("block", reg), blocks.add[reg]);
  return plus("cluster_point(" + places.flipped("place", reg) + ", " + block + ")",
              std::int64_t{8} * places.add[reg]);
}

std::string PassWriter::store_cluster(const SharedPlaces& places, const SharedPlaces& blocks,
                                      const std::vector<unsigned>& group) const {
  std::string registers;
  for (const unsigned reg : group) registers += ", " + at(reg);
  return (group.size() == 2 ? "store_cluster_pair(" : "store_cluster(") +
         place_in_cluster(places, blocks, group.front()) + registers + ");";
}

void PassWriter::exchange_in_cluster(const Layout& layout, const std::vector<DigitId>& blocks,
                                     bool writes) {
  const SharedStrides strides = shared_strides(digits_, schedule_.places.points.pads, blocks);
  const SharedPlaces places = shared_places(layout, blocks);
  const SharedPlaces to = block_places(layout, strides.block);
  // Neighbours in the same block.
  std::vector<std::uint32_t> both = strides.place;
  for (DigitId id = 0; id < both.size(); ++id) both[id] += strides.block[id] * strides.room;
  FunctionBody body{"Points& x, unsigned place, unsigned block", {}};
  for (const auto& group : shared_groups(layout, places_under(layout, both, {}, 31))) {
    body.statements.push_back(writes ? store_cluster(places, to, group)
                                     : concat(at(group.front()), " = load_cluster(",
                                              place_in_cluster(places, to, group.front()), ");"));
  }
  call((writes ? "write_" : "read_") + number(exchanges_), body,
       {"x", place_argument(places), to.thread});
}

// ---- rounds

void PassWriter::operator()(const op::Round& op) {
  leave();
  const Turn turn = turn_of(schedule_);
  const unsigned cluster = schedule_.shape.shares.cluster, threads = schedule_.launch.threads;
  const DigitId digit = op.turned ? turn.after : turn.before;
  if (op.turned) done_ = static_cast<unsigned>(schedule_.phases[turn.phase].steps.front().index);
  if (!op.turned) done_ = 0;
  begun_ = 0, round_ = op.number;
  exchanges_ = op.turned ? static_cast<unsigned>(turn.phase) : 0;
  text_ += "\n  // ---- Round " + number(op.number + 1) +
           (op.turned ? " of 2 after the turn: " : " of 2: ") +
           digits_text(digits_, {digit}, done_) + " = " + number(op.number) + " ----\n";
  // The compiler would keep the places of the first round in registers for the second.
  std::string thread = op.number > 0 ? "thread = anew(thread_index())" : "thread = thread_index()";
  if (schedule_.mixed()) return line(thread + ";");
  if (cluster > 1) thread += " + " + number(threads) + " * block_in_cluster()";
  if (op.number > 0) thread += " + " + number(threads * cluster);
  line(thread + ";");
}

// Of the registers that an operation of the turn moves; `array` holds them.
void PassWriter::turn(const std::string& name, const Layout& layout, unsigned round, op::Half half,
                      bool writes, const std::string& array) {
  const TurnAccess moved = turn_access(schedule_, layout, writes, round, half);
  const bool far = writes && schedule_.shape.shares.cluster > 1;
  std::vector<std::uint32_t> quarters(count_of(digits_, layout.registers));
  for (std::size_t i = 0; i < moved.registers.size(); ++i) {
    quarters[moved.registers[i]] = moved.quarters[i];
  }
  const SharedPlaces places = places_under(
      layout, moved.strides.place, schedule_.places.points.swizzle, bits_of_points, quarters);
  const SharedPlaces blocks = block_places(layout, moved.strides.block);
  FunctionBody body{far ? "Points& x, unsigned place, unsigned block" : "Points& x, unsigned place",
                    {}};
  for (const unsigned reg : moved.registers) {
    if (far) {
      body.statements.push_back(store_cluster(places, blocks, {reg}));
      continue;
    }
    const std::string where =
        plus("shared_point(" + places.flipped("place", reg) + ")", places.add[reg]);
    body.statements.push_back(writes ? "store_shared(" + where + ", " + at(reg) + ");"
                                     : at(reg) + " = load_shared(" + where + ");");
  }
  std::vector<std::string> arguments = {array, place_argument(places)};
  if (far) arguments.push_back(blocks.thread);
  call(name, body, arguments);
}

void PassWriter::operator()(const op::WriteTurn& op) {
  enter(op.layout);
  const std::string digit = digits_text(digits_, {turn_of(schedule_).after}, done_);
  if (op.half == op::Half::both) {
    comment("The turn: to the first quarter of shared memory those with " + digit +
            " = 0, to the second one the others");
    return turn("write_turn", op.layout, op.round, op.half, true, "x");
  }
  if (op.half == op::Half::one) {
    comment("The turn: to the third quarter those with " + digit + " = 1; the others wait");
    return turn("write_upper", op.layout, op.round, op.half, true, "x");
  }
  comment("What has waited");
  turn("write_lower", op.layout, op.round, op.half, true, "x");
}

void PassWriter::operator()(const op::ReadTurn& op) {
  const std::string digit = digits_text(digits_, {turn_of(schedule_).before}, done_);
  const std::string to = "to " + layout_text(op.layout);
  // Of all threads, above those that have points.
  const bool above =
      op.half == op::Half::zero && schedule_.work_items(op.layout) < schedule_.launch.threads;
  if (above) line("Points y;");
  enter(op.layout);
  if (op.half == op::Half::both) {
    comment("From the second and the third quarter " + to);
    return turn("read_turn", op.layout, op.round, op.half, false, "x");
  }
  if (op.half == op::Half::zero) {
    comment("From the first quarter those with " + digit + " = 0, " + to);
    if (!above) line("Points y;");
    return turn("read_lower", op.layout, op.round, op.half, false, "y");
  }
  comment("From there the others");
  turn("read_upper", op.layout, op.round, op.half, false, "y");
  FunctionBody body{"Points& x, const Points& y", {}};
  std::vector<std::string> pieces;
  for (unsigned reg = 0; reg < count_of(digits_, op.layout.registers); ++reg) {
    std::string waiting = at(reg);
    waiting.front() = 'y';
    pieces.push_back(at(reg) + " = " + waiting + ";");
  }
  body.statements = packed(pieces);
  call("take", body, {"x", "y"});
}

void PassWriter::parts(const std::string& name, const Layout& layout,
                       const std::vector<DigitId>& blocks, op::Component component,
                       unsigned quarter, bool writes) {
  const Positions& of_parts = schedule_.places.parts;
  const SharedPlaces places =
      places_under(layout, shared_strides(digits_, of_parts.pads, blocks).place, of_parts.swizzle,
                   bits_of_words);
  const std::uint32_t first = quarter * parts_of_quarter(schedule_);
  const std::string part = component == op::Component::real ? ".x" : ".y";
  FunctionBody body{"Points& x, unsigned place", {}};
  for (unsigned reg = 0; reg < count_of(digits_, layout.registers); ++reg) {
    const std::string where =
        plus("shared_part(" + places.flipped("place", reg) + ")", places.add[reg] + first);
    body.statements.push_back(writes ? concat("store_shared(", where, ", ", at(reg), part, ");")
                                     : concat(at(reg), part, " = load_shared(", where, ");"));
  }
  const std::string place = "anew(" + places.thread + ")";
  call(name, body, {"x", schedule_.mixed() ? place : "part_swizzle(" + place + ")"});
}

void PassWriter::operator()(const op::WriteParts& op) {
  enter(op.layout);
  const bool real = op.component == op::Component::real;
  if (real) {
    ++exchanges_;
    comment("Exchange by parts: from " + layout_text(op.layout));
  }
  parts("write_" + number(exchanges_) + (real ? "_real" : "_imaginary"), op.layout, op.blocks,
        op.component, op.quarter, true);
}

void PassWriter::operator()(const op::ReadParts& op) {
  enter(op.layout);
  const bool real = op.component == op::Component::real;
  if (real) comment("To " + layout_text(op.layout));
  parts("read_" + number(exchanges_) + (real ? "_real" : "_imaginary"), op.layout, op.blocks,
        op.component, op.quarter, false);
}

}  // namespace sonoma
