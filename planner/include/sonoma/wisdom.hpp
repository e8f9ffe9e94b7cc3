// What was measured, kept: which tuning is the fastest of its arithmetic, on which device.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"

namespace SONOMA_API sonoma {

/// A text that is no wisdom. what() says where: line and column, or the field.
class BadWisdom : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Where something was measured.
struct Platform {
  std::string device;  ///< "NVIDIA H200"
  int arch = 0;        ///< 90
  std::string driver;  ///< CUDA version of the driver, "13.0"

  auto operator<=>(const Platform&) const = default;
};

/// Whether a problem is a convolution, and of which signals.
enum class Convolved { no, complex, real };
[[nodiscard]] std::string to_string(Convolved convolved);

/// What was measured. Direction, placement, batch and scale are left out: they do not change the
/// structure of a kernel, and results must not depend on the batch.
struct Subject {
  std::vector<std::int64_t> lengths;         ///< several: axes that share a launch
  Storage storage = Storage::f32;            ///< of the points
  Arithmetic arithmetic = Arithmetic::simt;  ///< of the products
  Domain domain = Domain::c2c;               ///< of a real one the tuning may be that of its pairs
  /// Transforms of one axis whose points lie between each other's, as the columns of an array of so
  /// many; 0: each lies apart from the others.
  std::int64_t side_by_side = 0;
  Convolved convolution = Convolved::no;  ///< of a real one as of a real domain

  auto operator<=>(const Subject&) const = default;
};

/// Of a problem that is transformed by this arithmetic.
[[nodiscard]] Subject subject_of(const FftProblem& problem, Arithmetic arithmetic);

struct WisdomEntry {
  Platform platform;  ///< where it was measured
  Subject subject;    ///< what was measured
  /// Of the subject's arithmetic. Resolved; or, of several passes: their lengths, `fused`, and
  /// of the rest what was chosen, which holds for all of them.
  Tuning tuning;
  std::string kernels;      ///< kernels_of() when it was measured; empty: it was not recorded
  double eff = 0;           ///< time of a copy of the same bytes, in the same run, over ms; > 0
  double ms = 0;            ///< of a run of `points` points; > 0
  std::int64_t points = 0;  ///< of all transforms, >= 1
  double rel_l2 = 0;        ///< measured: worst relative L2 error of a sample of transforms
  std::string date;         ///< UTC, "2026-11-20"

  auto operator<=>(const WisdomEntry&) const = default;
};

/// Transforms of a subject, of `points` points or a few more, forward but for c2r: those side by
/// side fill arrays, which follow each other.
[[nodiscard]] FftProblem problem_of(const Subject& subject, std::int64_t points);
/// Those that were measured.
[[nodiscard]] FftProblem measured_problem(const WisdomEntry& entry);

/// A hash over the kernels that this generator emits for the entry's problem and tuning on its
/// architecture, without their comments and indentation: 16 hexadecimal digits, or nothing where it
/// refuses them. Emits them, which takes milliseconds.
[[nodiscard]] std::string kernels_of(const WisdomEntry& entry);

/// The same of kernels as they were emitted, in the order of their launches.
[[nodiscard]] std::string kernels_of(const std::vector<CudaSource>& sources);

/// Nothing where this generator emits the kernels that were measured, else what follows "measured
/// on ...": ", of kernels that have changed since". Takes as long as kernels_of().
[[nodiscard]] std::string since_measured(const WisdomEntry& entry);

/// At most one entry for each platform and subject, in their order.
class Wisdom {
 public:
  /// Keeps one of two entries of one platform and subject: the later date, for kernels change, then
  /// the larger eff, then the smaller value (operator<), so that the order of arrival does not
  /// matter.
  void add(const WisdomEntry& entry);
  /// Puts `entry` in the place of those of its device, architecture and subject.
  void replace(const WisdomEntry& entry);
  /// add() of every entry of `other`.
  void merge(const Wisdom& other);

  [[nodiscard]] const std::vector<WisdomEntry>& entries() const { return entries_; }  ///< all

  bool operator==(const Wisdom&) const = default;

 private:
  std::vector<WisdomEntry> entries_;
};

/// JSON, one line for each entry; equal values give equal bytes.
[[nodiscard]] std::string to_json_text(const Wisdom& wisdom);

/// Inverse of to_json_text(). Strict: throws BadWisdom for unknown, missing or doubled fields,
/// values out of range, and another format or version.
[[nodiscard]] Wisdom parse_wisdom(std::string_view json);

/// That of this build, from planner/wisdom.
[[nodiscard]] const Wisdom& shipped_wisdom();

/// True if it is one of that. Reads no entry.
[[nodiscard]] bool is_shipped(const WisdomEntry& entry);

/// Of that the entries of axes of exactly these lengths, in one of these storages. Reads no others:
/// its time hardly grows with what is shipped.
[[nodiscard]] Wisdom shipped_wisdom_of(const std::vector<std::int64_t>& lengths,
                                       const std::vector<Storage>& storages);
/// Of all lengths that a plan for the problem may ask for: of each axis, of the last axes together
/// and of as many points, and of the pairs of real numbers. Where an architecture is given (90),
/// measured on that alone: a plan takes no others.
[[nodiscard]] Wisdom shipped_wisdom_for(const FftProblem& problem, std::optional<int> arch = {});

}  // namespace sonoma
