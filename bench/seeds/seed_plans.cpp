#include "seed_plans.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "csv.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/planned.hpp"

namespace sonoma::bench {
namespace {

constexpr double least_bytes = 16;  // of a point: read and written once, in FP32
constexpr int shortest = 4, longest = 26;

struct Made {
  Planned planned;
  std::vector<LaunchKernel> kernels;
};

Made made_of(int log2_n) {
  FftProblem problem;
  problem.lengths = {std::int64_t{1} << log2_n};
  problem.batch = std::max<std::int64_t>((std::int64_t{1} << longest) / problem.n(), 1);
  const Target target = target_for("sm_90");
  Made made{plan(problem, target, {}, shipped_wisdom_for(problem)), {}};
  for (const Launch& launch : made.planned.program.launches) {
    made.kernels.push_back(generate(launch, target, TableWords::left_out));
  }
  return made;
}

std::string power(int log2_n) { return "2^" + std::to_string(log2_n); }

const Schedule& first_schedule(const Made& made) {
  return made.kernels.front().passes.front().schedule;
}

// In words of seed 004.
std::string method_of(const Made& made) {
  const Program& program = made.planned.program;
  const Schedule& schedule = first_schedule(made);
  if (program.launches.size() > 1) {
    return program.launches.size() == 2 ? "2-step" : "2-step twice";
  }
  if (program.launches.front().fusion) return "2-step, one launch";
  const auto& shares = schedule.shape.shares;
  std::string words = "radix, " + (shares.cluster > 1 ? std::to_string(shares.cluster) + " blocks"
                                                      : std::string("one block"));
  if (shares.rounds > 1) words += ", " + std::to_string(shares.rounds) + " rounds";
  return words;
}

std::string steps_of(const Made& made) {
  std::string words;
  for (const auto& kernel : made.kernels) {
    for (const auto& pass : kernel.passes) {
      if (!words.empty() && &pass != &made.kernels.front().passes.front()) words += "; ";
      std::string radices;
      for (const unsigned r : pass.shape.tree.decomposition.radices) {
        radices += (radices.empty() ? "" : " ") + std::to_string(r);
      }
      words += radices;
    }
  }
  return words;
}

/// Bytes of a point that all passes read and write, and those of them that go to device memory: not
/// what lies between two passes of a launch.
struct Traffic {
  double all = 0, memory = 0;
};

Traffic traffic_of(const Made& made) {
  Traffic traffic;
  for (const auto& kernel : made.kernels) {
    double bytes = 0;
    for (const auto& pass : kernel.passes) {
      bytes += pass.costs.bytes_moved / static_cast<double>(pass.problem.n());
    }
    traffic.all += bytes;
    traffic.memory += kernel.fusion ? bytes / 2 : bytes;
  }
  return traffic;
}

// Which part of its points a block of p exchanges, where its number is these digits before and
// those after: all but its own, if they have none in common.
double share_that_moves(const std::vector<DigitId>& before, const std::vector<DigitId>& after,
                        double blocks) {
  if (before == after) return 0;
  const bool apart = std::ranges::none_of(
      before, [&](DigitId digit) { return std::ranges::find(after, digit) != after.end(); });
  if (!apart) throw std::logic_error("blocks keep a part of their digits");
  return 1 - 1 / blocks;
}

// Points that a block of a cluster exchanges, of each of its own.
double cluster_volume(const Schedule& schedule) {
  double volume = 0;
  const auto blocks = static_cast<double>(schedule.shape.shares.cluster);
  const auto numbers = [&](const Layout& layout) {
    std::vector<DigitId> digits = schedule.block_digits(layout);
    digits.resize(block_digits_of(schedule, layout).cluster);
    return digits;
  };
  for (std::size_t i = 1; i < schedule.phases.size(); ++i) {
    volume += share_that_moves(numbers(schedule.phases[i - 1].out), numbers(schedule.phases[i].in),
                               blocks);
  }
  return volume;
}

Cells volumes_row(int log2_n, const std::string& who, double p, const std::string& here) {
  const double points = std::exp2(log2_n) / p;
  const auto count = [](double value) { return formatted("%.0f", value); };
  return {power(log2_n),
          who,
          count(p),
          count(std::log2(p)),
          count(p - 1),
          count(points * std::log2(p)),
          count(points * (p - 1) / p),
          here};
}

}  // namespace

Cells locality_head() {
  return {"points",
          "5 log2 n",
          "method",
          "bytes a point",
          "of them memory",
          "locality reached",
          "bound: share of a copy",
          "measured"};
}

std::vector<Cells> locality_rows() {
  std::vector<Cells> rows;
  for (int log2_n = shortest; log2_n <= longest; ++log2_n) {
    const Made made = made_of(log2_n);
    const Traffic traffic = traffic_of(made);
    const auto& measured = made.planned.choice.measured;
    rows.push_back({power(log2_n), std::to_string(5 * log2_n), method_of(made),
                    formatted("%.3g", traffic.all), formatted("%.3g", traffic.memory),
                    formatted("%.3g", 5 * log2_n * least_bytes / traffic.memory),
                    formatted("%.2f", least_bytes / traffic.memory),
                    measured ? formatted("%.2f", measured->eff) : ""});
  }
  return rows;
}

Cells volumes_head() {
  return {"points",     "over",  "p", "messages: blocks", "transposed", "points each sends: blocks",
          "transposed", "Sonoma"};
}

std::vector<Cells> volumes_rows() {
  std::vector<Cells> rows;
  for (int log2_n = 14; log2_n <= 24; ++log2_n) {
    const Made made = made_of(log2_n);
    const Schedule& schedule = first_schedule(made);
    const auto n = static_cast<double>(std::int64_t{1} << log2_n);
    if (schedule.shape.shares.cluster > 1) {
      const double p = schedule.shape.shares.cluster;
      rows.push_back(volumes_row(log2_n, "blocks of a cluster", p,
                                 formatted("%.0f", cluster_volume(schedule) * n / p)));
    } else if (traffic_of(made).all > 1.5 * least_bytes) {
      const double p = n / schedule.points_per_block(), points = schedule.points_per_block();
      const auto boundaries =
          static_cast<double>(made.kernels.size() - 1 + (made.kernels.front().fusion ? 1 : 0));
      rows.push_back(volumes_row(
          log2_n, made.kernels.front().fusion ? "blocks, through L2" : "blocks, through memory", p,
          formatted("%.0f", boundaries * points)));
    }
  }
  for (const double p : {2.0, 4.0, 8.0}) rows.push_back(volumes_row(26, "GPUs", p, "not done"));
  return rows;
}

Cells methods_head() {
  return {"points",        "radix-2", "2-step",    "6-step/radix-2", "6-step/2-step",
          "fastest there", "Sonoma",  "its steps", "out of order"};
}

std::vector<Cells> methods_rows(std::string_view methods_csv) {
  std::vector<Cells> rows;
  std::vector<std::string> names;
  while (!methods_csv.empty()) {
    const std::string_view line = methods_csv.substr(0, methods_csv.find('\n'));
    methods_csv.remove_prefix(std::min(line.size() + 1, methods_csv.size()));
    if (line.starts_with('#')) continue;
    Cells fields = csv_fields(line);
    if (fields.size() != 5) {
      throw std::invalid_argument("a line of the methods has " + std::to_string(fields.size()) +
                                  " fields, not 5: " + std::string(line));
    }
    if (names.empty()) {
      names = fields;
      continue;
    }
    const auto log2_n = csv_number<int>(names[0], fields[0]);
    std::string fastest;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      if (fields[i] == "1.00") fastest += (fastest.empty() ? "" : ", ") + names[i];
    }
    const Made made = made_of(log2_n);
    const bool passes = traffic_of(made).all > 1.5 * least_bytes;
    fields[0] = power(log2_n);
    fields.insert(fields.end(),
                  {fastest, method_of(made), steps_of(made), passes ? "on request" : ""});
    rows.push_back(fields);
  }
  return rows;
}

}  // namespace sonoma::bench
