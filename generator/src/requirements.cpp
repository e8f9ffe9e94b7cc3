#include "requirements.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

void require_fit(const Schedule& schedule, const Target& target) {
  if (schedule.launch.threads > 1024) {
    throw UnsupportedProblem(
        "points_per_thread", std::to_string(schedule.points_per_thread()),
        "so many that a block of " +
            std::to_string(schedule.points_per_block() / schedule.launch.cluster) +
            " points takes at most 1024 threads in every phase: more of them, "
            "fewer block_points, or a larger cluster");
  }
  if (static_cast<int>(schedule.launch.shared_bytes) <= target.shared_bytes) return;
  throw UnsupportedProblem("n", std::to_string(schedule.pass.n()),
                           "its tile needs " + std::to_string(schedule.launch.shared_bytes) +
                               " bytes of shared memory, a block of " + arch_name(target) +
                               " has " + std::to_string(target.shared_bytes));
}

// What a cluster of blocks needs beside room.
void require_cluster(const Schedule& schedule, const Target& target) {
  const unsigned cluster = schedule.launch.cluster;
  if (cluster == 1) return;
  const auto require = [&](bool met, const std::string& needed) {
    if (!met) throw UnsupportedProblem("cluster", std::to_string(cluster), needed);
  };
  require(target.has_clusters(), "1 before sm_90; " + arch_name(target) +
                                     " takes transforms of this length in several passes");
  require(!schedule.mixed() && schedule.engine == Engine::simt,
          "a power of two and the engine simt, or 1");
  require(is_contiguous(schedule.pass) && schedule.launch.transforms_per_block == 1,
          "one pass over contiguous data, and one transform a cluster: block_points = n");
  require(!schedule.persistent, "no persistent blocks, or 1");
  require(!schedule.convolves(), "1 with the method bluestein");
  require(!schedule.load.staged && !schedule.store.staged,
          "loads and stores straight to registers: stage_load and stage_store 0");
  require(schedule.launch.threads >= 1u << lane_bits, "at least a warp in each block");
}

// What padding, cropping and code of the caller's need.
void require_ends(const Schedule& schedule) {
  if (!schedule.pass.has_ends()) return;
  const auto require = [&](bool met, const char* needed) {
    if (!met) throw UnsupportedProblem("ends", to_string(schedule.pass.whole().ends), needed);
  };
  require(schedule.engine == Engine::simt,
          "engine simt, and an accuracy that it has: simt, or none named");
  require(schedule.launch.cluster == 1, "blocks of their own, not clusters: cluster 1");
  require(!schedule.persistent, "a block for each tile: persistent 0");
  const Pass& pass = schedule.pass;
  const std::int64_t apart = pass.loops.empty() ? std::max(pass.in_dist, pass.out_dist) : 0;
  require(apart <= (std::int64_t{1} << 31) / schedule.launch.transforms_per_block,
          "transforms of a block at most 2^31 points apart: fewer block_points");
}

// What a persistent block needs beside room.
void require_persistent(const Schedule& schedule, const Target& target) {
  if (!schedule.persistent) return;
  const auto require = [](bool met, const char* needed) {
    if (!met) throw UnsupportedProblem("persistent", "true", needed);
  };
  require(!schedule.convolves(), "the method radix");
  require(!schedule.mixed(), "a power of two");
  require(target.has_async_copy(), "asynchronous copies: sm_80 or later");
  require(schedule.engine == Engine::simt || schedule.mma_form == MmaForm::ptx,
          "engine simt, or matrix products of the form ptx");
  require(schedule.pass.loops.empty() && schedule.launch.transforms_per_block == 1,
          "one pass, and one transform a block: block_points = n");
  require(
      schedule.storage == Storage::f32 || schedule.words,
      "storage f32, or 16 bits in a first step that takes complex words: radix 16, one product");
  require(schedule.load.staged, "a load through shared memory, and one that it changes");
}

// On one side: strides of a tile that addresses are put together from as bits, and all others even
// where neighbours travel in pairs.
bool is_of_bits(const Pass& pass, bool input) {
  const std::int64_t stride = input ? pass.in_stride : pass.out_stride;
  const std::int64_t dist = input ? pass.in_dist : pass.out_dist;
  std::int64_t Loop::*const loop_stride = input ? &Loop::in_stride : &Loop::out_stride;
  const auto bit = [](std::int64_t value) {
    return std::has_single_bit(static_cast<std::uint64_t>(value));
  };
  const std::int64_t column = pass.loops.front().*loop_stride;
  const bool pairs = !pass.is_chirped(input) && (stride == 1 || column == 1);
  const bool even =
      dist % 2 == 0 && std::all_of(pass.loops.begin() + 1, pass.loops.end(),
                                   [&](const Loop& loop) { return loop.*loop_stride % 2 == 0; });
  return bit(stride) && bit(column) && (even || !pairs);
}

void require_bits(const Pass& pass, const Tuning& tuning) {
  const bool mixed = !std::has_single_bit(static_cast<std::uint64_t>(*tuning.block_points));
  const bool ends = pass.has_ends();
  const bool sums = mixed || ends || tuning.method == Method::bluestein;  // of strides, not bits
  if (is_contiguous(pass) || (sums && (ends || !pass.loops.empty()))) return;
  if (!pass.loops.empty() && is_of_bits(pass, true) && is_of_bits(pass, false)) return;
  throw UnsupportedProblem(
      "layout", to_string(pass),
      "strides of points and of the innermost loop that are powers of two, all "
      "others even; copy the data into rows first");
}

// The twiddle between passes takes the column of a thread, not of a register.
void require_own_columns(const Schedule& schedule) {
  if (schedule.pass.twiddle_length == 0 || schedule.mixed()) return;
  const bool back = schedule.pass.goes_back();
  const Layout& layout = back ? schedule.phases.front().in : schedule.phases.back().out;
  for (const DigitId id : layout.registers) {
    if (schedule.digits[id].step >= 0) continue;
    throw UnsupportedProblem("engine", to_string(schedule.engine),
                             "a shape in which a thread holds points of one column: engine simt "
                             "takes this pass of " +
                                 std::to_string(schedule.decomposition.n()) + " points");
  }
}

}  // namespace

// A block takes whole columns, and only those of one row of them.
void require_columns(const Pass& pass, const Tuning& tuning) {
  require_bits(pass, tuning);
  if (pass.loops.empty()) return;
  const std::int64_t length = tuning.decomposition->n();
  const std::int64_t columns = *tuning.block_points / length;
  if (pass.loops.front().count % columns == 0) return;
  throw UnsupportedProblem("block_points", std::to_string(*tuning.block_points),
                           "a divisor of the " + std::to_string(pass.loops.front().count) +
                               " transforms side by side, times their " + std::to_string(length) +
                               " points");
}

void require_servable(const Schedule& schedule, const Target& target) {
  require_ends(schedule);
  require_persistent(schedule, target);
  require_cluster(schedule, target);
  require_fit(schedule, target);
  require_own_columns(schedule);
}

}  // namespace sonoma
