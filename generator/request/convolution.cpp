#include "sonoma/convolution.hpp"

#include <limits>

#include "sonoma/decomposition.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/problem.hpp"

namespace sonoma {
namespace {

void check_fields(const FftProblem& problem) {
  const auto refuse = [](const std::string& field, const std::string& value,
                         const std::string& allowed) {
    throw UnsupportedProblem(field, value, allowed);
  };
  if (problem.lengths.size() > 1) {
    refuse("lengths", to_shape(problem.lengths), "one axis for a convolution");
  }
  if (problem.domain != Domain::c2c) {
    refuse("domain", to_string(problem.domain),
           "c2c for a convolution; of real numbers say convolution.real");
  }
  if (problem.direction != Direction::forward) {
    refuse("direction", to_string(problem.direction),
           "forward for a convolution, which goes there and back; convolution.correlate takes the "
           "conjugate spectrum");
  }
  if (problem.order != Order::natural) {
    refuse("order", to_string(problem.order),
           "natural for a convolution, whose spectrum lies so and whose results are no "
           "frequencies");
  }
}

// Steps, not one convolution within another.
void check_length(std::int64_t n) {
  if (n >= 2 && is_smooth(n)) return;
  std::int64_t next = n < 2 ? 2 : n;
  while (!is_smooth(next)) ++next;
  throw UnsupportedProblem("n", std::to_string(n),
                           "a product of primes up to 31 for a convolution: the next one is " +
                               std::to_string(next) +
                               ", with zeros behind the data (ends.in_length)");
}

void check_strides(const FftProblem& problem) {
  const Convolution& asked = *problem.convolution;
  const std::size_t loops = problem.layout.loops.size(), strides = asked.spectrum_strides.size();
  if (strides != 0 && strides != loops) {
    throw UnsupportedProblem("convolution.spectrum_strides.size()", std::to_string(strides),
                             "0, or one for each of layout.loops: " + std::to_string(loops));
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 8;  // in bytes
  std::int64_t reach = spectrum_length(problem);
  const auto add = [&](const std::string& field, std::int64_t stride, std::int64_t count) {
    const bool fits = stride >= 0 && (stride == 0 || count - 1 <= (most - reach) / stride);
    if (!fits) {
      throw UnsupportedProblem(
          field, std::to_string(stride),
          "0 (one spectrum for all) or more, as far as 63 bits of bytes reach");
    }
    reach += (count - 1) * stride;
  };
  add("convolution.spectrum_dist", asked.spectrum_dist, problem.batch);
  for (std::size_t i = 0; i < strides; ++i) {
    add("convolution.spectrum_strides[" + std::to_string(i) + "]", asked.spectrum_strides[i],
        problem.layout.loops[i].count);
  }
}

}  // namespace

void validate_convolution(const FftProblem& problem) {
  if (!problem.convolution) return;
  check_fields(problem);
  check_length(problem.n());
  check_strides(problem);
}

std::int64_t spectrum_length(const FftProblem& problem) {
  return length_in_memory(problem.n(),
                          problem.convolution->real ? Values::hermitian : Values::complex);
}

std::int64_t spectrum_points(const FftProblem& problem) {
  const Convolution& asked = problem.convolution.value();
  std::int64_t points = spectrum_length(problem) + (problem.batch - 1) * asked.spectrum_dist;
  for (std::size_t i = 0; i < asked.spectrum_strides.size(); ++i) {
    points += (problem.layout.loops[i].count - 1) * asked.spectrum_strides[i];
  }
  return points;
}

FftProblem spectrum_problem(const FftProblem& problem, std::int64_t taps) {
  validate_convolution(problem);
  const Convolution& asked = problem.convolution.value();
  if (taps < 1 || taps > problem.n()) {
    throw UnsupportedProblem(
        "taps", std::to_string(taps),
        "1 to n = " + std::to_string(problem.n()) + ", the length of the convolution");
  }
  FftProblem spectrum;
  spectrum.lengths = problem.lengths;
  if (asked.spectrum_dist != 0) spectrum.batch = problem.batch;
  for (std::size_t i = 0; i < asked.spectrum_strides.size(); ++i) {
    if (asked.spectrum_strides[i] != 0) spectrum.batch *= problem.layout.loops[i].count;
  }
  spectrum.domain = asked.real ? Domain::r2c : Domain::c2c;
  if (taps < problem.n()) spectrum.ends.in_length = taps;
  return spectrum;
}

std::string describe_convolution(const FftProblem& problem) {
  if (!problem.convolution) return {};
  const Convolution& asked = *problem.convolution;
  std::string text = asked.correlate ? " correlation" : " convolution";
  if (asked.real) text += " of real numbers";
  if (asked.spectrum_dist != 0) text += " spectrum_dist=" + std::to_string(asked.spectrum_dist);
  for (const std::int64_t stride : asked.spectrum_strides) {
    text += (&stride == asked.spectrum_strides.data() ? " spectrum_strides=" : ",") +
            std::to_string(stride);
  }
  return text;
}

}  // namespace sonoma
