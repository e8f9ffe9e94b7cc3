// One launch: which transforms it makes, where their points lie, and what else it does on the way.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/decomposition.hpp"
#include "sonoma/problem.hpp"

namespace sonoma {

/// A pass as one of several that make up a transform.
struct Part {
  /// Of all passes; their product is that of the transform, or of its convolution.
  std::vector<std::int64_t> lengths;
  unsigned number = 1;  ///< of this one, from 1 on
  FftProblem whole;     ///< batch 1
  /// Passes that are sections of this tree of the whole transform: the factors after each of their
  /// steps are those that one kernel of it has.
  std::optional<Decomposition> tree = {};

  auto operator<=>(const Part&) const = default;
};

/// A pass of a convolution with a chirp: Bluestein's algorithm on more points than a block takes
/// (docs/convolutions.md). Passes forward make a transform of m points, m the product of their
/// lengths; the last of them, `spectrum`, multiplies by it and transforms its points back at once;
/// the others follow in reverse order. Each pass was a symmetric matrix, and so is the DFT:
/// backwards they make the same transform, from frequencies to points in time, each after the
/// twiddle that followed it.
struct Convolution {
  enum class Place { first, forward, spectrum, back, last };
  std::int64_t n = 1;  ///< points of the transform
  /// first: reads zeros from point n on, and multiplies by the chirp; last: multiplies the
  /// conjugate by it, and stores n points.
  Place place = Place::spectrum;

  auto operator<=>(const Convolution&) const = default;
};

/// DFTs of length problem.n() over points `in_stride` apart on the way in and `out_stride` apart on
/// the way out, repeated by `loops` and then by the batch.
///
/// A transform of length N = n1 n2 is two passes (decimation in frequency over digits that are
/// whole passes; "four-step": D. H. Bailey, "FFTs in external or hierarchical memory", J.
/// Supercomputing 4, 1990; seed 002): n2 columns of n1 points, a twiddle w_N^(k1 t0), n1 rows of n2
/// points.
struct Pass {
  /// Of one transform of the pass; its batch and placement do not matter. Its storage is that of
  /// the input where the pass reads it, else f32: what the kernel is chosen for.
  FftProblem problem;
  Storage in_storage = Storage::f32, out_storage = Storage::f32;  ///< of what is read and written
  std::int64_t in_stride = 1, out_stride = 1;
  std::vector<Loop> loops;  ///< innermost first; a block takes neighbours of the first one
  std::int64_t in_dist = 0, out_dist = 0;  ///< from one of the batch to the next
  /// Of a transform back from frequencies in transposed order: the last pass first; the others have
  /// the twiddle that followed it before their steps.
  bool from_transposed = false;
  /// N, or 0 for none: output k (going back: input k) of the transform c of loops[0] is multiplied
  /// by exp(sign 2 pi i k c / N).
  std::int64_t twiddle_length = 0;
  std::optional<Part> part = {};
  std::optional<Convolution> convolution = {};

  auto operator<=>(const Pass&) const = default;

  [[nodiscard]] std::int64_t n() const { return problem.n(); }
  [[nodiscard]] bool is(Convolution::Place place) const {
    return convolution && convolution->place == place;
  }
  /// Back from the frequencies: the twiddle comes before the steps.
  [[nodiscard]] bool goes_back() const {
    return from_transposed || is(Convolution::Place::back) || is(Convolution::Place::last);
  }
  /// The first of the passes of a transform reads its input, the last one writes its output.
  [[nodiscard]] bool is_end(bool input) const;
  /// The whole transform.
  [[nodiscard]] const FftProblem& whole() const { return part ? part->whole : problem; }
  /// True if a side is an end that pads, crops, or calls the caller's code.
  [[nodiscard]] bool has_ends() const;
  /// The points of a transform that a side which is an end has in memory: the first ones.
  [[nodiscard]] std::int64_t points_at_end(bool input) const;
  /// The caller's code on a side, or nothing.
  [[nodiscard]] const std::string& code(bool input) const;
  /// Of a section of a tree but the last one, in place of twiddle_length: the number of its
  /// columns, on which the factors after each of its steps depend too; else 1.
  [[nodiscard]] std::int64_t tree_columns() const;
  /// The side, if there is one, where the points are multiplied by the chirp, and end at point n.
  [[nodiscard]] bool is_chirped(bool input) const {
    return is(input ? Convolution::Place::first : Convolution::Place::last);
  }
};

/// The whole problem in one launch.
[[nodiscard]] Pass single_pass(const FftProblem& problem);

/// From the first point that `batch` of them read (write) to behind the last one.
[[nodiscard]] std::int64_t in_points(const Pass& pass, std::int64_t batch);
[[nodiscard]] std::int64_t out_points(const Pass& pass, std::int64_t batch);

/// True if the points of a batch lie one after the other on both sides.
[[nodiscard]] bool is_contiguous(const Pass& pass);

/// True if places in a tile of powers of two can be put together from bits: on both sides strides
/// of points and of the innermost loop are powers of two, and all others even where neighbours
/// travel in pairs.
[[nodiscard]] bool is_of_bits(const Pass& pass);

/// Blocks of so many columns that take the transforms of the innermost loop; the last one may have
/// fewer.
[[nodiscard]] std::uint64_t tiles_of_row(const Pass& pass, unsigned columns);

/// Throws UnsupportedProblem for a pass that cannot be addressed.
void validate(const Pass& pass);

[[nodiscard]] std::string to_string(const Pass& pass);

}  // namespace sonoma
