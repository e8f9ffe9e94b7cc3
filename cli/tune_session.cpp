#include "tune_session.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <utility>

#include "again.hpp"
#include "gpu_stand.hpp"
#include "made_ahead.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/wisdom_file.hpp"
#include "suite.hpp"

namespace sonoma::cli {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_known(const TuneJob& job, const Tuning& tuning) {
  return std::find(job.known.begin(), job.known.end(), tuning) != job.known.end();
}

// The search space, and what is known, which it may not have.
std::vector<Candidate> candidates_of(const TuneJob& job, const Target& target) {
  auto found = candidates(job.problem, target, job.arithmetic, job.effort);
  for (const Tuning& known : job.known) {
    const bool seen = std::any_of(found.begin(), found.end(),
                                  [&](const Candidate& one) { return one.tuning == known; });
    if (!seen) found.push_back({known, {}});
  }
  return found;
}

// All launches of the plan that the stand will make of a tuning.
std::optional<bench::Made> make(const FftProblem& problem, const Target& target,
                                const Tuning& tuning) {
  try {
    bench::Made made;
    for (const Launch& launch : make_program(problem, target, tuning).launches) {
      const Cubin cubin = compile(generate(launch, target).source, target);
      made.registers = std::max(made.registers, launch.shape.registers);
      made.local_bytes = std::max(made.local_bytes, static_cast<unsigned>(cubin.local_bytes));
    }
    return made;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  } catch (const FftError&) {
    return std::nullopt;
  }
}

bench::Ahead::Work work_of(const TuneJob& job, const Target& target) {
  return [&job, &target] {
    return bench::tunings_again(
        job.known, [&](const Tuning& tuning) { return make(job.problem, target, tuning); },
        [&] {
          return candidates(job.problem, target, job.arithmetic, Effort::estimate).front().tuning;
        });
  };
}

}  // namespace

TuneSession::TuneSession(const GpuInfo& gpu, const std::vector<TuneJob>& jobs,
                         const std::filesystem::path& wisdom_file, bool as_json)
    : gpu_(gpu), jobs_(jobs), file_(wisdom_file), as_json_(as_json), progress_(jobs.size()) {
  if (!as_json_) print_header();
}

// What is left of the time is shared among the jobs that are left.
void TuneSession::search(double seconds) {
  std::vector<bench::SearchWork> work;
  for (const TuneJob& job : jobs_) {
    work.push_back({[&] { return candidates_of(job, gpu_.target); },
                    [&](const Tuning& tuning) { (void)make(job.problem, gpu_.target, tuning); }});
  }
  bench::MadeAhead ahead(std::move(work));
  std::optional<double> end;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    begin(jobs_[i]);
    if (!end) end = seconds_now() + seconds;
    try {
      const auto found = ahead.get(i);
      measure(jobs_[i], found, (*end - seconds_now()) / static_cast<double>(jobs_.size() - i));
    } catch (const UnsupportedProblem& error) {
      progress_.clear();
      fmt::print(stderr, "sonoma: {}: {}\n", to_string(jobs_[i]), error.what());
    }
  }
  finish();
}

void TuneSession::measure_again() {
  std::vector<bench::Ahead::Work> work;
  for (const TuneJob& job : jobs_) work.push_back(work_of(job, gpu_.target));
  bench::Ahead ahead(std::move(work));
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    begin(jobs_[i]);
    std::vector<Candidate> found;
    for (const Tuning& tuning : ahead.get(i)) found.push_back({tuning, {}});
    measure(jobs_[i], found, std::numeric_limits<double>::infinity());
  }
  finish();
  if (as_json_) return;
  fmt::print("{} of {} measured again, {} of them took another tuning\n", kept_, jobs_.size(),
             changed_);
}

std::size_t TuneSession::most_points(Storage storage) const {
  std::int64_t points = 0;
  for (const TuneJob& job : jobs_) {
    if (job.problem.storage == storage) points = std::max(points, bench::points_of(job.problem));
  }
  return static_cast<std::size_t>(points);
}

void TuneSession::begin(const TuneJob& job) {
  progress_.begin(to_string(job));
  const Storage storage = job.problem.storage;
  const bool hermitian = job.problem.domain == Domain::c2r;
  if (workload_ && workload_->storage() == storage && !hermitian && !hermitian_) return;
  workload_.reset();  // frees its memory before the next takes as much
  workload_.emplace(Device::gpu, storage, most_points(storage));
  hermitian_ = hermitian;
  if (hermitian) workload_->make_hermitian(job.problem);
}

void TuneSession::measure(const TuneJob& job, const std::vector<Candidate>& found, double seconds) {
  bench::GpuStand stand(job.problem, *workload_, stream_);
  keep(job, bench::search(found, stand, seconds, [&](std::size_t timed) {
         progress_.show(fmt::format("{}: {} of {} kernels", to_string(job), timed, found.size()));
       }));
}

void TuneSession::keep(const TuneJob& job, const bench::Search& search) {
  progress_.clear();
  std::optional<WisdomEntry> entry;
  if (search.best) {
    entry = bench::entry_of(job.problem, gpu_.platform, *search.best, machine_.date);
    (void)replace_in_wisdom(file_, *entry);
    ++kept_;
    if (!is_known(job, entry->tuning)) ++changed_;
  }
  if (!search.notes.empty()) {
    fmt::print(stderr, "sonoma: {}: {} of {} kernels failed, the first: {}\n", to_string(job),
               search.notes.size(), search.candidates, search.notes.front());
  }
  if (as_json_) rows_.push_back(to_json(job, search, entry));
  if (!as_json_) print(job, search, entry);
}

void TuneSession::finish() {
  progress_.clear();
  if (as_json_) fmt::print("{}\n", rows_.dump(2));
  if (!as_json_ && kept_ > 0) fmt::print("kept in {}\n", file_.string());
}

}  // namespace sonoma::cli
