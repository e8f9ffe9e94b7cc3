// What a benchmark runs: a list of problems, and how often each is launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma::bench {

struct Suite {
  std::string name;
  std::string about;                 ///< "2^26 points a run, out of place, forward"
  std::vector<FftProblem> problems;  ///< those of one storage follow each other; not of plan
};

/// Which of its problems a suite is asked for.
struct Selection {
  std::vector<Storage> storages = {Storage::f32};
  std::int64_t shortest = 2, longest = std::int64_t{1} << 26;  ///< lengths, both included
  std::vector<std::int64_t> lengths;                   ///< these, if any, in place of powers of two
  std::vector<std::vector<std::int64_t>> shapes = {};  ///< of several axes: these, if any
  /// In place of lengths and shapes: problems of which all is said but storage. A large batch
  /// repeats them, or is one that is larger as it is.
  std::vector<FftProblem> problems = {};
  /// Domain and direction, layout, ends and storage of the output of every other problem; layout
  /// and ends not of columns.
  FftProblem like = {};
  std::optional<std::int64_t> batch = {};  ///< of large batches, in place of log2_points
  int log2_points =
      26;  ///< of large batches: their points; 2^26 in f32 are 512 MiB, far beyond L2s
};

/// Lengths that are powers of two, as many transforms as make 2^log2_points points: of a real side
/// numbers.
[[nodiscard]] Suite pow2_suite(const Selection& selection);

/// Lengths with the factors 2 to 13 up to 8192, powers of two apart, as many points as above.
[[nodiscard]] Suite smooth_suite(const Selection& selection);

/// Squares of powers of two of 16 to 8192 and a few pictures, as many as make those points.
[[nodiscard]] Suite planes_suite(const Selection& selection);

/// Cubes of powers of two of 16 to 512, 100 and 192, as many as make those points; one of twice as
/// many.
[[nodiscard]] Suite cubes_suite(const Selection& selection);

/// The middle axis of n x n x n, as many planes of n columns as make 2^log2_points points: lengths
/// are powers of two of 64 to 4096, transforms lie side by side.
[[nodiscard]] Suite columns_suite(const Selection& selection);

/// One transform at a time: the same lengths, batch 1.
[[nodiscard]] Suite single_suite(const Selection& selection);

/// Powers of two, one transform each; with f32 and no lengths asked for, also others, each kind of
/// plan at a few: smooth ones, primes, large batches, columns.
[[nodiscard]] Suite plan_suite(const Selection& selection);

/// How many transforms a launch makes: of every plane all columns.
[[nodiscard]] std::int64_t transforms_of(const FftProblem& problem);
/// Of all transforms together, all their channels.
[[nodiscard]] std::int64_t points_of(const FftProblem& problem);
/// With its batch as often as `points` have room for, at least once.
[[nodiscard]] FftProblem repeated(FftProblem problem, std::int64_t points);
/// How often a contender goes over a problem between two events: short ones share their time. As
/// often as moves 2^29 bytes (150 us of an H200), at most 100 times, over several axes 100 over
/// their number: see Repetitions.
[[nodiscard]] int launches_of(const FftProblem& problem);
/// Where transform `row` of them begins, in points.
[[nodiscard]] std::int64_t start_of_input(const FftProblem& problem, std::int64_t row);
[[nodiscard]] std::int64_t start_of_output(const FftProblem& problem, std::int64_t row);
/// Of a copy that moves as much: half of what is read and stored, whatever lies between.
[[nodiscard]] std::size_t bytes_of(const FftProblem& problem);
/// Domain, where a side is real, and storage, in words: see result.hpp.
[[nodiscard]] std::string type_of(const FftProblem& problem);
/// How points lie, in words: see result.hpp.
[[nodiscard]] std::string place_of(const FftProblem& problem);
/// "4096"; of several axes "64x64".
[[nodiscard]] std::string dims_of(const FftProblem& problem);

}  // namespace sonoma::bench
