#include "padding.hpp"

#include <algorithm>
#include <array>

namespace sonoma {
namespace {

constexpr std::uint32_t banks = 16;  // of 8 bytes, as points are; as many lanes are served together
constexpr std::uint32_t looked_at = 256;  // threads of a layout; the others conflict much the same
constexpr std::uint32_t least_share = 8;  // padding takes at most this part of the tile

using Pads = std::vector<std::uint32_t>;  // before each digit, in points

// In the order of the digits, which is that of their time strides.
std::vector<std::uint32_t> padded_strides(const std::vector<Digit>& digits, const Pads& pads) {
  std::vector<std::uint32_t> strides;
  std::uint32_t next = 1;
  for (std::size_t id = 0; id < digits.size(); ++id) {
    strides.push_back(next + pads[id]);
    next = strides.back() * digits[id].count;
  }
  return strides;
}

// Of threads 0, 1, 2, ...: those that share all digits but the first few repeat with an offset.
std::vector<std::uint32_t> places_of(const LinearMap& map, std::uint32_t threads) {
  std::vector<std::uint32_t> places = {0};
  for (std::size_t digit = 0; places.size() < threads; ++digit) {
    const std::size_t before = places.size();
    for (std::uint32_t value = 1; value < map.thread_counts[digit]; ++value) {
      const std::uint32_t offset = value * map.thread_bits[digit];
      for (std::size_t t = 0; t < before && places.size() < threads; ++t) {
        places.push_back(places[t] + offset);
      }
    }
  }
  return places;
}

// Most lanes in a bank, over the groups of lanes, of one access; every point has its own place.
std::size_t wavefronts(const LinearMap& map) {
  std::size_t sum = 0;
  const std::uint32_t threads = std::min(map.threads(), looked_at);
  const std::vector<std::uint32_t> places = places_of(map, threads);
  for (std::uint32_t first = 0; first < threads; first += banks) {
    std::array<unsigned, banks> lanes{};
    unsigned worst = 0;
    for (std::uint32_t t = first; t < std::min(first + banks, threads); ++t) {
      worst = std::max(worst, ++lanes[places[t] % banks]);
    }
    sum += worst;
  }
  return sum * map.threads() / threads;
}

class Search {
 public:
  Search(const std::vector<Digit>& digits, const std::vector<Trip>& trips)
      : digits_(digits), trips_(trips), best_(digits.size(), 0) {
    const std::uint32_t points = padded_points(digits, padded_strides(digits, best_));
    most_points_ = points + points / least_share;
    least_ = cost(best_);
  }

  std::vector<std::uint32_t> run() {
    // Pads between steps depend on each other: pairs of them first, then one after the other.
    const std::vector<std::size_t> between = step_boundaries();
    for (std::size_t i = 0; i + 1 < between.size(); ++i) try_pairs(between[i], between[i + 1]);
    for (unsigned sweep = 0; sweep < 2; ++sweep) {
      for (std::size_t id = 1; id < digits_.size(); ++id) try_all(id, best_);
    }
    return padded_strides(digits_, best_);
  }

 private:
  std::vector<std::size_t> step_boundaries() const {
    std::vector<std::size_t> ids;
    for (std::size_t id = 1; id < digits_.size(); ++id) {
      if (digits_[id].step != digits_[id - 1].step) ids.push_back(id);
    }
    return ids;
  }

  void try_pairs(std::size_t a, std::size_t b) {
    Pads pads = best_;
    for (pads[a] = 0; pads[a] < banks && fits(pads); ++pads[a]) try_all(b, pads);
  }

  void try_all(std::size_t id, Pads pads) {
    for (pads[id] = 0; pads[id] < banks && fits(pads); ++pads[id]) {
      const std::size_t value = cost(pads);
      if (value < least_) least_ = value, best_ = pads;
    }
  }

  bool fits(const Pads& pads) const {
    return padded_points(digits_, padded_strides(digits_, pads)) <= most_points_;
  }

  // An offset of a register turns the banks, no more: all registers of a layout are alike.
  std::size_t cost(const Pads& pads) const {
    const std::vector<std::uint32_t> strides = padded_strides(digits_, pads);
    std::size_t sum = 0;
    for (const Trip& trip : trips_) {
      const Layout& layout = trip.layout;
      LinearMap map{{}, {}, counts_of(digits_, layout.threads)};
      for (const DigitId id : layout.threads) map.thread_bits.push_back(strides[id]);
      sum += wavefronts(map) * count_of(digits_, layout.registers);
    }
    return sum;
  }

  const std::vector<Digit>& digits_;
  const std::vector<Trip>& trips_;
  std::uint32_t most_points_ = 0;
  Pads best_;
  std::size_t least_ = 0;
};

}  // namespace

std::uint32_t padded_points(const std::vector<Digit>& digits,
                            const std::vector<std::uint32_t>& strides) {
  std::uint32_t last = 0;
  for (std::size_t id = 0; id < digits.size(); ++id) last += strides[id] * (digits[id].count - 1);
  return last + 1;
}

std::vector<std::uint32_t> search_padding(const std::vector<Digit>& digits,
                                          const std::vector<Trip>& trips) {
  return Search(digits, trips).run();
}

}  // namespace sonoma
