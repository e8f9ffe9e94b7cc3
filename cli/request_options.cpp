#include "request_options.hpp"

#include <initializer_list>
#include <limits>
#include <utility>

#include "arguments.hpp"
#include "sonoma/choose.hpp"

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
  throw BadArgument(option, text, allowed + otherwise);
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
  if (!options.n) throw BadArgument("--n", "(missing)", "give the length, e.g. --n 4096");
  return parse_integer("--n", *options.n, 1, std::numeric_limits<std::int64_t>::max(),
                       "must be a positive integer, e.g. --n 4096");
}

Engine parse_engine(const std::string& text) {
  return parse_name("--engine", text, named({Engine::mma, Engine::simt}),
                    "; without it the default is taken");
}

Storage parse_storage(const std::string& text) {
  using enum Storage;
  return parse_name("--precision", text, named({f32, f16, bf16}));
}

namespace {

std::optional<unsigned> parse_count(const char* option, const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const char* allowed = "must be a positive integer; which ones fit, the request decides";
  return static_cast<unsigned>(parse_integer(option, *text, 1, 1 << 20, allowed));
}

std::optional<unsigned> parse_steps(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  unsigned mask = 0;
  for (const std::string& item : CLI::detail::split(*text, ',')) {
    mask |= 1u << (parse_integer("--tensor-steps", item, 1, 16,
                                 "must be numbers of steps, the first is 1, e.g. 1,2") -
                   1);
  }
  return mask;
}

std::optional<std::vector<std::int64_t>> parse_lengths(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::vector<std::int64_t> lengths;
  for (const std::string& item : CLI::detail::split(*text, ',')) {
    lengths.push_back(parse_integer("--pass-lengths", item, 2,
                                    std::numeric_limits<std::int64_t>::max(),
                                    "must be lengths whose product is n, e.g. 1024,1024"));
  }
  return lengths;
}

std::optional<bool> parse_flag(const char* option, const std::optional<std::string>& text,
                               const char* otherwise) {
  if (!text) return std::nullopt;
  if (*text == "0" || *text == "1") return *text == "1";
  throw BadArgument(option, *text, std::string("must be 0 or 1; without it ") + otherwise);
}

Accuracy parse_accuracy(const std::string& text) {
  using enum Arithmetic;
  for (const Arithmetic arithmetic : {split3, split4, half, simt}) {
    if (text == to_string(arithmetic)) return {arithmetic, {}};
  }
  return {{},
          parse_number("--accuracy", text,
                       "must be split3, split4, half, simt, or a relative L2 error, e.g. 1e-6")};
}

// In points; 0 for a distance that is open.
DataLayout layout_of(const RequestOptions& options) {
  const auto points = [](const char* option, const std::optional<std::string>& text,
                         std::int64_t otherwise) {
    return text ? parse_integer(option, *text, 1, std::numeric_limits<std::int64_t>::max(),
                                "must be a positive number of points")
                : otherwise;
  };
  return advanced_layout(
      points("--in-stride", options.in_stride, 1), points("--in-dist", options.in_dist, 0),
      points("--out-stride", options.out_stride, 1), points("--out-dist", options.out_dist, 0));
}

Ends ends_of(const RequestOptions& options) {
  const auto length = [](const char* option, const std::optional<std::string>& text) {
    return text ? parse_integer(option, *text, 1, std::int64_t{1} << 40,
                                "must be a positive number of points")
                : 0;
  };
  return {length("--in-length", options.in_length), length("--out-length", options.out_length),
          options.load_code.value_or(""), options.store_code.value_or("")};
}

}  // namespace

std::optional<std::int64_t> batch_of(const RequestOptions& options) {
  if (!options.batch) return std::nullopt;
  return parse_integer("--batch", *options.batch, 1, std::numeric_limits<std::int64_t>::max(),
                       "must be a positive number of transforms");
}

bool has_layout(const RequestOptions& options) {
  return options.in_stride || options.in_dist || options.out_stride || options.out_dist;
}

void set_memory(const RequestOptions& options, FftProblem& problem) {
  problem.layout = layout_of(options);
  problem.ends = ends_of(options);
  if (options.out_precision) {
    problem.out_storage = parse_any_storage("--out-precision", *options.out_precision);
  }
}

FftProblem problem_of(const RequestOptions& options, std::int64_t n,
                      std::optional<std::int64_t> batch) {
  FftProblem problem;
  problem.lengths = {n};
  problem.batch = batch ? *batch : batch_of(options).value_or(1);
  problem.direction = options.inverse ? Direction::inverse : Direction::forward;
  problem.placement = options.in_place ? Placement::in_place : Placement::out_of_place;
  if (options.scale) {
    problem.scale = parse_number("--scale", *options.scale, "must be a finite number, not 0");
  }
  if (options.norm) {
    problem.scale = scale_factor(
        parse_name("--norm", *options.norm, normalizations, "; any other factor goes to --scale"),
        problem.direction, n);
  }
  if (options.precision) problem.storage = parse_any_storage("--precision", *options.precision);
  if (options.order)
    problem.order =
        parse_name("--order", *options.order, named({Order::natural, Order::transposed}));
  set_memory(options, problem);
  if (options.accuracy) problem.accuracy = parse_accuracy(*options.accuracy);
  validate(problem);
  return problem;
}

Tuning tuning_of(const RequestOptions& options) {
  Tuning tuning;
  if (options.method)
    tuning.method = parse_name("--method", *options.method,
                               named({Method::radix, Method::bluestein, Method::rader}),
                               "; without it the default is taken");
  if (options.engine) tuning.engine = parse_engine(*options.engine);
  tuning.radix = parse_count("--radix", options.radix);
  if (options.decomposition) tuning.decomposition = parse_decomposition(*options.decomposition);
  if (options.mma_form)
    tuning.mma_form =
        parse_name("--mma-form", *options.mma_form, named({MmaForm::ptx, MmaForm::wmma}),
                   "; without it --arch decides");
  tuning.tensor_steps = parse_steps(options.tensor_steps);
  tuning.products = parse_count("--products", options.products);
  tuning.points_per_thread = parse_count("--points-per-thread", options.points_per_thread);
  tuning.block_points = parse_count("--block-points", options.block_points);
  tuning.registers = parse_count("--registers", options.registers);
  tuning.stage_load = parse_flag("--stage-load", options.stage_load, "sectors decide");
  tuning.stage_store = parse_flag("--stage-store", options.stage_store, "sectors decide");
  tuning.cluster = parse_count("--cluster", options.cluster);
  tuning.rounds = parse_count("--rounds", options.rounds);
  if (options.twiddles)
    tuning.twiddles =
        parse_name("--twiddles", *options.twiddles, named({Twiddles::table, Twiddles::products}));
  tuning.pass_lengths = parse_lengths(options.pass_lengths);
  tuning.columns = parse_count("--columns", options.columns);
  if (options.workspace_points) {
    tuning.workspace_points =
        parse_integer("--workspace-points", *options.workspace_points, 1,
                      std::numeric_limits<std::int64_t>::max(), "must be a positive integer");
  }
  tuning.fused = parse_flag("--fused", options.fused, "the length decides");
  return tuning;
}

Target target_of(const RequestOptions& options) {
  return target_for(options.arch.value_or("sm_90"));
}

std::vector<LaunchKernel> generate_all(const Program& program, const Target& target) {
  std::vector<LaunchKernel> kernels;
  for (const Launch& launch : program.launches) kernels.push_back(generate(launch, target));
  return kernels;
}

ChosenProgram generate_chosen(const RequestOptions& options, const FftProblem& problem) {
  PlanOptions plan_options;
  plan_options.tuning = tuning_of(options);
  plan_options.target = target_of(options);
  ChosenProgram chosen{
      plan(problem, *plan_options.target, choose_for(problem, plan_options), plan_options.tuning),
      {}};
  chosen.kernels = generate_all(chosen.planned.program, *plan_options.target);
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
