#include "sonoma/convolution.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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
void check_lengths(const FftProblem& problem) {
  const bool several = problem.lengths.size() > 1;
  const std::int64_t least = problem.n() == 1 ? 2 : 1;
  for (std::size_t a = 0; a < problem.lengths.size(); ++a) {
    const std::int64_t n = problem.lengths[a];
    if (n >= least && (n == 1 || is_smooth(n))) continue;
    std::int64_t next = n < 2 ? 2 : n;
    while (!is_smooth(next)) ++next;
    throw UnsupportedProblem(
        several ? "lengths[" + std::to_string(a) + "]" : "n", std::to_string(n),
        "a product of primes up to 61 for a convolution: the next one is " + std::to_string(next) +
            ", with zeros behind the data (ends.in_length" +
            (several ? ", ends.in_lengths)" : ")"));
  }
}

void check_strides(const FftProblem& problem) {
  const Convolution& asked = *problem.convolution;
  const std::size_t loops = problem.layout.loops.size(), strides = asked.spectrum_strides.size();
  if (strides != 0 && strides != loops) {
    throw UnsupportedProblem("convolution.spectrum_strides.size()", std::to_string(strides),
                             "0, or one for each of layout.loops: " + std::to_string(loops));
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 8;  // in bytes
  const std::int64_t length = spectrum_length(problem), each = asked.spectrum_stride;
  if (each < 1 || each > most / length) {
    throw UnsupportedProblem("convolution.spectrum_stride", std::to_string(each),
                             "1 or more, as far as 63 bits of bytes reach");
  }
  std::int64_t reach = (length - 1) * each + 1;
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
  add("convolution.channels.spectrum_dist", asked.channels.spectrum_dist, asked.channels.count);
}

void check_channels(const FftProblem& problem) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;  // in bytes
  const Channels& channels = problem.convolution->channels;
  const auto refuse = [&](const char* field, std::int64_t value, const std::string& allowed) {
    throw UnsupportedProblem(std::string("convolution.channels.") + field, std::to_string(value),
                             allowed);
  };
  if (channels.in_dist < 0) {
    refuse("in_dist", channels.in_dist, "0 (they follow each other) or more");
  }
  const std::int64_t dist = channels.count > 1 ? problem.channel_dist() : 0;
  if (channels.count < 1 || channels.count > most / std::max<std::int64_t>(1, dist)) {
    refuse("count", channels.count, "1 or more, whose points fit 63 bits of bytes");
  }
  if (channels.count > 1 && problem.placement == Placement::in_place) {
    refuse("count", channels.count,
           "1 where the result takes the place of the input; out of place more");
  }
  if (channels.count > 1 && !problem.ends.load_code.empty()) {
    refuse("count", channels.count,
           "1 beside ends.load_code, which could not tell channels apart; change them before");
  }
}

}  // namespace

void validate_convolution(const FftProblem& problem) {
  if (!problem.convolution) return;
  check_fields(problem);
  check_lengths(problem);
  check_channels(problem);
  check_strides(problem);
}

bool is_of_filters(const FftProblem& problem, const Loop& loop) {
  return problem.convolution && loop.count > 1 && loop.in_stride == 0 &&
         problem.ends.load_code.empty();
}

bool keeps_signals_apart(const FftProblem& problem) {
  return problem.channels() > 1 || std::ranges::any_of(problem.layout.loops, [&](const Loop& loop) {
           return is_of_filters(problem, loop);
         });
}

namespace {

// Of a spectrum, along the last axis.
std::int64_t row_length(const FftProblem& problem) {
  return length_in_memory(problem.lengths.back(),
                          problem.convolution->real ? Values::hermitian : Values::complex);
}

}  // namespace

std::int64_t spectrum_length(const FftProblem& problem) {
  return problem.n() / problem.lengths.back() * row_length(problem);
}

std::vector<std::int64_t> spectrum_axes(const FftProblem& problem) {
  std::vector<std::int64_t> strides(problem.lengths.size(), problem.convolution->spectrum_stride);
  std::int64_t points = row_length(problem);
  for (std::size_t a = strides.size() - 1; a-- > 0;) {
    strides[a] = strides[a + 1] * points;
    points = problem.lengths[a];
  }
  return strides;
}

std::int64_t spectrum_points(const FftProblem& problem) {
  const Convolution& asked = problem.convolution.value();
  std::int64_t points = (spectrum_length(problem) - 1) * asked.spectrum_stride + 1 +
                        (problem.batch - 1) * asked.spectrum_dist;
  for (std::size_t i = 0; i < asked.spectrum_strides.size(); ++i) {
    points += (problem.layout.loops[i].count - 1) * asked.spectrum_strides[i];
  }
  points += (asked.channels.count - 1) * asked.channels.spectrum_dist;
  return points;
}

namespace {

// Along each axis; 0: all.
std::vector<std::int64_t> checked_taps(const FftProblem& problem,
                                       const std::vector<std::int64_t>& taps) {
  const std::vector<std::int64_t>& lengths = problem.lengths;
  if (taps.size() != lengths.size()) {
    throw UnsupportedProblem("taps", to_shape(taps),
                             "the taps along each of " + std::to_string(lengths.size()) + " axes");
  }
  std::vector<std::int64_t> result;
  for (std::size_t a = 0; a < taps.size(); ++a) {
    result.push_back(taps[a] == lengths[a] ? 0 : taps[a]);
    if (taps[a] >= 1 && taps[a] <= lengths[a]) continue;
    throw UnsupportedProblem("taps", to_shape(taps),
                             "1 to " + to_shape(lengths) + ", the length of the convolution");
  }
  return result;
}

}  // namespace

FftProblem spectrum_problem(const FftProblem& problem, std::int64_t taps) {
  return spectrum_problem(problem, std::vector{taps});
}

FftProblem spectrum_problem(const FftProblem& problem, const std::vector<std::int64_t>& taps) {
  validate(problem);
  const Convolution& asked = problem.convolution.value();
  std::vector<std::int64_t> cut = checked_taps(problem, taps);
  FftProblem spectrum;
  spectrum.lengths = problem.lengths;
  if (asked.spectrum_dist != 0) spectrum.batch = problem.batch;
  for (std::size_t i = 0; i < asked.spectrum_strides.size(); ++i) {
    if (asked.spectrum_strides[i] != 0) spectrum.batch *= problem.layout.loops[i].count;
  }
  if (asked.channels.spectrum_dist != 0) spectrum.batch *= asked.channels.count;
  spectrum.domain = asked.real ? Domain::r2c : Domain::c2c;
  spectrum.layout.out_stride = asked.spectrum_stride;
  spectrum.ends.in_length = cut.back();
  cut.pop_back();
  const bool whole = std::ranges::all_of(cut, [](std::int64_t own) { return own == 0; });
  if (!whole) spectrum.ends.in_lengths = std::move(cut);
  return spectrum;
}

std::string describe_convolution(const FftProblem& problem) {
  if (!problem.convolution) return {};
  const Convolution& asked = *problem.convolution;
  std::string text = asked.correlate ? " correlation" : " convolution";
  if (asked.real) text += " of real numbers";
  const Channels& channels = asked.channels;
  if (channels.count != 1) {
    text += " channels=" + std::to_string(channels.count) + "," +
            (channels.in_dist == 0 ? "n" : std::to_string(channels.in_dist)) + "," +
            std::to_string(channels.spectrum_dist);
  }
  if (asked.spectrum_stride != 1) {
    text += " spectrum_stride=" + std::to_string(asked.spectrum_stride);
  }
  if (asked.spectrum_dist != 0) text += " spectrum_dist=" + std::to_string(asked.spectrum_dist);
  for (const std::int64_t stride : asked.spectrum_strides) {
    text += (&stride == asked.spectrum_strides.data() ? " spectrum_strides=" : ",") +
            std::to_string(stride);
  }
  return text;
}

}  // namespace sonoma
