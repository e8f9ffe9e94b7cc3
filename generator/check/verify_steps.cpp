// The steps of kernel IR: what a fold, a scale, a split, a product, a butterfly and a twiddle
// demand.
#include "scaling.hpp"
#include "table_sizes.hpp"
#include "verifier.hpp"

namespace sonoma {

void Verifier::check(const op::LoadMatrix& op) {
  require(!op.words || op.radix == 16, "complex words of another radix than 16");
  require(!in_channels_, "each channel loads a matrix");
  check_range(op.table, units_of_matrix(op.words));
  (op.words ? word_matrices_ : matrices_).emplace(op.radix, op.form);
}

void Verifier::check(const op::Fold& op) {
  const NextStep next = begin_step();
  require(op.tile < tiles_, "no such tile");
  require(next.step && next.step->folds && next.step->form == op.form,
          "a fold of a step that has none, or on the other side");
  require(!scaled_.contains(op.tile) && !split_.contains(op.tile),
          "a tile is folded after it has its scale");
  require(op.scaled == (scale_warps() > 0 && next_step_ == first_product(ir_.schedule)),
          "a fold with the transform's scale that is not the first, or the first without");
  require(!op.scaled || transform_scale_, "a tile is folded before it has a scale");
  once(folded_, op.tile);
}

void Verifier::check(const op::Scale& op) {
  require(op.tile < tiles_, "no such tile");
  require(scale_warps() == 0, "a step's scale beside that of the transform");
  need_fold(op.tile);
  require(registers_.has_value(), "registers hold no tile");
  for (unsigned bit = 0; registers_ && bit < 8; ++bit) {
    const bool lane = bit >= 3;
    const DigitId id = lane ? registers_->threads[bit - 3] : registers_->registers[bit];
    const bool in_group = lane ? op.lane_mask >> (bit - 3) & 1u : op.register_mask >> bit & 1u;
    require(in_group == of_transform(id),
            "a scale is shared between transforms or misses points of its own");
  }
  uniform_ = op.lane_mask == (1u << lane_bits) - 1, contained_scale_ = op.contained;
  once(scaled_, op.tile);
}

void Verifier::check(const op::Split& op) {
  require(op.tile < tiles_, "no such tile");
  need_fold(op.tile);
  const bool first = scale_warps() > 0 && next_step_ == first_product(ir_.schedule);
  const op::SplitScale scale = scale_warps() == 0                    ? op::SplitScale::group
                               : first && !folded_.contains(op.tile) ? op::SplitScale::transform
                                                                     : op::SplitScale::none;
  require(op.scale == scale, "a split under another scale");
  require(scale_warps() > 0 ? transform_scale_ : scaled_.contains(op.tile),
          "a tile is split before it has a scale");
  require(scale_warps() > 0 || op.contained == contained_scale_,
          "scale and split differ in containment");
  once(split_, op.tile);
  parts_ = op.parts, contained_ = op.contained;
}

// Up to radix 8 an MMA contracts eight values: bits 0 to 2 of a row or column number, which
// stand in register bit 0 and lane bits 0 and 1 (see mma_phases.cpp).
bool Verifier::mixes_transforms(unsigned radix) const {
  return !takes_sixteen(radix) &&
         !(of_transform(registers_->registers[0]) && of_transform(registers_->threads[0]) &&
           of_transform(registers_->threads[1]));
}

void Verifier::check(const op::Mma& op) {
  need_step(op.step, op.radix);
  require(split_.contains(op.tile), "a product of a tile that is not split");
  const unsigned parts = ir_.schedule.products() == 1 ? 1 : is_exact_matrix(op.radix) ? 3 : 2;
  require(parts_ == parts, "a split in other parts than the product takes");
  const NextStep next = begin_step();
  require(next.step && next.step->form == op.form, "a product on the wrong side");
  require(matrices_.contains({op.radix, op.form}), "the DFT matrix was not loaded");
  require(registers_ && contained_ == mixes_transforms(op.radix),
          "a product of several transforms is not contained, or one of one transform is");
  once(multiplied_, op.tile);
  form_ = op.form;
}

void Verifier::check(const op::ScaleWords&) {
  require(registers_ && raw_words_, "words are scaled that are not those of the storage");
  require(transform_scale_, "words are scaled before there is a scale");
  raw_words_ = false;
  for (unsigned tile = 0; tile < tiles_; ++tile) packed_.insert(tile);
}

void Verifier::check(const op::UnpackWords&) {
  require(registers_ && packed_.size() == tiles_, "points of words that are not there");
  packed_.clear();
}

void Verifier::check(const op::PackWords& op) {
  require(op.tile < tiles_, "no such tile");
  require(registers_.has_value() && !raw_words_, "registers hold no points");
  require(transform_scale_ && !unscaled_, "a tile is packed while it has no scale");
  require(!twiddle_due_, "a twiddle is missing");
  require(op.scaled == (!ir_.schedule.words() && next_step_ == first_product(ir_.schedule)),
          "words with the transform's scale that are not the first, or the first without");
  once(packed_, op.tile);
}

void Verifier::check(const op::WordProduct& op) {
  const NextStep next = begin_step();
  need_step(op.step, next.step ? next.step->radix : 0);
  require(packed_.contains(op.tile), "a product of a tile that is not packed");
  require(next.step && next.step->words && next.step->form == op.form,
          "a product on the wrong side, or of a step that takes no words");
  require(next.step && word_matrices_.contains({next.step->radix, op.form}),
          "the DFT matrix was not loaded");
  packed_.erase(op.tile);
  finish(op.tile);
}

void Verifier::check(const op::Join& op) {
  require(multiplied_.contains(op.tile), "nothing to join");
  require(scale_warps() > 0, "a join that leaves a step's scale on");
  finish(op.tile);
}

void Verifier::check(const op::Combine& op) {
  require(multiplied_.contains(op.tile), "nothing to combine");
  require(scale_warps() == 0, "a step's scale is undone that it does not have");
  require(op.form == form_, "a product combined as one of the other side");
  require(op.contained == contained_, "split and combine differ in containment");
  require(op.uniform == uniform_,
          "a scale that depends on the lane is said not to, or the reverse");
  finish(op.tile);
}

void Verifier::finish(unsigned tile) {
  once(combined_, tile);
  if (combined_.size() < tiles_) return;
  folded_.clear(), scaled_.clear(), split_.clear(), multiplied_.clear(), combined_.clear();
  const NextStep next = begin_step();
  if (next.step) step_done(*next.step, next.after);
}

void Verifier::check(const op::Butterfly& op) {
  require(registers_.has_value(), "registers hold no tile");
  need_points();
  std::vector<DigitId> digits;
  for (unsigned bit = 0; registers_ && bit < registers_->registers.size(); ++bit) {
    if (op.register_mask >> bit & 1u) digits.push_back(registers_->registers[bit]);
  }
  require(!registers_ || op.register_mask >> registers_->registers.size() == 0,
          "a butterfly's digit is elsewhere");
  need_step(op.step, op.radix);
  require(op.fp64 == ir_.schedule.shape.in_fp64(op.step), "a butterfly sums in another precision");
  require(op.form == (op.fp64 ? ButterflyForm::plain : ir_.schedule.form_of_butterfly(op.radix)),
          "a butterfly sums by other products");
  const NextStep next = begin_step();
  require(next.step && next.step->form == StepForm::registers && digits == next.step->digits &&
              op.layout == next.before,
          "a butterfly's digit is elsewhere");
  if (next.step) step_done(*next.step, next.after);
}

// Once, after the last step, whose digits tell the factors.
void Verifier::check(const op::JoinHalves& op) {
  need_registers(op.layout);
  need_no_step_under_way();
  need_points();
  require(ir_.schedule.pass.joins() && !joined_, "a join of halves that is not due");
  require(registers_ && steps_are_done(), "halves are joined before the last step");
  if (!wrong_.empty()) return;
  std::vector<DigitId> digits;
  for (unsigned bit = 0; bit < op.layout.registers.size(); ++bit) {
    if (op.register_mask >> bit & 1u) digits.push_back(op.layout.registers[bit]);
  }
  require(digits == ir_.schedule.phases.back().steps.back().digits,
          "halves are joined by other digits than those of the last step");
  joined_ = true;
}

// After a step, or, back, before the next one.
void Verifier::check(const op::Twiddle& op) {
  if (twiddle_due_) {
    require(op.step == last_step_ && op.factors == due_, "a twiddle out of place");
  } else {
    const NextStep next = next_step();
    require(backwards_ && !twiddled_ && next.step && next.step->index == op.step &&
                op.factors == op::StepFactors::twiddles,
            "a twiddle out of place");
    twiddled_ = true;
  }
  need_points();
  need_registers(op.layout);
  if (!wrong_.empty()) return;  // its step and its digits may be any number
  check_factors(op);
  if (wrong_.empty() && !twiddles_.contains(op)) {
    check_range(op.table, twiddle_units(ir_.schedule.digits, op));
  }
  twiddles_.insert(op);
  twiddle_due_ = false;
}

// One of the digits of a step.
const Digit& Verifier::digit_of_step(unsigned step) const {
  return *std::ranges::find(ir_.schedule.digits, static_cast<int>(step), &Digit::step);
}

// Factors w^(k t') depend on the digits of this and of later steps of its axis, one of the table's
// index each; the centre of a fold on those of its step.
bool Verifier::depends(const op::Twiddle& op, DigitId id) const {
  const Digit &of = ir_.schedule.digits[id], own = digit_of_step(op.step);
  if (op.factors == op::StepFactors::centre) return of.step == own.step;
  return of.step >= own.step && of.axis == own.axis;
}

void Verifier::check_factors_of_threads(const op::Twiddle& op) {
  const auto& digits = ir_.schedule.digits;
  const std::int64_t columns = ir_.schedule.pass.tree_columns();
  const LinearMap column = column_map(digits, op.layout);
  std::vector<std::uint32_t> thread_bits;
  auto stride = static_cast<std::uint32_t>(columns);
  for (std::size_t bit = 0; bit < op.layout.threads.size(); ++bit) {
    const DigitId id = op.layout.threads[bit];
    const bool matters = depends(op, id);
    thread_bits.push_back(matters ? stride : columns > 1 ? column.thread_bits[bit] : 0);
    stride *= matters ? digits[id].count : 1;
  }
  require(columns == 1 || std::all_of(column.register_bits.begin(), column.register_bits.end(),
                                      [](std::uint32_t stride_of) { return stride_of == 0; }),
          "a thread holds several columns");
  require(op.thread_bits == thread_bits && op.stride == stride,
          "threads look up other factors than theirs");
}

void Verifier::check_factors(const op::Twiddle& op) {
  check_factors_of_threads(op);
  const auto& digits = ir_.schedule.digits;
  const int step = static_cast<int>(op.step);
  unsigned mask = 0, own = 0, own_values = 1;
  const bool later_in_threads =
      ir_.schedule.pass.tree_columns() > 1 || ir_.schedule.pass.joins() ||
      std::any_of(op.layout.threads.begin(), op.layout.threads.end(),
                  [&](DigitId id) { return digits[id].step > step && depends(op, id); });
  for (unsigned bit = 0; bit < op.layout.registers.size(); ++bit) {
    const DigitId id = op.layout.registers[bit];
    const bool of_step = digits[id].step == step;
    mask |= depends(op, id) ? 1u << bit : 0u;
    own |= of_step ? 1u << bit : 0u;
    own_values *= of_step ? digits[id].count : 1;
  }
  const int exponent = scale_warps() > 0 ? plan_scales(ir_.schedule).exponents[op.step] : 0;
  require(op.exponent == exponent, "factors times another power of two than planned");
  require(op.register_mask == mask, "registers look up other factors than theirs");
  const bool whole = own_values == count_of(digits, step_of(ir_.schedule, op.step).digits);
  const bool only = op.factors == op::StepFactors::twiddles;
  require(op.unity_mask == (whole && exponent == 0 ? own : 0) &&
              op.unity_time_mask == (later_in_threads || exponent != 0 || !only ? 0 : mask & ~own),
          "other factors are left out than those that are 1");
  require(op.from == Twiddles::table || op.unity_mask != 0,
          "products of factors of a digit that is not whole");
}

}  // namespace sonoma
