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
    return with_entries_of(file.text, entry.subject.lengths).find(line) != std::string::npos;
  });
}

Wisdom shipped_wisdom_for(const FftProblem& problem) {
  std::vector<std::int64_t> lengths = problem.dft_lengths();
  lengths.insert(lengths.end(), problem.lengths.begin(), problem.lengths.end());
  std::int64_t points = 1;
  for (std::size_t a = problem.lengths.size(); a-- > 0;) {
    lengths.push_back(points *= problem.lengths[a]);
  }
  const bool real =
      problem.domain != Domain::c2c || (problem.convolution && problem.convolution->real);
  for (const std::int64_t n : problem.dft_lengths()) {  // and those of pairs
    if (real) lengths.push_back(n / 2);
  }
  Wisdom found = shipped_wisdom_of(lengths);
  for (std::size_t a = problem.lengths.size() - 1; a-- > 0;) {
    const auto first = problem.lengths.begin() + static_cast<std::ptrdiff_t>(a);
    found.merge(shipped_wisdom_of_shape({first, problem.lengths.end()}));
  }
  return found;
}

Wisdom shipped_wisdom_of(const std::vector<std::int64_t>& lengths) {
  Wisdom found;
  for (const std::int64_t n : std::set(lengths.begin(), lengths.end())) {
    found.merge(shipped_wisdom_of_shape({n}));
  }
  return found;
}

Wisdom shipped_wisdom_of_shape(const std::vector<std::int64_t>& lengths) {
  Wisdom found;
  for (const auto& file : embedded::wisdom) {
    found.merge(parse_wisdom(with_entries_of(file.text, lengths)));
  }
  return found;
}

}  // namespace sonoma
