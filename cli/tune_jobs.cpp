#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "request_options.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/trigonometric.hpp"
#include "suite.hpp"
#include "tune.hpp"

namespace sonoma::cli {
namespace {

const LengthsTaken lengths_taken = {
    std::int64_t{1} << 28,
    "must be lengths up to 2^28: e.g. 256,1000,65536, or 16..8192 (powers of two), or all of "
    "these"};

using Shape = std::vector<std::int64_t>;

std::vector<Shape> shapes_of(const bench::Suite& suite) {
  std::vector<Shape> shapes;
  for (const FftProblem& problem : suite.problems) shapes.push_back(problem.lengths);
  return shapes;
}

// Of 2 axes, then 3: those of the benchmark, and some whose axes differ.
std::vector<Shape> many_shapes() {
  std::vector<Shape> shapes = shapes_of(bench::planes_suite({}));
  const auto append = [&](const std::vector<Shape>& more) {
    shapes.insert(shapes.end(), more.begin(), more.end());
  };
  append({{16, 32},
          {32, 16},
          {32, 64},
          {64, 32},
          {64, 128},
          {128, 64},
          {128, 256},
          {256, 128},
          {256, 512},
          {512, 256},
          {512, 1024},
          {1024, 512},
          {1024, 2048},
          {2048, 1024},
          {1024, 4096},
          {4096, 1024}});
  append(shapes_of(bench::cubes_suite({})));
  append({{16, 16, 32}, {32, 32, 16}, {64, 64, 128}, {128, 128, 64}, {128, 256, 256}});
  return shapes;
}

std::vector<Shape> shapes_of_suite(const std::string& suite) {
  if (suite == "smooth") return shapes_of(bench::smooth_suite({}));
  if (suite == "shapes") return many_shapes();
  throw BadArgument("--suite", suite, "must be smooth or shapes; all powers of two are --n all");
}

// One problem each, but domains and storages.
std::vector<RequestOptions> asked_by(const TuneRequest& request) {
  RequestOptions what = request.what;
  if (what.array) return one_by_one(what, lengths_taken);
  if (request.suite) {
    std::vector<RequestOptions> asked;
    for (const Shape& shape : shapes_of_suite(*request.suite)) {
      asked.push_back(what);
      asked.back().shape = to_shape(shape);
    }
    return asked;
  }
  if (!what.n && !what.shape) {
    throw BadArgument("--n", "(missing)",
                      "give lengths, e.g. --n 4096, or --n all, or axes: --shape 256x256, or "
                      "--array 8x256x256x3 --axes 1,2");
  }
  if (what.n == "all") what.n = "2..8192";
  return one_by_one(what, lengths_taken);
}

Effort effort_of(const TuneRequest& request) {
  for (const Effort effort : {Effort::estimate, Effort::measure, Effort::patient}) {
    if (to_string(effort) == request.effort) return effort;
  }
  throw BadArgument("--effort", request.effort, "must be estimate, measure or patient");
}

// "split3,simt", or "all".
std::vector<Arithmetic> parse_arithmetics(const std::string& list) {
  const std::span<const Arithmetic> all = all_arithmetics;
  if (list == "all") return {std::begin(searched_arithmetics), std::end(searched_arithmetics)};
  std::vector<Arithmetic> result;
  for (const auto& name : CLI::detail::split(list, ',')) {
    const auto at =
        std::ranges::find_if(all, [&](Arithmetic a) { return sonoma::to_string(a) == name; });
    if (at == all.end()) {
      throw BadArgument(
          "--accuracy", list,
          "must be of split3, split4, half, simt, simt64 and packed, e.g. split3,simt, or all: "
          "those but packed");
    }
    result.push_back(*at);
  }
  return result;
}

std::vector<Arithmetic> arithmetics_of(const TuneRequest& request, const FftProblem& problem) {
  if (request.accuracy) return parse_arithmetics(*request.accuracy);
  sonoma::Tuning given;
  if (request.engine) given.engine = parse_engine(*request.engine);
  const bool rows = problem.lengths.size() == 1 && problem.layout == DataLayout{} &&
                    !problem.convolution && !is_trigonometric(problem.domain);
  if (rows && problem.n() <= 8192) return admitted_arithmetics(problem, given);
  // Beyond a block products pay where their error is that of the storage.
  const bool products = rows && problem.domain == Domain::c2c && is_half(problem.storage) &&
                        is_power_of_two(problem.n());
  if (!products) return {Arithmetic::simt};
  if (given.engine == Engine::mma) return {Arithmetic::half};
  return given.engine ? std::vector{Arithmetic::simt}
                      : std::vector{Arithmetic::simt, Arithmetic::half};
}

std::vector<Storage> storages_of(const TuneRequest& request) {
  std::vector<Storage> storages;
  for (const auto& name : CLI::detail::split(request.what.precision.value_or("f32"), ',')) {
    storages.push_back(parse_storage(name));
  }
  return storages;
}

std::vector<Domain> domains_of(const TuneRequest& request) {
  std::vector<Domain> domains;
  for (const auto& name : CLI::detail::split(request.what.domain.value_or("c2c"), ',')) {
    domains.push_back(parse_domain(name));
  }
  return domains;
}

// What is asked for, each of about so many points: of every storage and domain.
std::vector<FftProblem> problems_of(const TuneRequest& request, std::int64_t points) {
  const std::vector<RequestOptions> asked = asked_by(request);
  std::vector<FftProblem> problems;
  for (const Storage storage : storages_of(request)) {
    for (const Domain domain : domains_of(request)) {
      for (RequestOptions one : asked) {
        one.precision = to_string(storage), one.domain = to_string(domain);
        problems.push_back(bench::repeated(problem_asked(one), points));
      }
    }
  }
  return problems;
}

std::optional<std::int64_t> points_of(const TuneRequest& request) {
  if (!request.points) return std::nullopt;
  return std::int64_t{1} << parse_integer("--points", *request.points, 13, 30,
                                          "must be the log2 of the points of a run, 13 to 30 "
                                          "(default 26; with --again that of each entry)");
}

// What of all that is known a request asks for; without an option, all of its kind.
struct Filter {
  explicit Filter(const TuneRequest& request) {
    if (request.what.n || request.what.shape || request.suite) {
      for (const RequestOptions& one : asked_by(request)) shapes.push_back(lengths_of(one));
    }
    if (request.what.precision) storages = storages_of(request);
    if (request.accuracy) arithmetics = parse_arithmetics(*request.accuracy);
    if (request.engine) engine = parse_engine(*request.engine);
    if (request.what.domain) domains = domains_of(request);
    if (request.what.convolution) {
      const bool real = parse_convolution("--convolution", *request.what.convolution).real;
      convolution = real ? Convolved::real : Convolved::complex;
    }
  }
  [[nodiscard]] bool admits(const Subject& subject) const {
    const auto has = [](const auto& list, const auto& value) {
      return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
    };
    const Engine own = engine_of(subject.arithmetic);
    return has(shapes, subject.lengths) && has(storages, subject.storage) &&
           has(arithmetics, subject.arithmetic) && engine.value_or(own) == own &&
           has(domains, subject.domain) &&
           convolution.value_or(subject.convolution) == subject.convolution;
  }

  std::vector<Shape> shapes;
  std::vector<Storage> storages;
  std::vector<Arithmetic> arithmetics;
  std::optional<Engine> engine;
  std::vector<Domain> domains;
  std::optional<Convolved> convolution;
};

}  // namespace

std::vector<TuneJob> jobs_of(const TuneRequest& request, const Target& target) {
  const Effort effort = effort_of(request);
  const std::int64_t points = points_of(request).value_or(std::int64_t{1} << 26);
  std::vector<TuneJob> jobs;
  const auto append = [&](const FftProblem& part) {
    for (const auto arithmetic : arithmetics_of(request, part)) {
      const bool seen = std::any_of(jobs.begin(), jobs.end(), [&](const TuneJob& job) {
        return subject_of(job) == subject_of(part, arithmetic);
      });
      if (seen) continue;
      jobs.push_back({part, arithmetic, effort, {}});
      const bool packed = arithmetic == Arithmetic::packed;
      if (packed) jobs.back().problem.accuracy.arithmetic = arithmetic;
    }
  };
  for (const FftProblem& problem : problems_of(request, points)) {
    for (const FftProblem& part : parts_of(problem, target)) append(part);
  }
  if (jobs.empty()) {
    throw BadArgument("--array", request.what.array.value_or("(missing)"),
                      "no measurement serves transforms whose points lie so; name axes whose "
                      "columns lie side by side, or --n or --shape");
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const TuneJob& a, const TuneJob& b) {
    return a.problem.storage < b.problem.storage;
  });
  return jobs;
}

Wisdom as_asked(const TuneRequest& request, const Wisdom& known, std::optional<int> arch) {
  const Filter filter(request);
  Wisdom some;
  for (const WisdomEntry& entry : known.entries()) {
    const bool there = arch.value_or(entry.platform.arch) == entry.platform.arch;
    if (there && filter.admits(entry.subject)) some.add(entry);
  }
  return some;
}

std::vector<TuneJob> jobs_again(const TuneRequest& request, const Wisdom& known, int arch) {
  const Filter filter(request);
  const auto points = points_of(request);
  std::vector<TuneJob> jobs;
  for (const WisdomEntry& entry : known.entries()) {
    if (entry.platform.arch != arch || !filter.admits(entry.subject)) continue;
    const bool seen = std::any_of(jobs.begin(), jobs.end(), [&](const TuneJob& job) {
      return subject_of(job) == entry.subject;
    });
    if (seen) continue;
    FftProblem problem = measured_problem(entry);
    if (points) problem = problem_of(entry.subject, *points);
    jobs.push_back({problem, entry.subject.arithmetic, Effort::measure, {}});
  }
  if (jobs.empty()) {
    throw BadArgument("--again", "sm_" + std::to_string(arch),
                      "nothing that was asked for is known of this architecture; `sonoma tune "
                      "--show` lists what is, without --again tune searches");
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const TuneJob& a, const TuneJob& b) {
    return a.problem.storage < b.problem.storage;
  });
  add_known(jobs, known, arch);
  return jobs;
}

void add_known(std::vector<TuneJob>& jobs, const Wisdom& known, int arch) {
  for (TuneJob& job : jobs) {
    for (const WisdomEntry& entry : known.entries()) {
      if (entry.platform.arch != arch || entry.subject != subject_of(job)) continue;
      if (std::find(job.known.begin(), job.known.end(), entry.tuning) == job.known.end()) {
        job.known.push_back(entry.tuning);
      }
    }
  }
}

Subject subject_of(const TuneJob& job) { return subject_of(job.problem, job.arithmetic); }

std::string size_of(const Subject& subject) {
  const std::string shape = to_shape(subject.lengths);
  return subject.side_by_side == 0 ? shape : fmt::format("{}|{}", shape, subject.side_by_side);
}

std::string type_of(const Subject& subject) {
  std::string type;
  if (subject.domain != Domain::c2c) type += to_string(subject.domain) + " ";
  if (subject.convolution != Convolved::no) {
    type += subject.convolution == Convolved::real ? "real-convolution " : "convolution ";
  }
  return type + to_string(subject.storage);
}

std::string to_string(const Subject& subject) {
  return fmt::format("n={} {} {}", size_of(subject), type_of(subject),
                     to_string(subject.arithmetic));
}

std::string to_string(const TuneJob& job) { return to_string(subject_of(job)); }

}  // namespace sonoma::cli
