#include "padding.hpp"

#include <algorithm>
#include <array>

namespace sonoma {
namespace {

constexpr std::uint32_t most_banks = 32;
constexpr std::uint32_t looked_at = 256;  // threads of a layout; the others conflict much the same
constexpr std::uint32_t least_share = 8;  // padding takes at most this part of the tile

using Pads = std::vector<std::uint32_t>;  // before each digit, in points

// Of threads 0, 1, 2, ...: those that share all digits but the first few repeat with an offset.
std::array<std::uint32_t, looked_at> places_of(const LinearMap& map, std::uint32_t threads) {
  std::array<std::uint32_t, looked_at> places{};
  std::uint32_t known = 1;
  for (std::size_t digit = 0; known < threads; ++digit) {
    const std::uint32_t before = known;
    for (std::uint32_t value = 1; value < map.thread_counts[digit]; ++value) {
      const std::uint32_t offset = value * map.thread_bits[digit];
      for (std::uint32_t t = 0; t < before && known < threads; ++t) {
        places[known++] = places[t] + offset;
      }
    }
  }
  return places;
}

// Most lanes in a bank, over the groups of lanes, of one access; every point has its own place.
std::size_t wavefronts(const LinearMap& map, std::uint32_t banks) {
  std::size_t sum = 0;
  const std::uint32_t threads = std::min(map.threads(), looked_at);
  const auto places = places_of(map, threads);
  for (std::uint32_t first = 0; first < threads; first += banks) {
    std::array<unsigned, most_banks> lanes{};
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
  Search(const std::vector<Digit>& digits, const std::vector<Trip>& trips, std::uint32_t most,
         std::uint32_t banks)
      : digits_(digits), trips_(trips), banks_(banks), best_(digits.size(), 0) {
    const std::uint32_t points = room(best_);
    most_points_ = std::min(points + points / least_share, most);
    least_ = cost(best_, SIZE_MAX);
  }

  std::vector<std::uint32_t> run() {
    // Pads between steps depend on each other: pairs of them first, then one after the other.
    const std::vector<std::size_t> between = step_boundaries();
    for (std::size_t i = 0; i + 1 < between.size(); ++i) try_pairs(between[i], between[i + 1]);
    for (unsigned sweep = 0; sweep < 2; ++sweep) {
      for (std::size_t id = 1; id < digits_.size(); ++id) try_all(id, best_);
    }
    return best_;
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
    for (pads[a] = 0; pads[a] < banks_ && fits(pads); ++pads[a]) try_all(b, pads);
  }

  void try_all(std::size_t id, Pads pads) {
    for (pads[id] = 0; pads[id] < banks_ && fits(pads); ++pads[id]) {
      const std::size_t value = cost(pads, least_);
      if (value < least_) least_ = value, best_ = pads;
    }
  }

  std::uint32_t room(const Pads& pads) const {
    std::uint32_t most = 1;
    for (const Trip& trip : trips_) {
      most = std::max(most, shared_strides(digits_, pads, trip.blocks).room);
    }
    return most;
  }
  bool fits(const Pads& pads) const { return room(pads) <= most_points_; }

  // An offset of a register turns the banks, no more: all registers of a layout are alike. From
  // `most` on not all is counted.
  std::size_t cost(const Pads& pads, std::size_t most) const {
    std::size_t sum = 0;
    for (const Trip& trip : trips_) {
      if (sum >= most) break;
      const std::vector<std::uint32_t> strides = shared_strides(digits_, pads, trip.blocks).place;
      const Layout& layout = trip.layout;
      // Of one block.
      auto threads = layout.threads;
      while (!threads.empty() && strides[threads.back()] == 0) threads.pop_back();
      LinearMap map{{}, {}, counts_of(digits_, threads)};
      for (const DigitId id : threads) map.thread_bits.push_back(strides[id]);
      sum += wavefronts(map, banks_) * count_of(digits_, layout.registers);
    }
    return sum;
  }

  const std::vector<Digit>& digits_;
  const std::vector<Trip>& trips_;
  std::uint32_t banks_;
  std::uint32_t most_points_ = 0;
  Pads best_;
  std::size_t least_ = 0;
};

}  // namespace

std::vector<std::uint32_t> search_padding(const std::vector<Digit>& digits,
                                          const std::vector<Trip>& trips, std::uint32_t most,
                                          std::uint32_t banks) {
  return Search(digits, trips, most, banks).run();
}

}  // namespace sonoma
