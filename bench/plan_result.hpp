// One row of the benchmark of planning, and its file format. Times are of the host.
//
//   lib, type, dims, batch, place   as in result.hpp; no copy
//   cold_ms       the first plan of a process whose disk cache is empty; opens NVRTC (or cuFFT)
//   cold_next_ms  another plan of that process, as new: the inverse
//   warm_ms       the first plan of a process that finds the kernel on disk (cuFFT keeps nothing
//                 there: as cold_ms)
//   warm_next_ms  another plan of that process, which is on disk too: the inverse
//   first_ms      the first execution in the process of cold_ms, until it is done
//   host_us       a call of execute() on a stream, median over many
//   gpu, cuda, commit, date   see Machine
//
// A process has a CUDA context and its buffers before its first plan. The thread has none current:
// Sonoma's plans make theirs so in each call, cuFFT does once.
#pragma once

#include <cstdint>
#include <string>

#include "machine.hpp"

namespace sonoma::bench {

struct PlanResult {
  std::string lib, type, dims;
  std::int64_t batch = 0;
  std::string place;
  double cold_ms = 0, cold_next_ms = 0, warm_ms = 0, warm_next_ms = 0;
  double first_ms = 0;
  double host_us = 0;
};

struct PlanRow {
  PlanResult result;
  Machine machine;
};

[[nodiscard]] std::string plan_csv_header();
[[nodiscard]] std::string to_csv(const PlanRow& row);

}  // namespace sonoma::bench
