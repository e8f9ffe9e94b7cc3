#include "phases.hpp"

#include <algorithm>
#include <optional>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

std::uint32_t stride_of(const Digit& digit, Affinity affinity) {
  return affinity == Affinity::input ? digit.in_stride : digit.out_stride;
}

}  // namespace

StepInTwo of_opposite(const Decomposition& tree, const Shares& shares, OppositePhase phase) {
  return {phase == OppositePhase::first ? 0 : tree.radices.size() - 1, shares.cluster};
}

std::vector<DigitId> step_digits(const std::vector<Digit>& digits, unsigned step) {
  std::vector<DigitId> ids;
  for (DigitId id = 0; id < digits.size(); ++id) {
    if (digits[id].step == static_cast<int>(step)) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end(),
            [&](DigitId a, DigitId b) { return digits[a].weight < digits[b].weight; });
  return ids;
}

std::vector<DigitId> passive_digits(const std::vector<Digit>& digits,
                                    const std::vector<DigitId>& used, Affinity affinity) {
  std::vector<DigitId> ids;
  for (DigitId id = 0; id < digits.size(); ++id) {
    if (std::find(used.begin(), used.end(), id) == used.end()) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end(), [&](DigitId a, DigitId b) {
    return stride_of(digits[a], affinity) < stride_of(digits[b], affinity);
  });
  return ids;
}

Layout linear_layout(const std::vector<Digit>& digits, BlockShape shape, Side side,
                     unsigned vector_bits) {
  const Affinity affinity = side == Side::time ? Affinity::input : Affinity::output;
  const std::vector<DigitId> order = passive_digits(digits, {}, affinity);
  const auto column = [&](DigitId id) { return digits[id].step < 0; };
  const auto columns = std::count_if(order.begin(), order.end(), column);
  // The transforms of a block go to different warps where there are enough and they lie apart.
  const bool apart = std::all_of(order.end() - columns, order.end(), column);
  const auto whole_warps = apart ? std::min<std::ptrdiff_t>(columns, shape.threads - lane_bits) : 0;
  const auto threads_from = order.begin() + vector_bits;
  const auto threads_to = threads_from + shape.threads - whole_warps;
  Layout layout;
  layout.registers.assign(order.begin(), threads_from);
  layout.threads.assign(threads_from, threads_to);
  layout.registers.insert(layout.registers.end(), threads_to, order.end() - whole_warps);
  layout.threads.insert(layout.threads.end(), order.end() - whole_warps, order.end());
  return layout;
}

std::vector<Phase> mirrored(const std::vector<Phase>& there) {
  std::vector<Phase> back(there.rbegin(), there.rend());
  for (Phase& phase : back) {
    std::swap(phase.in, phase.out);
    std::reverse(phase.steps.begin(), phase.steps.end());
    for (Step& step : phase.steps) step.back = true;
  }
  return back;
}

std::vector<Phase> joined(std::vector<Phase> there, const std::vector<Phase>& back) {
  there.insert(there.end(), back.begin(), back.end());
  return there;
}

namespace {

// The digits of a phase's steps.
void add_digits(std::vector<DigitId>& ids, const Phase& phase) {
  for (const Step& step : phase.steps) {
    ids.insert(ids.end(), step.digits.begin(), step.digits.end());
  }
}

// Of `ids` the last ones whose values make `values`; true if there are any.
bool take_last(const std::vector<Digit>& digits, const std::vector<DigitId>& ids, std::size_t left,
               unsigned values, std::vector<DigitId>& taken) {
  if (values == 1) return true;
  while (left-- > 0) {
    if (values % digits[ids[left]].count != 0) continue;
    taken.push_back(ids[left]);
    if (take_last(digits, ids, left, values / digits[ids[left]].count, taken)) return true;
    taken.pop_back();
  }
  return false;
}

// Of the digits of the phases from `from` up to `to`, those that lie farthest apart, ascending, and
// number the blocks; then that of the rounds, one of the phase `near`, whose registers hold it.
// Nothing where there are none.
std::optional<std::vector<DigitId>> farthest_digits(const std::vector<Phase>& phases,
                                                    std::size_t from, std::size_t to,
                                                    std::size_t near,
                                                    const std::vector<Digit>& digits,
                                                    BlockShape shape, Affinity affinity) {
  std::vector<DigitId> ids, of_round;
  for (std::size_t p = from; p < to; ++p) add_digits(ids, phases[p]);
  if (from < to) add_digits(of_round, phases[near]);
  for (auto* list : {&ids, &of_round}) {
    std::sort(list->begin(), list->end(), [&](DigitId a, DigitId b) {
      return stride_of(digits[a], affinity) < stride_of(digits[b], affinity);
    });
  }
  std::vector<DigitId> rounds, blocks;
  bool found = take_last(digits, of_round, of_round.size(), shape.rounds, rounds);
  for (const DigitId id : rounds) std::erase(ids, id);
  found = found && take_last(digits, ids, ids.size(), shape.cluster, blocks);
  if (!found) return std::nullopt;
  std::reverse(blocks.begin(), blocks.end());
  blocks.insert(blocks.end(), rounds.begin(), rounds.end());
  return blocks;
}

// With the points of a block changing theirs before the phase `change`.
std::optional<BlockNumbers> numbers_with(std::size_t change, const std::vector<Phase>& phases,
                                         const std::vector<Digit>& digits, BlockShape shape) {
  using Digits = std::optional<std::vector<DigitId>>;
  const Digits none = std::vector<DigitId>();
  const bool first = shape.opposite == OppositePhase::first,
             last = shape.opposite == OppositePhase::last;
  const Digits before = first ? none
                              : farthest_digits(phases, change, phases.size(), change, digits,
                                                shape, Affinity::input);
  const Digits after =
      last ? none : farthest_digits(phases, 0, change, change - 1, digits, shape, Affinity::output);
  if (!before || !after) return std::nullopt;
  return BlockNumbers{change, *before, *after};
}

// The first of the phases after the change that are tried: half of the way, and as near to it as
// there are digits; with opposite butterflies where these are.
std::vector<std::size_t> changes_tried(std::size_t phases, BlockShape shape) {
  if (shape.opposite == OppositePhase::first) return {1};
  if (shape.opposite == OppositePhase::last) return {phases - 1};
  const std::size_t half = phases / 2, farthest = shape.rounds == 1 ? phases : 1;
  std::vector<std::size_t> changes;
  for (std::size_t away = 0; away < farthest; ++away) {
    changes.push_back(half + away), changes.push_back(half - away);
  }
  return changes;
}

}  // namespace

BlockNumbers block_numbers(const std::vector<Phase>& phases, const std::vector<Digit>& digits,
                           BlockShape shape) {
  if (shape.cluster * shape.rounds == 1) return {phases.size() / 2, {}, {}};
  for (const std::size_t change : changes_tried(phases.size(), shape)) {
    if (change == 0 || change >= phases.size()) continue;  // of no phase, or of less than none
    if (auto numbers = numbers_with(change, phases, digits, shape)) return *numbers;
  }
  throw UnsupportedProblem(
      "decomposition", std::to_string(phases.size()) + " phases",
      "two phases or more, each with steps that number the parts of a tile, of " +
          std::to_string(shape.cluster) + " blocks and " + std::to_string(shape.rounds) +
          " round(s): fewer points_per_thread, a longer transform, other radices, or one block "
          "in one round");
}

}  // namespace sonoma
