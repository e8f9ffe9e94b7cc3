#include "suite.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>

namespace sonoma::bench {
namespace {

using Shape = std::vector<std::int64_t>;

std::vector<Shape> shapes_of(const Selection& selection) {
  if (!selection.shapes.empty()) return selection.shapes;
  std::vector<Shape> shapes;
  for (const std::int64_t n : selection.lengths) shapes.push_back({n});
  for (std::int64_t n = 2; selection.lengths.empty() && n <= selection.longest; n *= 2) {
    if (n >= selection.shortest) shapes.push_back({n});
  }
  return shapes;
}

// One transform of each.
std::vector<FftProblem> transforms_asked(const Selection& selection) {
  std::vector<FftProblem> problems;
  for (const Shape& shape : shapes_of(selection)) {
    FftProblem& problem = problems.emplace_back(selection.like);
    problem.lengths = shape;
  }
  return problems;
}

// Of large batches; those of one storage follow each other. `batch_of`: of so many points.
template <class BatchOf>
std::vector<FftProblem> problems_of(const Selection& selection, BatchOf&& batch_of) {
  std::vector<FftProblem> problems;
  const std::vector<FftProblem> transforms = transforms_asked(selection);
  for (const Storage storage : selection.storages) {
    for (FftProblem problem : selection.problems) {
      problem.batch *= std::max<std::int64_t>(1, batch_of(points_of(problem)));
      problem.storage = storage;
      problems.push_back(problem);
    }
    for (FftProblem problem : transforms) {
      if (!selection.problems.empty()) break;
      problem.batch = batch_of(points_of(problem));
      problem.storage = storage;
      if (problem.batch >= 1) problems.push_back(problem);
    }
  }
  return problems;
}

// Loops, the innermost first, then the batch.
std::int64_t start_of(const FftProblem& problem, std::int64_t row, std::int64_t dist,
                      std::int64_t Loop::*stride) {
  std::int64_t place = 0;
  for (const Loop& loop : problem.layout.loops) {
    place += row % loop.count * (loop.*stride);
    row /= loop.count;
  }
  return place + row * dist;
}

constexpr std::int64_t smooth_lengths[] = {
    3,    5,    6,    7,    9,    10,   12,   15,   27,   48,   60,   81,   96,   100,  121,
    125,  169,  192,  243,  343,  360,  384,  480,  500,  600,  625,  720,  729,  768,  960,
    1000, 1001, 1155, 1200, 1280, 1331, 1440, 1536, 1920, 2000, 2187, 2197, 2401, 2560, 3000,
    3125, 3600, 3840, 4000, 4032, 4800, 5000, 5120, 6000, 6144, 6561, 7000, 7200, 7680, 8000};

// Of the suite plan: in one kernel, in passes; primes by Rader's algorithm, by Bluestein's in one
// kernel, and in passes.
constexpr std::int64_t planned_lengths[] = {60,      1000, 7000,  7429,  30030, 100000,
                                            1000000, 127,  1009,  4051,  8191,  16381,
                                            4093,    8101, 10007, 15013, 65537, 1000003};
constexpr std::int64_t planned_batches[] = {1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18};
constexpr std::int64_t planned_columns[] = {256, 4096};

std::string way_of(const Selection& selection) {
  const Domain domain = selection.like.domain;
  return domain == Domain::c2c ? "forward" : to_string(domain);
}

void append(std::vector<FftProblem>& problems, const std::vector<FftProblem>& more) {
  problems.insert(problems.end(), more.begin(), more.end());
}

}  // namespace

Suite pow2_suite(const Selection& selection) {
  const std::int64_t points = std::int64_t{1} << selection.log2_points;
  Suite suite;
  suite.name = "pow2";
  suite.about = selection.batch ? std::to_string(*selection.batch) + " transforms"
                                : "2^" + std::to_string(selection.log2_points) + " points";
  suite.about += " a run, out of place, " + way_of(selection);
  suite.problems =
      problems_of(selection, [&](std::int64_t n) { return selection.batch.value_or(points / n); });
  return suite;
}

Suite smooth_suite(const Selection& selection) {
  Selection smooth = selection;
  for (const std::int64_t n : smooth_lengths) {
    const bool wanted = n >= selection.shortest && n <= selection.longest;
    if (selection.lengths.empty() && wanted) smooth.lengths.push_back(n);
  }
  Suite suite = pow2_suite(smooth);
  suite.name = "smooth";
  return suite;
}

namespace {

// Powers of two from 16 on along each of `rank` axes, then `others`; where none are asked for.
Suite shapes_suite(Selection selection, const char* name, std::size_t rank, std::int64_t longest,
                   std::initializer_list<Shape> others) {
  if (selection.shapes.empty()) {
    for (std::int64_t n = 16; n <= longest; n *= 2) selection.shapes.emplace_back(rank, n);
    selection.shapes.insert(selection.shapes.end(), others);
  }
  const std::int64_t points = std::int64_t{1} << selection.log2_points;
  Suite suite = pow2_suite(selection);
  suite.name = name;
  suite.problems = problems_of(selection, [&](std::int64_t n) {
    return selection.batch.value_or(n <= 2 * points ? std::max<std::int64_t>(1, points / n) : 0);
  });
  return suite;
}

}  // namespace

Suite planes_suite(const Selection& selection) {
  return shapes_suite(selection, "2d", 2, 8192,
                      {{1080, 1920}, {640, 480}, {100, 100}, {1000, 1000}});
}

Suite cubes_suite(const Selection& selection) {
  return shapes_suite(selection, "3d", 3, 512, {{100, 100, 100}, {192, 192, 192}});
}

Suite columns_suite(const Selection& selection) {
  constexpr std::int64_t shortest = 64, longest = 4096;  // below, cuFFT is launched too often
  Selection some = selection;
  some.shortest = std::max(selection.shortest, shortest);
  some.longest = std::min(selection.longest, longest);
  Suite suite = pow2_suite(some);
  suite.name = "columns";
  suite.about += ", the middle axis of n x n x n";
  std::erase_if(suite.problems, [](FftProblem& problem) {
    const std::int64_t n = problem.points();
    problem.batch /= n;  // planes
    problem.layout.in_stride = problem.layout.out_stride = n;
    problem.layout.in_dist = n * problem.in_length();
    problem.layout.out_dist = n * problem.out_length();
    problem.layout.loops = {{n, 1, 1}};
    return problem.batch < 1;
  });
  return suite;
}

Suite single_suite(const Selection& selection) {
  Suite suite;
  suite.name = "single";
  suite.about = std::string("one ") + (selection.problems.empty() ? "transform" : "array") +
                " a launch, out of place, " + way_of(selection);
  suite.problems = problems_of(selection, [](std::int64_t) { return 1; });
  return suite;
}

Suite plan_suite(const Selection& selection) {
  Suite suite = single_suite(selection);
  suite.name = "plan";
  suite.about = "making a plan in a fresh process";
  const auto& storages = selection.storages;
  const bool f32 = std::find(storages.begin(), storages.end(), Storage::f32) != storages.end();
  if (!f32 || !selection.lengths.empty()) return suite;
  const auto of = [&](std::span<const std::int64_t> lengths) {
    Selection some;
    some.like = selection.like;
    some.lengths.assign(lengths.begin(), lengths.end());
    return some;
  };
  append(suite.problems, single_suite(of(planned_lengths)).problems);
  append(suite.problems, pow2_suite(of(planned_batches)).problems);
  append(suite.problems, columns_suite(of(planned_columns)).problems);
  return suite;
}

std::int64_t transforms_of(const FftProblem& problem) {
  std::int64_t transforms = problem.batch;
  for (const Loop& loop : problem.layout.loops) transforms *= loop.count;
  return transforms;
}

std::int64_t points_of(const FftProblem& problem) {
  return transforms_of(problem) * problem.channels() * problem.points();
}

FftProblem repeated(FftProblem problem, std::int64_t points) {
  problem.batch *= std::max<std::int64_t>(1, points / points_of(problem));
  return problem;
}

int launches_of(const FftProblem& problem) {
  const std::size_t most = 100 / problem.lengths.size();
  return static_cast<int>(
      std::clamp((std::size_t{1} << 28) / bytes_of(problem), std::size_t{1}, most));
}

std::int64_t start_of_input(const FftProblem& problem, std::int64_t row) {
  return start_of(problem, row, problem.in_dist(), &Loop::in_stride);
}

std::int64_t start_of_output(const FftProblem& problem, std::int64_t row) {
  return start_of(problem, row, problem.out_dist(), &Loop::out_stride);
}

std::size_t bytes_of(const FftProblem& problem) {
  const std::int64_t last = problem.lengths.back();
  const std::int64_t all = problem.points() / last * length_in_memory(last, problem.values(true));
  const std::int64_t read = std::min(all, problem.in_length());
  return static_cast<std::size_t>(transforms_of(problem)) *
         (static_cast<std::size_t>(problem.channels() * read) * problem.bytes_of_point(true) +
          static_cast<std::size_t>(problem.out_length()) * problem.bytes_of_point(false)) /
         2;
}

std::string type_of(const FftProblem& problem) {
  std::string type = problem.domain == Domain::c2c ? "" : to_string(problem.domain) + " ";
  if (problem.convolution) {
    type = problem.convolution->real ? "real-convolution " : "convolution ";
    if (problem.channels() > 1) type = std::to_string(problem.channels()) + "-channel " + type;
  }
  type += to_string(problem.storage);
  if (problem.result_storage() != problem.storage) {
    type += " to " + to_string(problem.result_storage());
  }
  return type;
}

namespace {

// Of n x n x n, see columns_suite().
bool is_middle_axis(const FftProblem& problem) {
  const std::int64_t n = problem.points();
  const DataLayout& layout = problem.layout;
  return problem.lengths.size() == 1 && layout.loops == std::vector<Loop>{{n, 1, 1}} &&
         layout.in_stride == n && layout.out_stride == n;
}

}  // namespace

std::string place_of(const FftProblem& problem) {
  std::string place = problem.placement == Placement::in_place ? "in" : "out";
  const bool columns = is_middle_axis(problem);
  if (columns) place += "-columns";
  if (!columns && problem.layout != DataLayout{}) place += " " + to_string(problem.layout);
  if (problem.ends != Ends{}) place += " ends: " + to_string(problem.ends);
  return place;
}

std::string dims_of(const FftProblem& problem) {
  std::string text;
  for (const std::int64_t length : problem.lengths) {
    text += (text.empty() ? "" : "x") + std::to_string(length);
  }
  return text;
}

}  // namespace sonoma::bench
