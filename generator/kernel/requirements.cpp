#include "requirements.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "mirrored_cluster.hpp"
#include "rounds.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// What the phase with the most work would take threads for.
unsigned busiest(const Schedule& schedule) {
  unsigned most = 0;
  for (const Phase& phase : schedule.phases)
    most = std::max(most, schedule.thread_numbers(phase.in));
  return most;
}

std::int64_t columns_of_tile(const Shape& shape) { return shape.block_points / shape.length(); }

// What lies between two barriers is all that a lap does: it takes its points out of memory, and
// leaves them where they were, or in the output.
void require_laps(const Schedule& schedule) {
  if (!schedule.has_laps()) return;
  const Shares& shares = schedule.shape.shares;
  const bool alone = shares.parts() == 1, opposite = schedule.shape.opposite;
  // Other clusters write to other blocks' memory where these have not read all yet.
  const bool serves = (alone || (opposite && shares.rounds == 1)) && schedule.phases.size() > 1 &&
                      (schedule.pass.may_go_round() || opposite);
  if (serves) return;
  throw UnsupportedProblem(
      "threads", std::to_string(schedule.launch.threads),
      "no fewer than the " + std::to_string(busiest(schedule)) +
          " that its largest phase takes, in clusters, rounds, real transforms of even length, "
          "convolutions with a filter, and with one phase alone");
}

void require_fit(const Schedule& schedule, const Target& target) {
  if (schedule.launch.threads > 1024) {
    throw UnsupportedProblem(
        "points_per_thread", std::to_string(schedule.points_per_thread()),
        "so many that a block of " +
            std::to_string(schedule.points_per_block() / schedule.shape.shares.cluster) +
            " points takes at most 1024 threads in every phase: more of them, "
            "fewer block_points, a larger cluster, or --threads to go round");
  }
  if (static_cast<int>(schedule.launch.shared_bytes) <= target.shared_bytes) return;
  throw UnsupportedProblem("n", std::to_string(schedule.pass.n()),
                           "its tile needs " + std::to_string(schedule.launch.shared_bytes) +
                               " bytes of shared memory, a block of " + arch_name(target) +
                               " has " + std::to_string(target.shared_bytes));
}

// What a cluster of blocks needs beside room.
void require_cluster(const Schedule& schedule, const Target& target) {
  const unsigned cluster = schedule.shape.shares.cluster;
  if (cluster == 1) return;
  const auto require = [&](bool met, const std::string& needed) {
    if (!met) throw UnsupportedProblem("cluster", std::to_string(cluster), needed);
  };
  require(target.has_clusters(), "1 before sm_90; " + arch_name(target) +
                                     " takes transforms of this length in several passes");
  require(!schedule.load.staged && !schedule.store.staged,
          "loads and stores straight to registers: stage_load and stage_store 0");
  require(schedule.launch.threads >= 1u << lane_bits, "at least a warp in each block");
}

// What real numbers in pairs need, beside a tile of their own.
void require_mirrored(const Schedule& schedule) {
  if (!schedule.pass.mirrors()) return;
  const auto require = [&](bool met, const std::string& field, const std::string& needed) {
    if (!met) throw UnsupportedProblem(field, to_string(schedule.pass), needed);
  };
  const bool shared = schedule.shape.shares.rounds == 1 && schedule.mixed() &&
                      schedule.pass.problem.lengths.size() > 1 && schedule.pass.row_length() == 0 &&
                      !schedule.pass.filter;
  require(schedule.shape.shares.parts() == 1 || schedule.shape.opposite || shared, "shares",
          "one block in one round where frequencies are mirrored in shared memory, or a cluster "
          "for several axes, the last one even, that are not all powers of two");
  require(!schedule.pass.pairs_of || !schedule.pass.by_powers, "method",
          "radix or bluestein where pairs of numbers of a cosine or sine transform are points");
  require(!schedule.pass.filter || schedule.shape.method == Method::radix, "method",
          "radix where frequencies of pairs are multiplied by a filter");
}

// What rounds need beside room: the same, for they are blocks of a cluster one after the other.
void require_rounds(const Schedule& schedule) {
  if (schedule.shape.shares.rounds == 1) return;
  const auto require = [&](bool met, const std::string& needed) {
    if (!met)
      throw UnsupportedProblem("rounds", std::to_string(schedule.shape.shares.rounds), needed);
  };
  require(!schedule.pass.convolves(), "1 with a convolution, whose way back would turn once more");
  require(!schedule.load.staged && !schedule.store.staged, "no staged loads and stores, or 1");
  require(schedule.launch.threads >= 1u << lane_bits, "at least a warp in each round");
  require(check_turn(schedule).empty(),
          "a decomposition whose first half ends, and whose second half begins with whole digits "
          "in registers, e.g. of radix 32");
}

// Transforms that a block takes at once are near to each other.
void require_span(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  if (is_contiguous(pass)) return;
  const std::int64_t others = schedule.launch.transforms_per_block - 1;
  const auto fits = [&](bool input) {
    const std::int64_t room = largest_span - 1 - reach(pass, input);
    return room >= 0 && (others == 0 || to_next(pass, input) <= room / others);
  };
  if (fits(true) && fits(false)) return;
  throw UnsupportedProblem(
      "block_points", std::to_string(schedule.shape.block_points),
      "fewer: the transforms of a block lie within 2^32 points, these are " + to_string(pass));
}

// The twiddle between passes takes angles whose bits are those of a power of two. All factors of a
// section of a tree take the column of a thread, not of a register.
void require_twiddle(const Schedule& schedule) {
  const bool section = schedule.pass.tree_columns() > 1;
  if ((schedule.pass.twiddle_length() == 0 && !section) || schedule.mixed()) return;
  if (!section &&
      !std::has_single_bit(static_cast<std::uint64_t>(schedule.pass.twiddle_length()))) {
    throw UnsupportedProblem(
        "columns", std::to_string(schedule.launch.transforms_per_block),
        "no power of two for a pass of " + std::to_string(schedule.shape.tree.decomposition.n()) +
            " points of a transform of " + std::to_string(schedule.pass.twiddle_length()));
  }
  if (!section) return;
  for (const DigitId id : schedule.phases.back().out.registers) {
    if (schedule.digits[id].step >= 0) continue;
    throw UnsupportedProblem("engine", to_string(schedule.engine()),
                             "a shape in which a thread holds points of one column: engine simt "
                             "takes this pass of " +
                                 std::to_string(schedule.shape.tree.decomposition.n()) + " points");
  }
}

}  // namespace

void require_axes(const Pass& pass, const Shape& shape) {
  const std::vector<std::int64_t>& lengths = pass.problem.lengths;
  if (lengths.size() == 1) return;
  if (!is_contiguous(pass) && !pass.part) {
    throw UnsupportedProblem("layout", to_string(pass.problem),
                             "arrays one after the other where all axes share a launch");
  }
  if (shape.convolves()) {
    throw UnsupportedProblem("method", to_string(shape.method),
                             "radix where several axes share a launch");
  }
  if (ends_with_axes(shape.tree.decomposition, lengths)) return;
  throw UnsupportedProblem("decomposition", to_string(shape.tree.decomposition),
                           "steps that end where the axes do: " + to_shape(lengths));
}

bool takes_index(const Pass& pass, const Shape& shape) {
  if (pass.has_ends() || is_contiguous(pass)) return pass.has_ends();
  if (pass.loops.empty() || pass.loops.front().count % columns_of_tile(shape) != 0) return true;
  const bool mixed = !std::has_single_bit(shape.block_points);
  // Of strides, not bits.
  const bool sums = mixed || shape.convolves();
  return !sums && !is_of_bits(pass);
}

void require_columns(const Pass& pass, const Shape& shape) {
  const bool convolution = pass.part && pass.part->convolution;
  if (!convolution || pass.loops.front().count % columns_of_tile(shape) == 0) return;
  throw UnsupportedProblem("block_points", std::to_string(shape.block_points),
                           "a divisor of the " + std::to_string(pass.loops.front().count) +
                               " transforms side by side, times their " +
                               std::to_string(shape.length()) + " points");
}

// The points of channels are summed as they are.
void require_channels(const Schedule& schedule) {
  if (schedule.pass.channels() == 1 || schedule.scale_warps == 0) return;
  throw UnsupportedProblem("accuracy", to_string(schedule.shape.arithmetic),
                           "another arithmetic with channels: the points of each have a scale of "
                           "their own");
}

void require_opposite(const Schedule& schedule) {
  if (!schedule.shape.opposite) return;
  const Pass& pass = schedule.pass;
  const auto require = [](bool met, const std::string& needed) {
    if (!met) throw UnsupportedProblem("opposite", "1", needed);
  };
  const bool filter = pass.filter && pass.filter->pairs && pass.channels() == 1;
  const bool one_side = pass.is_mirrored(true) != pass.is_mirrored(false) && !pass.filter;
  require((one_side || filter) && pass.problem.lengths.size() == 1 && !pass.pairs_of &&
              pass.parted_length() == 0,
          "0, but for r2c, c2r and real convolutions of one channel, of even length, of one axis, "
          "in one launch");
  require(schedule.engine() == Engine::simt, "0 with the engine mma");
  require(schedule.shape.shares.rounds == 1, "0 in rounds");
  require(!filter || schedule.shape.shares.cluster == 1, "0 in a cluster, of a convolution");
  require(schedule.phases_there() > 1,
          "0 for steps that one phase takes: more of them, or fewer points_per_thread");
  require(schedule.mixed(),
          "0 for a block of one or two transforms all of whose steps have radix 2: more "
          "block_points, or a larger radix");
}

void require_servable(const Schedule& schedule, const Target& target) {
  require_channels(schedule);
  require_span(schedule);
  require_cluster(schedule, target);
  require_rounds(schedule);
  require_mirrored(schedule);
  require_laps(schedule);
  require_fit(schedule, target);
  require_twiddle(schedule);
}

}  // namespace sonoma
