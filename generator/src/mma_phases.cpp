// Layouts of the tensor-core engine.
//
// A warp tile is 16 rows x 16 columns of complex points, eight to a lane. Its row and column
// numbers are four digits each. With g = lane / 4 and t = lane % 4, register bits i0, i1, i2:
//   operand layout (fragment B of mma.m16n8k16):      row = 2t + i0 + 8 i1, column = g + 8 i2
//   accumulator layout (fragments A, C of the same):  row = g + 8 i1, column = 2t + i0 + 8 i2
// A left step takes the first into the second; a right step keeps the second. So a left and a right
// step chain with no data movement. A radix below 16 contracts half a row (column) number, 8
// values, with I (x) DFT_r: the digits beside the step's in it are "inner" places. A radix of 16 is
// folded: the points v and 15 - v of its digit lie in one thread, in registers that differ in i1
// (rows) or i2.
#include <algorithm>
#include <array>
#include <optional>

#include "phases.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

constexpr unsigned tile_register_bits = 3;
using Line = std::array<std::optional<DigitId>, 4>;  // the digits of a row or column number

// A place of the tile that is still free, in the order in which passive digits are handed out.
struct TilePlan {
  Line row, column;
  std::vector<std::optional<DigitId>> more;  // register bits beyond one tile: several tiles a warp
  std::vector<DigitId> warps;

  Layout accumulator() const {
    return layout({column[0], row[3], column[3]}, {column[1], column[2], row[0], row[1], row[2]});
  }
  Layout operand() const {
    return layout({row[0], row[3], column[3]}, {row[1], row[2], column[0], column[1], column[2]});
  }

 private:
  Layout layout(const std::array<std::optional<DigitId>, tile_register_bits>& registers,
                const std::array<std::optional<DigitId>, lane_bits>& lanes) const {
    Layout result;
    for (const auto& id : registers) result.registers.push_back(id.value());
    for (const auto& id : more) result.registers.push_back(id.value());
    for (const auto& id : lanes) result.threads.push_back(id.value());
    result.threads.insert(result.threads.end(), warps.begin(), warps.end());
    return result;
  }
};

void place_step(Line& line, const std::vector<DigitId>& digits) {
  for (std::size_t i = 0; i < digits.size(); ++i) line[i] = digits[i];
}

// Free places of a plan by kind. `inner` must hold digits of the same transform where there are
// any: an MMA multiplies them by zero, and 0 * NaN would carry a NaN to another transform.
struct FreePlaces {
  std::vector<std::optional<DigitId>*> inner, lanes, registers;
};

FreePlaces free_places(TilePlan& plan, bool left) {
  FreePlaces places;
  const auto offer = [](std::optional<DigitId>& place, std::vector<std::optional<DigitId>*>& list) {
    if (!place) list.push_back(&place);
  };
  for (Line* line : {&plan.row, &plan.column}) {
    const bool contracted = line == &plan.column || left;
    offer((*line)[3], places.registers);
    for (unsigned bit = 0; bit < 3; ++bit) {
      offer((*line)[bit], contracted ? places.inner : places.lanes);
    }
  }
  for (auto& place : plan.more) offer(place, places.registers);
  return places;
}

// Hands out `passive` (nearest first, the batch last): the nearest to a register, so that two
// neighbouring points move together, the next ones to lanes; the batch to warps.
void fill(TilePlan& plan, bool left, std::vector<DigitId> passive, std::size_t own,
          unsigned warps) {
  FreePlaces places = free_places(plan, left);
  const auto take_front = [&](std::optional<DigitId>* place) {
    *place = passive.front();
    passive.erase(passive.begin());
    if (own > 0) --own;
  };
  const bool scarce = own < places.inner.size() + places.lanes.size() + 1;
  if (scarce) {
    for (auto* place : places.inner) take_front(place);
    places.inner.clear();
  }
  if (!places.registers.empty() && !scarce) {
    take_front(places.registers.front());
    places.registers.erase(places.registers.begin());
  }
  for (auto* place : places.lanes) take_front(place);
  for (auto* place : places.inner) take_front(place);
  const auto warp_from = passive.end() - warps;
  plan.warps.assign(warp_from, passive.end());
  passive.erase(warp_from, passive.end());
  for (auto* place : places.registers) take_front(place);
}

Phase make_phase(const Decomposition& decomposition, const std::vector<Digit>& digits,
                 BlockShape shape, unsigned first, unsigned count) {
  TilePlan plan;
  Phase phase;
  std::vector<DigitId> used;
  for (unsigned s = first; s < first + count; ++s) {
    const std::vector<DigitId> step = step_digits(digits, s);
    const bool left = count == 2 && s == first;
    place_step(left ? plan.row : plan.column, step);
    phase.steps.push_back(
        {s, decomposition.radices[s], left ? StepForm::left : StepForm::right, step});
    used.insert(used.end(), step.begin(), step.end());
  }
  const bool last = first + count == decomposition.radices.size();
  plan.more.resize(shape.registers - tile_register_bits);
  const std::vector<DigitId> passive =
      passive_digits(digits, used, last ? Affinity::output : Affinity::input);
  const auto own = std::count_if(passive.begin(), passive.end(),
                                 [&](DigitId id) { return digits[id].step >= 0; });
  fill(plan, count == 2, passive, static_cast<std::size_t>(own), shape.threads - lane_bits);
  phase.in = count == 2 ? plan.operand() : plan.accumulator();
  phase.out = plan.accumulator();
  for (const Step& step : phase.steps) {
    if (step.folds()) phase.in.folded.push_back(step.index);
  }
  return phase;
}

}  // namespace

std::vector<Phase> mma_phases(const Decomposition& decomposition, const std::vector<Digit>& digits,
                              BlockShape shape) {
  const auto steps = static_cast<unsigned>(decomposition.radices.size());
  std::vector<Phase> phases;
  for (unsigned next = 0; next < steps;) {
    const unsigned count = std::min(2u, steps - next);
    phases.push_back(make_phase(decomposition, digits, shape, next, count));
    next += count;
  }
  return phases;
}

}  // namespace sonoma
