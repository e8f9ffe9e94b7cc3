#include "rounds.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// The register bit of a digit, or none.
std::ptrdiff_t bit_of(const Layout& layout, DigitId id) {
  const auto at = std::find(layout.registers.begin(), layout.registers.end(), id);
  return at == layout.registers.end() ? -1 : at - layout.registers.begin();
}

void without_blocks(std::vector<std::uint32_t>& thread_bits, const Schedule& schedule) {
  const auto blocks = std::countr_zero(schedule.launch.cluster * schedule.rounds);
  std::fill(thread_bits.end() - blocks, thread_bits.end(), 0u);
}

}  // namespace

Turn turn_of(const Schedule& schedule) {
  Turn turn;
  turn.quarter = schedule.points_per_block() / schedule.launch.cluster / 4;
  for (std::size_t p = 1; p < schedule.phases.size(); ++p) {
    const auto before = schedule.block_digits(schedule.phases[p - 1].out);
    const auto after = schedule.block_digits(schedule.phases[p].in);
    if (before == after) continue;
    turn.phase = p;
    turn.before = before.back(), turn.after = after.back();
    turn.places = {turn.before, turn.after};
    turn.places.insert(turn.places.end(), after.begin(), after.end() - 1);
    return turn;
  }
  throw InternalError("turn_of: a schedule without a turn");
}

std::string check_turn(const Schedule& schedule) {
  if (schedule.rounds == 1) return {};
  const Turn turn = turn_of(schedule);
  const bool held = bit_of(schedule.phases[turn.phase - 1].out, turn.after) >= 0 &&
                    bit_of(schedule.phases[turn.phase].in, turn.before) >= 0;
  return held ? "" : "a turn whose digits are not in registers";
}

SharedAccess of_one_round(SharedAccess access, const Schedule& schedule) {
  if (schedule.rounds > 1) access.positions.thread_bits.pop_back();
  return access;
}

TurnAccess turn_access(const Schedule& schedule, const Layout& layout, bool writes, unsigned round,
                       op::Half half) {
  const Turn turn = turn_of(schedule);
  LinearMap map = index_map(shared_digits(schedule.digits, turn.places), layout, Side::time);
  map.thread_bits.back() = 0;  // the round
  if (!writes) without_blocks(map.thread_bits, schedule);
  TurnAccess result;
  result.bit = static_cast<unsigned>(bit_of(layout, writes ? turn.after : turn.before));
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    const unsigned value = reg >> result.bit & 1u;
    if (half != op::Half::both && value != (half == op::Half::one ? 1u : 0u)) continue;
    const unsigned before = writes ? round : value, after = writes ? value : round;
    const unsigned quarter = after == 0 ? 0 : 1 + before;
    result.offsets.push_back(map.of_register(reg & ~(1u << result.bit)) + quarter * turn.quarter);
  }
  result.thread_bits = map.thread_bits;
  if (half != op::Half::both) map.register_bits.erase(map.register_bits.begin() + result.bit);
  result.access = of_one_round({map, 1, 0, 2}, schedule);
  return result;
}

SharedAccess parts_access(const Schedule& schedule, const Layout& layout,
                          const std::vector<DigitId>& blocks) {
  LinearMap map = index_map(shared_digits(schedule.digits, blocks), layout, Side::time);
  without_blocks(map.thread_bits, schedule);
  return {map, 1, 0, 1};
}

std::uint32_t parts_of_quarter(const Schedule& schedule) { return 2 * turn_of(schedule).quarter; }

namespace {

using Scope = op::Barrier::Scope;

class Rounds {
 public:
  explicit Rounds(KernelIr ir) : ir_(std::move(ir)), ops_(std::move(ir_.ops)) {
    const auto writes_far = [&](const Op& op) {
      const auto* write = std::get_if<op::WriteShared>(&op);
      return write && write->blocks != ir_.schedule.block_digits(write->layout);
    };
    turn_ = std::find_if(ops_.begin(), ops_.end(), writes_far) - ops_.begin();
    ir_.ops.clear();
  }

  KernelIr run() {
    const auto from = std::get<op::WriteShared>(at(turn_)).layout;
    auto read = turn_ + 1;
    while (!std::holds_alternative<op::ReadShared>(at(read))) ++read;
    const auto to = std::get<op::ReadShared>(at(read)).layout;
    const auto size = static_cast<std::ptrdiff_t>(ops_.size());
    for (unsigned round = 0; round < 2; ++round) {
      add(op::Round{round, false});
      part(round, false, 0, turn_);
      // All blocks have begun; then, all have read what they exchanged where points go now.
      if (round == 0 ? far() == Scope::cluster : touched_[2] > 0) barrier(far());
      add(op::WriteTurn{from, round, round == 0 ? op::Half::both : op::Half::one});
      touch(round == 0 ? std::array{0, 1} : std::array{2, 2}, turns_);
    }
    if (touched_[0] > 0) barrier(far());
    add(op::Round{0, true});
    add(op::ReadTurn{to, 0, op::Half::zero});
    barrier(far());
    add(op::WriteTurn{from, 1, op::Half::zero});
    barrier(far());
    add(op::ReadTurn{to, 0, op::Half::one});
    touch({0, 0}, own);
    part(0, true, read + 1, size);
    add(op::Round{1, true});
    add(op::ReadTurn{to, 1, op::Half::both});
    touch({1, 2}, own);
    part(1, true, read + 1, size);
    return std::move(ir_);
  }

 private:
  [[nodiscard]] const Op& at(std::ptrdiff_t i) const { return ops_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Scope far() const {
    return ir_.schedule.launch.cluster > 1 ? Scope::cluster : Scope::block;
  }
  void add(Op op) { ir_.ops.push_back(std::move(op)); }
  // Who touched a quarter since the last barrier: the block itself, or others of its cluster.
  enum : int { nobody, own, others };
  void touch(std::array<int, 2> quarters, int by) {
    for (const int q : quarters) touched_[static_cast<std::size_t>(q)] = by;
  }
  void barrier(Scope scope = Scope::block) {
    add(op::Barrier{scope});
    for (int& by : touched_) by = scope == Scope::block && by == others ? by : nobody;
  }

  // In the last round shared memory holds nothing else, and a whole exchange takes half the steps.
  void part(unsigned round, bool turned, std::ptrdiff_t from, std::ptrdiff_t to) {
    const bool whole = round == 1 && turned;
    const unsigned quarter = turned ? 0 : 2;
    for (auto i = from; i < to; ++i) {
      if (std::holds_alternative<op::Barrier>(at(i)) ||
          (round == 1 && std::holds_alternative<op::WaitForLaunch>(at(i)))) {
        continue;
      }
      const auto* write = std::get_if<op::WriteShared>(&at(i));
      if (!write) {
        add(at(i));
        continue;
      }
      while (!std::holds_alternative<op::ReadShared>(at(i))) ++i;
      exchange(*write, std::get<op::ReadShared>(at(i)), whole, quarter);
    }
  }

  void exchange(const op::WriteShared& write, const op::ReadShared& read, bool whole,
                unsigned quarter) {
    if (whole) {
      if (touched_[0] > 0 || touched_[1] > 0) barrier();
      add(write), barrier(), add(read);
      touch({0, 1}, own);
      return;
    }
    for (const auto component : {op::Component::real, op::Component::imaginary}) {
      if (touched_[quarter] > 0) barrier();
      add(op::WriteParts{write.layout, write.blocks, component, quarter});
      barrier(), add(op::ReadParts{read.layout, read.blocks, component, quarter});
      touched_[quarter] = own;
    }
  }

  KernelIr ir_;
  std::vector<Op> ops_;
  std::ptrdiff_t turn_ = 0;
  int turns_ = ir_.schedule.launch.cluster > 1 ? others : own;
  std::array<int, 3> touched_{};
};

}  // namespace

KernelIr in_rounds(KernelIr ir) { return Rounds(std::move(ir)).run(); }

}  // namespace sonoma
