#include "table_sizes.hpp"

#include <algorithm>
#include <map>

namespace sonoma {
namespace {

// The place of w^k among those that others are products of: k = 1, 2, 3, 4, 8, 12, ...; -1: it is
// one of the others.
int factor_place(unsigned k) {
  if (k % 4 == 0) return k == 0 ? -1 : static_cast<int>(2 + k / 4);
  return k < 4 ? static_cast<int>(k) - 1 : -1;
}

// Those of a radix above 4.
unsigned factors_of(unsigned radix) { return 3 + (radix - 1) / 4; }

// The value of the step's digit, of how many, and the number that the other digits of the factor
// make up.
struct SplitRegister {
  unsigned k = 0, radix = 1, other = 0;
};

SplitRegister split_register(const std::vector<Digit>& digits, const op::Twiddle& op,
                             unsigned reg) {
  SplitRegister split;
  unsigned scale = 1;
  for (unsigned place = 0; place < op.layout.registers.size(); ++place) {
    const unsigned count = digits[op.layout.registers[place]].count, value = reg % count;
    reg /= count;
    if (op.unity_mask >> place & 1u) {
      split.k += value * split.radix, split.radix *= count;
    } else if (op.register_mask >> place & 1u) {
      split.other += value * scale, scale *= count;
    }
  }
  return split;
}

std::vector<int> product_entries(const std::vector<Digit>& digits, const op::Twiddle& op) {
  std::vector<int> entries;
  for (unsigned reg = 0; reg < count_of(digits, op.layout.registers); ++reg) {
    const auto [k, radix, other] = split_register(digits, op, reg);
    const int at = factor_place(k);
    entries.push_back(at < 0 ? -1 : static_cast<int>(factors_of(radix) * other) + at);
  }
  return entries;
}

}  // namespace

std::vector<ProductOfTwo> twiddle_products(const std::vector<Digit>& digits,
                                           const op::Twiddle& op) {
  std::vector<ProductOfTwo> products;
  for (unsigned reg = 0; reg < count_of(digits, op.layout.registers); ++reg) {
    const auto [k, radix, other] = split_register(digits, op, reg);
    const int first = static_cast<int>(factors_of(radix) * other);
    products.push_back({k % 4 == 0 ? -1 : first + factor_place(k % 4),
                        k < 4 ? -1 : first + factor_place(k / 4 * 4)});
  }
  return products;
}

std::vector<int> twiddle_entries(const std::vector<Digit>& digits, const op::Twiddle& op) {
  if (op.products) return product_entries(digits, op);
  return factor_entries(digits, op.layout.registers, op.register_mask,
                        {op.unity_mask, op.unity_time_mask});
}

std::vector<int> factor_entries(const std::vector<Digit>& digits,
                                const std::vector<DigitId>& registers, unsigned register_mask,
                                const std::vector<unsigned>& unity_masks) {
  std::vector<int> entries;
  std::map<unsigned, int> known;  // by the number that the digits in register_mask make up
  for (unsigned reg = 0; reg < count_of(digits, registers); ++reg) {
    unsigned rest = reg, number = 0, scale = 1, zeros = 0;
    for (unsigned place = 0; place < registers.size(); ++place) {
      const unsigned count = digits[registers[place]].count, value = rest % count;
      rest /= count;
      if (value == 0) zeros |= 1u << place;
      if (register_mask >> place & 1u) number += value * scale, scale *= count;
    }
    const bool unity = std::any_of(unity_masks.begin(), unity_masks.end(), [&](unsigned mask) {
      return mask != 0 && (mask & zeros) == mask;
    });
    const int next = static_cast<int>(known.size());
    entries.push_back(unity ? -1 : known.emplace(number, next).first->second);
  }
  return entries;
}

std::uint32_t twiddle_units(const std::vector<Digit>& digits, const op::Twiddle& op) {
  const std::vector<int> entries = twiddle_entries(digits, op);
  const int last = *std::max_element(entries.begin(), entries.end());
  return static_cast<std::uint32_t>(last + 2) / 2 * op.stride;
}

}  // namespace sonoma
