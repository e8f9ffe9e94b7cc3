// Loads and stores: what lies between global memory and the first and the last phase.
#include <algorithm>
#include <cmath>

#include "access.hpp"
#include "lowering.hpp"
#include "mirrored_cluster.hpp"
#include "rader.hpp"
#include "sonoma/mirrored.hpp"
#include "step_digits.hpp"
#include "table_sizes.hpp"

namespace sonoma {

void Lowering::load() {
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
  read(first, schedule_.block_digits(first));
  scale_words();
}

void Lowering::load_tile(const Layout& layout) {
  add(op::LoadTile{layout});
  if (!schedule_.pass.code(true).empty()) add(op::CallerCode{layout, false});
}

// One scale for a transform; with several warps the barrier that lets them agree orders the
// copies too.
void Lowering::find_scale(const Layout& layout, bool copied) {
  const unsigned warps = schedule_.scale_warps;
  if (warps == 0) return;
  add(op::FindMaximum{layout, copied, warps});
  if (warps > 1) {
    add(op::Barrier{op::Barrier::Scope::block});
    accesses_.forget();
  }
  add(op::TransformScale{warps, scales_.target, scales_.undo, scales_.most});
}

void Lowering::scale_words() {
  if (schedule_.words()) add(op::ScaleWords{});
  in_words_ = schedule_.words();
}

// From frequencies of real numbers, and to these.
void Lowering::load_mirrored(const Layout& first) {
  if (schedule_.shape.opposite) {
    // Before the first lap: it writes to other blocks, which have to have begun.
    if (schedule_.shape.shares.cluster > 1) {
      add(op::Barrier{op::Barrier::Scope::cluster});
      accesses_.all_met();
    }
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
  before_read(first, schedule_.block_digits(first), TileOrder::memory);
  add(op::ReadInOrder{first, row});
  if (schedule_.pass.is_chirped(true)) chirp(first, false);
  find_scale(first, false);
}

void Lowering::mirror_rows() {
  before_read({}, {}, TileOrder::mirrored);
  add(op::MirrorRows{mirrored_row(schedule_), take(mirrored_units(schedule_))});
  accesses_.written(TileOrder::mirrored);
}

// Method rader.
void Lowering::load_in_order(const Layout& first) {
  add(op::LoadInOrder{});
  accesses_.written(TileOrder::memory);
  read_powers(first);
}

void Lowering::read_powers(const Layout& first) {
  before_read(first, {}, TileOrder::powers);
  powers_ = {first, primitive_root(schedule_.pass.n()), take(powers_units(schedule_, first))};
  add(powers_);
}

void Lowering::chirp(const Layout& layout, bool last) {
  if (!last || schedule_.whole_chirp()) chirp_table_ = take(chirp_units(schedule_));
  add(op::Chirp{layout, last, chirp_table_});
}

void Lowering::store() {
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

void Lowering::store_mirrored(const Layout& last) {
  if (schedule_.shape.opposite) {
    add(op::StoreOpposite{last, take(mirrored_units(schedule_))});
    // A block's memory lasts as long as the block, and others read it.
    if (accesses_.reached_far()) add(op::Barrier{op::Barrier::Scope::cluster});
    return;
  }
  if (schedule_.pass.is_chirped(false)) last_chirp(last);
  before_write(last, schedule_.block_digits(last), TileOrder::memory);
  add(op::WriteInOrder{last, mirrored_row(schedule_)});
  if (!mirrors_in_cluster(schedule_)) return store_pairs();
  // A block's memory lasts as long as the block, and others read it.
  add(op::Barrier{op::Barrier::Scope::cluster});
  add(op::StoreMirrored{mirrored_row(schedule_), take(mirrored_units(schedule_))});
  add(op::Barrier{op::Barrier::Scope::cluster});
}

void Lowering::store_pairs() {
  if (moves_rows(schedule_, false)) {
    if (schedule_.pass.row_length() == 0) mirror_rows();
    before_read({}, {}, TileOrder::memory);
    return add(op::StoreInOrder{});
  }
  before_read({}, {}, TileOrder::mirrored);
  add(op::StoreMirrored{mirrored_row(schedule_), take(mirrored_units(schedule_))});
}

void Lowering::store_in_order() {
  before_write(powers_.layout, {}, TileOrder::powers);
  add(op::WritePowers{powers_.layout, powers_.root, powers_.table});
  if (schedule_.pass.is_mirrored(false)) return store_pairs();
  before_read({}, {}, TileOrder::memory);
  add(op::StoreInOrder{});
}

// Before the factor: numbers that are turned may be larger by sqrt(2).
void Lowering::last_chirp(const Layout& layout) {
  chirp(layout, true);
  multiply();
}

void Lowering::join_halves(const Layout& layout) {
  const Step& step = schedule_.phases.back().steps.back();
  add(op::JoinHalves{layout, register_mask(schedule_, layout, step)});
}

// Said even where the scale makes 1 of it: the checks count on what undoes spectra and pairs.
void Lowering::multiply() {
  const bool undoes = spectrum_undo(schedule_) != 1 || mirrored_undo(schedule_) != 1;
  if (scale_ != 1.0f || undoes) add(op::Multiply{scale_});
}

// FP16 holds little more than the results: of the factor half of the logarithm, a power of two,
// comes with the input, and the rest before the result is stored.
void Lowering::multiply_first() {
  constexpr int most = 14;  // FP16's smallest normal number
  const int half = std::ilogb(scale_) / 2;
  const float first = std::ldexp(1.0f, std::clamp(half, -most, most));
  if (first != 1.0f && schedule_.pass.in.end) add(op::Multiply{first});
  scale_ = schedule_.pass.out.end ? scale_ / first : 1.0f;
}

}  // namespace sonoma
