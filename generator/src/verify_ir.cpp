// The specification of well-formed kernel IR: an abstract execution that tracks where the data is,
// in which layout, which steps are done, and who may touch shared memory without a barrier.
#include <algorithm>
#include <optional>
#include <set>

#include "scaling.hpp"
#include "sonoma/kernel_ir.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

class Verifier {
 public:
  explicit Verifier(const KernelIr& ir)
      : ir_(ir), digits_(ir.schedule.digits.size()), tiles_(ir.schedule.points_per_thread() / 8) {}

  std::string run() {
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

 private:
  // An access to shared memory and who made it.
  struct Access {
    enum class Kind { read, write, staging } kind;
    Layout layout;
    unsigned barrier = 0;  // strongest since: 0 none, 1 warp, 2 block
  };

  void fail(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }
  void require(bool condition, const char* what) {
    if (!condition) fail(what);
  }
  void check_layout_of(const Layout& layout) {
    if (const std::string why = check_layout(layout, digits_); !why.empty()) fail(why);
    require((1u << layout.threads.size()) == ir_.schedule.launch.threads,
            "layout and launch differ in threads");
  }
  static unsigned barrier_between(const Layout& a, const Layout& b) {
    return same_threads(a, b) ? 0 : same_warps(a, b) ? 1 : 2;
  }
  void touch_shared(Access::Kind kind, const Layout& layout) {
    for (const Access& before : accesses_) {
      if (kind == before.kind && kind != Access::Kind::write) continue;
      const bool one_staging =
          (kind == Access::Kind::staging) != (before.kind == Access::Kind::staging);
      const unsigned needed = one_staging ? 2 : barrier_between(before.layout, layout);
      require(before.barrier >= needed, "shared memory is touched with no sufficient barrier");
    }
    std::erase_if(accesses_, [](const Access& access) { return access.barrier == 2; });
    accesses_.push_back({kind, layout, 0});
  }
  // Ranges follow each other in the order of their operations.
  void check_range(const TableRange& range, std::uint32_t size) {
    require(range.size == size, "a table range has the wrong size");
    require(range.offset == next_unit_, "a table range does not begin where the last one ends");
    next_unit_ += size;
  }
  void need_registers(const Layout& layout) {
    check_layout_of(layout);
    require(registers_ && *registers_ == layout, "registers do not hold the tile in this layout");
    need_no_step_under_way();
  }
  void once(std::set<unsigned>& done, unsigned tile) {
    require(done.insert(tile).second, "the same is done to a tile twice");
  }
  unsigned scale_warps() const { return ir_.schedule.scale_warps; }
  void need_fold(unsigned tile) {
    const NextStep next = begin_step();
    require(next.step && next.step->folds == folded_.contains(tile), "a fold is missing");
  }
  void need_no_step_under_way() {
    require(folded_.empty() && scaled_.empty() && split_.empty() && combined_.empty(),
            "a step is under way on some tiles");
  }
  void need_points() {
    require(!raw_words_ && packed_.empty(), "words where points are needed");
  }
  bool of_transform(DigitId id) const { return ir_.schedule.digits[id].step >= 0; }
  void need_step(unsigned step, unsigned radix) {
    require(step == next_step_, "a step is out of order");
    const auto& radices = ir_.schedule.decomposition.radices;
    require(step < radices.size() && radices[step] == radix, "a step has the wrong radix");
    require(!twiddle_due_, "a twiddle is missing");
  }
  // `after`: the layout the step leaves.
  void step_done(const Step& step, const Layout& after) {
    ++next_step_;
    twiddle_due_ = step.folds || next_step_ < ir_.schedule.decomposition.radices.size();
    registers_ = after;
  }
  struct NextStep {
    const Step* step = nullptr;
    Layout after;
  };
  // The next step, whose tile must be in the layout that its phase gives it.
  NextStep begin_step() {
    for (const Phase& phase : ir_.schedule.phases) {
      for (std::size_t i = 0; i < phase.steps.size(); ++i) {
        if (phase.steps[i].index != next_step_) continue;
        require(registers_ && *registers_ == phase.layout_before(i),
                "a step's tile is in another layout");
        return {&phase.steps[i], phase.layout_before(i + 1)};
      }
    }
    fail("a step that the schedule does not have");
    return {};
  }

  void check(const op::LoadMatrix& op) {
    check_range(op.table, op.words ? word_matrix_units : matrix_units);
    matrices_.emplace(op.words ? 0 : op.radix, op.form);
  }
  void check(const op::LoadTile& op) {
    check_layout_of(op.layout);
    require(!registers_, "the tile is loaded twice");
    registers_ = op.layout;
    raw_words_ = ir_.schedule.words;
    loaded_ = {Access::Kind::read, op.layout};
  }
  void check(const op::CopyAsync& op) {
    check_layout_of(op.layout);
    require(!op.layout.registers.empty() && digits_ > op.layout.registers[0] &&
                ir_.schedule.digits[op.layout.registers[0]].time_stride == 1 &&
                op.layout.folded.empty(),
            "an asynchronous copy needs the pair of neighbouring points in register bit 0");
    require(!in_shared_ && !registers_, "the tile is loaded twice");
    touch_shared(Access::Kind::write, op.layout);
    copying_ = in_shared_ = true;
  }
  void check(const op::WaitAsync&) {
    require(copying_, "nothing to wait for");
    copying_ = false;
  }
  static void raise(Access& access, const op::Barrier& op) {
    access.barrier = std::max(access.barrier, op.scope == op::Barrier::Scope::block ? 2u : 1u);
  }
  void check(const op::Barrier& op) {
    if (copying_) return;  // orders no copy that is under way
    for (Access& access : accesses_) raise(access, op);
    raise(loaded_, op);
    agreed_ = agreed_ || (maximum_ && op.scope == op::Barrier::Scope::block);
  }
  void check(const op::WriteShared& op) {
    need_registers(op.layout);
    require(packed_.size() == (ir_.schedule.words ? tiles_ : 0), "words for points, or the reverse");
    touch_shared(Access::Kind::write, op.layout);
    in_shared_ = true;
    packed_.clear();
    registers_.reset();
  }
  void check(const op::ReadShared& op) {
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
  void check(const op::FindMaximum& op) {
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
  void check(const op::TransformScale& op) {
    const ScalePlan plan = plan_scales(ir_.schedule);
    require(!transform_scale_, "a scale is found twice");
    require(maximum_ && agreed_, "a scale before its warps have agreed on the maximum");
    require(op.warps == scale_warps() && op.target == plan.target &&
                op.undo == plan.undo && op.most == plan.most,
            "another scale than planned");
    transform_scale_ = true;
  }
  void check(const op::Unscale&) {
    need_no_step_under_way();
    require(transform_scale_ && !unscaled_, "a scale is undone that is not on");
    require(next_step_ == ir_.schedule.decomposition.radices.size() && !twiddle_due_,
            "the scale is undone before the last step");
    unscaled_ = true;
  }
  void check(const op::Fold& op) {
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
  void check(const op::Scale& op) {
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
  void check(const op::Split& op) {
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
  // Below radix 16 an MMA contracts eight values: bits 0 to 2 of a row or column number, which
  // stand in register bit 0 and lane bits 0 and 1 (see mma_phases.cpp).
  bool mixes_transforms(unsigned radix) const {
    return radix < 16 &&
           !(of_transform(registers_->registers[0]) && of_transform(registers_->threads[0]) &&
             of_transform(registers_->threads[1]));
  }
  void check(const op::Mma& op) {
    need_step(op.step, op.radix);
    require(split_.contains(op.tile), "a product of a tile that is not split");
    const unsigned parts = ir_.schedule.products == 1 ? 1 : op.radix <= 4 ? 3 : 2;
    require(parts_ == parts, "a split in other parts than the product takes");
    require(matrices_.contains({op.radix, op.form}), "the DFT matrix was not loaded");
    const NextStep next = begin_step();
    require(next.step && next.step->form == op.form, "a product on the wrong side");
    require(registers_ && contained_ == mixes_transforms(op.radix),
            "a product of several transforms is not contained, or one of one transform is");
    if (ir_.schedule.mma_form == MmaForm::wmma && registers_) {
      touch_shared(Access::Kind::staging, *registers_);
      raise(loaded_, {op::Barrier::Scope::warp});  // on the way through the warp's staging
    }
    once(multiplied_, op.tile);
    form_ = op.form;
  }
  void check(const op::ScaleWords&) {
    require(registers_ && raw_words_, "words are scaled that are not those of the storage");
    require(transform_scale_, "words are scaled before there is a scale");
    raw_words_ = false;
    for (unsigned tile = 0; tile < tiles_; ++tile) packed_.insert(tile);
  }
  void check(const op::UnpackWords&) {
    require(registers_ && packed_.size() == tiles_, "points of words that are not there");
    packed_.clear();
  }
  void check(const op::PackWords& op) {
    require(op.tile < tiles_, "no such tile");
    require(registers_.has_value() && !raw_words_, "registers hold no points");
    require(transform_scale_, "a tile is packed before it has a scale");
    require(!twiddle_due_, "a twiddle is missing");
    require(op.scaled == (!ir_.schedule.words && next_step_ == first_product(ir_.schedule)),
            "words with the transform's scale that are not the first, or the first without");
    once(packed_, op.tile);
  }
  void check(const op::WordProduct& op) {
    need_step(op.step, 16);
    require(packed_.contains(op.tile), "a product of a tile that is not packed");
    const NextStep next = begin_step();
    require(next.step && next.step->words && next.step->form == op.form,
            "a product on the wrong side, or of a step that takes no words");
    require(matrices_.contains({0, op.form}), "the DFT matrix was not loaded");
    packed_.erase(op.tile);
    finish(op.tile);
  }
  void check(const op::Join& op) {
    require(multiplied_.contains(op.tile), "nothing to join");
    require(scale_warps() > 0, "a join that leaves a step's scale on");
    finish(op.tile);
  }
  void check(const op::Combine& op) {
    require(multiplied_.contains(op.tile), "nothing to combine");
    require(scale_warps() == 0, "a step's scale is undone that it does not have");
    require(op.form == form_, "a product combined as one of the other side");
    require(op.contained == contained_, "split and combine differ in containment");
    require(op.uniform == uniform_,
            "a scale that depends on the lane is said not to, or the reverse");
    finish(op.tile);
  }
  void finish(unsigned tile) {
    once(combined_, tile);
    if (combined_.size() < tiles_) return;
    folded_.clear(), scaled_.clear(), split_.clear(), multiplied_.clear(), combined_.clear();
    const NextStep next = begin_step();
    if (next.step) step_done(*next.step, next.after);
  }
  void check(const op::Butterfly& op) {
    need_step(op.step, op.radix);
    const NextStep next = begin_step();
    require(registers_.has_value(), "registers hold no tile");
    need_points();
    std::vector<DigitId> digits;
    for (unsigned bit = 0; registers_ && bit < registers_->registers.size(); ++bit) {
      if (op.register_mask >> bit & 1u) digits.push_back(registers_->registers[bit]);
    }
    require(next.step && next.step->form == StepForm::registers && digits == next.step->digits &&
                op.register_mask >> registers_->registers.size() == 0,
            "a butterfly's digit is elsewhere");
    if (next.step) step_done(*next.step, next.after);
  }
  void check(const op::Twiddle& op) {
    require(twiddle_due_ && op.step + 1 == next_step_, "a twiddle out of place");
    need_points();
    need_registers(op.layout);
    if (!wrong_.empty()) return;  // its step and its digits may be any number
    check_factors(op);
    check_range(op.table, twiddle_units(op));
    twiddle_due_ = false;
  }
  // Factors w^(k t') depend on the digits of this and of later steps, one bit of the table each.
  void check_factors(const op::Twiddle& op) {
    const auto& digits = ir_.schedule.digits;
    const int step = static_cast<int>(op.step);
    std::vector<std::uint32_t> thread_bits;
    std::uint32_t stride = 1;
    for (const DigitId id : op.layout.threads) {
      const bool matters = digits[id].step >= step;
      thread_bits.push_back(matters ? stride : 0);
      stride *= matters ? 2 : 1;
    }
    require(op.thread_bits == thread_bits && op.stride == stride,
            "threads look up other factors than theirs");
    unsigned mask = 0, own = 0, own_bits = 0;
    for (unsigned bit = 0; bit < op.layout.registers.size(); ++bit) {
      const int of = digits[op.layout.registers[bit]].step;
      mask |= of >= step ? 1u << bit : 0u;
      own |= of == step ? 1u << bit : 0u;
      own_bits += of == step ? 1 : 0;
    }
    const int exponent = scale_warps() > 0 ? plan_scales(ir_.schedule).exponents[op.step] : 0;
    require(op.exponent == exponent, "factors times another power of two than planned");
    require(op.register_mask == mask, "registers look up other factors than theirs");
    const bool whole = 1u << own_bits == ir_.schedule.decomposition.radices[op.step];
    require(op.unity_mask == (whole && exponent == 0 ? own : 0),
            "other factors are left out than those that are 1");
  }
  void check(const op::Multiply&) {
    require(registers_.has_value(), "registers hold no tile");
    require(!maximum_ || unscaled_, "a factor while the scale is on");
    need_no_step_under_way();
  }
  void check(const op::StoreTile& op) {
    need_registers(op.layout);
    need_points();
    require(!twiddle_due_, "a twiddle is missing");
    require(unscaled_ == (scale_warps() > 0), "the scale is stored with the result");
    require(!stored_, "the tile is stored twice");
    require(loaded_.layout.threads.empty() ||
                loaded_.barrier >= barrier_between(loaded_.layout, op.layout),
            "a store in place with no sufficient barrier after the load");
    stored_ = true;
  }

  const KernelIr& ir_;
  std::size_t digits_;
  std::size_t tiles_;
  std::string wrong_;
  std::optional<Layout> registers_;  // the layout of the tile, if registers hold it
  bool in_shared_ = false, copying_ = false, stored_ = false, twiddle_due_ = false;
  bool maximum_ = false, agreed_ = false, transform_scale_ = false, unscaled_ = false;
  bool contained_ = false, contained_scale_ = false,
       uniform_ = false;            // of the last split and scale
  unsigned parts_ = 0;              // of the last split
  StepForm form_ = StepForm::left;  // of the last product
  std::vector<Access> accesses_;
  Access loaded_ = {};  // the load from global memory to registers, if there is one
  std::set<std::pair<unsigned, StepForm>> matrices_;
  std::set<unsigned> folded_, scaled_, split_, multiplied_, combined_;
  bool raw_words_ = false;     // registers hold words of the storage
  std::set<unsigned> packed_;  // tiles whose registers hold FP16 words
  unsigned next_step_ = 0;
  std::uint32_t next_unit_ = 0;  // of the tables
};

}  // namespace

std::string verify(const KernelIr& ir) {
  if (std::string wrong = check(ir.schedule); !wrong.empty()) return wrong;
  return Verifier(ir).run();
}

}  // namespace sonoma
