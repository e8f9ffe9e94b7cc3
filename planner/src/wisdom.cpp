#include "sonoma/wisdom.hpp"

#include <algorithm>
#include <tuple>

namespace sonoma {
namespace {

auto key(const WisdomEntry& entry) { return std::tie(entry.platform, entry.subject); }

bool better(const WisdomEntry& a, const WisdomEntry& b) {
  if (a.date != b.date) return a.date > b.date;
  if (a.eff != b.eff) return a.eff > b.eff;
  return a < b;
}

}  // namespace

void Wisdom::add(const WisdomEntry& entry) {
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), entry,
                       [](const WisdomEntry& a, const WisdomEntry& b) { return key(a) < key(b); });
  if (at == entries_.end() || key(*at) != key(entry)) {
    entries_.insert(at, entry);
  } else if (better(entry, *at)) {
    *at = entry;
  }
}

void Wisdom::replace(const WisdomEntry& entry) {
  std::erase_if(entries_, [&](const WisdomEntry& other) {
    return other.platform.device == entry.platform.device &&
           other.platform.arch == entry.platform.arch && other.subject == entry.subject;
  });
  add(entry);
}

void Wisdom::merge(const Wisdom& other) {
  for (const auto& entry : other.entries()) add(entry);
}

}  // namespace sonoma
