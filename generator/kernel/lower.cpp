// Schedule to operations: loads, phases, exchanges, store, and the barriers between them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "access.hpp"
#include "rader.hpp"
#include "rounds.hpp"
#include "scaling.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/mirrored.hpp"
#include "step_digits.hpp"
#include "table_sizes.hpp"
#include "tile_accesses.hpp"

namespace sonoma {
namespace {

class Lowering {
 public:
  Lowering(const Schedule& schedule, Direction direction, double scale)
      : schedule_(schedule),
        factor_(static_cast<float>(scale * mirrored_undo(schedule))),
        scale_(static_cast<float>(scale * spectrum_undo(schedule) * mirrored_undo(schedule))) {
    ir_.schedule = schedule;
    ir_.direction = direction;
  }

  KernelIr run() {
    if (schedule_.launch.follows) add(op::WaitForLaunch{});
    each_channel();
    load();
    if (schedule_.pass.packed && scale_ != 1.0f) multiply_first();
    if (schedule_.pass.goes_back()) add(op::PassTwiddle{schedule_.phases.front().in, true});
    for (std::size_t p = 0; p < schedule_.phases.size(); ++p) {
      if (p == schedule_.phases_there()) convolve(schedule_.phases[p - 1].out);
      if (p == schedule_.phases_there()) sum_channels(schedule_.phases[p - 1].out);
      if (p > 0) exchange(schedule_.phases[p - 1].out, schedule_.phases[p].in, p);
      phase(schedule_.phases[p]);
    }
    store();
    return std::move(ir_);
  }

 private:
  using Blocks = TileAccesses::Blocks;

  void add(Op op) { ir_.ops.push_back(std::move(op)); }

  void before_read(const Layout& layout, const Blocks& blocks = {},
                   TileOrder order = TileOrder::tile) {
    if (const auto barrier = accesses_.before_read(layout, blocks, order)) add(*barrier);
  }
  void before_write(const Layout& layout, const Blocks& blocks = {},
                    TileOrder order = TileOrder::tile) {
    if (const auto barrier = accesses_.before_write(layout, blocks, order)) add(*barrier);
  }

  TableRange take(std::uint32_t units) {
    const TableRange range{ir_.table_units, units};
    ir_.table_units += units;
    return range;
  }

  // Before the first step that needs it.
  void load_matrix(const Step& step) {
    if (loaded_.emplace(step.radix, step.form).second) {
      const std::uint32_t units = units_of_matrix(step.words);
      add(op::LoadMatrix{step.radix, step.form, step.words, take(units)});
    }
  }

  void load_tile(const Layout& layout) {
    add(op::LoadTile{layout});
    if (!schedule_.pass.code(true).empty()) add(op::CallerCode{layout, false});
  }

  void load() {
    const Layout& first = schedule_.phases.front().in;
    if (schedule_.pass.is_mirrored(true)) return load_mirrored(first);
    if (schedule_.pass.by_powers) return load_in_order(first);
    if (schedule_.pass.is_chirped(true)) {
      load_tile(schedule_.load.layout);
      chirp(schedule_.load.layout, false);
      return exchange(schedule_.load.layout, first);
    }
    if (!schedule_.load.staged) {
      load_tile(first);
      find_scale(first, false);
      return scale_words();
    }
    if (!can_copy(schedule_)) {
      load_tile(schedule_.load.layout);
      find_scale(schedule_.load.layout, false);
      return exchange(schedule_.load.layout, first);
    }
    add(op::CopyAsync{schedule_.load.layout});
    accesses_.written(TileOrder::tile, schedule_.load.layout);
    add(op::WaitAsync{});
    find_scale(schedule_.load.layout, true);
    read(first);
    scale_words();
  }

  void scale_words() {
    if (schedule_.words()) add(op::ScaleWords{});
    in_words_ = schedule_.words();
  }

  // One scale for a transform; with several warps the barrier that lets them agree orders the
  // copies too.
  void find_scale(const Layout& layout, bool copied) {
    const unsigned warps = schedule_.scale_warps;
    if (warps == 0) return;
    add(op::FindMaximum{layout, copied, warps});
    if (warps > 1) {
      add(op::Barrier{op::Barrier::Scope::block});
      accesses_.forget();
    }
    add(op::TransformScale{warps, scales_.target, scales_.undo, scales_.most});
  }

  static TileOrder order_of(bool residues) {
    return residues ? TileOrder::residues : TileOrder::tile;
  }

  void read(const Layout& layout, bool residues = false) {
    const Blocks own = schedule_.block_digits(layout);
    before_read(layout, own, order_of(residues));
    add(op::ReadShared{layout, own, residues});
  }

  // Before this phase, if one follows.
  void exchange(const Layout& from, const Layout& to, std::size_t phase = 0) {
    if (from == to) return;
    if (schedule_.words()) pack();
    // To the block that reads: what goes to another one is written there, not read from there.
    const Blocks readers = schedule_.block_digits(to);
    const bool residues = schedule_.writes_residues(phase);
    before_write(from, readers, order_of(residues));
    add(op::WriteShared{from, readers, residues});
    read(to, schedule_.reads_residues(phase));
    in_words_ = schedule_.words();
  }

  // From frequencies of real numbers, and to these.
  void load_mirrored(const Layout& first) {
    if (schedule_.shape.opposite) {
      return add(op::LoadOpposite{first, take(mirrored_units(schedule_))});
    }
    const std::uint32_t row = mirrored_row(schedule_);
    if (moves_rows(schedule_, true)) {
      add(op::LoadInOrder{});
      accesses_.written(TileOrder::memory);
      mirror_rows();
    } else {
      add(op::LoadMirrored{row, take(mirrored_units(schedule_))});
      accesses_.written(TileOrder::mirrored);
    }
    if (schedule_.pass.by_powers) return read_powers(first);
    before_read(first, {}, TileOrder::memory);
    add(op::ReadInOrder{first, row});
    if (schedule_.pass.is_chirped(true)) chirp(first, false);
    find_scale(first, false);
  }
  void store_mirrored(const Layout& last) {
    if (schedule_.shape.opposite) {
      return add(op::StoreOpposite{last, take(mirrored_units(schedule_))});
    }
    if (schedule_.pass.is_chirped(false)) last_chirp(last);
    before_write(last, {}, TileOrder::memory);
    add(op::WriteInOrder{last, mirrored_row(schedule_)});
    store_pairs();
  }
  void store_pairs() {
    if (moves_rows(schedule_, false)) {
      if (schedule_.pass.row_length() == 0) mirror_rows();
      before_read({}, {}, TileOrder::memory);
      return add(op::StoreInOrder{});
    }
    before_read({}, {}, TileOrder::mirrored);
    add(op::StoreMirrored{mirrored_row(schedule_), take(mirrored_units(schedule_))});
  }
  void mirror_rows() {
    before_read({}, {}, TileOrder::mirrored);
    add(op::MirrorRows{mirrored_row(schedule_), take(mirrored_units(schedule_))});
    accesses_.written(TileOrder::mirrored);
  }

  // Method rader.
  void load_in_order(const Layout& first) {
    add(op::LoadInOrder{});
    accesses_.written(TileOrder::memory);
    read_powers(first);
  }
  void read_powers(const Layout& first) {
    before_read(first, {}, TileOrder::powers);
    powers_ = {first, primitive_root(schedule_.pass.n()), take(powers_units(schedule_, first))};
    add(powers_);
  }
  void store_in_order() {
    before_write(powers_.layout, {}, TileOrder::powers);
    add(op::WritePowers{powers_.layout, powers_.root, powers_.table});
    if (schedule_.pass.is_mirrored(false)) return store_pairs();
    before_read({}, {}, TileOrder::memory);
    add(op::StoreInOrder{});
  }

  void phase(const Phase& phase) {
    for (std::size_t i = 0; i < phase.steps.size(); ++i) {
      const Step& step = phase.steps[i];
      const Layout layout = phase.layout_before(i), after = phase.layout_before(i + 1);
      if (has_twiddles_before(schedule_, step)) twiddle(step, layout, op::StepFactors::twiddles);
      if (step.form == StepForm::registers) {
        unpack();
        const bool fp64 = schedule_.shape.in_fp64(step.index);
        const bool halves = !fp64 && takes_halves(schedule_.shape.tree.decomposition, step.radix);
        add(op::Butterfly{step.index, step.radix, register_mask(schedule_, layout, step), fp64,
                          halves, layout});
      } else {
        load_matrix(step);
        step.words ? contract_words(step) : contract(step, layout);
      }
      if (const auto factors = factors_after(schedule_, step)) twiddle(step, after, *factors);
    }
  }

  void pack(bool scaled = false) {
    for (unsigned tile = 0; tile < warp_tiles(schedule_) && !in_words_; ++tile) {
      add(op::PackWords{tile, scaled});
    }
    in_words_ = true;
  }
  void unpack() {
    if (in_words_) add(op::UnpackWords{});
    in_words_ = false;
  }

  void contract_words(const Step& step) {
    pack(step.index == first_product(schedule_));
    for (unsigned tile = 0; tile < warp_tiles(schedule_); ++tile) {
      add(op::WordProduct{tile, step.index, step.form});
    }
    in_words_ = false;
  }

  void contract(const Step& step, const Layout& layout) {
    for (Op& op : tensor_core_step(schedule_, step, layout)) add(std::move(op));
  }

  void twiddle(const Step& step, const Layout& layout, op::StepFactors factors) {
    const int exponent = schedule_.scale_warps > 0 ? scales_.exponents[step.index] : 0;
    op::Twiddle op = twiddle_of(schedule_, step, layout, factors, exponent);
    op.table = table_of(op);
    add(std::move(op));
  }

  // That of the way there, where the same threads take the same factors.
  TableRange table_of(const op::Twiddle& op) {
    const auto [known, added] = twiddles_.try_emplace(op, TableRange{});
    if (added) known->second = take(twiddle_units(schedule_.digits, op));
    return known->second;
  }

  void chirp(const Layout& layout, bool last) {
    if (!last) chirp_table_ = take(chirp_units(schedule_));
    add(op::Chirp{layout, last, chirp_table_});
  }

  // Before the factor: numbers that are turned may be larger by sqrt(2).
  void last_chirp(const Layout& layout) {
    chirp(layout, true);
    multiply();
  }

  // Said even where the scale makes 1 of it: the checks count on what undoes spectra and pairs.
  void multiply() {
    const bool undoes = spectrum_undo(schedule_) != 1 || mirrored_undo(schedule_) != 1;
    if (scale_ != 1.0f || undoes) add(op::Multiply{scale_});
  }

  // FP16 holds little more than the results: of the factor half of the logarithm, a power of two,
  // comes with the input, and the rest before the result is stored.
  void multiply_first() {
    constexpr int most = 14;  // FP16's smallest normal number
    const int half = std::ilogb(scale_) / 2;
    const float first = std::ldexp(1.0f, std::clamp(half, -most, most));
    if (first != 1.0f && schedule_.pass.in.end) add(op::Multiply{first});
    scale_ = schedule_.pass.out.end ? scale_ / first : 1.0f;
  }

  void join_halves(const Layout& layout) {
    const Step& step = schedule_.phases.back().steps.back();
    add(op::JoinHalves{layout, register_mask(schedule_, layout, step)});
  }

  void filter(const Layout& layout) {
    if (!schedule_.pass.filter->pairs) return add(op::Filter{layout});
    if (schedule_.shape.opposite) {
      return add(op::FilterOpposite{layout, take(mirrored_units(schedule_))});
    }
    before_write(layout, {}, TileOrder::memory);
    const std::uint32_t row = mirrored_row(schedule_);
    add(op::WriteInOrder{layout, row});
    before_read({}, {}, TileOrder::mirrored);
    add(op::FilterPairs{row, take(mirrored_units(schedule_))});
    accesses_.written(TileOrder::mirrored);
    before_read(layout, {}, TileOrder::memory);
    add(op::ReadInOrder{layout, row, true});
  }

  void convolve(const Layout& layout) {
    if (schedule_.pass.filter) return filter(layout);
    if (schedule_.pass.by_powers) add(op::ZeroFrequency{layout, factor_});
    op::Spectrum op = spectrum_of(schedule_, layout);
    op.table = take(op.tiles * spectrum_units(schedule_.digits, op));
    add(std::move(op));
  }

  // Matrices are the same for all of them.
  void each_channel() {
    const std::int64_t channels = schedule_.pass.channels();
    if (channels == 1) return;
    for (const Phase& phase : schedule_.phases) {
      for (const Step& step : phase.steps) {
        if (step.form != StepForm::registers) load_matrix(step);
      }
    }
    add(op::EachChannel{channels});
  }

  // The next one writes to the shared memory that this one has read.
  void sum_channels(const Layout& layout) {
    if (schedule_.pass.channels() == 1) return;
    const bool cluster = schedule_.shape.shares.cluster > 1;
    if (!accesses_.none()) {
      add(op::Barrier{cluster ? op::Barrier::Scope::cluster : op::Barrier::Scope::block});
    }
    accesses_.forget();
    add(op::SumChannels{layout});
  }

  void store() {
    const Layout& last = schedule_.result_layout();
    if (schedule_.pass.joins()) join_halves(last);
    if (schedule_.words()) exchange(last, schedule_.store.layout);  // FP16 holds them while scaled
    unpack();
    if (schedule_.scale_warps > 0) add(op::Unscale{});
    const auto& after = schedule_.pass.after;
    if (after && after->kind == Factor::Kind::twiddle) add(op::PassTwiddle{last});
    const bool chirped = schedule_.pass.is_chirped(false);
    if (!chirped) multiply();
    if (after && after->kind == Factor::Kind::conjugate) add(op::Conjugate{});
    if (schedule_.pass.by_powers) return store_in_order();
    if (schedule_.pass.is_mirrored(false)) return store_mirrored(last);
    if (!schedule_.words()) exchange(last, schedule_.store.layout);
    if (chirped) last_chirp(schedule_.store.layout);
    const bool elsewhere = schedule_.pass.values(false) == Values::trigonometric ||
                           !same_threads(schedule_.load.layout, schedule_.store.layout);
    if (accesses_.none() && elsewhere) {
      // In place, lanes of a warp store over what other lanes have loaded.
      add(op::Barrier{op::Barrier::Scope::warp});
    }
    if (!schedule_.pass.code(false).empty()) add(op::CallerCode{schedule_.store.layout, true});
    add(op::StoreTile{schedule_.store.layout});
  }

  const Schedule& schedule_;
  float factor_;  // of the request, halved where pairs are mirrored
  float scale_;   // the same where the spectrum has to be undone
  ScalePlan scales_ = plan_scales(schedule_);
  KernelIr ir_;
  TileAccesses accesses_{schedule_};
  bool in_words_ = false;  // the tile is in words, not points
  std::set<std::pair<unsigned, StepForm>> loaded_;
  std::map<op::Twiddle, TableRange> twiddles_;
  TableRange chirp_table_;
  op::ReadPowers powers_;
};

// Where all threads of a block are at one point.
bool is_of_block(const Op& op) {
  const auto* barrier = std::get_if<op::Barrier>(&op);
  return barrier && barrier->scope != op::Barrier::Scope::warp;
}

void add_prefetch(KernelIr& ir) {
  const auto first = std::ranges::find_if(ir.ops, is_of_block);
  if (ir.schedule.transforms_ahead == 0 || first == ir.ops.end()) return;
  const auto last = std::find_if(ir.ops.rbegin(), ir.ops.rend(), is_of_block).base() - 1;
  const auto barrier = ir.schedule.shape.prefetch == Prefetch::early ? first : last;
  ir.ops.insert(barrier + 1, op::PrefetchTile{ir.schedule.transforms_ahead});
}

}  // namespace

KernelIr lower(const Schedule& schedule, Direction direction, double scale) {
  KernelIr ir = Lowering(schedule, direction, scale).run();
  if (schedule.shape.shares.rounds > 1) ir = in_rounds(std::move(ir));
  add_prefetch(ir);
  return ir;
}

}  // namespace sonoma
