#include "sonoma/generate.hpp"

#include "count_costs.hpp"
#include "error_model.hpp"
#include "generate_scheduled.hpp"
#include "kernel_text.hpp"
#include "sonoma/check.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/resolve.hpp"
#include "tables.hpp"

namespace sonoma {

Generated generate(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  validate(problem);
  return generate(single_pass(problem), target, tuning);
}

Generated generate(const Pass& pass, const Target& target, const Tuning& tuning) {
  validate(pass);
  const Tuning resolved = resolve(tuning, pass.problem, target);
  return generate_scheduled(schedule(pass, target, resolved), target, resolved);
}

Generated generate_scheduled(const Schedule& schedule, const Target& target, const Tuning& tuning) {
  Generated g{schedule.pass.problem, target, tuning, schedule, {}, {}, {}, 0, 0};
  g.tuning.stage_load = g.schedule.load.staged;
  g.tuning.stage_store = g.schedule.store.staged;
  // Of the whole, which the limit of its error depends on
  if (schedule.pass.part) g.tuning.pass_lengths = schedule.pass.part->lengths;
  if (schedule.pass.convolution) g.tuning.method = Method::bluestein;
  if (const std::string wrong = check(g.schedule); !wrong.empty()) {
    throw InternalError("schedule: " + wrong + "\n" + to_string(g.schedule));
  }
  g.ir = lower(g.schedule, g.problem.direction, g.problem.scale);
  if (const std::string wrong = verify(g.ir); !wrong.empty()) {
    throw InternalError("malformed kernel IR: " + wrong + "\n" + to_string(g.ir));
  }
  g.costs = count_costs(g.ir);
  g.error_limit = error_limit(schedule.pass.whole(), g.tuning);
  g.error_bound = error_bound(g.ir);
  const KernelText text = kernel_text(g);
  g.source = {text.name, unit_text({text}), g.schedule.launch, make_tables(g.ir)};
  return g;
}

}  // namespace sonoma
