// Schedule to operations: phases, the exchanges between them, and their factors.
#include <algorithm>

#include "lowering.hpp"
#include "rounds.hpp"
#include "sonoma/mirrored.hpp"
#include "step_digits.hpp"
#include "table_sizes.hpp"

namespace sonoma {

Lowering::Lowering(const Schedule& schedule, Direction direction, double scale)
    : schedule_(schedule),
      factor_(static_cast<float>(scale * mirrored_undo(schedule))),
      scale_(static_cast<float>(scale * spectrum_undo(schedule) * mirrored_undo(schedule))) {
  ir_.schedule = schedule;
  ir_.direction = direction;
}

KernelIr Lowering::run() {
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

// Before the first step that needs it.
void Lowering::load_matrix(const Step& step) {
  if (loaded_.emplace(step.radix, step.form).second) {
    const std::uint32_t units = units_of_matrix(step.words);
    add(op::LoadMatrix{step.radix, step.form, step.words, take(units)});
  }
}

void Lowering::read(const Layout& layout, const Blocks& blocks, bool residues) {
  before_read(layout, blocks, order_of(residues));
  add(op::ReadShared{layout, blocks, residues});
}

// Before this phase, if one follows.
void Lowering::exchange(const Layout& from, const Layout& to, std::size_t phase) {
  if (from == to) return;
  if (schedule_.words()) pack();
  // To the block that reads: what goes to another one is written there, not read from there. But
  // opposite butterflies come from all blocks.
  const Blocks holders = schedule_.holders(from, to);
  const bool residues = schedule_.writes_residues(phase);
  before_write(from, holders, order_of(residues));
  add(op::WriteShared{from, holders, residues});
  read(to, holders, schedule_.reads_residues(phase));
  in_words_ = schedule_.words();
}

void Lowering::phase(const Phase& phase) {
  for (std::size_t i = 0; i < phase.steps.size(); ++i) {
    const Step& step = phase.steps[i];
    const Layout layout = phase.layout_before(i), after = phase.layout_before(i + 1);
    if (has_twiddles_before(schedule_, step)) twiddle(step, layout, op::StepFactors::twiddles);
    if (step.form == StepForm::registers) {
      unpack();
      const bool fp64 = schedule_.shape.in_fp64(step.index);
      const auto form = fp64 ? ButterflyForm::plain : schedule_.form_of_butterfly(step.radix);
      add(op::Butterfly{step.index, step.radix, register_mask(schedule_, layout, step), fp64, form,
                        layout});
    } else {
      load_matrix(step);
      step.words ? contract_words(step) : contract(step, layout);
    }
    if (const auto factors = factors_after(schedule_, step)) twiddle(step, after, *factors);
  }
}

void Lowering::pack(bool scaled) {
  for (unsigned tile = 0; tile < warp_tiles(schedule_) && !in_words_; ++tile) {
    add(op::PackWords{tile, scaled});
  }
  in_words_ = true;
}

void Lowering::unpack() {
  if (in_words_) add(op::UnpackWords{});
  in_words_ = false;
}

void Lowering::contract_words(const Step& step) {
  pack(step.index == first_product(schedule_));
  for (unsigned tile = 0; tile < warp_tiles(schedule_); ++tile) {
    add(op::WordProduct{tile, step.index, step.form});
  }
  in_words_ = false;
}

void Lowering::contract(const Step& step, const Layout& layout) {
  for (Op& op : tensor_core_step(schedule_, step, layout)) add(std::move(op));
}

void Lowering::twiddle(const Step& step, const Layout& layout, op::StepFactors factors) {
  const int exponent = schedule_.scale_warps > 0 ? scales_.exponents[step.index] : 0;
  op::Twiddle op = twiddle_of(schedule_, step, layout, factors, exponent);
  op.table = table_of(op);
  add(std::move(op));
}

// That of the way there, where the same threads take the same factors.
TableRange Lowering::table_of(const op::Twiddle& op) {
  const auto [known, added] = twiddles_.try_emplace(op, TableRange{});
  if (added) known->second = take(twiddle_units(schedule_.digits, op));
  return known->second;
}

namespace {

// Where all threads of a block are at one point.
bool is_of_block(const Op& op) {
  const auto* barrier = std::get_if<op::Barrier>(&op);
  return barrier && barrier->scope != op::Barrier::Scope::warp;
}

void add_prefetch(KernelIr& ir) {
  const auto first = std::ranges::find_if(ir.ops, is_of_block);
  if (ir.schedule.transforms_ahead == 0 || first == ir.ops.end()) return;
  // One that ends the kernel is none to wait behind.
  const auto last = std::find_if(ir.ops.rbegin() + 1, ir.ops.rend(), is_of_block).base() - 1;
  const auto barrier = ir.schedule.shape.prefetch == Prefetch::late ? last : first;
  ir.ops.insert(barrier + 1, op::PrefetchTile{ir.schedule.transforms_ahead});
}

// For a tile after the other: its points come through shared memory, where those of the next one
// go as soon as the last phase has read what lies there.
void stay(KernelIr& ir) {
  const Layout first = ir.schedule.load.layout;
  const auto reads = [](const Op& op) { return std::holds_alternative<op::ReadShared>(op); };
  const auto last = std::find_if(ir.ops.rbegin(), ir.ops.rend(), reads).base();
  ir.ops.insert(last, op::FetchTile{first, true});
  const auto load = std::ranges::find(ir.ops, Op(op::LoadTile{first}));
  *load = op::ReadShared{first, ir.schedule.block_digits(first)};
  ir.ops.insert(load,
                {op::FetchTile{first}, op::EachTile{ir.schedule.launch.stays}, op::WaitAsync{}});
}

}  // namespace

KernelIr lower(const Schedule& schedule, Direction direction, double scale) {
  KernelIr ir = Lowering(schedule, direction, scale).run();
  if (schedule.shape.shares.rounds > 1) ir = in_rounds(std::move(ir));
  add_prefetch(ir);
  if (schedule.stays()) stay(ir);
  return ir;
}

}  // namespace sonoma
