// Layouts of the tensor-core engine.
//
// A warp tile is 16 rows x 16 columns of complex points, eight to a lane. Its row and column
// numbers are four digits each. With g = lane / 4 and t = lane % 4, register bits i0, i1, i2:
//   operand layout (fragment B of mma.m16n8k16):      row = 2t + i0 + 8 i1, column = g + 8 i2
//   accumulator layout (fragments A, C of the same):  row = g + 8 i1, column = 2t + i0 + 8 i2
// A left step takes the first into the second; a right step keeps the second. So a left and a right
// step chain with no data movement. A radix up to 8 contracts half a row (column) number, 8
// values, with I (x) DFT_r: the digits beside the step's in it are "inner" places. A larger one is
// folded: the points v and 15 - v of its digit lie in one thread, in registers that differ in i1
// (rows) or i2.
//
// Beside steps of radix 16, smaller ones are butterflies in registers: a product would cost them as
// much as radix 16, for fewer stages. They join a phase whose tiles leave them register bits that
// no product touches: i1 where rows are not contracted, and the number of the tile.
#include <algorithm>
#include <array>
#include <bit>
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

void place_step(TilePlan& plan, StepForm form, const std::vector<DigitId>& digits) {
  Line& line = form == StepForm::left ? plan.row : plan.column;
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
// neighbouring points move together, the next ones to lanes; the batch to warps, `blocks` behind
// them.
void fill(TilePlan& plan, bool left, std::vector<DigitId> passive, std::size_t own, unsigned warps,
          const std::vector<DigitId>& blocks) {
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
  plan.warps.insert(plan.warps.end(), blocks.begin(), blocks.end());
  passive.erase(warp_from, passive.end());
  for (auto* place : places.registers) take_front(place);
}

// Steps that go together: at most two products, and butterflies as far as registers are left.
struct PhaseSteps {
  std::vector<unsigned> steps;  // in the order in which they run
  bool last = false;            // none follows
  unsigned products = 0, butterfly_bits = 0;
};

// One way through a decomposition.
struct Way {
  const Decomposition& decomposition;
  Products products;
  bool back = false;

  unsigned steps() const { return static_cast<unsigned>(decomposition.radices.size()); }
  // The step that runs as number i.
  unsigned step(unsigned i) const { return back ? steps() - 1 - i : i; }
  bool is_product(unsigned step) const { return products.steps >> step & 1u; }
  // The last phase there faces the memory that is written; the last one back has times again.
  Affinity affinity(const PhaseSteps& taken) const {
    return taken.last && !back ? Affinity::output : Affinity::input;
  }
};

// Register bits that products leave untouched.
unsigned free_register_bits(const PhaseSteps& taken, unsigned registers) {
  if (taken.products == 0) return registers;
  return registers - tile_register_bits + (taken.products == 1 ? 1 : 0);
}

PhaseSteps take_steps(const Way& way, unsigned first, BlockShape shape) {
  PhaseSteps taken;
  for (unsigned i = first; i < way.steps(); ++i) {
    const unsigned s = way.step(i);
    PhaseSteps more = taken;
    more.steps.push_back(s);
    more.last = i + 1 == way.steps();
    if (way.is_product(s)) {
      ++more.products;
    } else {
      more.butterfly_bits += static_cast<unsigned>(std::countr_zero(way.decomposition.radices[s]));
    }
    if (more.products > 2) break;
    if (more.butterfly_bits > free_register_bits(more, shape.registers)) break;
    taken = more;
  }
  return taken;
}

// The digits of butterflies take the last of the register bits that products leave untouched, in
// ascending order.
void place_butterflies(TilePlan& plan, const PhaseSteps& taken,
                       const std::vector<DigitId>& digits) {
  std::vector<std::optional<DigitId>*> places;
  if (taken.products == 1) places.push_back(&plan.row[3]);
  for (auto& place : plan.more) places.push_back(&place);
  const auto from = places.end() - static_cast<std::ptrdiff_t>(digits.size());
  for (std::size_t i = 0; i < digits.size(); ++i) *from[static_cast<std::ptrdiff_t>(i)] = digits[i];
}

Phase tile_phase(const Way& way, const std::vector<Digit>& digits, BlockShape shape,
                 const PhaseSteps& taken, const std::vector<DigitId>& blocks) {
  const auto& radices = way.decomposition.radices;
  TilePlan plan;
  plan.more.resize(shape.registers - tile_register_bits);
  Phase phase;
  std::vector<DigitId> used, butterflies;
  unsigned products = 0;
  for (const unsigned s : taken.steps) {
    const std::vector<DigitId> step = step_digits(digits, s);
    used.insert(used.end(), step.begin(), step.end());
    StepForm form = StepForm::registers;
    if (way.is_product(s)) {
      form = ++products < taken.products ? StepForm::left : StepForm::right;
      place_step(plan, form, step);
    } else {
      butterflies.insert(butterflies.end(), step.begin(), step.end());
    }
    const bool sixteen = form != StepForm::registers && takes_sixteen(radices[s]);
    const bool words = sixteen && way.products.words;
    phase.steps.push_back({s, radices[s], form, step, sixteen && !words, words});
  }
  place_butterflies(plan, taken, butterflies);
  const bool left = products == 2;
  std::vector<DigitId> placed = used;
  placed.insert(placed.end(), blocks.begin(), blocks.end());
  std::vector<DigitId> passive = passive_digits(digits, placed, way.affinity(taken));
  const auto columns = std::stable_partition(passive.begin(), passive.end(),
                                             [&](DigitId id) { return digits[id].step >= 0; });
  const auto own = static_cast<std::size_t>(columns - passive.begin());
  const auto warps = shape.threads - lane_bits - static_cast<unsigned>(blocks.size());
  fill(plan, left, passive, own, warps, blocks);
  phase.in = left ? plan.operand() : plan.accumulator();
  phase.out = plan.accumulator();
  for (const Step& step : phase.steps) {
    if (step.folds) phase.in.folded.push_back(step.index);
  }
  std::sort(phase.in.folded.begin(), phase.in.folded.end());
  return phase;
}

std::vector<PhaseSteps> steps_of_phases(const Way& way, BlockShape shape) {
  std::vector<PhaseSteps> all;
  for (unsigned next = 0; next < way.steps();) {
    all.push_back(take_steps(way, next, shape));
    if (all.back().steps.empty()) {
      throw InternalError("mma_phases: a step exceeds the registers");
    }
    next += static_cast<unsigned>(all.back().steps.size());
  }
  return all;
}

// Phases without layouts: which digits each of them transforms.
BlockNumbers block_numbers(const std::vector<PhaseSteps>& all, const std::vector<Digit>& digits,
                           BlockShape shape) {
  std::vector<Phase> phases(all.size());
  for (std::size_t p = 0; p < all.size(); ++p) {
    for (const unsigned s : all[p].steps) {
      phases[p].steps.push_back({s, 2, StepForm::registers, step_digits(digits, s)});
    }
  }
  return sonoma::block_numbers(phases, digits, shape);
}

// Butterflies only.
Phase register_phase(const Way& way, const std::vector<Digit>& digits, BlockShape shape,
                     const PhaseSteps& taken, const std::vector<DigitId>& blocks) {
  Phase phase;
  for (const unsigned s : taken.steps) {
    phase.steps.push_back(
        {s, way.decomposition.radices[s], StepForm::registers, step_digits(digits, s)});
  }
  lay_out(phase, digits, 1u << shape.registers, way.affinity(taken), blocks);
  return phase;
}

std::vector<Phase> phases_of(const Way& way, const std::vector<Digit>& digits, BlockShape shape) {
  const std::vector<PhaseSteps> all = steps_of_phases(way, shape);
  const BlockNumbers blocks = block_numbers(all, digits, shape);
  std::vector<Phase> phases;
  for (std::size_t p = 0; p < all.size(); ++p) {
    const auto make = all[p].products == 0 ? register_phase : tile_phase;
    phases.push_back(make(way, digits, shape, all[p], blocks.of(p)));
    for (Step& step : phases.back().steps) step.back = way.back;
  }
  return phases;
}

}  // namespace

std::vector<Phase> mma_phases(const Decomposition& decomposition, Products products,
                              const std::vector<Digit>& digits, BlockShape shape) {
  return phases_of({decomposition, products}, digits, shape);
}

std::vector<Phase> mma_phases_back(const Decomposition& decomposition, Products products,
                                   const std::vector<Digit>& digits, BlockShape shape) {
  return phases_of({decomposition, products, true}, digits, shape);
}

}  // namespace sonoma
