// What `tune` does with a GPU.
#pragma once

#include <filesystem>
#include <vector>

#include "sonoma/gpu.hpp"
#include "tune.hpp"
#include "tune_compile.hpp"

namespace sonoma::cli {

struct MeasureOptions {
  std::filesystem::path wisdom_file;
  double seconds;  ///< for all
  bool as_json = false;
};

/// Both halves: subjects are compiled while those before them are measured. What is left of the
/// time is shared among the subjects that are left.
void search(const GpuInfo& gpu, const std::vector<TuneJob>& jobs, const CandidateChoice& choice,
            const MeasureOptions& options);

/// What `tune --compile-only` left in a folder, in a process that starts anew where a kernel ends
/// it. Begins no subject when the time is over.
void measure_folder(const bench::TuneFolder& folder, const MeasureOptions& options);

/// Of the GPU in use. Throws FftError that says what needs none.
[[nodiscard]] GpuInfo gpu_to_measure();

}  // namespace sonoma::cli
