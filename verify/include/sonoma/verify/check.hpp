// The verification protocol: one call judges a transform against reference, properties and
// contract.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/problem.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/metrics.hpp"

namespace sonoma::verification {

struct CheckOptions {
  std::uint64_t seed = 1;              ///< of every random input
  int random_transforms = 4;           ///< rows of normal input, >= 1
  bool adversarial = true;             ///< the table of adversarial_inputs()
  bool properties = true;              ///< Erguen's trio: impulse, linearity, shift
  bool bit_exact = true;               ///< permutation, batch 1, powers of two, containment
  std::vector<Complex> spectrum = {};  ///< of a convolution: what it multiplies by
  Oracle oracle = Oracle::fftw;        ///< see require_in_reach()
};

/// One thing that was checked; the worst transform stands for all with the same name.
struct Finding {
  std::string check;   ///< name of the input or property, e.g. "normal", "linearity"
  std::string metric;  ///< "E2", "Einf", "max|e|/|x|_1", "bias", "spur", "wrong elements", ...
                       ///< 16-bit storage: "... unrounded" of error_beyond_rounding()
  double value = 0;    ///< in u for errors, a count otherwise
  std::optional<double> limit;  ///< in the unit of value; empty: told, not judged
  bool pass = true;             ///< finite and <= limit
  bool alarm = false;           ///< an E2 that passed, but is above kAlarm * limit
  std::string note;             ///< what failed, or what the check is about; may be empty
};

struct Report {
  FftProblem problem;  ///< batch 1
  Limits limits;
  std::vector<Finding> findings;

  [[nodiscard]] bool pass() const;
  /// Largest E2 of the random (normal) input, in u; 16-bit storage included, but not the rounding
  /// to integers.
  [[nodiscard]] double worst_e2() const;
};

/// "f32 n=4096 forward scale=1: passed, E2 2.51u of 5.20u", then one line for each failure.
[[nodiscard]] std::string summary(const Report& report);
/// A table: one line a finding.
[[nodiscard]] std::string to_string(const Report& report);

/// Judges `transform`, which is to compute `problem` and may round as `roundings` say (see
/// limits_of; the batch of the problem does not matter, nor does its placement), n >= 1. Calls it
/// with batches of 1 and more, of numbers that the storage holds, and expects such numbers back.
/// Padded or cropped transforms get rows of n points too, zero where padded; of their results what
/// is not stored is not looked at. Of these, and of integers, only random inputs are judged.
/// Of a convolution random inputs and impulses are judged, zeros, and what holds of any linear map
/// that commutes with shifts; adversarial inputs are a DFT's. All rows take the same spectrum.
/// Throws std::invalid_argument for bad arguments; what `transform` throws passes through.
///
/// The checks, and where their limits come from:
///   inputs       metrics.hpp, gauges of inputs.hpp; reference_dft
///   impulse, linearity, shift
///                F. Erguen, "Testing multivariate linear functions: overcoming the generator
///                bottleneck", STOC 1995: they hold for no function but the DFT, so no reference is
///                needed. Each side carries the errors of its transforms: the limit of E2 times the
///                sum of their norms.
///   permutation, batch of one, power-of-two factor, containment
///                bit for bit: a transform's result does not depend on its place in the batch, nor
///                on its neighbours, and scaling by a power of two is exact.
[[nodiscard]] Report check_transform(const TransformFn& transform, const FftProblem& problem,
                                     const Roundings& roundings, const CheckOptions& options = {});

}  // namespace sonoma::verification
