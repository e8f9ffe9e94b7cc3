#include "sonoma/choose.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <tuple>
#include <vector>

#include "sonoma/cost_model.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

/// One arithmetic that may serve.
struct Option {
  Arithmetic arithmetic;
  Tuning tuning;  // resolved
  const WisdomEntry* measured = nullptr;
  double eff = 0;    // measured or estimated
  double limit = 0;  // of its error, where nothing was measured
};

struct Request {
  const FftProblem& problem;
  const Target& target;
  const Platform& here;
  const Wisdom& wisdom;
  const Tuning& given;
  bool beyond;  // more than choose() compares arithmetics for: several passes, or clusters
  const Wisdom shipped = shipped_wisdom_of(problem.lengths);

  [[nodiscard]] bool accurate(double limit) const {
    return limit <= problem.accuracy.max_rel_l2.value_or(limit);
  }
  // Its accuracy in numbers is choose()'s to look at, with a message for all arithmetics.
  [[nodiscard]] Shape resolved(const Tuning& tuning) const {
    FftProblem without_limit = problem;
    without_limit.accuracy.max_rel_l2.reset();
    return resolve(tuning, without_limit, target);
  }
};

// Larger is better. Among equals the fastest.
auto rank(const WisdomEntry& entry, const Platform& here) {
  const Platform& platform = entry.platform;
  return std::tuple(platform.device == here.device, platform.driver == here.driver, entry.eff);
}

// A test sees to it that what is shipped can be made; other entries may be of another generator.
void require_schedules(const WisdomEntry& entry, const Program& program, const Request& request) {
  const auto& shipped = request.shipped.entries();
  if (std::binary_search(shipped.begin(), shipped.end(), entry)) return;
  for (const Launch& launch : program.launches) {
    (void)schedule(launch.pass, request.target, launch.shape);
  }
}

// A wish for one kernel says all of it; beyond a block of lengths that were asked for nothing is
// taken from measurements: those of others fit less.
bool serves(const WisdomEntry& entry, Arithmetic arithmetic, const Request& request) {
  const auto& [problem, target, here, wisdom, given, beyond, shipped] = request;
  const Subject subject{problem.lengths, problem.storage, arithmetic};
  if (entry.platform.arch != target.arch || entry.subject != subject) return false;
  if (beyond && given.pass_lengths) return false;
  if (!agrees(entry.tuning, given)) return false;
  try {
    const Program program = make_program(problem, target, entry.tuning);
    if (!beyond && tuning_of(program.launches.front().shape) != entry.tuning) return false;
    require_schedules(entry, program, request);
    return true;
  } catch (const UnsupportedProblem&) {
    return false;
  }
}

const WisdomEntry* measurement(Arithmetic arithmetic, const Request& request) {
  const WisdomEntry* best = nullptr;
  for (const auto& entry : request.wisdom.entries()) {
    const bool better = best == nullptr || rank(entry, request.here) > rank(*best, request.here);
    if (better && serves(entry, arithmetic, request)) best = &entry;
  }
  return best;
}

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

[[noreturn]] void refuse_accuracy(const std::vector<Option>& options, const Request& request) {
  std::string possible;
  for (const Option& option : options) {
    possible += (possible.empty() ? "" : ", ") + to_string(option.arithmetic) + " " +
                number("%.2g", option.limit);
  }
  throw UnsupportedProblem("accuracy", to_string(request.problem.accuracy),
                           "what is kept for n=" + std::to_string(request.problem.n()) + " in " +
                               to_string(request.problem.storage) + ": " + possible +
                               "; ask for as much, or for other storage");
}

// The arithmetics that were measured; beyond a block that is simt alone, of rows that follow each
// other.
std::vector<Option> measured_options(const Request& request) {
  std::vector<Option> options;
  if (request.beyond && request.problem.layout != DataLayout{}) return options;
  for (const Arithmetic arithmetic : admitted_arithmetics(request.problem, request.given)) {
    if (request.beyond && arithmetic != Arithmetic::simt) continue;
    if (const WisdomEntry* entry = measurement(arithmetic, request)) {
      options.push_back({arithmetic, entry->tuning, entry, entry->eff});
    }
  }
  return options;
}

// The fastest. Among measurements that tie the engine simt: of a single transform it has the
// shorter way (measured on an H200: 32 and 64 points 1.81 us, with the engine mma 2.46).
const Option& best_of(const std::vector<Option>& options) {
  constexpr double tie = 0.015;
  const auto faster = [](const Option& a, const Option& b) { return a.eff < b.eff; };
  const Option& best = *std::max_element(options.begin(), options.end(), faster);
  const auto simt = std::find_if(options.begin(), options.end(), [&](const Option& option) {
    return option.measured && option.arithmetic == Arithmetic::simt && best.eff - option.eff < tie;
  });
  return simt == options.end() ? best : *simt;
}

// The generator's defaults for one arithmetic, by the cost model.
Option default_option(Arithmetic arithmetic, const Request& request) {
  const bool named = request.problem.accuracy.arithmetic.has_value();  // resolve() knows it
  const Shape shape =
      request.resolved(named ? request.given : with_arithmetic(request.given, arithmetic));
  const Schedule made = schedule(request.problem, request.target, shape);
  return {arithmetic, settled(shape, made), nullptr, estimate_cost(made, request.target).eff(),
          error_limit(request.problem, roundings_of(shape))};
}

// The same for every arithmetic that may serve.
std::vector<Option> default_options(const Request& request) {
  std::vector<Option> options;
  std::optional<UnsupportedProblem> refusal;
  for (const Arithmetic arithmetic : admitted_arithmetics(request.problem, request.given)) {
    try {
      options.push_back(default_option(arithmetic, request));
    } catch (const UnsupportedProblem& error) {
      if (!refusal) refusal = error;
    }
  }
  if (options.empty() && !refusal) (void)request.resolved(request.given);  // contradicts itself
  if (options.empty() && refusal) throw *refusal;
  std::vector<Option> accurate;
  for (const Option& option : options) {
    if (request.accurate(option.limit)) accurate.push_back(option);
  }
  if (accurate.empty()) refuse_accuracy(options, request);
  return accurate;
}

// Fastest first.
std::string shares(const std::vector<Option>& options) {
  std::vector<const Option*> order;
  for (const Option& option : options) order.push_back(&option);
  std::stable_sort(order.begin(), order.end(),
                   [](const Option* a, const Option* b) { return a->eff > b->eff; });
  std::string text;
  for (const Option* option : order) {
    text +=
        (text.empty() ? " " : ", ") + to_string(option->arithmetic) + number(" %.2f", option->eff);
  }
  return text + " of the speed of a copy";
}

std::string measured_reason(const Option& best, const std::vector<Option>& options,
                            const Request& request) {
  const Platform& platform = best.measured->platform;
  std::string text = "measured on " + platform.device + ", " + best.measured->date;
  if (!request.here.device.empty() && platform.device != request.here.device) {
    text += ", not on this " + request.here.device;
  }
  return text + ":" + shares(options);
}

std::string estimated_reason(const std::vector<Option>& options, const Request& request) {
  const std::string none = "no measurement for " + arch_name(request.target) +
                           (request.given == Tuning{} ? "" : " that agrees with what was asked");
  if (options.size() == 1) return "the only arithmetic that was asked for; " + none;
  return "estimated, " + none + ":" + shares(options);
}

Choice default_beyond(const Request& request) {
  const std::int64_t n = request.problem.n();
  Choice choice{request.given, "the default, nothing was measured", {}};
  if (!takes_passes(request.problem, request.target, request.given)) return choice;
  if (!choice.tuning.pass_lengths) {
    choice.tuning.pass_lengths = default_lengths(request.problem, request.given, request.target);
  }
  const bool convolution = method_for(request.given, n) == Method::bluestein;
  choice.reason = "n = " + std::to_string(n) +
                  (convolution ? " by Bluestein's algorithm, there and back" : "") +
                  " in passes of " + to_list(*choice.tuning.pass_lengths) +
                  (request.given.pass_lengths ? ", as asked for"
                                              : ": as few and as equal as whole sectors allow");
  return choice;
}

}  // namespace

std::string full_reason(const Choice& choice) {
  return choice.reason + (choice.measured ? since_measured(*choice.measured) : "");
}

Choice choose(const FftProblem& problem, const Target& target, const Platform& here,
              const Wisdom& wisdom, const Tuning& given) {
  validate(problem);
  const bool beyond = takes_passes(problem, target, given) || !is_plain(problem, given);
  const Request request{problem, target, here, wisdom, given, beyond};
  const std::vector<Option> measured = measured_options(request);
  if (measured.empty() && beyond) return default_beyond(request);
  const std::vector<Option> options = measured.empty() ? default_options(request) : measured;
  const Option& best = best_of(options);
  if (measured.empty()) return {best.tuning, estimated_reason(options, request), {}};
  Choice choice{best.tuning, measured_reason(best, options, request), *best.measured};
  if (const auto& lengths = choice.tuning.pass_lengths) {
    choice.reason = "passes of " + to_list(*lengths) + ", " + choice.reason;
  }
  // Of a batch that is much smaller, make_program() knows better: the results are the same.
  const bool smaller = problem.n() * problem.batch < best.measured->points / 4;
  if (choice.tuning.fused == true && smaller) choice.tuning.fused.reset();
  return choice;
}

}  // namespace sonoma
