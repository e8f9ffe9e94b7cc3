// The text of a wisdom file, and plans that take what it says.
#include "sonoma/wisdom.hpp"

#include "fuzz.hpp"
#include "sonoma/planned.hpp"

namespace {

using namespace sonoma;

// Whether a plan can be made for what was measured.
bool serves(const FftProblem& problem, const Target& target, const Wisdom& wisdom) {
  try {
    (void)plan(problem, target, {}, wisdom);
    return true;
  } catch (const UnsupportedProblem& refusal) {
    fuzz::require_named(refusal);
    return false;
  }
}

void require_of_use(const Wisdom& wisdom) {
  for (const WisdomEntry& entry : wisdom.entries()) {
    if (entry.subject.lengths.size() > 3) continue;
    const Target target = target_for(std::to_string(entry.platform.arch));
    FftProblem problem;
    try {
      problem = problem_of(entry.subject, 1);
      validate(problem);
    } catch (const UnsupportedProblem& refusal) {
      fuzz::require_named(refusal);
      continue;
    }
    fuzz::require(serves(problem, target, wisdom) || !serves(problem, target, {}),
                  "wisdom by which a request is refused that is served without",
                  to_string(problem));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Wisdom wisdom;
  try {
    wisdom = parse_wisdom(fuzz::text_of(data, size));
  } catch (const BadWisdom& refusal) {
    fuzz::require_message(refusal);
    return 0;
  }
  const std::string printed = to_json_text(wisdom);
  fuzz::require(parse_wisdom(printed) == wisdom, "another wisdom", printed);
  require_of_use(wisdom);
  return 0;
}
