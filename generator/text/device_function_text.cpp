// A pass as a function of somebody else's kernel.
#include "kernel_text.hpp"
#include "pass_text.hpp"

namespace sonoma {
namespace {

// Without the code that stands for the caller's functions.
Generated without_code(Generated pass) {
  for (FftProblem* problem :
       {&pass.problem, &pass.schedule.pass.problem, &pass.ir.schedule.pass.problem}) {
    problem->ends.load_code.clear(), problem->ends.store_code.clear();
  }
  return pass;
}

}  // namespace

KernelText device_function_text(const Generated& pass) {
  const Schedule& schedule = pass.ir.schedule;
  const PassText text = function_text(pass.ir);
  const Generated told = without_code(pass);
  KernelText result;
  result.name = "transform";
  result.head = command_of(told, "header") + broken_comments(describe_pass(told));
  result.plan = plan_types(schedule) + "\n" + text.functions;
  result.kernel = thread_declaration(schedule) + register_declarations(pass.ir) + text.body;
  result.irs = {&pass.ir};
  result.target = pass.target;
  return result;
}

}  // namespace sonoma
