// How a transform is shared out to blocks, and over the time of one.
#pragma once

#include <compare>

namespace sonoma {

struct Shares {
  unsigned cluster = 1, rounds = 1;

  auto operator<=>(const Shares&) const = default;

  [[nodiscard]] unsigned parts() const { return cluster * rounds; }
};

}  // namespace sonoma
