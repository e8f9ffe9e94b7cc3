// The abstract execution behind verify(): see verify_ir.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scaling.hpp"
#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Executes the operations of an IR in the abstract; run() gives the first thing that is wrong, or
/// nothing.
class Verifier {
 public:
  explicit Verifier(const KernelIr& ir)
      : ir_(ir), digits_(ir.schedule.digits.size()), tiles_(ir.schedule.points_per_thread() / 8) {}

  [[nodiscard]] std::string run();

 private:
  // The areas of shared memory: where points are exchanged, where warps publish their maxima, the
  // slots of first points, and where points in order lie apart from the tile.
  enum class Where { tile, maxima, slots, in_order };

  // Where a point lies there: at its place in the tile, or see op::LoadInOrder and op::ReadPowers.
  enum class Order { tile, memory, powers, mirrored, residues };

  // An access to shared memory and who made it.
  struct Access {
    enum class Kind { read, write } kind;
    Layout layout;
    unsigned barrier = 0;  // strongest since: 0 none, 1 warp, 2 block, 3 cluster
    Where where = Where::tile;
    bool copied = false;               // by an asynchronous copy
    std::vector<DigitId> blocks = {};  // of WriteShared and ReadShared
    Order order = Order::tile;
  };

  void fail(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }
  void require(bool condition, const char* what) {
    if (!condition) fail(what);
  }
  void check_layout_of(const Layout& layout) {
    if (const std::string why = check_layout(layout, ir_.schedule.digits); !why.empty()) fail(why);
    if (!wrong_.empty()) return;
    const std::uint32_t threads = count_of(ir_.schedule.digits, layout.threads);
    const unsigned launched = ir_.schedule.tile_threads();
    const bool goes_round = ir_.schedule.shape.threads > 0 || ir_.schedule.is_opposite(layout);
    require(ir_.schedule.mixed() ? threads <= launched || goes_round : threads == launched,
            "layout and launch differ in threads");
  }
  // Of two accesses to points that lie in one order in shared memory, or to global memory. Blocks
  // of a cluster hold the same points of it where the same digits number them.
  unsigned barrier_between(const Layout& a, const Layout& b) const {
    if (same_threads(a, b)) return 0;
    if (ir_.schedule.block_digits(a) != ir_.schedule.block_digits(b)) return 3;
    return same_warps(ir_.schedule.digits, a, b) ? 1 : 2;
  }
  // Of two accesses to shared memory: of a block's own, where places differ, anybody's.
  unsigned barrier_between(const Access& a, const Access& b) const {
    const auto far = [&](const Access& one) {
      return one.blocks != ir_.schedule.block_digits(one.layout);
    };
    if (far(a) || far(b)) return 3;
    return a.blocks != b.blocks || a.order != b.order ? 2 : barrier_between(a.layout, b.layout);
  }
  void touch_shared(Access::Kind kind, const Layout& layout, Where where = Where::tile,
                    const std::vector<DigitId>& blocks = {}, Order order = Order::tile) {
    const Access now{kind, layout, 0, where, false, blocks, order};
    for (const Access& before : accesses_) {
      if (where != before.where) continue;
      if (kind == before.kind && kind != Access::Kind::write) continue;
      const unsigned needed = where == Where::maxima ? 2 : barrier_between(before, now);
      require(before.barrier >= needed, "shared memory is touched with no sufficient barrier");
    }
    const unsigned strongest = ir_.schedule.shape.shares.cluster > 1 ? 3 : 2;
    std::erase_if(accesses_, [&](const Access& access) { return access.barrier == strongest; });
    accesses_.push_back(now);
  }
  [[nodiscard]] Where where_in_order() const {
    return ir_.schedule.places.tile_from > 0 ? Where::in_order : Where::tile;
  }
  void touch_maxima(Access::Kind kind) {
    if (scale_warps() > 1) touch_shared(kind, {}, Where::maxima);
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
  void need_points() { require(!raw_words_ && packed_.empty(), "words where points are needed"); }
  bool of_transform(DigitId id) const { return ir_.schedule.digits[id].step >= 0; }
  // How many steps lead to the frequencies, and, back, to the result.
  std::size_t steps_there() const { return ir_.schedule.shape.tree.decomposition.radices.size(); }
  std::size_t steps() const { return steps_there() * (ir_.schedule.pass.convolves() ? 2 : 1); }
  void need_step(unsigned step, unsigned radix) {
    const NextStep next = next_step();
    require(next.step && next.step->index == step, "a step is out of order");
    const auto& radices = ir_.schedule.shape.tree.decomposition.radices;
    require(step < radices.size() && radices[step] == radix, "a step has the wrong radix");
    require(!twiddle_due_, "a twiddle is missing");
  }
  // `after`: the layout the step leaves.
  void step_done(const Step& step, const Layout& after) {
    ++next_step_;
    due_ = factors_after(ir_.schedule, step);
    twiddle_due_ = due_.has_value(), twiddled_ = false;
    last_step_ = step.index;
    registers_ = after;
  }
  struct NextStep {
    const Step* step = nullptr;
    Layout before, after;
  };
  NextStep next_step() const {
    std::size_t number = 0;
    for (const Phase& phase : ir_.schedule.phases) {
      for (std::size_t i = 0; i < phase.steps.size(); ++i) {
        if (number++ != next_step_) continue;
        return {&phase.steps[i], phase.layout_before(i), phase.layout_before(i + 1)};
      }
    }
    return {};
  }
  // The next step, whose tile must be in the layout that its phase gives it.
  NextStep begin_step() {
    NextStep next = next_step();
    require(next.step, "a step that the schedule does not have");
    if (!next.step) return next;
    require(registers_ && *registers_ == next.before, "a step's tile is in another layout");
    require(!next.step->back || backwards_, "a step back before the spectrum");
    require(twiddled_ == has_twiddles_before(ir_.schedule, *next.step), "a twiddle is missing");
    return next;
  }

  static void raise(Access& access, const op::Barrier& op) {
    access.barrier = std::max(access.barrier, static_cast<unsigned>(op.scope) + 1);
  }

  // Data and barriers: verify_ir.cpp.
  void check(const op::WaitForLaunch&);
  void check(const op::LoadTile& op);
  void check(const op::CopyAsync& op);
  void check(const op::WaitAsync&);
  // Blocks that stay: verify_tiles.cpp.
  void check(const op::FetchTile& op);
  void check(const op::EachTile& op);
  [[nodiscard]] bool laps_agree() const;
  void check(const op::PrefetchTile&) {}  // what is known of it verify() sees
  void check(const op::Barrier& op);
  // Of rounds one is executed, with its turn and its exchanges as whole ones: verify_rounds.cpp.
  void check(const op::Round&) { fail("a round where there are none"); }
  void check(const op::WriteTurn&) { fail("a turn where no rounds are"); }
  void check(const op::ReadTurn&) { fail("a turn where no rounds are"); }
  void check(const op::WriteParts&) { fail("an exchange by parts where no rounds are"); }
  void check(const op::ReadParts&) { fail("an exchange by parts where no rounds are"); }
  void check(const op::WriteShared& op);
  [[nodiscard]] Order order_of(bool residues, bool writes);
  void check(const op::ReadShared& op);
  void check(const op::FindMaximum& op);
  void check(const op::TransformScale& op);
  void check(const op::Unscale&);
  void check(const op::PassTwiddle& op);
  void check(const op::Multiply& op);
  void check(const op::CallerCode& op);
  void check(const op::StoreTile& op);
  // Steps: verify_steps.cpp.
  void check(const op::LoadMatrix& op);
  void check(const op::Fold& op);
  void check(const op::Scale& op);
  void check(const op::Split& op);
  bool mixes_transforms(unsigned radix) const;
  void check(const op::Mma& op);
  void check(const op::ScaleWords&);
  void check(const op::UnpackWords&);
  void check(const op::PackWords& op);
  void check(const op::WordProduct& op);
  void check(const op::Join& op);
  void check(const op::Combine& op);
  void finish(unsigned tile);
  void check(const op::Butterfly& op);
  void check(const op::Twiddle& op);
  [[nodiscard]] const Digit& digit_of_step(unsigned step) const;
  [[nodiscard]] bool depends(const op::Twiddle& op, DigitId id) const;
  void check_factors_of_threads(const op::Twiddle& op);
  void check_factors(const op::Twiddle& op);
  // Convolutions: verify_convolution.cpp.
  void check(const op::Chirp& op);
  void check(const op::LoadInOrder&);
  void check(const op::StoreInOrder&);
  void check(const op::ReadPowers& op);
  void check(const op::WritePowers& op);
  void check(const op::ZeroFrequency& op);
  void check(const op::Spectrum& op);
  void check(const op::Filter& op);
  void check(const op::FilterPairs& op);
  void check(const op::FilterOpposite& op);
  void check(const op::Conjugate&);
  void check(const op::JoinHalves& op);
  bool is_turn_of_pairs() const;
  // Frequencies of real numbers: verify_mirrored.cpp.
  void check(const op::LoadMirrored& op);
  void check(const op::ReadInOrder& op);
  void check(const op::WriteInOrder& op);
  void check(const op::StoreMirrored& op);
  void load_of_cluster();
  void store_of_cluster();
  void check(const op::MirrorRows& op);
  void check(const op::LoadOpposite& op);
  void check(const op::StoreOpposite& op);
  void need_frequencies_of_pairs();
  // Channels: verify_convolution.cpp.
  void check(const op::EachChannel& op);
  void check(const op::SumChannels& op);
  bool has_channels() const { return ir_.schedule.pass.channels() > 1; }
  bool steps_are_done() const;
  bool ends_conjugated() const;
  void need_chirps();
  void need_undo();

  const KernelIr& ir_;
  std::size_t digits_;
  std::size_t tiles_;
  std::string wrong_;
  std::optional<Layout> registers_;  // the layout of the tile, if registers hold it
  bool in_shared_ = false;           // shared memory holds the tile, or will
  bool waited_ = false;              // for the launch before
  bool copying_ = false, stored_ = false, twiddle_due_ = false;
  bool maximum_ = false, agreed_ = false, transform_scale_ = false, unscaled_ = false;
  bool pass_twiddle_ = false;
  bool load_code_ = false, store_code_ = false;  // done
  bool all_began_ = false;               // the blocks of a cluster, so that they have their memory
  bool reads_far_ = false;               // of other blocks' memory, since all have met
  std::vector<DigitId> holding_blocks_;  // where the tile is in shared memory
  bool contained_ = false, contained_scale_ = false,
       uniform_ = false;            // of the last split and scale
  unsigned parts_ = 0;              // of the last split
  StepForm form_ = StepForm::left;  // of the last product
  std::vector<Access> accesses_;
  Access loaded_ = {};  // the load from global memory to registers, if there is one
  std::set<std::pair<unsigned, StepForm>> matrices_, word_matrices_;
  std::set<unsigned> folded_, scaled_, split_, multiplied_, combined_;
  bool raw_words_ = false;     // registers hold words of the storage
  std::set<unsigned> packed_;  // tiles whose registers hold FP16 words
  unsigned chirps_ = 0;        // done
  unsigned factors_ = 0;       // of the request, done
  bool backwards_ = false;     // the spectrum is done
  bool joined_ = false;        // the halves of packed points
  bool conjugated_ = false;    // the result of a convolution with a filter
  bool in_channels_ = false, summed_ = false;
  bool in_tiles_ = false;               // of a block that stays
  bool twiddled_ = false;               // before the next step, of the way back
  std::optional<op::StepFactors> due_;  // after the last step
  unsigned last_step_ = 0;
  TableRange chirp_table_;
  unsigned in_order_ = 0;  // of the four operations of the order of memory, done
  op::ReadPowers powers_ = {};
  unsigned mirrored_ = 0;  // of the operations of a mirrored side, done
  bool zero_done_ = false;
  float zero_factor_ = 1, factor_ = 1;  // of frequency 0, of the others
  std::set<op::Twiddle> twiddles_;      // whose tables are there
  unsigned next_step_ = 0;              // how many are done
  std::uint32_t next_unit_ = 0;         // of the tables
  std::size_t position_ = 0;            // of the operation that is executed
};

/// verify() of a schedule in rounds.
[[nodiscard]] std::string verify_rounds(const KernelIr& ir);

}  // namespace sonoma
