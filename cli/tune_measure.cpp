#include "tune_measure.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "child_process.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/fft_error.hpp"
#include "tune_session.hpp"

namespace sonoma::cli {
namespace {

constexpr const char* ended = "ended";  // a kernel ended the process; any other result: it is done

class Clock {
 public:
  explicit Clock(double seconds) : seconds_(seconds) {}
  [[nodiscard]] double left() const {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
    return seconds_ - gone.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
};

void say_where(const bench::TuneFolder& folder, std::size_t rows, std::size_t left, bool as_json) {
  if (as_json) return;
  fmt::print("{} rows in {}\n", rows, folder.measurements().string());
  if (left == 0) return;
  fmt::print("the time is over; {} subjects are left, which the same command goes on with\n", left);
}

std::string measure_here(const bench::TuneFolder& folder, const MeasureOptions& options,
                         const Clock& clock) {
  const GpuInfo gpu = gpu_to_measure();
  const auto subjects = folder.subjects(gpu.target);
  bench::Measurements rows(folder.measurements(), measuring_place(gpu));
  TuneSession::Plan plan;
  for (const auto& one : subjects) plan.add(one.problem(), one.candidates.size());
  constexpr double seconds_between = 20;  // what is lost with a process the rows still say
  TuneSession session(plan, rows, options.wisdom_file, seconds_between, options.as_json);
  std::size_t done = 0;
  try {
    for (; done < subjects.size() && clock.left() > 0; ++done) {
      session.measure(folder.load(subjects[done]), clock.left());
    }
  } catch (const bench::StandLost& error) {
    fmt::print(stderr, "sonoma: the GPU's context is lost, another process goes on: {}\n",
               error.what());
    return ended;
  }
  session.finish();
  say_where(folder, rows.count(), subjects.size() - done, options.as_json);
  return {};
}

// As measure_here(); also where a kernel takes the process with it, unless that is always so.
std::string measure_in_child(const bench::TuneFolder& folder, const MeasureOptions& options,
                             const Clock& clock) {
  const auto progress = [&] { return bench::Measurements::progress_in(folder.measurements()); };
  const std::string before = progress();
  try {
    return bench::in_child_process([&] {
      std::string result = measure_here(folder, options, clock);
      std::fflush(stdout);
      return result;
    });
  } catch (const bench::ProcessEnded& error) {
    if (progress() == before) throw;
    fmt::print(stderr, "sonoma: {}; another process goes on\n", error.what());
    return ended;
  }
}

}  // namespace

GpuInfo gpu_to_measure() {
  try {
    return gpu_info();
  } catch (const FftError& error) {
    throw FftError(error.stage(),
                   "tune times a GPU (--effort estimate and --compile-only need "
                   "none): " +
                       error.message());
  }
}

void search(const GpuInfo& gpu, const std::vector<TuneJob>& jobs, const CandidateChoice& choice,
            const MeasureOptions& options) {
  const std::size_t cores = std::max(2u, std::thread::hardware_concurrency());
  CompileHalf half(jobs, gpu.target, choice, cores - 1);
  bench::Measurements rows({}, measuring_place(gpu));
  TuneSession::Plan plan;
  for (const TuneJob& job : jobs) plan.add(job.problem, 0);
  TuneSession session(plan, rows, options.wisdom_file, 0, options.as_json);
  const Clock clock(options.seconds);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto share = [&] { return clock.left() / static_cast<double>(jobs.size() - i); };
    try {
      const auto subject = half.get(i, share() / 2);
      session.measure(subject, share());
    } catch (const UnsupportedProblem& error) {
      fmt::print(stderr, "sonoma: {}: {}\n", to_string(jobs[i]), error.what());
    }
  }
  session.finish();
}

void measure_folder(const bench::TuneFolder& folder, const MeasureOptions& options) {
  const Clock clock(options.seconds);
  while (measure_in_child(folder, options, clock) == ended) {
  }
}

}  // namespace sonoma::cli
