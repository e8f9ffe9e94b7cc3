// Layouts of butterflies: of tiles of bits, and of mixed ones (n, or the number of transforms of a
// block, is no power of two).
//
// A phase keeps the digits of its steps in registers and, as far as a thread may hold more points,
// others: those farthest in memory, the transforms of the block first. So each phase of a mixed
// tile has a number of points a thread and of threads of its own.
#include <algorithm>
#include <utility>

#include "phases.hpp"

namespace sonoma {
namespace {

// Of `ids` those with the largest product of values up to `most`; of equals those farthest back.
class Fill {
 public:
  Fill(const std::vector<Digit>& digits, const std::vector<DigitId>& ids, unsigned most)
      : digits_(digits), ids_(ids), most_(most) {
    search(ids.size(), 1);
  }

  std::vector<DigitId> take() {
    std::reverse(best_.begin(), best_.end());
    return best_;
  }

 private:
  void search(std::size_t left, unsigned count) {
    if (count > best_count_) best_ = taken_, best_count_ = count;
    for (std::size_t i = left; i-- > 0;) {
      const unsigned more = count * digits_[ids_[i]].count;
      if (more > most_ || best_count_ == most_) continue;
      taken_.push_back(ids_[i]);
      search(i, more);
      taken_.pop_back();
    }
  }

  const std::vector<Digit>& digits_;
  const std::vector<DigitId>& ids_;
  unsigned most_;
  std::vector<DigitId> taken_, best_;
  unsigned best_count_ = 1;
};

bool contains(const std::vector<DigitId>& ids, DigitId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::vector<Phase> grouped(const Decomposition& decomposition, const std::vector<Digit>& digits,
                           unsigned most_points, OppositePhase opposite) {
  const auto& radices = decomposition.radices;
  const std::vector<std::size_t> firsts = first_steps(radices, most_points, opposite);
  std::vector<Phase> phases(firsts.size() - 1);
  for (std::size_t p = 0; p < phases.size(); ++p) {
    for (auto s = static_cast<unsigned>(firsts[p]); s < firsts[p + 1]; ++s) {
      phases[p].steps.push_back({s, radices[s], StepForm::registers, step_digits(digits, s)});
    }
  }
  return phases;
}

// Of step `step` and those after it.
std::vector<DigitId> digits_from(const std::vector<Digit>& digits, unsigned step) {
  std::vector<DigitId> ids;
  for (DigitId id = 0; id < digits.size(); ++id) {
    if (digits[id].step >= static_cast<int>(step)) ids.push_back(id);
  }
  return ids;
}

// Of the opposite step a block of a cluster has few neighbours, which are the lanes of the phase
// that reads or writes them: in the registers of one thread they would be parts of many sectors.
std::vector<DigitId> neighbours_of_blocks(const Decomposition& decomposition,
                                          const std::vector<Digit>& digits, bool first, bool last,
                                          BlockShape shape) {
  const auto last_step = static_cast<unsigned>(decomposition.radices.size()) - 1;
  if (shape.cluster == 1) return {};
  if (first && shape.opposite == OppositePhase::last) return step_digits(digits, last_step);
  if (last && shape.opposite == OppositePhase::first) return step_digits(digits, 0);
  return {};
}

// Threads number the butterflies of a transform as the points of that side are numbered, transform
// after transform.
void lay_out_opposite(Phase& phase, const std::vector<Digit>& digits, Side side) {
  for (const Step& step : phase.steps) {
    phase.in.registers.insert(phase.in.registers.end(), step.digits.begin(), step.digits.end());
  }
  for (DigitId id = 0; id < digits.size(); ++id) {
    if (!contains(phase.in.registers, id)) phase.in.threads.push_back(id);
  }
  std::ranges::sort(phase.in.threads, {}, [&](DigitId id) {
    const Digit& digit = digits[id];
    return std::pair(digit.step < 0, side == Side::time ? digit.time_stride : digit.freq_stride);
  });
  phase.out = phase.in;
}

}  // namespace

std::vector<std::size_t> first_steps(const std::vector<unsigned>& radices, unsigned most_points,
                                     OppositePhase opposite) {
  std::vector<std::size_t> firsts;
  firsts.reserve(radices.size() + 2);
  unsigned points = 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    const bool halved = opposite == OppositePhase::first && firsts.size() == 1;
    points *= radices[s];
    if (points != 0 && points <= (halved ? most_points / 2 : most_points)) continue;
    firsts.push_back(s);
    points = radices[s];
  }
  // Of the last phase as many of the last steps as leave room for two.
  std::size_t from = radices.size() - 1;
  unsigned last = radices.back();
  while (from > firsts.back() && last * radices[from - 1] <= most_points / 2)
    last *= radices[--from];
  if (opposite == OppositePhase::last && from > firsts.back()) firsts.push_back(from);
  firsts.push_back(radices.size());
  return firsts;
}

void lay_out(Phase& phase, const std::vector<Digit>& digits, unsigned most_points,
             Affinity affinity, const std::vector<DigitId>& blocks,
             const std::vector<DigitId>& apart) {
  std::vector<DigitId>& registers = phase.in.registers;
  for (const Step& step : phase.steps) {
    registers.insert(registers.end(), step.digits.begin(), step.digits.end());
  }
  std::vector<DigitId> placed = registers;
  placed.insert(placed.end(), blocks.begin(), blocks.end());
  const std::vector<DigitId> passive = passive_digits(digits, placed, affinity);
  std::vector<DigitId> free = passive;
  std::erase_if(free, [&](DigitId id) { return contains(apart, id); });
  const std::vector<DigitId> more =
      Fill(digits, free, most_points / count_of(digits, registers)).take();
  std::copy_if(passive.begin(), passive.end(), std::back_inserter(phase.in.threads),
               [&](DigitId id) { return !contains(more, id); });
  registers.insert(registers.end(), more.begin(), more.end());
  phase.in.threads.insert(phase.in.threads.end(), blocks.begin(), blocks.end());
  phase.out = phase.in;
}

std::vector<Phase> simt_phases(const Decomposition& decomposition, const std::vector<Digit>& digits,
                               unsigned most_points, BlockShape shape) {
  std::vector<Phase> phases = grouped(decomposition, digits, most_points, shape.opposite);
  const BlockNumbers blocks = block_numbers(phases, digits, shape);
  const auto last_two = static_cast<unsigned>(decomposition.radices.size()) - 2;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const bool last = p + 1 == phases.size();
    const bool opposite = (p == 0 && shape.opposite == OppositePhase::first) ||
                          (last && shape.opposite == OppositePhase::last);
    if (opposite) {
      lay_out_opposite(phases[p], digits, last ? Side::frequency : Side::time);
      continue;
    }
    std::vector<DigitId> apart = neighbours_of_blocks(decomposition, digits, p == 0, last, shape);
    if (shape.coprime && !last && phases[p + 1].steps.front().index == last_two) {
      apart = digits_from(digits, last_two);
    }
    lay_out(phases[p], digits, most_points, last ? Affinity::output : Affinity::input, blocks.of(p),
            apart);
  }
  return phases;
}

Layout mixed_linear_layout(const std::vector<Digit>& digits, unsigned most_threads, Side side) {
  const Affinity affinity = side == Side::time ? Affinity::input : Affinity::output;
  Layout layout;
  layout.threads = passive_digits(digits, {}, affinity);
  while (count_of(digits, layout.threads) > most_threads) {
    layout.registers.insert(layout.registers.begin(), layout.threads.back());
    layout.threads.pop_back();
  }
  if (layout.registers.empty()) return layout;
  // A large prime may leave points to few threads: then to more than there were, by less.
  const bool large = std::any_of(digits.begin(), digits.end(),
                                 [](const Digit& digit) { return digit.count > 13; });
  const unsigned few = count_of(digits, layout.threads),
                 many = few * digits[layout.registers.front()].count;
  if (large && many <= std::min(3 * most_threads, 1024u) &&
      few * many < most_threads * most_threads) {
    layout.threads.push_back(layout.registers.front());
    layout.registers.erase(layout.registers.begin());
    return layout;
  }
  // What fits beside them, so that few threads do not hold most of the points.
  for (std::size_t i = 0; i < layout.registers.size();) {
    const DigitId id = layout.registers[i];
    if (count_of(digits, layout.threads) * digits[id].count > most_threads) {
      ++i;
      continue;
    }
    layout.threads.push_back(id);
    layout.registers.erase(layout.registers.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return layout;
}

}  // namespace sonoma
