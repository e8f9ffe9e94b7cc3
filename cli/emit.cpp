// sonoma emit: the CUDA text of a kernel, and its other forms.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "commands.hpp"
#include "request_options.hpp"
#include "sonoma/forms.hpp"
#include "sonoma/generate.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::cli {
namespace {

struct EmitOptions {
  RequestOptions request;
  std::string form = "kernel";
  std::string pass;
  std::string out, name;
};

/// A program and the kernels of its launches.
struct Emitted {
  Program program;
  std::vector<LaunchKernel> kernels;
};

// What a plan runs: with --batch or of an array for so many transforms, else where they fill the
// GPU.
Emitted emitted_of(const RequestOptions& request, const FftProblem& problem, TableWords words) {
  ChosenProgram chosen = generate_chosen(request, problem, words);
  Planned& planned = chosen.planned;
  const bool counted = request.batch || request.array;
  if (!counted || !planned.few) return {planned.program, std::move(chosen.kernels)};
  return {*planned.few, generate_all(*planned.few, target_of(request), words)};
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

// Of the files and of the namespace in them.
std::string name_of(const EmitOptions& options, const FftProblem& problem) {
  if (options.name.empty()) return form_name(problem);
  const auto letter = [](char c) {
    return c == '_' || std::isalpha(static_cast<unsigned char>(c));
  };
  const bool good = letter(options.name.front()) && std::ranges::all_of(options.name, [&](char c) {
                      return letter(c) || std::isdigit(static_cast<unsigned char>(c));
                    });
  if (good) return options.name;
  throw BadArgument("--name", options.name, "a name in C++: letters, digits and _, no digit first");
}

std::string text_of(const EmitOptions& options, const FftProblem& problem) {
  const bool one = !options.pass.empty();
  const bool decomposed = options.request.tuning.at("decomposition").has_value();
  if (one && decomposed) return text_of_decomposed(options, problem);
  const auto [program, kernels] = emitted_of(options.request, problem, TableWords::left_out);
  if (one) return kernels[place_of(options.pass, kernels.size())].source.text;
  return unit_of(program, kernels).text;
}

// The other forms are of whole transforms.
std::vector<FormFile> files_of(const EmitOptions& options, const FftProblem& problem) {
  if (!options.pass.empty()) {
    throw BadArgument("--pass", options.pass, "goes with --form kernel; leave one of the two out");
  }
  const std::string name = name_of(options, problem);
  if (options.form == "header") {
    const FftProblem within = header_problem(problem);
    return {header_form(emitted_of(options.request, within, TableWords::made).kernels, name)};
  }
  if (options.form == "standalone") check_standalone(problem);
  const auto [program, kernels] = emitted_of(options.request, problem, TableWords::made);
  if (options.form == "standalone") return {standalone_form(program, kernels, name)};
  return launcher_form(program, kernels, name);
}

void write_text(const EmitOptions& options, const std::string& text) {
  if (!options.out.empty()) return write_file(options.out, text);
  std::fwrite(text.data(), 1, text.size(), stdout);  // main looks for errors
}

void write_files(const std::string& folder, const std::vector<FormFile>& files) {
  if (folder.empty()) {
    throw BadArgument("--out", "not given", "--form launcher writes two files: name a folder");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder, "cannot make this folder: " + error.message());
  for (const FormFile& file : files) write_file(folder + "/" + file.name, file.text);
}

void emit(const EmitOptions& options) {
  const FftProblem problem = problem_asked(options.request);
  if (options.form == "kernel") return write_text(options, text_of(options, problem));
  const std::vector<FormFile> files = files_of(options, problem);
  if (files.size() == 1) return write_text(options, files.front().text);
  write_files(options.out, files);
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
  command
      ->add_option("--form", options->form,
                   "kernel: one CUDA translation unit (the default); launcher: with what launches "
                   "it, over cuda.h alone; header: a function for a kernel of yours; standalone: a "
                   "program that checks and times it")
      ->check(CLI::IsMember({"kernel", "launcher", "header", "standalone"}));
  command->add_option("--name", options->name,
                      "of the other forms: their namespace and files; by default e.g. fft_4096");
  command->add_option(
      "--pass", options->pass,
      "this pass only, of several: 1, 2, ...; beside --decomposition the options tune it alone");
  command->add_option(
      "--out", options->out,
      "write to this file instead of standard output; of a launcher the folder for its files");
  command->callback([options] { emit(*options); });
}

}  // namespace sonoma::cli
