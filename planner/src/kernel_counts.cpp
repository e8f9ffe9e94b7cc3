#include "kernel_counts.hpp"

#include <bit>

#include "sonoma/cost_model.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"
#include "step_costs.hpp"

namespace sonoma {
namespace {

constexpr double mmas_of_product = 4;       // of a 16 x 16 tile: see mma_ptx.cuh
constexpr double mmas_of_word_product = 8;  // see words.cuh
constexpr double tile_points = 256;         // of a warp; 8 of a thread

class Counter {
 public:
  explicit Counter(const KernelIr& ir)
      : schedule_(ir.schedule),
        engine_(ir.schedule.engine() == Engine::mma ? mma_costs : simt_costs),
        per_thread_(ir.schedule.points_per_thread()) {
    counts_.instructions = engine_.io + engine_.thread / per_thread_;
    if (schedule_.pass.in.storage != Storage::f32) counts_.instructions += engine_.convert;
    for (const Op& op : ir.ops) std::visit([this](const auto& o) { count(o); }, op);
  }

  [[nodiscard]] const KernelCounts& counts() const { return counts_; }

 private:
  void of_tile(double cost) { counts_.instructions += cost * 8 / per_thread_; }
  void access(const Layout& layout, bool residues) {
    const SharedAccess shared = mixed_ ? shared_access(schedule_, layout, {}, residues)
                                       : shared_access(schedule_.digits, layout);
    const Wavefronts fronts = count_wavefronts(shared, schedule_.places.points.swizzle);
    counts_.wavefronts += static_cast<double>(fronts.total) / schedule_.points_per_block();
    counts_.instructions += shared.points == 2 ? engine_.shared_pair : engine_.shared;
  }
  void global(const Layout& layout, Side side) {
    const unsigned point = schedule_.pass.bytes_of_point(side == Side::time);
    const double overhead = sector_overhead(schedule_.digits, layout, side, point);
    // Point by point, other accesses of the thread find the rest of a sector in the caches.
    counts_.bytes += point * (mixed_ ? 1 + (overhead - 1) / 3 : overhead);
  }

  void count(const op::LoadTile& o) { global(o.layout, Side::time); }
  void count(const op::CopyAsync& o) { global(o.layout, Side::time); }
  void count(const op::FetchTile& o) {
    if (o.next) global(o.layout, Side::time), access(o.layout, false);
  }
  void count(const op::StoreTile& o) { global(o.layout, schedule_.side_stored()); }
  void count(const op::WriteShared& o) { access(o.layout, o.residues); }
  void count(const op::ReadShared& o) { access(o.layout, o.residues); }
  template <class Op>
  void rader(const Op& op, double cost) {
    counts_.wavefronts +=
        static_cast<double>(count_wavefronts(schedule_, op).total) / schedule_.points_per_block();
    counts_.instructions += cost;
  }
  void in_order(bool input) {
    const Storage storage = schedule_.pass.side(input).storage;
    counts_.bytes += point_bytes(storage) * sector_overhead_in_order(schedule_, input);
  }
  void count(const op::LoadInOrder& o) { in_order(true), rader(o, engine_.shared); }
  void count(const op::StoreInOrder& o) { in_order(false), rader(o, engine_.shared); }
  // Beside the access two products for a place, and an address.
  void count(const op::ReadPowers& o) { rader(o, engine_.shared + 4); }
  void count(const op::WritePowers& o) { rader(o, engine_.shared + 4); }
  // Of a pair two accesses on either side, three complex sums and products, and an address.
  template <class Op>
  void mirrored(const Op& o, bool input) {
    counts_.bytes += schedule_.pass.bytes_of_point(input);
    rader(o, engine_.shared + 8);
  }
  // As if runs of half of the butterflies were rows.
  void opposite(bool input) {
    counts_.bytes += schedule_.pass.bytes_of_point(input);
    counts_.instructions += 9;
  }
  void count(const op::LoadOpposite&) { opposite(true); }
  void count(const op::StoreOpposite&) { opposite(false); }
  void count(const op::LoadMirrored& o) { mirrored(o, true); }
  void count(const op::StoreMirrored& o) { mirrored(o, false); }
  void count(const op::MirrorRows& o) { rader(o, engine_.shared + 8); }
  void count(const op::FilterPairs& o) { rader(o, 2 * engine_.shared + cost_of_filter); }
  void count(const op::FilterOpposite&) { counts_.instructions += cost_of_filter; }
  void count(const op::ReadInOrder& o) { rader(o, engine_.shared); }
  void count(const op::WriteInOrder& o) { rader(o, engine_.shared); }
  void count(const op::FindMaximum&) { counts_.instructions += 3.3; }
  void count(const op::Fold&) { of_tile(2); }
  void count(const op::Scale&) { of_tile(6.7); }
  void count(const op::Split& o) { of_tile(o.parts == 3 ? 15 : o.parts == 2 ? 9 : 2); }
  void count(const op::Combine& o) { of_tile(o.contained ? 10.6 : 1.3); }
  void count(const op::Join&) { of_tile(1); }
  void count(const op::Mma& o) {
    const bool exact =
        is_exact_matrix(o.radix) && schedule_.products() == 4;  // a matrix without low half
    const double of_step = mmas_of_product * (exact ? 3 : schedule_.products());
    counts_.mmas += of_step / tile_points * 8 / per_thread_;
    of_tile(of_step * 32 / tile_points);
  }
  void count(const op::PackWords& o) { of_tile(o.scaled ? 3 : 1); }
  void count(const op::WordProduct&) {
    counts_.mmas += mmas_of_word_product / tile_points * 8 / per_thread_;
    of_tile(mmas_of_word_product * 32 / tile_points);
  }
  void count(const op::Twiddle&) { counts_.instructions += twiddle_cost; }
  void count(const op::Butterfly& o) {
    static constexpr double of_bits[] = {0, 2, 4.6, 8, 12, 12};
    counts_.instructions += instructions_in(
        o.fp64, mixed_ ? instructions_of_butterfly(o.radix, o.form == ButterflyForm::halved)
                       : of_bits[std::countr_zero(o.radix)]);
  }
  void count(const op::PassTwiddle&) { counts_.instructions += 30; }
  void count(const op::Chirp&) { counts_.instructions += 5; }
  void count(const op::Spectrum&) { counts_.instructions += 5; }
  void count(const op::Multiply&) { counts_.instructions += 2; }
  template <class Other>
  void count(const Other&) {}  // for each thread or block, not for each point

  const Schedule& schedule_;
  const EngineCosts& engine_;
  double per_thread_;
  KernelCounts counts_;
  const bool mixed_ = schedule_.mixed();
};

// In rounds a block does what the blocks of a cluster would.
Schedule of_one_round(Schedule schedule) {
  Shares& shares = schedule.shape.shares;
  shares = {shares.parts(), 1};
  return schedule;
}

}  // namespace

KernelCounts count_kernel(const Schedule& schedule) {
  const KernelIr ir = lower(of_one_round(schedule), Direction::forward, 1);
  return Counter(ir).counts();
}

}  // namespace sonoma
