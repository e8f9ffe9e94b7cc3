// sonoma override: edited kernels that plans may take in the place of emitted ones.
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "judging.hpp"
#include "kernel_file.hpp"
#include "pair.hpp"
#include "request_words.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/config.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/overrides.hpp"
#include "stale.hpp"
#include "suite.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct OverrideOptions {
  RequestOptions request;
  std::string file, name;
  std::optional<std::string> repeat;
  bool stale = false, all = false, as_json = false;
};

json to_json(const Override& kept) {
  json timed;
  if (kept.ms > 0) {
    timed = {{"ms", kept.ms}, {"original_ms", kept.original_ms}, {"copy_ms", kept.copy_ms}};
  }
  return {{"kernel", kept.kernel},
          {"arch", kept.arch},
          {"request", words_of(kept.request)},
          {"original", kept.original},
          {"verified_on", kept.verified_on},
          {"rel_l2", kept.rel_l2},
          {"times", timed},
          {"date", kept.date}};
}

std::string times_of(const Override& kept) {
  if (kept.ms <= 0) return "not timed";
  return fmt::format("{:.3f} ms, {:.3f} of the speed of a copy; the original {:.3f} ms, {:.3f}",
                     kept.ms, kept.copy_ms / kept.ms, kept.original_ms,
                     kept.copy_ms / kept.original_ms);
}

Case case_of(const RequestOptions& request, const KernelFile& file) {
  refuse_code(request);
  PlanOptions plan = plan_options_of(request);
  plan.edit_kernel = file.edit();
  Case asked = case_asked(request, plan);
  require_room(asked);
  return asked;
}

// Without a GPU what the compiler for one says: an edited kernel that only the emulated device
// takes is of no use.
std::optional<std::string> compiled_for(const std::vector<Override>& kernels,
                                        const RequestOptions& request) {
  try {
    for (const Override& one : kernels) {
      CudaSource source;
      source.name = one.kernel, source.text = one.text;
      (void)compile(source, target_of(request));
    }
    return std::nullopt;
  } catch (const FftError& error) {
    if (error.stage() != Stage::load_library) throw;
    return "not compiled for a GPU: " + error.message();
  }
}

struct Timed {
  bench::PairTimes times;
  bool done = false;
};

// Beside the original, in large batches where nothing is said.
Timed time_beside_original(const OverrideOptions& options, const Case& asked) {
  constexpr std::int64_t points = std::int64_t{1} << 26;
  const int repetitions =
      static_cast<int>(parse_integer("--repeat", options.repeat.value_or("31"), 1, 10000,
                                     "must be a number of repetitions, 1 to 10000"));
  const FftProblem problem = asked.most ? asked.problem : bench::repeated(asked.problem, points);
  const bench::Variant original{"original", asked.plan.tuning};
  bench::Variant edited{"edited", asked.plan.tuning, {}, asked.plan.edit_kernel};
  return {bench::time_pair({problem, original}, {problem, edited}, repetitions), true};
}

std::vector<Override> completed(std::vector<Override> kernels, const RequestOptions& request,
                                const Plan& plan, const verification::Report& report,
                                const Timed& timed) {
  RequestOptions anywhere = request;
  anywhere.device.reset();
  if (!anywhere.arch) anywhere.arch = kernels.front().arch;
  for (Override& one : kernels) {
    one.request = line_of(words_of(anywhere));
    one.verified_on = plan.device() == Device::gpu ? gpu_info().name : "emulated device";
    one.rel_l2 = report.worst_e2() * verification::kUnitRoundoff;
    one.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    if (!timed.done) continue;
    one.ms = timed.times.b.ms, one.original_ms = timed.times.a.ms;
    one.copy_ms = timed.times.a.copy_ms;
  }
  return kernels;
}

void print_kept(const std::vector<Override>& kernels, const Timed& timed, bool slower) {
  for (const Override& one : kernels) {
    fmt::print("kept {} for {}, verified on {}: {}\n", one.kernel, one.arch, one.verified_on,
               times_of(one));
  }
  if (timed.done) {
    const auto& [median, low, high] = timed.times.ratio;
    fmt::print("time of the edited kernel by that of the original: {:.4f}, in [{:.4f}, {:.4f}]{}\n",
               median, low, high, slower ? ": slower" : "");
  }
  fmt::print(
      "plans take it that ask for it: --overrides, PlanOptions::overrides, or "
      "SONOMA_OVERRIDES=1\n");
}

bool add(const OverrideOptions& options) {
  const KernelFile file(options.file);
  const RequestOptions request = file.completed(options.request);
  const Case asked = case_of(request, file);
  const Plan plan = make_plan(asked.problem, asked.plan);
  file.require_used();
  std::vector<Override> kernels = edited_kernels(plan);
  if (kernels.empty()) {
    throw BadArgument("FILE", options.file, "is as `sonoma emit` writes it: nothing was edited");
  }
  const verification::Report report = check(asked, plan);
  if (!report.pass()) {
    if (options.as_json) fmt::print("{}\n", json{{"kept", json::array()}, {"pass", false}}.dump(2));
    fmt::print(options.as_json ? stderr : stdout, "{}not kept: the edited kernel is not right\n",
               summary(report));
    return false;
  }
  const bool on_gpu = plan.device() == Device::gpu;
  // In place an execution would take what the one before has left.
  const bool timeable = on_gpu && asked.problem.placement == Placement::out_of_place;
  const Timed timed = timeable ? time_beside_original(options, asked) : Timed{};
  if (!on_gpu) {
    if (const auto note = compiled_for(kernels, request)) fmt::print(stderr, "sonoma: {}\n", *note);
  }
  kernels = completed(std::move(kernels), request, plan, report, timed);
  for (const Override& one : kernels) save_override(config().overrides_dir, one);
  if (!options.as_json) print_kept(kernels, timed, timed.times.ratio.low > 1);
  json kept = json::array();
  for (const Override& one : kernels) kept.push_back(to_json(one));
  if (options.as_json) fmt::print("{}\n", json{{"kept", kept}, {"pass", true}}.dump(2));
  return true;
}

Overrides overrides_here() {
  Overrides all = load_overrides(config().overrides_dir);
  for (const std::string& problem : all.problems) fmt::print(stderr, "sonoma: {}\n", problem);
  return all;
}

void list(const OverrideOptions& options) {
  json entries = json::array();
  for (const Override& one : overrides_here().entries) {
    const std::string state = state_of(one);
    if (!options.as_json) {
      fmt::print("{:<8} {} {} {}, {}; {}\n         sonoma emit {}\n", state, one.kernel, one.arch,
                 one.date, one.verified_on, times_of(one), one.request);
      continue;
    }
    entries.push_back(to_json(one));
    entries.back()["state"] = state;
  }
  if (options.as_json) {
    fmt::print("{}\n",
               json{{"folder", config().overrides_dir.string()}, {"overrides", entries}}.dump(2));
  }
}

void remove(const OverrideOptions& options) {
  std::size_t removed = 0;
  for (const Override& one : overrides_here().entries) {
    const bool named = one.kernel == options.name;
    if (!named && !options.all && !(options.stale && state_of(one) == "stale")) continue;
    remove_override(config().overrides_dir, one);
    ++removed;
  }
  if (removed == 0 && !options.name.empty()) {
    throw BadArgument("NAME", options.name, "is none of those that `sonoma override list` shows");
  }
  if (!options.as_json) return fmt::print("{} removed\n", removed);
  fmt::print("{}\n", json{{"removed", removed}}.dump(2));
}

void add_add_command(CLI::App& command, OverrideOptions& options, int& exit_code) {
  command
      .add_option("FILE", options.file,
                  "the kernel, as `sonoma emit --out FILE` wrote it and "
                  "you changed it")
      ->required();
  add_request_options(command, options.request, "length of the transform (default: as in FILE)");
  add_length_options(command, options.request);
  add_layout_options(command, options.request);
  add_convolution_options(command, options.request);
  add_array_options(command, options.request);
  add_device_option(command, options.request);
  command.add_option("--repeat", options.repeat, "on a GPU: repetitions (default 31)");
  command.callback([&options, &exit_code] {
    if (!add(options)) exit_code = exit_not_verified;
  });
}

}  // namespace

void add_override_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<OverrideOptions>();
  CLI::App* all =
      app.add_subcommand("override", "Keep edited kernels, for plans that ask for them");
  all->require_subcommand(1);
  const auto one = [&](const char* name, const char* help) {
    CLI::App* command = all->add_subcommand(name, help);
    command->add_flag("--json", options->as_json, "print a JSON document");
    return command;
  };
  add_add_command(*one("add",
                       "Verify an edited kernel as `verify` does, time it beside the "
                       "original where there is a GPU, and keep it if it is right"),
                  *options, exit_code);
  one("list", "What is kept, and whether this generator still emits what it was made of")
      ->callback([options] { list(*options); });
  CLI::App* removing = one("remove", "Remove those of a name, stale ones, or all");
  auto* name = removing->add_option("NAME", options->name, "of a kernel");
  auto* stale = removing->add_flag("--stale", options->stale, "those that are stale");
  auto* everything = removing->add_flag("--all", options->all, "all");
  stale->excludes(name)->excludes(everything);
  everything->excludes(name);
  removing->callback([options] {
    if (options->name.empty() && !options->stale && !options->all) {
      throw BadArgument("NAME", "(missing)", "name a kernel, or say --stale or --all");
    }
    remove(*options);
  });
  all->footer(
      "Examples:\n  sonoma emit 4096 --out k.cu   # then edit k.cu\n"
      "  sonoma override add k.cu\n  sonoma run 4096 --overrides --input x.npy --output "
      "y.npy");
}

}  // namespace sonoma::cli
