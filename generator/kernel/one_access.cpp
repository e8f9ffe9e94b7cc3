#include "one_access.hpp"

#include <algorithm>
#include <array>

namespace sonoma {

Wavefronts count_access(std::uint32_t threads, const Place& place) {
  constexpr std::uint32_t together = 16, banks = 16;
  Wavefronts result;
  for (std::uint32_t first = 0; first < threads; first += together) {
    std::array<std::uint32_t, together> places{};  // each once: a bank gives all lanes its word
    std::array<unsigned, banks> wanted{};
    auto end = places.begin();
    unsigned taken = 0;
    for (std::uint32_t t = first; t < std::min(first + together, threads); ++t) {
      const auto at = place(t);
      if (!at) continue;
      unsigned& of_bank = wanted[*at % banks];
      if (of_bank > 0 && std::find(places.begin(), end, *at) != end) continue;
      *end++ = *at;
      taken = std::max(taken, ++of_bank);
    }
    result.total += taken;
    result.minimum += taken > 0 ? 1 : 0;
  }
  return result;
}

void add(Wavefronts& sum, const Wavefronts& more) {
  sum.total += more.total;
  sum.minimum += more.minimum;
}

}  // namespace sonoma
