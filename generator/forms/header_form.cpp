// A transform as a function of somebody else's kernel.
#include <sstream>

#include "fill_in.hpp"
#include "kernel_text.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/forms.hpp"
#include "tables_text.hpp"

namespace sonoma {
namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& value,
                         const std::string& allowed) {
  throw UnsupportedProblem(field, value,
                           allowed + " in a function of a kernel; or take --form launcher");
}

void check_kernels(const std::vector<LaunchKernel>& kernels) {
  const LaunchKernel& first = kernels.front();
  const std::string lengths = to_shape(first.passes.front().schedule.pass.whole().lengths);
  if (kernels.size() > 1 || first.fusion) {
    refuse("lengths", lengths, "what one block transforms (this takes several passes)");
  }
  if (const unsigned blocks = first.source.launch.cluster; blocks > 1) {
    refuse("lengths", lengths,
           "what one block transforms (this takes a cluster of " + std::to_string(blocks) + ")");
  }
}

std::string together_text(unsigned transforms) {
  if (transforms == 1) return "one at once; b is 0";
  return std::to_string(transforms) + " at once, b is 0 to " + std::to_string(transforms - 1) +
         "; a third argument says how many there are, if fewer";
}

std::string points_text(const FftProblem& problem) {
  const auto last = [](std::int64_t points) { return std::to_string(points - 1); };
  const std::string several =
      problem.lengths.size() > 1 ? ", as in a C array of " + to_shape(problem.lengths) : "";
  return "t is 0 to " + last(problem.in_length()) + ", k is 0 to " + last(problem.out_length()) +
         several;
}

}  // namespace

FftProblem header_problem(FftProblem problem) {
  if (problem.domain != Domain::c2c) refuse("domain", to_string(problem.domain), "c2c");
  if (problem.convolution) refuse("convolution", "a filter", "a transform");
  for (const Storage storage : {problem.storage, problem.result_storage()}) {
    if (storage != Storage::f32) {
      refuse("storage", to_string(storage), "f32 (load and store convert what you have)");
    }
  }
  if (problem.layout != DataLayout{}) {
    refuse("layout", to_string(problem.layout), "none (load and store know where points lie)");
  }
  if (problem.ends.has_code()) {
    refuse("ends", to_string(problem.ends), "none of such code (load and store are yours)");
  }
  if (problem.order != Order::natural) refuse("order", to_string(problem.order), "natural");
  problem.ends.load_code = problem.ends.store_code = "value";
  return problem;
}

FormFile header_form(const std::vector<LaunchKernel>& kernels, const std::string& name) {
  check_kernels(kernels);
  const Generated& pass = kernels.front().passes.front();
  const CudaSource& source = kernels.front().source;
  const KernelText text = device_function_text(pass);
  const unsigned columns = source.launch.transforms_per_block;
  const std::string tables =
      table_text("alignas(32) static __device__ const uint4", "tables", source.tables);
  const FftProblem& problem = pass.schedule.pass.whole();
  std::ostringstream bound;
  bound.precision(9);
  bound << pass.error.bound;
  const bool large = source.launch.shared_bytes > 48 * 1024;
  return {name + ".cuh",
          fill_in("header.cuh.in",
                  {{"name", name},
                   {"head", text.head},
                   {"threads", std::to_string(source.launch.threads)},
                   {"transforms", std::to_string(columns)},
                   {"together", together_text(columns)},
                   {"lengths", to_list(problem.lengths)},
                   {"length", std::to_string(problem.n())},
                   {"in_length", std::to_string(problem.in_length())},
                   {"out_length", std::to_string(problem.out_length())},
                   {"sign", std::to_string(static_cast<int>(problem.direction))},
                   {"error_bound", bound.str()},
                   {"points", points_text(problem)},
                   {"shared", std::to_string(source.launch.shared_bytes)},
                   {"attribute", large ? "\n//               More than 48 KB need "
                                         "cudaFuncAttributeMaxDynamicSharedMemorySize."
                                       : ""},
                   {"primitives", primitives_text(text.irs, text.target, text.plan + text.kernel)},
                   {"plan", text.plan},
                   {"tables", tables},
                   {"table_name", tables.empty() ? "nullptr" : name + "::tables"},
                   {"function", text.kernel}})};
}

}  // namespace sonoma
