#include "step_digits.hpp"

#include <algorithm>
#include <bit>

#include "scaling.hpp"
#include "table_sizes.hpp"

namespace sonoma {
namespace {

constexpr unsigned tile_register_bits = 3;

bool of_transform(const Schedule& schedule, DigitId id) { return schedule.digits[id].step >= 0; }

// Up to radix 8 an MMA contracts eight values, of which the step's digit numbers only some: bit 0
// of the contracted row or column number is a register's, bits 1 and 2 are lanes'.
bool mixes_transforms(const Schedule& schedule, const Step& step, const Layout& layout) {
  if (takes_sixteen(step.radix)) return false;
  return !of_transform(schedule, layout.registers[0]) ||
         !of_transform(schedule, layout.threads[0]) || !of_transform(schedule, layout.threads[1]);
}

// Products where a table would drive others, or the tile, out of the L1 cache. Radix 7 reads four
// of six, and of powers two; of 5 two of four.
Twiddles twiddles_from(const Schedule& schedule, const Step& step, const op::Twiddle& op) {
  constexpr std::uint32_t large_units = 16384 / 16;
  const Twiddles wanted = schedule.shape.twiddles;
  if (op.unity_mask == 0 || wanted == Twiddles::table) return Twiddles::table;
  if (wanted != Twiddles::products) {
    const bool known = wanted == Twiddles::constants && op.unity_time_mask != 0;
    return known || step.radix >= least_radix_of_powers ? wanted : Twiddles::table;
  }
  const unsigned least_radix = schedule.mixed() ? 7 : 16;
  const bool large = twiddle_units(schedule.digits, op) > large_units;
  return large && step.radix >= least_radix ? wanted : Twiddles::table;
}

// The digits that factors depend on: of the step, and of those after it along its axis.
bool matters(const Schedule& schedule, const op::Twiddle& op, DigitId id) {
  const int of = schedule.digits[id].step, own = static_cast<int>(op.step);
  if (op.factors == op::StepFactors::centre) return of == own;
  return of >= own && of < static_cast<int>(end_of_axis(schedule.digits, op.step));
}

// Behind each of the digits that are left lie all columns of a section of a tree.
void index_by_threads(op::Twiddle& op, const Schedule& schedule) {
  const std::vector<DigitId>& threads = op.layout.threads;
  op.stride = static_cast<std::uint32_t>(schedule.pass.tree_columns());
  if (op.stride > 1) op.thread_bits = column_map(schedule.digits, op.layout).thread_bits;
  op.thread_bits.resize(threads.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (!matters(schedule, op, threads[i])) continue;
    op.thread_bits[i] = op.stride;
    op.stride *= schedule.digits[threads[i]].count;
  }
}

}  // namespace

unsigned register_mask(const Schedule& schedule, const Layout& layout, const Step& step) {
  unsigned mask = 0;
  for (unsigned bit = 0; bit < layout.registers.size(); ++bit) {
    const DigitId id = layout.registers[bit];
    if (schedule.digits[id].step == static_cast<int>(step.index)) mask |= 1u << bit;
  }
  return mask;
}

op::Scale group_scale(const Schedule& schedule, const Step& step, const Layout& layout) {
  op::Scale scale;
  scale.step = step.index;
  for (unsigned bit = 0; bit < tile_register_bits; ++bit) {
    if (of_transform(schedule, layout.registers[bit])) scale.register_mask |= 1u << bit;
  }
  for (unsigned bit = 0; bit < lane_bits; ++bit) {
    if (of_transform(schedule, layout.threads[bit])) scale.lane_mask |= 1u << bit;
  }
  scale.contained = mixes_transforms(schedule, step, layout);
  return scale;
}

op::Twiddle twiddle_of(const Schedule& schedule, const Step& step, const Layout& layout,
                       op::StepFactors factors, int exponent) {
  op::Twiddle op;
  op.step = step.index, op.factors = factors, op.layout = layout, op.exponent = exponent;
  index_by_threads(op, schedule);
  const unsigned own = register_mask(schedule, layout, step);
  for (unsigned bit = 0; bit < layout.registers.size(); ++bit) {
    if (matters(schedule, op, layout.registers[bit])) op.register_mask |= 1u << bit;
  }
  const bool later_in_threads =
      schedule.pass.tree_columns() > 1 || schedule.pass.joins() ||
      std::any_of(layout.threads.begin(), layout.threads.end(), [&](DigitId id) {
        return schedule.digits[id].step > static_cast<int>(step.index) && matters(schedule, op, id);
      });
  const bool whole = static_cast<std::size_t>(std::popcount(own)) == step.digits.size();
  if (whole && exponent == 0) op.unity_mask = own;
  const bool only = factors == op::StepFactors::twiddles;
  if (!later_in_threads && exponent == 0 && only) op.unity_time_mask = op.register_mask & ~own;
  op.from = twiddles_from(schedule, step, op);
  return op;
}

unsigned warp_tiles(const Schedule& schedule) {
  return schedule.points_per_thread() >> tile_register_bits;
}

std::vector<Op> tensor_core_step(const Schedule& schedule, const Step& step, const Layout& layout) {
  std::vector<Op> ops;
  op::Scale scale = group_scale(schedule, step, layout);
  const bool contained = scale.contained;
  const bool uniform = scale.lane_mask == (1u << lane_bits) - 1;
  const unsigned parts = schedule.products() == 1 ? 1 : is_exact_matrix(step.radix) ? 3 : 2;
  for (unsigned tile = 0; tile < warp_tiles(schedule); ++tile) {
    const bool scaled = schedule.scale_warps > 0 && step.index == first_product(schedule);
    if (step.folds) ops.emplace_back(op::Fold{tile, step.form, scaled, step.index});
    if (schedule.scale_warps > 0) {
      const auto use = scaled && !step.folds ? op::SplitScale::transform : op::SplitScale::none;
      ops.emplace_back(op::Split{tile, false, parts, use, step.index});
      ops.emplace_back(op::Mma{tile, step.index, step.radix, step.form});
      ops.emplace_back(op::Join{tile, step.index});
      continue;
    }
    scale.tile = tile;
    ops.emplace_back(scale);
    ops.emplace_back(op::Split{tile, contained, parts, op::SplitScale::group, step.index});
    ops.emplace_back(op::Mma{tile, step.index, step.radix, step.form});
    ops.emplace_back(op::Combine{tile, step.form, contained, uniform, step.index});
  }
  return ops;
}

}  // namespace sonoma
