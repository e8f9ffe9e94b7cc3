#include "places.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "expression.hpp"

namespace sonoma {
namespace {

// The folded steps of a layout, and of each the register digit of its upper half.
class Folds {
 public:
  Folds(const std::vector<Digit>& digits, const Layout& layout) : digits_(digits), layout_(layout) {
    for (const unsigned step : layout.folded) {
      DigitId top = 0;
      unsigned weight = 0;
      for (DigitId id = 0; id < digits.size(); ++id) {
        if (digits[id].step != static_cast<int>(step) || digits[id].weight < weight) continue;
        top = id, weight = digits[id].weight;
      }
      tops_.push_back(top);
    }
  }

  [[nodiscard]] unsigned patterns() const { return 1u << tops_.size(); }

  // Which of them a register is in the upper half of.
  [[nodiscard]] unsigned pattern_of(const std::vector<unsigned>& values) const {
    unsigned pattern = 0;
    for (std::size_t i = 0; i < layout_.registers.size(); ++i) {
      const auto top = std::find(tops_.begin(), tops_.end(), layout_.registers[i]);
      if (top != tops_.end() && values[i] != 0) pattern |= 1u << (top - tops_.begin());
    }
    return pattern;
  }

  [[nodiscard]] bool backwards(DigitId id, unsigned pattern) const {
    for (std::size_t f = 0; f < tops_.size(); ++f) {
      const bool own = digits_[id].step == static_cast<int>(layout_.folded[f]) && id != tops_[f];
      if (own && (pattern >> f & 1u)) return true;
    }
    return false;
  }

 private:
  const std::vector<Digit>& digits_;
  const Layout& layout_;
  std::vector<DigitId> tops_;
};

std::vector<unsigned> values_of(const std::vector<Digit>& digits, const std::vector<DigitId>& ids,
                                std::uint32_t number) {
  std::vector<unsigned> values;
  for (const DigitId id : ids) {
    values.push_back(number % digits[id].count);
    number /= digits[id].count;
  }
  return values;
}

// Groups of registers that `key` puts together, each sorted by `place`.
std::vector<std::vector<unsigned>> grouped(std::size_t registers, unsigned width,
                                           const std::function<std::uint64_t(unsigned)>& key,
                                           const std::function<std::uint32_t(unsigned)>& place) {
  std::vector<std::vector<unsigned>> groups;
  std::map<std::uint64_t, std::size_t> known;
  for (unsigned reg = 0; reg < registers; ++reg) {
    const auto [at, added] = known.emplace(width == 1 ? reg : key(reg), groups.size());
    if (added) groups.emplace_back();
    groups[at->second].push_back(reg);
  }
  for (auto& group : groups) {
    std::sort(group.begin(), group.end(),
              [&](unsigned a, unsigned b) { return place(a) < place(b); });
  }
  return groups;
}

}  // namespace

SumPlaces sum_places(const std::vector<Digit>& digits, const Layout& layout,
                     const std::vector<std::uint32_t>& strides, const Numbering& numbering) {
  const Folds folds(digits, layout);
  SumPlaces places;
  std::vector<unsigned> base_of(folds.patterns());
  for (unsigned pattern = 0; pattern < folds.patterns(); ++pattern) {
    std::vector<ThreadDigit> thread;
    std::uint32_t last = 0;
    for (const DigitId id : layout.threads) {
      thread.push_back({digits[id].count, strides[id], folds.backwards(id, pattern)});
      last += (digits[id].count - 1) * strides[id];
    }
    const std::string text = sum_text(thread, numbering);
    const auto known = std::find(places.bases.begin(), places.bases.end(), text);
    base_of[pattern] = static_cast<unsigned>(known - places.bases.begin());
    if (known == places.bases.end()) places.bases.push_back(text), places.last.push_back(last);
  }
  const std::uint32_t registers = count_of(digits, layout.registers);
  for (std::uint32_t reg = 0; reg < registers; ++reg) {
    const std::vector<unsigned> values = values_of(digits, layout.registers, reg);
    const unsigned pattern = folds.pattern_of(values);
    std::uint32_t offset = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const DigitId id = layout.registers[i];
      const bool back = folds.backwards(id, pattern);
      offset += (back ? digits[id].count - 1 - values[i] : values[i]) * strides[id];
    }
    places.base.push_back(base_of[pattern]);
    places.offset.push_back(offset);
  }
  return places;
}

std::vector<std::vector<unsigned>> neighbours(const SumPlaces& places, unsigned width) {
  return grouped(
      places.offset.size(), width,
      [&](unsigned reg) {
        return std::uint64_t{places.base[reg]} << 32 | places.offset[reg] / width;
      },
      [&](unsigned reg) { return places.offset[reg]; });
}

SharedPlaces xor_places(const LinearMap& map, const Swizzle& swizzle, unsigned line_bits,
                        const std::vector<std::uint32_t>& further) {
  SharedPlaces places;
  std::vector<ThreadDigit> thread;
  for (const std::uint32_t stride : map.thread_bits) thread.push_back({2, stride});
  places.thread = sum_text(thread);
  // What the thread's part, or the swizzle, may change.
  const std::uint32_t reached = std::accumulate(map.thread_bits.begin(), map.thread_bits.end(),
                                                (1u << line_bits) - 1, std::bit_or<>());
  for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
    const std::uint32_t point = map.of_register(reg) + (further.empty() ? 0 : further[reg]);
    const std::uint32_t place = swizzle(point);
    places.point.push_back(point);
    places.flip.push_back(place & reached);
    places.add.push_back(place & ~reached);
  }
  return places;
}

SharedPlaces padded_places(const SumPlaces& sums, const std::vector<std::uint32_t>& further) {
  std::vector<std::uint32_t> add = sums.offset;
  for (std::size_t reg = 0; reg < further.size(); ++reg) add[reg] += further[reg];
  return {sums.bases.front(), std::vector<std::uint32_t>(add.size()), add, add};
}

std::vector<std::vector<unsigned>> neighbours(const SharedPlaces& places, unsigned width) {
  return grouped(
      places.point.size(), width, [&](unsigned reg) { return places.point[reg] / width; },
      [&](unsigned reg) { return places.point[reg]; });
}

}  // namespace sonoma
