#include "measurements.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "csv.hpp"
#include "kernel_facts.hpp"
#include "subject_fields.hpp"
#include "tuning_options.hpp"

namespace sonoma::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* failed = "failed";
constexpr const char* rounds[] = {"first", "final", "best"};

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, value] : fields_of(Subject{{1}})) all.push_back(name);
    for (const char* name : {"points", "batch", "tuning", "kernels", "round", "repetitions", "ms",
                             "copy_ms", "eff", "rel_l2", "failure"}) {
      all.emplace_back(name);
    }
    all.insert(all.end(), fact_names().begin(), fact_names().end());
    for (const char* name : {"gpu", "arch", "driver", "cuda", "commit", "date"}) {
      all.emplace_back(name);
    }
    return all;
  }();
  return names;
}

std::size_t column(const char* name) {
  return static_cast<std::size_t>(std::ranges::find(columns(), name) - columns().begin());
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

double parse(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end) return value;
  throw std::invalid_argument("'" + text + "' is no number");
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Says which kernels run.
fs::path marker_of(const fs::path& file) { return file.string() + ".running"; }

// Of what was measured; nothing of a failure.
std::vector<std::string> times_in(const Measurement& m) {
  if (!m.round) return {failed, "", "", "", "", "", in_one_line(m.failure)};
  const Trial& trial = m.trial;
  return {rounds[static_cast<int>(*m.round)],
          std::to_string(m.repetitions),
          number("%#.6g", trial.ms),
          number("%#.6g", trial.ms * trial.eff),
          number("%.4f", trial.eff),
          *m.round == Round::best ? number("%.3g", trial.rel_l2) : "",
          ""};
}

}  // namespace

Measurements::Measurements(const fs::path& file, const MeasuringPlace& place)
    : file_(file), place_(place) {
  if (file_.empty()) return;
  if (!fs::exists(file_)) {
    append(csv_line(columns()));
  } else {
    std::string text = read_text(file_);
    const std::size_t whole = text.find_last_of('\n') + 1;  // npos + 1 is 0
    if (whole < text.size()) fs::resize_file(file_, whole);
    text.resize(whole);
    if (text.empty()) append(csv_line(columns()));
    read(text);
  }
  std::ifstream interrupted(marker_of(file_));
  int alone = 0;
  for (std::string kernels; interrupted >> kernels >> alone;) interrupted_[kernels] = alone;
}

void Measurements::read(const std::string& text) {
  std::istringstream lines(text);
  std::size_t number_of_line = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number_of_line;
    try {
      const auto fields = csv_fields(line);
      if (number_of_line == 1 && fields != columns()) {
        throw std::invalid_argument("its columns are not those that this build writes");
      }
      if (number_of_line > 1) read_row(fields);
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(file_.string() + ": line " + std::to_string(number_of_line) + ": " +
                               error.what() +
                               "; keep the file under another name and measure anew");
    }
  }
}

void Measurements::read_row(const std::vector<std::string>& fields) {
  if (fields.size() != columns().size()) throw std::invalid_argument("a field is missing");
  ++count_;
  const auto text = [&](const char* name) -> const std::string& { return fields[column(name)]; };
  if (text("gpu") != place_.platform.device) return;
  Measurement m;
  m.date = text("date"), m.failure = text("failure");
  if (text("round") != failed) {
    const auto at = std::ranges::find(rounds, text("round"));
    if (at == std::end(rounds)) throw std::invalid_argument("no round is '" + text("round") + "'");
    m.round = static_cast<Round>(at - std::begin(rounds));
    m.repetitions = static_cast<int>(parse(text("repetitions")));
    const double ms = parse(text("ms")), copy_ms = parse(text("copy_ms"));
    m.trial = {tuning_of_options(text("tuning")), copy_ms / ms, ms, 0};
    if (m.round == Round::best) m.trial.rel_l2 = parse(text("rel_l2"));
  }
  const auto subject_fields = static_cast<std::ptrdiff_t>(column("points"));
  Key key(fields.begin(), fields.begin() + subject_fields);
  for (const char* name : {"points", "tuning", "kernels"}) key.push_back(text(name));
  rows_[key].push_back({count_, std::move(m)});
}

Measurements::Key Measurements::key_of(const CompiledSubject& subject,
                                       const CompiledCandidate& candidate) {
  Key key;
  for (const auto& [name, value] : fields_of(subject.subject)) key.push_back(value);
  key.insert(key.end(),
             {std::to_string(subject.points), options_of(candidate.tuning), candidate.kernels});
  return key;
}

std::vector<Measurement> Measurements::of(const CompiledSubject& subject,
                                          const CompiledCandidate& candidate) const {
  std::vector<Measurement> found;
  const auto at = rows_.find(key_of(subject, candidate));
  if (at == rows_.end()) return found;
  for (const Row& row : at->second) found.push_back(row.measurement);
  return found;
}

std::optional<Measurement> Measurements::best_of(const CompiledSubject& subject) const {
  const Row* best = nullptr;
  std::size_t last = 0;  // of the others
  for (const CompiledCandidate& candidate : subject.candidates) {
    if (!candidate.failure.empty()) continue;
    const auto at = rows_.find(key_of(subject, candidate));
    if (at == rows_.end()) return std::nullopt;
    for (const Row& row : at->second) {
      const bool taken = row.measurement.round == Round::best;
      if (!taken) last = std::max(last, row.number);
      if (taken && (best == nullptr || row.number > best->number)) best = &row;
    }
  }
  if (best == nullptr || best->number < last) return std::nullopt;
  return best->measurement;
}

void Measurements::add(const CompiledSubject& subject, const CompiledCandidate& candidate,
                       Measurement measurement) {
  measurement.date = place_.machine.date;
  const std::string points = std::to_string(subject.points);
  std::vector<std::string> fields;
  for (const auto& [name, value] : fields_of(subject.subject)) fields.push_back(value);
  fields.insert(fields.end(), {points, std::to_string(subject.problem().batch),
                               options_of(candidate.tuning), candidate.kernels});
  for (std::string& field : times_in(measurement)) fields.push_back(std::move(field));
  for (const double fact : candidate.facts) fields.push_back(number("%.6g", fact));
  fields.resize(column("gpu"));
  const auto& [platform, machine, driver] = place_;
  fields.insert(fields.end(), {platform.device, "sm_" + std::to_string(platform.arch), driver,
                               platform.driver, machine.commit, machine.date});
  append(csv_line(fields));
  if (!measurement.round && interrupted_.erase(candidate.kernels) > 0) say_what_runs();
  rows_[key_of(subject, candidate)].push_back({++count_, std::move(measurement)});
}

void Measurements::append(const std::string& line) const {
  if (file_.empty()) return;
  const int file = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const bool written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const std::string cause = std::strerror(errno);
  const bool closed = file >= 0 && ::close(file) == 0;
  if (written && closed) return;
  throw std::runtime_error(file_.string() + ": cannot be written: " + cause);
}

// Also those that are to be timed alone yet.
void Measurements::say_what_runs() const {
  if (file_.empty()) return;
  std::map<std::string, int> all = interrupted_;
  for (const auto& one : running_) all[one] += running_.size() == 1 ? 1 : 0;
  if (all.empty()) {
    fs::remove(marker_of(file_));
    return;
  }
  std::ofstream stream(marker_of(file_));
  for (const auto& [kernels, alone] : all) stream << kernels << ' ' << alone << '\n';
}

void Measurements::begin(const std::vector<std::string>& kernels) {
  running_ = kernels;
  say_what_runs();
}

void Measurements::end() {
  for (const auto& one : running_) interrupted_.erase(one);
  begin({});
}

std::string Measurements::progress_in(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return (error ? "no rows" : std::to_string(size)) + '\n' + read_text(marker_of(file));
}

std::string driver_version() {
  // "NVRM version: NVIDIA UNIX ... Kernel Module  580.159.04  Release Build ..."
  std::istringstream words(read_text("/proc/driver/nvidia/version"));
  for (std::string word; words >> word;) {
    const bool digits = word.find_first_not_of("0123456789.") == std::string::npos;
    if (digits && word.find('.') != std::string::npos) return word;
  }
  return {};
}

}  // namespace sonoma::bench
