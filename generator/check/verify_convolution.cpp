// Convolutions: the chirp, the order of points by the method rader, the spectrum, and the steps
// that run backwards after it.
#include "rader.hpp"
#include "scaling.hpp"
#include "sonoma/mirrored.hpp"
#include "table_sizes.hpp"
#include "verifier.hpp"

namespace sonoma {

void Verifier::check(const op::Chirp& op) {
  need_registers(op.layout);
  const Schedule& schedule = ir_.schedule;
  require(schedule.pass.is_chirped(!op.last), "a chirp that is not due");
  require(chirps_ == (op.last && schedule.pass.is_chirped(true) ? 1u : 0u),
          "a chirp twice, or the last one first");
  if (op.last) {
    require(steps_are_done(), "the last chirp before the last step");
  } else {
    require(next_step_ == 0 && !backwards_, "the first chirp after a step");
  }
  if (op.last && !schedule.whole_chirp()) {
    require(op.table == chirp_table_, "two chirps");
  } else {
    const std::uint32_t units = chirp_units(schedule);
    if (units > 0) check_range(op.table, units);
    require(units > 0 || op.table == TableRange{}, "a table of exact angles");
    chirp_table_ = op.table;
  }
  ++chirps_;
}

// All points, in the order of memory; then all but the first of each transform at the powers of a
// root, and back the same way.
void Verifier::check(const op::LoadInOrder&) {
  const bool rows = moves_rows(ir_.schedule, true) && mirrored_++ == 0;
  require(rows || (ir_.schedule.pass.by_powers && in_order_++ == 0),
          "a load in order that is not due");
  require(!rows || waited_ == ir_.schedule.launch.follows,
          "the launch before may still be storing this");
  touch_shared(Access::Kind::write, {}, where_in_order(), {}, Order::memory);
}

void Verifier::check(const op::ReadPowers& op) {
  check_layout_of(op.layout);
  require(in_order_++ == 1, "powers that are not due");
  if (!wrong_.empty()) return;
  require(is_primitive_root(op.root, ir_.schedule.pass.n()), "powers that are not all numbers");
  check_range(op.table, powers_units(ir_.schedule, op.layout));
  touch_shared(Access::Kind::read, op.layout, where_in_order(), {}, Order::powers);
  touch_shared(Access::Kind::write, op.layout, Where::slots);
  registers_ = op.layout;
  powers_ = op;
}

void Verifier::check(const op::ZeroFrequency& op) {
  need_registers(op.layout);
  require(in_order_ == 2 && !zero_done_ && !backwards_, "frequency 0 that is not due");
  require(next_step_ == ir_.schedule.shape.tree.decomposition.radices.size() && !twiddle_due_,
          "frequency 0 before the last step");
  touch_shared(Access::Kind::write, op.layout, Where::slots);
  zero_factor_ = op.factor;
  zero_done_ = true;
}

void Verifier::check(const op::WritePowers& op) {
  need_registers(op.layout);
  require(in_order_++ == 2, "powers that are not due");
  require(steps_are_done(), "powers before the last step");
  require(op.root == powers_.root && op.table == powers_.table && op.layout == powers_.layout,
          "other powers than on the way there");
  touch_shared(Access::Kind::write, op.layout, where_in_order(), {}, Order::powers);
  touch_shared(Access::Kind::read, op.layout, Where::slots);
  registers_.reset();
}

void Verifier::check(const op::StoreInOrder&) {
  const bool rows = moves_rows(ir_.schedule, false) &&
                    mirrored_++ == (ir_.schedule.pass.row_length() != 0 ? 1 : 2);
  require(rows || (in_order_++ == 3 && !ir_.schedule.pass.is_mirrored(false)),
          "a store in order that is not due");
  touch_shared(Access::Kind::read, {}, where_in_order(), {}, Order::memory);
  stored_ = true;
}

bool Verifier::steps_are_done() const { return next_step_ == steps() && !twiddle_due_; }

void Verifier::need_chirps() {
  const Pass& pass = ir_.schedule.pass;
  const unsigned due = (pass.is_chirped(true) ? 1u : 0u) + (pass.is_chirped(false) ? 1u : 0u);
  require(chirps_ == due, "a chirp is missing");
}

void Verifier::need_undo() {
  require(spectrum_undo(ir_.schedule) == 1 || factors_ == 1,
          "the spectrum's power of two is not undone, or twice");
  const double others = factors_ == 0 ? 1 : factor_;
  require(!ir_.schedule.pass.by_powers || others == zero_factor_ * spectrum_undo(ir_.schedule),
          "X(0) times another factor than the others");
}

void Verifier::check(const op::Spectrum& op) {
  need_registers(op.layout);
  const bool whole = ir_.schedule.whole_convolution();
  const Pass& pass = ir_.schedule.pass;
  require(pass.convolves() && !pass.filter && chirps_ == (pass.is_chirped(true) ? 1u : 0u) &&
              !backwards_,
          "a spectrum that is not due");
  require(zero_done_ == pass.by_powers, "frequency 0 is missing");
  require(next_step_ == ir_.schedule.shape.tree.decomposition.radices.size() && !twiddle_due_,
          "the spectrum before the last step");
  if (!wrong_.empty()) return;
  std::vector<std::uint32_t> thread_bits;
  std::uint32_t stride = 1;
  for (const DigitId id : op.layout.threads) {
    const bool matters = !whole || of_transform(id);
    thread_bits.push_back(matters ? stride : 0);
    stride *= matters ? ir_.schedule.digits[id].count : 1;
  }
  unsigned mask = 0;
  for (unsigned bit = 0; bit < op.layout.registers.size(); ++bit) {
    mask |= !whole || of_transform(op.layout.registers[bit]) ? 1u << bit : 0u;
  }
  require(op.thread_bits == thread_bits && op.stride == stride && op.register_mask == mask,
          "points look up other frequencies than theirs");
  require(op.tiles == spectrum_tiles(ir_.schedule), "blocks look up other frequencies than theirs");
  require(op.exponent == spectrum_exponent(ir_.schedule), "a spectrum times another power of two");
  check_range(op.table, op.tiles * spectrum_units(ir_.schedule.digits, op));
  backwards_ = true;
}

void Verifier::check(const op::Filter& op) {
  need_registers(op.layout);
  need_points();
  const auto& filter = ir_.schedule.pass.filter;
  require(filter && !filter->pairs && !backwards_, "a filter that is not due");
  require(in_channels_ == has_channels(), "a filter of one channel for all");
  require(next_step_ == ir_.schedule.shape.tree.decomposition.radices.size() && !twiddle_due_,
          "the filter before the last step");
  backwards_ = true;
}

void Verifier::check(const op::EachChannel& op) {
  require(has_channels() && op.count == ir_.schedule.pass.channels(), "other channels than asked");
  require(!in_channels_ && !summed_ && !registers_ && !in_shared_ && in_order_ == 0,
          "channels begin after their load");
  require(waited_ == ir_.schedule.launch.follows, "each channel waits for the launch before");
  in_channels_ = true;
}

// What is done so far is done once more for the next channel.
void Verifier::check(const op::SumChannels& op) {
  need_registers(op.layout);
  need_points();
  require(in_channels_, "a sum of channels that is not due");
  require(backwards_ && next_step_ == steps_there() && !twiddled_,
          "a sum of other points than the products");
  const unsigned strongest = ir_.schedule.shape.shares.cluster > 1 ? 3 : 2;
  for (const Access& access : accesses_) {
    require(access.barrier >= strongest, "the next channel is in shared memory too early");
  }
  in_channels_ = false, summed_ = true;
}

void Verifier::check(const op::Conjugate&) {
  need_no_step_under_way();
  need_points();
  require(ends_conjugated() && !conjugated_, "a conjugate that is not due");
  require(registers_ && steps_are_done(), "the conjugate before the last step");
  conjugated_ = true;
}

bool Verifier::ends_conjugated() const {
  const auto& after = ir_.schedule.pass.after;
  return after && after->kind == Factor::Kind::conjugate;
}

}  // namespace sonoma
