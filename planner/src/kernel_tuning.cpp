// What the kernel of a pass takes, where a request leaves it open and passes differ from transforms
// that are alone.
#include "kernel_tuning.hpp"

#include <algorithm>

#include "columns.hpp"
#include "measured.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// As many rows as divide their number and fit a block of 4096 points, where columns side by side
// would take more.
unsigned points_of_rows(const Pass& pass) {
  constexpr std::int64_t block = 4096;
  const std::int64_t count = pass.loops.front().count;
  std::int64_t rows = std::clamp<std::int64_t>(block / pass.n(), 1, count);
  while (count % rows != 0) --rows;
  return static_cast<unsigned>(pass.n() * rows);
}

// The factors of the spectrum take registers beside those of the steps.
void choose_rows(Tuning& kernel, const Pass& pass) {
  if (!kernel.block_points && !kernel.columns) kernel.block_points = points_of_rows(pass);
  const bool bits = is_power_of_two(kernel.block_points.value_or(pass.n()));
  const bool open = !kernel.registers && !kernel.points_per_thread;
  if (bits && open && !takes_fp64(kernel, pass.problem)) kernel.registers = 96;
}

// Of tiles that leave few blocks an SM.
void choose_shape(Tuning& kernel, const Pass& pass, const PassRules& rules) {
  const auto points = kernel.block_points.value_or(1);
  if (kernel.points_per_thread || kernel.registers || points < rules.large_tile) return;
  if (!is_power_of_two(points)) return;
  const bool large = pass.n() >= rules.long_pass;
  if (large) kernel.points_per_thread = 32;
  kernel.registers = large ? rules.long_pass_registers : rules.large_tile_registers;
}

void choose_rounds(Tuning& kernel, const Pass& pass, const PassRules& rules) {
  const bool open = !kernel.rounds && !kernel.cluster &&
                    kernel.points_per_thread.value_or(32) == 32 &&
                    kernel.registers.value_or(128) == 128;
  const bool serves = rules.rounds_of_long_passes && pass.part && !pass.part->convolution &&
                      !pass.has_ends() && !pass.mirrors() && kernel.engine == Engine::simt &&
                      kernel.block_points == most_block_points &&
                      pass.whole().storage == Storage::f32 && pass.n() >= rules.long_pass &&
                      (pass.twiddle_length() == 0 || pass.n() == rules.long_pass);
  if (!open || !serves) return;
  kernel.rounds = 2, kernel.points_per_thread = 32, kernel.registers = 128;
  kernel.radix.reset();
}

void choose_threads(Tuning& kernel, const Pass& pass, const PassRules& rules) {
  const bool mixed = is_mixed_tile(pass.n(), kernel.block_points.value_or(pass.n()));
  const bool serves = pass.part && !pass.part->convolution && !pass.convolves() && mixed &&
                      pass.may_go_round() && shares_of(kernel).parts() == 1;
  if (serves && !kernel.threads) kernel.threads = rules.threads_of_mixed;
}

// Rows of a length that is no power of two, each apart from the others.
bool are_mixed_rows(const Pass& pass) {
  if (is_power_of_two(pass.n())) return false;
  return are_rows_of_code(pass) ||
         (pass.loops.empty() && pass.in.dist >= pass.in.stride && pass.out.dist >= pass.out.stride);
}

// Transforms side by side; of a whole convolution without any, and of rows, what resolve() says.
void choose_columns(Tuning& kernel, const Tuning& tuning, const Pass& pass, const Target& target) {
  const bool whole = convolves(kernel) || (pass.filter && !pass.part);
  if (kernel.block_points || (whole && (pass.loops.empty() || are_rows_of_code(pass)))) return;
  if (are_mixed_rows(pass) && !tuning.columns && shares_of(kernel).parts() == 1) return;
  const bool shared_out = !pass.part && shares_of(kernel).parts() > 1;
  const std::int64_t length = convolves(kernel) ? convolution_length(kernel, pass.n()) : pass.n();
  const std::int64_t columns = shared_out ? 1 : columns_of(tuning, pass, target);
  if (columns > (std::int64_t{1} << 20) / length) {
    throw UnsupportedProblem("columns", std::to_string(columns),
                             "fewer: a block takes so many times " + std::to_string(length) +
                                 " points, and has room for " + std::to_string(most_block_points));
  }
  kernel.block_points = static_cast<unsigned>(length * columns);
}

}  // namespace

Tuning kernel_tuning(const Tuning& tuning, const Pass& pass, const Target& target, bool fused) {
  const PassRules& rules = profile_of(target).passes;
  Tuning kernel = tuning;
  if (pass.convolves() && pass.part) choose_rows(kernel, pass);
  kernel.pass_lengths.reset(), kernel.columns.reset(), kernel.workspace_points.reset();
  kernel.fused.reset();
  if (pass.mirrors()) kernel.rounds.reset(), kernel.cluster.reset();  // for the passes beside it
  if (pass.part) kernel.method.reset();
  // An arithmetic that was named has an engine.
  if (!kernel.engine && !pass.problem.accuracy.arithmetic) kernel.engine = Engine::simt;
  // What registers and rounds were measured of.
  const bool fp32 = !takes_fp64(kernel, pass.problem), simt = kernel.engine == Engine::simt && fp32;
  const bool bits = !pass.part || std::ranges::all_of(pass.part->lengths, is_power_of_two);
  if (fused && simt && bits && !kernel.points_per_thread &&
      *std::ranges::min_element(pass.part->lengths) > rules.longest_of_16_points) {
    kernel.points_per_thread = 32;
  }
  choose_columns(kernel, tuning, pass, target);
  if (!fused) choose_threads(kernel, pass, rules);
  if (!fused && fp32 && pass.problem.lengths.size() == 1) choose_rounds(kernel, pass, rules);
  const bool over_axes = pass.problem.lengths.size() > 1 && pass.in.stride == 1;
  if (!simt || convolves(kernel) || (pass.filter && !pass.part) || over_axes) return kernel;
  choose_shape(kernel, pass, rules);
  // Places of the conjugates beside those of the points: in short passes 80 registers spill
  // (sm_90).
  const bool open = !kernel.registers && !kernel.points_per_thread && !is_half(pass.out.storage);
  if (pass.hermitian_rows() != 0 && open && pass.n() <= 64) kernel.registers = 96;
  const bool tile_of_bits = is_power_of_two(kernel.block_points.value_or(pass.n()));
  const bool large_table = pass.n() >= rules.products_from || pass.tree_columns() > 1;
  if (!kernel.twiddles && pass.part && !pass.part->convolution && tile_of_bits && large_table) {
    kernel.twiddles = Twiddles::products;
  }
  return kernel;
}

}  // namespace sonoma
