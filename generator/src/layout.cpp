#include "sonoma/layout.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace sonoma {
namespace {

std::uint32_t combine(const std::vector<std::uint32_t>& bits, std::uint32_t index) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (index >> i & 1u) value ^= bits[i];
  }
  return value;
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

}  // namespace

std::vector<Digit> make_digits(const Decomposition& decomposition, std::uint32_t transforms) {
  std::vector<Digit> digits;
  auto time_stride = static_cast<std::uint32_t>(decomposition.n());
  std::uint32_t freq_stride = 1;
  for (std::size_t s = 0; s < decomposition.radices.size(); ++s) {
    const unsigned radix = decomposition.radices[s];
    time_stride /= radix;
    for (unsigned weight = 1; weight < radix; weight *= 2) {
      digits.push_back({static_cast<int>(s), weight, time_stride * weight, freq_stride * weight});
    }
    freq_stride *= radix;
  }
  for (std::uint32_t t = 1; t < transforms; t *= 2) {
    digits.push_back({-1, t, freq_stride * t, freq_stride * t});
  }
  std::sort(digits.begin(), digits.end(),
            [](const Digit& a, const Digit& b) { return a.time_stride < b.time_stride; });
  return digits;
}

std::string digit_name(const Digit& digit) {
  const std::string bit = "[" + std::to_string(std::countr_zero(digit.weight)) + "]";
  return (digit.step < 0 ? "b" : "t" + std::to_string(digit.step + 1)) + bit;
}

std::string check_layout(const Layout& layout, std::size_t digits) {
  std::vector<int> seen(digits, 0);
  for (const auto* place : {&layout.registers, &layout.threads}) {
    for (const DigitId id : *place) {
      if (id >= digits) return "digit " + std::to_string(id) + " does not exist";
      if (seen[id]++) return "digit " + std::to_string(id) + " stands in two places";
    }
  }
  for (std::size_t id = 0; id < digits; ++id) {
    if (!seen[id]) return "digit " + std::to_string(id) + " stands nowhere";
  }
  const auto& folded = layout.folded;
  if (std::adjacent_find(folded.begin(), folded.end(), std::greater_equal<>()) != folded.end()) {
    return "the folded steps do not ascend";
  }
  return layout.threads.size() < lane_bits ? "less than one warp of threads" : std::string();
}

bool same_threads(const Layout& a, const Layout& b) {
  return a.threads == b.threads && a.folded == b.folded;
}

bool same_warps(const Layout& a, const Layout& b) { return warps(a) == warps(b); }

std::uint32_t LinearMap::of_thread(std::uint32_t thread) const {
  return combine(thread_bits, thread);
}

std::uint32_t LinearMap::of_register(std::uint32_t reg) const {
  return combine(register_bits, reg);
}

LinearMap index_map(const std::vector<Digit>& digits, const Layout& layout, Side side) {
  const auto stride = [&](DigitId id) {
    return side == Side::time ? digits[id].time_stride : digits[id].freq_stride;
  };
  const auto with_fold = [&](DigitId id) {
    std::uint32_t value = stride(id);
    for (const Digit& lower : digits) {
      if (is_folded(layout, digits[id].step) && lower.step == digits[id].step &&
          lower.weight < digits[id].weight && is_highest(digits, id)) {
        value ^= side == Side::time ? lower.time_stride : lower.freq_stride;
      }
    }
    return value;
  };
  LinearMap map;
  for (const DigitId id : layout.threads) map.thread_bits.push_back(stride(id));
  for (const DigitId id : layout.registers) map.register_bits.push_back(with_fold(id));
  return map;
}

std::string to_string(const Layout& layout, const std::vector<Digit>& digits) {
  std::string text = "registers";
  for (const DigitId id : layout.registers) text += " " + digit_name(digits[id]);
  for (std::size_t i = 0; i < layout.threads.size(); ++i) {
    if (i == 0) text += " | lanes";
    if (i == lane_bits) text += " | warps";
    text += " " + digit_name(digits[layout.threads[i]]);
  }
  for (std::size_t i = 0; i < layout.folded.size(); ++i) {
    text += (i ? " t" : " | folded t") + std::to_string(layout.folded[i] + 1);
  }
  return text;
}

}  // namespace sonoma
