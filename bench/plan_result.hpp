// One row of the benchmark of planning, and its file format. Times are of the host.
//
//   n          length of the transform
//   type       as in result.hpp
//   batch      transforms of the plan
//   place      as in result.hpp
//   cold_ms    make_plan() in a process whose disk cache is empty; opens NVRTC
//   nvrtc_ms   CPU time of NVRTC meanwhile: user time of all threads, less that of a warm plan
//   warm_ms    make_plan() in a process that finds the kernels on disk
//   launches   of an execution
//   kernels    that differ among them
//   gpu, cuda, commit, date   see Machine; without a GPU see run_plan_suite()
//
// A process has a CUDA context before its plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "machine.hpp"

namespace sonoma::bench {

struct PlanResult {
  std::int64_t n = 0;
  std::string type;
  std::int64_t batch = 0;
  std::string place;
  double cold_ms = 0, nvrtc_ms = 0, warm_ms = 0;
  std::size_t launches = 0, kernels = 0;
};

struct PlanRow {
  PlanResult result;
  Machine machine;
};

[[nodiscard]] std::string plan_csv_header();
[[nodiscard]] std::string to_csv(const PlanRow& row);

}  // namespace sonoma::bench
