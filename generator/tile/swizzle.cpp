#include "sonoma/swizzle.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace sonoma {
namespace {

constexpr unsigned warp_lanes = 32;
constexpr unsigned banks = 32;  // of 4 bytes

// Cycles one access of the first `lanes` of a warp takes: within each group of lanes that is served
// together, the largest number of distinct words in a bank.
unsigned warp_wavefronts(const std::array<std::uint32_t, warp_lanes>& positions, unsigned lanes,
                         const SharedAccess& access) {
  const unsigned words = access.points * access.words_a_point;
  const unsigned group = banks / words;
  unsigned total = 0;
  for (unsigned first = 0; first < lanes; first += group) {
    std::array<std::uint32_t, banks> words_in_bank{};
    std::array<std::array<std::uint32_t, warp_lanes>, banks> seen;  // as far as counted
    unsigned worst = 0;
    for (unsigned lane = first; lane < std::min(first + group, lanes); ++lane) {
      for (unsigned w = 0; w < words; ++w) {
        const std::uint32_t word = positions[lane] * access.words_a_point + w;
        auto& count = words_in_bank[word % banks];
        auto& list = seen[word % banks];
        if (std::find(list.begin(), list.begin() + count, word) == list.begin() + count) {
          list[count++] = word;
        }
        worst = std::max(worst, count);
      }
    }
    total += worst;
  }
  return total;
}

unsigned words_of(const SharedAccess& access, unsigned lanes) {
  return lanes * access.points * access.words_a_point;
}

// XOR with a constant permutes banks, so the conflicts of an access are the same in every warp and
// for every register: one warp and one register stand for all.
Wavefronts of_bits(const SharedAccess& access, const Swizzle& swizzle) {
  const std::uint32_t threads = access.positions.threads();
  const unsigned lanes = std::min(warp_lanes, threads);
  std::array<std::uint32_t, warp_lanes> positions{};
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    positions[lane] = swizzle(access.positions.of_thread(lane));
  }
  unsigned accesses = 0;
  for (std::uint32_t reg = 0; reg < access.positions.registers(); ++reg) {
    if ((reg & access.vector) == 0) accesses += threads / lanes;
  }
  const unsigned minimum = (words_of(access, lanes) + banks - 1) / banks;
  return {accesses * warp_wavefronts(positions, lanes, access), accesses * minimum};
}

// Every warp is its own; the offset of a register turns the banks, no more. No mixed tile has a
// swizzle.
Wavefronts of_mixed(const SharedAccess& access) {
  Wavefronts sum;
  const std::uint32_t threads = access.positions.threads();
  for (std::uint32_t first = 0; first < threads; first += warp_lanes) {
    const unsigned lanes = std::min(warp_lanes, threads - first);
    std::array<std::uint32_t, warp_lanes> positions{};
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      positions[lane] = access.positions.of_thread(first + lane);
    }
    sum.total += warp_wavefronts(positions, lanes, access);
    sum.minimum += (words_of(access, lanes) + banks - 1) / banks;
  }
  const std::uint32_t registers = access.positions.registers();
  return {sum.total * registers, sum.minimum * registers};
}

SharedAccess first_warp(const SharedAccess& access) {
  SharedAccess first = access;
  first.positions.thread_bits.resize(lane_bits);
  first.positions.register_bits.clear();
  first.vector = access.points - 1;  // register bits 0 and 1, as far as there are any
  for (std::uint32_t bit = 1; bit < access.points; bit *= 2) {
    first.positions.register_bits.push_back(bit);
  }
  return first;
}

unsigned issues(const SharedAccess& access) {
  return (1u << access.positions.register_bits.size()) / access.points;
}

}  // namespace

std::uint32_t Swizzle::operator()(std::uint32_t point) const {
  std::uint32_t result = point;
  for (const unsigned shift : shifts) result ^= (point >> shift) & mask;
  return result;
}

std::string to_string(const Swizzle& swizzle) {
  if (swizzle.shifts.empty()) return "p";
  std::string text = "p ^ (p >> ";
  if (swizzle.shifts.size() > 1) text = "p ^ ((p >> ";
  for (std::size_t i = 0; i < swizzle.shifts.size(); ++i) {
    text += (i ? " ^ p >> " : "") + std::to_string(swizzle.shifts[i]);
  }
  if (swizzle.shifts.size() > 1) text += ")";
  return text + " & " + std::to_string(swizzle.mask) + ")";
}

SharedAccess shared_access(const std::vector<Digit>& digits, const Layout& layout,
                           unsigned words_a_point) {
  SharedAccess access{index_map(digits, layout, Side::time), 1, 0, words_a_point};
  const auto take = [&](std::uint32_t stride, unsigned above) {
    for (unsigned bit = 0; bit < layout.registers.size(); ++bit) {
      if (digits[layout.registers[bit]].time_stride != stride || 1u << bit <= above) continue;
      access.points *= 2;
      access.vector |= 1u << bit;
    }
  };
  take(1, 0);
  if (words_a_point == 1 && access.points == 2) take(2, access.vector);
  return access;
}

Wavefronts count_wavefronts(const SharedAccess& access, const Swizzle& swizzle) {
  return access.positions.thread_counts.empty() ? of_bits(access, swizzle) : of_mixed(access);
}

Swizzle search_swizzle(const std::vector<SharedAccess>& accesses, unsigned point_bits,
                       unsigned kept) {
  const unsigned words_a_point = accesses.empty() ? 2 : accesses.front().words_a_point;
  const auto line_bits = static_cast<unsigned>(std::countr_zero(banks / words_a_point));
  const std::uint32_t mask = (1u << line_bits) - (1u << kept);
  std::vector<SharedAccess> warps;
  for (const SharedAccess& access : accesses) warps.push_back(first_warp(access));
  const auto cost = [&](const Swizzle& swizzle) {
    Wavefronts sum;
    for (std::size_t i = 0; i < warps.size(); ++i) {
      const Wavefronts one = of_bits(warps[i], swizzle);
      sum.total += one.total * issues(accesses[i]);
      sum.minimum += one.minimum * issues(accesses[i]);
    }
    return sum;
  };
  std::vector<Swizzle> candidates = {{mask, {}}};
  const unsigned first = line_bits - kept, last = std::max(point_bits, first + 1) - 1;
  for (unsigned a = first; a <= last; ++a) candidates.push_back({mask, {a}});
  for (unsigned a = first; a <= last; ++a) {
    for (unsigned b = a + 1; b <= last; ++b) candidates.push_back({mask, {a, b}});
  }
  for (unsigned a = first; a <= last; ++a) {
    for (unsigned b = a + 1; b <= last; ++b) {
      for (unsigned c = b + 1; c <= last; ++c) candidates.push_back({mask, {a, b, c}});
    }
  }
  const Swizzle* best = nullptr;
  unsigned least = 0;
  for (const Swizzle& candidate : candidates) {
    const Wavefronts value = cost(candidate);
    if (!best || value.total < least) best = &candidate, least = value.total;
    if (least == value.minimum) break;  // none is better
  }
  return *best;
}

}  // namespace sonoma
