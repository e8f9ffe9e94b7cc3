// The specification of well-formed kernel IR: an abstract execution that tracks where the data is,
// in which layout, which steps are done, and who may touch shared memory without a barrier. Here:
// the data and the barriers; its steps are in verify_steps.cpp.
#include <bit>

#include "scaling.hpp"
#include "sonoma/check.hpp"
#include "table_sizes.hpp"
#include "verifier.hpp"

namespace sonoma {

std::string Verifier::run() {
  for (; position_ < ir_.ops.size(); ++position_) {
    const Op& op = ir_.ops[position_];
    const std::string at = "op " + std::to_string(position_ + 1) + ": ";
    require(!stored_ || (reads_far_ && std::holds_alternative<op::Barrier>(op)),
            "an operation after the store");
    std::visit([&](const auto& one) { check(one); }, op);
    if (!wrong_.empty()) return at + wrong_;
  }
  if (!stored_) fail("the result is never stored");
  require(!reads_far_, "a block may end whose memory others still read");
  require(in_tiles_ == ir_.schedule.stays() && copying_ == in_tiles_, "no next tile is fetched");
  require(summed_ == has_channels(), "the sum of the channels is missing");
  require(steps_are_done(), "steps are missing");
  need_chirps();
  need_undo();
  require(next_unit_ == ir_.table_units, "the tables are larger than their ranges");
  return wrong_;
}

void Verifier::check(const op::WaitForLaunch&) {
  require(ir_.schedule.launch.follows && !waited_, "a wait for a launch that is none before");
  require(!in_channels_, "each channel waits for the launch before");
  waited_ = true;
}

void Verifier::check(const op::LoadTile& op) {
  check_layout_of(op.layout);
  require(waited_ == ir_.schedule.launch.follows, "the launch before may still be storing this");
  require(!registers_ && in_order_ == 0, "the tile is loaded twice");
  require(!ir_.schedule.pass.is_mirrored(true), "frequencies are loaded as points");
  require(in_channels_ == has_channels(), "one channel is loaded for all");
  registers_ = op.layout;
  raw_words_ = ir_.schedule.words();
  loaded_ = {Access::Kind::read, op.layout};
}

void Verifier::check(const op::CopyAsync& op) {
  check_layout_of(op.layout);
  require(waited_ == ir_.schedule.launch.follows, "the launch before may still be storing this");
  require(!op.layout.registers.empty() && digits_ > op.layout.registers[0] &&
              ir_.schedule.digits[op.layout.registers[0]].time_stride == 1 &&
              op.layout.folded.empty(),
          "an asynchronous copy needs the pair of neighbouring points in register bit 0");
  for (const Digit& digit : ir_.schedule.digits) {
    require(digit.in_stride == digit.time_stride,
            "a copy of points in another order than memory's");
  }
  require(!copying_ && !in_shared_ && !registers_, "the tile is loaded twice");
  require(in_channels_ == has_channels(), "one channel is loaded for all");
  touch_shared(Access::Kind::write, op.layout);
  accesses_.back().copied = true;
  copying_ = true;
  in_shared_ = true;
}

void Verifier::check(const op::WaitAsync&) {
  require(copying_, "nothing to wait for");
  copying_ = false;
}

void Verifier::check(const op::Barrier& op) {
  require(!registers_ || ir_.schedule.laps(*registers_) == 1,
          "points of one lap are kept for after the last");
  for (Access& access : accesses_) {
    if (copying_ && access.copied) continue;  // it orders no copy that is under way
    raise(access, op);
  }
  raise(loaded_, op);
  agreed_ = agreed_ || (maximum_ && op.scope != op::Barrier::Scope::warp);
  all_began_ = all_began_ || op.scope == op::Barrier::Scope::cluster;
  reads_far_ = reads_far_ && op.scope != op::Barrier::Scope::cluster;
  require(op.scope != op::Barrier::Scope::cluster || ir_.schedule.shape.shares.cluster > 1,
          "a barrier of a cluster where no cluster is");
}

// What is written for the first of the last two steps lies by remainders, where they have no common
// factor; so does, on the way back, what is read for the step before them.
Verifier::Order Verifier::order_of(bool residues, bool writes) {
  const NextStep next = next_step();
  const std::size_t last_two = steps_there() - 2;
  const bool due = ir_.schedule.coprime_phase > 0 && next.step && next.step->back == !writes &&
                   next.step->index == (writes ? last_two : last_two - 1);
  require(residues == due, "points by remainders where they are not, or the reverse");
  return residues ? Order::residues : Order::tile;
}

void Verifier::check(const op::WriteShared& op) {
  need_registers(op.layout);
  require(packed_.size() == (ir_.schedule.words() ? tiles_ : 0),
          "words for points, or the reverse");
  require(count_of(ir_.schedule.digits, op.blocks) == ir_.schedule.shape.shares.parts(),
          "a write to another number of blocks than the cluster's");
  require(all_began_ || op.blocks == ir_.schedule.block_digits(op.layout),
          "a write to blocks that may not have begun");
  touch_shared(Access::Kind::write, op.layout, Where::tile, op.blocks, order_of(op.residues, true));
  holding_blocks_ = op.blocks;
  in_shared_ = true;
  packed_.clear();
  registers_.reset();
}

void Verifier::check(const op::ReadShared& op) {
  check_layout_of(op.layout);
  require(in_shared_, "shared memory holds no tile");
  require(!copying_, "an asynchronous copy was not waited for");
  reads_far_ = op.blocks != ir_.schedule.block_digits(op.layout);
  require(!reads_far_ || ir_.schedule.is_opposite(op.layout), "a read from another block's memory");
  require(ir_.schedule.shape.shares.cluster == 1 || op.blocks == holding_blocks_,
          "points are read elsewhere than where they were written");
  touch_shared(Access::Kind::read, op.layout, Where::tile, op.blocks, order_of(op.residues, false));
  in_shared_ = false;
  registers_ = op.layout;
  raw_words_ = ir_.schedule.words() && next_step_ == 0;
  for (unsigned tile = 0; ir_.schedule.words() && !raw_words_ && tile < tiles_; ++tile) {
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
  touch_maxima(Access::Kind::write);
  maximum_ = true, agreed_ = op.warps == 1;
}

void Verifier::check(const op::TransformScale& op) {
  const ScalePlan plan = plan_scales(ir_.schedule);
  require(!transform_scale_, "a scale is found twice");
  require(maximum_ && agreed_, "a scale before its warps have agreed on the maximum");
  require(op.warps == scale_warps() && op.target == plan.target && op.undo == plan.undo &&
              op.most == plan.most,
          "another scale than planned");
  touch_maxima(Access::Kind::read);
  transform_scale_ = true;
}

void Verifier::check(const op::Unscale&) {
  need_no_step_under_way();
  need_points();
  require(transform_scale_ && !unscaled_, "a scale is undone that is not on");
  require(next_step_ == ir_.schedule.shape.tree.decomposition.radices.size() && !twiddle_due_,
          "the scale is undone before the last step");
  touch_maxima(Access::Kind::read);
  unscaled_ = true;
}

void Verifier::check(const op::PassTwiddle& op) {
  need_registers(op.layout);
  need_points();
  require(op.before == ir_.schedule.pass.goes_back(), "a twiddle on the other end of the pass");
  require(op.before ? next_step_ == 0 : steps_are_done(),
          "the twiddle between passes before the last step");
  require(!maximum_ || unscaled_, "a twiddle between passes while the scale is on");
  require(ir_.schedule.pass.twiddle_length() != 0 && !pass_twiddle_,
          "a twiddle between passes that is not due");
  require(ir_.schedule.mixed() ||
              std::has_single_bit(static_cast<std::uint64_t>(ir_.schedule.pass.twiddle_length())),
          "a twiddle between passes by the bits of angles that have others");
  pass_twiddle_ = true;
}

void Verifier::check(const op::Multiply& op) {
  require(registers_.has_value(), "registers hold no tile");
  require(!maximum_ || unscaled_, "a factor while the scale is on");
  require(spectrum_undo(ir_.schedule) == 1 || steps_are_done(), "a factor before the last step");
  if (ir_.schedule.pass.is_chirped(false)) need_chirps();
  need_no_step_under_way();
  factor_ = op.factor;
  ++factors_;
}

// Right after the load, and right before the store.
void Verifier::check(const op::CallerCode& op) {
  need_registers(op.layout);
  need_points();
  bool& done = op.store ? store_code_ : load_code_;
  require(!done && !ir_.schedule.pass.code(!op.store).empty(), "code that is not due");
  const std::size_t beside = op.store ? position_ + 1 : position_ - 1;
  const Op* const neighbour = beside < ir_.ops.size() ? &ir_.ops[beside] : nullptr;
  require(neighbour && (op.store ? std::holds_alternative<op::StoreTile>(*neighbour)
                                 : std::holds_alternative<op::LoadTile>(*neighbour)),
          "code elsewhere than at the load or the store");
  done = true;
}

void Verifier::check(const op::StoreTile& op) {
  require(load_code_ == !ir_.schedule.pass.code(true).empty() &&
              store_code_ == !ir_.schedule.pass.code(false).empty(),
          "code of the caller's is missing");
  need_registers(op.layout);
  need_points();
  require(!twiddle_due_, "a twiddle is missing");
  require(unscaled_ == (scale_warps() > 0), "the scale is stored with the result");
  require(pass_twiddle_ == (ir_.schedule.pass.twiddle_length() != 0),
          "the twiddle between passes is missing");
  require(conjugated_ == ends_conjugated(), "the conjugate is missing");
  require(joined_ == ir_.schedule.pass.joins(), "halves are stored before they are joined");
  require(!stored_, "the tile is stored twice");
  require(!ir_.schedule.pass.by_powers && !ir_.schedule.pass.is_mirrored(false),
          "points are stored in another order than memory's");
  require(loaded_.layout.threads.empty() ||
              loaded_.barrier >= barrier_between(loaded_.layout, op.layout),
          "a store in place with no sufficient barrier after the load");
  stored_ = true;
}

namespace {

// Once, as the schedule says, where all threads of the block are at one point.
std::string verify_prefetch(const KernelIr& ir) {
  const auto is_of_block = [](const Op& op) {
    const auto* barrier = std::get_if<op::Barrier>(&op);
    return barrier && barrier->scope != op::Barrier::Scope::warp;
  };
  std::vector<std::size_t> barriers, found;
  for (std::size_t i = 0; i < ir.ops.size(); ++i) {
    const bool ends = i + 1 == ir.ops.size();  // with nothing to wait for behind it
    if (is_of_block(ir.ops[i]) && !ends) barriers.push_back(i);
    if (std::holds_alternative<op::PrefetchTile>(ir.ops[i])) found.push_back(i);
  }
  const std::uint64_t ahead = ir.schedule.transforms_ahead;
  if (ahead == 0 || barriers.empty()) return found.empty() ? "" : "a prefetch of no tile";
  const bool early = ir.schedule.shape.prefetch != Prefetch::late;
  const std::size_t place = 1 + (early ? barriers.front() : barriers.back());
  if (found != std::vector{place}) return "the prefetch is missing, or elsewhere";
  return ir.ops[place] == Op(op::PrefetchTile{ahead}) ? "" : "a prefetch of another tile";
}

}  // namespace

std::string verify(const KernelIr& ir) {
  if (std::string wrong = check(ir.schedule); !wrong.empty()) return wrong;
  if (std::string wrong = verify_prefetch(ir); !wrong.empty()) return wrong;
  return ir.schedule.shape.shares.rounds > 1 ? verify_rounds(ir) : Verifier(ir).run();
}

}  // namespace sonoma
