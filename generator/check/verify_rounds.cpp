// Well-formed IR of a tile in rounds: both rounds do the same; each of them, with the turn as an
// exchange between blocks of a cluster, is well formed; and shared memory, by quarters, holds what
// is read, and is not touched without a barrier.
#include <algorithm>
#include <array>
#include <string>

#include "rounds.hpp"
#include "verifier.hpp"

namespace sonoma {
namespace {

using Ops = std::vector<Op>;

template <class T>
const T* as(const Op& op) {
  return std::get_if<T>(&op);
}

bool turns(const Op& op) {
  return as<op::Round>(op) || as<op::WriteTurn>(op) || as<op::ReadTurn>(op);
}

Ops expected_turns(const Layout& from, const Layout& to) {
  using op::Half;
  return {op::Round{0, false},
          op::WriteTurn{from, 0, Half::both},
          op::Round{1, false},
          op::WriteTurn{from, 1, Half::one},
          op::Round{0, true},
          op::ReadTurn{to, 0, Half::zero},
          op::WriteTurn{from, 1, Half::zero},
          op::ReadTurn{to, 0, Half::one},
          op::Round{1, true},
          op::ReadTurn{to, 1, Half::both}};
}

// What a round does, with no barriers, and its exchanges as whole ones.
struct Section {
  Ops ops;
  std::string wrong;
};

Section section_of(const Ops& all, const op::Round& which) {
  Section section;
  bool turned = false;
  auto at = std::find(all.begin(), all.end(), Op(which));
  for (; at != all.end() && (!as<op::Round>(*at) || *at == Op(which)); ++at) {
    if (as<op::Barrier>(*at) || as<op::Round>(*at) || as<op::PrefetchTile>(*at)) continue;
    if (turns(*at)) {
      // Steps before the turn are done then, and those after it have not begun.
      if (which.turned && !section.ops.empty()) section.wrong = "a turn after a step";
      turned = true;
      continue;
    }
    if (turned && !which.turned) section.wrong = "a step after the turn";
    const auto* write = as<op::WriteParts>(*at);
    if (!write) {
      const bool loose = as<op::ReadParts>(*at) != nullptr;
      if (loose) section.wrong = "parts are read that were not written";
      if (!loose) section.ops.push_back(*at);
      continue;
    }
    // The four operations of an exchange, in this order, but for barriers.
    Ops parts;
    for (; at != all.end() && parts.size() < 4; ++at) {
      if (!as<op::Barrier>(*at)) parts.push_back(*at);
    }
    --at;
    const auto* read = parts.size() == 4 ? as<op::ReadParts>(parts[1]) : nullptr;
    if (!read) return {section.ops, "an exchange by parts that is cut short"};
    auto write_second = *write;
    auto read_second = *read;
    write_second.component = read_second.component = op::Component::imaginary;
    const bool whole = write->component == op::Component::real &&
                       read->component == op::Component::real && read->quarter == write->quarter &&
                       parts[2] == Op(write_second) && parts[3] == Op(read_second);
    if (!whole) section.wrong = "an exchange by parts of other parts than its own";
    section.ops.push_back(op::WriteShared{write->layout, write->blocks});
    section.ops.push_back(op::ReadShared{read->layout, read->blocks});
  }
  return section;
}

// Contents and accesses of the quarters of shared memory.
class Quarters {
 public:
  explicit Quarters(const Schedule& schedule) : clusters_(schedule.shape.shares.cluster > 1) {}

  void operator()(const op::Barrier& op) {
    const unsigned level = static_cast<unsigned>(op.scope) + 1;
    for (Quarter& quarter : quarters_) quarter.barrier = std::max(quarter.barrier, level);
    began_ = began_ || level == 3;
  }
  void operator()(const op::WriteTurn& op) {
    if (clusters_ && !began_) fail("a write to blocks that may not have begun");
    if (op.half != op::Half::one) write(0, name(op.round, 0), true);
    if (op.half != op::Half::zero) write(op.round == 0 ? 1 : 2, name(op.round, 1), true);
  }
  void operator()(const op::ReadTurn& op) {
    if (op.round == 1) return read(1, name(0, 1)), read(2, name(1, 1));
    read(0, name(op.half == op::Half::zero ? 0 : 1, 0));
  }
  void operator()(const op::WriteParts& op) { write(op.quarter, part(op.component), false); }
  void operator()(const op::ReadParts& op) { read(op.quarter, part(op.component)); }
  void operator()(const op::WriteShared&) { write(0, "points", false), write(1, "points", false); }
  void operator()(const op::ReadShared&) { read(0, "points"), read(1, "points"); }
  template <class T>
  void operator()(const T&) {}

  [[nodiscard]] const std::string& wrong() const { return wrong_; }

 private:
  struct Quarter {
    std::string content;  // not read yet
    bool written = false, touched = false, far = false;
    unsigned barrier = 0;  // the strongest one since
  };
  static std::string name(unsigned before, unsigned after) {
    return "turn " + std::to_string(before) + std::to_string(after);
  }
  static std::string part(op::Component component) {
    return component == op::Component::real ? "real" : "imaginary";
  }
  void fail(const char* why) {
    if (wrong_.empty()) wrong_ = why;
  }
  void touch(Quarter& quarter, bool writes, bool far) {
    const unsigned needed = clusters_ && (far || quarter.far) ? 3 : 2;
    if (quarter.touched && (writes || quarter.written) && quarter.barrier < needed) {
      fail("shared memory is touched with no sufficient barrier");
    }
    const bool stays_far = quarter.far && quarter.barrier < 3;
    quarter.touched = true, quarter.written = writes, quarter.barrier = 0;
    quarter.far = far || stays_far;
  }
  void write(unsigned which, const std::string& content, bool far) {
    if (which >= quarters_.size()) return fail("a quarter that there is not");
    Quarter& quarter = quarters_[which];
    if (!quarter.content.empty()) fail("points that are still wanted are overwritten");
    touch(quarter, true, far);
    quarter.content = content;
  }
  void read(unsigned which, const std::string& content) {
    if (which >= quarters_.size()) return fail("a quarter that there is not");
    Quarter& quarter = quarters_[which];
    if (quarter.content != content) fail("a quarter holds other points than are read");
    touch(quarter, false, false);  // its own block's
    quarter.content.clear();
  }

  bool clusters_ = false, began_ = false;
  std::array<Quarter, 3> quarters_;
  std::string wrong_;
};

// What is done in the first round for both.
void repeat_single(const Ops& first, Ops& second) {
  for (std::size_t i = 0; i < first.size() && i <= second.size(); ++i) {
    if (!as<op::WaitForLaunch>(first[i]) && !as<op::LoadMatrix>(first[i])) continue;
    second.insert(second.begin() + static_cast<std::ptrdiff_t>(i), first[i]);
  }
}

// One round of each kind, the rounds numbered as blocks.
KernelIr flattened(const KernelIr& ir, const Ops& before, const Ops& after, const Layout& from,
                   const Layout& to) {
  KernelIr flat = ir;
  flat.ops.clear();
  flat.schedule.shape.shares.cluster *= ir.schedule.shape.shares.rounds;
  flat.schedule.shape.shares.rounds = 1;
  const auto blocks = flat.schedule.block_digits(to);
  const auto add = [&](const Ops& ops) {
    for (const Op& op : ops) {
      if (as<op::WriteShared>(op) || as<op::ReadShared>(op)) {
        flat.ops.emplace_back(op::Barrier{op::Barrier::Scope::cluster});
      }
      flat.ops.push_back(op);
    }
  };
  add(before);
  add({op::WriteShared{from, blocks}, op::ReadShared{to, blocks}});
  add(after);
  return flat;
}

}  // namespace

std::string verify_rounds(const KernelIr& ir) {
  const Turn turn = turn_of(ir.schedule);
  const Layout& from = ir.schedule.phases[turn.phase - 1].out;
  const Layout& to = ir.schedule.phases[turn.phase].in;
  Ops seen;
  std::copy_if(ir.ops.begin(), ir.ops.end(), std::back_inserter(seen), turns);
  if (seen != expected_turns(from, to)) return "rounds and turns out of order";
  std::array<Section, 4> sections;
  for (unsigned i = 0; i < 4; ++i) {
    sections[i] = section_of(ir.ops, {i % 2, i >= 2});
    if (!sections[i].wrong.empty()) return sections[i].wrong;
  }
  repeat_single(sections[0].ops, sections[1].ops);
  repeat_single(sections[2].ops, sections[3].ops);
  for (unsigned round = 0; round < 2; ++round) {
    const KernelIr flat = flattened(ir, sections[round].ops, sections[2 + round].ops, from, to);
    if (std::string wrong = Verifier(flat).run(); !wrong.empty()) return wrong;
  }
  if (sections[0].ops != sections[1].ops || sections[2].ops != sections[3].ops) {
    return "the two rounds differ";
  }
  Quarters quarters(ir.schedule);
  for (const Op& op : ir.ops) std::visit(quarters, op);
  return quarters.wrong();
}

}  // namespace sonoma
