// What follows from a schedule's fields.
#include <algorithm>

#include "requirements.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {

Layout Phase::layout_before(std::size_t i) const {
  const auto left = std::find_if(steps.begin(), steps.end(),
                                 [](const Step& step) { return step.form == StepForm::left; });
  Layout layout =
      left != steps.end() && left - steps.begin() >= static_cast<std::ptrdiff_t>(i) ? in : out;
  layout.folded.clear();
  for (; i < steps.size(); ++i) {
    if (steps[i].folds) layout.folded.push_back(steps[i].index);
  }
  std::sort(layout.folded.begin(), layout.folded.end());
  return layout;
}

BlockDigits block_digits_of(const Schedule& schedule, const Layout& layout) {
  BlockDigits digits;
  if (schedule.is_opposite(layout)) return digits;
  auto id = layout.threads.rbegin();
  const auto take = [&](std::size_t& taken, unsigned values) {
    for (unsigned count = 1; count < values; ++taken) count *= schedule.digits[*id++].count;
  };
  take(digits.rounds, schedule.shape.shares.rounds),
      take(digits.cluster, schedule.shape.shares.cluster);
  return digits;
}

std::vector<DigitId> Schedule::block_digits(const Layout& layout) const {
  const auto count = static_cast<std::ptrdiff_t>(block_digits_of(*this, layout).count());
  return {layout.threads.end() - count, layout.threads.end()};
}

std::vector<DigitId> Schedule::holders(const Layout& from, const Layout& to) const {
  return block_digits(is_opposite(to) ? from : to);
}

unsigned Schedule::points_per_block() const {
  unsigned points = 1;
  for (const Digit& digit : digits) points *= digit.count;
  return points;
}

unsigned Schedule::columns() const {
  return points_per_block() / static_cast<unsigned>(shape.length());
}

unsigned Schedule::points_per_thread() const {
  std::uint32_t most =
      std::max(count_of(digits, load.layout.registers), count_of(digits, store.layout.registers));
  for (const Phase& phase : phases) most = std::max(most, count_of(digits, phase.in.registers));
  return most;
}

unsigned Schedule::work_items(const Layout& layout) const {
  const unsigned cluster = shape.shares.cluster;
  if (is_opposite(layout)) return (opposite_items() + cluster - 1) / cluster;
  return count_of(digits, layout.threads) / shape.shares.parts();
}

unsigned Schedule::opposite_items() const {
  return columns() * opposite_pairs(opposite_butterflies());
}

OppositePhase Schedule::opposite_phase() const {
  if (!shape.opposite) return OppositePhase::none;
  return pass.is_mirrored(true) ? OppositePhase::first : OppositePhase::last;
}

unsigned Schedule::opposite_butterflies() const {
  const bool first = opposite_phase() == OppositePhase::first;
  const Layout& layout = first ? phases.front().in : phases[phases_there() - 1].out;
  return static_cast<unsigned>(shape.length()) / count_of(digits, layout.registers);
}

bool Schedule::is_opposite(const Layout& layout) const {
  switch (opposite_phase()) {
    case OppositePhase::first:
      return layout == phases.front().in;
    case OppositePhase::last:
      return layout == phases[phases_there() - 1].out;
    case OppositePhase::none:
      break;
  }
  return false;
}

SharedLaps shared_laps(const Schedule& schedule) {
  const std::vector<DigitId>&first = schedule.load.layout.threads,
        &last = schedule.result_layout().threads;
  SharedLaps found;
  auto other = first.rbegin();
  for (auto id = last.rbegin(); id != last.rend() && other != first.rend() && *id == *other; ++id) {
    found.count *= schedule.digits[*id].count, ++other;
  }
  const unsigned most = std::max(schedule.work_items(schedule.load.layout),
                                 schedule.work_items(schedule.result_layout()));
  const unsigned threads = schedule.launch.threads, fit = threads / (most / found.count);
  if (most <= threads) return {found.count, found.count};
  if (fit == 0) return {found.count, 0};
  const unsigned laps = (found.count + fit - 1) / fit;
  found.of_lap = (found.count + laps - 1) / laps;
  return found;
}

unsigned Schedule::lap_threads(const Layout& layout) const {
  const bool ends = layout == load.layout || layout == result_layout();
  if (!stays() || !ends) return launch.threads;
  const auto [count, of_lap] = shared_laps(*this);
  return of_lap == count ? launch.threads : work_items(layout) / count * of_lap;
}

unsigned Schedule::laps(const Layout& layout) const {
  const unsigned threads = lap_threads(layout);
  return (thread_numbers(layout) + threads - 1) / threads;
}

unsigned Schedule::laps_at_once(const Layout& layout) const {
  // None of them waits for global memory. Two at once of 3191 points: .415 of a copy, one .446.
  if (pass.by_powers) return 1;
  const unsigned points = count_of(digits, layout.registers) * (is_opposite(layout) ? 2 : 1);
  const unsigned held = shape.points_per_thread / points;
  return std::clamp(held, 1u, laps(layout));
}

bool Schedule::has_laps() const {
  const auto several = [this](const Layout& layout) { return laps(layout) > 1; };
  return mixed() && (shape.opposite || shape.rows != 0 || several(load.layout) ||
                     several(store.layout) || std::ranges::any_of(phases, several, &Phase::in));
}

bool Schedule::by_index() const { return takes_index(pass, shape); }

bool Schedule::words() const {
  return is_half(pass.in.storage) && is_contiguous(pass) && !pass.is_mirrored(true) &&
         !by_index() && phases.front().steps.front().words;
}

std::size_t Schedule::phases_there() const {
  const auto back = std::find_if(phases.begin(), phases.end(),
                                 [](const Phase& phase) { return phase.steps.front().back; });
  return static_cast<std::size_t>(back - phases.begin());
}

const Step& step_of(const Schedule& schedule, unsigned index, bool back) {
  for (const Phase& phase : schedule.phases) {
    for (const Step& step : phase.steps) {
      if (step.index == index && step.back == back) return step;
    }
  }
  throw InternalError("step_of: no step " + std::to_string(index + 1));
}

std::uint32_t root_section(const Schedule& schedule, bool before) {
  const auto n = static_cast<std::uint32_t>(schedule.pass.problem.lengths.front());
  if (!schedule.mixed()) return std::max(1u, n / 4);
  if (before && schedule.pass.in.half) return n;
  const auto stride = [&](const Digit& digit) {
    if (digit.step < 0 || digit.axis != 0) return 0u;
    return before ? digit.time_stride : digit.freq_stride;
  };
  const auto most = std::ranges::max_element(schedule.digits, {}, stride);
  const unsigned radix =
      schedule.shape.tree.decomposition.radices[static_cast<std::size_t>(most->step)];
  std::uint32_t values = 1;
  while (values * values < radix) ++values;
  return n / radix * values;
}

}  // namespace sonoma
