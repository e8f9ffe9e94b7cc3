// sonoma compile: fills the disk cache, so that plans find their kernels there.
#include "sonoma/compile.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aot_spec.hpp"
#include "arguments.hpp"
#include "asked_problems.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "in_parallel.hpp"
#include "progress.hpp"
#include "request_options.hpp"
#include "sonoma/cache.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct CompileOptions {
  RequestOptions request;
  std::optional<std::string> spec;
  bool as_json = false;
};

/// A plan for an architecture.
struct Work {
  std::string what;  ///< for people
  FftProblem problem;
  PlanOptions options;
  std::vector<PreparedKernel> kernels = {};
  std::exception_ptr failure = {};
};

// A file of requests, as `sonoma aot` takes it: for the architectures of --arch, else its own.
std::vector<Work> work_of_spec(const CompileOptions& options) {
  const RequestOptions& asked = options.request;
  if (asked.n || asked.shape || asked.array) {
    throw BadArgument("--spec", *options.spec,
                      "lists requests: leave --n, --shape and --array out, or the spec");
  }
  const auto archs = asked.arch ? parse_archs(*asked.arch) : std::vector<Target>{};
  std::vector<Work> all;
  for (const AotRequest& one : requests_of_spec(*options.spec, read_file(*options.spec), archs)) {
    for (const Target& target : one.targets) {
      RequestOptions with_arch;
      with_arch.device = asked.device, with_arch.arch = arch_name(target);
      PlanOptions plan_options = plan_options_of(with_arch);
      plan_options.tuning = one.request.tuning;
      plan_options.workspace_policy = one.request.workspace_policy;
      const FftProblem& problem = one.request.problem;
      all.push_back({to_string(problem) + ", " + arch_name(target), problem, plan_options});
    }
  }
  return all;
}

std::vector<Work> work_of(const CompileOptions& options) {
  if (options.spec) return work_of_spec(options);
  std::vector<Work> all;
  for (const RequestOptions& one : one_by_one(options.request, any_length)) {
    const FftProblem problem = problem_asked(one);
    for (const auto& arch : values_of(one.arch)) {
      RequestOptions with_arch = one;
      with_arch.arch = arch;
      const std::string what = to_string(problem) + (arch ? ", " + *arch : "");
      all.push_back({what, problem, plan_options_of(with_arch)});
    }
  }
  return all;
}

// On all cores.
void compile_all(std::vector<Work>& all) {
  Progress progress(all.size());
  std::mutex mutex;
  bench::for_each_in_parallel(all.size(), [&](std::size_t i) {
    {
      const std::lock_guard lock(mutex);
      progress.begin(all[i].what);
    }
    try {
      all[i].kernels = prepare(all[i].problem, all[i].options);
    } catch (...) {
      all[i].failure = std::current_exception();
    }
  });
}

std::string reason_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}

json to_json(const Work& work) {
  json kernels = json::array();
  for (const PreparedKernel& kernel : work.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"arch", kernel.arch},
                       {"registers", kernel.registers},
                       {"local_bytes", kernel.local_bytes},
                       {"from_cache", kernel.from_cache},
                       {"compile_ms", kernel.compile_ms}});
  }
  json all = {{"request", work.what}, {"kernels", kernels}};
  if (work.failure) all["error"] = reason_of(work.failure);
  return all;
}

void report(const CompileOptions& options, const std::vector<Work>& all, double seconds) {
  std::size_t compiled = 0, there = 0, failed = 0;
  json plans = json::array();
  for (const Work& work : all) {
    for (const PreparedKernel& kernel : work.kernels) ++(kernel.from_cache ? there : compiled);
    if (options.as_json) plans.push_back(to_json(work));
    if (!work.failure) continue;
    ++failed;
    fmt::print(stderr, "sonoma: {}: {}\n", work.what, reason_of(work.failure));
  }
  const std::string folder = cache_path().string();
  if (options.as_json) {
    return fmt::print("{}\n", json{{"plans", plans},
                                   {"compiled", compiled},
                                   {"there", there},
                                   {"failed", failed},
                                   {"seconds", seconds},
                                   {"folder", folder}}
                                  .dump(2));
  }
  fmt::print("{} plans, {} kernels compiled, {} were there, {} plans failed; {:.1f} s; {}\n",
             all.size(), compiled, there, failed, seconds, folder);
}

void compile(const CompileOptions& options, int& exit_code) {
  const auto start = std::chrono::steady_clock::now();
  (void)cache_path();  // where nothing can be kept, nothing is compiled
  std::vector<Work> all = work_of(options);
  if (all.size() == 1) {  // its error is that of the command
    all[0].kernels = prepare(all[0].problem, all[0].options);
  } else {
    compile_all(all);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  report(options, all, seconds.count());
  if (std::ranges::any_of(all, [](const Work& work) { return bool(work.failure); })) {
    exit_code = exit_runtime_error;
  }
}

}  // namespace

void add_compile_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* command = app.add_subcommand("compile",
                                         "Compile the kernels of plans into the disk cache, on all "
                                         "cores. With --arch it needs no GPU");
  add_request_options(*command, options->request, "length, or several: 256,1024, 2..8192");
  add_end_options(*command, options->request);
  add_layout_options(*command, options->request);
  add_convolution_options(*command, options->request);
  add_array_options(*command, options->request);
  add_device_option(*command, options->request);
  command->add_option("--spec", options->spec,
                      "a file that lists requests, as `sonoma aot --spec` takes it, in place of "
                      "--n and what goes with it");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options, &exit_code] { compile(*options, exit_code); });
}

}  // namespace sonoma::cli
