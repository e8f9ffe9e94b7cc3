// A request with a tuning, up to the text of its kernels where these are small.
#include <algorithm>

#include "fuzz.hpp"
#include "option_words.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/planned.hpp"

namespace {

using namespace sonoma;

bool is_small(const Program& program) {
  return program.launches.size() <= 4 &&
         std::ranges::all_of(program.launches,
                             [](const Launch& launch) { return launch.pass.n() <= 512; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Request request;
  if (!fuzz::from_words(fuzz::text_of(data, size), request)) return 0;
  try {
    const Target target = target_for(request.arch);
    validate(request.problem);
    const Planned planned = plan(request.problem, target, {}, {}, request.tuning);
    fuzz::require_round_trip(request.problem, request.tuning);
    if (!is_small(planned.taken())) return 0;
    for (const Launch& launch : planned.taken().launches) (void)generate(launch, target);
  } catch (const UnsupportedProblem& refusal) {
    fuzz::require_named(refusal);
  }
  return 0;
}
