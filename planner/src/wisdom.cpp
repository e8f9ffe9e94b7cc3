#include "sonoma/wisdom.hpp"

#include <algorithm>
#include <tuple>

#include "generator_version.hpp"

namespace sonoma {
namespace {

auto key(const WisdomEntry& entry) { return std::tie(entry.platform, entry.subject); }

bool better(const WisdomEntry& a, const WisdomEntry& b) {
  if (a.eff != b.eff) return a.eff > b.eff;
  if (a.date != b.date) return a.date > b.date;
  return a < b;
}

}  // namespace

const std::string& generator_version() {
  static const std::string version = emitted_kernels_hash;
  return version;
}

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

void Wisdom::merge(const Wisdom& other) {
  for (const auto& entry : other.entries()) add(entry);
}

}  // namespace sonoma
