// The sizes of tables of convolutions.
#include <algorithm>
#include <bit>
#include <cmath>

#include "table_sizes.hpp"

namespace sonoma {

op::Spectrum spectrum_of(const Schedule& schedule, const Layout& layout) {
  op::Spectrum op;
  op.layout = layout;
  // Of one transform, or, where that is a part of a longer one, of each its own part.
  const auto matters = [&](DigitId id) {
    return !schedule.whole_convolution() || schedule.digits[id].step >= 0;
  };
  for (const DigitId id : layout.threads) {
    op.thread_bits.push_back(matters(id) ? op.stride : 0);
    if (matters(id)) op.stride *= schedule.digits[id].count;
  }
  for (unsigned bit = 0; bit < layout.registers.size(); ++bit) {
    if (matters(layout.registers[bit])) op.register_mask |= 1u << bit;
  }
  op.tiles = spectrum_tiles(schedule);
  op.exponent = spectrum_exponent(schedule);
  return op;
}

std::vector<std::uint32_t> filter_strides(const Schedule& schedule) {
  const Pass& pass = schedule.pass;
  const FilterSide& filter = pass.filter.value();
  const std::int64_t dist = pass.loops.empty() ? filter.dist : filter.loops.front();
  // Either may be any number where there is one, see make_digits().
  const auto apart = static_cast<std::uint32_t>(dist),
             stride = static_cast<std::uint32_t>(filter.stride);
  std::vector<std::uint32_t> strides;
  for (const Digit& digit : schedule.digits) {
    strides.push_back(digit.step < 0 ? digit.weight * apart : digit.freq_stride * stride);
  }
  return strides;
}

std::uint32_t chirp_units(const Schedule& schedule) {
  if (!schedule.whole_convolution()) return 0;
  const auto n = static_cast<std::uint32_t>(schedule.pass.n());
  const auto m = static_cast<std::uint32_t>(schedule.shape.tree.decomposition.n());
  std::uint32_t entries = n;
  for (const Layout* layout : {&schedule.load.layout, &schedule.store.layout}) {
    const LinearMap time = index_map(schedule.digits, *layout, Side::time);
    const std::uint32_t last = time.of_thread(time.threads() - 1) % m;
    for (std::uint32_t reg = 0; reg < time.registers(); ++reg) {
      const std::uint32_t own = time.of_register(reg) % m;
      if (own < n) entries = std::max(entries, last + own + 1);
    }
  }
  return (entries + 1) / 2;
}

std::uint32_t spectrum_tiles(const Schedule& schedule) {
  if (schedule.whole_convolution()) return 1;
  return static_cast<std::uint32_t>(schedule.pass.part->points() / schedule.points_per_block());
}

std::vector<int> spectrum_entries(const std::vector<Digit>& digits, const op::Spectrum& op) {
  return factor_entries(digits, op.layout.registers, op.register_mask, {});
}

std::uint32_t spectrum_units(const std::vector<Digit>& digits, const op::Spectrum& op) {
  const std::vector<int> entries = spectrum_entries(digits, op);
  const int last = *std::max_element(entries.begin(), entries.end());
  return static_cast<std::uint32_t>(last + 2) / 2 * op.stride;
}

int spectrum_exponent(const Schedule& schedule) {
  if (schedule.method() == Method::radix) return 0;
  const auto& part = schedule.pass.part;
  const std::int64_t m = part ? part->points() : schedule.shape.length();
  constexpr int quarter = -2, eighth = -3;
  const bool of_bits = std::has_single_bit(static_cast<std::uint64_t>(m));
  if (of_bits) return 0;
  // Of half the points: sqrt(2 * 31) < 8. Larger primes have no tangents: sqrt(61) < 8.
  if (schedule.whole_chirp()) return quarter;
  return is_smooth(m, 13) ? quarter : eighth;  // sqrt(13) < 4, sqrt(31) < 8
}

int chirp_exponent(const Schedule& schedule, bool last) {
  const int pairs = schedule.pass.is_chirped(true) && schedule.pass.is_mirrored(true) ? -1 : 0;
  const int first = pairs + (schedule.whole_chirp() ? -1 : 0);
  return last && schedule.whole_chirp() ? -spectrum_exponent(schedule) - first + pairs : first;
}

double spectrum_undo(const Schedule& schedule) {
  if (!schedule.pass.is_chirped(false) && !schedule.pass.by_powers) return 1;
  const int chirps = chirp_exponent(schedule, false) + chirp_exponent(schedule, true);
  return std::ldexp(1, -spectrum_exponent(schedule) - chirps);
}

std::uint32_t powers_units(const Schedule& schedule, const Layout& layout) {
  return (index_map(schedule.digits, layout, Side::time).threads() + 1) / 2;
}

}  // namespace sonoma
