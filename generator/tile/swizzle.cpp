#include "sonoma/swizzle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <utility>

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
  const std::uint32_t row = access.row > 0 ? access.row : threads;
  for (std::uint32_t first = 0; first < threads;) {
    const unsigned lanes = std::min(warp_lanes, row - first % row);
    std::array<std::uint32_t, warp_lanes> positions{};
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      positions[lane] = access.positions.of_thread(first + lane);
    }
    sum.total += warp_wavefronts(positions, lanes, access);
    sum.minimum += (words_of(access, lanes) + banks - 1) / banks;
    first += lanes;
  }
  const std::uint32_t registers = access.positions.registers();
  return {sum.total * registers, sum.minimum * registers};
}

// The first warp of an access, which stands for all, with as many of them as a thread makes.
struct FirstWarp {
  SharedAccess access;
  std::array<std::uint32_t, warp_lanes> positions{};
  unsigned issues = 0;

  [[nodiscard]] unsigned wavefronts(const Swizzle& swizzle) const {
    std::array<std::uint32_t, warp_lanes> swizzled{};
    std::ranges::transform(positions, swizzled.begin(), swizzle);
    return issues * warp_wavefronts(swizzled, warp_lanes, access);
  }
  [[nodiscard]] unsigned least_wavefronts() const {
    return issues * ((words_of(access, warp_lanes) + banks - 1) / banks);
  }
};

// Those that place their lanes alike are one.
std::vector<FirstWarp> first_warps(const std::vector<SharedAccess>& accesses) {
  std::vector<FirstWarp> warps;
  for (const SharedAccess& access : accesses) {
    FirstWarp warp{access};
    warp.access.positions.thread_bits.resize(lane_bits);
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      warp.positions[lane] = warp.access.positions.of_thread(lane);
    }
    warp.issues = (1u << access.positions.register_bits.size()) / access.points;
    const auto same = std::ranges::find_if(warps, [&](const FirstWarp& other) {
      return other.access.points == access.points && other.positions == warp.positions;
    });
    if (same == warps.end())
      warps.push_back(std::move(warp));
    else
      same->issues += warp.issues;
  }
  return warps;
}

// By no, one, two or three shifts, the shortest first.
std::vector<Swizzle> swizzles(std::uint32_t mask, unsigned first, unsigned last) {
  std::vector<Swizzle> all = {{mask, {}}};
  for (unsigned a = first; a <= last; ++a) all.push_back({mask, {a}});
  for (unsigned a = first; a <= last; ++a) {
    for (unsigned b = a + 1; b <= last; ++b) all.push_back({mask, {a, b}});
  }
  for (unsigned a = first; a <= last; ++a) {
    for (unsigned b = a + 1; b <= last; ++b) {
      for (unsigned c = b + 1; c <= last; ++c) all.push_back({mask, {a, b, c}});
    }
  }
  return all;
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
  const std::vector<FirstWarp> warps = first_warps(accesses);
  unsigned least_of_all = 0;
  for (const FirstWarp& warp : warps) least_of_all += warp.least_wavefronts();
  const unsigned first = line_bits - kept, last = std::max(point_bits, first + 1) - 1;
  Swizzle best{mask, {}};
  unsigned least = UINT_MAX;
  for (const Swizzle& candidate : swizzles(mask, first, last)) {
    unsigned sum = 0;
    for (const FirstWarp& warp : warps) {
      if (sum < least) sum += warp.wavefronts(candidate);
    }
    if (sum < least) best = candidate, least = sum;
    if (least == least_of_all) break;  // none is better
  }
  return best;
}

}  // namespace sonoma
