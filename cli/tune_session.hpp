// What `tune` does with a GPU: one job after the other is measured, and kept in a wisdom file.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "machine.hpp"
#include "progress.hpp"
#include "sonoma/gpu.hpp"
#include "tune.hpp"
#include "workload.hpp"

namespace sonoma::cli {

class TuneSession {
 public:
  /// `jobs` outlive this.
  TuneSession(const GpuInfo& gpu, const std::vector<TuneJob>& jobs,
              const std::filesystem::path& wisdom_file, bool as_json);

  /// The search space of each job and what is known of it, in so many seconds for all. Kernels are
  /// compiled ahead.
  void search(double seconds);

  /// What is known of each job, and what may take its place: see tunings_again(). Kernels are
  /// compiled ahead.
  void measure_again();

 private:
  void begin(const TuneJob& job);
  void measure(const TuneJob& job, const std::vector<Candidate>& found, double seconds);
  void keep(const TuneJob& job, const bench::Search& search);
  void finish();
  [[nodiscard]] std::size_t most_points(Storage storage) const;

  const GpuInfo gpu_;
  const std::vector<TuneJob>& jobs_;
  const std::filesystem::path file_;
  const bool as_json_;
  Progress progress_;
  bench::Machine machine_ = bench::this_machine();
  GpuStream stream_;
  std::optional<bench::Workload> workload_;
  bool hermitian_ = false;  // the workload is for one problem
  nlohmann::json rows_ = nlohmann::json::array();
  std::size_t kept_ = 0, changed_ = 0;
};

}  // namespace sonoma::cli
