#include "tensor_steps.hpp"

#include <algorithm>

#include "sonoma/errors.hpp"

namespace sonoma {

void check_tensor_steps(const Tuning& tuning) {
  if (!tuning.tensor_steps) return;
  const auto& radices = tuning.decomposition->radices;
  const unsigned mask = *tuning.tensor_steps;
  const auto refuse = [&](const std::string& allowed) {
    throw UnsupportedProblem("tensor_steps", to_step_list(mask), allowed);
  };
  if (tuning.engine != Engine::mma)
    refuse("only the engine mma has steps on tensor cores; drop one of the two");
  if (mask == 0 || mask >> radices.size() != 0) {
    refuse("at least one of the steps 1 to " + std::to_string(radices.size()));
  }
  unsigned largest = 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (mask >> s & 1u) largest = std::max(largest, radices[s]);
  }
  for (std::size_t s = 0; s < radices.size(); ++s) {
    const bool product = mask >> s & 1u;
    if (product && radices[s] > 16) refuse("no step of radix 32: that is butterflies");
    if (product && takes_sixteen(largest) && radices[s] < 16) {
      refuse("beside products of radix 16 no smaller ones of radix 2, 4, 8: they are butterflies");
    }
  }
}

// A small product costs as much as one of radix 16, butterflies a tenth. A third product takes more
// instructions than butterflies of radix 16, and no exchange less: two are the fastest at 4096.
void choose_tensor_steps(Tuning& tuning) {
  if (tuning.tensor_steps) return;
  const auto& radices = tuning.decomposition->radices;
  unsigned mask = 0;
  unsigned products = 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (radices[s] == 16 && products++ < 2) mask |= 1u << s;
  }
  for (std::size_t s = 0; products == 0 && s < radices.size(); ++s) {
    if (radices[s] < 16) mask |= 1u << s;
  }
  tuning.tensor_steps = mask;
}

}  // namespace sonoma
