#include "result.hpp"

#include <cstdio>
#include <ctime>

#include "commit.hpp"
#include "sonoma/gpu.hpp"

namespace sonoma::bench {
namespace {

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

}  // namespace

std::string csv_header() {
  return "lib,type,dims,batch,place,ms,copy_ms,eff,relL2,workspace,gpu,cuda,commit,date\n";
}

std::string csv_line(const Result& r, const Machine& machine) {
  return r.lib + ',' + r.type + ',' + r.dims + ',' + std::to_string(r.batch) + ',' + r.place + ',' +
         number("%.5f", r.ms) + ',' + number("%.5f", r.copy_ms) + ',' +
         number("%.3f", r.efficiency()) + ',' + number("%.3g", r.rel_l2) + ',' +
         std::to_string(r.workspace) + ',' + machine.gpu + ',' + machine.cuda + ',' +
         machine.commit + ',' + machine.date + '\n';
}

Machine this_machine() {
  const GpuInfo gpu = gpu_info();
  const int major = gpu.driver_cuda / 1000, minor = gpu.driver_cuda % 1000 / 10;
  return {gpu.name, std::to_string(major) + '.' + std::to_string(minor), source_commit, today()};
}

}  // namespace sonoma::bench
