#include "again.hpp"

#include <algorithm>

namespace sonoma::bench {
namespace {

constexpr unsigned most_registers = 255;

void add(std::vector<Tuning>& list, const Tuning& tuning) {
  if (std::find(list.begin(), list.end(), tuning) == list.end()) list.push_back(tuning);
}

}  // namespace

std::vector<Tuning> tunings_again(const std::vector<Tuning>& known, const Maker& make,
                                  const std::function<Tuning()>& defaults) {
  std::vector<Tuning> result, others;
  for (const Tuning& tuning : known) {
    add(result, tuning);
    const auto made = make(tuning);
    if (made && made->local_bytes == 0) continue;
    for (const unsigned more : {8u, 16u, 32u}) {
      if (!made || made->registers >= most_registers) break;
      Tuning wider = tuning;
      wider.registers = std::min(made->registers + more, most_registers);
      add(others, wider);
    }
    add(others, defaults());
  }
  for (const Tuning& other : others) {
    if (make(other)) add(result, other);
  }
  return result;
}

}  // namespace sonoma::bench
