#include "sonoma/filling.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "phases.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

unsigned largest_divisor(unsigned n, unsigned most) {
  unsigned divisor = std::min(n, most);
  while (n % divisor != 0) --divisor;
  return divisor;
}

// Of a block alone, without opposite butterflies, what simt_phases() comes to: beside the digits of
// its steps a thread holds those of the largest product that it has room for, and a digit is a
// prime factor. Choosing steps asks for hundreds of these.
BlockWork work_alone(const Decomposition& tree, const MixedShape& shape) {
  const unsigned most = shape.points_per_thread, n = static_cast<unsigned>(tree.n());
  const unsigned all = std::max(1u, shape.block_points / n) * n;
  BlockWork work;
  const bool coprime = shape.coprime && ends_coprime(tree);
  const std::size_t last_two = tree.radices.size() - 2;
  unsigned points = 0;
  const auto end_phase = [&](unsigned apart) {
    const unsigned others = all / points;
    const unsigned more = largest_divisor(others / apart, std::max(1u, most / points));
    work.push_back({others / more, points * more});
  };
  for (std::size_t s = 0; s < tree.radices.size(); ++s) {
    const unsigned radix = tree.radices[s];
    if (points > 0 && points * radix > most) {
      end_phase(coprime && s == last_two ? radix * tree.radices.back() : 1);
      points = 0;
    }
    points = points > 0 ? points * radix : radix;
  }
  end_phase(1);
  return work;
}

// The largest product up to `most` of some of these digits.
unsigned largest_product(std::span<const unsigned> digits, unsigned most) {
  unsigned largest = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] > most) continue;
    largest =
        std::max(largest, digits[i] * largest_product(digits.subspan(i + 1), most / digits[i]));
  }
  return largest;
}

// Points of a thread in the phase of these steps, beside that of the opposite step: of others it
// holds whole digits. `lanes`: neighbours of the opposite step are none of them.
unsigned points_beside(const MixedShape& shape, const std::vector<unsigned>& radices,
                       std::size_t from, std::size_t to, std::size_t opposite, bool lanes) {
  std::array<unsigned, BlockWork::most_phases> others;
  std::size_t count = 0;
  unsigned points = 1;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (s >= from && s < to) {
      points *= radices[s];
    } else if (s != opposite) {
      others.at(count++) = radices[s];
    } else if (!lanes) {
      others.at(count++) = radices[s] / shape.shares.cluster;
    }
  }
  return points * largest_product(std::span(others).first(count),
                                  std::max(1u, shape.points_per_thread / points));
}

// Of one transform with opposite butterflies of one step, a digit of which numbers the blocks.
// Nothing where it does not.
std::optional<BlockWork> work_of_opposite(const Decomposition& tree, const MixedShape& shape) {
  const auto& radices = tree.radices;
  const bool last = shape.opposite == OppositePhase::last;
  const std::size_t opposite = last ? radices.size() - 1 : 0;
  const unsigned blocks = shape.shares.cluster, n = static_cast<unsigned>(tree.n());
  const auto begins = first_steps(radices, shape.points_per_thread, shape.opposite);
  const bool alone = begins.size() > 2 && (last ? *(begins.end() - 2) == opposite : begins[1] == 1);
  if (!alone || radices[opposite] % blocks != 0 || shape.shares.rounds > 1) return std::nullopt;
  BlockWork work;
  for (std::size_t p = 0; p + 1 < begins.size(); ++p) {
    if (begins[p] == opposite) {
      const unsigned pairs = opposite_pairs(n / radices[opposite]);
      work.push_back({(pairs + blocks - 1) / blocks, 2 * radices[opposite]});
      continue;
    }
    const bool lanes = blocks > 1 && (last ? p == 0 : p + 2 == begins.size());
    const unsigned points =
        points_beside(shape, radices, begins[p], begins[p + 1], opposite, lanes);
    work.push_back({n / points / blocks, points});
  }
  return work;
}

}  // namespace

void BlockWork::push_back(const PhaseWork& work) {
  if (count_ == most_phases) throw InternalError("filling: more phases than a tile has");
  works_[count_++] = work;
}

BlockWork work_of(const Decomposition& tree, const MixedShape& shape) {
  if (shape.shares.parts() == 1 && shape.opposite == OppositePhase::none) {
    return work_alone(tree, shape);
  }
  const Shares& shares = shape.shares;
  const auto transforms = shape.block_points / static_cast<unsigned>(tree.n());
  const bool opposite = shape.opposite != OppositePhase::none;
  if (opposite && transforms == 1) {
    if (const auto work = work_of_opposite(tree, shape)) return *work;
  }
  std::vector<Digit> digits = make_digits(tree, transforms);
  if (opposite) digits = whole_digits(digits, of_opposite(tree, shares, shape.opposite));
  BlockWork work;
  for (const Phase& phase : simt_phases(tree, digits, shape.points_per_thread,
                                        {0, 0, shares.cluster, shares.rounds, shape.opposite})) {
    work.push_back({count_of(digits, phase.in.threads) / shares.parts(),
                    count_of(digits, phase.in.registers)});
  }
  if (!opposite) return work;
  PhaseWork& pairs = shape.opposite == OppositePhase::first ? work.front() : work.back();
  const unsigned butterflies = static_cast<unsigned>(tree.n()) / pairs.points,
                 items = transforms * opposite_pairs(butterflies);
  pairs = {(items + shares.cluster - 1) / shares.cluster, 2 * pairs.points};
  return work;
}

namespace {

constexpr unsigned warp = 32;
unsigned warps_of(unsigned threads) { return (threads + warp - 1) / warp; }

}  // namespace

Fillings::Fillings(const BlockWork& work, unsigned points_per_thread) {
  for (const auto& [items, points] : work) {
    phases_[count_++] = {items, points, std::max(1u, points_per_thread / points)};
    all_ = std::max(all_, warps_of(items) * warp);
    lanes_ +=
        static_cast<double>(warps_of(items) * warp) / items / static_cast<double>(work.size());
  }
}

Filling Fillings::on(unsigned threads) const {
  Filling result;
  result.phases = static_cast<unsigned>(count_);
  result.threads = threads > 0 ? std::min(threads, all_) : all_;
  result.lanes = lanes_;
  const auto laps_of = [&](const Phase& phase) {
    return (phase.items + result.threads - 1) / result.threads;
  };
  const Phase& first = phases_.front();
  const unsigned laps = laps_of(first), at_once = std::min(first.most_at_once, laps);
  const unsigned turns = (laps + at_once - 1) / at_once;
  result.loading = std::min(first.items, result.threads);
  result.each_lap = static_cast<double>(first.items) / (at_once * turns) / result.loading;
  for (const Phase& phase : phases()) {
    const unsigned most = phase.points * phase.most_at_once;
    // Where fewer laps are left than would fit.
    if (most > result.points) {
      const unsigned at_a_time =
          phase.most_at_once > 1 ? std::min(phase.most_at_once, laps_of(phase)) : 1;
      result.points = std::max(result.points, phase.points * at_a_time);
    }
  }
  return result;
}

Filling filling_of(const Decomposition& tree, const MixedShape& shape) {
  return Fillings(work_of(tree, shape), shape.points_per_thread).on(shape.threads);
}

}  // namespace sonoma
