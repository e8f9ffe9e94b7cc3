#include "embedded/wisdom.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma {

const Wisdom& shipped_wisdom() {
  static const Wisdom shipped = [] {
    Wisdom all;
    for (const auto& file : embedded::wisdom) all.merge(parse_wisdom(file.text));
    return all;
  }();
  return shipped;
}

}  // namespace sonoma
