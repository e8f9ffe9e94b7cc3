#include <algorithm>
#include <cmath>
#include <cstdio>

#include "protocol.hpp"

namespace sonoma::verification {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string line(const Finding& f) {
  const char* verdict = !f.limit ? "told" : !f.pass ? "FAILED" : f.alarm ? "alarm" : "passed";
  const std::string limit = f.limit ? number(*f.limit) : "-";
  char text[160];
  std::snprintf(text, sizeof text, "%-32s %-24s %10s of %-8s %s", f.check.c_str(), f.metric.c_str(),
                number(f.value).c_str(), limit.c_str(), verdict);
  return text + (f.pass || f.note.empty() ? "" : " (" + f.note + ")") + "\n";
}

}  // namespace

Finding* Findings::find(const std::string& check, const std::string& metric) {
  const auto found = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& f) {
    return f.check == check && f.metric == metric;
  });
  return found == findings_.end() ? nullptr : &*found;
}

void Findings::judge(const std::string& check, const std::string& metric, double value,
                     double limit, const std::string& note) {
  const bool pass = std::isfinite(value) && value <= limit;
  Finding finding{check, metric, value, limit, pass, false, note};
  Finding* earlier = find(check, metric);
  if (!earlier) {
    findings_.push_back(std::move(finding));
  } else if (earlier->pass && (!pass || value > earlier->value)) {
    *earlier = std::move(finding);
  }
}

void Findings::tell(const std::string& check, const std::string& metric, double value) {
  Finding* earlier = find(check, metric);
  if (!earlier) {
    findings_.push_back({check, metric, value, std::nullopt, true, false, {}});
  } else if (std::abs(value) > std::abs(earlier->value)) {
    earlier->value = value;
  }
}

void Findings::raise_alarms() {
  for (auto& f : findings_) {
    f.alarm = f.pass && f.limit && f.metric.starts_with("E2") && f.value > kAlarm * *f.limit;
  }
}

bool Report::pass() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.pass; });
}

double Report::worst_e2() const {
  const bool integers = problem.result_storage() == Storage::i16;
  const std::string metric = integers ? "E2 unrounded" : "E2";
  double worst = 0;
  for (const auto& f : findings) {
    if (f.check == "normal" && f.metric == metric) worst = std::max(worst, f.value);
  }
  return worst;
}

std::string summary(const Report& report) {
  const FftProblem& problem = report.problem;
  std::string text =
      (problem.domain == Domain::c2c ? "" : to_string(problem.domain) + " ") +
      to_string(problem.storage) +
      (problem.result_storage() == problem.storage ? ""
                                                   : " to " + to_string(problem.result_storage())) +
      " n=" + to_shape(problem.lengths) +
      (problem.convolution ? describe_convolution(problem) : " " + to_string(problem.direction)) +
      (problem.layout == DataLayout{} ? "" : " layout=" + to_string(problem.layout)) +
      (problem.ends == Ends{} ? "" : " ends: " + to_string(problem.ends)) +
      " scale=" + number(problem.scale) + ": " + (report.pass() ? "passed" : "FAILED") + ", E2 " +
      number(report.worst_e2()) + "u of " + number(report.limits.stored_e2) + "u\n";
  for (const auto& f : report.findings) {
    if (!f.pass) text += "  " + line(f);
  }
  return text;
}

std::string to_string(const Report& report) {
  std::string text;
  for (const auto& f : report.findings) text += line(f);
  return text;
}

}  // namespace sonoma::verification
