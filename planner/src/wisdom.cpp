#include "sonoma/wisdom.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "embedded/wisdom.hpp"
#include "half.hpp"
#include "packed.hpp"
#include "remembered.hpp"
#include "wisdom_lines.hpp"

namespace sonoma {
namespace {

auto key(const WisdomEntry& entry) { return std::tie(entry.platform, entry.subject); }

bool better(const WisdomEntry& a, const WisdomEntry& b) {
  if (a.date != b.date) return a.date > b.date;
  if (a.eff != b.eff) return a.eff > b.eff;
  return a < b;
}

using Shapes = std::vector<std::vector<std::int64_t>>;

const std::vector<WisdomText>& shipped_texts() {
  static const auto texts = [] {
    std::vector<WisdomText> all;
    for (const auto& file : embedded::wisdom) all.emplace_back(file.text);
    return all;
  }();
  return texts;
}

// The lines of what is shipped stay where they are.
WisdomEntry entry_of(std::string_view line) {
  static Remembered<const char*, WisdomEntry> read;
  return read.of(line.data(), [line] { return parse_own_entry(line); });
}

Wisdom shipped_of(const Shapes& shapes, const WantedLine& wanted) {
  Wisdom found;
  for (const WisdomText& text : shipped_texts()) {
    for (const auto& lengths : shapes) {
      for (const auto line : text.lines_of(lengths, wanted)) found.add(entry_of(line));
    }
  }
  return found;
}

std::vector<std::string> names_of(const std::vector<Storage>& storages) {
  std::vector<std::string> names;
  for (const Storage storage : storages) names.push_back(to_string(storage));
  return names;
}

// All lengths that a plan may ask for.
std::set<std::vector<std::int64_t>> shapes_of(const FftProblem& problem) {
  std::set<std::vector<std::int64_t>> shapes;
  const std::vector<std::int64_t> all = problem.dft_lengths();
  for (const std::int64_t n : all) shapes.insert({n});
  // Of pairs: where axes are real, and packed. Others than the last are complex between Hermitian
  // ends.
  const bool last_alone = has_hermitian(problem.domain) && !may_be_packed(problem, {});
  const bool pairs = has_real_side(problem) || may_be_packed(problem, {});
  for (std::size_t a = last_alone ? all.size() - 1 : 0; pairs && a < all.size(); ++a) {
    shapes.insert({all[a] / 2});
  }
  std::int64_t points = 1;
  for (std::size_t a = problem.lengths.size(); a-- > 0;) {
    const auto first = problem.lengths.begin() + static_cast<std::ptrdiff_t>(a);
    shapes.insert({*first}), shapes.insert({points *= *first});
    shapes.insert({first, problem.lengths.end()});
  }
  return shapes;
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
  const auto is_it = [line = text.substr(start, end - start)](auto other) { return other == line; };
  return std::ranges::any_of(shipped_texts(), [&](const WisdomText& shipped) {
    return !shipped.lines_of(entry.subject.lengths, is_it).empty();
  });
}

Wisdom shipped_wisdom_for(const FftProblem& problem, std::optional<int> arch) {
  const auto shapes = shapes_of(problem);
  // Between axes points may be in FP32.
  const auto storages = names_of({problem.storage, problem.result_storage(), Storage::f32});
  const std::vector<std::string> domains = {to_string(problem.domain)};
  const std::vector<std::string> archs = {arch ? "sm_" + std::to_string(*arch) : ""};
  // Of parts that are complex nothing is said.
  const auto wanted = [&](std::string_view line) {
    const bool filters = has_field(line, "convolution"), real = has_field(line, "domain");
    return (!arch || says(line, "arch", archs)) && says(line, "storage", storages) &&
           (!filters || problem.convolution) && (!real || says(line, "domain", domains));
  };
  return shipped_of({shapes.begin(), shapes.end()}, wanted);
}

Wisdom shipped_wisdom_of(const std::vector<std::int64_t>& lengths,
                         const std::vector<Storage>& storages) {
  return shipped_of({lengths}, [names = names_of(storages)](std::string_view line) {
    return says(line, "storage", names);
  });
}

}  // namespace sonoma
