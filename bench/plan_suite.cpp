#include "plan_suite.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "line_up.hpp"
#include "sonoma/config.hpp"
#include "statistics.hpp"
#include "workload.hpp"

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

/// What one process measures.
struct Times {
  double plan_ms = 0, next_ms = 0, first_ms = 0, host_us = 0;
};

/// An execution on the stream, planned for a problem.
using Enqueue = std::function<void()>;
using Planner = std::function<Enqueue(const FftProblem&)>;

template <class Action>
double milliseconds(Action&& action) {
  const auto start = Clock::now();
  action();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The stream takes all calls of a round without making the host wait.
double host_microseconds(const Enqueue& enqueue, const GpuStream& stream) {
  constexpr int rounds = 21, calls = 200;
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < calls; ++i) {
      const double time = milliseconds(enqueue) * 1e3;
      if (round > 0) times.push_back(time);  // the first warms up
    }
    stream.synchronize();
  }
  return median(std::move(times));
}

Times measure(const FftProblem& problem, const Planner& planner, const GpuStream& stream) {
  Times times;
  Enqueue enqueue, of_inverse;
  times.plan_ms = milliseconds([&] { enqueue = planner(problem); });
  times.first_ms = milliseconds([&] {
    enqueue();
    stream.synchronize();
  });
  FftProblem inverse = problem;
  inverse.direction = Direction::inverse;
  times.next_ms = milliseconds([&] { of_inverse = planner(inverse); });
  times.host_us = host_microseconds(enqueue, stream);
  return times;
}

Planner sonoma_planner(const Tuning& tuning, const Workload& workload, Stream stream) {
  return [tuning, &workload, stream](const FftProblem& problem) -> Enqueue {
    PlanOptions options;
    options.device = Device::gpu;
    options.tuning = tuning;
    const Plan plan = make_plan(problem, options);
    return [plan, &workload, stream] { plan.execute(workload.in(), workload.out(), stream); };
  };
}

// Opening the library is part of the first plan.
Planner cufft_planner(const Workload& workload, Stream stream) {
  const auto library = std::make_shared<std::optional<Cufft>>();
  return [library, &workload, stream](const FftProblem& problem) -> Enqueue {
    if (!*library) library->emplace();
    const auto plan = std::make_shared<Cufft::Plan>(**library, problem, stream);
    return [library, plan, &workload] { plan->execute(workload.in(), workload.out()); };
  };
}

/// Who is measured: a variant of Sonoma, or cuFFT.
struct Library {
  std::string name;
  std::optional<Tuning> tuning;  ///< empty: cuFFT
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

// In the child. "times" and the four of them, or "unsupported" and why; then the machine.
std::string measured_text(const FftProblem& problem, const Library& library,
                          const std::string& cache) {
  use_cache(cache);
  const Machine machine = this_machine();
  const GpuStream stream;
  const Workload workload(Device::gpu, problem.storage,
                          static_cast<std::size_t>(points_of(problem)));
  const Planner planner = library.tuning ? sonoma_planner(*library.tuning, workload, stream.get())
                                         : cufft_planner(workload, stream.get());
  std::ostringstream text;
  text.precision(9);
  try {
    const Times times = measure(problem, planner, stream);
    text << "times " << times.plan_ms << ' ' << times.next_ms << ' ' << times.first_ms << ' '
         << times.host_us << '\n';
  } catch (const UnsupportedProblem& error) {
    text << "unsupported " << error.what() << '\n';
  }
  text << machine.gpu << '\n' << machine.cuda << '\n' << machine.commit << '\n' << machine.date;
  return text.str();
}

/// Of one process.
struct Measured {
  Times times;
  Machine machine;
  std::string unsupported;  ///< why there are no times
};

Measured measure_in_child(const FftProblem& problem, const Library& library,
                          const std::string& cache) {
  std::istringstream text(in_child_process([&] { return measured_text(problem, library, cache); }));
  Measured measured;
  std::string kind, rest;
  text >> kind >> std::ws;
  std::getline(text, rest);
  if (kind == "unsupported") measured.unsupported = rest;
  Times& times = measured.times;
  std::istringstream(rest) >> times.plan_ms >> times.next_ms >> times.first_ms >> times.host_us;
  Machine& machine = measured.machine;
  for (auto* field : {&machine.gpu, &machine.cuda, &machine.commit, &machine.date}) {
    std::getline(text, *field);
  }
  return measured;
}

/// Both processes, `repetitions` times.
struct Samples {
  std::vector<Times> cold, warm;

  [[nodiscard]] static double median_of(const std::vector<Times>& all, double Times::*which) {
    std::vector<double> values;
    for (const auto& times : all) values.push_back(times.*which);
    return median(std::move(values));
  }
};

PlanResult result_of(const FftProblem& problem, const std::string& lib, const Samples& samples) {
  PlanResult result;
  result.lib = lib;
  result.type = to_string(problem.storage);
  result.dims = dims_of(problem);
  result.batch = problem.batch;
  result.place = "out";
  result.cold_ms = Samples::median_of(samples.cold, &Times::plan_ms);
  result.cold_next_ms = Samples::median_of(samples.cold, &Times::next_ms);
  result.warm_ms = Samples::median_of(samples.warm, &Times::plan_ms);
  result.warm_next_ms = Samples::median_of(samples.warm, &Times::next_ms);
  result.first_ms = Samples::median_of(samples.cold, &Times::first_ms);
  result.host_us = Samples::median_of(samples.warm, &Times::host_us);
  return result;
}

void run_problem(const FftProblem& problem, const Library& library, int repetitions,
                 const Listener<PlanRow>& listener) {
  Samples samples;
  Machine machine;
  for (int i = 0; i < repetitions; ++i) {
    const TemporaryCache cache;
    for (auto* of_kind : {&samples.cold, &samples.warm}) {
      const Measured measured = measure_in_child(problem, library, cache.path());
      if (!measured.unsupported.empty()) {
        return listener.note(library.name + ": " + measured.unsupported);
      }
      of_kind->push_back(measured.times);
      machine = measured.machine;
    }
  }
  listener.result({result_of(problem, library.name, samples), machine});
}

}  // namespace

void run_plan_suite(const Suite& suite, const RunOptions& options,
                    const Listener<PlanRow>& listener) {
  std::vector<Library> libraries;
  for (const auto& variant : sonoma_variants()) libraries.push_back({variant.name, variant.tuning});
  if (options.with_cufft) libraries.push_back({"cufft", {}});
  for (const auto& library : libraries) {  // brings the files of all libraries into memory
    if (suite.problems.empty()) return;
    const TemporaryCache cache;
    (void)measure_in_child(suite.problems.front(), library, cache.path());
  }
  for (const auto& problem : suite.problems) {
    for (const auto& library : libraries) {
      run_problem(problem, library, options.repetitions, listener);
    }
  }
}

}  // namespace sonoma::bench
