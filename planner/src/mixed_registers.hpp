// Registers that threads of a tile take, no power of two, such that few are spilled.
#pragma once

#include "sonoma/filling.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// Of threads with so many points at a time, by the steps of one tree and beside `others`.
class NeededRegisters {
 public:
  NeededRegisters(const Decomposition& tree, Sums sums, unsigned others, bool of_pass);

  [[nodiscard]] unsigned operator()(unsigned points) const;

 private:
  unsigned radix_, of_radix_, of_large_, others_;
  bool of_pass_, plain_;
};

/// Registers that a thread takes beside those of its points, for steps with prime factors of 17 to
/// 31: there are more points and results of a prime at a time than points.
[[nodiscard]] unsigned registers_of_large_primes(const Decomposition& decomposition);

/// And for points and results in FP64, of one butterfly at a time.
[[nodiscard]] unsigned registers_of_sums(Sums sums, const Decomposition& decomposition);

/// Registers that a thread of so many points takes, such that few are spilled.
[[nodiscard]] unsigned registers_of_mixed(unsigned points, const Decomposition& decomposition);

/// The registers that its threads take without spills, beside others.
[[nodiscard]] unsigned registers_of(const Decomposition& tree, const MixedShape& shape, Sums sums);

}  // namespace sonoma
