#include "suite.hpp"

namespace sonoma::bench {
namespace {

template <class BatchOf>
std::vector<FftProblem> powers_of_two(const Selection& selection, BatchOf&& batch_of) {
  std::vector<FftProblem> problems;
  for (const Storage storage : selection.storages) {
    for (std::int64_t n = 2; n <= selection.longest; n *= 2) {
      FftProblem problem;
      problem.lengths.push_back(n);
      problem.batch = batch_of(n);
      problem.storage = storage;
      if (n >= selection.shortest && problem.batch >= 1) problems.push_back(problem);
    }
  }
  return problems;
}

}  // namespace

Suite pow2_suite(const Selection& selection) {
  const std::int64_t points = std::int64_t{1} << selection.log2_points;
  Suite suite;
  suite.name = "pow2";
  suite.about =
      "2^" + std::to_string(selection.log2_points) + " points a run, out of place, forward";
  suite.problems = powers_of_two(selection, [&](std::int64_t n) { return points / n; });
  return suite;
}

Suite single_suite(const Selection& selection) {
  Suite suite;
  suite.name = "single";
  suite.about = "one transform a launch, out of place, forward";
  suite.problems = powers_of_two(selection, [](std::int64_t) { return 1; });
  suite.launches = 100;
  return suite;
}

std::int64_t points_of(const FftProblem& problem) {
  std::int64_t points = problem.batch;
  for (const std::int64_t length : problem.lengths) points *= length;
  return points;
}

std::size_t bytes_of(const FftProblem& problem) {
  return static_cast<std::size_t>(points_of(problem)) * point_bytes(problem.storage);
}

std::string dims_of(const FftProblem& problem) {
  std::string text;
  for (const std::int64_t length : problem.lengths) {
    text += (text.empty() ? "" : "x") + std::to_string(length);
  }
  return text;
}

}  // namespace sonoma::bench
