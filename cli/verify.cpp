// sonoma verify: the verification protocol for a length or a range of them.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "commands.hpp"
#include "error_plot.hpp"
#include "exit_codes.hpp"
#include "judging.hpp"
#include "kernel_file.hpp"
#include "plot.hpp"
#include "progress.hpp"
#include "request_options.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/check.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct VerifyOptions {
  RequestOptions request;
  KernelOptions kernel;
  std::string reference = "fftw", plot;
  std::vector<std::string> beside;
  bool as_json = false;
};

// Those of one axis.
const LengthsTaken lengths_taken = {
    std::int64_t{1} << 40,
    "must be a positive integer, e.g. --n 4096, or several, or ranges LO..HI that hold a power of "
    "two, e.g. 100,2..8192"};

// Opens --engine and --radix where they are "all"; whether each was.
std::pair<bool, bool> take_all(RequestOptions& options) {
  const auto take = [&](const char* name) {
    auto& text = options.tuning.at(name);
    const bool all = text == "all";
    if (all) text.reset();
    return all;
  };
  return {take("engine"), take("radix")};
}

// The tunings that "all" stands for at this length.
std::vector<Tuning> tunings_of(RequestOptions options, std::int64_t n) {
  const auto [all_engines, all_radices] = take_all(options);
  const Tuning base = tuning_of(options);
  std::vector<Tuning> tunings;
  for (const Engine engine : {Engine::mma, Engine::simt}) {
    Tuning with_engine = base;
    if (all_engines) with_engine.engine = engine;
    for (const unsigned radix : {2u, 4u, 8u, 16u}) {
      Tuning tuning = with_engine;
      if (all_radices) tuning.radix = radix;
      if (!all_radices || radix <= n) tunings.push_back(tuning);
      if (!all_radices) break;
    }
    if (!all_engines) break;
  }
  return tunings;
}

// Of one precision and one accuracy.
void append_cases(const RequestOptions& options, const KernelInUse& kernel,
                  std::vector<Case>& cases) {
  RequestOptions without_all = options;
  (void)take_all(without_all);
  PlanOptions plan_options = plan_options_of(without_all);
  kernel.apply(plan_options);
  for (const RequestOptions& one : one_by_one(options, lengths_taken)) {
    const FftProblem problem = problem_asked(one);
    for (const auto& tuning : tunings_of(options, problem.lengths.back())) {
      plan_options.tuning = tuning;
      cases.push_back(case_asked(one, plan_options));
    }
  }
}

std::vector<Case> cases_of(RequestOptions options, const KernelInUse& kernel) {
  std::vector<Case> cases;
  const auto precisions = values_of(options.precision), accuracies = values_of(options.accuracy);
  for (const auto& precision : precisions) {
    for (const auto& accuracy : accuracies) {
      options.precision = precision;
      options.accuracy = accuracy;
      append_cases(options, kernel, cases);
    }
  }
  return cases;
}

json finding_to_json(const verification::Finding& finding) {
  const json limit = finding.limit ? json(*finding.limit) : json();
  // JSON has no infinity: an output that is not finite has the error null and "pass": false.
  return {{"check", finding.check}, {"metric", finding.metric}, {"value", finding.value},
          {"limit", limit},         {"pass", finding.pass},     {"note", finding.note}};
}

verification::Oracle oracle_of(const VerifyOptions& options) {
  if (const auto oracle = verification::parse_oracle(options.reference)) return *oracle;
  throw BadArgument("--reference", options.reference, "must be fftw, fftw-long or mpfr");
}

std::vector<bench::Row> rows_of(const std::vector<std::string>& files) {
  std::vector<bench::Row> rows;
  for (const std::string& file : files) {
    try {
      const auto more = bench::parse_csv(read_file(file));
      rows.insert(rows.end(), more.begin(), more.end());
    } catch (const std::invalid_argument& error) {
      throw BadArgument("--beside", file, error.what());
    }
  }
  return rows;
}

// "mma" where only the engine was asked for.
std::string name_of(const Tuning& tuning) {
  if (tuning == Tuning{}) return "";
  const std::string words = to_string(tuning), engine = "engine=";
  return words.starts_with(engine) ? words.substr(engine.size()) : words;
}

bench::ErrorOfPlan error_of(const Case& the_case, const Plan& plan,
                            const verification::Report& report,
                            const std::vector<bench::Row>& recorded) {
  const double u = verification::kUnitRoundoff;
  return {report.problem,         name_of(the_case.plan.tuning),
          report.worst_e2(),      plan.expected_error() / u,
          plan.error_bound() / u, bench::cufft_error(recorded, report.problem)};
}

json to_json(const Case& the_case, const Plan& plan, const verification::Report& report,
             const bench::ErrorOfPlan& error) {
  json findings = json::array();
  for (const auto& finding : report.findings) findings.push_back(finding_to_json(finding));
  const FftProblem& problem = report.problem;
  const Tuning& tuning = plan.generated().tuning;
  json document = {{"request", json_of(problem)},
                   {"n", problem.points()},
                   {"precision", to_string(problem.storage)},
                   {"out_precision", to_string(problem.result_storage())},
                   {"direction", to_string(problem.direction)},
                   {"placement", to_string(problem.placement)},
                   {"scale", problem.scale},
                   {"engine", to_string(*tuning.engine)},
                   {"arithmetic", to_string(plan.generated().shape.arithmetic)},
                   {"decomposition", to_string(*tuning.decomposition)},
                   {"device", plan.device() == Device::gpu ? "gpu" : "cpu"},
                   {"reference", to_string(the_case.oracle)},
                   {"pass", report.pass()},
                   {"rel_l2_u", error.measured},
                   {"rel_l2_limit_u", report.limits.stored_e2},
                   {"error_bound_u", error.bound},
                   {"expected_error_u", error.expected},
                   {"findings", findings}};
  if (error.cufft) document["cufft_rel_l2_u"] = *error.cufft;
  return document;
}

void print(const Plan& plan, const verification::Report& report) {
  const Tuning& tuning = plan.generated().tuning;
  fmt::print("{:<6} {} {}", to_string(plan.generated().shape.arithmetic),
             to_string(*tuning.decomposition), summary(report));
  std::fflush(stdout);
}

// What the picture is of: where the errors come from.
std::string heading_of(const Plan& plan, const std::vector<bench::Row>& recorded) {
  const bool gpu = plan.device() == Device::gpu;
  std::string ours = "sonoma verify, " + (gpu ? bench::this_machine().gpu : "emulated device");
  if (recorded.empty()) return ours;
  const bench::Machine& theirs = recorded.front().machine;
  return ours + "; cuFFT: " + theirs.gpu + ", CUDA " + theirs.cuda + ", " + theirs.date;
}

bool verify_all(VerifyOptions options) {
  const KernelInUse kernel(options.kernel, options.request);
  refuse_code(options.request);
  if (!options.plot.empty()) bench::require_plotting(options.plot);
  std::vector<Case> cases = cases_of(options.request, kernel);
  for (Case& one : cases) one.oracle = oracle_of(options);
  const std::vector<bench::Row> recorded = rows_of(options.beside);
  json reports = json::array();
  std::vector<bench::ErrorOfPlan> errors;
  std::string heading;
  bool pass = true;
  Progress progress(cases.size());
  std::ranges::for_each(cases, require_room);
  for (const auto& the_case : cases) {
    progress.begin(to_string(the_case.problem) + " " + to_string(the_case.plan.tuning));
    const Plan plan = make_plan(the_case.problem, the_case.plan);
    kernel.require_used();
    const verification::Report report = check(the_case, plan);
    pass = pass && report.pass();
    progress.clear();
    errors.push_back(error_of(the_case, plan, report, recorded));
    heading = heading_of(plan, recorded);
    if (options.as_json) reports.push_back(to_json(the_case, plan, report, errors.back()));
    if (!options.as_json) print(plan, report);
  }
  if (options.as_json) fmt::print("{}\n", json{{"pass", pass}, {"transforms", reports}}.dump(2));
  if (!options.plot.empty())
    bench::write_charts(heading, bench::error_charts(errors), options.plot);
  return pass;
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      app.add_subcommand("verify",
                         "Check transforms and the memory around their points, against FFTW or "
                         "MPFR and the accuracy contract");
  add_request_options(*command, options->request,
                      "lengths, e.g. 100,343; a range LO..HI stands for its powers of two");
  add_kernel_options(*command, options->kernel);
  add_length_options(*command, options->request);
  add_layout_options(*command, options->request);
  add_convolution_options(*command, options->request);
  add_array_options(*command, options->request);
  command->get_option("--batch")->description(
      "most transforms in one execution, e.g. as many as lie side by side (default: any number)");
  command->get_option("--engine")->description("mma, simt, or all");
  command->get_option("--radix")->description("2, 4, 8, 16, or all");
  command->get_option("--precision")
      ->description(
          "storage of the components: f32 (the default), f16, bf16, i16, or a list: f16,bf16");
  command->get_option("--accuracy")
      ->description(
          "split3, split4, half, simt, simt64, packed, the largest relative L2 error, or a list: "
          "split4,half");
  add_device_option(*command, options->request);
  command->add_option("--reference", options->reference,
                      "what is right: fftw (in double precision, the default), fftw-long (long "
                      "double), or mpfr (256 bits, from the definitions; small lengths)");
  command->add_option("--plot", options->plot,
                      "draw the errors over n, beside bound and expected error, to this file, .png "
                      "or .svg");
  command->add_option("--beside", options->beside,
                      "rows that `bench --csv` wrote: with cuFFT's errors of the same transforms");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->footer(
      "Examples:\n  sonoma verify 2..8192 --device cpu\n  sonoma verify 1000 --registers 64\n"
      "  sonoma verify --kernel edited.cu");
  command->callback([options, &exit_code] {
    if (!verify_all(*options)) exit_code = exit_not_verified;
  });
}

}  // namespace sonoma::cli
