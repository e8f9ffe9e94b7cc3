#include "sonoma/wisdom.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "embedded/wisdom.hpp"
#include "wisdom_lines.hpp"

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
  const auto at = std::ranges::lower_bound(entries_, key(entry), {}, key);
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

const Wisdom& shipped_wisdom() {
  static const Wisdom shipped = [] {
    Wisdom all;
    for (const auto& file : embedded::wisdom) all.merge(parse_wisdom(file.text));
    return all;
  }();
  return shipped;
}

bool is_shipped(const WisdomEntry& entry) {
  Wisdom one;
  one.add(entry);
  const std::string text = to_json_text(one);
  const std::size_t start = text.find("\n{") + 1, end = text.find('\n', start);
  const std::string line = text.substr(start, end - start);
  return std::ranges::any_of(embedded::wisdom, [&](const auto& file) {
    return with_entries_of(file.text, entry.subject.lengths, {entry.subject.storage}).find(line) !=
           std::string::npos;
  });
}

Wisdom shipped_wisdom_for(const FftProblem& problem) {
  std::set<std::vector<std::int64_t>> shapes;
  const bool real =
      problem.domain != Domain::c2c || (problem.convolution && problem.convolution->real);
  for (const std::int64_t n : problem.dft_lengths()) {
    shapes.insert({n});
    if (real) shapes.insert({n / 2});  // of pairs
  }
  std::int64_t points = 1;
  for (std::size_t a = problem.lengths.size(); a-- > 0;) {
    const auto first = problem.lengths.begin() + static_cast<std::ptrdiff_t>(a);
    shapes.insert({*first}), shapes.insert({points *= *first});
    shapes.insert({first, problem.lengths.end()});
  }
  // Between axes points may be in FP32.
  const std::set storages = {problem.storage, problem.result_storage(), Storage::f32};
  Wisdom found;
  for (const auto& shape : shapes) {
    found.merge(shipped_wisdom_of(shape, {storages.begin(), storages.end()}));
  }
  return found;
}

Wisdom shipped_wisdom_of(const std::vector<std::int64_t>& lengths,
                         const std::vector<Storage>& storages) {
  Wisdom found;
  for (const auto& file : embedded::wisdom) {
    found.merge(parse_wisdom(with_entries_of(file.text, lengths, storages)));
  }
  return found;
}

}  // namespace sonoma
