// What Sonoma's plans for an H200 do, beside what seeds 002, 003 and 004 say of FFTs: counted on
// the host, from schedules. The rows of tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markdown.hpp"

namespace sonoma::bench {

/// Seed 002, section 2.2: with a locality factor of 5 log2 N operations a point, and points that
/// are read and written once, bandwidth bounds an FFT's speed. Of powers of two.
[[nodiscard]] Cells locality_head();
[[nodiscard]] std::vector<Cells> locality_rows();

/// Seed 003, slides "Parallel complexity" and "FFT with transpose": of n points over p processors
/// each sends (n / p) log2 p points in blocks, (n / p) (p - 1) / p transposed. The same of Sonoma's
/// clusters and passes, by their layouts.
[[nodiscard]] Cells volumes_head();
[[nodiscard]] std::vector<Cells> volumes_rows();

/// Seed 004, Table 1, as methods.csv has it, and Sonoma's choice. Throws std::invalid_argument.
[[nodiscard]] Cells methods_head();
[[nodiscard]] std::vector<Cells> methods_rows(std::string_view methods_csv);

}  // namespace sonoma::bench
