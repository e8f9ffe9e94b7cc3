#include "sonoma/program.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "cluster_choice.hpp"
#include "pass_lengths.hpp"
#include "program_parts.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

// 512 MB of FP32. Measured on an H200 with separate launches: 2^26 points at once take 10 to 25 %
// less time than in parts that stay in the L2 cache, between which the device idles.
constexpr std::int64_t workspace_points_by_default = std::int64_t{1} << 26;

// What lies between the passes of one launch. Measured on an H200 (2^26 points): 24 MB were the
// fastest beside what streams through the L2 cache. One launch takes 8 to 15 % less time than two
// up to 2^18 points; at 2^19 as much; then the tiles that wait for a whole transform take more.
constexpr std::int64_t ring_points_by_default = 3 * (std::int64_t{1} << 20);
constexpr std::int64_t largest_fused = std::int64_t{1} << 18;
// Of a batch: fewer leave few tiles of both passes under way at once.
constexpr std::int64_t fewest_fused_points = std::int64_t{1} << 24;

// Longer passes have their steps in two phases, and one exchange, with this many points a thread.
constexpr unsigned fused_points_per_thread = 32;
constexpr std::int64_t longest_of_16_points = 256;

// Counters of different blocks' business are 128 bytes apart.
constexpr unsigned ticket_bytes = 128;

}  // namespace

std::int64_t transforms_of(const FftProblem& problem) {
  std::int64_t count = 1;
  for (const Loop& loop : problem.layout.loops) count *= loop.count;
  return count;
}

void append_loops(Pass& pass, const FftProblem& problem, bool first, bool last) {
  std::int64_t inner = problem.n();
  for (const Loop& loop : problem.layout.loops) {
    pass.loops.push_back(
        {loop.count, first ? loop.in_stride : inner, last ? loop.out_stride : inner});
    inner *= loop.count;
  }
}

Pass pass_of(const FftProblem& problem, const std::vector<std::int64_t>& lengths, std::size_t p) {
  const auto product = [&](std::size_t from, std::size_t to) {
    return std::accumulate(lengths.begin() + static_cast<std::ptrdiff_t>(from),
                           lengths.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1},
                           std::multiplies<>());
  };
  const std::int64_t n = problem.n(), below = product(p + 1, lengths.size());
  const bool first = p == 0, last = p + 1 == lengths.size();
  // In the workspace, transforms follow each other.
  const DataLayout& layout = problem.layout;
  const std::int64_t in = first ? layout.in_stride : 1, out = last ? layout.out_stride : 1;
  Pass pass;
  pass.problem = problem;
  pass.problem.layout = {}, pass.problem.ends = {}, pass.problem.out_storage.reset();
  pass.problem.lengths = {lengths[p]}, pass.problem.batch = 1, pass.problem.scale = 1;
  pass.in_dist = first ? problem.in_dist() : n * transforms_of(problem);
  pass.out_dist = last ? problem.out_dist() : n * transforms_of(problem);
  pass.part = Part{lengths, static_cast<unsigned>(p + 1), problem};
  pass.part->whole.batch = 1;
  pass.problem.storage = pass.in_storage = first ? problem.storage : Storage::f32;
  pass.out_storage = last ? problem.result_storage() : Storage::f32;
  pass.in_stride = below * in;
  if (!last) {
    pass.out_stride = below;
    pass.twiddle_length = below * lengths[p];
    pass.loops = {{below, in, 1}};
    if (!first) pass.loops.push_back({product(0, p), pass.twiddle_length, pass.twiddle_length});
  } else {
    pass.problem.scale = problem.scale;
    pass.out_stride = n / lengths[p] * out;
    // k1 is the fastest in the output: its values are the columns; then k2, ...
    std::int64_t in_stride = n, out_stride = out;
    for (std::size_t q = 0; q < p; ++q) {
      in_stride /= lengths[q];
      pass.loops.push_back({lengths[q], in_stride, out_stride});
      out_stride *= lengths[q];
    }
  }
  append_loops(pass, problem, first, last);
  return pass;
}

namespace {

// Measured on an H200 (2^26 points): tiles of 8192 points and more leave few blocks an SM; from 512
// points on one block more beats registers, from 2048 on threads of 32 points do.
void choose_shape(Tuning& kernel, const Pass& pass) {
  if (kernel.points_per_thread || kernel.registers || *kernel.block_points < 8192) return;
  if (!std::has_single_bit(*kernel.block_points)) return;
  if (pass.n() >= 2048) kernel.points_per_thread = 32;
  kernel.registers = pass.n() >= 2048 ? 128 : 64;
}

bool is_bit(std::int64_t n) { return std::has_single_bit(static_cast<std::uint64_t>(n)); }

// Measured on an H200 (2^26 points): a tile of 16384 points leaves an SM one block, in rounds two.
// The last pass of 2048 points .81 to .89 of a copy, of 4096 .78 to .81; the first one, of whose
// time the distance of its points is more, .70 to .75 and .59 to .53.
void choose_rounds(Tuning& kernel, const Pass& pass, const Target& target) {
  const bool open = !kernel.rounds && !kernel.cluster &&
                    kernel.points_per_thread.value_or(32) == 32 &&
                    kernel.registers.value_or(128) == 128;
  const bool serves = target.arch == 90 && pass.part && !pass.convolution && !pass.has_ends() &&
                      kernel.engine == Engine::simt && kernel.block_points == 16384u &&
                      pass.whole().storage == Storage::f32;
  if (!open || !serves || pass.n() < 2048 || (pass.twiddle_length != 0 && pass.n() > 2048)) return;
  kernel.rounds = 2, kernel.points_per_thread = 32, kernel.registers = 128;
  kernel.radix.reset();
}

bool is_long(const Part& part) {
  return *std::min_element(part.lengths.begin(), part.lengths.end()) > longest_of_16_points;
}

}  // namespace

Tuning kernel_tuning(const Tuning& tuning, const Pass& pass, const Target& target, bool fused) {
  Tuning kernel = tuning;
  kernel.pass_lengths.reset(), kernel.columns.reset(), kernel.workspace_points.reset();
  kernel.fused.reset();
  if (pass.part) kernel.method.reset();
  // An arithmetic that was named has an engine.
  if (!kernel.engine && !pass.problem.accuracy.arithmetic) kernel.engine = Engine::simt;
  if (fused && is_long(*pass.part) && kernel.engine == Engine::simt && !kernel.points_per_thread) {
    kernel.points_per_thread = fused_points_per_thread;
  }
  const bool convolves = method_for(kernel, pass.n()) != Method::radix;
  if (!kernel.block_points && !(convolves && pass.loops.empty())) {
    const bool alone = !pass.part && kernel.cluster.value_or(1) * kernel.rounds.value_or(1) > 1;
    const std::int64_t length = convolves ? convolution_length(kernel, pass.n()) : pass.n();
    kernel.block_points =
        static_cast<unsigned>(length) * (alone ? 1 : columns_of(tuning, pass, target));
  }
  if (!fused) choose_rounds(kernel, pass, target);
  if (kernel.engine == Engine::simt && !convolves) choose_shape(kernel, pass);
  // Measured on an H200: what the table takes less, a pass of long columns gains (2^24: .315 to
  // .334).
  const bool bits = std::has_single_bit(kernel.block_points.value_or(0));
  const bool steps = pass.part && !pass.convolution && kernel.engine == Engine::simt && bits;
  const bool large_table = pass.n() >= 4096 || pass.tree_columns() > 1;
  if (!kernel.twiddles && steps && large_table) kernel.twiddles = Twiddles::products;
  return kernel;
}

namespace {

// In the order of their launches.
std::vector<Pass> passes_of(const FftProblem& problem, const std::vector<std::int64_t>& lengths,
                            const Tuning& tuning, bool sections) {
  if (problem.order == Order::transposed) return transposed_passes(problem, lengths);
  std::vector<Pass> passes;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    Pass& pass = passes.emplace_back(pass_of(problem, lengths, p));
    if (!sections) continue;
    pass.part->tree = tuning.decomposition;
    pass.twiddle_length = 0;
  }
  return passes;
}

// By default where that was measured to be faster: plain passes of powers of two.
bool is_fused(const FftProblem& problem, const Tuning& tuning, const std::vector<Pass>& passes) {
  if (tuning.fused.value_or(false)) {
    const bool alone = tuning.rounds.value_or(1) * tuning.cluster.value_or(1) == 1;
    if (passes.size() == 2 && alone) return true;
    throw UnsupportedProblem("fused", to_list(passes.front().part->lengths),
                             "two passes in one launch, whose blocks take tickets one by one, not "
                             "in rounds nor by clusters; drop it");
  }
  const bool plain =
      passes.size() == 2 && is_bit(problem.n()) && transforms_of(problem) == 1 &&
      !single_pass(problem).has_ends() &&
      std::all_of(passes.begin(), passes.end(), [](const Pass& pass) { return is_of_bits(pass); });
  return !tuning.fused && plain && problem.n() <= largest_fused &&
         problem.n() * problem.batch >= fewest_fused_points;
}

// Both passes take tiles of as many points, so that their blocks have as many threads.
Launch fuse(const Launch& first, const Launch& second, const Tuning& tuning, const Target& target) {
  const unsigned points = std::min(*first.tuning.block_points, *second.tuning.block_points);
  if (points % first.pass.n() != 0 || points % second.pass.n() != 0) {
    throw UnsupportedProblem("fused", to_list(first.pass.part->lengths),
                             "two passes in one launch whose tiles have as many points: "
                             "block_points a multiple of both lengths, equal lengths, or drop it");
  }
  const auto with_points = [&](const Launch& launch) {
    Tuning own = launch.tuning;
    own.block_points = points;
    return resolve(own, launch.pass.problem, target);
  };
  const std::int64_t n = first.pass.out_dist;
  const std::int64_t ring = tuning.workspace_points.value_or(ring_points_by_default);
  Fusion fusion{second.pass, with_points(second), 2, 1};
  fusion.slots = static_cast<unsigned>(std::max<std::int64_t>(2, ring / n));
  const auto tiles = static_cast<unsigned>(n / points);
  fusion.lag = std::max(tiles, fusion.slots * tiles / 2);
  return {first.pass, with_points(first), Buffer::input, Buffer::output, fusion};
}

// What a pass leaves for the next one.
void store_between(Program& program, const std::vector<std::int64_t>& lengths) {
  std::vector<Launch>& launches = program.launches;
  Tuning whole = launches.front().tuning;
  whole.pass_lengths = lengths;
  const bool rounded = rounded_boundaries(program.problem, whole) > 0;
  const Storage between = rounded ? Storage::c12e8 : Storage::f32;
  for (std::size_t i = 0; i + 1 < launches.size(); ++i) {
    launches[i].pass.out_storage = launches[i + 1].pass.in_storage = between;
  }
}

Launch one_launch(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  const Pass pass = single_pass(problem);
  const Tuning own = is_plain(problem, tuning) ? tuning
                                               : resolve(kernel_tuning(tuning, pass, target, false),
                                                         pass.problem, target);
  return {pass, own, Buffer::input, Buffer::output};
}

}  // namespace

std::int64_t transforms_together(const FftProblem& problem, const Tuning& tuning,
                                 std::int64_t points) {
  const std::int64_t room = tuning.workspace_points.value_or(workspace_points_by_default) / points;
  const std::int64_t in_bytes = problem.in_dist() * point_bytes(problem.storage);
  const std::int64_t out_bytes = problem.out_dist() * point_bytes(problem.result_storage());
  std::int64_t step = 1;
  while (step * in_bytes % 16 != 0 || step * out_bytes % 16 != 0) {
    step *= 2;
  }
  return (std::max<std::int64_t>(1, room) + step - 1) / step * step;
}

unsigned counter_bytes(unsigned slots) {
  const unsigned bytes = ticket_bytes + 2 * slots * 4;
  return (bytes + 255) / 256 * 256;
}

std::string check(const Fusion& fusion, std::uint64_t tiles) {
  if (fusion.slots < 2) return "a ring of fewer than two slots";
  if (fusion.lag < tiles) return "a tile of the second pass before the first pass of its transform";
  if (fusion.lag > (fusion.slots - 1) * tiles) {
    return "a tile of the first pass before the second pass has left its slot";
  }
  return {};
}

std::int64_t Program::together(std::int64_t batch) const {
  return transforms_together == 0 ? batch : std::min(batch, transforms_together);
}

std::uint64_t Program::workspace_bytes(std::int64_t batch) const {
  std::uint64_t transforms = static_cast<std::uint64_t>(together(batch)), counters = 0;
  if (const auto& fusion = launches.front().fusion) {
    transforms = std::min<std::uint64_t>(transforms, fusion->slots);
    counters = counter_bytes(fusion->slots);
  }
  return counters + static_cast<std::uint64_t>(workspace_points) * transforms *
                        point_bytes(launches.front().pass.out_storage);
}

bool takes_passes(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  const Method method = method_for(tuning, problem, target);
  return tuning.pass_lengths.has_value() || tuning.fused.value_or(false) ||
         problem.n() > largest_of_one_pass(target, problem.n(), method,
                                           default_shares(problem, target, tuning).parts(),
                                           takes_mma(tuning, problem));
}

bool is_plain(const FftProblem& problem, const Tuning& tuning) {
  const bool bits = std::has_single_bit(static_cast<std::uint64_t>(problem.n()));
  const bool half = bits || method_for(tuning, problem.n()) != Method::radix;
  return problem.n() <= (half ? 8192 : largest_mixed(problem.n())) && !tuning.pass_lengths &&
         !tuning.columns && !tuning.fused && is_contiguous(single_pass(problem)) &&
         problem.ends == Ends{} && !problem.out_storage && problem.storage != Storage::i16;
}

namespace {

// Blocks of passes that nobody asked for are not meant.
void require_no_shares(const Tuning& tuning, const FftProblem& problem) {
  if (tuning.pass_lengths) return;
  const std::string one = "1 for n = " + std::to_string(problem.n()) + " in several passes";
  const std::string way_out = ", or pass_lengths, whose blocks are to be such ones";
  if (tuning.rounds.value_or(1) > 1) {
    throw UnsupportedProblem("rounds", std::to_string(*tuning.rounds), one + way_out);
  }
  if (tuning.cluster.value_or(1) > 1) {
    throw UnsupportedProblem("cluster", std::to_string(*tuning.cluster),
                             one + ", blocks enough to take it in one" + way_out);
  }
}

}  // namespace

Program make_program(const FftProblem& problem, const Target& target, const Tuning& given) {
  const Shares shares = default_shares(problem, target, given);
  Tuning asked = given;
  if (!asked.engine && takes_mma(given, problem)) asked.engine = Engine::mma;
  Tuning tuning = asked;
  tuning.cluster = shares.cluster, tuning.rounds = shares.rounds;
  Program program;
  program.problem = problem;
  program.problem.batch = 1;
  if (!takes_passes(problem, target, tuning)) {
    if (method_for(tuning, problem, target) == Method::rader) tuning.method = Method::rader;
    program.launches = {one_launch(program.problem, target, tuning)};
    return program;
  }
  require_no_shares(given, problem);
  tuning = asked;
  if (method_for(tuning, problem.n()) == Method::bluestein) {
    return convolution_program(program.problem, target, tuning);
  }
  const auto lengths = default_lengths(problem, tuning, target);
  check_pass_lengths(lengths, problem);
  const std::vector<Decomposition> trees = sections(problem, tuning);
  const std::vector<Pass> passes = passes_of(problem, lengths, tuning, !trees.empty());
  const bool fused = is_fused(problem, tuning, passes);
  for (std::size_t p = 0; p < passes.size(); ++p) {
    const Pass& pass = passes[p];
    if (!trees.empty()) tuning.decomposition = trees[p];
    program.launches.push_back(
        {pass, resolve(kernel_tuning(tuning, pass, target, fused), pass.problem, target),
         p == 0 ? Buffer::input : Buffer::workspace,
         p + 1 == lengths.size() ? Buffer::output : Buffer::workspace});
  }
  store_between(program, lengths);
  program.workspace_points = problem.n() * transforms_of(problem);
  if (fused) {
    program.launches = {fuse(program.launches[0], program.launches[1], tuning, target)};
    return program;
  }
  program.transforms_together = transforms_together(problem, tuning, program.workspace_points);
  return program;
}

std::string to_string(Buffer buffer) {
  static constexpr const char* names[] = {"input", "workspace", "output"};
  return names[static_cast<int>(buffer)];
}

std::string to_string(const Program& program) {
  std::string text;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const Launch& launch = program.launches[i];
    text += "launch " + std::to_string(i + 1) + ": " + to_string(launch.from) + " to " +
            to_string(launch.to) + ", " + to_string(launch.pass) + "\n  " +
            to_string(launch.tuning) + "\n";
    if (const auto& fusion = launch.fusion) {
      text += "  in turns with " + to_string(fusion->pass) + "\n  " + to_string(fusion->tuning) +
              "\n  through a ring of " + std::to_string(fusion->slots) + " transforms, " +
              std::to_string(fusion->lag) + " tiles behind\n";
    }
  }
  return text;
}

}  // namespace sonoma
