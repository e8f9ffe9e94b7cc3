#include "sonoma/fast_size.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/errors.hpp"
#include "sonoma/expected_time.hpp"

namespace sonoma {
namespace {

using Lengths = std::vector<std::int64_t>;

constexpr std::int64_t longest = std::int64_t{1} << 31;

// Its own, products of small primes from n on, and the next power of two, which is the last one.
Lengths lengths_from(std::int64_t n, std::size_t few) {
  const auto bits = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  Lengths lengths = {n};
  for (std::int64_t m = n + 1; m < bits && lengths.size() < few; ++m) {
    if (is_smooth(m, 13)) lengths.push_back(m);
  }
  if (bits != n) lengths.push_back(bits);
  return lengths;
}

void require_served(const FftProblem& least) {
  if (least.lengths.empty() || least.lengths.size() > 2) {
    throw UnsupportedProblem("lengths", to_shape(least.lengths), "one axis or two");
  }
  for (const std::int64_t n : least.lengths) {
    if (n >= 1 && n <= longest) continue;
    throw UnsupportedProblem("n", std::to_string(n), "1 to " + std::to_string(longest));
  }
  if (least.layout == DataLayout{} && least.ends == Ends{}) return;
  throw UnsupportedProblem("layout", "strides, loops or ends",
                           "transforms of whole rows; ask without them for the lengths");
}

// Smallest first.
std::vector<Lengths> shapes_from(const Lengths& least) {
  constexpr std::size_t few = 48, few_of_two = 6;
  std::vector<Lengths> shapes;
  if (least.size() == 1) {
    for (const std::int64_t n : lengths_from(least[0], few)) shapes.push_back({n});
    return shapes;
  }
  for (const std::int64_t rows : lengths_from(least[0], few_of_two)) {
    for (const std::int64_t n : lengths_from(least[1], few_of_two)) shapes.push_back({rows, n});
  }
  std::ranges::stable_sort(shapes, {}, [](const Lengths& shape) { return product_of(shape); });
  return shapes;
}

struct Asked {
  const FftProblem& least;
  const Target& target;
  const Platform& here;
  const WisdomOf& wisdom_of;
};

// Nothing where there is no such transform.
std::optional<FastShape> size_of(const Lengths& lengths, const Asked& asked) {
  FftProblem problem = asked.least;
  problem.lengths = lengths;
  try {
    const Planned planned = plan(problem, asked.target, asked.here, asked.wisdom_of(problem));
    const ExpectedTime time = expected_time(planned, problem, asked.target, asked.here.device);
    return FastShape{lengths, 1 / time.copies, time.measured};
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

}  // namespace

double FastShape::time() const { return static_cast<double>(product_of(lengths)) / eff; }

FastShape fast_shape(const FftProblem& least, const Target& target, const Platform& here,
                     const WisdomOf& wisdom_of) {
  require_served(least);
  const Asked asked{least, target, here, wisdom_of};
  const std::vector<Lengths> shapes = shapes_from(least.lengths);
  std::optional<FastShape> best;
  for (const Lengths& shape : shapes) {
    constexpr double most = 1.02;  // of the speed of a copy
    if (best && static_cast<double>(product_of(shape)) / most > best->time()) break;
    const auto one = size_of(shape, asked);
    if (one && (!best || one->time() < best->time())) best = one;
  }
  if (!best) {  // says why
    FftProblem last = least;
    last.lengths = shapes.back();
    (void)plan(last, target, here, wisdom_of(last));
  }
  return best.value();
}

FastSize fast_size(std::int64_t n, Storage storage, const Target& target, const Platform& here,
                   const WisdomOf& wisdom_of) {
  constexpr std::int64_t points = std::int64_t{1} << 26;
  FftProblem least;
  least.lengths = {n}, least.storage = storage;
  least.batch = std::max<std::int64_t>(1, points / std::max<std::int64_t>(1, n));
  const FastShape found = fast_shape(least, target, here, wisdom_of);
  return {found.lengths.front(), found.eff, found.measured};
}

}  // namespace sonoma
