#include "sonoma/schedule.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

#include "phases.hpp"
#include "sonoma/errors.hpp"
#include "trips.hpp"

namespace sonoma {
namespace {

bool is_direct(const Schedule& schedule, const Layout& layout, Side side) {
  const Storage storage = side == Side::time ? schedule.storage : schedule.pass.out_storage;
  return sector_overhead(schedule.digits, layout, side, storage) <= 1.0;
}

Swizzle choose_swizzle(const Schedule& schedule) {
  std::vector<SharedAccess> accesses;
  const unsigned words_a_point = schedule.exchange_bytes() / 4;
  unsigned together = schedule.load.staged ? 16 / schedule.exchange_bytes() : 1;
  for (const Layout& layout : shared_trips(schedule)) {
    accesses.push_back(shared_access(schedule.digits, layout, words_a_point));
    together = std::max(together, accesses.back().points);
  }
  if (accesses.empty()) return {};
  return search_swizzle(accesses, static_cast<unsigned>(schedule.digits.size()),
                        static_cast<unsigned>(std::countr_zero(together)));
}

// Blocks that one of the batch takes: see LaunchShape.
std::uint64_t blocks_per_batch(const Pass& pass, unsigned columns) {
  if (pass.loops.empty()) return 0;
  std::uint64_t blocks = static_cast<std::uint64_t>(pass.loops.front().count) / columns;
  for (std::size_t i = 1; i < pass.loops.size(); ++i) {
    blocks *= static_cast<std::uint64_t>(pass.loops[i].count);
  }
  return blocks;
}

LaunchShape launch_shape(const Schedule& schedule, unsigned threads, std::int64_t n) {
  const unsigned warps = threads >> lane_bits;
  unsigned shared =
      shared_trips(schedule).empty() ? 0 : schedule.points_per_block() * schedule.exchange_bytes();
  if (schedule.engine == Engine::mma && schedule.mma_form == MmaForm::wmma) {
    shared = std::max(shared, warps * wmma_staging_bytes);
  }
  const auto columns = static_cast<unsigned>(schedule.points_per_block() / n);
  return {threads, shared, columns, blocks_per_batch(schedule.pass, columns)};
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
  if (schedule.engine != Engine::mma) return;
  const unsigned warps = warps_of_transform(schedule);
  const unsigned slots = warps > 1 ? (schedule.launch.threads >> lane_bits) * maximum_bytes : 0;
  if (schedule.launch.shared_bytes + slots > static_cast<unsigned>(target.shared_bytes)) return;
  schedule.scale_warps = warps;
  schedule.launch.shared_bytes += slots;
}

unsigned resident_blocks(const Schedule& schedule, const Target& target, unsigned most_registers) {
  const auto registers = static_cast<int>(most_registers);
  const int threads = static_cast<int>(schedule.launch.threads);
  const int by_registers = target.registers / (registers * threads);
  const int reserved = 1024;  // shared memory the driver keeps per block
  const int by_shared =
      target.shared_bytes / (static_cast<int>(schedule.launch.shared_bytes) + reserved);
  return static_cast<unsigned>(std::max(1, std::min(by_registers, by_shared)));
}

void require_fit(const Schedule& schedule, const Target& target) {
  if (static_cast<int>(schedule.launch.shared_bytes) <= target.shared_bytes) return;
  throw UnsupportedProblem("n", std::to_string(schedule.decomposition.n()),
                           "its tile needs " + std::to_string(schedule.launch.shared_bytes) +
                               " bytes of shared memory, a block of " + arch_name(target) +
                               " has " + std::to_string(target.shared_bytes));
}

bool takes_words(const Schedule& schedule) {
  for (const Phase& phase : schedule.phases) {
    for (const Step& step : phase.steps) {
      if (step.words) return true;
    }
  }
  return false;
}

// How the tile comes from and goes to global memory: staged where that is asked for or, open, where
// a warp would not fill its sectors; never where it moves nothing.
void choose_transfers(Schedule& schedule, const Tuning& tuning, BlockShape shape) {
  const Layout& first = schedule.phases.front().in;
  const Layout& last = schedule.phases.back().out;
  const Layout in = linear_layout(schedule.digits, shape, Side::time, schedule.words ? 2 : 1);
  const Layout out = linear_layout(schedule.digits, shape, Side::frequency, 1);
  const bool stage_load = tuning.stage_load.value_or(!is_direct(schedule, first, Side::time));
  const bool stage_store = tuning.stage_store.value_or(!is_direct(schedule, last, Side::frequency));
  schedule.load.staged = stage_load && in != first;
  schedule.load.layout = schedule.load.staged ? in : first;
  schedule.store.staged = stage_store && out != last;
  schedule.store.layout = schedule.store.staged ? out : last;
}

// `words`: products of radix 16 take complex words.
Schedule arrange(const Pass& pass, const Target& target, const Tuning& tuning, bool words) {
  const FftProblem& problem = pass.problem;
  Schedule result;
  result.pass = pass;
  result.decomposition = tuning.decomposition.value();
  result.engine = tuning.engine.value();
  result.storage = problem.storage;
  if (tuning.mma_form) result.mma_form = *tuning.mma_form;
  if (tuning.products) result.products = *tuning.products;

  const auto n = static_cast<std::uint32_t>(problem.n());
  const auto point_bits = static_cast<unsigned>(std::countr_zero(tuning.block_points.value()));
  const auto registers = static_cast<unsigned>(std::countr_zero(tuning.points_per_thread.value()));
  const BlockShape shape{registers, point_bits - registers};
  result.digits = make_digits(result.decomposition, *tuning.block_points / n, pass);
  result.phases = result.engine == Engine::mma
                      ? mma_phases(result.decomposition, {tuning.tensor_steps.value(), words},
                                   result.digits, shape)
                      : simt_phases(result.decomposition, result.digits, shape);

  result.words = result.storage != Storage::f32 && is_contiguous(pass) &&
                 result.phases.front().steps.front().words;
  choose_transfers(result, tuning, shape);
  result.swizzle = choose_swizzle(result);
  result.launch = launch_shape(result, 1u << shape.threads, n);
  choose_scaling(result, target);
  result.min_blocks = resident_blocks(result, target, tuning.registers.value());
  return result;
}

// On one side: strides of a tile that addresses are put together from as bits, and all others even
// where neighbours travel in pairs.
bool is_of_bits(const Pass& pass, std::int64_t stride, std::int64_t dist,
                std::int64_t Loop::*loop_stride) {
  const auto bit = [](std::int64_t value) {
    return std::has_single_bit(static_cast<std::uint64_t>(value));
  };
  const std::int64_t column = pass.loops.front().*loop_stride;
  const bool pairs = stride == 1 || column == 1;
  const bool even =
      dist % 2 == 0 && std::all_of(pass.loops.begin() + 1, pass.loops.end(),
                                   [&](const Loop& loop) { return loop.*loop_stride % 2 == 0; });
  return bit(stride) && bit(column) && (even || !pairs);
}

void require_bits(const Pass& pass) {
  if (is_contiguous(pass)) return;
  if (!pass.loops.empty() && is_of_bits(pass, pass.in_stride, pass.in_dist, &Loop::in_stride) &&
      is_of_bits(pass, pass.out_stride, pass.out_dist, &Loop::out_stride)) {
    return;
  }
  throw UnsupportedProblem(
      "layout", to_string(pass),
      "strides of points and of the innermost loop that are powers of two, all "
      "others even; copy the data into rows first");
}

// A block takes whole columns, and only those of one row of them.
void require_columns(const Pass& pass, const Tuning& tuning) {
  require_bits(pass);
  if (pass.loops.empty()) return;
  const std::int64_t columns = *tuning.block_points / pass.n();
  if (pass.loops.front().count % columns == 0) return;
  throw UnsupportedProblem("block_points", std::to_string(*tuning.block_points),
                           "a divisor of the " + std::to_string(pass.loops.front().count) +
                               " transforms side by side, times n = " + std::to_string(pass.n()));
}

}  // namespace

Schedule schedule(const Pass& pass, const Target& target, const Tuning& tuning) {
  require_columns(pass, tuning);
  const bool words = tuning.products == 1u && tuning.mma_form == MmaForm::ptx;
  Schedule result = arrange(pass, target, tuning, words);
  // Complex words have no scale but the transform's.
  if (takes_words(result) && result.scale_warps == 0) {
    result = arrange(pass, target, tuning, false);
  }
  require_fit(result, target);
  if (const std::string wrong = check(result); !wrong.empty()) {
    throw InternalError("schedule: " + wrong + "\n" + to_string(result));
  }
  return result;
}

Schedule schedule(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  return schedule(single_pass(problem), target, tuning);
}

Layout Phase::layout_before(std::size_t i) const {
  const auto left = std::find_if(steps.begin(), steps.end(),
                                 [](const Step& step) { return step.form == StepForm::left; });
  Layout layout =
      left != steps.end() && left - steps.begin() >= static_cast<std::ptrdiff_t>(i) ? in : out;
  layout.folded.clear();
  for (; i < steps.size(); ++i) {
    if (steps[i].folds) layout.folded.push_back(steps[i].index);
  }
  return layout;
}

unsigned Schedule::points_per_block() const {
  unsigned points = 1;
  for (const Digit& digit : digits) points *= digit.count;
  return points;
}

const Step& step_of(const Schedule& schedule, unsigned index) {
  for (const Phase& phase : schedule.phases) {
    for (const Step& step : phase.steps) {
      if (step.index == index) return step;
    }
  }
  throw InternalError("step_of: no step " + std::to_string(index + 1));
}

std::vector<Layout> shared_trips(const Schedule& schedule) {
  std::vector<Layout> trips;
  const auto exchange = [&](const Layout& from, const Layout& to) {
    if (from == to) return;
    trips.push_back(from);
    trips.push_back(to);
  };
  exchange(schedule.load.layout, schedule.phases.front().in);
  for (std::size_t p = 0; p + 1 < schedule.phases.size(); ++p) {
    exchange(schedule.phases[p].out, schedule.phases[p + 1].in);
  }
  exchange(schedule.phases.back().out, schedule.store.layout);
  return trips;
}

double sector_overhead(const std::vector<Digit>& digits, const Layout& layout, Side side,
                       Storage storage) {
  const LinearMap map = memory_map(digits, layout, side);
  const std::uint32_t sector_points = 32 / point_bytes(storage);
  const auto pair = std::find(map.register_bits.begin(), map.register_bits.end(), 1u);
  const std::uint32_t points = pair == map.register_bits.end() ? 1 : 2;
  std::set<std::uint32_t> sectors;
  for (std::uint32_t lane = 0; lane < (1u << lane_bits); ++lane) {
    sectors.insert(map.of_thread(lane) / sector_points);
  }
  return static_cast<double>(sectors.size() * sector_points) /
         static_cast<double>((1u << lane_bits) * points);
}

}  // namespace sonoma
