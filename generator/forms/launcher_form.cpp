// Kernels and what launches them over the CUDA driver.
#include <algorithm>

#include "fill_in.hpp"
#include "form_texts.hpp"
#include "launches_text.hpp"
#include "sonoma/axis_runs.hpp"
#include "sonoma/forms.hpp"
#include "tables_text.hpp"

namespace sonoma {

std::string form_name(const FftProblem& problem) {
  const bool forward = problem.direction == Direction::forward;
  std::string name = problem.domain != Domain::c2c ? to_string(problem.domain)
                     : forward                     ? "fft"
                                                   : "ifft";
  if (problem.convolution) name = problem.convolution->correlate ? "correlation" : "convolution";
  name += "_" + to_shape(problem.lengths);
  for (const Storage storage : {problem.storage, problem.result_storage()}) {
    if (problem.storage != Storage::f32 || storage != Storage::f32)
      name += "_" + to_string(storage);
    if (problem.storage == problem.result_storage()) break;
  }
  return name;
}

std::string problem_text(FftProblem problem) {
  problem.ends.load_code.clear(), problem.ends.store_code.clear();
  std::string text = to_string(problem);
  const std::string batch = " batch=" + std::to_string(problem.batch);
  if (const auto at = text.find(batch); at != std::string::npos) text.erase(at, batch.size());
  return text;
}

std::map<std::string, std::string> launch_words(const Program& program,
                                                const std::vector<LaunchKernel>& kernels,
                                                const std::string& name) {
  const FftProblem& problem = program.problem;
  const auto bytes = [&](std::int64_t points, bool input) {
    return std::to_string(points * problem.bytes_of_point(input));
  };
  return {{"name", name},
          {"problem", problem_text(problem)},
          {"arch", arch_name(kernels.front().passes.front().target)},
          {"in_bytes", bytes(problem.in_dist(), true)},
          {"out_bytes", bytes(problem.out_dist(), false)},
          {"workspace", workspace_text(program)},
          {"execute", execute_text(program, kernels)}};
}

namespace {

std::string kernel_rows(const std::vector<LaunchKernel>& kernels, const Unit& unit,
                        const std::string& name) {
  const std::vector<std::string> shapes = shapes_text(kernels);
  std::string text;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string tables = table_name(name, kernels, i);
    text += "    {\"" + unit.names[i] + "\", " +
            (tables.empty() ? "nullptr" : "\"" + tables + "\"") + ",\n     " + shapes[i] + "},\n";
  }
  return text;
}

}  // namespace

std::vector<FormFile> launcher_form(const Program& program,
                                    const std::vector<LaunchKernel>& kernels,
                                    const std::string& name) {
  const Unit unit = unit_of(program, kernels);
  auto words = launch_words(program, kernels, name);
  const bool user = takes_user(program), spectrum = takes_spectrum(program);
  const bool in_place = program.problem.placement == Placement::in_place;
  words["kernels"] = kernel_rows(kernels, unit, name);
  words["alignment"] = std::to_string(program.problem.alignment);
  words["placement"] = in_place ? "the same memory" : "apart from each other";
  words["arguments"] = std::string(user ? ", user" : "") + (spectrum ? ", spectrum" : "");
  words["parameters"] =
      std::string(user ? ", CUdeviceptr user" : "") + (spectrum ? ", CUdeviceptr spectrum" : "");
  words["argument_help"] =
      std::string(user ? "\n  /// user: what code of the kernels is told as `user`." : "") +
      (spectrum ? "\n  /// spectrum: of the filter, complex floats, 16-byte aligned." : "");
  return {{name + ".cu", unit.text + tables_text(name, kernels)},
          {name + ".hpp", fill_in("launcher.hpp.in", words)}};
}

}  // namespace sonoma
