#include "phases.hpp"

#include <algorithm>
#include <bit>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

std::uint32_t stride_of(const Digit& digit, Affinity affinity) {
  return affinity == Affinity::input ? digit.in_stride : digit.out_stride;
}

}  // namespace

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

Phase register_phase(const Decomposition& decomposition, const std::vector<Digit>& digits,
                     BlockShape shape, unsigned first, unsigned count) {
  Phase phase;
  std::vector<DigitId>& registers = phase.in.registers;
  for (unsigned s = first; s < first + count; ++s) {
    const std::vector<DigitId> digit = step_digits(digits, s);
    registers.insert(registers.end(), digit.begin(), digit.end());
    phase.steps.push_back({s, decomposition.radices[s], StepForm::registers, digit, false, false});
  }
  const bool last = first + count == decomposition.radices.size();
  const std::vector<DigitId> rest =
      passive_digits(digits, registers, last ? Affinity::output : Affinity::input);
  phase.in.threads.assign(rest.begin(), rest.begin() + shape.threads);
  registers.insert(registers.end(), rest.begin() + shape.threads, rest.end());
  phase.out = phase.in;
  return phase;
}

namespace {

// Of the digits of the phases from `from` up to `to`, those that lie farthest apart, ascending.
std::vector<DigitId> farthest_digits(const std::vector<Phase>& phases, std::size_t from,
                                     std::size_t to, const std::vector<Digit>& digits,
                                     std::size_t count, Affinity affinity) {
  std::vector<DigitId> ids;
  for (std::size_t p = from; p < to; ++p) {
    for (const Step& step : phases[p].steps) {
      ids.insert(ids.end(), step.digits.begin(), step.digits.end());
    }
  }
  std::sort(ids.begin(), ids.end(), [&](DigitId a, DigitId b) {
    return stride_of(digits[a], affinity) < stride_of(digits[b], affinity);
  });
  if (ids.size() < count) {
    throw UnsupportedProblem(
        "decomposition", std::to_string(phases.size()) + " phases",
        "two phases or more, each with steps that number the parts of a tile: "
        "fewer points_per_thread, a longer transform, or one block in one round");
  }
  return {ids.end() - static_cast<std::ptrdiff_t>(count), ids.end()};
}

}  // namespace

BlockNumbers block_numbers(const std::vector<Phase>& phases, const std::vector<Digit>& digits,
                           unsigned bits) {
  const std::size_t change = phases.size() / 2;
  return {change, farthest_digits(phases, change, phases.size(), digits, bits, Affinity::input),
          farthest_digits(phases, 0, change, digits, bits, Affinity::output)};
}

void give_blocks(Phase& phase, const std::vector<DigitId>& blocks) {
  std::vector<DigitId>& threads = phase.in.threads;
  for (const DigitId id : blocks) {
    const auto in_threads = std::find(threads.begin(), threads.end(), id);
    if (in_threads != threads.end()) {
      threads.erase(in_threads);
    } else {
      // A register that no step of the phase uses; the farthest thread takes its place.
      const auto at = std::find(phase.in.registers.begin(), phase.in.registers.end(), id);
      *at = threads.back();
      threads.pop_back();
    }
  }
  threads.insert(threads.end(), blocks.begin(), blocks.end());
  phase.out = phase.in;
}

namespace {

void number_blocks(std::vector<Phase>& phases, const std::vector<Digit>& digits, unsigned bits) {
  if (bits == 0) return;
  const BlockNumbers numbers = block_numbers(phases, digits, bits);
  for (std::size_t p = 0; p < phases.size(); ++p) give_blocks(phases[p], numbers.of(p));
}

}  // namespace

std::vector<Phase> simt_phases(const Decomposition& decomposition, const std::vector<Digit>& digits,
                               BlockShape shape) {
  const auto steps = static_cast<unsigned>(decomposition.radices.size());
  std::vector<Phase> phases;
  for (unsigned next = 0; next < steps;) {
    unsigned count = 0, bits = 0;
    while (next + count < steps) {
      bits += static_cast<unsigned>(std::countr_zero(decomposition.radices[next + count]));
      if (bits > shape.registers) break;
      ++count;
    }
    if (count == 0) throw InternalError("simt_phases: a step exceeds the registers");
    phases.push_back(register_phase(decomposition, digits, shape, next, count));
    next += count;
  }
  number_blocks(phases, digits, shape.blocks);
  return phases;
}

}  // namespace sonoma
