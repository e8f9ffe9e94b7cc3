// sonoma emit: the CUDA text of a kernel.
#include <cstdio>
#include <memory>
#include <string>

#include "arguments.hpp"
#include "commands.hpp"
#include "request_options.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::cli {
namespace {

struct EmitOptions {
  RequestOptions request;
  std::string form = "kernel";
  std::string out;
};

void emit(const EmitOptions& options) {
  if (options.form != "kernel") {
    throw BadArgument("--form", options.form,
                      "the only form is kernel: one self-contained CUDA translation unit");
  }
  const FftProblem problem = problem_of(options.request, length_of(options.request));
  const Generated generated = generate_chosen(options.request, problem).generated;
  const std::string& text = generated.source.text;
  if (!options.out.empty()) return write_file(options.out, text);
  std::fwrite(text.data(), 1, text.size(), stdout);  // main looks for errors
}

}  // namespace

void add_emit_command(CLI::App& app) {
  auto options = std::make_shared<EmitOptions>();
  CLI::App* command = app.add_subcommand("emit", "Print the CUDA text of a kernel");
  add_request_options(*command, options->request, "length of the transform");
  command->add_option("--form", options->form, "kernel: one CUDA translation unit (the default)");
  command->add_option("--out", options->out, "write to this file instead of standard output");
  command->callback([options] { emit(*options); });
}

}  // namespace sonoma::cli
