#include "request_options.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "arguments.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/tuning_fields.hpp"
#include "suggestion.hpp"

namespace sonoma::cli {
namespace {

// Every name that an option takes, with what it stands for.
template <class Value>
using Names = std::vector<std::pair<std::string, Value>>;

// What `text` stands for; `otherwise`: what to do in place of it.
template <class Value>
Value parse_name(const char* option, const std::string& text, const Names<Value>& names,
                 const char* otherwise = "") {
  std::string allowed = "must be ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i].first) return names[i].second;
    allowed += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i].first;
  }
  std::vector<std::string> words;
  for (const auto& [name, value] : names) words.push_back(name);
  throw BadArgument(option, text, allowed + suggestion(text, words) + otherwise);
}

template <class Value>
Names<Value> named(std::initializer_list<Value> values) {
  Names<Value> names;
  for (const Value value : values) names.emplace_back(to_string(value), value);
  return names;
}

const Names<Normalization> normalizations = {{"backward", Normalization::backward},
                                             {"ortho", Normalization::ortho},
                                             {"forward", Normalization::forward}};
const Names<Device> devices = {
    {"auto", Device::automatic}, {"gpu", Device::gpu}, {"cpu", Device::cpu}};

}  // namespace

Storage parse_any_storage(const char* option, const std::string& text) {
  using enum Storage;
  return parse_name(option, text, named({f32, f16, bf16, i16}));
}

std::int64_t length_of(const RequestOptions& options) {
  if (!options.n) {
    throw BadArgument("--n", "(missing)",
                      "give the length, e.g. --n 4096, or those of several axes: --shape 256x256");
  }
  return parse_integer("--n", *options.n, 1, std::numeric_limits<std::int64_t>::max(),
                       options.n->find('x') == std::string::npos
                           ? "must be a positive integer, e.g. --n 4096"
                           : "must be a positive integer; several axes are --shape 256x256");
}

Domain parse_domain(const std::string& text) {
  using enum Domain;
  return parse_name("--domain", text,
                    named({c2c, r2c, c2r, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4}));
}

Convolution parse_convolution(const char* option, const std::string& text) {
  return {parse_name(option, text, Names<bool>{{"complex", false}, {"real", true}})};
}

Storage parse_storage(const std::string& text) {
  using enum Storage;
  return parse_name("--precision", text, named({f32, f16, bf16}));
}

namespace {

void set_field(const TuningField& field, Tuning& tuning, const std::string& text) {
  const auto wrong = set_from_text(field, tuning, text);
  if (!wrong) return;
  const std::string otherwise = *field.otherwise == '\0' ? "" : std::string("; ") + field.otherwise;
  throw BadArgument(option_of(field), *wrong, std::string("must be ") + field.allowed + otherwise);
}

}  // namespace

Accuracy parse_accuracy(const std::string& text) {
  for (const Arithmetic arithmetic : all_arithmetics) {
    if (text == to_string(arithmetic)) return {arithmetic, {}};
  }
  return {{},
          parse_number(
              "--accuracy", text,
              "must be split3, split4, half, simt, simt64, packed, or a relative L2 error, e.g. "
              "1e-6")};
}

void set_domain(const RequestOptions& options, FftProblem& problem) {
  if (options.domain) problem.domain = parse_domain(*options.domain);
  const bool inverse = options.inverse || problem.domain == Domain::c2r;
  problem.direction = inverse ? Direction::inverse : Direction::forward;
}

std::vector<std::int64_t> lengths_of(const RequestOptions& options) {
  if (options.shape) return parse_shape("--shape", *options.shape);
  return {length_of(options)};
}

FftProblem problem_of(const RequestOptions& options, const std::vector<std::int64_t>& lengths,
                      std::optional<std::int64_t> batch) {
  FftProblem problem;
  problem.lengths = lengths;
  problem.batch = batch ? *batch : batch_of(options).value_or(1);
  set_domain(options, problem);
  set_convolution(options, problem);
  problem.placement = options.in_place ? Placement::in_place : Placement::out_of_place;
  if (options.scale) {
    problem.scale = parse_number("--scale", *options.scale, "must be a finite number, not 0");
  }
  if (options.norm) {
    normalize(problem, parse_name("--norm", *options.norm, normalizations,
                                  "; any other factor goes to --scale"));
  }
  problem.orthogonal = problem.orthogonal || options.orthogonal;
  if (options.precision) problem.storage = parse_any_storage("--precision", *options.precision);
  if (options.order)
    problem.order =
        parse_name("--order", *options.order, named({Order::natural, Order::transposed}));
  set_memory(options, problem);
  if (options.accuracy) problem.accuracy = parse_accuracy(*options.accuracy);
  validate(problem);
  return problem;
}

RequestOptions::RequestOptions() {
  for (const TuningField& field : tuning_fields()) tuning.try_emplace(field.name);
}

Engine parse_engine(const std::string& text) {
  Tuning tuning;
  set_field(tuning_field("engine"), tuning, text);
  return tuning.engine.value();
}

bool has_tuning(const RequestOptions& options) {
  return std::ranges::any_of(options.tuning,
                             [](const auto& one) { return one.second.has_value(); });
}

Tuning tuning_of(const RequestOptions& options) {
  Tuning tuning;
  for (const TuningField& field : tuning_fields()) {
    const auto& text = options.tuning.at(field.name);
    if (text) set_field(field, tuning, *text);
  }
  return tuning;
}

Target target_of(const RequestOptions& options) {
  return target_for(options.arch.value_or("sm_90"));
}

std::vector<LaunchKernel> generate_all(const Program& program, const Target& target,
                                       TableWords words) {
  std::vector<LaunchKernel> kernels;
  for (const Launch& launch : program.launches) kernels.push_back(generate(launch, target, words));
  return kernels;
}

Planned plan_asked(const RequestOptions& options, const FftProblem& problem) {
  PlanOptions plan_options;
  plan_options.tuning = tuning_of(options);
  plan_options.target = target_of(options);
  const Choice choice = choose_for(problem, plan_options);
  return plan(problem, *plan_options.target, choice, plan_options.tuning);
}

ChosenProgram generate_chosen(const RequestOptions& options, const FftProblem& problem,
                              TableWords words) {
  ChosenProgram chosen{plan_asked(options, problem), {}};
  chosen.kernels = generate_all(chosen.planned.program, target_of(options), words);
  return chosen;
}

PlanOptions plan_options_of(const RequestOptions& options) {
  PlanOptions plan_options;
  plan_options.tuning = tuning_of(options);
  if (options.device) plan_options.device = parse_name("--device", *options.device, devices);
  if (options.arch) plan_options.target = target_for(*options.arch);
  return plan_options;
}

}  // namespace sonoma::cli
