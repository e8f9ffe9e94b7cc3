// Runs rows of the seeds' tables.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cufft.hpp"
#include "line_up.hpp"
#include "seed_measurement.hpp"
#include "sonoma/gpu.hpp"
#include "workload.hpp"

namespace sonoma::bench {

/// sonoma-mma with a radix, and sonoma.
[[nodiscard]] std::vector<Variant> seed_variants(unsigned radix);

/// A row whose batch is cut so that it has at most `points`, but one transform.
[[nodiscard]] FftProblem problem_within(const SeedRow& row, std::int64_t points);

class SeedStand {
 public:
  using Note = std::function<void(const std::string&)>;

  /// For these rows. On the emulated device nothing is timed, and cuFFT is left out. `most_points`:
  /// of a launch. Throws FftError, also where there is no GPU or no cuFFT.
  SeedStand(Device device, const std::vector<SeedRow>& rows, std::int64_t most_points,
            int repetitions);

  /// Makes all kernels of the rows on a GPU, by all threads of the machine, so that run() finds
  /// them.
  void make_kernels() const;

  /// `note` is told who cannot serve the row, and why. Throws FftError.
  [[nodiscard]] std::vector<SeedMeasurement> run(const SeedRow& row, const Note& note);

 private:
  /// In FP32, and on a GPU in FP16: the same numbers, rounded.
  struct Data {
    std::unique_ptr<const Workload> wide, narrow;
  };
  struct Asked {
    Contender contender;
    const Workload* workload;
  };

  const Data& data_of(double norm);
  [[nodiscard]] std::vector<Asked> line_up(const SeedRow& row, const FftProblem& problem,
                                           const Note& note);
  [[nodiscard]] std::vector<double> time(const std::vector<Asked>& asked,
                                         const FftProblem& problem) const;
  [[nodiscard]] std::vector<std::complex<float>> output_of(const Asked& asked,
                                                           std::size_t points) const;

  Device device_;
  std::vector<SeedRow> rows_;
  std::int64_t most_points_;
  int repetitions_;
  std::optional<GpuStream> stream_;  // these two on a GPU
  std::optional<Cufft> cufft_;
  std::map<double, Data> data_;  // by norm
};

}  // namespace sonoma::bench
