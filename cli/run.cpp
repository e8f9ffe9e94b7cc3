// sonoma run: transforms a .npy file into a .npy file.
#include <spdlog/fmt/fmt.h>

#include <memory>
#include <string>

#include "arguments.hpp"
#include "commands.hpp"
#include "host_execution.hpp"
#include "npy.hpp"
#include "request_options.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::cli {
namespace {

struct RunOptions {
  RequestOptions request;
  std::string input, output;
};

std::string to_string(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// (n,) or (batch, n); --n, if given, has to agree.
FftProblem problem_for(const RunOptions& options, const std::vector<std::int64_t>& shape) {
  const auto rank = shape.size();
  if (rank < 1 || rank > 2 || shape.front() == 0) {
    throw BadArgument("--input", options.input,
                      fmt::format("has shape {}; must be (n,) or (batch, n), batch at least 1",
                                  to_string(shape)));
  }
  const std::int64_t batch = rank == 2 ? shape.front() : 1;
  if (options.request.in_length) {
    const FftProblem problem = problem_of(options.request, length_of(options.request), batch);
    if (problem.in_length() == shape.back()) return problem;
    throw BadArgument("--in-length", *options.request.in_length,
                      fmt::format("{} has {} points in its last axis; give that number",
                                  options.input, shape.back()));
  }
  const std::int64_t n = shape.back();
  if (options.request.n && length_of(options.request) != n) {
    throw BadArgument(
        "--n", *options.request.n,
        fmt::format("{} has transforms of length {}; give that length, leave --n out, or say "
                    "--in-length",
                    options.input, n));
  }
  return problem_of(options.request, n, batch);
}

void transform(const Plan& plan, NpyArray& array) {
  const FftProblem& problem = plan.problem();
  const auto in = pack(problem.storage, array.data);
  array.shape.back() = problem.out_length();
  std::vector<std::byte> out(static_cast<std::size_t>(problem.batch * problem.out_length()) *
                             point_bytes(problem.result_storage()));
  execute_on_host_data(plan, in, out);
  array.data = unpack(problem.result_storage(), out);
}

void run(const RunOptions& options) {
  const PlanOptions plan_options = plan_options_of(options.request);
  NpyArray array = load_npy(options.input);
  const FftProblem problem = problem_for(options, array.shape);
  transform(make_plan(problem, plan_options), array);
  save_npy(options.output, array);
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Transform a .npy file of complex64");
  add_request_options(*command, options->request, "length; must agree with the input's last axis");
  add_end_options(*command, options->request);
  command->get_option("--precision")
      ->description(
          "f32 (the default), f16, bf16 or i16: the file's numbers are rounded to it before the "
          "transform, and what it cannot hold, of input or result, becomes infinity (i16: the last "
          "integer)");
  add_device_option(*command, options->request);
  command->add_option("--input", options->input, "complex64 .npy of shape (n,) or (batch, n)")
      ->required();
  command
      ->add_option("--output", options->output,
                   "the .npy to write, of the same shape (see --out-length)")
      ->required();
  command->callback([options] { run(*options); });
}

}  // namespace sonoma::cli
