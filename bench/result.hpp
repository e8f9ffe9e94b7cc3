// One row of a benchmark of execution, and its file format.
//
//   lib        sonoma (what the planner chooses), sonoma-mma, sonoma-simt (one engine alone),
//              sonoma-packed (FP16 throughout), cufft, cufft+product (a convolution in three
//              calls), copy (device to device, of the same bytes)
//   type       f32, f16, bf16: storage of the components, or "i16 to f32"; where a side is real,
//              after its domain: "r2c f32"; of convolutions "convolution f32", "real-convolution
//              f32", that sum channels "64-channel convolution f32"
//   dims       lengths of the axes, slowest first, e.g. 4096 or 256x256
//   batch      transforms of a launch
//   place      out or in; out-columns: the middle axis of n x n x n, see columns_suite(); then,
//              where points lie otherwise or are padded or cropped, how: to_string of DataLayout
//              and Ends
//   ms         median device time of a launch
//   copy_ms    of the copy in the same repetitions
//   eff        copy_ms / ms: share of the speed of a copy
//   relL2      |y - X|_2 / |X|_2 against FP64, the worst of a sample of transforms; 0 for the copy
//   workspace  bytes of device memory beside input and output
//   gpu, cuda, commit, date   see Machine
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine.hpp"
#include "sonoma/problem.hpp"

namespace sonoma::bench {

struct Result {
  std::string lib, type, dims;
  std::int64_t batch = 0;
  std::string place;
  double ms = 0;
  double copy_ms = 0;
  double rel_l2 = 0;
  std::size_t workspace = 0;

  bool operator==(const Result&) const = default;

  [[nodiscard]] double efficiency() const { return copy_ms / ms; }
  [[nodiscard]] std::int64_t points() const;  ///< of one transform: the product of dims
  /// 5 n log2 n operations a transform, whatever the algorithm, half as many where a side is real;
  /// of a convolution one for each channel and one back, and the products; 0 for the copy.
  [[nodiscard]] double gflops() const;
  /// Bytes read and written, each of dims points once, over the time; of a side that is not complex
  /// those that memory has.
  [[nodiscard]] double gb_per_s() const;
};

struct Row {
  Result result;
  Machine machine;

  bool operator==(const Row&) const = default;
};

/// Of a column `dims`. Throws std::invalid_argument.
[[nodiscard]] std::vector<std::int64_t> lengths_in(std::string_view dims);

/// Of a column `type`.
[[nodiscard]] Domain domain_of(std::string_view type);

/// "lib,type,dims,..." and one line for each result, each with its newline.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string to_csv(const Row& row);

/// Reads what csv_header() and to_csv() wrote, also several such files one after the other. Throws
/// std::invalid_argument naming the line, what it holds and what belongs there.
[[nodiscard]] std::vector<Row> parse_csv(std::string_view text);

/// A number with five significant digits.
[[nodiscard]] std::string five_digits(double value);

}  // namespace sonoma::bench
