#include "gaps.hpp"

#include <algorithm>
#include <bit>

#include "index_text.hpp"

namespace sonoma {

bool counts_back(const Step& step) {
  return is_wide(step.radix) && step.form != StepForm::registers;
}

std::optional<std::uint32_t> wide_frequency(unsigned radix, std::uint32_t value) {
  const bool there = value < 16    ? 2 * value <= radix
                     : value == 16 ? radix == 32
                                   : 2 * (value - 16) < radix;
  if (!there) return std::nullopt;
  return value <= 16 ? value : radix + 16 - value;
}

std::vector<SparseDigit> sparse_digits(const Schedule& schedule, const Layout& layout, Side side) {
  std::vector<SparseDigit> result;
  for (const Digit& digit : schedule.digits) {
    if (digit.weight != 1) continue;
    const unsigned values = digit.step < 0
                                ? schedule.launch.transforms_per_block
                                : schedule.decomposition.radices[static_cast<unsigned>(digit.step)];
    result.push_back({digit.step, values, side == Side::time ? digit.in_stride : digit.out_stride,
                      value_map(schedule.digits, layout, digit.step), false});
    result.back().wide = side == Side::frequency && digit.step >= 0 &&
                         counts_back(step_of(schedule, static_cast<unsigned>(digit.step)));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const SparseDigit& a, const SparseDigit& b) { return a.stride < b.stride; });
  return result;
}

std::optional<std::uint32_t> place_of(const std::vector<SparseDigit>& digits, std::uint32_t thread,
                                      std::uint32_t reg) {
  std::uint32_t place = 0;
  for (const SparseDigit& digit : digits) {
    std::uint32_t value = digit.value.of(thread, reg);
    if (digit.wide) {
      const auto frequency = wide_frequency(digit.values, value);
      if (!frequency) return std::nullopt;
      value = *frequency;
    }
    if (value >= digit.values) return std::nullopt;
    place += value * digit.stride;
  }
  return place;
}

std::string digits_text(const std::vector<SparseDigit>& digits) {
  std::string text;
  for (const SparseDigit& digit : digits) {
    text += (digit.wide ? ", WideDigit<" : ", Digit<") + std::to_string(digit.values) + ", " +
            std::to_string(digit.stride);
    for (const std::uint32_t bit : digit.value.register_bits) text += ", " + std::to_string(bit);
    text += ">{" + index_text(digit.value.thread_bits) + "}";
  }
  return text;
}

std::string gaps_comment(const Schedule& schedule) {
  const auto& radices = schedule.decomposition.radices;
  std::string text;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (std::has_single_bit(radices[s])) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(radices[s]) + " of " +
            std::to_string(std::bit_ceil(radices[s])) + (text.empty() ? " values of t" : " of t") +
            std::to_string(s + 1);
  }
  return (text.empty() ? "all values" : text) + " are points";
}

}  // namespace sonoma
