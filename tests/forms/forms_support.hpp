// Emitted forms, built and run.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "command.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma::tests {

using Bytes = std::vector<char>;

/// A transform that `emit` and a plan are asked for, each in its language.
struct FormCase {
  std::string name;       ///< of the test, and of the form
  std::string arguments;  ///< of emit, but for the form and the batch
  FftProblem problem;
  Tuning tuning = {};

  [[nodiscard]] bool has_user() const { return problem.ends.has_code(); }
};
std::ostream& operator<<(std::ostream& stream, const FormCase& one);

/// One kernel, transforms in parts, fused passes with counters, axes, filters, code of the
/// caller's, clusters.
[[nodiscard]] std::vector<FormCase> launcher_cases();

/// Files of a case in `folder`: NAME.cu, NAME.hpp, use.cu, input, user, spectrum.
void write_launcher(const FormCase& one, const TemporaryFolder& folder);
/// Arguments of the program that use.cu is, with `module` made of NAME.cu; it writes "output".
[[nodiscard]] std::vector<std::string> use_arguments(const FormCase& one, const std::string& module,
                                                     const TemporaryFolder& folder);
/// What the emulated plan makes of the input.
[[nodiscard]] std::string expected_output(const FormCase& one, const TemporaryFolder& folder);

/// sonoma emit ARGUMENTS. Its exit code is expected to be 0.
void emit(const std::string& arguments);

/// The lines between ```LANGUAGE and ``` in docs/forms.md, a text for each such piece.
[[nodiscard]] std::vector<std::string> snippets_of_docs(const std::string& language);
/// Runs the commands of the docs, in a folder with the examples; those that begin with ./ only on a
/// GPU.
void run_commands_of_docs(bool on_gpu);

/// Of SONOMA_NVCC, PATH, CUDA_HOME, or /usr/local/cuda.
[[nodiscard]] std::optional<std::string> find_nvcc();

}  // namespace sonoma::tests
