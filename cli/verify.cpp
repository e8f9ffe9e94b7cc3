// sonoma verify: the verification protocol for a length or a range of them.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "progress.hpp"
#include "request_options.hpp"
#include "sonoma/device_buffer.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct VerifyOptions {
  RequestOptions request;
  bool as_json = false;
};

/// One plan to judge.
struct Case {
  FftProblem problem;  ///< batch 1
  PlanOptions plan;
};

// "4096" or "2..8192": the powers of two from LO to HI.
std::vector<std::int64_t> lengths_of(const RequestOptions& options) {
  if (!options.n) return {length_of(options)};
  const std::string_view text = *options.n;
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {length_of(options)};
  const char* allowed =
      "must be a length or a range LO..HI that holds a power of two, e.g. 2..8192";
  constexpr auto largest = std::int64_t{1} << 40;
  const auto low = parse_integer("--n", text.substr(0, dots), 1, largest, allowed);
  const auto high = parse_integer("--n", text.substr(dots + 2), 1, largest, allowed);
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 2; n <= high; n *= 2) {
    if (n >= low) lengths.push_back(n);
  }
  if (lengths.empty()) throw BadArgument("--n", text, allowed);
  return lengths;
}

// The tunings that "all" stands for at this length.
std::vector<Tuning> tunings_of(RequestOptions options, std::int64_t n) {
  const bool all_engines = options.engine == "all", all_radices = options.radix == "all";
  if (all_engines) options.engine.reset();
  if (all_radices) options.radix.reset();
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

std::vector<Case> cases_of(const RequestOptions& options) {
  RequestOptions without_all = options;
  if (options.engine == "all") without_all.engine.reset();
  if (options.radix == "all") without_all.radix.reset();
  PlanOptions plan_options = plan_options_of(without_all);
  std::vector<Case> cases;
  for (const auto n : lengths_of(options)) {
    for (const auto& tuning : tunings_of(options, n)) {
      plan_options.tuning = tuning;
      cases.push_back({problem_of(options, n), plan_options});
    }
  }
  return cases;
}

// What the protocol calls: host rows in, host rows out, any batch.
verification::TransformFn transform_of(const Case& the_case) {
  return
      [the_case](const verification::Complex* in, verification::Complex* out, std::int64_t batch) {
        FftProblem problem = the_case.problem;
        problem.batch = batch;
        const Plan plan = make_plan(problem, the_case.plan);
        const auto bytes = static_cast<std::size_t>(batch * problem.n()) * sizeof *in;
        DeviceBuffer first(plan.device(), bytes);
        first.upload(in, bytes);
        if (problem.placement == Placement::in_place) {
          plan.execute(first.data(), first.data());
          return first.download(out, bytes);
        }
        DeviceBuffer second(plan.device(), bytes);
        plan.execute(first.data(), second.data());
        second.download(out, bytes);
      };
}

json finding_to_json(const verification::Finding& finding) {
  const json limit = finding.limit ? json(*finding.limit) : json();
  // JSON has no infinity: an output that is not finite has the error null and "pass": false.
  return {{"check", finding.check}, {"metric", finding.metric}, {"value", finding.value},
          {"limit", limit},         {"pass", finding.pass},     {"note", finding.note}};
}

json to_json(const Plan& plan, const verification::Report& report) {
  json findings = json::array();
  for (const auto& finding : report.findings) findings.push_back(finding_to_json(finding));
  const Generated& generated = plan.generated();
  return {{"n", report.n},
          {"direction", to_string(report.direction)},
          {"placement", to_string(generated.problem.placement)},
          {"scale", report.scale},
          {"engine", to_string(*generated.tuning.engine)},
          {"decomposition", to_string(*generated.tuning.decomposition)},
          {"device", plan.device() == Device::gpu ? "gpu" : "cpu"},
          {"pass", report.pass()},
          {"rel_l2_u", report.worst_e2()},
          {"rel_l2_limit_u", verification::e2_limit(report.n)},
          {"error_bound_u", plan.error_bound() / verification::kUnitRoundoff},
          {"findings", findings}};
}

void print(const Plan& plan, const verification::Report& report) {
  const Tuning& tuning = plan.generated().tuning;
  fmt::print("{:<4} {} {}", to_string(*tuning.engine), to_string(*tuning.decomposition),
             summary(report));
  std::fflush(stdout);
}

bool verify_all(const VerifyOptions& options) {
  const std::vector<Case> cases = cases_of(options.request);
  json reports = json::array();
  bool pass = true;
  Progress progress(cases.size());
  for (const auto& the_case : cases) {
    progress.begin(to_string(the_case.problem) + " " + to_string(the_case.plan.tuning));
    const Plan plan = make_plan(the_case.problem, the_case.plan);
    verification::CheckOptions check;
    check.scale = the_case.problem.scale;
    const verification::Report report = check_transform(
        transform_of(the_case), the_case.problem.n(), the_case.problem.direction, check);
    pass = pass && report.pass();
    progress.clear();
    if (options.as_json) reports.push_back(to_json(plan, report));
    if (!options.as_json) print(plan, report);
  }
  if (options.as_json) fmt::print("{}\n", json{{"pass", pass}, {"transforms", reports}}.dump(2));
  return pass;
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand(
      "verify", "Check transforms against FFTW in double precision, and the accuracy contract");
  add_request_options(*command, options->request,
                      "length, or a range LO..HI of which every power of two is checked");
  command->get_option("--engine")->description("mma, simt, or all");
  command->get_option("--radix")->description("2, 4, 8, 16, or all");
  add_device_option(*command, options->request);
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options, &exit_code] {
    if (!verify_all(*options)) exit_code = exit_not_verified;
  });
}

}  // namespace sonoma::cli
