#include "plan_suite.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "child_process.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/config.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/planned.hpp"

namespace sonoma::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A disk cache of its own, until the destructor.
class TemporaryCache {
 public:
  TemporaryCache() : path_((fs::temp_directory_path() / "sonoma-bench-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) {
      throw std::runtime_error("no temporary folder can be made: " + path_);
    }
  }
  ~TemporaryCache() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryCache(const TemporaryCache&) = delete;
  TemporaryCache& operator=(const TemporaryCache&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// In the child: the runtime reads its environment at its first use, which is here.
void use_cache(const std::string& folder) {
  setenv("SONOMA_CACHE_DIR", folder.c_str(), 1);
  unsetenv("SONOMA_CACHE_READ_OFF");
  unsetenv("SONOMA_CACHE_WRITE_OFF");
  if (config().cache_dir != folder) {
    throw std::logic_error("the runtime was used before its plans are timed");
  }
}

/// The kernels of a program.
std::set<Launch> kernels_of(const Program& program) {
  return {program.launches.begin(), program.launches.end()};
}

// What a plan does without a GPU: all but loading.
Program compile_program(const FftProblem& problem) {
  PlanOptions options;
  options.device = Device::cpu;
  options.target = target_for("sm_90");
  const Target& target = *options.target;
  const Program program = plan(problem, target, choose_for(problem, options)).taken();
  const std::set<Launch> kernels = kernels_of(program);
  std::vector<std::future<void>> compiled;
  for (const Launch& launch : kernels) {
    compiled.push_back(std::async(std::launch::async,
                                  [&] { (void)compile(generate(launch, target).source, target); }));
  }
  for (auto& kernel : compiled) kernel.get();
  return program;
}

Program make_on_gpu(const FftProblem& problem) {
  PlanOptions options;
  options.device = Device::gpu;
  return make_plan(problem, options).program();
}

// User time of all threads of this process so far.
double user_milliseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) * 1e3 +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-3;
}

/// Of one process.
struct Measured {
  double ms = 0, user_ms = 0;
  std::size_t launches = 0, kernels = 0;
  Machine machine;
  std::string unsupported;  ///< why there are no times
};

// In the child: "times" and what Measured holds, or "unsupported" and why; then the machine.
std::string measured_text(const FftProblem& problem, const std::string& cache) {
  use_cache(cache);
  const bool on_gpu = gpu_available();
  const Machine machine = on_gpu ? this_machine() : machine_without_gpu();
  std::ostringstream text;
  text.precision(9);
  try {
    const double user_before = user_milliseconds();
    const auto start = Clock::now();
    const Program program = on_gpu ? make_on_gpu(problem) : compile_program(problem);
    const std::chrono::duration<double, std::milli> wall = Clock::now() - start;
    const double user = user_milliseconds() - user_before;
    text << "times " << wall.count() << ' ' << user << ' ' << program.launches.size() << ' '
         << kernels_of(program).size() << '\n';
  } catch (const UnsupportedProblem& error) {
    text << "unsupported " << error.what() << '\n';
  }
  text << machine.gpu << '\n' << machine.cuda << '\n' << machine.commit << '\n' << machine.date;
  return text.str();
}

Measured measure_in_child(const FftProblem& problem, const TemporaryCache& cache) {
  std::istringstream text(in_child_process([&] { return measured_text(problem, cache.path()); }));
  Measured measured;
  std::string kind, rest;
  text >> kind >> std::ws;
  std::getline(text, rest);
  if (kind == "unsupported") measured.unsupported = rest;
  std::istringstream(rest) >> measured.ms >> measured.user_ms >> measured.launches >>
      measured.kernels;
  Machine& machine = measured.machine;
  for (auto* field : {&machine.gpu, &machine.cuda, &machine.commit, &machine.date}) {
    std::getline(text, *field);
  }
  return measured;
}

/// Once, or, where that is short, the median of three.
template <class Measure>
Measured repeated(Measure&& measure) {
  constexpr double short_ms = 50;
  std::vector<Measured> all = {measure()};
  while (all.size() < 3 && all.front().unsupported.empty() && all.front().ms < short_ms) {
    all.push_back(measure());
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end(),
                   [](const Measured& a, const Measured& b) { return a.ms < b.ms; });
  return *middle;
}

void run_problem(const FftProblem& problem, const Listener<PlanRow>& listener) {
  std::optional<TemporaryCache> cache;
  const Measured cold = repeated([&] {
    cache.emplace();
    return measure_in_child(problem, *cache);
  });
  if (!cold.unsupported.empty()) return listener.note(cold.unsupported);
  const Measured warm = repeated([&] { return measure_in_child(problem, *cache); });
  PlanResult result;
  result.n = problem.points();
  result.type = type_of(problem);
  result.batch = problem.batch;
  result.place = place_of(problem);
  result.cold_ms = cold.ms;
  result.nvrtc_ms = std::max(0.0, cold.user_ms - warm.user_ms);
  result.warm_ms = warm.ms;
  result.launches = cold.launches;
  result.kernels = cold.kernels;
  listener.result({result, cold.machine});
}

}  // namespace

void run_plan_suite(const Suite& suite, const Listener<PlanRow>& listener) {
  if (suite.problems.empty()) return;
  // Brings the files of the libraries into memory.
  (void)measure_in_child(suite.problems.front(), TemporaryCache());
  for (const FftProblem& problem : suite.problems) run_problem(problem, listener);
}

}  // namespace sonoma::bench
