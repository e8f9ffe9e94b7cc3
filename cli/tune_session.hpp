// The second half of `tune`: on a GPU one subject after the other is measured, and kept in a wisdom
// file.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "measuring.hpp"
#include "progress.hpp"
#include "sonoma/device_buffer.hpp"
#include "sonoma/gpu.hpp"
#include "tune.hpp"
#include "workload.hpp"

namespace sonoma::cli {

/// The GPU in use, today, and this build.
[[nodiscard]] bench::MeasuringPlace measuring_place(const GpuInfo& gpu);

class TuneSession {
 public:
  /// How much a session will do.
  struct Plan {
    std::map<Storage, std::int64_t> points;  ///< the most of a run
    std::size_t subjects = 0, candidates = 0;

    void add(const FftProblem& problem, std::size_t candidates_of_it);
  };

  /// `rows` outlives this. Wisdom is written when so many seconds have gone, and at the end.
  TuneSession(const Plan& plan, bench::Measurements& rows, const std::filesystem::path& wisdom_file,
              double seconds_between, bool as_json);

  /// Throws as bench::measure().
  void measure(const bench::CompiledSubject& subject, double seconds);
  /// Writes the wisdom and says what was kept where.
  void finish();

 private:
  [[nodiscard]] std::unique_ptr<bench::TestStand> stand_for(const bench::CompiledSubject& subject);
  void make_workload(const FftProblem& problem);
  void print(const bench::CompiledSubject& subject, const bench::Outcome& outcome);
  [[nodiscard]] std::string progress(const bench::CompiledSubject& subject,
                                     std::size_t timed) const;

  const Plan plan_;
  bench::Measurements& rows_;
  const std::filesystem::path file_;
  const bool as_json_;
  bench::WisdomKeeper wisdom_;
  Progress progress_;
  GpuStream stream_;
  DeviceBuffer workspace_{Device::gpu, 0};
  std::optional<bench::Workload> workload_;
  nlohmann::json rows_of_json_ = nlohmann::json::array();
  std::size_t kept_ = 0, known_ = 0, candidates_done_ = 0, candidates_known_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace sonoma::cli
