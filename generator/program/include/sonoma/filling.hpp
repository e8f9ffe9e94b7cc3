// What phases make of a shape of blocks whose length is no power of two.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <span>

#include "sonoma/shape.hpp"

namespace sonoma {

/// Points of a thread, at most, and of a block; its threads, 0: as many as the phases take.
/// `coprime`: before the last two steps threads have those digits, see Schedule::coprime_phase.
struct MixedShape {
  unsigned points_per_thread = 0, block_points = 0;
  Shares shares = {};
  unsigned threads = 0;
  OppositePhase opposite = OppositePhase::none;
  bool coprime = false;

  auto operator<=>(const MixedShape&) const = default;
};

/// What a phase has to do: so many items of so many points, each for a thread.
struct PhaseWork {
  unsigned items = 0, points = 0;
};

/// What those of a block have to do, in their order.
class BlockWork {
 public:
  /// A tile of 16 blocks has fewer than 2^20 points, and each phase two of a digit at least.
  static constexpr std::size_t most_phases = 20;

  void push_back(const PhaseWork& work);
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const PhaseWork* begin() const { return works_.data(); }
  [[nodiscard]] const PhaseWork* end() const { return begin() + count_; }
  [[nodiscard]] PhaseWork& front() { return works_.front(); }
  [[nodiscard]] PhaseWork& back() { return works_[count_ - 1]; }
  [[nodiscard]] const PhaseWork& operator[](std::size_t phase) const { return works_[phase]; }

 private:
  std::array<PhaseWork, most_phases> works_;
  std::size_t count_ = 0;
};

struct Filling {
  unsigned phases = 0;
  unsigned points = 0, threads = 0;  ///< the most of a phase; whole warps of threads
  unsigned loading = 0;              ///< threads with points in the first lap, which loads
  double each_lap = 1;               ///< and of those, in the mean over its laps
  double lanes = 1;                  ///< of warps that work, for each with points; the mean
};

/// Of whatever number of threads. Throws UnsupportedProblem where no digits number the blocks and
/// rounds that share a tile.
[[nodiscard]] BlockWork work_of(const Decomposition& tree, const MixedShape& shape);

/// What threads that hold so many points make of it.
class Fillings {
 public:
  struct Phase {
    unsigned items = 0, points = 0, most_at_once = 1;  ///< items that a thread has room for

    bool operator==(const Phase&) const = default;
  };

  Fillings(const BlockWork& work, unsigned points_per_thread);

  [[nodiscard]] std::span<const Phase> phases() const { return {phases_.data(), count_}; }
  /// 0 threads: as many as the phases take.
  [[nodiscard]] Filling on(unsigned threads) const;

 private:
  std::array<Phase, BlockWork::most_phases> phases_;
  std::size_t count_ = 0;
  unsigned all_ = 0;  // threads that the phases take
  double lanes_ = 0;
};

/// On the threads of the shape.
[[nodiscard]] Filling filling_of(const Decomposition& tree, const MixedShape& shape);

}  // namespace sonoma
