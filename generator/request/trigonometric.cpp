#include "sonoma/trigonometric.hpp"

#include <cmath>

#include "sonoma/errors.hpp"

namespace sonoma {

Domain inverse_of(Domain domain) {
  const int step = type_of(domain) == 2 ? 1 : type_of(domain) == 3 ? -1 : 0;
  return static_cast<Domain>(static_cast<int>(domain) + step);
}

std::int64_t dft_length(Domain domain, std::int64_t n) {
  if (!is_trigonometric(domain)) return n;
  if (type_of(domain) == 1) return gain_of(domain, n);
  return type_of(domain) == 4 && n % 2 == 0 ? n / 2 : n;
}

std::int64_t gain_of(Domain domain, std::int64_t n) {
  if (!is_trigonometric(domain)) return n;
  return 2 * (type_of(domain) > 1 ? n : is_sine(domain) ? n + 1 : n - 1);
}

namespace {

// Of all axes.
std::int64_t gain_of(const FftProblem& problem) {
  std::int64_t gain = 1;
  for (const std::int64_t n : problem.lengths) gain *= gain_of(problem.domain, n);
  return gain;
}

}  // namespace

double scale_factor(Normalization normalization, Direction direction, std::int64_t n) {
  const auto length = static_cast<double>(n);
  switch (normalization) {
    case Normalization::ortho:
      return 1.0 / std::sqrt(length);
    case Normalization::backward:
      return direction == Direction::inverse ? 1.0 / length : 1.0;
    case Normalization::forward:
      return direction == Direction::forward ? 1.0 / length : 1.0;
  }
  throw InternalError("scale_factor: unknown normalization");
}

void normalize(FftProblem& problem, Normalization normalization) {
  problem.scale = scale_factor(normalization, problem.direction, gain_of(problem));
  problem.orthogonal = is_trigonometric(problem.domain) && normalization == Normalization::ortho;
}

void validate_trigonometric(const FftProblem& problem) {
  const bool trigonometric = is_trigonometric(problem.domain);
  if (problem.orthogonal && !trigonometric) {
    throw UnsupportedProblem(
        "orthogonal", "true",
        "false for " + to_string(problem.domain) + ", whose matrix needs nothing but a scale");
  }
  if (!trigonometric || problem.direction == Direction::forward) return;
  throw UnsupportedProblem("direction", to_string(problem.direction),
                           "forward for " + to_string(problem.domain) + "; its inverse is " +
                               to_string(inverse_of(problem.domain)) + ", divided by " +
                               std::to_string(gain_of(problem)));
}

Numbers numbers_of(Domain domain, std::int64_t n, bool input) {
  switch (type_of(domain)) {
    case 1:
      return Numbers::extended;
    case 2:
      return input ? Numbers::interleaved : Numbers::turned;
    case 3:
      return input ? Numbers::turned : Numbers::interleaved;
    default:
      return n % 2 == 0 ? Numbers::paired : Numbers::scattered;
  }
}

std::int64_t frequencies_of(Domain domain, std::int64_t n) {
  if (type_of(domain) == 1) return is_sine(domain) ? n + 1 : n;
  return dft_length(domain, n);
}

unsigned products_of(Domain domain, std::int64_t n) {
  if (!is_trigonometric(domain) || type_of(domain) == 1) return 0;
  return numbers_of(domain, n, true) == Numbers::paired ? 2 : 1;
}

std::string to_string(Numbers numbers) {
  static constexpr const char* names[] = {"extended", "interleaved", "turned", "paired",
                                          "scattered"};
  return names[static_cast<int>(numbers)];
}

}  // namespace sonoma
