// The text of a tree of steps.
#include "sonoma/decomposition.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sonoma;
  try {
    const Decomposition tree = parse_decomposition(fuzz::text_of(data, size));
    fuzz::require(parse_decomposition(to_string(tree)) == tree, "another tree", to_string(tree));
    fuzz::require(tree.n() >= 2, "a length below 2", to_string(tree));
    (void)ends_with_axes(tree, {tree.n()});
  } catch (const UnsupportedProblem& refusal) {
    fuzz::require_named(refusal);
  }
  return 0;
}
