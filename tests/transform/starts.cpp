#include "starts.hpp"

#include <utility>

namespace sonoma::test {
namespace {

// The batch, and within it the loops, each `strides` apart.
std::vector<std::int64_t> all_starts(const FftProblem& problem, std::int64_t dist,
                                     const std::vector<std::int64_t>& strides) {
  std::vector<std::int64_t> places;
  for (std::int64_t b = 0; b < problem.batch; ++b) places.push_back(b * dist);
  for (std::size_t l = 0; l < strides.size(); ++l) {
    const std::vector<std::int64_t> before = std::exchange(places, {});
    for (const std::int64_t place : before) {
      for (std::int64_t i = 0; i < problem.layout.loops[l].count; ++i) {
        places.push_back(place + i * strides[l]);
      }
    }
  }
  return places;
}

}  // namespace

std::vector<std::int64_t> starts(const FftProblem& problem, bool input) {
  std::vector<std::int64_t> strides;
  for (const Loop& loop : problem.layout.loops) strides.push_back(loop.stride(input));
  return all_starts(problem, input ? problem.in_dist() : problem.out_dist(), strides);
}

std::vector<std::int64_t> starts_of_signals(const FftProblem& problem) {
  std::vector<std::int64_t> places;
  for (const std::int64_t start : starts(problem, true)) {
    for (std::int64_t c = 0; c < problem.channels(); ++c) {
      places.push_back(start + c * problem.channel_dist());
    }
  }
  return places;
}

std::vector<std::int64_t> starts_of_spectra(const FftProblem& problem) {
  std::vector<std::int64_t> strides = problem.convolution.value().spectrum_strides;
  strides.resize(problem.layout.loops.size());
  return all_starts(problem, problem.convolution->spectrum_dist, strides);
}

}  // namespace sonoma::test
