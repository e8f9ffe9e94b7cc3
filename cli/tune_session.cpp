#include "tune_session.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "gpu_stand.hpp"
#include "suite.hpp"

namespace sonoma::cli {

bench::MeasuringPlace measuring_place(const GpuInfo& gpu) {
  return {gpu.platform, bench::this_machine(), bench::driver_version()};
}

void TuneSession::Plan::add(const FftProblem& problem, std::size_t candidates_of_it) {
  std::int64_t& most = points[problem.storage];
  most = std::max(most, bench::points_of(problem));
  ++subjects, candidates += candidates_of_it;
}

TuneSession::TuneSession(const Plan& plan, bench::Measurements& rows,
                         const std::filesystem::path& wisdom_file, double seconds_between,
                         bool as_json)
    : plan_(plan),
      rows_(rows),
      file_(wisdom_file),
      as_json_(as_json),
      wisdom_(wisdom_file, seconds_between),
      progress_(plan.subjects) {
  if (!as_json_) print_header();
}

void TuneSession::make_workload(const FftProblem& problem) {
  if (!workload_ || workload_->storage() != problem.storage) {
    workload_.reset();  // frees its memory before the next takes as much
    workload_.emplace(Device::gpu, problem.storage,
                      static_cast<std::size_t>(plan_.points.at(problem.storage)));
  }
  if (problem.domain == Domain::c2r) workload_->make_hermitian(problem);
}

std::unique_ptr<bench::TestStand> TuneSession::stand_for(const bench::CompiledSubject& subject) {
  make_workload(subject.problem());
  return std::make_unique<bench::GpuStand>(subject, *workload_, workspace_, stream_);
}

std::string TuneSession::progress(const bench::CompiledSubject& subject, std::size_t timed) const {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  const std::size_t done = candidates_done_ + timed - candidates_known_;
  const std::size_t all = plan_.candidates - std::min(plan_.candidates, candidates_known_);
  return fmt::format("{}: {} of {} kernels{}", to_string(subject.subject), timed,
                     subject.candidates.size(),
                     all == 0 ? "" : time_left(done, all, seconds.count()));
}

void TuneSession::measure(const bench::CompiledSubject& subject, double seconds) {
  progress_.begin(progress(subject, 0));
  const bench::Outcome outcome = bench::measure(
      subject, rows_, [this](const auto& one) { return stand_for(one); }, seconds,
      [&](std::size_t timed) { progress_.show(progress(subject, timed)); });
  wisdom_.add(outcome);
  candidates_done_ += subject.candidates.size();
  if (!outcome.measured) ++known_, candidates_known_ += subject.candidates.size();
  if (outcome.measured && outcome.entry) ++kept_;
  progress_.clear();
  print(subject, outcome);
}

void TuneSession::print(const bench::CompiledSubject& subject, const bench::Outcome& outcome) {
  const bench::Search& search = outcome.search;
  if (as_json_) rows_of_json_.push_back(to_json(subject.subject, search, outcome.entry));
  if (!outcome.measured) return;
  if (!search.notes.empty()) {
    fmt::print(stderr, "sonoma: {}: {} of {} kernels failed, the first: {}\n",
               to_string(subject.subject), search.notes.size(), search.candidates,
               search.notes.front());
  }
  if (!as_json_) cli::print(subject.subject, search, outcome.entry);
}

void TuneSession::finish() {
  progress_.clear();
  wisdom_.write();
  if (as_json_) return fmt::print("{}\n", rows_of_json_.dump(2));
  if (known_ > 0) fmt::print("{} subjects were measured before\n", known_);
  if (kept_ + known_ > 0) fmt::print("kept in {}\n", file_.string());
}

}  // namespace sonoma::cli
