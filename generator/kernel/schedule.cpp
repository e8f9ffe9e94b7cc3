#include "sonoma/schedule.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "mirrored_cluster.hpp"
#include "phases.hpp"
#include "requirements.hpp"
#include "residence.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"
#include "swizzles.hpp"
#include "thread_rows.hpp"
#include "trips.hpp"

namespace sonoma {
namespace {

// Runs of a mixed tile begin anywhere in a sector. What a load of theirs brings too much, others
// of the same thread find in the cache.
bool is_direct(const Schedule& schedule, const Layout& layout, Side side) {
  const unsigned bytes = schedule.pass.bytes_of_point(side == Side::time);
  const double most = schedule.mixed() ? 1.5 : 1.0;
  return has_sectors_within(most, schedule.digits, layout, side, bytes);
}

// Blocks that one of the batch takes: see LaunchShape.
std::uint64_t blocks_per_batch(const Pass& pass, unsigned columns) {
  if (pass.loops.empty()) return 0;
  std::uint64_t blocks = tiles_of_row(pass, columns);
  for (std::size_t i = 1; i < pass.loops.size(); ++i) {
    blocks *= static_cast<std::uint64_t>(pass.loops[i].count);
  }
  return blocks;
}

// Whole warps; those threads of a mixed tile that a phase has no points for wait in it.
unsigned threads_of(const Schedule& schedule) {
  unsigned most = 1;
  for (const Phase& phase : schedule.phases)
    most = std::max(most, schedule.thread_numbers(phase.in));
  for (const Transfer* transfer : {&schedule.load, &schedule.store}) {
    if (schedule.mixed()) most = std::max(most, schedule.thread_numbers(transfer->layout));
  }
  constexpr unsigned warp = 1u << lane_bits;
  return (most + warp - 1) / warp * warp;
}

LaunchShape launch_shape(const Schedule& schedule, const Target& target) {
  const unsigned cluster = schedule.shape.shares.cluster;
  const unsigned given = schedule.shape.threads;
  const unsigned most = std::max(threads_of(schedule), threads_of_mirrored(schedule, target));
  const unsigned threads = given > 0 ? std::min(given, most) : most;
  unsigned shared = shared_points(schedule) * schedule.exchange_bytes();
  const unsigned columns = schedule.columns();
  if (schedule.pass.by_powers)
    shared = (first_slot(schedule) + columns) * schedule.exchange_bytes();
  if (schedule.pass.mirrors() && !schedule.shape.opposite) {
    shared = std::max(shared, mirrored_row(schedule) * columns * 8);
  }
  LaunchShape shape = {threads, shared, columns, cluster,
                       blocks_per_batch(schedule.pass, columns) * cluster};
  shape.follows = target.has_dependent_launches() && !schedule.pass.in.end;
  return shape;
}

// The warps of a transform, if in no layout a warp touches two transforms.
unsigned warps_of_transform(const Schedule& schedule) {
  std::vector<const Layout*> layouts = {&schedule.load.layout};
  for (const Phase& phase : schedule.phases)
    layouts.push_back(&phase.in), layouts.push_back(&phase.out);
  const auto batch = [&](DigitId id) { return schedule.digits[id].step < 0; };
  for (const Layout* layout : layouts) {
    const auto& threads = layout->threads;
    if (std::any_of(layout->registers.begin(), layout->registers.end(), batch) ||
        std::any_of(threads.begin(), threads.begin() + lane_bits, batch) ||
        !std::is_partitioned(threads.begin() + lane_bits, threads.end(), std::not_fn(batch))) {
      return 0;
    }
  }
  return (schedule.launch.threads >> lane_bits) / schedule.launch.transforms_per_block;
}

// One scale for a transform where warps can agree on it.
void choose_scaling(Schedule& schedule, const Target& target) {
  if (schedule.engine() != Engine::mma || schedule.pass.convolves()) return;
  const bool alone = schedule.shape.shares.parts() == 1;
  const unsigned warps = alone ? warps_of_transform(schedule) : 0;
  const unsigned slots = warps > 1 ? (schedule.launch.threads >> lane_bits) * maximum_bytes : 0;
  if (schedule.launch.shared_bytes + slots > static_cast<unsigned>(target.shared_bytes)) return;
  schedule.scale_warps = warps;
  schedule.launch.shared_bytes += slots;
}

bool takes_words(const Schedule& schedule) {
  for (const Phase& phase : schedule.phases) {
    for (const Step& step : phase.steps) {
      if (step.words) return true;
    }
  }
  return false;
}

// True if points go from thread to thread, or, of bits, to other registers.
bool moves(const Schedule& schedule, const Layout& a, const Layout& b) {
  return schedule.mixed() ? !same_threads(a, b) : a != b;
}

// How the tile comes from and goes to global memory: staged where that is asked for or, open, where
// a warp would not fill its sectors; never where it moves nothing.
void choose_transfers(Schedule& schedule, const Shape& decided, BlockShape shape) {
  const Layout& first = schedule.phases.front().in;
  const Layout& last = schedule.result_layout();
  const auto linear = [&](Side side, unsigned vector_bits) {
    return schedule.mixed() ? mixed_linear_layout(schedule.digits, threads_of(schedule), side)
                            : linear_layout(schedule.digits, shape, side, vector_bits);
  };
  // Transforms of odd lengths follow each other at odd places: points, not pairs.
  const auto pair_bits = [&](bool input) {
    return schedule.by_index() || schedule.pass.is_chirped(input) ? 0u : 1u;
  };
  const Layout in = linear(Side::time, schedule.words() ? 2 : pair_bits(true));
  const Side stored = schedule.side_stored();
  const Layout out = linear(stored, pair_bits(false));
  const auto stages = [&](Staging staging, const Layout& layout, Side side) {
    const bool alone = decided.shares.parts() == 1;
    if (staging != Staging::by_sectors) return staging == Staging::staged;
    return alone && !is_direct(schedule, layout, side);
  };
  const bool stage_load = stages(decided.staging.load, first, Side::time);
  const bool stage_store = stages(decided.staging.store, last, stored);
  if (schedule.pass.by_powers) {
    schedule.load = {true, first}, schedule.store = {true, last};
    return;
  }
  const bool mirrored_in = schedule.pass.is_mirrored(true),
             mirrored_out = schedule.pass.is_mirrored(false);
  schedule.load.staged = stage_load && !mirrored_in && moves(schedule, in, first);
  schedule.load.layout = schedule.load.staged ? in : first;
  schedule.store.staged = stage_store && !mirrored_out && moves(schedule, out, last);
  schedule.store.layout = schedule.store.staged ? out : last;
}

// Two wishes that come to the same are one schedule.
Stagings staging_of(const Schedule& schedule) {
  const auto of = [](const Transfer& side) {
    return side.staged ? Staging::staged : Staging::direct;
  };
  return {of(schedule.load), of(schedule.store)};
}

BlockShape block_shape(const Shape& shape) {
  const auto point_bits = static_cast<unsigned>(std::countr_zero(shape.block_points));
  const auto registers = static_cast<unsigned>(std::countr_zero(shape.points_per_thread));
  return {registers, point_bits - registers, shape.shares.cluster, shape.shares.rounds};
}

// The tile of a convolution is longer than what memory holds; its points are numbered as if that
// were as long.
std::vector<Digit> tile_digits(const Schedule& schedule, std::uint32_t transforms) {
  const Decomposition& tree = schedule.shape.tree.decomposition;
  const bool longer = schedule.whole_convolution() && !schedule.pass.filter;
  if (schedule.shape.opposite) {
    const Shares& shares = schedule.shape.shares;
    const OppositePhase phase = schedule.opposite_phase();
    auto digits = whole_digits(make_digits(tree, transforms, schedule.pass),
                               of_opposite(tree, shares, phase));
    // What lanes next to each other read of another block lies side by side.
    if (shares.cluster > 1 && phase == OppositePhase::last) {
      std::ranges::sort(digits, {}, &Digit::freq_stride);
    }
    return digits;
  }
  return longer && schedule.pass.loops.empty() && !schedule.by_index()
             ? make_digits(tree, transforms)
             : make_digits(tree, transforms, schedule.pass);
}

// Half of the way of a convolution points meet the spectrum: neighbours in it are for the lanes
// there, as those in the output are elsewhere. Transforms that share it come last.
void order_by_spectrum(Schedule& schedule) {
  if (!schedule.pass.filter) return;
  const std::vector<std::uint32_t> strides = filter_strides(schedule);
  for (std::size_t id = 0; id < strides.size(); ++id) {
    schedule.digits[id].out_stride = strides[id] != 0 ? strides[id] : UINT32_MAX;
  }
}

// What comes out are points in time again.
void order_by_result(Schedule& schedule) {
  const Pass& pass = schedule.pass;
  if (!pass.filter) return;
  const std::int64_t column = pass.loops.empty() ? pass.out.dist : pass.loops.front().out_stride;
  // Either may be any number where there is one, see make_digits().
  const auto apart = static_cast<std::uint32_t>(column),
             stride = static_cast<std::uint32_t>(pass.out.stride);
  for (Digit& digit : schedule.digits) {
    digit.out_stride = digit.step < 0 ? digit.weight * apart : digit.time_stride * stride;
  }
}

// `words`: products of radix 16 take complex words.
std::vector<Phase> phases_of(const Schedule& schedule, const Shape& decided, BlockShape shape,
                             bool words) {
  const Decomposition& tree = schedule.shape.tree.decomposition;
  const bool back = schedule.pass.convolves();
  if (schedule.engine() == Engine::mma) {
    const Products products{decided.tree.tensor_steps, words};
    std::vector<Phase> phases = mma_phases(tree, products, schedule.digits, shape);
    return back ? joined(phases, mma_phases_back(tree, products, schedule.digits, shape)) : phases;
  }
  const std::vector<Phase> phases =
      simt_phases(tree, schedule.digits, decided.points_per_thread, shape);
  return back ? joined(phases, mirrored(phases)) : phases;
}

// With the factors of a convolution that takes this one kernel.
Pass convolved(Pass pass, const Shape& shape) {
  if (!shape.convolves()) return pass;
  pass.between = {Factor::Kind::spectrum, shape.length()};
  pass.by_powers = shape.method == Method::rader;
  if (!pass.by_powers) pass.before = pass.after = {Factor::Kind::chirp, pass.n()};
  return pass;
}

// Of a convolution that takes one block, which nobody else sees the frequencies of. Not of Rader's
// algorithm: where loads and stores go through shared memory too, conflicts by remainders cost what
// factors do.
bool may_be_coprime(const Schedule& schedule) {
  const Shape& shape = schedule.shape;
  return shape.method == Method::bluestein && !schedule.pass.filter && !schedule.pass.part &&
         !shape.opposite && schedule.engine() == Engine::simt && shape.shares.parts() == 1 &&
         ends_coprime(shape.tree.decomposition);
}

// Of the time t' of the last two steps, of radices a and b, remainders by a and b are transformed;
// so that of frequency k' = b k1 + a k2 modulo a b. (I. J. Good, 1958, with the two maps
// exchanged.)
void choose_coprime(Schedule& schedule) {
  const auto& radices = schedule.shape.tree.decomposition.radices;
  const int last = static_cast<int>(radices.size()) - 1;
  const auto begins = [&](const Phase& phase) {
    return static_cast<int>(phase.steps.front().index) == last - 1;
  };
  const auto phase = std::ranges::find_if(schedule.phases, begins);
  if (phase == schedule.phases.begin() || phase == schedule.phases.end()) return;
  const auto number = static_cast<std::size_t>(phase - schedule.phases.begin());
  const Layout& before_it = (phase - 1)->out;
  if (residues_of(schedule.digits, before_it).last == 0) return;
  if (schedule.load.staged || schedule.store.staged) return;
  // What it reads lies elsewhere than what it writes: all threads have to meet between, with their
  // points, which no other lap has.
  const unsigned threads = schedule.shape.threads;
  schedule.coprime_phase = number;
  if (number > 1 && threads > 0 && schedule.thread_numbers(before_it) > threads) {
    schedule.coprime_phase = 0;
    return;
  }
  const std::uint32_t a = radices.end()[-2], b = radices.back();
  const auto before = static_cast<std::uint32_t>(schedule.shape.tree.decomposition.n()) / (a * b);
  for (Digit& digit : schedule.digits) {
    if (digit.step >= last - 1)
      digit.freq_stride = before * digit.weight * (digit.step == last ? a : b);
  }
}

// Points in order, before the tile: see Places::tile_from.
std::uint32_t points_before_tile(const Schedule& schedule) {
  constexpr std::uint32_t banks = 16;
  const unsigned given = schedule.shape.threads;
  const bool laps = schedule.shape.rows != 0 || (given > 0 && given < threads_of(schedule));
  if (!schedule.pass.by_powers || !laps) return 0;
  const auto points = static_cast<std::uint32_t>(schedule.pass.n()) * schedule.columns();
  return (points + banks - 1) / banks * banks;
}

enum class Gaps : std::uint8_t { fewest_conflicts, none };  // between digits in shared memory

Schedule arrange(const Pass& pass, const Target& target, const Shape& decided, bool words,
                 Gaps gaps) {
  Schedule result;
  result.pass = convolved(pass, decided);
  result.shape = decided;
  const auto length = static_cast<std::uint32_t>(result.shape.tree.decomposition.n());
  result.digits = tile_digits(result, decided.block_points / length);
  order_by_spectrum(result);
  BlockShape shape = block_shape(decided);  // of bits
  shape.opposite = result.opposite_phase();
  shape.coprime = may_be_coprime(result);
  result.phases = phases_of(result, decided, shape, words);
  require_opposite(result);
  order_by_result(result);
  choose_transfers(result, decided, shape);
  if (shape.coprime) choose_coprime(result);
  result.shape.rows = phases_in_rows(result);
  result.shape.staging = staging_of(result);
  result.places.tile_from = points_before_tile(result);
  if (gaps == Gaps::fewest_conflicts) choose_places(result, target);
  result.launch = launch_shape(result, target);
  choose_scaling(result, target);
  result.min_blocks = resident_blocks(result, target, decided.registers);
  leave_room_for_cache(result, target);
  choose_prefetch(result, target);
  return result;
}

Schedule servable(const Pass& pass, const Target& target, const Shape& shape, Gaps gaps) {
  require_columns(pass, shape);
  require_axes(pass, shape);
  const bool words = shape.arithmetic == Arithmetic::half && target.has_words();
  Schedule result = arrange(pass, target, shape, words, gaps);
  // Complex words have no scale but the transform's.
  if (takes_words(result) && result.scale_warps == 0) {
    result = arrange(pass, target, shape, false, gaps);
  }
  require_servable(result, target);
  return result;
}

}  // namespace

void widen(Schedule& schedule, unsigned threads, const Target& target) {
  schedule.launch.threads = threads;
  schedule.min_blocks = resident_blocks(schedule, target, schedule.shape.registers);
}

Schedule schedule(const Pass& pass, const Target& target, const Shape& shape) {
  return servable(pass, target, shape, Gaps::fewest_conflicts);
}

Schedule outline(const Pass& pass, const Target& target, const Shape& shape) {
  return servable(pass, target, shape, Gaps::none);
}

Schedule schedule(const FftProblem& problem, const Target& target, const Shape& shape) {
  return schedule(single_pass(problem), target, shape);
}

}  // namespace sonoma
