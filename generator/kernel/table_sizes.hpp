// How large the tables of a kernel are, and which of their entries its registers take.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// 16-byte units of a DFT matrix: 16 x 16 high halves, then as many low ones.
constexpr std::uint32_t matrix_units = 2 * 16 * 16 * 2 / 16;
/// One for complex words: four fragments of 32 lanes.
constexpr std::uint32_t word_matrix_units = 4 * 32;
[[nodiscard]] constexpr std::uint32_t units_of_matrix(bool words) {
  return words ? word_matrix_units : matrix_units;
}
/// Of every register the entry of its factor among those of its thread, two entries a unit. -1:
/// one that is not in the table: those that are 1, and products of others.
[[nodiscard]] std::vector<int> twiddle_entries(const std::vector<Digit>& digits,
                                               const op::Twiddle& op);
/// w^k = (w^near)^power w^far, of which w^near and w^far are read; 0: there is no such part.
struct PartsOfPower {
  unsigned near = 0, power = 1, far = 0;
};
[[nodiscard]] PartsOfPower parts_of_power(unsigned k, Twiddles from);
/// The same of every register, by the entries of its thread; -1: there is no such part. Where the
/// part of another register is told, whose thread's digits are all 0, it is times that constant.
struct FactorParts {
  int near = -1;
  unsigned power = 1;
  int far = -1;
  int near_constant = -1, far_constant = -1;
  unsigned k = 0;  ///< near + far, where there are no constants
};
[[nodiscard]] std::vector<FactorParts> twiddle_parts(const std::vector<Digit>& digits,
                                                     const op::Twiddle& op);
/// The same of factors that depend on the digits in `register_mask`; 1 where all those in one of
/// `unity_masks` are 0, which a mask of none is not.
[[nodiscard]] std::vector<int> factor_entries(const std::vector<Digit>& digits,
                                              const std::vector<DigitId>& registers,
                                              unsigned register_mask,
                                              const std::vector<unsigned>& unity_masks);
/// 16-byte units of the factors of a twiddle op.
[[nodiscard]] std::uint32_t twiddle_units(const std::vector<Digit>& digits, const op::Twiddle& op);

/// The operation after the steps that end in `layout`; but for the place of its table.
[[nodiscard]] op::Spectrum spectrum_of(const Schedule& schedule, const Layout& layout);

/// 16-byte units of the chirp, and of the spectrum for one block.
[[nodiscard]] std::uint32_t chirp_units(const Schedule& schedule);
[[nodiscard]] std::uint32_t spectrum_units(const std::vector<Digit>& digits,
                                           const op::Spectrum& op);

/// Of every register the entry of its factor, two entries a unit.
[[nodiscard]] std::vector<int> spectrum_entries(const std::vector<Digit>& digits,
                                                const op::Spectrum& op);

/// The spectrum is multiplied by 2^exponent: see op::Spectrum. 0 for convolutions by the bits.
[[nodiscard]] int spectrum_exponent(const Schedule& schedule);
/// The chirp is multiplied by 2^exponent before the steps: half of it where points are pairs of
/// real numbers that are made of frequencies, and larger by sqrt(2) than any of both; half of it
/// for sums that are larger by as much (ButterflyForm::fused). After the steps it is multiplied by
/// the same, or, where it has a table of its own, Schedule::whole_chirp(), by what undoes
/// all; but of pairs of real results, larger by sqrt(2) together, by half of that.
[[nodiscard]] int chirp_exponent(const Schedule& schedule, bool last);
/// What the last kernel of a convolution multiplies by for the powers of two that no chirp undoes,
/// beside the factor of the request.
[[nodiscard]] double spectrum_undo(const Schedule& schedule);

/// How many blocks have a part of the spectrum each.
[[nodiscard]] std::uint32_t spectrum_tiles(const Schedule& schedule);

/// 16-byte units of the table of op::ReadPowers and op::WritePowers.
[[nodiscard]] std::uint32_t powers_units(const Schedule& schedule, const Layout& layout);

}  // namespace sonoma
