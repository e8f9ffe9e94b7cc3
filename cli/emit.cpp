// sonoma emit: the CUDA text of a kernel.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "commands.hpp"
#include "request_options.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::cli {
namespace {

struct EmitOptions {
  RequestOptions request;
  std::string form = "kernel";
  std::string pass;
  std::string out;
};

/// A program and the kernels of its launches.
struct Emitted {
  Program program;
  std::vector<LaunchKernel> kernels;
};

// What a plan runs: with --batch or of an array for so many transforms, else where they fill the
// GPU.
Emitted emitted_of(const RequestOptions& request, const FftProblem& problem) {
  ChosenProgram chosen = generate_chosen(request, problem);
  Planned& planned = chosen.planned;
  const bool counted = request.batch || request.array;
  if (!counted || !planned.few) return {planned.program, std::move(chosen.kernels)};
  return {*planned.few, generate_all(*planned.few, target_of(request))};
}

// The place of --pass among so many.
std::size_t place_of(const std::string& pass, std::size_t passes) {
  const std::string allowed = "must be the number of a pass, 1 to " + std::to_string(passes);
  const auto last = static_cast<std::int64_t>(passes);
  return static_cast<std::size_t>(parse_integer("--pass", pass, 1, last, allowed) - 1);
}

// A decomposition is of this pass, or of the whole transform, of which it is a section. The options
// beside it are of this pass, but for the two that say which passes there are.
std::string text_of_decomposed(const EmitOptions& options, const FftProblem& problem) {
  const Target target = target_of(options.request);
  Tuning own = tuning_of(options.request), passes;
  std::swap(own.pass_lengths, passes.pass_lengths);
  std::swap(own.method, passes.method);
  const bool section = own.decomposition->n() == problem.n();
  if (section) passes.decomposition = own.decomposition;
  const std::vector<Launch> launches = make_program(problem, target, passes).launches;
  const Launch& launch = launches[place_of(options.pass, launches.size())];
  if (section) own.decomposition = launch.shape.tree.decomposition;
  return generate(launch.pass, target, own).source.text;
}

std::string text_of(const EmitOptions& options, const FftProblem& problem) {
  const bool one = !options.pass.empty();
  const bool decomposed = options.request.tuning.at("decomposition").has_value();
  if (one && decomposed) return text_of_decomposed(options, problem);
  const auto [program, kernels] = emitted_of(options.request, problem);
  if (one) return kernels[place_of(options.pass, kernels.size())].source.text;
  return kernels.size() == 1 ? kernels.front().source.text : emit_unit(program, kernels);
}

void emit(const EmitOptions& options) {
  if (options.form != "kernel") {
    throw BadArgument("--form", options.form,
                      "the only form is kernel: one self-contained CUDA translation unit");
  }
  const FftProblem problem = problem_asked(options.request);
  const std::string text = text_of(options, problem);
  if (!options.out.empty()) return write_file(options.out, text);
  std::fwrite(text.data(), 1, text.size(), stdout);  // main looks for errors
}

}  // namespace

void add_emit_command(CLI::App& app) {
  auto options = std::make_shared<EmitOptions>();
  CLI::App* command = app.add_subcommand("emit", "Print the CUDA text of the kernels");
  add_request_options(*command, options->request, "length of the transform");
  add_end_options(*command, options->request);
  add_layout_options(*command, options->request);
  add_convolution_options(*command, options->request);
  add_array_options(*command, options->request);
  command->add_option("--form", options->form, "kernel: one CUDA translation unit (the default)");
  command->add_option(
      "--pass", options->pass,
      "this pass only, of several: 1, 2, ...; beside --decomposition the options tune it alone");
  command->add_option("--out", options->out, "write to this file instead of standard output");
  command->callback([options] { emit(*options); });
}

}  // namespace sonoma::cli
