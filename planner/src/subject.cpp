// Which measurement a problem is of, and the problem that is measured.
#include <algorithm>

#include "measured.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma {
namespace {

// Columns of an array: the innermost loop goes from one point to the next.
std::int64_t side_by_side(const FftProblem& problem) {
  const DataLayout& layout = problem.layout;
  if (problem.lengths.size() != 1 || layout.loops.empty()) return 0;
  const Loop& columns = layout.loops.front();
  const bool neighbours = columns.in_stride == 1 && columns.out_stride == 1 &&
                          layout.in_stride >= columns.count && layout.out_stride >= columns.count;
  return neighbours ? columns.count : 0;
}

Convolved convolved(const FftProblem& problem) {
  if (!problem.convolution) return Convolved::no;
  return problem.convolution->real ? Convolved::real : Convolved::complex;
}

}  // namespace

std::string to_string(Convolved convolved) {
  static constexpr const char* names[] = {"no", "complex", "real"};
  return names[static_cast<int>(convolved)];
}

Subject subject_of(const FftProblem& problem, Arithmetic arithmetic) {
  return {problem.lengths, problem.storage,       arithmetic,
          problem.domain,  side_by_side(problem), convolved(problem)};
}

FftProblem problem_of(const Subject& subject, std::int64_t points) {
  FftProblem problem;
  problem.lengths = subject.lengths;
  problem.storage = subject.storage;
  problem.domain = subject.domain;
  if (subject.arithmetic == Arithmetic::packed) problem.accuracy.arithmetic = subject.arithmetic;
  if (problem.domain == Domain::c2r) problem.direction = Direction::inverse;
  if (subject.convolution != Convolved::no) {
    problem.convolution = Convolution{subject.convolution == Convolved::real};
  }
  const std::int64_t columns = std::max<std::int64_t>(1, subject.side_by_side);
  if (subject.side_by_side > 0) {
    DataLayout& layout = problem.layout;
    layout.in_stride = layout.out_stride = columns;
    layout.in_dist = columns * problem.in_length(),
    layout.out_dist = columns * problem.out_length();
    layout.loops = {{columns, 1, 1}};
    if (problem.convolution) {  // their spectra lie as they do
      problem.convolution->spectrum_stride = columns;
      problem.convolution->spectrum_strides = {1};
    }
  }
  problem.batch = std::max<std::int64_t>(1, points / (problem.points() * columns));
  return problem;
}

bool is_measured(const FftProblem& problem) {
  const DataLayout& layout = problem.layout;
  if (problem.alignment < 16) return false;
  // Frames of a convolution, and rows of frequencies that begin at whole sectors.
  const bool rows = layout.loops.empty() && layout.in_stride == 1 && layout.out_stride == 1;
  return layout == DataLayout{} || rows || side_by_side(problem) > 0;
}

bool serves(const WisdomEntry& entry, const Subject& wanted) {
  if (entry.subject.lengths != wanted.lengths) return false;  // of most: the rest is copied
  Subject subject = entry.subject;
  const std::int64_t n = wanted.lengths.front(), block = entry.tuning.block_points.value_or(n);
  const bool columns = subject.side_by_side > 0 && wanted.side_by_side > 0;
  const bool divides = block > 0 && !entry.tuning.pass_lengths &&
                       subject.side_by_side * n % block == 0 &&
                       wanted.side_by_side * n % block == 0;
  if (columns && divides) subject.side_by_side = wanted.side_by_side;
  return subject == wanted;
}

double likeness(std::int64_t columns, std::int64_t others) {
  const auto [few, many] = std::minmax(columns, others);
  return many == 0 ? 1 : static_cast<double>(few) / static_cast<double>(many);
}

FftProblem measured_problem(const WisdomEntry& entry) {
  return problem_of(entry.subject, entry.points);
}

}  // namespace sonoma
