#include "bench_request.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <tuple>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma::cli {
namespace {

const LengthsTaken lengths_taken = {
    std::int64_t{1} << 26, "must be lengths, or ranges LO..HI that hold a power of two of 2..2^26"};

bool of_axes(const BenchOptions& options) { return options.suite == "2d" || options.suite == "3d"; }

// --in-stride and the others.
void select_memory(const BenchOptions& options, bench::Selection& selection) {
  const bool large = options.suite == "pow2" || options.suite == "smooth" || of_axes(options);
  set_memory(options.request, selection.like);
  selection.batch = batch_of(options.request);
  if (selection.batch && !large) {
    throw BadArgument(
        "--batch", *options.request.batch,
        "only the suites pow2, smooth, 2d and 3d have a number of transforms to choose");
  }
  if (selection.like == FftProblem{} || large || options.suite == "single") return;
  throw BadArgument("--suite", options.suite,
                    "must be pow2, smooth, single, 2d or 3d where an option says where points lie");
}

// Arrays say their batch.
void select_arrays(const BenchOptions& options, bench::Selection& selection) {
  for (const RequestOptions& one : one_by_one(options.request, lengths_taken)) {
    selection.problems.push_back(problem_asked(one));
  }
  selection.batch.reset();
}

// --n, or --shape.
void select_lengths(const BenchOptions& options, bench::Selection& selection) {
  const auto& [n, shape] = std::tie(options.request.n, options.request.shape);
  if (n && of_axes(options)) {
    throw BadArgument("--n", *n,
                      "the suites 2d and 3d have axes; name them by --shape, e.g. --shape 256x256");
  }
  if (n) {
    selection.lengths = parse_lengths("--n", *n, lengths_taken.longest, lengths_taken.allowed);
  }
  if (shape) selection.shapes = parse_shapes("--shape", *shape);
}

// --array, --shape, --n, or what the suite has.
void select_transforms(const BenchOptions& options, bench::Selection& selection) {
  const RequestOptions& request = options.request;
  const bool shaped = request.array || request.shape;
  if (shaped && (options.suite == "columns" || options.suite == "plan")) {
    throw BadArgument("--suite", options.suite,
                      std::string("must be pow2, smooth, single, 2d or 3d where ") +
                          (request.array ? "--array" : "--shape") + " is given");
  }
  if (request.array) return select_arrays(options, selection);
  if (request.axes) (void)problem_asked(request);  // refuses it
  select_lengths(options, selection);
}

bench::Selection selection_of(const BenchOptions& options) {
  bench::Selection selection;
  selection.storages.clear();
  const std::string all = options.suite == "plan" ? "f32,f16,bf16" : "f32";
  for (const auto& name : CLI::detail::split(options.precision.value_or(all), ',')) {
    selection.storages.push_back(parse_any_storage("--precision", name));
  }
  select_memory(options, selection);
  select_transforms(options, selection);
  set_domain(options.request, selection.like);
  set_convolution(options.request, selection.like);
  if (options.request.spectrum_dist) {
    throw BadArgument("--spectrum-dist", *options.request.spectrum_dist,
                      "is not for bench, whose signals share a spectrum");
  }
  if (options.points) {
    if (options.suite == "single" || options.suite == "plan") {
      throw BadArgument("--points", *options.points,
                        "only the suites pow2, smooth, columns, 2d and 3d have a batch to choose");
    }
    selection.log2_points = static_cast<int>(
        parse_integer("--points", *options.points, 13, 30,
                      "must be the log2 of the points of a batch, 13 to 30 (default 26)"));
  }
  return selection;
}

const std::map<std::string, bench::Suite (*)(const bench::Selection&)> suites = {
    {"pow2", bench::pow2_suite},       {"smooth", bench::smooth_suite},
    {"columns", bench::columns_suite}, {"single", bench::single_suite},
    {"plan", bench::plan_suite},       {"2d", bench::planes_suite},
    {"3d", bench::cubes_suite}};

}  // namespace

bench::Suite suite_of(const BenchOptions& options) {
  const bench::Selection selection = selection_of(options);
  const auto make = suites.find(options.suite);
  if (make == suites.end()) {
    throw BadArgument("--suite", options.suite,
                      "must be pow2, smooth, 2d or 3d (large batches), columns (the middle axis of "
                      "n x n x n), single (batch 1) or plan (making plans)");
  }
  bench::Suite suite = make->second(selection);
  const auto& [n, shape] = std::tie(options.request.n, options.request.shape);
  if (suite.problems.empty() && shape) {
    throw BadArgument("--shape", *shape,
                      "must be of no more points than a batch has; see --points and --batch");
  }
  if (suite.problems.empty()) {
    throw BadArgument("--n", n.value_or(""), lengths_taken.allowed);
  }
  for (FftProblem& problem : suite.problems) {
    if (!options.request.array) set_convolution(options.request, problem);  // of known lengths
    validate(problem);
    if (!problem.convolution || problem.convolution->spectrum_strides.empty()) continue;
    throw BadArgument("--loops", options.request.loops.value_or(""),
                      "must not say where spectra lie, which all signals share here; leave the "
                      "fourth numbers out");
  }
  return suite;
}

namespace {

constexpr const char *tuned = "sonoma-tuned", *edited = "sonoma-edited";

// A tuning or an accuracy that was asked for, or edited kernels, beside what the planner chooses.
std::vector<bench::Variant> variants_of(const BenchOptions& options) {
  std::vector<bench::Variant> variants = bench::sonoma_variants();
  const bool other = !options.kernel.kernel.empty() || options.kernel.overrides;
  const auto& asked = options.request.accuracy;
  if (!other && !asked && !has_tuning(options.request)) return variants;
  variants.resize(1);
  const Tuning tuning = tuning_of(options.request);
  const Accuracy accuracy = asked ? parse_accuracy(*asked) : Accuracy{};
  if (tuning != Tuning{} || asked) variants.push_back({tuned, tuning, accuracy, {}, false});
  if (other) variants.push_back({edited, tuning, accuracy, {}, options.kernel.overrides});
  return variants;
}

}  // namespace

bool is_asked(const std::string& lib) { return lib == tuned || lib == edited; }

bench::RunOptions run_options_of(const BenchOptions& options) {
  bench::RunOptions run;
  run.variants = variants_of(options);
  if (options.repeat) {
    run.repetitions = static_cast<int>(parse_integer(
        "--repeat", *options.repeat, 1, 10000, "must be a number of repetitions, 1 to 10000"));
  }
  // cuFFT has no cosine or sine transforms.
  const bool alone =
      options.request.domain && is_trigonometric(parse_domain(*options.request.domain));
  if (alone) run.with_cufft = false;
  if (!options.vs) return run;
  run.with_cufft = false;
  for (const auto& name : CLI::detail::split(*options.vs, ',')) {
    if (name == "cufft" && alone) {
      throw BadArgument("--vs", *options.vs,
                        "must be copy with --domain " + *options.request.domain +
                            ": cuFFT has no cosine or sine transforms");
    }
    if (name == "cufft") run.with_cufft = true;
    if (name != "cufft" && name != "copy") {
      throw BadArgument("--vs", *options.vs, "must be cufft, copy (always there) or cufft,copy");
    }
  }
  return run;
}

}  // namespace sonoma::cli
