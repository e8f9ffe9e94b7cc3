#include "starts.hpp"

#include <utility>

namespace sonoma::test {

std::vector<std::int64_t> starts(const FftProblem& problem, bool input) {
  std::vector<std::int64_t> places;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    places.push_back(b * (input ? problem.in_dist() : problem.out_dist()));
  }
  for (const Loop& loop : problem.layout.loops) {
    const std::vector<std::int64_t> before = std::exchange(places, {});
    for (const std::int64_t place : before) {
      for (std::int64_t i = 0; i < loop.count; ++i) {
        places.push_back(place + i * (loop.stride(input)));
      }
    }
  }
  return places;
}

}  // namespace sonoma::test
