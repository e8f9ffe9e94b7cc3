// Which lengths a search tries for convolutions by Bluestein's algorithm.
#include <algorithm>

#include "search.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "trees.hpp"

namespace sonoma {
namespace {

// The shortest convolutions that have no factors between their last two steps.
std::vector<std::int64_t> coprime_lengths(std::int64_t n, std::size_t most) {
  constexpr std::int64_t percent = 6;
  const std::int64_t least = 2 * n - 1;
  std::vector<std::int64_t> lengths;
  for (std::int64_t m = least; 100 * m <= (100 + percent) * least; ++m) {
    if (lengths.size() == most) break;
    if (is_smooth(m, 13) && std::ranges::any_of(mixed_trees(m), ends_coprime)) lengths.push_back(m);
  }
  return lengths;
}

}  // namespace

std::vector<std::int64_t> convolution_lengths_tried(const FftProblem& problem, bool patient) {
  constexpr std::size_t usual = 4, shortest = 8;
  const std::int64_t n = problem.n();
  std::vector<std::int64_t> lengths = convolution_lengths(n, usual);
  if (!patient || n > largest_mixed_tile / 2) return lengths;
  for (const std::int64_t m : coprime_lengths(n, shortest)) {
    if (std::ranges::find(lengths, m) == lengths.end()) lengths.push_back(m);
  }
  return lengths;
}

}  // namespace sonoma
