#include "sonoma/expected_time.hpp"

#include <algorithm>
#include <cmath>
#include <span>

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
  const Schedule made = schedule(launch.pass, target, launch.shape);
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

}  // namespace

ExpectedTime expected_time(const Planned& planned, const FftProblem& problem,
                           const Target& target) {
  ExpectedTime time;
  for (const Share& share : shares_of_choices(planned, problem)) {
    const auto& measured = share.choice.measured;
    const double copies = measured ? 1 / measured->eff : estimated_copies(share, target);
    time.measured = time.measured && measured;
    for (const Launch& launch : share.launches) {
      time.copies +=
          copies / static_cast<double>(share.launches.size()) * idle(launch, share.batch, target);
    }
  }
  return time;
}

}  // namespace sonoma
