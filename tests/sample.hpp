// Long lists of cases, for which every third one stands in ctest.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace sonoma::test {

/// Of a list of so many cases: 3 where ctest asks for a sample (see SAMPLED in CMakeLists.txt),
/// every third case from the first one on. 1, all of them, for short lists, where a test is run by
/// hand, and where SONOMA_EVERY_REQUEST is set, as the preset nightly does.
inline std::size_t sample_step(std::size_t cases) {
  constexpr std::size_t few = 6;
  const bool sampled = std::getenv("SONOMA_SAMPLED") && !std::getenv("SONOMA_EVERY_REQUEST");
  return sampled && cases > few ? 3 : 1;
}

}  // namespace sonoma::test
