#include "padding.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace sonoma {
namespace {

constexpr std::uint32_t most_banks = 32;
constexpr std::uint32_t looked_at = 256;  // threads of a layout; the others conflict much the same
// Padding takes at most this part of the tile; where threads come in rows, which buys more, that.
constexpr std::uint32_t least_share = 8, least_share_of_rows = 6;

using Pads = std::vector<std::uint32_t>;  // before each digit, in points

/// One access of a tile, and how many wavefronts it takes: of one block, of whose registers all are
/// alike, for an offset turns the banks, no more.
class Traffic {
 public:
  Traffic(const std::vector<Digit>& digits, const Trip& trip, std::uint32_t banks)
      : lanes_(trip.layout.threads), residues_(trip.residues), banks_(banks) {
    const auto of_block = [&](DigitId id) {
      return std::ranges::find(trip.blocks, id) != trip.blocks.end();
    };
    while (!lanes_.empty() && of_block(lanes_.back())) lanes_.pop_back();
    counts_ = counts_of(digits, lanes_);
    for (const std::uint32_t count : counts_) threads_ *= count;
    row_ = trip.rows.have_gaps() ? trip.rows.threads : threads_;
    registers_ = count_of(digits, trip.layout.registers);
  }

  /// Where each digit has its place `strides` apart; only what they leave of the banks counts.
  /// From `most` on not all is counted.
  [[nodiscard]] std::size_t wavefronts(const std::vector<std::uint32_t>& strides,
                                       std::size_t most) {
    std::uint64_t steps = 0;
    for (std::size_t digit = 0, seen = 1; digit < lanes_.size() && seen < looked_at; ++digit) {
      steps = steps * most_banks + strides[lanes_[digit]] % banks_;
      if (digit >= residues_.last) seen *= counts_[digit];
    }
    Known& known = known_.try_emplace(steps, Known{}).first->second;
    if (!known.all && known.wavefronts < most) known = count(strides, most);
    return known.wavefronts;
  }

  /// Without any conflict.
  [[nodiscard]] std::size_t least_wavefronts() const {
    return of_all(groups_of(std::min(threads_, looked_at)));
  }

 private:
  // Banks of threads 0, 1, 2, ...: those that share all digits but the first few repeat with an
  // offset.
  [[nodiscard]] std::array<std::uint8_t, looked_at> banks_of(
      const std::vector<std::uint32_t>& strides, std::uint32_t threads) const {
    std::array<std::uint8_t, looked_at> banks{};
    if (residues_.last > 0) {
      LinearMap map{{}, {}, counts_, {}, residues_};
      for (const DigitId id : lanes_) map.thread_bits.push_back(strides[id]);
      for (std::uint32_t t = 0; t < threads; ++t) {
        banks[t] = static_cast<std::uint8_t>(map.of_thread(t) & (banks_ - 1));
      }
      return banks;
    }
    std::uint32_t known = 1;
    for (std::size_t digit = 0; known < threads; ++digit) {
      const std::uint32_t before = known;
      for (std::uint32_t value = 1; value < counts_[digit] && known < threads; ++value) {
        const std::uint32_t offset = value * strides[lanes_[digit]];
        const std::uint32_t some = std::min(before, threads - known);
        std::transform(banks.begin(), banks.begin() + some, banks.begin() + known,
                       [&](std::uint8_t bank) {
                         return static_cast<std::uint8_t>((bank + offset) & (banks_ - 1));
                       });
        known += some;
      }
    }
    return banks;
  }

  struct Known {
    std::size_t wavefronts = 0;  // at least, if these are not all
    bool all = false;
  };

  // Of `sum` in the groups of lanes that are looked at.
  [[nodiscard]] std::size_t of_all(std::size_t sum) const {
    return registers_ * (sum * threads_ / std::min(threads_, looked_at));
  }

  // Of lanes that are served together.
  [[nodiscard]] std::size_t groups_of(std::uint32_t threads) const {
    const auto groups = [this](std::uint32_t lanes) { return (lanes + banks_ - 1) / banks_; };
    return threads / row_ * groups(row_) + groups(threads % row_);
  }

  // Most lanes in a bank, over the groups of lanes; every point has its own place.
  [[nodiscard]] Known count(const std::vector<std::uint32_t>& strides, std::size_t most) const {
    const std::uint32_t threads = std::min(threads_, looked_at);
    std::size_t sum = groups_of(threads);  // without conflicts
    const auto banks = banks_of(strides, threads);
    for (std::uint32_t first = 0, end = 0; first < threads; first = end) {
      end = std::min(first + std::min(banks_, row_ - first % row_), threads);
      std::array<std::uint8_t, most_banks> lanes{};
      std::uint8_t worst = 1;
      for (std::uint32_t t = first; t < end; ++t) {
        worst = std::max(worst, ++lanes[banks[t]]);
      }
      sum += worst - 1u;
      if (of_all(sum) >= most) return {of_all(sum), false};
    }
    return {of_all(sum), true};
  }

  std::vector<DigitId> lanes_;
  std::vector<std::uint32_t> counts_;
  Residues residues_;
  std::uint32_t banks_, threads_ = 1, row_ = 1, registers_ = 1;
  std::unordered_map<std::uint64_t, Known> known_;  // by what the strides leave of the banks
};

/// Accesses to the same places.
struct Shared {
  std::vector<DigitId> blocks;  ///< digits that number blocks, and have no place in one
  std::vector<Traffic> accesses;
};

class Search {
 public:
  Search(const std::vector<Digit>& digits, const std::vector<Trip>& trips, std::uint32_t most,
         std::uint32_t banks)
      : digits_(digits), banks_(banks), best_(digits.size(), 0) {
    for (const Trip& trip : trips) {
      auto& accesses = of(trip.blocks).accesses;
      least_of_all_ += accesses.emplace_back(digits, trip, banks).least_wavefronts();
    }
    const std::uint32_t points = room(best_);
    const bool in_rows =
        std::ranges::any_of(trips, [](const Trip& trip) { return trip.rows.have_gaps(); });
    const std::uint32_t share = in_rows ? least_share_of_rows : least_share;
    most_points_ = std::max(points, std::min(points + points / share, most));
    least_ = *cost(best_, SIZE_MAX);
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
  Shared& of(const std::vector<DigitId>& blocks) {
    const auto found = std::ranges::find(shared_, blocks, &Shared::blocks);
    return found != shared_.end() ? *found : shared_.emplace_back(Shared{blocks, {}});
  }

  std::vector<std::size_t> step_boundaries() const {
    std::vector<std::size_t> ids;
    for (std::size_t id = 1; id < digits_.size(); ++id) {
      if (digits_[id].step != digits_[id - 1].step) ids.push_back(id);
    }
    return ids;
  }

  void try_pairs(std::size_t a, std::size_t b) {
    Pads pads = best_;
    for (pads[a] = 0; pads[a] < banks_ && room(pads) <= most_points_; ++pads[a]) try_all(b, pads);
  }

  void try_all(std::size_t id, Pads pads) {
    for (pads[id] = 0; pads[id] < banks_ && least_ > least_of_all_; ++pads[id]) {
      const std::optional<std::size_t> value = cost(pads, least_);
      if (!value) return;
      if (*value < least_) least_ = *value, best_ = pads;
    }
  }

  std::uint32_t room(const Pads& pads) const {
    std::uint32_t most = 1;
    for (const Shared& one : shared_) {
      most = std::max(most, shared_strides(digits_, pads, one.blocks).room);
    }
    return most;
  }

  // Of places that there is room for. From `most` on not all is counted: what is not yet has no
  // conflicts.
  std::optional<std::size_t> cost(const Pads& pads, std::size_t most) {
    std::size_t sum = least_of_all_;
    for (Shared& one : shared_) {
      const SharedStrides strides = shared_strides(digits_, pads, one.blocks);
      if (strides.room > most_points_) return std::nullopt;
      for (Traffic& access : one.accesses) {
        if (sum >= most) continue;
        const std::size_t others = sum - access.least_wavefronts();
        sum = others + access.wavefronts(strides.place, most - others);
      }
    }
    return sum;
  }

  const std::vector<Digit>& digits_;
  std::vector<Shared> shared_;
  std::uint32_t banks_;
  std::uint32_t most_points_ = 0;
  Pads best_;
  std::size_t least_ = 0, least_of_all_ = 0;  // of best_; without any conflict
};

}  // namespace

std::vector<std::uint32_t> search_padding(const std::vector<Digit>& digits,
                                          const std::vector<Trip>& trips, std::uint32_t most,
                                          std::uint32_t banks) {
  return Search(digits, trips, most, banks).run();
}

}  // namespace sonoma
