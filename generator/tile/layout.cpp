#include "sonoma/layout.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

namespace sonoma {
namespace {

std::uint32_t combine(const std::vector<std::uint32_t>& strides,
                      const std::vector<unsigned>& counts, std::uint32_t index) {
  std::uint32_t value = 0;
  if (counts.empty()) {
    for (index &= (1u << strides.size()) - 1; index != 0; index &= index - 1) {
      value ^= strides[static_cast<std::size_t>(std::countr_zero(index))];
    }
    return value;
  }
  for (std::size_t i = 0; i < strides.size() && index != 0; ++i) {
    value += index % counts[i] * strides[i];
    index /= counts[i];
  }
  return value;
}

// Of the digits [first, last) of a number that may be larger.
std::uint32_t part_of(const LinearMap& map, std::uint32_t number, unsigned first, unsigned last) {
  std::uint32_t value = 0;
  for (unsigned i = first; i < last; number /= map.thread_counts[i++]) {
    value += number % map.thread_counts[i] * map.thread_bits[i];
  }
  return value;
}

std::uint32_t with_residues(const LinearMap& map, std::uint32_t thread) {
  const auto [first, middle, last] = map.residues;
  std::uint32_t below = 1, number = 1;
  for (unsigned i = 0; i < last; ++i) (i < first ? below : number) *= map.thread_counts[i];
  const auto end = static_cast<unsigned>(map.thread_bits.size());
  return part_of(map, thread, 0, first) + part_of(map, thread / below, first, middle) +
         part_of(map, thread / below, middle, last) +
         part_of(map, thread / below / number, last, end);
}

std::uint32_t product(const std::vector<std::uint32_t>& strides,
                      const std::vector<unsigned>& counts) {
  if (counts.empty()) return 1u << strides.size();
  return std::accumulate(counts.begin(), counts.end(), 1u, std::multiplies<>());
}

// The prime factors of `value`, ascending.
std::vector<unsigned> prime_factors(unsigned value) {
  std::vector<unsigned> factors;
  for (unsigned p = 2; value > 1; ++p) {
    for (; value % p == 0; value /= p) factors.push_back(p);
  }
  return factors;
}

// Of the index that `digit` is a part of: the digit of its step, or the number of the transform.
unsigned whole_count(const std::vector<Digit>& digits, const Digit& digit) {
  unsigned count = 1;
  for (const Digit& other : digits) count *= other.step == digit.step ? other.count : 1;
  return count;
}

std::vector<DigitId> warps(const Layout& layout) {
  const auto skip = std::min<std::size_t>(lane_bits, layout.threads.size());
  return {layout.threads.begin() + static_cast<std::ptrdiff_t>(skip), layout.threads.end()};
}

bool is_folded(const Layout& layout, int step) {
  const auto& folded = layout.folded;
  return step >= 0 &&
         std::find(folded.begin(), folded.end(), static_cast<unsigned>(step)) != folded.end();
}

bool is_highest(const std::vector<Digit>& digits, DigitId id) {
  return std::none_of(digits.begin(), digits.end(), [&](const Digit& other) {
    return other.step == digits[id].step && other.weight > digits[id].weight;
  });
}

LinearMap map_of(const std::vector<Digit>& digits, const Layout& layout,
                 std::uint32_t Digit::*stride) {
  const auto with_fold = [&](DigitId id) {
    std::uint32_t value = digits[id].*stride;
    for (const Digit& lower : digits) {
      if (is_folded(layout, digits[id].step) && lower.step == digits[id].step &&
          lower.weight < digits[id].weight && is_highest(digits, id)) {
        value ^= lower.*stride;
      }
    }
    return value;
  };
  LinearMap map{{}, {}, counts_of(digits, layout.threads), counts_of(digits, layout.registers)};
  for (const DigitId id : layout.threads) map.thread_bits.push_back(digits[id].*stride);
  for (const DigitId id : layout.registers) map.register_bits.push_back(with_fold(id));
  return map;
}

}  // namespace

std::vector<Digit> make_digits(const Decomposition& decomposition, std::uint32_t transforms,
                               const std::vector<std::int64_t>& lengths) {
  std::vector<Digit> digits;
  unsigned axis = 0;
  const auto append = [&](int step, unsigned values, std::uint32_t time, std::uint32_t frequency) {
    unsigned weight = 1;
    for (const unsigned count : prime_factors(values)) {
      digits.push_back({step, weight, time * weight, frequency * weight, count, 0, 0, axis});
      weight *= count;
    }
  };
  const auto points = static_cast<std::uint32_t>(decomposition.n());
  const auto length = [&] {  // of an axis
    return lengths.size() > 1 ? static_cast<std::uint32_t>(lengths[axis]) : points;
  };
  // An axis ends where its steps have come down to the points of the axes behind it.
  std::uint32_t time_stride = points, behind = points / length(), freq_stride = behind;
  for (std::size_t s = 0; s < decomposition.radices.size(); ++s) {
    time_stride /= decomposition.radices[s];
    append(static_cast<int>(s), decomposition.radices[s], time_stride, freq_stride);
    freq_stride *= decomposition.radices[s];
    if (time_stride == behind && ++axis < lengths.size()) freq_stride = behind /= length();
  }
  axis = 0;
  append(-1, transforms, points, points);
  for (Digit& digit : digits) {
    digit.in_stride = digit.time_stride, digit.out_stride = digit.freq_stride;
  }
  std::sort(digits.begin(), digits.end(),
            [](const Digit& a, const Digit& b) { return a.time_stride < b.time_stride; });
  return digits;
}

std::vector<Digit> whole_digits(const std::vector<Digit>& digits, const StepInTwo& split) {
  std::vector<Digit> whole;
  for (const Digit& digit : digits) {
    if (digit.weight != 1) continue;
    whole.push_back(digit);
    Digit& low = whole.back();
    low.count = whole_count(digits, digit);
    const bool both = digit.step == static_cast<int>(split.step) && low.count > split.parts;
    if (!both || split.parts == 1 || low.count % split.parts != 0) continue;
    low.count /= split.parts;
    Digit high = low;
    for (std::uint32_t* part :
         {&high.weight, &high.time_stride, &high.freq_stride, &high.in_stride, &high.out_stride}) {
      *part *= low.count;
    }
    high.count = split.parts;
    whole.push_back(high);
  }
  return whole;
}

unsigned end_of_axis(const std::vector<Digit>& digits, unsigned step) {
  const auto of_step = std::ranges::find(digits, static_cast<int>(step), &Digit::step);
  unsigned end = step + 1;
  for (const Digit& digit : digits) {
    const bool same = digit.step >= 0 && digit.axis == of_step->axis;
    if (same) end = std::max(end, static_cast<unsigned>(digit.step) + 1);
  }
  return end;
}

std::string digits_text(const std::vector<Digit>& digits, const std::vector<DigitId>& ids,
                        unsigned done) {
  std::string text;
  for (std::size_t i = 0; i < ids.size();) {
    const Digit& first = digits[ids[i]];
    unsigned count = 1;
    for (; i < ids.size() && digits[ids[i]].step == first.step &&
           digits[ids[i]].weight == first.weight * count;
         ++i) {
      count *= digits[ids[i]].count;
    }
    if (!text.empty()) text += " ";
    const bool frequency = first.step >= 0 && static_cast<unsigned>(first.step) < done;
    text += first.step < 0 ? "b" : (frequency ? "k" : "t") + std::to_string(first.step + 1);
    if (first.weight > 1) text += "/" + std::to_string(first.weight);
    if (first.weight * count < whole_count(digits, first)) text += "%" + std::to_string(count);
  }
  return text;
}

bool is_binary(const std::vector<Digit>& digits) {
  return std::all_of(digits.begin(), digits.end(), [](const Digit& d) { return d.count == 2; });
}

std::uint32_t count_of(const std::vector<Digit>& digits, const std::vector<DigitId>& ids) {
  std::uint32_t count = 1;
  for (const DigitId id : ids) count *= digits[id].count;
  return count;
}

std::vector<Digit> make_digits(const Decomposition& decomposition, std::uint32_t transforms,
                               const Pass& pass) {
  std::vector<Digit> digits = make_digits(decomposition, transforms, pass.problem.lengths);
  // Of one transform the distance may be any number, for there is no other.
  const auto stride = [](std::uint32_t points, std::int64_t each) {
    return points * static_cast<std::uint32_t>(each);
  };
  const bool by_batch = pass.loops.empty();
  const std::int64_t in_column = by_batch ? pass.in.dist : pass.loops.front().in_stride;
  const std::int64_t out_column = by_batch ? pass.out.dist : pass.loops.front().out_stride;
  for (Digit& digit : digits) {
    const bool column = digit.step < 0;
    digit.in_stride = column ? stride(digit.weight, in_column)
                             : static_cast<std::uint32_t>(place_of(pass, digit, true, Side::time));
    digit.out_stride =
        column ? stride(digit.weight, out_column)
               : static_cast<std::uint32_t>(place_of(pass, digit, false, Side::frequency));
  }
  return digits;
}

std::int64_t place_of(const Pass& pass, const Digit& digit, bool input, Side side) {
  const std::int64_t number = side == Side::time ? digit.time_stride : digit.freq_stride;
  const PassSide& memory = pass.side(input);
  if (memory.first_axis == 0 || digit.axis != 0) {
    // The stride may be any number, where all points but the first are padded or cropped.
    const auto place =
        static_cast<std::uint64_t>(number) * static_cast<std::uint64_t>(memory.stride);
    return static_cast<std::int64_t>(place);
  }
  return number / (pass.n() / pass.problem.lengths.front()) * memory.first_axis;
}

std::string check_layout(const Layout& layout, const std::vector<Digit>& digits) {
  std::vector<int> seen(digits.size(), 0);
  for (const auto* place : {&layout.registers, &layout.threads}) {
    for (const DigitId id : *place) {
      if (id >= digits.size()) return "digit " + std::to_string(id) + " does not exist";
      if (seen[id]++) return "digit " + std::to_string(id) + " stands in two places";
    }
  }
  for (std::size_t id = 0; id < digits.size(); ++id) {
    if (!seen[id]) return "digit " + std::to_string(id) + " stands nowhere";
  }
  const auto& folded = layout.folded;
  if (std::adjacent_find(folded.begin(), folded.end(), std::greater_equal<>()) != folded.end()) {
    return "the folded steps do not ascend";
  }
  if (!is_binary(digits)) return folded.empty() ? "" : "a mixed tile is folded";
  return layout.threads.size() < lane_bits ? "less than one warp of threads" : "";
}

bool same_threads(const Layout& a, const Layout& b) {
  return a.threads == b.threads && a.folded == b.folded;
}

bool same_warps(const std::vector<Digit>& digits, const Layout& a, const Layout& b) {
  return is_binary(digits) ? warps(a) == warps(b) : same_threads(a, b);
}

std::uint32_t LinearMap::threads() const { return product(thread_bits, thread_counts); }

std::uint32_t LinearMap::registers() const { return product(register_bits, register_counts); }

std::uint32_t LinearMap::of_thread(std::uint32_t thread) const {
  if (residues.last > 0) return with_residues(*this, thread);
  return combine(thread_bits, thread_counts, thread);
}

std::uint32_t LinearMap::of_register(std::uint32_t reg) const {
  return combine(register_bits, register_counts, reg);
}

std::vector<std::uint32_t> LinearMap::of_threads() const {
  std::vector<std::uint32_t> all;
  all.reserve(threads());
  if (residues.last > 0 || thread_counts.empty()) {
    for (std::uint32_t t = 0; t < threads(); ++t) all.push_back(of_thread(t));
    return all;
  }
  all.push_back(0);
  for (std::size_t digit = 0; digit < thread_bits.size(); ++digit) {
    const std::size_t before = all.size();
    for (unsigned value = 1; value < thread_counts[digit]; ++value) {
      for (std::size_t t = 0; t < before; ++t) all.push_back(all[t] + value * thread_bits[digit]);
    }
  }
  return all;
}

std::uint32_t LinearMap::of(std::uint32_t thread, std::uint32_t reg) const {
  return joined(of_thread(thread), of_register(reg));
}

std::vector<unsigned> counts_of(const std::vector<Digit>& digits, const std::vector<DigitId>& ids) {
  std::vector<unsigned> counts;
  if (is_binary(digits)) return counts;
  for (const DigitId id : ids) counts.push_back(digits[id].count);
  return counts;
}

LinearMap index_map(const std::vector<Digit>& digits, const Layout& layout, Side side) {
  return map_of(digits, layout, side == Side::time ? &Digit::time_stride : &Digit::freq_stride);
}

LinearMap memory_map(const std::vector<Digit>& digits, const Layout& layout, Side side) {
  return map_of(digits, layout, side == Side::time ? &Digit::in_stride : &Digit::out_stride);
}

LinearMap stride_map(const std::vector<Digit>& digits, const Layout& layout,
                     const std::vector<std::uint32_t>& strides) {
  std::vector<Digit> placed = digits;
  for (DigitId id = 0; id < placed.size(); ++id) placed[id].time_stride = strides[id];
  return map_of(placed, layout, &Digit::time_stride);
}

LinearMap value_map(const std::vector<Digit>& digits, const Layout& layout, int step) {
  std::vector<std::uint32_t> weights;
  for (const Digit& digit : digits) weights.push_back(digit.step == step ? digit.weight : 0);
  return stride_map(digits, layout, weights);
}

LinearMap column_map(const std::vector<Digit>& digits, const Layout& layout) {
  return value_map(digits, layout, -1);
}

std::string to_string(const Layout& layout, const std::vector<Digit>& digits, unsigned done) {
  const auto names = [&](const std::vector<DigitId>& ids) {
    return ids.empty() ? "" : " " + digits_text(digits, ids, done);
  };
  std::string text = "registers" + names(layout.registers) + " | threads" + names(layout.threads);
  for (std::size_t i = 0; i < layout.folded.size(); ++i) {
    text += std::string(i ? " " : " | folded ") + (layout.folded[i] < done ? "k" : "t") +
            std::to_string(layout.folded[i] + 1);
  }
  return text;
}

}  // namespace sonoma
