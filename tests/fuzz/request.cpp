// A request, and nothing of a kernel: what validate() says, and what is printed of it.
#include "fuzz.hpp"
#include "option_words.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sonoma;
  fuzz::Request request;
  if (!fuzz::from_words(fuzz::text_of(data, size), request)) return 0;
  const FftProblem& problem = request.problem;
  (void)to_string(problem);
  try {
    validate(problem);
  } catch (const UnsupportedProblem& refusal) {
    fuzz::require_named(refusal);
    return 0;
  }
  fuzz::require(problem.in_points() >= 1 && problem.out_points() >= 1, "no points",
                to_string(problem));
  fuzz::require_round_trip(problem, {});
  return 0;
}
