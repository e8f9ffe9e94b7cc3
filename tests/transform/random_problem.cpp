#include "random_problem.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "laid_out.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma::test {
namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t below(std::mt19937& random, std::int64_t most) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
}

// Strides of the axes, the batch and the loops on one side.
Shape random_side(const FftProblem& problem, const Shape& loops, bool input, std::mt19937& random) {
  Shape counts;
  for (const Axis& axis : problem.axes()) counts.push_back(axis.length(input));
  counts.push_back(problem.batch);
  counts.insert(counts.end(), loops.begin(), loops.end());
  return random_strides(random, counts);
}

// Points along each axis on the side that has more of them.
Shape larger_lengths(const FftProblem& problem) {
  Shape lengths;
  for (const Axis& axis : problem.axes()) {
    lengths.push_back(std::max(axis.in_length, axis.out_length));
  }
  return lengths;
}

// In place: of frequencies that are neighbours; of real numbers twice that.
std::pair<Shape, Shape> random_shared(const FftProblem& problem, const Shape& loops,
                                      std::mt19937& random) {
  const bool real = has_hermitian(problem.domain);
  Shape counts = larger_lengths(problem);
  if (real) counts.pop_back();
  counts.push_back(problem.batch);
  counts.insert(counts.end(), loops.begin(), loops.end());
  Shape rows = random_strides(random, counts);
  if (!real) return {rows, rows};
  const auto needs = [&](bool input) {
    const std::int64_t length = problem.axes().back().length(input);
    return problem.values(input) == Values::real ? (length + 1) / 2 : length;
  };
  const std::int64_t row = std::max(needs(true), needs(false)) + below(random, 3);
  for (std::int64_t& stride : rows) stride *= row;
  const auto last = static_cast<std::ptrdiff_t>(problem.lengths.size()) - 1;
  rows.insert(rows.begin() + last, 1);
  Shape numbers = rows;
  for (std::int64_t& stride : numbers) stride *= 2;
  numbers[problem.lengths.size() - 1] = 1;
  return problem.domain == Domain::r2c ? std::pair(numbers, rows) : std::pair(rows, numbers);
}

}  // namespace

void lay_out(FftProblem& problem, std::mt19937& random, unsigned most) {
  Shape loops;
  for (auto count = random() % 3; count > 0; --count) loops.push_back(1 + below(random, most));
  Shape in, out;
  if (problem.placement == Placement::in_place) {
    std::tie(in, out) = random_shared(problem, loops, random);
  } else {
    in = random_side(problem, loops, true, random);
    out = random_side(problem, loops, false, random);
  }
  if (random() % 4 == 0) problem.alignment = 8;
  const std::size_t rank = problem.lengths.size();
  const auto before_last = static_cast<std::ptrdiff_t>(rank) - 1;
  DataLayout& layout = problem.layout;
  layout.in_strides.assign(in.begin(), in.begin() + before_last);
  layout.out_strides.assign(out.begin(), out.begin() + before_last);
  layout.in_stride = in[rank - 1], layout.out_stride = out[rank - 1];
  layout.in_dist = in[rank], layout.out_dist = out[rank];
  for (std::size_t l = 0; l < loops.size(); ++l) {
    layout.loops.push_back({loops[l], in[rank + 1 + l], out[rank + 1 + l]});
  }
}

namespace {

// One to three axes, of some of these lengths.
Shape random_shape(std::mt19937& random, const Shape& lengths) {
  FftProblem problem;
  do {
    problem.lengths.clear();
    for (auto rank = 1 + random() % 3; rank > 0; --rank) {
      problem.lengths.push_back(lengths[random() % lengths.size()]);
    }
  } while (problem.n() > 600);
  return problem.lengths;
}

}  // namespace

FftProblem random_convolution(std::mt19937& random) {
  FftProblem problem;
  do {
    problem.lengths = random_shape(random, {1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 30, 32, 60, 64});
  } while (problem.n() == 1);
  problem.batch = 1 + below(random, 3);
  if (random() % 2) problem.placement = Placement::in_place;
  if (random() % 2) problem.scale = random() % 2 ? 0.25 : 2;
  Convolution& asked = problem.convolution.emplace();
  asked.real = random() % 2, asked.correlate = random() % 2;
  if (random() % 3 == 0) asked.spectrum_stride = 2;
  const std::int64_t reach = spectrum_length(problem) * asked.spectrum_stride;
  if (random() % 2) asked.spectrum_dist = reach + below(random, 4);
  return problem;
}

void add_channels(FftProblem& problem, std::mt19937& random) {
  problem.placement = Placement::out_of_place;
  DataLayout& layout = problem.layout;
  layout.in_dist = problem.in_dist(), layout.out_dist = problem.out_dist();
  const std::int64_t in_reach = problem.in_points(), out_reach = problem.out_points();
  problem.convolution->channels.count = 2 + below(random, 2);
  problem.convolution->channels.in_dist = in_reach + below(random, 3);
  if (random() % 2) layout.loops.push_back({2, 0, out_reach + below(random, 3)});
}

void spread_spectra(FftProblem& problem, std::mt19937& random) {
  std::int64_t reach = spectrum_points(problem);
  Channels& channels = problem.convolution->channels;
  if (channels.count > 1) channels.spectrum_dist = reach + below(random, 4);
  reach += (channels.count - 1) * channels.spectrum_dist;
  if (problem.layout.loops.empty()) return;
  for (const Loop& loop : problem.layout.loops) {
    const std::int64_t apart = random() % 2 ? reach + below(random, 4) : 0;
    problem.convolution->spectrum_strides.push_back(apart);
    reach += (loop.count - 1) * apart;
  }
}

FftProblem random_problem(std::mt19937& random) {
  FftProblem problem;
  problem.lengths =
      random_shape(random, {1, 2, 3, 4, 5, 6, 8, 9, 13, 16, 17, 30, 32, 37, 60, 64, 101});
  problem.domain = static_cast<Domain>(random() % 3);
  const bool inverse = problem.domain == Domain::c2c ? random() % 2 : problem.domain == Domain::c2r;
  if (inverse) problem.direction = Direction::inverse;
  problem.batch = 1 + below(random, 3);
  if (random() % 2) problem.placement = Placement::in_place;
  if (random() % 2) problem.scale = random() % 2 ? 0.25 : 2;
  return problem;
}

void cut(FftProblem& problem, std::mt19937& random) {
  const auto some = [&](std::int64_t all, bool more) {
    if (random() % 3 == 0) return std::int64_t{0};
    return 1 + below(random, more ? all + 3 : all);
  };
  Ends& ends = problem.ends;
  for (std::size_t a = 0; a + 1 < problem.lengths.size(); ++a) {
    ends.in_lengths.push_back(some(problem.lengths[a], true));
    ends.out_lengths.push_back(some(problem.lengths[a], false));
  }
  const std::int64_t n = problem.lengths.back();
  ends.in_length = some(length_in_memory(n, problem.values(true)), true);
  ends.out_length = some(length_in_memory(n, problem.values(false)), false);
}

}  // namespace sonoma::test
