// sonoma convolve: a .npy file, along its last axis or several, with the filters of another one, as
// numpy and scipy.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "array_axes.hpp"
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
  RequestOptions request;  ///< n, shape, precision, scale and device
  std::string input, filter, output, mode = "full";
  bool correlate = false;
};

using Points = std::vector<std::complex<float>>;
using Shape = std::vector<std::int64_t>;

std::int64_t product_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Along one axis: which results are kept, of L + T - 1 for L points and T taps, or all that go
/// around.
struct Window {
  std::int64_t points = 0, taps = 0;
  std::int64_t first = 0, count = 0;
  std::int64_t least = 0;  ///< points of the transform: what wraps around falls beside the window
};

/// Signals, filters, and a window along each axis of theirs.
struct Job {
  NpyArray x, h;
  std::vector<Window> windows;

  [[nodiscard]] std::int64_t signals() const { return repeated(x, &Window::points); }
  [[nodiscard]] std::int64_t filters() const { return repeated(h, &Window::taps); }
  [[nodiscard]] std::int64_t results() const {  // of one signal and one filter
    return product_of(of_axes(&Window::count));
  }
  [[nodiscard]] Shape of_axes(std::int64_t Window::*what) const {
    Shape all;
    for (const Window& window : windows) all.push_back(window.*what);
    return all;
  }

 private:
  [[nodiscard]] std::int64_t repeated(const NpyArray& array, std::int64_t Window::*what) const {
    return static_cast<std::int64_t>(array.data.size()) / product_of(of_axes(what));
  }
};

Window window_of(const ConvolveOptions& options, std::int64_t points, std::int64_t taps) {
  const std::string& mode = options.mode;
  Window window{points, taps};
  if (mode == "circular" && taps <= points) return {points, taps, 0, points, points};
  if (mode == "full") window = {points, taps, 0, points + taps - 1};
  if (mode == "same") window = {points, taps, (taps - 1) / 2, points};
  if (mode == "valid") window = {points, taps, taps - 1, points - taps + 1};
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

// Of --n or --shape; empty: they are open.
Shape asked_lengths(const ConvolveOptions& options, const std::vector<Window>& windows) {
  const auto &shape = options.request.shape, &n = options.request.n;
  if (!shape && !n) return {};
  Shape lengths = shape ? parse_shape("--shape", *shape) : Shape{length_of(options.request)};
  const bool circular = options.mode == "circular";
  bool serves = lengths.size() == windows.size();
  Shape least;
  for (std::size_t a = 0; a < windows.size(); ++a) {
    least.push_back(windows[a].least);
    serves = serves && lengths[a] >= least[a] && (!circular || lengths[a] == least[a]);
  }
  if (serves) return lengths;
  throw BadArgument(
      shape ? "--shape" : "--n", shape ? *shape : *n,
      circular ? fmt::format("must be the signal's length, {}", to_shape(least))
               : fmt::format("must be {} or more, so that nothing wraps around", to_shape(least)));
}

Shape lengths_of(const ConvolveOptions& options, const std::vector<Window>& windows,
                 Storage storage, const PlanOptions& plan_options) {
  Shape lengths = asked_lengths(options, windows);
  if (!lengths.empty()) return lengths;
  for (const Window& window : windows) {
    std::int64_t& n = lengths.emplace_back(window.least);
    if (options.mode == "circular") continue;
    n = next_fast_size(n, storage, plan_options).n;
    while (!is_smooth(n)) n = next_fast_size(n + 1, storage, plan_options).n;  // a measured prime
  }
  return lengths;
}

void require(bool met, const char* option, const std::string& path, const std::string& allowed) {
  if (!met) throw BadArgument(option, path, allowed);
}

void check_types(const ConvolveOptions& options, const NpyArray& x, const NpyArray& h) {
  require(x.storage == Storage::f32 && h.storage == Storage::f32, "--input", options.input,
          "must hold complex64 or float32, as the filter; convert with a.astype(numpy.float32)");
  require(x.values == h.values, "--filter", options.filter,
          x.values == Values::real
              ? "must hold float32, real numbers, as the input does; or convert both with "
                "a.astype(numpy.complex64)"
              : "must hold complex64, as the input does; convert with a.astype(numpy.complex64)");
}

// Of a signal: how many of the last axes.
std::size_t count_axes(const ConvolveOptions& options, const NpyArray& x) {
  require(!x.data.empty() && !x.shape.empty(), "--input", options.input,
          "must have an axis, and points along each");
  const auto axes = axes_of({options.request, options.input, x.shape});
  std::size_t next = x.shape.size() - axes.size();
  if (std::ranges::all_of(axes, [&](std::size_t axis) { return axis == next++; })) {
    return axes.size();
  }
  throw BadArgument("--axes", *options.request.axes,
                    fmt::format("must be the last axes of {}, which has shape {}, in their order: "
                                "transpose it",
                                options.input, shape_text(x.shape)));
}

// What is kept along each axis.
Job job_of(const ConvolveOptions& options) {
  Job job{load_npy(options.input), load_npy(options.filter), {}};
  const NpyArray &x = job.x, &h = job.h;
  const std::size_t axes = count_axes(options, x);
  require(!h.data.empty() && (h.shape.size() == axes || h.shape.size() == axes + 1), "--filter",
          options.filter,
          axes == 1
              ? "must be the taps of a filter, or one row of taps for each of several"
              : fmt::format("must be the taps of a filter along {} axes, or have one more for "
                            "several filters",
                            axes));
  check_types(options, x, h);
  const std::size_t of_signal = x.shape.size() - axes, of_filter = h.shape.size() - axes;
  for (std::size_t a = 0; a < axes; ++a) {
    job.windows.push_back(window_of(options, x.shape[of_signal + a], h.shape[of_filter + a]));
  }
  return job;
}

FftProblem problem_of(const ConvolveOptions& options, const Job& job,
                      const PlanOptions& plan_options) {
  FftProblem problem;
  if (options.request.precision) problem.storage = parse_storage(*options.request.precision);
  problem.lengths = lengths_of(options, job.windows, problem.storage, plan_options);
  problem.batch = job.signals();
  Ends& ends = problem.ends;
  ends.in_lengths = job.of_axes(&Window::points), ends.out_lengths = job.of_axes(&Window::count);
  ends.in_length = ends.in_lengths.back(), ends.out_length = ends.out_lengths.back();
  ends.in_lengths.pop_back(), ends.out_lengths.pop_back();
  problem.scale = 1 / static_cast<double>(problem.n());
  Convolution& convolution = problem.convolution.emplace();
  convolution.real = job.x.values == Values::real, convolution.correlate = options.correlate;
  if (job.filters() == 1) return problem;
  problem.layout.loops = {{job.filters(), 0, job.results()}};
  problem.layout.out_dist = job.filters() * job.results();
  convolution.spectrum_strides = {spectrum_length(problem)};
  return problem;
}

// How far the taps are rotated along an axis, so that the first result that is kept comes first:
// see convolution.hpp. Correlation gives the sums from lag 1 - taps on.
std::int64_t rotation_of(const ConvolveOptions& options, const Window& window) {
  if (!options.correlate) return -window.first;
  return options.mode == "circular" ? 0 : window.first - (window.taps - 1);
}

// Each filter as n points.
Points rotated(const ConvolveOptions& options, const Job& job, const FftProblem& problem) {
  const std::int64_t taps = product_of(job.of_axes(&Window::taps));
  Points result(static_cast<std::size_t>(job.filters() * problem.n()));
  for (std::size_t i = 0; i < job.h.data.size(); ++i) {
    auto left = static_cast<std::int64_t>(i) % taps;
    std::int64_t at = static_cast<std::int64_t>(i) / taps * problem.n(), stride = 1;
    for (std::size_t a = job.windows.size(); a-- > 0;) {
      const Window& window = job.windows[a];
      const std::int64_t n = problem.lengths[a];
      const std::int64_t own = (left % window.taps + rotation_of(options, window)) % n;
      at += (own + n) % n * stride;
      left /= window.taps, stride *= n;
    }
    result[static_cast<std::size_t>(at)] = job.h.data[i];
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
  const Job job = job_of(options);
  const FftProblem problem = problem_of(options, job, plan_options);
  const FftProblem spectra = spectrum_problem(problem, problem.lengths);
  const Points spectrum =
      executed(make_plan(spectra, plan_options), rotated(options, job, problem));
  NpyArray y = job.x;
  const Shape counts = job.of_axes(&Window::count);
  const auto axes = static_cast<std::ptrdiff_t>(counts.size());
  std::ranges::copy(counts, y.shape.end() - axes);
  if (std::ssize(job.h.shape) > axes) y.shape.insert(y.shape.end() - axes, job.filters());
  y.data = executed(make_plan(problem, plan_options), job.x.data, spectrum);
  save_npy(options.output, y);
}

void add_file_options(CLI::App& command, ConvolveOptions& options) {
  command
      .add_option("--input", options.input,
                  "float32 or complex64 .npy; its last axis (or those of --axes) are signals, each "
                  "convolved by itself")
      ->required();
  command
      .add_option(
          "--filter", options.filter,
          "the taps, a .npy of the same type; with one axis more than the signals: several "
          "filters, which every signal meets; results get that axis before those of a signal")
      ->required();
  command.add_option("--output", options.output, "the .npy to write")->required();
}

}  // namespace

void add_convolve_command(CLI::App& app) {
  auto options = std::make_shared<ConvolveOptions>();
  CLI::App* command = app.add_subcommand(
      "convolve",
      "Convolve the rows of a .npy file with a filter, or its images; or correlate them");
  add_file_options(*command, *options);
  command->add_flag("--correlate", options->correlate,
                    "sums of x[t + lag] conj(h[t]), as numpy.correlate, from lag 1 - taps on "
                    "(circular: from 0 on)");
  command->add_option("--mode", options->mode,
                      "full (the default): all points + taps - 1 results; same: as many as points, "
                      "in the middle; valid: those that take no zeros; circular: around the ends");
  command->add_option("--axes", options->request.axes,
                      "the axes of a signal, the last ones: -2,-1 for images (default -1)");
  auto* n = command->add_option("--n", options->request.n,
                                "points of the transforms (default: a fast length that has room)");
  command->add_option("--shape", options->request.shape, "the same of several axes: 256x256")
      ->excludes(n);
  command->add_option("--precision", options->request.precision,
                      "f32 (the default), f16 or bf16: signals and results are rounded to it");
  add_device_option(*command, options->request);
  command->callback([options] { convolve(*options); });
}

}  // namespace sonoma::cli
