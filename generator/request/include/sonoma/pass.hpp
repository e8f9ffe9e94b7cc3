// One launch: which transforms it makes, where their points lie, and what else it does on the way.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/problem.hpp"

namespace SONOMA_API sonoma {

/// A pass as one of several that make up a transform.
struct Part {
  /// Of all passes; their product is that of the transform, or of its convolution.
  std::vector<std::int64_t> lengths;
  unsigned number = 1;  ///< of this one, from 1 on
  FftProblem whole;     ///< batch 1
  /// Passes that are sections of this tree of the whole transform: the factors after each of their
  /// steps are those that one kernel of it has.
  std::optional<Decomposition> tree = {};
  /// Passes of a convolution, there and back; number counts both.
  bool convolution = false;

  auto operator<=>(const Part&) const = default;
  [[nodiscard]] std::int64_t points() const;  ///< the product of the lengths
};

/// What memory has in place of a side's points: numbers of which points k and n - k meet. Before
/// the steps, and their chirp if there is one, points are made of these, after them these of
/// points. pairs: of `length` = 2 n real numbers, which the points are pairs of, the frequencies, n
/// + 1 of them; or the numbers of a cosine or sine transform. See half_length.hpp. parted: two
/// neighbouring columns of n real points were one complex column; the Hermitian frequencies of
/// either, times their twiddle, `length` as that of a Factor. rows: of several axes, the last one
/// of `length` real points, an odd number, memory has the first length / 2 + 1 of each row; the
/// points of the pass are all.
struct Mirror {
  enum class Kind { pairs, parted, rows };
  Kind kind = Kind::pairs;
  std::int64_t length = 1;

  auto operator<=>(const Mirror&) const = default;
};

/// A side of a pass: how its points lie in memory, in points.
struct PassSide {
  Storage storage = Storage::f32;  ///< of what is read or written
  std::int64_t stride = 1;         ///< between the points of a transform
  std::int64_t dist = 0;           ///< from one of the batch to the next
  bool end = true;                 ///< of the whole transform: what its caller has in memory
  /// Between passes of a real transform: of the pass's points, which are Hermitian, memory has the
  /// first n / 2 + 1.
  bool half = false;
  /// Of several axes, between the points of the first one; 0: it follows the others.
  std::int64_t first_axis = 0;
  std::int64_t first = 0;  ///< from where the memory begins to the first point of all
  std::optional<Mirror> mirror = {};

  auto operator<=>(const PassSide&) const = default;
};

/// What the points are multiplied by on their way.
/// twiddle: point k of the transform c of loops[0] by exp(sign 2 pi i k c / length), k being a
/// frequency where the factor follows the steps, and where they follow it; of several axes, along
/// the first one. chirp: point t by w(t) = exp(sign pi i t^2 / length); there are `length` points,
/// and zeros behind them; after the steps the conjugate of a point. spectrum: by that of the
/// conjugate chirp, or of Rader's powers, of `length` points. filter: by the spectrum of the
/// caller's filter, of `length` points; conjugate: no factor, the conjugate of a point, which such
/// a convolution ends with. See convolution.hpp.
struct Factor {
  enum class Kind { twiddle, chirp, spectrum, filter, conjugate };
  Kind kind = Kind::twiddle;
  std::int64_t length = 1;

  auto operator<=>(const Factor&) const = default;
};

/// The memory of the spectrum that a pass multiplies by, in points: point k of the pass's own at
/// k * stride, for the transforms of each loop and of the batch so much further.
struct FilterSide {
  std::int64_t stride = 1, dist = 0;
  std::vector<std::int64_t> loops = {};
  Values values = Values::complex;  ///< or hermitian: what memory has of it
  bool conjugated = false;          ///< multiplied by the conjugate
  /// The points are pairs of real numbers, which the (Hermitian) spectrum is of: points k and
  /// n - k of n meet there. See half_length.hpp.
  bool pairs = false;
  /// Tiles whose products are summed, before the way back; in points of the pass's input.
  Channels channels = {};

  auto operator<=>(const FilterSide&) const = default;
};

/// DFTs of length problem.n() over points `stride` apart on either side, repeated by `loops` and
/// then by the batch; before, between and after them factors.
///
/// A transform of length N = n1 n2 is two passes (decimation in frequency over digits that are
/// whole passes; "four-step": D. H. Bailey, "FFTs in external or hierarchical memory", J.
/// Supercomputing 4, 1990; seed 002): n2 columns of n1 points, a twiddle w_N^(k1 t0), n1 rows of n2
/// points. Back from frequencies in transposed order the last pass comes first, and the twiddle
/// before its steps.
///
/// Bluestein's algorithm on more points than a block takes (docs/convolutions.md): passes forward
/// make a transform of m points, m the product of their lengths; the first one takes the chirp
/// before it. The last of them multiplies by the spectrum and transforms its points back at once;
/// the others follow in reverse order, and the last one takes the chirp after it. Each pass was a
/// symmetric matrix, and so is the DFT: backwards they make the same transform, from frequencies to
/// points in time, each after the twiddle that followed it. A convolution with a filter of the
/// caller's is the same without chirps, and with its spectrum: of n points in one pass where they
/// fit, else in several.
///
/// Several axes in two passes: the first one takes the last axes and, of the one before them, the
/// first digit, whose points lie further apart: `first_axis`. The second one takes what is left.
///
/// Passes of a real transform (docs/real.md): of the first ones, over n1 real points, half of the
/// frequencies are enough, n1 / 2 + 1 rows for the passes that follow. c2r takes the same way back.
struct Pass {
  /// Of one transform of the pass; its batch and placement do not matter. Its storage is that of
  /// the input where the pass reads it, else f32: what the kernel is chosen for.
  FftProblem problem;
  PassSide in, out;
  std::vector<Loop> loops;  ///< innermost first; a block takes neighbours of the first one
  std::optional<Factor> before, between, after;  ///< between: then all steps once more, backwards
  /// Method rader: point q is the one at place g^q mod n, g a primitive root of n: see rader.cuh.
  bool by_powers = false;
  std::optional<FilterSide> filter = {};  ///< where `between` is one
  std::optional<Part> part = {};
  /// The cosine or sine transform whose numbers go in pairs: see half_length.hpp. Batch 1.
  std::optional<FftProblem> pairs_of = {};
  /// Arithmetic packed: the transform of twice as many points, of which two neighbours are one of
  /// the pass's, or of its whole: see packed.hpp. Batch 1.
  std::optional<FftProblem> packed = {};

  auto operator<=>(const Pass&) const = default;

  [[nodiscard]] std::int64_t n() const { return problem.n(); }
  [[nodiscard]] const PassSide& side(bool input) const { return input ? in : out; }
  /// The steps, a factor, and the steps backwards.
  [[nodiscard]] bool convolves() const { return between.has_value(); }
  /// N of a twiddle, or 0 for none.
  [[nodiscard]] std::int64_t twiddle_length() const;
  /// Back from the frequencies: the twiddle comes before the steps.
  [[nodiscard]] bool goes_back() const { return before && before->kind == Factor::Kind::twiddle; }
  /// The points of a side are multiplied by the chirp, and end where it does.
  [[nodiscard]] bool is_chirped(bool input) const;
  /// The whole transform.
  [[nodiscard]] const FftProblem& whole() const {
    return part ? part->whole : pairs_of ? *pairs_of : packed ? *packed : problem;
  }
  /// The same of packed points in passes too, whose whole is the transform of half the length.
  [[nodiscard]] const FftProblem& asked() const { return packed ? *packed : whole(); }
  /// n of the DFT that a convolution of Bluestein's or Rader's algorithm makes: of a part the
  /// whole.
  [[nodiscard]] std::int64_t convolved_points() const { return part ? part->whole.n() : n(); }
  /// On this side points k and n - k are taken together.
  [[nodiscard]] bool is_mirrored(bool input) const { return side(input).mirror.has_value(); }
  /// On either side, or between the steps.
  [[nodiscard]] bool mirrors() const {
    return is_mirrored(true) || is_mirrored(false) || (filter && filter->pairs);
  }
  /// That of a parted side, or 0.
  [[nodiscard]] std::int64_t parted_length() const;
  /// How many numbers, of several axes those of the last one; or 0.
  [[nodiscard]] std::int64_t real_length() const;
  /// Of an odd last axis, rows of which memory has half: how long it is; or 0.
  [[nodiscard]] std::int64_t row_length() const;
  /// What memory has of a row of the last axis on a mirrored side, and of all rows: of pairs one
  /// more than there are points.
  [[nodiscard]] std::int64_t mirrored_row_points() const;
  [[nodiscard]] std::int64_t mirrored_points() const;
  /// problem.lengths, or those of the real numbers.
  [[nodiscard]] std::vector<std::int64_t> real_lengths() const;
  /// The last pass of a real transform: of Hermitian frequencies it has those whose remainder
  /// modulo hermitian_rows() is at most half of that; the others are conjugates of them. Else 0.
  [[nodiscard]] std::int64_t hermitian_rows() const;
  /// Of the whole transform.
  [[nodiscard]] Domain domain() const;
  /// No point waits in a register for a barrier, so threads may go round: see Tuning::threads.
  /// Mirrored points do, unless their butterflies are opposite: see Tuning::opposite.
  [[nodiscard]] bool may_go_round() const { return !mirrors() && !filter && channels() == 1; }
  /// Whose products with their spectra are summed.
  [[nodiscard]] std::int64_t channels() const { return filter ? filter->channels.count : 1; }
  /// What memory has of the points of a side.
  [[nodiscard]] Values values(bool input) const;
  /// Bytes of a point of that side in memory. At an end packed ones are two neighbours that are
  /// read, or one of two results, which lie points_of_whole() apart.
  [[nodiscard]] unsigned bytes_of_point(bool input) const {
    return (packed && input && in.end ? 2 : 1) * point_bytes(side(input).storage, values(input));
  }
  /// The halves of packed points meet behind the last step, and leave twice as many results.
  [[nodiscard]] bool joins() const { return packed && out.end; }
  /// How many kinds of points t' there are beside those that digits tell apart, to the factors
  /// after steps: w^(k t') is that of 2 t' or 2 t' + 1.
  [[nodiscard]] std::int64_t halves() const {
    return joins() || (packed && tree_columns() > 1) ? 2 : 1;
  }
  /// Of all passes together.
  [[nodiscard]] std::int64_t points_of_whole() const { return part ? part->points() : n(); }
  /// True if a side is an end that pads, crops, calls the caller's code, or is not complex.
  [[nodiscard]] bool has_ends() const;
  /// The points of a transform that a side which is an end has in memory: the first ones.
  [[nodiscard]] std::int64_t points_at_end(bool input) const;
  /// The caller's code on a side, or nothing.
  [[nodiscard]] const std::string& code(bool input) const;
  /// Of a section of a tree but the last one, in place of a twiddle: the number of its columns, on
  /// which the factors after each of its steps depend too; else 1.
  [[nodiscard]] std::int64_t tree_columns() const;
};

/// Of a convolution; its loops as they are in the layout.
[[nodiscard]] FilterSide filter_side(const FftProblem& problem);
/// The whole problem in one launch.
[[nodiscard]] Pass single_pass(const FftProblem& problem);
/// The same of real numbers of several axes, out of place, of an odd last axis: in rows.
[[nodiscard]] Pass pass_of_rows(const FftProblem& problem);

/// From the first point that `batch` of them read (write) to behind the last one.
[[nodiscard]] std::int64_t in_points(const Pass& pass, std::int64_t batch);
[[nodiscard]] std::int64_t out_points(const Pass& pass, std::int64_t batch);

/// The same of the spectra that it multiplies by.
[[nodiscard]] std::int64_t filter_points(const Pass& pass, std::int64_t batch);

/// How many of the loops are of the pass, before those of the caller's.
[[nodiscard]] std::size_t own_loops(const Pass& pass);

/// True if the points of a batch lie one after the other on both sides, from multiples of 16 bytes
/// on.
[[nodiscard]] bool is_contiguous(const Pass& pass);

/// True if places in a tile of powers of two can be put together from bits: on both sides strides
/// of points and of the innermost loop are powers of two, and all others even where neighbours
/// travel in pairs.
[[nodiscard]] bool is_of_bits(const Pass& pass);

/// Blocks of so many columns that take the transforms of the innermost loop; the last one may have
/// fewer.
[[nodiscard]] std::uint64_t tiles_of_row(const Pass& pass, unsigned columns);

/// Within a tile places are numbers of 32 bits.
constexpr std::int64_t largest_span = std::int64_t{1} << 32;
/// From the first point of a transform that memory has to the last one, of a part the whole one's.
[[nodiscard]] std::int64_t reach(const Pass& pass, bool input);
/// From a transform to the next one that a block takes beside it; 0: it is within reach().
[[nodiscard]] std::int64_t to_next(const Pass& pass, bool input);

/// Throws UnsupportedProblem for a pass that cannot be addressed.
void validate(const Pass& pass);

[[nodiscard]] std::string to_string(const Pass& pass);

}  // namespace sonoma
