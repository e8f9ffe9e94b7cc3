#include "request_options.hpp"

#include <limits>

#include "arguments.hpp"

namespace sonoma::cli {

void add_request_options(CLI::App& command, RequestOptions& options, const std::string& n_help) {
  command.add_option("--n", options.n, n_help);
  auto* radix = command.add_option("--radix", options.radix, "2, 4, 8 or 16 throughout");
  command
      .add_option("--decomposition", options.decomposition,
                  "Gentleman-Sande tree, e.g. \"(gs 16 (dft 16))\"")
      ->excludes(radix);
  command.add_option(
      "--method", options.method,
      "radix (the steps of n) or bluestein (a convolution of at least 2n - 1 points, "
      "for any n); default: radix where n has steps");
  command.add_option(
      "--engine", options.engine,
      "mma (tensor cores, split FP32) or simt (CUDA cores); default: the faster one");
  command.add_option(
      "--mma-form", options.mma_form,
      "ptx (mma.sync; the default from sm_80) or wmma (nvcuda::wmma, sm_70 and later)");
  command.add_option("--tensor-steps", options.tensor_steps,
                     "engine mma: which steps are products, e.g. 1,2 (default: those of radix 16)");
  command.add_option("--products", options.products,
                     "FP16 products of the engine mma: 1 (11 bits), 3 (FP32, the default) or 4");
  command.add_option("--points-per-thread", options.points_per_thread,
                     "points a thread holds: mma 16 or 32, simt 2 to 32");
  command.add_option("--block-points", options.block_points, "points of a block, n or more");
  command.add_option("--registers", options.registers, "most registers of a thread, 32 to 255");
  command.add_option("--stage-load", options.stage_load,
                     "1: load through shared memory in whole sectors, 0: straight to registers");
  command.add_option("--stage-store", options.stage_store, "the same for the store");
  command.add_option("--pass-lengths", options.pass_lengths,
                     "several passes over memory, of these lengths, e.g. 1024,1024 (default from "
                     "n = 16384 on: few and equal)");
  command.add_option("--columns", options.columns,
                     "several passes: transforms side by side that a block takes");
  command.add_option("--workspace-points", options.workspace_points,
                     "several passes: points of the workspace at most, as far as one transform "
                     "allows (default: what the L2 cache keeps)");
  command.add_option("--persistent", options.persistent,
                     "1: a block transforms one tile after another and loads the next meanwhile");
  command.add_option("--cluster", options.cluster,
                     "blocks that take one transform together: 1 (the default), 2, 4, 8 or 16");
  command.add_option("--twiddles", options.twiddles,
                     "factors between steps: table, or products of a smaller one");
  command.add_option("--fused", options.fused,
                     "two passes: 1: in one launch, what is between them in the L2 cache; 0: one "
                     "launch each");
  command.add_option("--precision", options.precision,
                     "storage of the components: f32 (the default), f16, bf16 or i16");
  command.add_option("--order", options.order,
                     "of the frequencies: natural (the default), or transposed, as the passes of a "
                     "long transform leave them");
  command.add_option("--out-precision", options.out_precision,
                     "storage of the output (default: that of --precision)");
  command.add_option("--accuracy", options.accuracy,
                     "split3, split4, half, simt, or the largest relative L2 error, e.g. 1e-6");
  command.add_option(
      "--arch", options.arch,
      "sm_70, 75, 80, 86, 89, 90, 100 or 120 (default: that of the GPU that runs it, else sm_90)");
  command.add_flag("--inverse", options.inverse, "exponent +1 instead of -1");
  command.add_flag("--in-place", options.in_place, "output overwrites input");
  auto* scale = command.add_option("--scale", options.scale, "factor on every output (default 1)");
  command
      .add_option("--norm", options.norm,
                  "numpy's factor: backward (1/n on the inverse), ortho (1/sqrt(n) on both), "
                  "forward (1/n on the forward)")
      ->excludes(scale);
}

void add_end_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--in-length", options.in_length,
                     "points of a transform that the input has: the others are zero, or not read");
  command.add_option("--out-length", options.out_length,
                     "points of a transform that are stored, the first ones");
  command.add_option("--load-code", options.load_code,
                     "CUDA expression over value, index, transform and user (null here) that takes "
                     "the place of each point that is read");
  command.add_option("--store-code", options.store_code, "the same of each point that is stored");
}

void add_layout_options(CLI::App& command, RequestOptions& options) {
  command.add_option("--in-stride", options.in_stride,
                     "points from one point of a transform to the next in the input (default 1)");
  command.add_option("--in-dist", options.in_dist,
                     "points from one transform to the next (default: n strides)");
  command.add_option("--out-stride", options.out_stride, "the same in the output");
  command.add_option("--out-dist", options.out_dist, "the same in the output");
}

void add_device_option(CLI::App& command, RequestOptions& options) {
  command.add_option("--device", options.device,
                     "auto (a GPU if there is one), gpu, or cpu (the emulated device)");
}

std::int64_t length_of(const RequestOptions& options) {
  if (!options.n) throw BadArgument("--n", "(missing)", "give the length, e.g. --n 4096");
  return parse_integer("--n", *options.n, 1, std::numeric_limits<std::int64_t>::max(),
                       "must be a positive integer, e.g. --n 4096");
}

Engine parse_engine(const std::string& text) {
  if (text == "mma") return Engine::mma;
  if (text == "simt") return Engine::simt;
  throw BadArgument("--engine", text, "must be mma or simt; without it the default is taken");
}

unsigned parse_radix(const std::string& text) {
  const char* allowed = "must be 2, 4, 8 or 16; without it the default mix is taken";
  const auto radix = parse_integer("--radix", text, 2, 16, allowed);
  if ((radix & (radix - 1)) != 0) throw BadArgument("--radix", text, allowed);
  return static_cast<unsigned>(radix);
}

Storage parse_storage(const std::string& text) {
  for (const Storage storage : {Storage::f32, Storage::f16, Storage::bf16}) {
    if (text == to_string(storage)) return storage;
  }
  throw BadArgument("--precision", text, "must be f32, f16 or bf16");
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

Twiddles parse_twiddles(const std::string& text) {
  if (text == "table") return Twiddles::table;
  if (text == "products") return Twiddles::products;
  throw BadArgument("--twiddles", text, "must be table or products");
}

Order parse_order(const std::string& text) {
  if (text == "natural") return Order::natural;
  if (text == "transposed") return Order::transposed;
  throw BadArgument("--order", text, "must be natural or transposed");
}

MmaForm parse_mma_form(const std::string& text) {
  if (text == "ptx") return MmaForm::ptx;
  if (text == "wmma") return MmaForm::wmma;
  throw BadArgument("--mma-form", text, "must be ptx or wmma; without it --arch decides");
}

Normalization parse_norm(const std::string& text) {
  if (text == "backward") return Normalization::backward;
  if (text == "ortho") return Normalization::ortho;
  if (text == "forward") return Normalization::forward;
  throw BadArgument("--norm", text,
                    "must be backward, ortho or forward; any other factor goes to --scale");
}

Device parse_device(const std::string& text) {
  if (text == "auto") return Device::automatic;
  if (text == "gpu") return Device::gpu;
  if (text == "cpu") return Device::cpu;
  throw BadArgument("--device", text, "must be auto, gpu or cpu");
}

Method parse_method(const std::string& text) {
  if (const auto method = method_called(text)) return *method;
  throw BadArgument("--method", text,
                    "must be radix or bluestein; without it the default is taken");
}

}  // namespace

namespace {

Storage storage_of(const char* option, const std::string& text) {
  for (const Storage storage : {Storage::f32, Storage::f16, Storage::bf16, Storage::i16}) {
    if (text == to_string(storage)) return storage;
  }
  throw BadArgument(option, text, "must be f32, f16, bf16 or i16");
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

FftProblem problem_of(const RequestOptions& options, std::int64_t n, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = {n};
  problem.batch = batch;
  problem.direction = options.inverse ? Direction::inverse : Direction::forward;
  problem.placement = options.in_place ? Placement::in_place : Placement::out_of_place;
  if (options.scale) {
    problem.scale = parse_number("--scale", *options.scale, "must be a finite number, not 0");
  }
  if (options.norm) {
    problem.scale = scale_factor(parse_norm(*options.norm), problem.direction, n);
  }
  if (options.precision) problem.storage = storage_of("--precision", *options.precision);
  if (options.out_precision) {
    problem.out_storage = storage_of("--out-precision", *options.out_precision);
  }
  if (options.order) problem.order = parse_order(*options.order);
  problem.layout = layout_of(options);
  problem.ends = ends_of(options);
  if (options.accuracy) problem.accuracy = parse_accuracy(*options.accuracy);
  validate(problem);
  return problem;
}

Tuning tuning_of(const RequestOptions& options) {
  Tuning tuning;
  if (options.method) tuning.method = parse_method(*options.method);
  if (options.engine) tuning.engine = parse_engine(*options.engine);
  if (options.radix) tuning.radix = parse_radix(*options.radix);
  if (options.decomposition) tuning.decomposition = parse_decomposition(*options.decomposition);
  if (options.mma_form) tuning.mma_form = parse_mma_form(*options.mma_form);
  tuning.tensor_steps = parse_steps(options.tensor_steps);
  tuning.products = parse_count("--products", options.products);
  tuning.points_per_thread = parse_count("--points-per-thread", options.points_per_thread);
  tuning.block_points = parse_count("--block-points", options.block_points);
  tuning.registers = parse_count("--registers", options.registers);
  tuning.stage_load = parse_flag("--stage-load", options.stage_load, "sectors decide");
  tuning.stage_store = parse_flag("--stage-store", options.stage_store, "sectors decide");
  tuning.persistent = parse_flag("--persistent", options.persistent, "every tile has its block");
  tuning.cluster = parse_count("--cluster", options.cluster);
  if (options.twiddles) tuning.twiddles = parse_twiddles(*options.twiddles);
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

ChosenProgram generate_chosen(const RequestOptions& options, const FftProblem& problem) {
  PlanOptions plan_options;
  plan_options.tuning = tuning_of(options);
  plan_options.target = target_of(options);
  const Choice choice = choose_for(problem, plan_options);
  ChosenProgram chosen{make_program(problem, *plan_options.target, choice.tuning), {}, choice};
  for (const Launch& launch : chosen.program.launches) {
    chosen.kernels.push_back(generate(launch, *plan_options.target));
  }
  return chosen;
}

PlanOptions plan_options_of(const RequestOptions& options) {
  PlanOptions plan_options;
  plan_options.tuning = tuning_of(options);
  if (options.device) plan_options.device = parse_device(*options.device);
  if (options.arch) plan_options.target = target_for(*options.arch);
  return plan_options;
}

}  // namespace sonoma::cli
