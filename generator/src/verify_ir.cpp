// The specification of well-formed kernel IR: an abstract execution that tracks where the data is,
// in which layout, which steps are done, and who may touch shared memory without a barrier. Here:
// the data and the barriers; its steps are in verify_steps.cpp.
#include "scaling.hpp"
#include "verifier.hpp"

namespace sonoma {

std::string Verifier::run() {
  for (std::size_t i = 0; i < ir_.ops.size(); ++i) {
    require(!stored_, "an operation after the store");
    std::visit([&](const auto& op) { check(op); }, ir_.ops[i]);
    if (!wrong_.empty()) return "op " + std::to_string(i + 1) + ": " + wrong_;
  }
  if (!stored_) fail("the result is never stored");
  if (next_step_ != ir_.schedule.decomposition.radices.size()) fail("steps are missing");
  require(next_unit_ == ir_.table_units, "the tables are larger than their ranges");
  return wrong_;
}

void Verifier::check(const op::LoadTile& op) {
  check_layout_of(op.layout);
  require(!registers_, "the tile is loaded twice");
  registers_ = op.layout;
  raw_words_ = ir_.schedule.words;
  loaded_ = {Access::Kind::read, op.layout};
}

void Verifier::check(const op::CopyAsync& op) {
  check_layout_of(op.layout);
  require(!op.layout.registers.empty() && digits_ > op.layout.registers[0] &&
              ir_.schedule.digits[op.layout.registers[0]].time_stride == 1 &&
              op.layout.folded.empty(),
          "an asynchronous copy needs the pair of neighbouring points in register bit 0");
  for (const Digit& digit : ir_.schedule.digits) {
    require(digit.in_stride == digit.time_stride,
            "a copy of points in another order than memory's");
  }
  require(!in_shared_ && !registers_, "the tile is loaded twice");
  touch_shared(Access::Kind::write, op.layout);
  copying_ = in_shared_ = true;
}

void Verifier::check(const op::WaitAsync&) {
  require(copying_, "nothing to wait for");
  copying_ = false;
}

void Verifier::check(const op::Barrier& op) {
  if (copying_) return;  // orders no copy that is under way
  for (Access& access : accesses_) raise(access, op);
  raise(loaded_, op);
  agreed_ = agreed_ || (maximum_ && op.scope == op::Barrier::Scope::block);
}

void Verifier::check(const op::WriteShared& op) {
  need_registers(op.layout);
  require(packed_.size() == (ir_.schedule.words ? tiles_ : 0), "words for points, or the reverse");
  touch_shared(Access::Kind::write, op.layout);
  in_shared_ = true;
  packed_.clear();
  registers_.reset();
}

void Verifier::check(const op::ReadShared& op) {
  check_layout_of(op.layout);
  require(in_shared_, "shared memory holds no tile");
  require(!copying_, "an asynchronous copy was not waited for");
  touch_shared(Access::Kind::read, op.layout);
  in_shared_ = false;
  registers_ = op.layout;
  raw_words_ = ir_.schedule.words && next_step_ == 0;
  for (unsigned tile = 0; ir_.schedule.words && !raw_words_ && tile < tiles_; ++tile) {
    packed_.insert(tile);
  }
}

void Verifier::check(const op::FindMaximum& op) {
  check_layout_of(op.layout);
  require(scale_warps() > 0 && op.warps == scale_warps(),
          "a maximum of other warps than the scale's");
  require(!maximum_ && !transform_scale_, "a maximum is found twice");
  if (op.copied) {
    require(in_shared_ && !copying_, "copied points are read before the copy was waited for");
    touch_shared(Access::Kind::read, op.layout);
  } else {
    need_registers(op.layout);
  }
  maximum_ = true, agreed_ = op.warps == 1;
}

void Verifier::check(const op::TransformScale& op) {
  const ScalePlan plan = plan_scales(ir_.schedule);
  require(!transform_scale_, "a scale is found twice");
  require(maximum_ && agreed_, "a scale before its warps have agreed on the maximum");
  require(op.warps == scale_warps() && op.target == plan.target && op.undo == plan.undo &&
              op.most == plan.most,
          "another scale than planned");
  transform_scale_ = true;
}

void Verifier::check(const op::Unscale&) {
  need_no_step_under_way();
  need_points();
  require(transform_scale_ && !unscaled_, "a scale is undone that is not on");
  require(next_step_ == ir_.schedule.decomposition.radices.size() && !twiddle_due_,
          "the scale is undone before the last step");
  unscaled_ = true;
}

void Verifier::check(const op::PassTwiddle& op) {
  need_registers(op.layout);
  need_points();
  require(next_step_ == ir_.schedule.decomposition.radices.size() && !twiddle_due_,
          "the twiddle between passes before the last step");
  require(!maximum_ || unscaled_, "a twiddle between passes while the scale is on");
  require(ir_.schedule.pass.twiddle_length != 0 && !pass_twiddle_,
          "a twiddle between passes that is not due");
  for (const DigitId id : op.layout.registers) {
    require(ir_.schedule.mixed() || ir_.schedule.digits[id].step >= 0,
            "a thread holds several columns");
  }
  pass_twiddle_ = true;
}

void Verifier::check(const op::Multiply&) {
  require(registers_.has_value(), "registers hold no tile");
  require(!maximum_ || unscaled_, "a factor while the scale is on");
  need_no_step_under_way();
}

void Verifier::check(const op::StoreTile& op) {
  need_registers(op.layout);
  need_points();
  require(!twiddle_due_, "a twiddle is missing");
  require(unscaled_ == (scale_warps() > 0), "the scale is stored with the result");
  require(pass_twiddle_ == (ir_.schedule.pass.twiddle_length != 0),
          "the twiddle between passes is missing");
  require(!stored_, "the tile is stored twice");
  require(loaded_.layout.threads.empty() ||
              loaded_.barrier >= barrier_between(loaded_.layout, op.layout),
          "a store in place with no sufficient barrier after the load");
  stored_ = true;
}

std::string verify(const KernelIr& ir) {
  if (std::string wrong = check(ir.schedule); !wrong.empty()) return wrong;
  return Verifier(ir).run();
}

}  // namespace sonoma
