// sonoma aot: kernels ahead of time.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "aot_files.hpp"
#include "aot_spec.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "progress.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct AotOptions {
  AotRequestOptions request;
  std::optional<std::string> spec, archs;
  std::string out;
  bool as_json = false, check = false, no_binaries = false;
};

std::vector<AotRequest> asked_by(const AotOptions& options) {
  const RequestOptions& request = options.request.request;
  const bool one = request.n || request.shape || request.array;
  if (options.spec && one) {
    throw BadArgument("--spec", *options.spec,
                      "lists requests: leave --n, --shape and --array out, or the spec");
  }
  const auto archs = options.archs ? parse_archs(*options.archs) : std::vector<Target>{};
  if (options.spec) return requests_of_spec(*options.spec, read_file(*options.spec), archs);
  if (archs.empty()) {
    throw BadArgument("--arch", "(missing)", "give the architectures, e.g. --arch sm_80,sm_90");
  }
  std::vector<AotRequest> asked;
  for (AheadRequest& made : requests_asked(options.request))
    asked.push_back({"", std::move(made), archs});
  return asked;
}

// A program for each request and architecture.
std::vector<AotProgram> programs_of(const std::vector<AotRequest>& asked) {
  std::vector<AotProgram> programs;
  for (const AotRequest& request : asked) {
    for (const Target& target : request.targets)
      programs.push_back({request, {target, {}, {}, {}}});
  }
  return programs;
}

void generate(AotProgram& program) {
  try {
    program.made = generate_ahead(program.asked.request, program.made.target);
  } catch (const UnsupportedProblem& error) {
    if (program.asked.where.empty()) throw;
    throw BadSpec(program.asked.where + ": " + error.what());
  }
}

// Generates and compiles, on all cores. What the first that fails throws goes on when all threads
// have ended. `ahead`: null to compile nothing.
void make(std::vector<AotProgram>& programs, AheadOfTime* ahead) {
  int newest = 0;
  for (const AotProgram& program : programs) newest = std::max(newest, program.made.target.arch);
  Progress progress(programs.size());
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < programs.size() && !failed; i = next++) {
        AotProgram& program = programs[i];
        {
          const std::lock_guard lock(mutex);
          progress.begin(to_string(program.asked.request.problem) + ", " +
                         arch_name(program.made.target));
        }
        generate(program);
        const bool ptx = program.made.target.arch == newest;
        if (ahead != nullptr) ahead->add(program.asked.request, program.made, ptx);
      }
    } catch (...) {
      failed = true;
      throw;
    }
  };
  std::vector<std::future<void>> workers;
  const unsigned count = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < count; ++i) {
    workers.push_back(std::async(std::launch::async | std::launch::deferred, work));
  }
  work();
  for (auto& worker : workers) worker.get();
}

void write(const std::filesystem::path& folder, const AotFiles& files) {
  for (const auto& [name, bytes] : files) {
    const std::filesystem::path path = folder / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw FileError(path.parent_path().string(), "cannot be made: " + error.message());
    write_file(path.string(), bytes);
  }
}

// The files that are not what they would be if they were written now.
std::vector<std::string> different(const std::filesystem::path& folder, const AotFiles& files) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files) {
    const std::filesystem::path path = folder / name;
    if (!std::filesystem::is_regular_file(path) || read_file(path.string()) != bytes) {
      names.push_back(name);
    }
  }
  return names;
}

struct Totals {
  std::size_t programs = 0, kernels = 0, compiled = 0;
  double seconds = 0;
};

Totals totals_of(const std::vector<AotProgram>& programs, double seconds) {
  std::set<std::string> kernels, compiled;
  for (const AotProgram& program : programs) {
    for (const AheadKernel& kernel : program.made.kernels) {
      const std::string name = source_file(kernel.source, program.made.target);
      kernels.insert(name);
      if (!kernel.cubin.bytes.empty() && !kernel.cubin.from_cache) compiled.insert(name);
    }
  }
  return {programs.size(), kernels.size(), compiled.size(), seconds};
}

void report(const AotOptions& options, const AotFiles& files, const Totals& totals,
            const std::vector<std::string>& wrong) {
  if (options.as_json) {
    json names = json::array();
    for (const auto& [name, bytes] : files) names.push_back(name);
    json all = {{"out", options.out},
                {"files", names},
                {"programs", totals.programs},
                {"kernels", totals.kernels},
                {"compiled", totals.compiled},
                {"seconds", totals.seconds},
                {"manifest", json::parse(files.at("manifest.json"))}};
    if (options.check) all["different"] = wrong;
    return fmt::print("{}\n", all.dump(2));
  }
  for (const std::string& name : wrong) fmt::print("different: {}\n", name);
  const auto bundle = files.find("kernels.sonoma");
  const std::string size = bundle == files.end()
                               ? ""
                               : fmt::format(", {:.1f} KiB in kernels.sonoma",
                                             static_cast<double>(bundle->second.size()) / 1024);
  fmt::print("{} programs, {} kernels ({} compiled){}, {:.1f} s: {} {}\n", totals.programs,
             totals.kernels, totals.compiled, size, totals.seconds, options.out,
             !options.check  ? "is written"
             : wrong.empty() ? "has the same bytes"
                             : "is not what is made now");
}

void run(const AotOptions& options, int& exit_code) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<AotProgram> programs = programs_of(asked_by(options));
  AheadOfTime ahead;
  make(programs, options.no_binaries ? nullptr : &ahead);
  const AotFiles files = aot_files(programs, options.no_binaries ? "" : ahead.bundle());
  std::vector<std::string> wrong;
  if (options.check) {
    wrong = different(options.out, files);
    if (!wrong.empty()) exit_code = exit_not_verified;
  } else {
    write(options.out, files);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  report(options, files, totals_of(programs, seconds.count()), wrong);
}

}  // namespace

void add_aot_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<AotOptions>();
  CLI::App* command = app.add_subcommand(
      "aot",
      "Make kernels ahead of time, for programs that then need neither NVRTC nor a cache. Needs "
      "NVRTC, but no GPU");
  options->request.add_to(*command, "length, or several: 256,1024, 2..8192");
  command->add_option("--arch", options->archs,
                      "architectures, e.g. sm_80,sm_90: those of the spec count no more. Of the "
                      "newest there is PTX too, for newer GPUs");
  command->add_option("--spec", options->spec,
                      "JSON file that lists requests (docs/ahead-of-time.md), in place of --n");
  command
      ->add_option("-o,--out", options->out,
                   "folder for kernels.sonoma, kernels.cpp, manifest.json, sources and tables")
      ->required();
  command->add_flag("--no-binaries", options->no_binaries,
                    "sources, tables and the manifest only: needs no NVRTC");
  command->add_flag("--check", options->check,
                    "write nothing: compare the folder with what would be written; exit code 1 if "
                    "it differs");
  command->add_flag("--json", options->as_json, "print a JSON document, with the manifest");
  command->callback([options, &exit_code] { run(*options, exit_code); });
}

}  // namespace sonoma::cli
