// Kernels with a main function that checks and times them.
#include <algorithm>
#include <sstream>

#include "fill_in.hpp"
#include "form_texts.hpp"
#include "launches_text.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/forms.hpp"
#include "sonoma/trigonometric.hpp"
#include "tables_text.hpp"

namespace sonoma {
namespace {

std::string values_text(Values values) {
  static constexpr const char* names[] = {"complex", "real", "hermitian", "trigonometric"};
  return names[static_cast<int>(values)];
}

std::string kernel_rows(const std::vector<LaunchKernel>& kernels, const Unit& unit,
                        const std::string& name) {
  const std::vector<std::string> shapes = shapes_text(kernels);
  std::string text;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string space = kernels.size() == 1 ? "" : "launch_" + std::to_string(i + 1);
    const std::string tables = table_name(name, kernels, i);
    text += "    {reinterpret_cast<const void*>(&" + space + "::" + unit.names[i] + "),\n     " +
            (tables.empty() ? "nullptr" : tables) + ", " + shapes[i] + "},\n";
  }
  return text;
}

std::string exact(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

// A GPU's caches hold less.
std::uint64_t batch_of(const FftProblem& problem) {
  constexpr std::uint64_t bytes = 128 << 20;
  const auto own = static_cast<std::uint64_t>(problem.in_dist()) * problem.bytes_of_point(true);
  return std::max<std::uint64_t>(1, bytes / own);
}

}  // namespace

void check_standalone(const FftProblem& problem) {
  const auto refuse = [](const std::string& field, const std::string& value,
                         const std::string& allowed) {
    throw UnsupportedProblem(field, value,
                             allowed + " where a form checks itself; take --form launcher");
  };
  if (is_trigonometric(problem.domain))
    refuse("domain", to_string(problem.domain), "c2c, r2c, c2r");
  if (problem.convolution) refuse("convolution", "a filter", "a transform");
  for (const Storage storage : {problem.storage, problem.result_storage()}) {
    if (storage != Storage::f32) refuse("storage", to_string(storage), "f32");
  }
  if (problem.layout != DataLayout{}) {
    refuse("layout", to_string(problem.layout), "points and transforms that follow each other");
  }
  if (problem.ends != Ends{}) {
    refuse("ends", to_string(problem.ends), "all points, no code of the caller's");
  }
  if (problem.order != Order::natural) refuse("order", to_string(problem.order), "natural");
  if (problem.placement == Placement::in_place) {
    refuse("placement", to_string(problem.placement), "out-of-place");
  }
}

FormFile standalone_form(const Program& program, const std::vector<LaunchKernel>& kernels,
                         const std::string& name) {
  const FftProblem& problem = program.problem;
  check_standalone(problem);
  const Unit unit = unit_of(program, kernels);
  auto words = launch_words(program, kernels, name);
  std::string lengths;
  for (const std::int64_t n : problem.lengths) {
    lengths += (lengths.empty() ? "" : ", ") + std::to_string(n);
  }
  words["kernels_text"] = unit.text + tables_text(name, kernels);
  words["kernels"] = kernel_rows(kernels, unit, name);
  words["kernel_count"] = std::to_string(kernels.size());
  words["sign"] = std::to_string(static_cast<int>(problem.direction));
  words["scale"] = exact(static_cast<float>(problem.scale));
  words["lengths"] = lengths;
  words["in_values"] = values_text(problem.values(true));
  words["out_values"] = values_text(problem.values(false));
  words["batch"] = std::to_string(batch_of(problem));
  words["limit"] = exact(error_limit(program));
  return {name + ".cu", fill_in("standalone.cu.in", words)};
}

}  // namespace sonoma
