// Options that say where points and spectra lie, and how many of them there are.
#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "arguments.hpp"
#include "request_options.hpp"

namespace sonoma::cli {
namespace {

using Numbers = std::vector<std::int64_t>;

// "3:1:1", `least` numbers or more.
Numbers parse_numbers(const char* option, std::string_view text, std::size_t least,
                      std::size_t most, const char* allowed) {
  Numbers numbers;
  for (std::size_t start = 0; start <= text.size();) {
    const std::string_view part = text.substr(start, text.find(':', start) - start);
    start += part.size() + 1;
    numbers.push_back(
        parse_integer(option, part, 0, std::numeric_limits<std::int64_t>::max(), allowed));
  }
  if (numbers.size() >= least && numbers.size() <= most) return numbers;
  throw BadArgument(option, text, allowed);
}

// Of each loop COUNT:IN:OUT, or COUNT:IN:OUT:SPECTRUM.
std::vector<Numbers> parse_loops(const RequestOptions& options) {
  std::vector<Numbers> loops;
  if (!options.loops) return loops;
  const std::string_view all = *options.loops;
  for (std::size_t start = 0; start <= all.size();) {
    const std::string_view text = all.substr(start, all.find(',', start) - start);
    start += text.size() + 1;
    loops.push_back(parse_numbers("--loops", text, 3, 4,
                                  "must be, of each loop, how many transforms, and points to the "
                                  "next one in the input and the output: 3:1:1, or, of a "
                                  "convolution, in the spectra too: 3:1:1:256"));
  }
  return loops;
}

// In points; 0 for a distance that is open.
DataLayout layout_of(const RequestOptions& options) {
  const auto points = [](const char* option, const std::optional<std::string>& text,
                         std::int64_t otherwise) {
    return text ? parse_integer(option, *text, 1, std::numeric_limits<std::int64_t>::max(),
                                "must be a positive number of points")
                : otherwise;
  };
  DataLayout layout = advanced_layout(
      points("--in-stride", options.in_stride, 1), points("--in-dist", options.in_dist, 0),
      points("--out-stride", options.out_stride, 1), points("--out-dist", options.out_dist, 0));
  for (const Numbers& loop : parse_loops(options)) {
    layout.loops.push_back({loop[0], loop[1], loop[2]});
  }
  return layout;
}

Ends ends_of(const RequestOptions& options) {
  // One number is that of the last axis.
  const auto lengths = [](const char* option, const std::optional<std::string>& text) {
    if (!text) return std::vector<std::int64_t>{0};
    if (text->find('x') != std::string::npos) return parse_shape(option, *text);
    return std::vector{parse_integer(option, *text, 1, std::int64_t{1} << 40,
                                     "must be a positive number of points, or one for each axis, "
                                     "e.g. 30x40")};
  };
  std::vector<std::int64_t> in = lengths("--in-length", options.in_length),
                            out = lengths("--out-length", options.out_length);
  Ends ends{in.back(), out.back(), options.load_code.value_or(""), options.store_code.value_or("")};
  in.pop_back(), out.pop_back();
  ends.in_lengths = std::move(in), ends.out_lengths = std::move(out);
  return ends;
}

// As far apart as their spectra reach, or as is said.
void set_channels(const RequestOptions& options, const FftProblem& problem, Convolution& asked) {
  if (!options.channels) return;
  const Numbers numbers = parse_numbers(
      "--channels", *options.channels, 1, 3,
      "must be a number of signals, or with it how far apart these and their spectra are: "
      "3:4096:64");
  Channels& channels = asked.channels;
  channels.count = numbers[0];
  if (numbers.size() > 1) channels.in_dist = numbers[1];
  if (numbers.size() > 2) channels.spectrum_dist = numbers[2];
  if (numbers.size() > 2 || channels.count == 1 || problem.lengths.empty()) return;
  channels.spectrum_dist = spectrum_length(problem) * asked.spectrum_stride;
}

// There are none but those of convolutions.
void refuse_spectra(const RequestOptions& options) {
  for (const Numbers& loop : parse_loops(options)) {
    if (loop.size() == 3) continue;
    throw BadArgument("--loops", *options.loops,
                      "says where spectra lie, which goes with --convolution or --correlation; "
                      "else a loop is three numbers");
  }
}

}  // namespace

void set_convolution(const RequestOptions& options, FftProblem& problem) {
  const bool correlate = options.correlation.has_value();
  const auto& values = correlate ? options.correlation : options.convolution;
  for (const auto& [name, text] : {std::pair{"--spectrum-dist", &options.spectrum_dist},
                                   {"--spectrum-stride", &options.spectrum_stride},
                                   {"--channels", &options.channels}}) {
    if (values || !*text) continue;
    throw BadArgument(name, **text, "goes with --convolution or --correlation");
  }
  if (!values) return refuse_spectra(options);
  Convolution& asked = problem.convolution.emplace();
  asked.correlate = correlate;
  asked.real = parse_convolution(correlate ? "--correlation" : "--convolution", *values).real;
  if (options.spectrum_dist) {
    asked.spectrum_dist = parse_integer("--spectrum-dist", *options.spectrum_dist, 0,
                                        std::numeric_limits<std::int64_t>::max(),
                                        "must be a number of points, 0 for one spectrum");
  }
  if (options.spectrum_stride) {
    asked.spectrum_stride =
        parse_integer("--spectrum-stride", *options.spectrum_stride, 1,
                      std::numeric_limits<std::int64_t>::max(), "must be a number of points");
  }
  set_channels(options, problem, asked);
  const std::vector<Numbers> loops = parse_loops(options);
  const auto has_spectra = [](const Numbers& loop) { return loop.size() == 4; };
  if (std::ranges::none_of(loops, has_spectra)) return;
  for (const Numbers& loop : loops) {
    asked.spectrum_strides.push_back(has_spectra(loop) ? loop[3] : 0);
  }
}

std::optional<std::int64_t> batch_of(const RequestOptions& options) {
  if (!options.batch) return std::nullopt;
  return parse_integer("--batch", *options.batch, 1, std::numeric_limits<std::int64_t>::max(),
                       "must be a positive number of transforms");
}

bool has_layout(const RequestOptions& options) {
  return options.in_stride || options.in_dist || options.out_stride || options.out_dist ||
         options.loops;
}

void set_memory(const RequestOptions& options, FftProblem& problem) {
  problem.layout = layout_of(options);
  problem.ends = ends_of(options);
  if (options.out_precision) {
    problem.out_storage = parse_any_storage("--out-precision", *options.out_precision);
  }
  if (options.alignment) {
    problem.alignment = static_cast<unsigned>(
        parse_integer("--alignment", *options.alignment, 8, 16, "must be 16 or 8 bytes"));
  }
}

}  // namespace sonoma::cli
