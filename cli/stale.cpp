#include "stale.hpp"

#include "asked_problems.hpp"
#include "request_words.hpp"
#include "sonoma/launch_kernel.hpp"

namespace sonoma::cli {
namespace {

bool emits(const Program& program, const Target& target, const Override& kept) {
  for (const Launch& launch : program.launches) {
    if (launch_id(launch, target) != kept.launch) continue;
    return text_id(generate(launch, target).source) == kept.original;
  }
  return false;
}

}  // namespace

std::string state_of(const Override& kept) {
  try {
    const RequestOptions request = parse_request(words_of(kept.request), kept.kernel).options;
    const Target target = target_of(request);
    const Planned planned = plan_asked(request, problem_asked(request));
    const bool current =
        emits(planned.program, target, kept) || (planned.few && emits(*planned.few, target, kept));
    return current ? "current" : "stale";
  } catch (const std::invalid_argument&) {  // a request that is not served any more
    return "stale";
  }
}

}  // namespace sonoma::cli
