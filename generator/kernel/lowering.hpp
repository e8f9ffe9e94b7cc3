// Schedule to operations: one at a time, with the tables and the barriers that they need.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "scaling.hpp"
#include "sonoma/kernel_ir.hpp"
#include "tile_accesses.hpp"

namespace sonoma {

class Lowering {
 public:
  Lowering(const Schedule& schedule, Direction direction, double scale);

  KernelIr run();

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

  static TileOrder order_of(bool residues) {
    return residues ? TileOrder::residues : TileOrder::tile;
  }

  // Steps, and what lies between them: lower.cpp.
  void load_matrix(const Step& step);
  void read(const Layout& layout, const Blocks& blocks, bool residues = false);
  void exchange(const Layout& from, const Layout& to, std::size_t phase = 0);
  void phase(const Phase& phase);
  void pack(bool scaled = false);
  void unpack();
  void contract_words(const Step& step);
  void contract(const Step& step, const Layout& layout);
  void twiddle(const Step& step, const Layout& layout, op::StepFactors factors);
  TableRange table_of(const op::Twiddle& op);

  // From global memory and back: lower_ends.cpp.
  void load();
  void load_tile(const Layout& layout);
  void find_scale(const Layout& layout, bool copied);
  void scale_words();
  void load_mirrored(const Layout& first);
  void mirror_rows();
  void load_in_order(const Layout& first);
  void read_powers(const Layout& first);
  void chirp(const Layout& layout, bool last);
  void store();
  void store_mirrored(const Layout& last);
  void store_pairs();
  void store_in_order();
  void last_chirp(const Layout& layout);
  void join_halves(const Layout& layout);
  void multiply();
  void multiply_first();

  // Half of the way of a convolution: lower_convolution.cpp.
  void convolve(const Layout& layout);
  void filter(const Layout& layout);
  void each_channel();
  void sum_channels(const Layout& layout);

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

}  // namespace sonoma
