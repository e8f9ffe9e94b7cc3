// A side of a pass where memory has the frequencies of real numbers: points go through shared
// memory in the order of their numbers, where those that mirror each other meet.
#include "mirrored_cluster.hpp"
#include "sonoma/mirrored.hpp"
#include "verifier.hpp"

namespace sonoma {

void Verifier::check(const op::LoadMirrored& op) {
  require(ir_.schedule.pass.is_mirrored(true) && !moves_rows(ir_.schedule, true) &&
              mirrored_++ == 0 && !registers_,
          "frequencies are loaded that are not due");
  require(waited_ == ir_.schedule.launch.follows, "the launch before may still be storing this");
  require(op.row == mirrored_row(ir_.schedule), "rows of another length");
  check_range(op.table, mirrored_units(ir_.schedule));
  if (mirrors_in_cluster(ir_.schedule)) return load_of_cluster();
  touch_shared(Access::Kind::write, {}, Where::tile, {}, Order::mirrored);
  if (ir_.schedule.pass.by_powers) ++in_order_;
}

// Points of the block, of frequencies that other blocks may overwrite with results.
void Verifier::load_of_cluster() {
  const Layout& first = ir_.schedule.phases.front().in;
  loaded_ = {Access::Kind::read, first};
  touch_shared(Access::Kind::write, first, Where::tile, ir_.schedule.block_digits(first),
               Order::mirrored);
}

void Verifier::check(const op::LoadOpposite& op) {
  check_layout_of(op.layout);
  require(ir_.schedule.opposite_phase() == OppositePhase::first && mirrored_++ == 0 && !registers_,
          "opposite butterflies are loaded that are not due");
  require(waited_ == ir_.schedule.launch.follows, "the launch before may still be storing this");
  require(ir_.schedule.is_opposite(op.layout), "butterflies that are not opposite");
  check_range(op.table, mirrored_units(ir_.schedule));
  registers_ = op.layout;
  loaded_ = {Access::Kind::read, op.layout};
}

void Verifier::check(const op::StoreOpposite& op) {
  need_registers(op.layout);
  need_points();
  require(ir_.schedule.opposite_phase() == OppositePhase::last && mirrored_++ == 0,
          "opposite butterflies are stored that are not due");
  require(ir_.schedule.is_opposite(op.layout), "butterflies that are not opposite");
  need_frequencies_of_pairs();
  check_range(op.table, mirrored_units(ir_.schedule));
  require(loaded_.barrier >= barrier_between(loaded_.layout, op.layout),
          "a store in place with no sufficient barrier after the load");
  registers_.reset();
  stored_ = true;
}

// Half of the way of a convolution of pairs.
bool Verifier::is_turn_of_pairs() const {
  const auto& filter = ir_.schedule.pass.filter;
  return filter && filter->pairs && next_step_ == steps_there() && !twiddle_due_;
}

void Verifier::check(const op::ReadInOrder& op) {
  check_layout_of(op.layout);
  const unsigned before = moves_rows(ir_.schedule, true) ? 2 : 1;
  const bool due = op.frequencies ? is_turn_of_pairs() && mirrored_++ == 2
                                  : ir_.schedule.pass.is_mirrored(true) && mirrored_++ == before;
  require(due, "a read in order that is not due");
  require(op.row == mirrored_row(ir_.schedule), "rows of another length");
  touch_shared(Access::Kind::read, op.layout, Where::tile, ir_.schedule.block_digits(op.layout),
               Order::memory);
  registers_ = op.layout;
}

// All that comes before what is taken of two.
void Verifier::need_frequencies_of_pairs() {
  require(steps_are_done(), "frequencies before the last step");
  require(unscaled_ == (scale_warps() > 0), "the scale is stored with the result");
  need_chirps();
  require(mirrored_undo(ir_.schedule) == 1 || factors_ == 1, "the factor 1 / 2 is missing");
}

void Verifier::check(const op::WriteInOrder& op) {
  need_registers(op.layout);
  need_points();
  const bool turn = is_turn_of_pairs();
  require((turn || ir_.schedule.pass.is_mirrored(false)) && mirrored_++ == 0,
          "a write in order that is not due");
  if (!turn) need_frequencies_of_pairs();
  require(unscaled_ == (scale_warps() > 0), "the scale is stored with the result");
  require(op.row == mirrored_row(ir_.schedule), "rows of another length");
  touch_shared(Access::Kind::write, op.layout, Where::tile, ir_.schedule.block_digits(op.layout),
               Order::memory);
  registers_.reset();
}

void Verifier::check(const op::StoreMirrored& op) {
  const bool powers = ir_.schedule.pass.by_powers;
  require(ir_.schedule.pass.is_mirrored(false) && !moves_rows(ir_.schedule, false) &&
              (powers ? in_order_++ == 3 : mirrored_++ == 1),
          "frequencies are stored that are not due");
  require(mirrored_undo(ir_.schedule) == 1 || factors_ == 1, "the factor 1 / 2 is missing");
  require(op.row == mirrored_row(ir_.schedule), "rows of another length");
  check_range(op.table, mirrored_units(ir_.schedule));
  stored_ = true;
  if (mirrors_in_cluster(ir_.schedule)) return store_of_cluster();
  touch_shared(Access::Kind::read, {}, Where::tile, {}, Order::mirrored);
}

// Points of all blocks.
void Verifier::store_of_cluster() {
  const Layout& last = ir_.schedule.result_layout();
  require(loaded_.barrier == 3, "a store in place with no sufficient barrier after the load");
  touch_shared(Access::Kind::read, last, Where::tile, {}, Order::mirrored);
  reads_far_ = true;
}

void Verifier::check(const op::FilterPairs& op) {
  require(is_turn_of_pairs() && !backwards_ && mirrored_++ == 1, "a filter that is not due");
  require(in_channels_ == has_channels(), "a filter of one channel for all");
  require(op.row == mirrored_row(ir_.schedule), "rows of another length");
  check_range(op.table, mirrored_units(ir_.schedule));
  touch_shared(Access::Kind::read, {}, Where::tile, {}, Order::mirrored);
  touch_shared(Access::Kind::write, {}, Where::tile, {}, Order::mirrored);
  backwards_ = true;
}

void Verifier::check(const op::FilterOpposite& op) {
  need_registers(op.layout);
  need_points();
  require(is_turn_of_pairs() && !backwards_ && mirrored_++ == 0, "a filter that is not due");
  require(in_channels_ == has_channels(), "a filter of one channel for all");
  require(ir_.schedule.is_opposite(op.layout), "butterflies that are not opposite");
  check_range(op.table, mirrored_units(ir_.schedule));
  backwards_ = true;
}

void Verifier::check(const op::MirrorRows& op) {
  const bool input = ir_.schedule.pass.is_mirrored(true);
  const bool due =
      moves_rows(ir_.schedule, input) && (input || ir_.schedule.pass.row_length() == 0);
  require(due && mirrored_++ == 1, "rows are mirrored that are not due");
  require(op.row == mirrored_row(ir_.schedule), "rows of another length");
  check_range(op.table, mirrored_units(ir_.schedule));
  touch_shared(Access::Kind::read, {}, Where::tile, {}, Order::mirrored);
  touch_shared(Access::Kind::write, {}, Where::tile, {}, Order::mirrored);
}

}  // namespace sonoma
