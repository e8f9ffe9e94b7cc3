// sonoma convolve: the rows of a .npy file with the filters of another one, as numpy and scipy.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "host_execution.hpp"
#include "npy.hpp"
#include "request_options.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/next_fast_size.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::cli {
namespace {

struct ConvolveOptions {
  RequestOptions request;  ///< n, precision, scale and device
  std::string input, filter, output, mode = "full";
  bool correlate = false;
};

using Points = std::vector<std::complex<float>>;

/// Which results are kept, of L + T - 1 for L points and T taps, or all that go around.
struct Window {
  std::int64_t first = 0, count = 0;
  std::int64_t least = 0;  ///< points of the transform: what wraps around falls beside the window
};

Window window_of(const ConvolveOptions& options, std::int64_t points, std::int64_t taps) {
  const std::string& mode = options.mode;
  Window window;
  if (mode == "circular" && taps <= points) return {0, points, points};
  if (mode == "full") window = {0, points + taps - 1, 0};
  if (mode == "same") window = {(taps - 1) / 2, points, 0};
  if (mode == "valid") window = {taps - 1, points - taps + 1, 0};
  if (window.count > 0) {
    const std::int64_t last = window.first + window.count, behind = points + taps - 1;
    window.least = std::max({last, behind - window.first, points, taps});
    return window;
  }
  throw BadArgument("--mode", mode,
                    fmt::format("must be full, same, valid or circular, the last two for filters "
                                "that are no longer than the {} points of a signal; this one has "
                                "{} taps",
                                points, taps));
}

std::int64_t length_of(const ConvolveOptions& options, const Window& window, Storage storage,
                       const PlanOptions& plan_options) {
  const bool circular = options.mode == "circular";
  if (options.request.n) {
    const std::int64_t most = circular ? window.least : std::int64_t{1} << 31;
    return parse_integer(
        "--n", *options.request.n, window.least, most,
        circular ? fmt::format("must be the signal's length, {}", window.least)
                 : fmt::format("must be {} or more, so that nothing wraps around", window.least));
  }
  if (circular) return window.least;
  std::int64_t n = next_fast_size(window.least, storage, plan_options).n;
  while (!is_smooth(n)) n = next_fast_size(n + 1, storage, plan_options).n;  // a measured prime
  return n;
}

void check_arrays(const ConvolveOptions& options, const NpyArray& x, const NpyArray& h) {
  const auto require = [](bool met, const char* option, const std::string& path,
                          const std::string& allowed) {
    if (!met) throw BadArgument(option, path, allowed);
  };
  require(!x.data.empty() && !x.shape.empty(), "--input", options.input,
          "must have an axis, and points along each");
  require(!h.data.empty() && (h.shape.size() == 1 || h.shape.size() == 2), "--filter",
          options.filter, "must be the taps of a filter, or one row of taps for each of several");
  require(x.storage == Storage::f32 && h.storage == Storage::f32, "--input", options.input,
          "must hold complex64 or float32, as the filter; convert with a.astype(numpy.float32)");
  require(x.values == h.values, "--filter", options.filter,
          x.values == Values::real
              ? "must hold float32, real numbers, as the input does; or convert both with "
                "a.astype(numpy.complex64)"
              : "must hold complex64, as the input does; convert with a.astype(numpy.complex64)");
}

FftProblem problem_of(const ConvolveOptions& options, const NpyArray& x, std::int64_t filters,
                      const Window& window, const PlanOptions& plan_options) {
  FftProblem problem;
  if (options.request.precision) problem.storage = parse_storage(*options.request.precision);
  const std::int64_t points = x.shape.back();
  const std::int64_t n = length_of(options, window, problem.storage, plan_options);
  problem.lengths = {n};
  problem.batch = static_cast<std::int64_t>(x.data.size()) / points;
  problem.ends.in_length = points, problem.ends.out_length = window.count;
  problem.scale = 1 / static_cast<double>(n);
  Convolution& convolution = problem.convolution.emplace();
  convolution.real = x.values == Values::real, convolution.correlate = options.correlate;
  if (filters == 1) return problem;
  problem.layout.loops = {{filters, 0, window.count}};
  problem.layout.out_dist = filters * window.count;
  convolution.spectrum_strides = {spectrum_length(problem)};
  return problem;
}

// Each filter as n points, of which the first one makes the first result that is kept: see
// convolution.hpp. Correlation gives the sums from lag 1 - taps on.
Points rotated(const ConvolveOptions& options, const NpyArray& h, std::int64_t n,
               std::int64_t first) {
  const std::int64_t taps = h.shape.back();
  const auto filters = static_cast<std::int64_t>(h.data.size()) / taps;
  const bool circular = options.mode == "circular";
  const std::int64_t by = !options.correlate ? -first : circular ? 0 : first - (taps - 1);
  Points result(static_cast<std::size_t>(filters * n));
  for (std::int64_t f = 0; f < filters; ++f) {
    for (std::int64_t s = 0; s < taps; ++s) {
      const std::int64_t at = ((s + by) % n + n) % n;
      result[static_cast<std::size_t>(f * n + at)] = h.data[static_cast<std::size_t>(f * taps + s)];
    }
  }
  return result;
}

Points executed(const Plan& plan, const Points& points, const Points& spectrum = {}) {
  const FftProblem& problem = plan.problem();
  auto in = pack(problem.storage, problem.values(true), points);
  std::vector<std::byte> out(static_cast<std::size_t>(problem.out_points()) *
                             problem.bytes_of_point(false));
  execute_on_host_data(plan, in, out, 0, spectrum);
  return unpack(problem.result_storage(), problem.values(false), out);
}

void convolve(const ConvolveOptions& options) {
  const PlanOptions plan_options = plan_options_of(options.request);
  const NpyArray x = load_npy(options.input), h = load_npy(options.filter);
  check_arrays(options, x, h);
  const std::int64_t taps = h.shape.back();
  const auto filters = static_cast<std::int64_t>(h.data.size()) / taps;
  const Window window = window_of(options, x.shape.back(), taps);
  const FftProblem problem = problem_of(options, x, filters, window, plan_options);
  const Points all = rotated(options, h, problem.n(), window.first);
  const Points spectrum =
      executed(make_plan(spectrum_problem(problem, problem.n()), plan_options), all);
  NpyArray y = x;
  y.shape.back() = window.count;
  if (h.shape.size() == 2) y.shape.insert(y.shape.end() - 1, filters);
  y.data = executed(make_plan(problem, plan_options), x.data, spectrum);
  save_npy(options.output, y);
}

void add_file_options(CLI::App& command, ConvolveOptions& options) {
  command
      .add_option("--input", options.input,
                  "float32 or complex64 .npy; its last axis are signals, each convolved by itself")
      ->required();
  command
      .add_option("--filter", options.filter,
                  "the taps, a .npy of the same type; of two axes one row for each of several "
                  "filters, which every signal meets: results get an axis more before the last one")
      ->required();
  command.add_option("--output", options.output, "the .npy to write")->required();
}

}  // namespace

void add_convolve_command(CLI::App& app) {
  auto options = std::make_shared<ConvolveOptions>();
  CLI::App* command = app.add_subcommand(
      "convolve", "Convolve the rows of a .npy file with a filter, or correlate them");
  add_file_options(*command, *options);
  command->add_flag("--correlate", options->correlate,
                    "sums of x[t + lag] conj(h[t]), as numpy.correlate, from lag 1 - taps on "
                    "(circular: from 0 on)");
  command->add_option("--mode", options->mode,
                      "full (the default): all points + taps - 1 results; same: as many as points, "
                      "in the middle; valid: those that take no zeros; circular: around the ends");
  command->add_option("--n", options->request.n,
                      "points of the transforms (default: a fast length that has room)");
  command->add_option("--precision", options->request.precision,
                      "f32 (the default), f16 or bf16: signals and results are rounded to it");
  add_device_option(*command, options->request);
  command->callback([options] { convolve(*options); });
}

}  // namespace sonoma::cli
