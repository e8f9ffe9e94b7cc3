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

// Positions of lanes 1, 2, 4, ...: the others are XORs of them.
using LaneBits = std::array<std::uint32_t, lane_bits>;

unsigned rank(LaneBits vectors, std::uint32_t mask) {
  for (std::uint32_t& vector : vectors) vector &= mask;
  unsigned found = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (vectors[i] == 0) continue;
    const std::uint32_t pivot = vectors[i] & -vectors[i];
    for (std::size_t j = i + 1; j < vectors.size(); ++j) {
      if (vectors[j] & pivot) vectors[j] ^= vectors[i];
    }
    ++found;
  }
  return found;
}

// Of a warp whose positions are linear over GF(2): of the lanes served together every bank that has
// a word has as many, so the words over the banks are the wavefronts. XOR with a constant permutes
// banks: all lanes served together, warps and registers take as long.
unsigned linear_wavefronts(LaneBits bits, unsigned lanes, const SharedAccess& access) {
  constexpr std::uint32_t all = ~0u;
  const unsigned group = banks / words_of(access, 1);
  for (std::size_t bit = 0; bit < bits.size(); ++bit) {
    if (1u << bit >= group) bits[bit] = 0;
  }
  const std::uint32_t bank = banks / access.words_a_point - 1;
  return std::max(lanes / group, 1u) << (rank(bits, all) - rank(bits, bank));
}

LaneBits lanes_of(const SharedAccess& access) {
  LaneBits bits = {};
  const auto& all = access.positions.thread_bits;
  std::copy_n(all.begin(), std::min(all.size(), bits.size()), bits.begin());
  return bits;
}

LaneBits swizzled(LaneBits bits, const Swizzle& swizzle) {
  for (std::uint32_t& bit : bits) bit = swizzle(bit);
  return bits;
}

unsigned least_wavefronts(const SharedAccess& access, unsigned lanes) {
  return (words_of(access, lanes) + banks - 1) / banks;
}

Wavefronts of_bits(const SharedAccess& access, const Swizzle& swizzle) {
  const unsigned threads = access.positions.threads(), lanes = std::min(warp_lanes, threads);
  const unsigned accesses = access.positions.registers() / access.points * (threads / lanes);
  const LaneBits bits = swizzled(lanes_of(access), swizzle);
  return {accesses * linear_wavefronts(bits, lanes, access),
          accesses * least_wavefronts(access, lanes)};
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
    sum.minimum += least_wavefronts(access, lanes);
    first += lanes;
  }
  const std::uint32_t registers = access.positions.registers();
  return {sum.total * registers, sum.minimum * registers};
}

// The first warp of an access, which stands for all, with as many of them as a thread makes.
struct FirstWarp {
  const SharedAccess* access;
  LaneBits bits;
  unsigned issues;
};

// Those that place their lanes alike are one.
std::vector<FirstWarp> first_warps(const std::vector<SharedAccess>& accesses) {
  std::vector<FirstWarp> warps;
  for (const SharedAccess& access : accesses) {
    const FirstWarp warp{&access, lanes_of(access), access.positions.registers() / access.points};
    const auto same = std::ranges::find_if(warps, [&](const FirstWarp& other) {
      return other.access->points == access.points && other.bits == warp.bits;
    });
    if (same == warps.end())
      warps.push_back(warp);
    else
      same->issues += warp.issues;
  }
  return warps;
}

// Swizzles by no, one, two or three shifts, the shortest first.
class SwizzleSearch {
 public:
  SwizzleSearch(const std::vector<SharedAccess>& accesses, std::uint32_t mask, unsigned last)
      : warps_(first_warps(accesses)), last_(last), next_{mask, {}}, best_(next_) {
    for (const FirstWarp& warp : warps_) {
      least_of_all_ += warp.issues * least_wavefronts(*warp.access, warp_lanes);
    }
  }
  Swizzle best(unsigned first) {
    for (unsigned shifts = 0; shifts <= 3; ++shifts) weigh(shifts, first);
    return best_;
  }

 private:
  void weigh(unsigned more, unsigned first) {
    if (more == 0) weigh();
    for (unsigned shift = first; more > 0 && shift <= last_; ++shift) {
      next_.shifts.push_back(shift);
      weigh(more - 1, shift + 1);
      next_.shifts.pop_back();
    }
  }
  void weigh() {
    if (least_ == least_of_all_) return;  // none is better
    unsigned sum = 0;
    for (const FirstWarp& warp : warps_) {
      if (sum >= least_) return;
      sum += warp.issues * linear_wavefronts(swizzled(warp.bits, next_), warp_lanes, *warp.access);
    }
    if (sum < least_) best_ = next_, least_ = sum;
  }

  std::vector<FirstWarp> warps_;
  unsigned last_;
  Swizzle next_, best_;
  unsigned least_ = UINT_MAX, least_of_all_ = 0;
};

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
  const unsigned first = line_bits - kept, last = std::max(point_bits, first + 1) - 1;
  return SwizzleSearch(accesses, mask, last).best(first);
}

}  // namespace sonoma
