#include <cmath>

#include "count_costs.hpp"
#include "rounds.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"
#include "table_sizes.hpp"

namespace sonoma {
namespace {

constexpr double unit_bytes = 16;
constexpr double mma_flops = 2.0 * 16 * 8 * 16;

// m16n8k16 instructions of one of the FP16 products of a 16 x 16 tile: see mma_ptx.cuh.
constexpr double mmas_of_product = 4;

// Of the points that a pass reads (input) or writes, those that are in memory.
double existing_share(const Pass& pass, bool input) {
  const auto n = static_cast<double>(pass.n());
  if (pass.parted_length() != 0) return pass.side(input).half ? (n + 2) / n : 1;
  const std::int64_t half = pass.n() / 2 + 1;
  if (pass.side(input).half) return static_cast<double>(half) / n;
  const bool by_rows =
      pass.part && !pass.part->convolution && pass.values(input) == Values::hermitian;
  if (!pass.side(input).end || by_rows) return 1;
  const bool convolution = pass.part && pass.part->convolution;
  const std::int64_t of = convolution     ? pass.part->points()
                          : pass.pairs_of ? pass.n()
                                          : pass.whole().n();
  return static_cast<double>(pass.points_at_end(input)) / static_cast<double>(of);
}

// What a pass has in memory of each of its points.
double results_of_point(const Pass& pass, bool input) { return pass.joins() && !input ? 2 : 1; }

struct Counter {
  const KernelIr& ir;
  KernelCosts costs;  // of a block
  KernelCosts before_channels = {};

  // Operations of a round stand there for each of them.
  unsigned rounds() const { return ir.schedule.shape.shares.rounds; }
  unsigned warps() const { return ir.schedule.tile_threads() / rounds() >> lane_bits; }

  double points_in_memory() const {
    return static_cast<double>(ir.schedule.launch.transforms_per_block * ir.schedule.pass.n());
  }

  void shared(const Layout& layout, const std::vector<DigitId>& blocks = {},
              bool residues = false) {
    shared(of_one_block(shared_access(ir.schedule, layout, blocks, residues), ir.schedule, layout),
           ir.schedule.places.points.swizzle);
  }
  // Of one block.
  void shared(const SharedAccess& access, const Swizzle& swizzle) {
    const Wavefronts fronts = count_wavefronts(access, swizzle);
    costs.shared_wavefronts += fronts.total * ir.schedule.shape.shares.cluster;
    costs.shared_wavefronts_minimum += fronts.minimum * ir.schedule.shape.shares.cluster;
  }
  // One 4-byte access of every warp.
  void shared_word() {
    costs.shared_wavefronts += warps();
    costs.shared_wavefronts_minimum += warps();
  }
  void global(const Layout& layout, Side side, bool input) {
    const unsigned bytes = ir.schedule.pass.bytes_of_point(input);
    costs.bytes_moved += points_in_memory() * results_of_point(ir.schedule.pass, input) *
                         existing_share(ir.schedule.pass, input) * bytes *
                         sector_overhead(ir.schedule.digits, layout, side, bytes) / rounds();
  }

  void operator()(const op::LoadMatrix& op) {
    costs.table_bytes += op.table.size * unit_bytes * warps();
  }
  void operator()(const op::WaitForLaunch&) {}
  void operator()(const op::LoadTile& op) { global(op.layout, Side::time, true); }
  // 16 bytes a lane in the order of memory: whole sectors.
  void operator()(const op::CopyAsync&) {
    costs.bytes_moved += ir.schedule.points_per_block() * point_bytes(ir.schedule.pass.in.storage);
  }
  void operator()(const op::WaitAsync&) {}
  // That of the next tile is one for each.
  void operator()(const op::FetchTile& op) {
    if (!op.next) return;
    global(op.layout, Side::time, true);
    shared(op.layout);
    costs.barriers += ir.schedule.laps(ir.schedule.result_layout());
  }
  void operator()(const op::EachTile&) {}
  void operator()(const op::PrefetchTile&) {}
  void operator()(const op::Barrier& op) {
    if (op.scope != op::Barrier::Scope::warp) ++costs.barriers;
  }
  void operator()(const op::Round&) {}
  void operator()(const op::WriteTurn& op) {
    shared(turn_access(ir.schedule, op.layout, true, op.round, op.half).access,
           ir.schedule.places.points.swizzle);
  }
  void operator()(const op::ReadTurn& op) {
    costs.exchanges += op.half != op::Half::one;
    shared(turn_access(ir.schedule, op.layout, false, op.round, op.half).access,
           ir.schedule.places.points.swizzle);
  }
  void parts(const Layout& layout, const std::vector<DigitId>& blocks) {
    shared(of_one_block(parts_access(ir.schedule, layout, blocks), ir.schedule, layout),
           ir.schedule.places.parts.swizzle);
  }
  void operator()(const op::WriteParts& op) { parts(op.layout, op.blocks); }
  void operator()(const op::ReadParts& op) {
    costs.exchanges += op.component == op::Component::real;
    parts(op.layout, op.blocks);
  }
  void operator()(const op::WriteShared& op) { shared(op.layout, op.blocks, op.residues); }
  void operator()(const op::ReadShared& op) {
    ++costs.exchanges;
    shared(op.layout, op.blocks, op.residues);
  }
  void add(const Wavefronts& fronts) {
    costs.shared_wavefronts += fronts.total;
    costs.shared_wavefronts_minimum += fronts.minimum;
  }
  template <class Op>
  void rader(const Op& op) {
    add(count_wavefronts(ir.schedule, op));
  }
  template <class Op>
  void in_order(const Op& op, bool input) {
    const Storage storage = ir.schedule.pass.side(input).storage;
    const Pass& pass = ir.schedule.pass;
    const double points = pass.is_mirrored(input)
                              ? static_cast<double>(pass.mirrored_points()) * ir.schedule.columns()
                              : points_in_memory();
    costs.bytes_moved +=
        points * point_bytes(storage) * sector_overhead_in_order(ir.schedule, input);
    rader(op);
  }
  void operator()(const op::LoadInOrder& op) { in_order(op, true); }
  void operator()(const op::StoreInOrder& op) {
    ++costs.exchanges;
    in_order(op, false);
  }
  void operator()(const op::ReadPowers& op) {
    ++costs.exchanges;
    costs.table_bytes += op.table.size * unit_bytes;
    rader(op);
  }
  void operator()(const op::WritePowers& op) {
    costs.table_bytes += op.table.size * unit_bytes;
    rader(op);
  }
  void operator()(const op::ZeroFrequency& op) { rader(op); }
  // Pairs of points; whole sectors but at the ends of rows.
  template <class Op>
  void mirrored(const Op& op, bool input) {
    const double points = points_in_memory();
    add(count_wavefronts(ir.schedule, op));
    if (ir.schedule.pass.parted_length() != 0) {  // whole rows of neighbours
      costs.bytes_moved += (points + 2 * ir.schedule.launch.transforms_per_block) *
                           ir.schedule.pass.bytes_of_point(input);
      return;
    }
    costs.table_bytes += points / 2 * (turns_numbers(ir.schedule.pass) ? 16 : 8);
    if (ir.schedule.pass.pairs_of) {
      costs.bytes_moved += static_cast<double>(ir.schedule.launch.transforms_per_block *
                                               ir.schedule.pass.points_at_end(input)) *
                           ir.schedule.pass.bytes_of_point(input);
      return;
    }
    costs.bytes_moved += (points + ir.schedule.launch.transforms_per_block) *
                         ir.schedule.pass.bytes_of_point(input) *
                         sector_overhead_in_order(ir.schedule, input);
  }
  void operator()(const op::LoadMirrored& op) { mirrored(op, true); }
  void opposite(const TableRange& table, bool input) {
    costs.bytes_moved += (ir.schedule.points_per_block() + ir.schedule.columns()) *
                         ir.schedule.pass.bytes_of_point(input) *
                         sector_overhead_in_order(ir.schedule, input);
    costs.table_bytes += table.size * unit_bytes * ir.schedule.columns();
  }
  void operator()(const op::LoadOpposite& op) { opposite(op.table, true); }
  void operator()(const op::StoreOpposite& op) { opposite(op.table, false); }
  void operator()(const op::ReadInOrder& op) {
    ++costs.exchanges;
    add(count_wavefronts(ir.schedule, op));
  }
  void operator()(const op::WriteInOrder& op) { add(count_wavefronts(ir.schedule, op)); }
  void operator()(const op::MirrorRows& op) {
    ++costs.exchanges;
    if (op.table.size > 0) costs.table_bytes += ir.schedule.points_per_block() * 4.0;
    add(count_wavefronts(ir.schedule, op));
  }
  void operator()(const op::StoreMirrored& op) {
    ++costs.exchanges;
    mirrored(op, false);
  }
  void operator()(const op::FindMaximum& op) {
    if (op.copied) shared(op.layout);
    if (op.warps > 1) shared_word();
  }
  void operator()(const op::TransformScale& op) {
    if (op.warps > 1) shared_word();
  }
  void operator()(const op::Join&) {}
  void operator()(const op::Unscale&) {
    if (ir.schedule.scale_warps > 1) shared_word();
  }
  void operator()(const op::Fold&) {}
  void operator()(const op::Scale&) {}
  void operator()(const op::Split&) {}
  void operator()(const op::Mma& op) {
    costs.mmas +=
        mmas_of_product *
        (is_exact_matrix(op.radix) && ir.schedule.products() == 4 ? 3 : ir.schedule.products()) *
        warps();
  }
  void operator()(const op::ScaleWords&) {}
  void operator()(const op::PackWords&) {}
  void operator()(const op::UnpackWords&) {}
  void operator()(const op::WordProduct&) { costs.mmas += 2 * mmas_of_product * warps(); }
  void operator()(const op::Combine&) {}
  void operator()(const op::Butterfly&) {}
  void operator()(const op::Twiddle& op) {
    const unsigned units = twiddle_units(ir.schedule.digits, op) / op.stride;
    costs.table_bytes +=
        units * unit_bytes * count_of(ir.schedule.digits, op.layout.threads) / rounds();
  }
  void operator()(const op::PassTwiddle&) {}
  void operator()(const op::Chirp& op) {
    if (op.table.size != 0) costs.table_bytes += points_in_memory() * 8;
  }
  void operator()(const op::Spectrum&) { costs.table_bytes += ir.schedule.points_per_block() * 8; }
  // One that all transforms share stays in the caches.
  void spectrum(double points) {
    const bool own = ir.schedule.pass.filter->dist != 0;
    (own ? costs.bytes_moved : costs.table_bytes) += points * 8;
  }
  void operator()(const op::Filter&) {
    const bool half = ir.schedule.pass.filter->values == Values::hermitian;
    spectrum(ir.schedule.points_per_block() * (half ? 0.5 : 1));
  }
  void operator()(const op::FilterPairs& op) {
    ++costs.exchanges;
    const double points = ir.schedule.points_per_block();
    spectrum(points + ir.schedule.launch.transforms_per_block);
    costs.table_bytes += points / 2 * 8;
    add(count_wavefronts(ir.schedule, op));
  }
  void operator()(const op::FilterOpposite& op) {
    spectrum(ir.schedule.points_per_block() + ir.schedule.columns());
    costs.table_bytes += op.table.size * unit_bytes * ir.schedule.columns();
  }
  void operator()(const op::EachChannel&) { before_channels = costs; }
  void operator()(const op::SumChannels&) {
    const auto all = [&](auto KernelCosts::*field) {
      const auto one = costs.*field - before_channels.*field;
      costs.*field += one * static_cast<decltype(one)>(ir.schedule.pass.channels() - 1);
    };
    all(&KernelCosts::mmas), all(&KernelCosts::bytes_moved), all(&KernelCosts::table_bytes);
    all(&KernelCosts::barriers), all(&KernelCosts::exchanges);
    all(&KernelCosts::shared_wavefronts), all(&KernelCosts::shared_wavefronts_minimum);
  }
  void operator()(const op::Conjugate&) {}
  void operator()(const op::JoinHalves&) {}
  void operator()(const op::Multiply&) {}
  void operator()(const op::CallerCode&) {}  // the caller's
  void operator()(const op::StoreTile& op) { global(op.layout, ir.schedule.side_stored(), false); }
};

}  // namespace

KernelCosts count_costs(const KernelIr& ir) {
  Counter counter{ir, {}};
  for (const Op& op : ir.ops) std::visit(counter, op);
  KernelCosts costs = counter.costs;
  const double transforms = ir.schedule.launch.transforms_per_block;
  const Pass& pass = ir.schedule.pass;
  const auto n = static_cast<double>(pass.n()) * results_of_point(pass, false);
  costs.passes = 1;
  costs.nominal_flops = 5 * n * std::log2(n);
  const auto channels = static_cast<double>(pass.channels());
  if (pass.filter) {  // and the products, and sums
    costs.nominal_flops = (channels + 1) * costs.nominal_flops + (8 * channels - 2) * n;
  }
  const auto bytes = [&](bool input) {
    return static_cast<double>(pass.n()) * results_of_point(pass, input) *
           pass.bytes_of_point(input) * existing_share(pass, input);
  };
  costs.bytes_minimum = channels * bytes(true) + bytes(false);
  costs.mmas /= transforms;
  costs.tensor_flops = costs.mmas * mma_flops;
  costs.bytes_moved /= transforms;
  costs.table_bytes /= transforms;
  return costs;
}

}  // namespace sonoma
