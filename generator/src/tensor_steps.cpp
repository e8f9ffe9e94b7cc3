#include "tensor_steps.hpp"

#include <algorithm>
#include <bit>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// What tensor cores truncate is almost 2 u of single results, which evens out over more of them
// than three.
bool may_be_product(unsigned radix) { return radix != 3; }

}  // namespace

void check_product_tree(const Tuning& tuning) {
  if (has_wide(*tuning.decomposition) && tuning.mma_form == MmaForm::wmma) {
    throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                             "steps of radix up to 16 with matrix products of the form wmma; ptx, "
                             "from sm_80 on, and the engine simt take 32");
  }
  if (tile_length(tuning) <= largest_product_tile) return;
  throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                           "with the engine mma radices that, each rounded up to a power of two, "
                           "multiply to at most " +
                               std::to_string(largest_product_tile) + ", these to " +
                               std::to_string(tile_length(tuning)) +
                               "; the engine simt takes this length");
}

void check_tensor_steps(const Tuning& tuning) {
  if (!tuning.tensor_steps) return;
  const auto& radices = tuning.decomposition->radices;
  const unsigned mask = *tuning.tensor_steps;
  const auto refuse = [&](const std::string& allowed) {
    throw UnsupportedProblem("tensor_steps", to_step_list(mask), allowed);
  };
  if (tuning.engine != Engine::mma)
    refuse("only the engine mma has steps on tensor cores; drop one of the two");
  if (std::none_of(radices.begin(), radices.end(), may_be_product)) {
    throw UnsupportedProblem("decomposition", to_string(*tuning.decomposition),
                             "with the engine mma a step of another radix than 3, which is left to "
                             "butterflies; simt takes this one");
  }
  if (mask == 0 || mask >> radices.size() != 0) {
    refuse("at least one of the steps 1 to " + std::to_string(radices.size()));
  }
  unsigned largest = 0;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (mask >> s & 1u) largest = std::max(largest, radices[s]);
  }
  for (std::size_t s = 0; s < radices.size(); ++s) {
    const bool product = mask >> s & 1u, bits = std::has_single_bit(radices[s]);
    if (!product && is_wide(radices[s])) {
      refuse("every step of a radix above 16: the engine mma has no butterflies of those");
    }
    if (product && !may_be_product(radices[s])) refuse("no step of radix 3: that is butterflies");
    if (product && bits && takes_sixteen(largest) && radices[s] < 16) {
      refuse("beside products of radix 16 no smaller ones of radix 2, 4, 8: they are butterflies");
    }
  }
}

// A small product costs as much as one of radix 16, butterflies a tenth. A third product takes more
// instructions than butterflies of radix 16, and no exchange less: two are the fastest at 4096.
// The same goes for padded steps. Wide steps are always products.
void choose_tensor_steps(Tuning& tuning) {
  if (tuning.tensor_steps) return;
  const auto& radices = tuning.decomposition->radices;
  unsigned mask = 0;
  auto products = std::count_if(radices.begin(), radices.end(), is_wide);
  for (std::size_t s = 0; s < radices.size(); ++s) {
    const bool takes = is_wide(radices[s]) || (takes_sixteen(radices[s]) && products++ < 2);
    if (takes) mask |= 1u << s;
  }
  for (std::size_t s = 0; products == 0 && s < radices.size(); ++s) {
    if (may_be_product(radices[s])) mask |= 1u << s;
  }
  tuning.tensor_steps = mask;
}

}  // namespace sonoma
