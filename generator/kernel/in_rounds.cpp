// Operations of a cluster rewritten for one block, which does in two rounds what two blocks would.
#include <algorithm>
#include <array>

#include "rounds.hpp"

namespace sonoma {
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
    return ir_.schedule.shape.shares.cluster > 1 ? Scope::cluster : Scope::block;
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

  static bool happens_once(const Op& op) {
    return std::holds_alternative<op::WaitForLaunch>(op) ||
           std::holds_alternative<op::LoadMatrix>(op);
  }

  // In the last round shared memory holds nothing else, and a whole exchange takes half the steps.
  void part(unsigned round, bool turned, std::ptrdiff_t from, std::ptrdiff_t to) {
    const bool whole = round == 1 && turned;
    const unsigned quarter = turned ? 0 : 2;
    for (auto i = from; i < to; ++i) {
      if (std::holds_alternative<op::Barrier>(at(i)) || (round == 1 && happens_once(at(i)))) {
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
  int turns_ = ir_.schedule.shape.shares.cluster > 1 ? others : own;
  std::array<int, 3> touched_{};
};

}  // namespace

KernelIr in_rounds(KernelIr ir) { return Rounds(std::move(ir)).run(); }

}  // namespace sonoma
