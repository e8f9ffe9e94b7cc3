#include "bench_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace sonoma::cli {
namespace {

using bench::Machine;
using bench::PlanResult;
using bench::Result;
using nlohmann::json;

void add(json& row, const Machine& machine) {
  row["gpu"] = machine.gpu;
  row["cuda"] = machine.cuda;
  row["commit"] = machine.commit;
  row["date"] = machine.date;
}

json row_of(const Result& r) {
  return {{"lib", r.lib},         {"type", r.type},
          {"dims", r.dims},       {"batch", r.batch},
          {"place", r.place},     {"ms", r.ms},
          {"copy_ms", r.copy_ms}, {"eff", r.efficiency()},
          {"relL2", r.rel_l2},    {"workspace", r.workspace},
          {"gflops", r.gflops()}, {"gb_per_s", r.gb_per_s()}};
}

json row_of(const PlanResult& r) {
  return {{"n", r.n},
          {"type", r.type},
          {"batch", r.batch},
          {"place", r.place},
          {"cold_ms", r.cold_ms},
          {"nvrtc_ms", r.nvrtc_ms},
          {"warm_ms", r.warm_ms},
          {"launches", r.launches},
          {"kernels", r.kernels}};
}

template <class Row>
std::string document(const std::vector<Row>& rows) {
  json results = json::array();
  for (const auto& row : rows) {
    results.push_back(row_of(row.result));
    add(results.back(), row.machine);
  }
  return json{{"results", results}}.dump(2);
}

// Of a column of types: wider where they name a domain.
int width_of(const std::string& type) { return bench::domain_of(type) == Domain::c2c ? 4 : 8; }

}  // namespace

std::string name_of(const Result& result) {
  const Domain domain = bench::domain_of(result.type);
  return (domain == Domain::c2c ? "" : to_string(domain) + ' ') + result.dims + ' ' + result.lib;
}

std::string name_of(const PlanResult& result) {
  return std::to_string(result.n) + ' ' + result.type;
}

bool BenchTable::machine_changed(const Machine& machine) {
  if (machine == machine_) return false;
  machine_ = machine;
  fmt::print("{}, CUDA {}, commit {}, {}\n", machine.gpu, machine.cuda, machine.commit,
             machine.date);
  return true;
}

void BenchTable::print(const bench::Row& row) {
  const Result& r = row.result;
  const int width = width_of(r.type);
  if (machine_changed(row.machine)) {
    fmt::print("{:<{}} {:>6} {:>9} {:<12} {:>9} {:>6} {:>7} {:>8} {:>9}\n", "type", width, "n",
               "batch", "lib", "us", "eff", "GB/s", "GFLOP/s", "relL2");
  }
  fmt::print("{:<{}} {:>6} {:>9} {:<12} {:>9.3f} {:>6.3f} {:>7.1f} {:>8.1f} {:>9.2e}\n", r.type,
             width, r.dims, r.batch, r.lib, r.ms * 1e3, r.efficiency(), r.gb_per_s(), r.gflops(),
             r.rel_l2);
  std::fflush(stdout);
}

void BenchTable::print(const bench::PlanRow& row) {
  const PlanResult& r = row.result;
  const int width = width_of(r.type);
  if (machine_changed(row.machine)) {
    fmt::print("{:<{}} {:>8} {:>6} {:<11} {:>8} {:>8} {:>8} {:>8} {:>7}\n", "type", width, "n",
               "batch", "place", "cold ms", "NVRTC ms", "warm ms", "launches", "kernels");
  }
  fmt::print("{:<{}} {:>8} {:>6} {:<11} {:>8.1f} {:>8.1f} {:>8.2f} {:>8} {:>7}\n", r.type, width,
             r.n, r.batch, r.place, r.cold_ms, r.nvrtc_ms, r.warm_ms, r.launches, r.kernels);
  std::fflush(stdout);
}

std::string to_json(const std::vector<bench::Row>& rows) { return document(rows); }
std::string to_json(const std::vector<bench::PlanRow>& rows) { return document(rows); }

}  // namespace sonoma::cli
