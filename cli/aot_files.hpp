// The files that `sonoma aot` writes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "aot_spec.hpp"

namespace sonoma::cli {

/// A request, and what serves it on one architecture.
struct AotProgram {
  AotRequest asked;
  AheadProgram made;
};

/// Paths within the folder, and what is in them.
using AotFiles = std::map<std::string, std::string>;

/// sources/*.cu, tables/*.bin and manifest.json; with a bundle also kernels.sonoma and kernels.cpp,
/// which links it into a program.
[[nodiscard]] AotFiles aot_files(const std::vector<AotProgram>& programs,
                                 const std::string& bundle);

/// "sources/NAME.cu"
[[nodiscard]] std::string source_file(const CudaSource& source, const Target& target);

}  // namespace sonoma::cli
