// A cluster of blocks for each of few transforms that a block takes alone otherwise, of complex
// points or of pairs of real numbers; or one of more blocks.
#include <algorithm>
#include <utility>

#include "axes.hpp"
#include "for_batch.hpp"
#include "measured.hpp"
#include "profile.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// How often its blocks move the bytes of a transform, there and back in the mean: runs of
// neighbours are shorter than those of one block; frequencies of rows follow each other. What
// several digits number counts as more. Throws UnsupportedProblem where the steps cannot number
// them.
double sectors_of(const Launch& launch, const Target& target) {
  const Schedule made = outline(launch.pass, target, launch.shape);
  const auto of = [&](const Layout& layout, Side side, bool input) {
    if (launch.pass.is_mirrored(input) && !launch.shape.opposite) return 1.0;
    return sector_overhead(made.digits, layout, side, launch.pass.bytes_of_point(input));
  };
  const double sectors =
      (of(made.load.layout, Side::time, true) + of(made.store.layout, made.side_stored(), false)) /
      2;
  return digits_of_blocks(made) > 1 ? profile_of(target).few.several_digits * sectors : sectors;
}

// Digits of steps before the points change their blocks number these, and again digits of those
// after; with opposite butterflies one side has none: see BlockNumbers.
bool may_be_numbered(const Launch& made, unsigned blocks) {
  const std::int64_t n = made.pass.n();
  return n % blocks == 0 && (made.shape.opposite || n / blocks % blocks == 0);
}

struct Clustered {
  Program program;
  double share = 1;  // of the time that `made` takes, by the bytes that each of these blocks moves
};

// The steps by a cluster for each transform, or nothing where that serves less: see FewRules. Or
// its share is above `best`, which whole sectors alone may tell.
std::optional<Clustered> by_cluster(const Launch& made, unsigned blocks, const FftProblem& problem,
                                    const Target& target, double best) {
  const FewRules& rules = profile_of(target).few;
  const double crowd = static_cast<double>(problem.batch * blocks) / target.sms;
  const unsigned before = made.shape.shares.cluster;
  const auto share_of = [&](double sectors) {
    return before == 1 ? rules.share_of(blocks, sectors, crowd)
                       : FewRules::share_of_more(before, blocks, sectors, crowd);
  };
  const double most = before == 1 ? rules.most_share : rules.most_share_of_more;
  const bool planes = problem.lengths.size() > 1;
  const double least = share_of(1);
  if (!may_be_numbered(made, blocks) || least >= most || least > best) return std::nullopt;
  if (planes && !rules.serve_planes(crowd)) return std::nullopt;
  Tuning spread = tuning_of(made.shape);
  spread.cluster = blocks;
  spread.points_per_thread.reset(), spread.block_points.reset(), spread.registers.reset();
  spread.threads.reset();
  spread.prefetch = Prefetch::none;  // no block follows
  try {
    auto program = planes ? in_one_launch(problem, target, spread)
                          : std::optional(make_program(problem, target, spread));
    if (!program) return std::nullopt;
    const double sectors = sectors_of(program->launches.at(0), target);
    const double share = share_of(sectors);
    const bool serves = share < most && (planes || rules.serve(blocks, sectors, crowd));
    return serves ? std::optional(Clustered{std::move(*program), share}) : std::nullopt;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

// By the cluster of the least share, of those whose blocks crowd an SM or of those that do not: of
// fewer blocks none has less than its part, which ends the search.
std::optional<Program> by_best_cluster(const Launch& made, bool crowded, const FftProblem& problem,
                                       const Target& target) {
  const FewRules& rules = profile_of(target).few;
  const unsigned before = made.shape.shares.cluster;
  const unsigned usual =
      before > 1 ? largest_cluster(target) : std::min(rules.usual_cluster, largest_cluster(target));
  const unsigned fewest = std::max(before + 1, rules.smallest_cluster);
  std::optional<Clustered> best;
  const auto one_by = [&](unsigned blocks) -> std::optional<Clustered> {
    if ((problem.batch * blocks > target.sms) != crowded) return std::nullopt;
    return by_cluster(made, blocks, problem, target, best ? best->share : 1);
  };
  for (unsigned blocks = usual; blocks >= fewest; --blocks) {
    if (best && best->share < 1.0 * before / blocks) break;
    auto one = one_by(blocks);
    if (one && (!best || one->share <= best->share)) best = std::move(one);
  }
  for (unsigned blocks = usual + 1; blocks <= largest_cluster(target); ++blocks) {
    auto one = one_by(blocks);
    if (one && (!best || one->share < rules.unusual_share * best->share)) best = std::move(one);
  }
  return best ? std::optional(std::move(best->program)) : std::nullopt;
}

}  // namespace

unsigned largest_cluster(const Target& target) {
  return target.arch == 90 || target.arch == 100 ? 16 : 8;
}

std::optional<Program> over_clusters(const Launch& made, const FftProblem& problem,
                                     const Target& target, const Tuning& given) {
  const Shape& shape = made.shape;
  // By 8 blocks in place of 4 c2r of 65536 numbers takes 1.05 times as long.
  const bool more = shape.opposite && problem.domain == Domain::r2c && shape.shares.rounds == 1;
  const bool alone = shape.shares.parts() == 1 || more;
  const bool axes = problem.lengths.size() > 1;  // of complex points see by_axes()
  const bool serves = axes ? has_hermitian(problem.domain) && shape.mixed()
                           : problem.domain == Domain::c2c || shape.opposite;
  const bool plain = serves && alone && shape.block_points == made.pass.n() &&
                     problem.layout.loops.empty() && !problem.convolution && !shape.convolves();
  const bool long_enough = made.pass.n() >= profile_of(target).few.shortest_in_clusters;
  if (!plain || !long_enough || engine_of(shape.arithmetic) != Engine::simt || says_shapes(given) ||
      given.threads || !target.has_clusters() || depends_on_threads(shape.twiddles)) {
    return std::nullopt;
  }
  if (auto apart = by_best_cluster(made, false, problem, target)) return apart;
  return by_best_cluster(made, true, problem, target);
}

}  // namespace sonoma
