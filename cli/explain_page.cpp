// explain --html: a page of the plan.
#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "explain.hpp"
#include "page/page.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma::cli {
namespace {

// As a shell takes it.
std::string quoted(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:=/+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// With the file's name left out: the same request makes the same page wherever it is written.
std::string command_of(const CLI::App& command) {
  std::string text = "sonoma " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == "--html") continue;
    text += " " + name;
    if (option->get_expected_max() == 0) continue;  // a flag
    for (const std::string& value : option->results()) text += " " + quoted(value);
  }
  return text + " --html page.html";
}

page::Compiled left_out() {
  page::Compiled result;
  result.why_no_code =
      "Machine code, registers and spills are left out, for they depend on the CUDA compiler. "
      "Without --text-only they are shown.";
  return result;
}

// Messages say where was looked, pages do not: they are the same on every machine.
page::Compiled compiled(const LaunchKernel& kernel) {
  const Target& target = kernel.passes.front().target;
  page::Compiled result;
  result.cubin = compile_for_facts(kernel.source, target).cubin;
  if (!result.cubin) {
    result.why_no_code =
        "Machine code, registers and spills are not shown: NVRTC was not found where this page was "
        "made, or does not compile for " +
        arch_name(target) + ".";
    return result;
  }
  try {
    result.code = machine_code(kernel.source, target);
  } catch (const FftError& error) {
    if (error.stage() != Stage::load_library) throw;
    result.why_no_code =
        "Machine code is not shown: nvdisasm was not found where this page was made, or cannot "
        "read "
        "what NVRTC makes. It comes with the CUDA toolkit and as PyPI's nvidia-cuda-nvdisasm.";
  }
  return result;
}

}  // namespace

void write_page(const ChosenProgram& chosen, const std::string& asked, const CLI::App& command,
                const std::string& path, bool text_only) {
  const Planned& planned = chosen.planned;
  page::Subject subject;
  subject.command = command_of(command);
  subject.asked = asked;
  subject.reason = full_reason(planned.choice);
  if (planned.program.launches.size() > 1 && planned.program.axes.empty()) {
    subject.method = "Method " + method_name(planned.program) + ".";
  }
  subject.planned = planned;
  subject.kernels = chosen.kernels;
  for (const LaunchKernel& kernel : chosen.kernels) {
    subject.compiled.push_back(text_only ? left_out() : compiled(kernel));
  }
  write_file(path, page::page_of(subject));
}

}  // namespace sonoma::cli
