// What else happens where a transform meets memory: padding, cropping, and code of the caller's.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// The caller's code is a CUDA expression of type float2 over
///   value      float2, the point
///   index      unsigned, the number of the point in its transform: of several axes its place in a
///              C array of the points that memory has, (i0 * length1 + i1) * length2 + i2
///   i0, i1 ... unsigned, of several axes: its index along each of them, the slowest first
///   transform  unsigned long long, the number of the transform in the batch
///   user       const void*, the pointer given to Plan::execute
/// Of several axes load_code runs where the first transform reads, store_code where the last one
/// stores: each once for every point. Of real numbers value.y is 0, and what the code makes of it
/// is not used. Of Hermitian points only those that memory has go through it, the others follow.
/// e.g. "make_float2(value.x * static_cast<const float*>(user)[index], 0.0f)". It is a part of the
/// kernel: other code, other kernel. It may use CUDA's device functions (on the emulated device the
/// C library's), but no statements, comments, literals of characters or strings, or backslashes. An
/// error that the compiler finds in it names "load_code" or "store_code" and the line in it.
struct Ends {
  /// What `index` counts on a side of the transforms along one axis of several.
  struct Index {
    std::int64_t step = 1;                   ///< from one point of the axis to the next
    std::vector<std::int64_t> lengths = {};  ///< of all axes, for i0, i1 ...; of one alone: empty

    auto operator<=>(const Index&) const = default;
  };

  /// Points of a transform that the input has, of several axes along the last one. 0: all n. Fewer
  /// than n: the others read as zero (padding); more: the rest is not read (cropping). The default
  /// distance between transforms is that of in_length points.
  std::int64_t in_length = 0;
  /// Points of a transform that are stored, of several axes along the last one, the first ones. 0:
  /// all n; never more than n.
  std::int64_t out_length = 0;
  /// Takes the place of each point that is read, before anything else; not of those that padding
  /// adds.
  std::string load_code = {};
  /// Takes the place of each point that is stored, after everything else.
  std::string store_code = {};
  /// The same lengths along the axes before the last one, in their order. Empty, or 0: all n. An
  /// axis is transformed only where the others have points: rows that padding adds cost nothing.
  std::vector<std::int64_t> in_lengths = {}, out_lengths = {};
  /// Set by axis_transforms(), together with Loop::in_index and out_index.
  Index in_index = {}, out_index = {};

  auto operator<=>(const Ends&) const = default;

  [[nodiscard]] bool has_code() const { return !load_code.empty() || !store_code.empty(); }
  [[nodiscard]] const std::string& code(bool input) const { return input ? load_code : store_code; }
  [[nodiscard]] const Index& index(bool input) const { return input ? in_index : out_index; }
};

/// Throws UnsupportedProblem where `code`, the value of `field`, is not an expression by its
/// brackets and characters. Its meaning is for the compiler.
void validate_code(const std::string& field, const std::string& code);

/// "in 30x40 out 20 load_code=\"...\"", or nothing for the default; n: all of an axis.
[[nodiscard]] std::string to_string(const Ends& ends);

}  // namespace sonoma
