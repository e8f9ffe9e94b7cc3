#include <algorithm>
#include <array>
#include <bit>

#include "rounds.hpp"
#include "sonoma/check.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"
#include "sonoma/schedule.hpp"
#include "thread_rows.hpp"
#include "trips.hpp"

namespace sonoma {
namespace {

std::string name(const Step& step) { return "step " + std::to_string(step.index + 1); }

bool at(const std::vector<DigitId>& places, std::size_t place, DigitId digit) {
  return place < places.size() && places[place] == digit;
}

// Where digit bit `bit` of a left (right) step must stand before it: see mma_phases.cpp.
bool in_row(const Layout& operand, std::size_t bit, DigitId digit) {
  switch (bit) {
    case 0:
      return at(operand.registers, 0, digit);
    case 3:
      return at(operand.registers, 1, digit);
    default:
      return at(operand.threads, bit - 1, digit);
  }
}

bool in_column(const Layout& accumulator, std::size_t bit, DigitId digit) {
  switch (bit) {
    case 0:
      return at(accumulator.registers, 0, digit);
    case 3:
      return at(accumulator.registers, 2, digit);
    default:
      return at(accumulator.threads, bit - 1, digit);
  }
}

// In this order, others between them or not.
bool in_registers(const Layout& layout, const std::vector<DigitId>& digits) {
  auto at = layout.registers.begin();
  for (const DigitId digit : digits) {
    at = std::find(at, layout.registers.end(), digit);
    if (at == layout.registers.end()) return false;
    ++at;
  }
  return true;
}

// One after the other.
bool in_a_row(const Layout& layout, const std::vector<DigitId>& digits) {
  const auto at =
      std::search(layout.registers.begin(), layout.registers.end(), digits.begin(), digits.end());
  return at != layout.registers.end();
}

std::string check_step(const Schedule& schedule, const Step& step, const Layout& before) {
  if (count_of(schedule.digits, step.digits) != step.radix) {
    return name(step) + " has other digits than those of its radix";
  }
  if (schedule.mixed()) {
    return in_a_row(before, step.digits) ? "" : name(step) + " needs its digits in registers";
  }
  if (step.form == StepForm::registers) {
    return in_registers(before, step.digits) ? "" : name(step) + " needs its digits in registers";
  }
  for (std::size_t bit = 0; bit < step.digits.size(); ++bit) {
    const DigitId digit = step.digits[bit];
    const bool placed =
        step.form == StepForm::left ? in_row(before, bit, digit) : in_column(before, bit, digit);
    if (!placed) {
      return name(step) + " misses bit " + std::to_string(bit) + " of its digit in its " +
             (step.form == StepForm::left ? "row" : "column");
    }
  }
  return {};
}

// The accumulator layout of a tile that an MMA from the left leaves behind.
Layout after_left(const Layout& operand) {
  const std::vector<DigitId>& r = operand.registers;
  const std::vector<DigitId>& t = operand.threads;
  const std::array<DigitId, 4> row = {r[0], t[0], t[1], r[1]}, column = {t[2], t[3], t[4], r[2]};
  Layout result = operand;
  std::copy_n(std::array{column[0], row[3], column[3]}.begin(), 3, result.registers.begin());
  std::copy_n(std::array{column[1], column[2], row[0], row[1], row[2]}.begin(), 5,
              result.threads.begin());
  return result;
}

std::string check_phase(const Schedule& schedule, const Phase& phase) {
  Layout layout = phase.in;
  for (const Step& step : phase.steps) {
    if (std::string wrong = check_step(schedule, step, layout); !wrong.empty()) return wrong;
    const bool folded = std::erase(layout.folded, step.index) > 0;
    if (step.folds != folded)
      return name(step) + " wants its digit folded and it is not, or reverse";
    if (step.form == StepForm::left) layout = after_left(layout);
  }
  return layout == phase.out ? "" : "a phase ends in another layout than it says";
}

// A stride is that of the digit before it times its values, or more: no two points share a place.
// A swizzle is for bits, pads are for other tiles.
bool has_room(const Schedule& schedule) {
  const bool bits = !schedule.mixed();
  for (const auto* places : {&schedule.places.points, &schedule.places.parts}) {
    const std::size_t pads = places->pads.size();
    const bool fits = pads == 0 || (!bits && pads == schedule.digits.size());
    if (!fits || (!bits && places->swizzle != Swizzle{})) return false;
  }
  return schedule.launch.shared_bytes >= shared_points(schedule) * schedule.exchange_bytes();
}

std::string check_layouts(const Schedule& schedule) {
  std::vector<const Layout*> layouts = {&schedule.load.layout, &schedule.store.layout};
  for (const Phase& phase : schedule.phases) {
    layouts.push_back(&phase.in);
    layouts.push_back(&phase.out);
  }
  for (const Layout* layout : layouts) {
    if (std::string wrong = check_layout(*layout, schedule.digits); !wrong.empty()) {
      return wrong;
    }
    const std::uint32_t threads = count_of(schedule.digits, layout->threads);
    const unsigned launched = schedule.tile_threads();
    const bool goes_round = schedule.shape.threads > 0 || schedule.is_opposite(*layout);
    if (schedule.mixed() ? threads > launched && !goes_round : threads != launched) {
      return "a layout has another number of threads than the launch";
    }
  }
  return {};
}

// All steps of the decomposition, in its order, and of a convolution back again.
std::string check_phases(const Schedule& schedule) {
  const auto& radices = schedule.shape.tree.decomposition.radices;
  const std::size_t all = radices.size() * (schedule.pass.convolves() ? 2 : 1);
  std::size_t next = 0;
  for (const Phase& phase : schedule.phases) {
    for (const Step& step : phase.steps) {
      const bool back = next >= radices.size();
      const std::size_t index = back ? 2 * radices.size() - 1 - next : next;
      if (next >= all || step.index != index || step.back != back || step.radix != radices[index]) {
        return name(step) + " is out of order or has another radix than the decomposition";
      }
      ++next;
    }
    if (std::string wrong = check_phase(schedule, phase); !wrong.empty()) return wrong;
  }
  return next == all ? "" : "steps are missing";
}

// Remainders number the points of the last two steps: these begin a phase, the one before has them
// in its threads, and frequencies are numbered to match.
std::string check_coprime(const Schedule& schedule) {
  const std::size_t phase = schedule.coprime_phase;
  if (phase == 0) return {};
  const Decomposition& tree = schedule.shape.tree.decomposition;
  const unsigned last = static_cast<unsigned>(tree.radices.size()) - 1;
  if (!ends_coprime(tree) || schedule.pass.filter || schedule.pass.part ||
      !schedule.pass.convolves()) {
    return "remainders that do not number the points";
  }
  if (2 * phase >= schedule.phases.size() ||
      schedule.phases[phase].steps.front().index + 1 != last ||
      residues_of(schedule.digits, schedule.phases[phase - 1].out).last == 0) {
    return "remainders of no number";
  }
  const auto n = static_cast<std::uint32_t>(tree.n());
  for (const Digit& digit : schedule.digits) {
    const unsigned step = static_cast<unsigned>(digit.step);
    if (digit.step < 0 || step + 1 < last) continue;
    // One more of it leaves the other remainder as it is.
    const std::uint32_t own = n / (tree.radices[last] * tree.radices[last - 1]) *
                              tree.radices[step == last ? last - 1 : last];
    if (digit.freq_stride != own * digit.weight) return "frequencies that are not the remainders'";
  }
  return {};
}

}  // namespace

std::string check(const Schedule& schedule) {
  if (schedule.phases.empty()) return "no phase";
  const std::int64_t n = schedule.pass.n(), length = schedule.shape.tree.decomposition.n();
  const bool padded = schedule.shape.method == Method::bluestein;
  if (padded ? length < 2 * n - 1 : length != n - (schedule.pass.by_powers ? 1 : 0)) {
    return "the decomposition is of another length";
  }
  if (std::string wrong = check_layouts(schedule); !wrong.empty()) return wrong;
  if (std::string wrong = check_phases(schedule); !wrong.empty()) return wrong;
  if (std::string wrong = check_coprime(schedule); !wrong.empty()) return wrong;
  if (schedule.shape.rows != phases_in_rows(schedule)) return "rows of phases that take none";
  if (!has_room(schedule)) return "points have no place in shared memory";
  if (!schedule.load.staged && schedule.load.layout != schedule.phases.front().in) {
    return "a direct load is not in the layout of the first phase";
  }
  if (!schedule.store.staged && schedule.store.layout != schedule.result_layout()) {
    return "a direct store is not in the layout of the last phase";
  }
  if (std::string wrong = check_turn(schedule); !wrong.empty()) return wrong;
  const unsigned slots = schedule.pass.by_powers ? schedule.launch.transforms_per_block : 0;
  if (slots > 0 && (first_slot(schedule) + slots) * 8 > schedule.launch.shared_bytes) {
    return "no room for points in order";
  }
  if (schedule.pass.mirrors() && !schedule.shape.opposite &&
      mirrored_row(schedule) * schedule.launch.transforms_per_block * 8 >
          schedule.launch.shared_bytes) {
    return "no room for frequencies in order";
  }
  for (const Transfer* side : {&schedule.load, &schedule.store}) {
    // A copy moves neighbours together, which a fold swaps.
    if (side->staged && !side->layout.folded.empty()) return "a staged side is folded";
  }
  return {};
}

}  // namespace sonoma
