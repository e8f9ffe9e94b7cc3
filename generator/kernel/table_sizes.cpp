#include "table_sizes.hpp"

#include <algorithm>
#include <map>

namespace sonoma {
namespace {

// How many of w, w^2 and w^3 are read.
unsigned near_factors(Twiddles from) {
  return from == Twiddles::products || from == Twiddles::cosines ? 3 : 1;
}

// The place of w^k among those that are read, the near ones and w^4, w^8, ...; -1: it is not.
int factor_place(unsigned k, Twiddles from) {
  const unsigned near = near_factors(from);
  if (k % 4 == 0) return k == 0 ? -1 : static_cast<int>(near + k / 4) - 1;
  return k <= near ? static_cast<int>(k) - 1 : -1;
}

unsigned factors_of(unsigned radix, Twiddles from) {
  return std::min(near_factors(from), radix - 1) + (radix - 1) / 4;
}

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

// The place of w^k of this register, among the entries of its thread; -1: it is not read. There are
// none where all other digits are 0 and the factor is 1.
int entry_of(const SplitRegister& split, unsigned k, const op::Twiddle& op) {
  const bool of_one = op.unity_time_mask != 0;
  const int at = factor_place(k, op.from);
  if (op.from == Twiddles::constants) return of_one || split.other > 0 ? -1 : at;
  if (at < 0 || (of_one && split.other == 0)) return -1;
  const unsigned before = split.other - (of_one ? 1 : 0);
  return static_cast<int>(factors_of(split.radix, op.from) * before) + at;
}

std::vector<SplitRegister> split_registers(const std::vector<Digit>& digits,
                                           const op::Twiddle& op) {
  std::vector<SplitRegister> all;
  for (unsigned reg = 0; reg < count_of(digits, op.layout.registers); ++reg) {
    all.push_back(split_register(digits, op, reg));
  }
  return all;
}

std::vector<int> product_entries(const std::vector<Digit>& digits, const op::Twiddle& op) {
  std::vector<int> entries;
  for (const SplitRegister& split : split_registers(digits, op)) {
    entries.push_back(entry_of(split, split.k, op));
  }
  return entries;
}

// A register with this k and the same other digits; -1: none is needed.
int register_of(const std::vector<SplitRegister>& splits, unsigned k, unsigned other) {
  if (k == 0 || other == 0) return -1;
  const auto same = [&](const SplitRegister& split) {
    return split.k == k && split.other == other;
  };
  return static_cast<int>(std::ranges::find_if(splits, same) - splits.begin());
}

// What is read is of other digits that are 0; where these are all there are, nothing is.
FactorParts parts_by_constants(const std::vector<SplitRegister>& splits, const SplitRegister& own,
                               const op::Twiddle& op) {
  if (op.unity_time_mask != 0) return {-1, 1, -1, register_of(splits, own.k, own.other), -1};
  const PartsOfPower parts = parts_of_power(own.k, op.from);
  return {factor_place(parts.near, op.from), parts.power, factor_place(parts.far, op.from),
          register_of(splits, parts.near, own.other), register_of(splits, parts.far, own.other)};
}

}  // namespace

PartsOfPower parts_of_power(unsigned k, Twiddles from) {
  if (from == Twiddles::table) return {k, 1, 0};
  const unsigned near = k % 4;
  const bool power = near > near_factors(from);
  return {power ? 1 : near, power ? near : 1, k - near};
}

std::vector<FactorParts> twiddle_parts(const std::vector<Digit>& digits, const op::Twiddle& op) {
  std::vector<FactorParts> all;
  const std::vector<SplitRegister> splits = split_registers(digits, op);
  for (const SplitRegister& split : splits) {
    const auto [near, power, far] = parts_of_power(split.k, op.from);
    all.push_back(op.from == Twiddles::constants
                      ? parts_by_constants(splits, split, op)
                      : FactorParts{entry_of(split, near, op), power, entry_of(split, far, op), -1,
                                    -1, split.k});
  }
  return all;
}

std::vector<int> twiddle_entries(const std::vector<Digit>& digits, const op::Twiddle& op) {
  if (op.from != Twiddles::table) return product_entries(digits, op);
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
