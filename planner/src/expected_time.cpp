#include "sonoma/expected_time.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gpu_facts.hpp"
#include "sonoma/cost_model.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {
namespace {

// Launches with one choice.
struct Share {
  const Choice& choice;
  const FftProblem& problem;
  std::int64_t batch;
  std::span<const Launch> launches;
};

std::vector<Share> shares_of_choices(const Planned& planned, const FftProblem& problem) {
  const Program& program = planned.taken();
  const std::vector<Choice>& axes = planned.choice.axes;
  if (axes.empty() || axes.size() != program.axes.size()) {
    return {{planned.choice, problem, problem.batch, program.launches}};
  }
  std::vector<Share> shares;
  std::span<const Launch> left = program.launches;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const AxisLaunches& axis = program.axes[i];
    shares.push_back(
        {axes[i], axis.problem, problem.batch * axis.repeat, left.first(axis.launches)});
    left = left.subspan(axis.launches);
  }
  return shares;
}

// 1: all multiprocessors have as many blocks; 2: half of them idle. A block that is alone on one
// takes about as long as it holds up the others where there are many.
double idle(const Launch& launch, std::int64_t batch, const Target& target) {
  const Schedule made = outline(launch.pass, target, launch.shape);
  const auto blocks = static_cast<double>(made.launch.blocks(static_cast<std::uint64_t>(batch)));
  return std::ceil(blocks / target.sms) * target.sms / blocks;
}

// By the cost model, whose copy is one of the complex points that the first launch takes.
double estimated_copies(const Share& share, const Target& target) {
  const Program own{share.problem, {share.launches.begin(), share.launches.end()}};
  FftProblem one = share.problem;
  one.batch = 1;
  const auto moved = static_cast<double>(one.in_points() * one.bytes_of_point(true) +
                                         one.out_points() * one.bytes_of_point(false));
  const bool whole = share.launches.size() == 1 && !share.launches.front().fusion;
  const Pass& first = share.launches.front().pass;
  const std::int64_t points = whole ? first.n() * transforms_of(one) : one.points();
  const double of_points = 2.0 * static_cast<double>(points * point_bytes(first.in.storage));
  return of_points / moved / estimate_cost(own, target).eff();
}

// A launch that takes so many copies' time T where memory brings an SM so many bytes, on a GPU
// where it brings `share` of that. What memory does and what the SMs do, X, hide each other but for
//
//   T^4 = C^4 + X^4,   of two passes in one launch   T = C + X,
//
// C a copy's time, in which X is known and stays. The powers are those of 203 kernels of 24
// lengths, measured on an H200 and on an H100, which they meet within 2.9 % in the root mean
// square, in one launch 5.1 % (bench/NOTES.md; as the H200's share of a copy: 15.5 %).
double with_memory(double copies, double share, bool two_passes) {
  const double power = two_passes ? 1 : 4;
  const double others = std::pow(std::max(copies, 1.0), power) - 1;
  return std::pow(1 + others * std::pow(share, power), 1 / power);
}

// Of one launch of a choice that has as many.
double copies_of(const Share& share, const Launch& launch, const Target& target,
                 std::string_view device) {
  const auto& measured = share.choice.measured;
  const double copies = measured ? 1 / measured->eff : estimated_copies(share, target);
  const double own = copies / static_cast<double>(share.launches.size());
  if (device.empty() || (measured && device == measured->platform.device)) return own;
  const std::string_view there = measured ? measured->platform.device : std::string_view();
  const double bytes = bytes_of_sm(gpu_facts(target, there));
  return with_memory(own, bytes_of_sm(gpu_facts(target, device)) / bytes,
                     launch.fusion.has_value());
}

}  // namespace

ExpectedTime expected_time(const Planned& planned, const FftProblem& problem, const Target& target,
                           std::string_view device) {
  ExpectedTime time;
  for (const Share& share : shares_of_choices(planned, problem)) {
    time.measured = time.measured && share.choice.measured;
    for (const Launch& launch : share.launches) {
      time.copies += copies_of(share, launch, target, device) * idle(launch, share.batch, target);
    }
  }
  return time;
}

}  // namespace sonoma
