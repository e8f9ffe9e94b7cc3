// Which kernel is taken, and why.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "decide.hpp"
#include "half.hpp"
#include "measured.hpp"
#include "packed.hpp"
#include "pass_lengths.hpp"
#include "persistent.hpp"
#include "search.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/trigonometric.hpp"
#include "variants.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

/// One arithmetic that may serve.
struct Option {
  Arithmetic arithmetic;
  Decided decided;  // with nothing left open
  double eff = 0;   // measured or estimated

  [[nodiscard]] const Tuning& tuning() const { return decided.choice.tuning; }
  [[nodiscard]] double limit() const { return error_limit(decided.program); }
};

struct Request {
  const FftProblem& problem;
  const Target& target;
  const Platform& here;
  const Wisdom& wisdom;
  const Tuning& given;
  const WorkspacePolicy policy;
  const Way way;
  const Domain domain;  // of measurements
  Refused& refused;
  // More than arithmetics are compared for: several passes, or clusters.
  const bool beyond = way.passes || !is_plain(problem, given);

  bool packed = false;  // that arithmetic alone

  [[nodiscard]] std::vector<Arithmetic> arithmetics() const {
    if (packed) return {Arithmetic::packed};
    return admitted_arithmetics(problem, given);
  }
  [[nodiscard]] bool accurate(double limit) const {
    return limit <= problem.accuracy.max_rel_l2.value_or(limit);
  }
  /// Real passes go over half of the rows, complex ones over all.
  [[nodiscard]] bool borrows_passes(const Tuning& tuning) const {
    return tuning.pass_lengths && domain != problem.domain && has_hermitian(problem.domain) &&
           tuning.method.value_or(Method::radix) == Method::radix;
  }
  /// Of a measurement; a real transform of all points is the complex one between other ends.
  [[nodiscard]] Subject subject(Arithmetic arithmetic) const {
    Subject subject = subject_of(problem, arithmetic);
    if (domain != problem.domain) subject.lengths = problem.dft_lengths(), subject.domain = domain;
    return subject;
  }
  // Its accuracy in numbers is decide()'s to look at, with a message for all arithmetics.
  [[nodiscard]] Shape resolved(const Tuning& tuning) const {
    FftProblem without_limit = problem;
    without_limit.accuracy.max_rel_l2.reset();
    return resolve(tuning, without_limit, target);
  }
};

// A test sees to it that what is shipped can be made of its own subject; other entries may be of
// another generator.
void require_schedules(const WisdomEntry& entry, const Program& program, const Request& request) {
  if (is_shipped(entry) && request.domain == request.problem.domain) return;
  for (const Launch& launch : program.launches) {
    (void)outline(launch.pass, request.target, launch.shape);
  }
}

// Of one kernel a tuning says all of it; of several axes one kernel is all there is.
bool is_as_said(const Program& program, const Tuning& tuning, const Request& request) {
  const bool axes = request.problem.lengths.size() > 1;
  if (tuning.pass_lengths || (request.beyond && !axes)) return true;
  return program.launches.size() == 1 && tuning_of(program.launches.front().shape) == tuning;
}

std::string named(const WisdomEntry& entry) {
  return to_shape(entry.subject.lengths) + " " + to_string(entry.subject.storage) + " " +
         to_string(entry.subject.arithmetic) + " measured on " + entry.platform.device + ", " +
         entry.date + ", " + to_string(entry.tuning);
}

// A wish for one kernel says all of it; beyond a block of lengths that were asked for nothing is
// taken from measurements: those of others fit less. The results do not depend on the batch, but
// whether two passes share a launch: of a much smaller one make_program() knows better; where steps
// are chosen for a tile, it is for_batch() that takes the same ones apart.
std::optional<Option> option_of(const WisdomEntry& entry, Arithmetic arithmetic,
                                const Request& request) {
  const FftProblem& problem = request.problem;
  if (request.beyond && request.given.pass_lengths) return std::nullopt;
  if (request.borrows_passes(entry.tuning)) return std::nullopt;
  if (!agrees(entry.tuning, request.given)) return std::nullopt;
  Tuning tuning = entry.tuning;
  // Open, it stands for default_sums(), which is not always the FP32 that was asked for.
  if (tuning.pass_lengths && !tuning.sums) tuning.sums = request.given.sums;
  const bool of_a_tile = problem.lengths.size() == 1 && !is_power_of_two(problem.n());
  const bool smaller = !of_a_tile && problem.n() * problem.batch < entry.points / 4;
  if (tuning.fused == true && (smaller || problem.domain != request.domain)) tuning.fused.reset();
  try {
    validate(tuning);
    Decided made = decide(problem, request.target, Choice{tuning, "", entry}, request.policy);
    const Program& program = made.program;
    if (!is_as_said(program, tuning, request)) return std::nullopt;
    require_schedules(entry, program, request);
    return Option{arithmetic, std::move(made), entry.eff};
  } catch (const UnsupportedProblem& error) {
    if (!is_shipped(entry)) request.refused.push_back(named(entry) + ": " + error.what());
    return std::nullopt;
  }
}

// The first that serves of those of this device, then of this driver, then of columns whose number
// is like theirs, then the fastest.
std::optional<Option> measurement(Arithmetic arithmetic, const Request& request) {
  const Subject subject = request.subject(arithmetic);
  std::vector<const WisdomEntry*> entries;
  for (const WisdomEntry& entry : request.wisdom.entries()) {
    if (entry.platform.arch == request.target.arch && serves(entry, subject)) {
      entries.push_back(&entry);
    }
  }
  const std::int64_t columns = subject.side_by_side;
  std::ranges::stable_sort(entries, std::ranges::greater{}, [&](const WisdomEntry* entry) {
    const Platform& platform = entry->platform;
    return std::tuple(platform.device == request.here.device,
                      platform.driver == request.here.driver,
                      likeness(entry->subject.side_by_side, columns), entry->eff);
  });
  for (const WisdomEntry* entry : entries) {
    if (auto option = option_of(*entry, arithmetic, request)) return option;
  }
  return std::nullopt;
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
                number("%.2g", option.limit());
  }
  throw UnsupportedProblem("accuracy", to_string(request.problem.accuracy),
                           "what is kept for n=" + std::to_string(request.problem.n()) + " in " +
                               to_string(request.problem.storage) + ": " + possible +
                               "; ask for as much, or for other storage");
}

// Where another one is as accurate as was asked for, FP64 is not worth its time, which depends on
// the GPU.
void drop_fp64(std::vector<Option>& options, const Request& request) {
  const auto is_fp64 = [](const Option& one) { return one.arithmetic == Arithmetic::simt64; };
  if (!request.problem.accuracy.max_rel_l2 || std::ranges::all_of(options, is_fp64)) return;
  std::erase_if(options, is_fp64);
}

// The arithmetics that were measured.
std::vector<Option> measured_options(const Request& request) {
  std::vector<Option> options;
  if (request.beyond && !is_measured(request.problem)) return options;
  for (const Arithmetic arithmetic : request.arithmetics()) {
    if (auto option = measurement(arithmetic, request)) options.push_back(std::move(*option));
  }
  drop_fp64(options, request);
  return options;
}

// The fastest. Among measurements that tie the engine simt: of a single transform it has the
// shorter way (measured on an H200: 32 and 64 points 1.81 us, with the engine mma 2.46).
const Option& best_of(const std::vector<Option>& options) {
  constexpr double tie = 0.015;
  const Option& best = *std::ranges::max_element(options, {}, &Option::eff);
  const auto simt = std::ranges::find_if(options, [&](const Option& option) {
    return option.decided.choice.measured && option.arithmetic == Arithmetic::simt &&
           best.eff - option.eff < tie;
  });
  return simt == options.end() ? best : *simt;
}

// The generator's defaults for one arithmetic.
Option default_option(Arithmetic arithmetic, const Request& request) {
  const bool named = request.problem.accuracy.arithmetic.has_value();  // resolve() knows it
  const Shape shape =
      request.resolved(named ? request.given : with_arithmetic(request.given, arithmetic));
  const FftProblem one = alone(request.problem);
  const Tuning tuning = tuning_of(shape);
  return {arithmetic, {{tuning, "", {}}, tuning, {one, {{single_pass(one), shape}}}}};
}

// By the cost model.
Option judged(Option option, const Target& target) {
  auto [program, candidate] = judged(std::move(option.decided.program), {}, target);
  const Tuning& tuning = candidate.tuning;
  option.decided = {{tuning, "", {}}, tuning, std::move(program)};
  option.eff = candidate.cost.eff();
  return option;
}

// What `make` makes of all that it does not refuse; the first refusal.
template <class From, class Make>
std::vector<Option> not_refused(const std::vector<From>& all, const Make& make,
                                std::optional<UnsupportedProblem>& refusal) {
  std::vector<Option> options;
  for (const From& one : all) {
    try {
      options.push_back(make(one));
    } catch (const UnsupportedProblem& error) {
      if (!refusal) refusal = error;
    }
  }
  return options;
}

// Of those that may serve as accurately as was asked for. The model takes longer than all the rest:
// it judges only where there is a choice.
std::vector<Option> default_options(const Request& request) {
  std::optional<UnsupportedProblem> refusal;
  const std::vector<Option> all = not_refused(
      admitted_arithmetics(request.problem, request.given),
      [&](Arithmetic arithmetic) { return default_option(arithmetic, request); }, refusal);
  if (all.empty() && !refusal) (void)request.resolved(request.given);  // contradicts itself
  if (all.empty() && refusal) throw *refusal;
  std::vector<Option> options = all;
  std::erase_if(options, [&](const Option& option) { return !request.accurate(option.limit()); });
  if (options.empty()) refuse_accuracy(all, request);
  drop_fp64(options, request);
  if (options.size() == 1) return options;
  options = not_refused(
      options, [&](const Option& option) { return judged(option, request.target); }, refusal);
  if (options.empty()) throw *refusal;
  return options;
}

// Fastest first.
std::string shares(std::vector<Option> options) {
  std::ranges::stable_sort(options, std::ranges::greater{}, &Option::eff);
  std::string text;
  for (const auto& option : options) {
    text +=
        (text.empty() ? " " : ", ") + to_string(option.arithmetic) + number(" %.2f", option.eff);
  }
  return text + " of the speed of a copy";
}

std::string measured_reason(const Choice& best, const std::vector<Option>& options,
                            const Request& request) {
  const Platform& platform = best.measured->platform;
  const auto& lengths = best.tuning.pass_lengths;
  std::string text = lengths ? "passes of " + to_list(*lengths) + ", " : "";
  text += "measured on " + platform.device + ", " + best.measured->date;
  const std::int64_t columns = best.measured->subject.side_by_side;
  if (columns != subject_of(request.problem, {}).side_by_side) {
    text += ", of " + std::to_string(columns) + " side by side";
  }
  if (!request.here.device.empty() && platform.device != request.here.device) {
    text += ", not on this " + request.here.device;
  }
  return text + ":" + shares(options);
}

std::string estimated_reason(const std::vector<Option>& options, const Request& request) {
  const std::string none = "no measurement for " + arch_name(request.target) +
                           (request.given == Tuning{} ? "" : " that agrees with what was asked");
  if (options.size() == 1) return "the only arithmetic that serves as asked for; " + none;
  return "estimated, " + none + ":" + shares(options);
}

// One block, where the steps allow it.
std::optional<Decided> default_of_one_block(const Request& request) {
  if (request.given != Tuning{} || request.way.method != Method::radix) return std::nullopt;
  const FftProblem& problem = request.problem;
  const auto tuning = persistent_default(problem, request.target);
  if (!tuning) return std::nullopt;
  const std::string reason = "n = " + std::to_string(problem.n()) +
                             " in one block, which stays for a tile after the other: the default, "
                             "nothing was measured";
  try {
    return decide(problem, request.target, {*tuning, reason, {}}, request.policy);
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

Decided default_beyond(const Request& request) {
  const FftProblem& problem = request.problem;
  if (auto one = default_of_one_block(request)) return *one;
  const auto& asked = request.given.pass_lengths;
  Choice choice{request.given, "the default, nothing was measured", {}};
  if (request.way.passes) {
    choice.tuning = with_passes(problem, request.given, request.target, request.way.method);
    const std::vector<std::int64_t>& lengths = *choice.tuning.pass_lengths;
    const bool bluestein = request.way.method != Method::radix;
    const bool shared = choice.tuning.fused && !request.given.fused;
    choice.reason = "n = " + std::to_string(problem.n()) +
                    (bluestein             ? " by Bluestein's algorithm, there and back"
                     : problem.convolution ? " there and back"
                                           : "") +
                    " in passes of " + to_list(lengths) +
                    (asked    ? ", as asked for"
                     : shared ? ": in one launch, which is predicted to take less time than two"
                              : ": as few and as equal as whole sectors allow");
  }
  return decide(problem, request.target, choice, request.policy);
}

std::optional<Decided> best_measured(const Request& request) {
  const std::vector<Option> options = measured_options(request);
  if (options.empty()) return std::nullopt;
  Decided best = best_of(options).decided;
  best.choice.reason = measured_reason(best.choice, options, request);
  return best;
}

}  // namespace

std::optional<Decided> measured_itself(const FftProblem& problem, const Target& target,
                                       const Platform& here, const Wisdom& wisdom,
                                       const Tuning& given, WorkspacePolicy policy,
                                       Refused& refused) {
  const bool packed = may_be_packed(problem, given);
  if (problem.lengths.size() == 1 && !has_real_side(problem) && !packed) return std::nullopt;
  try {
    const Way way = way_of(problem, target, given);
    Request request{problem, target, here, wisdom, given, policy, way, problem.domain, refused};
    request.packed = packed;
    return best_measured(request);
  } catch (const UnsupportedProblem&) {
    return std::nullopt;  // a wish for its pairs
  }
}

std::string full_reason(const Choice& choice) {
  return choice.reason + (choice.measured ? since_measured(*choice.measured) : "");
}

Decided decide(const FftProblem& problem, const Target& target, const Platform& here,
               const Wisdom& wisdom, const Tuning& given, WorkspacePolicy policy,
               Refused& refused) {
  validate(problem);
  const Way way = way_of(problem, target, given);
  // A real transform of all points is the complex one between other ends.
  const Request request{problem, target, here, wisdom, given, policy, way, Domain::c2c, refused};
  if (auto measured = best_measured(request)) return *measured;
  if (request.beyond) return default_beyond(request);
  const std::vector<Option> options = default_options(request);
  Decided best = best_of(options).decided;
  best.choice.reason = estimated_reason(options, request);
  return best;
}

Choice choose(const FftProblem& problem, const Target& target, const Platform& here,
              const Wisdom& wisdom, const Tuning& given) {
  const bool several = problem.lengths.size() > 1;
  const bool real =
      problem.values(true) != problem.values(false) || problem.values(true) != Values::complex;
  if (several || real || may_be_packed(problem, given))
    return plan(problem, target, here, wisdom, given).choice;
  validate(target), validate(given);
  Refused refused;
  Choice choice =
      decide(problem, target, here, wisdom, given, WorkspacePolicy::fast, refused).choice;
  choice.refused = std::move(refused);
  return choice;
}

}  // namespace sonoma
