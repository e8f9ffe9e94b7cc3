#include "tune_compile.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <thread>
#include <utility>

#include "again.hpp"
#include "few_candidates.hpp"
#include "progress.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/resolve.hpp"
#include "suite.hpp"

namespace sonoma::cli {
namespace {

using bench::CompiledSubject;

void add(std::vector<Tuning>& list, const Tuning& tuning) {
  if (std::ranges::find(list, tuning) == list.end()) list.push_back(tuning);
}

// The search space, and what is known, which it may not have.
std::vector<Tuning> searched(const TuneJob& job, const Target& target,
                             std::optional<std::size_t> most) {
  auto found = candidates(job.problem, target, job.arithmetic, job.effort);
  if (most) found = bench::few_candidates(std::move(found), *most, job.problem);
  std::vector<Tuning> tunings;
  for (const Candidate& one : found) tunings.push_back(one.tuning);
  for (const Tuning& known : job.known) add(tunings, known);
  return tunings;
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

std::vector<Tuning> known_again(const TuneJob& job, const Target& target) {
  return bench::tunings_again(
      job.known, [&](const Tuning& tuning) { return make(job.problem, target, tuning); },
      [&] {
        return candidates(job.problem, target, job.arithmetic, Effort::estimate).front().tuning;
      });
}

CompiledSubject empty_subject(const TuneJob& job, const Target& target) {
  return {target.arch, subject_of(job), bench::points_of(job.problem), {}, {}};
}

}  // namespace

CompileHalf::CompileHalf(const std::vector<TuneJob>& jobs, const Target& target,
                         const CandidateChoice& choice, std::size_t threads,
                         const bench::TuneFolder* folder)
    : jobs_(jobs), target_(target), folder_(folder), known_(jobs.size()) {
  std::vector<bench::SearchWork> work;
  for (std::size_t i = 0; i < jobs.size(); ++i) work.push_back(work_of(i, choice));
  ahead_ = std::make_unique<bench::MadeAhead>(std::move(work), threads);
}

bench::SearchWork CompileHalf::work_of(std::size_t i, const CandidateChoice& choice) {
  const auto find = [this, i, choice] {
    const TuneJob& job = jobs_[i];
    if (folder_ != nullptr) known_[i] = folder_->find(empty_subject(job, target_));
    auto tunings = choice.again ? known_again(job, target_) : searched(job, target_, choice.most);
    if (known_[i]) {  // those first
      std::vector<Tuning> wanted;
      std::swap(wanted, tunings);
      for (const auto& one : known_[i]->candidates) tunings.push_back(one.tuning);
      for (const Tuning& tuning : wanted) add(tunings, tuning);
    }
    return tunings;
  };
  const auto limit = choice.again ? bench::RegisterLimit::as_said : bench::RegisterLimit::promised;
  return {find, [this, i, limit](const Tuning& tuning) {
            return bench::compile_candidate(empty_subject(jobs_[i], target_).problem(), target_,
                                            tuning, limit, known_[i] ? &*known_[i] : nullptr);
          }};
}

CompiledSubject CompileHalf::get(std::size_t i, double seconds) {
  CompiledSubject subject = empty_subject(jobs_[i], target_);
  for (bench::CompiledKernels& one : ahead_->get(i, seconds)) {
    const auto same = [&](const auto& other) { return other.kernels == one.candidate.kernels; };
    const bool fails = !one.candidate.failure.empty();
    if (!fails && std::ranges::any_of(subject.candidates, same)) continue;
    subject.candidates.push_back(std::move(one.candidate));
    subject.modules.merge(one.modules);
  }
  return subject;
}

bool CompileHalf::is_in_folder(std::size_t i, const CompiledSubject& subject) const {
  return known_[i] == subject;
}

std::string CompileHalf::progress() const {
  const auto [made, all] = ahead_->count();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  return fmt::format("{} of {} kernels{}", made, all, time_left(made, all, seconds.count()));
}

namespace {

std::uintmax_t bytes_in(const bench::TuneFolder& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (file.is_regular_file()) bytes += file.file_size();
  }
  return bytes;
}

struct Compiled {
  std::size_t subjects = 0, kept = 0, candidates = 0, modules = 0;
  std::vector<std::string> failures = {};

  void add(const CompiledSubject& subject) {
    ++subjects;
    modules += subject.modules.size();
    for (const auto& one : subject.candidates) {
      ++candidates;
      if (!one.failure.empty()) failures.push_back(to_string(one.tuning) + ": " + one.failure);
    }
  }
  void print(const bench::TuneFolder& folder) const {
    fmt::print("{} subjects ({} of them were there), {} candidates, {} kernels; {:.2f} MB in {}\n",
               subjects, kept, candidates, modules, static_cast<double>(bytes_in(folder)) / 1e6,
               folder.path().string());
    if (failures.empty()) return;
    fmt::print(stderr, "sonoma: {} candidates cannot be compiled, the first: {}\n", failures.size(),
               failures.front());
  }
};

}  // namespace

void compile_into(const bench::TuneFolder& folder, const std::vector<TuneJob>& jobs,
                  const Target& target, const CandidateChoice& choice) {
  CompileHalf half(jobs, target, choice, std::thread::hardware_concurrency(), &folder);
  Progress progress(jobs.size());
  Compiled compiled;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    progress.begin(half.progress());
    try {
      const CompiledSubject subject = half.get(i, std::numeric_limits<double>::infinity());
      half.is_in_folder(i, subject) ? void(++compiled.kept) : folder.save(subject);
      compiled.add(subject);
    } catch (const UnsupportedProblem& error) {
      progress.clear();
      fmt::print(stderr, "sonoma: {}: {}\n", to_string(jobs[i]), error.what());
    }
  }
  progress.clear();
  compiled.print(folder);
}

}  // namespace sonoma::cli
