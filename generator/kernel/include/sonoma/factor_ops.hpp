// Operations that multiply the points of a tile by factors.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/layout.hpp"
#include "sonoma/table_range.hpp"
#include "sonoma/tuning.hpp"

namespace SONOMA_API sonoma {
/// Twiddles::powers are of steps of this radix and more: of others there is little to leave out.
/// Constants alone, where all other digits lie in registers, are of any.
constexpr unsigned least_radix_of_powers = 5;

namespace op {

/// Which factors of a step: w^(k t'), the `twiddles`, and w_16^(15 k / 2), which a fold leaves, the
/// `centre`. There they follow a step together. Back, twiddles come before it; the centre, of the
/// digit that it leaves, after it.
enum class StepFactors { both, twiddles, centre };
/// x *= those of `step`.
struct Twiddle {
  unsigned step = 0;
  StepFactors factors = StepFactors::twiddles;
  Layout layout;
  std::vector<std::uint32_t> thread_bits;  ///< table index of thread digits (0: do not matter)
  std::uint32_t stride = 1;                ///< table units between register entries
  unsigned register_mask = 0;              ///< register digits the factor depends on
  unsigned unity_mask = 0;  ///< != 0: registers where these digits, all of k, are 0 have factor 1
  unsigned unity_time_mask = 0;     ///< the same of these digits, all of t'
  int exponent = 0;                 ///< the table holds the factors times 2^exponent
  Twiddles from = Twiddles::table;  ///< others: of a whole digit
  TableRange table;
  auto operator<=>(const Twiddle&) const = default;
};
/// x *= w_N^(k c), N the twiddle length of the pass, c the number of the transform (its column).
struct PassTwiddle {
  Layout layout;
  bool before = false;  ///< the steps: k numbers their input
  auto operator<=>(const PassTwiddle&) const = default;
};
/// x *= w(t), the chirp exp(sign pi i t^2 / n); `last`: x = conj(x) w(t). Times a power of two: see
/// chirp_exponent() of table_sizes.hpp.
struct Chirp {
  Layout layout;
  bool last = false;
  TableRange table;  ///< w(0), w(1), ...; empty: from exact angles
  auto operator<=>(const Chirp&) const = default;
};
/// Method rader: where a thread holds frequency 0, A, of the points of a transform but x(0): leaves
/// X(0) = (x(0) + A) factor in the slot, where x(0) was, and in the register x(0) - A / m, the
/// product with the spectrum, B(0) / m = -1 / m, plus what all other results have of x(0).
struct ZeroFrequency {
  Layout layout;
  float factor = 1.0f;  ///< of the request
  auto operator<=>(const ZeroFrequency&) const = default;
};
/// x = conj(x B(k)), B the spectrum of the conjugate chirp over m, the length of the transforms.
/// From here on the steps run backwards: each was a symmetric matrix, so that their product in the
/// reverse order is the same DFT, from frequency digits to time digits.
///
/// Method rader: x = x B(k), B the spectrum of w^(g^-q), which has 1 for B(0): see ZeroFrequency.
/// With no conjugate, points come back in the reverse order, at the powers g^q of their own places.
struct Spectrum {
  Layout layout;
  std::vector<std::uint32_t> thread_bits;  ///< table index of thread digits (0: do not matter)
  std::uint32_t stride = 1;                ///< table units between register entries
  unsigned register_mask = 0;              ///< register digits the factor depends on
  std::uint32_t tiles = 1;                 ///< blocks with a part of the table each
  /// The table holds B(k) times 2^exponent, which a factor before the last chirp undoes. On the way
  /// back no point exceeds the sum S of all |x|, but sums within a DFT of p points y, p an odd
  /// prime, may, up to sqrt(p) S: the p results, S at most, have p times the squares of the points,
  /// so that |y|_2 <= S, and |y|_1 <= sqrt(p) |y|_2.
  int exponent = 0;
  TableRange table;
  auto operator<=>(const Spectrum&) const = default;
};
/// x = conj(x S(k)), S the spectrum of the caller's filter, or its conjugate: see FilterSide. From
/// here on the steps run backwards, as after a Spectrum.
struct Filter {
  Layout layout;
  auto operator<=>(const Filter&) const = default;
};
/// The same in shared memory of points that are pairs of real numbers: those that mirror each other
/// together, in the order of their frequencies. See half_length.hpp.
struct FilterPairs {
  std::uint32_t row = 0;  ///< as of ReadInOrder
  TableRange table;       ///< as of StoreMirrored
  auto operator<=>(const FilterPairs&) const = default;
};
/// The same in registers, of butterflies q and -q of one thread: see opposite.cuh.
struct FilterOpposite {
  Layout layout;
  TableRange table;  ///< as of StoreOpposite
  auto operator<=>(const FilterOpposite&) const = default;
};
/// From here to SumChannels for each of so many channels: each has an input and a spectrum of its
/// own, see Channels.
struct EachChannel {
  std::int64_t count = 2;
  auto operator<=>(const EachChannel&) const = default;
};
/// The points go into the sum of those of the channels before, which is what goes on.
struct SumChannels {
  Layout layout;
  auto operator<=>(const SumChannels&) const = default;
};
/// x = conj(x), which ends such a convolution.
struct Conjugate {
  auto operator<=>(const Conjugate&) const = default;
};
/// Of packed points: results k and k + n of each, n those of the pass, from both halves of a
/// register; see packed.hpp. `register_mask`: the digits of the last step.
struct JoinHalves {
  Layout layout;
  unsigned register_mask = 0;
  auto operator<=>(const JoinHalves&) const = default;
};
/// x *= factor, the user's.
struct Multiply {
  float factor = 1.0f;
  auto operator<=>(const Multiply&) const = default;
};

}  // namespace op
}  // namespace sonoma
