// sonoma emit: the CUDA text of a kernel.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "arguments.hpp"
#include "commands.hpp"
#include "request_options.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::cli {
namespace {

struct EmitOptions {
  RequestOptions request;
  std::string form = "kernel";
  std::string pass;
  std::string out;
};

std::string text_of_all(const RequestOptions& request, const FftProblem& problem) {
  std::string text;
  for (const LaunchKernel& kernel : generate_chosen(request, problem).kernels) {
    text += (text.empty() ? "" : "\n") + kernel.source.text;
  }
  return text;
}

// A decomposition is of this pass, and so are the options beside it; others are of all passes.
std::string text_of_pass(const EmitOptions& options, const FftProblem& problem) {
  const Target target = target_of(options.request);
  Tuning own = tuning_of(options.request), passes = own;
  if (own.decomposition) passes = {};
  if (own.decomposition) std::swap(own.pass_lengths, passes.pass_lengths);
  if (own.decomposition) std::swap(own.method, passes.method);
  const Program program = make_program(problem, target, passes);
  const auto last = static_cast<std::int64_t>(program.launches.size());
  const auto number = parse_integer("--pass", options.pass, 1, last,
                                    "must be the number of a pass, 1 to " + std::to_string(last));
  const Launch& launch = program.launches[static_cast<std::size_t>(number - 1)];
  return generate(launch.pass, target, own.decomposition ? own : launch.tuning).source.text;
}

void emit(const EmitOptions& options) {
  if (options.form != "kernel") {
    throw BadArgument("--form", options.form,
                      "the only form is kernel: one self-contained CUDA translation unit");
  }
  const FftProblem problem = problem_of(options.request, length_of(options.request));
  const std::string text =
      options.pass.empty() ? text_of_all(options.request, problem) : text_of_pass(options, problem);
  if (!options.out.empty()) return write_file(options.out, text);
  std::fwrite(text.data(), 1, text.size(), stdout);  // main looks for errors
}

}  // namespace

void add_emit_command(CLI::App& app) {
  auto options = std::make_shared<EmitOptions>();
  CLI::App* command = app.add_subcommand("emit", "Print the CUDA text of a kernel");
  add_request_options(*command, options->request, "length of the transform");
  add_end_options(*command, options->request);
  add_layout_options(*command, options->request);
  command->add_option("--form", options->form, "kernel: one CUDA translation unit (the default)");
  command->add_option("--pass", options->pass,
                      "this pass only, of several: 1, 2, ...; other options then tune it alone");
  command->add_option("--out", options->out, "write to this file instead of standard output");
  command->callback([options] { emit(*options); });
}

}  // namespace sonoma::cli
