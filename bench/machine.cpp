#include "machine.hpp"

#include <ctime>

#include "sonoma/gpu.hpp"
#include "sonoma/version.hpp"

namespace sonoma::bench {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

}  // namespace

Machine this_machine() {
  const GpuInfo gpu = gpu_info();
  const int major = gpu.driver_cuda / 1000, minor = gpu.driver_cuda % 1000 / 10;
  return {gpu.name, std::to_string(major) + '.' + std::to_string(minor), commit(), today()};
}

Machine machine_without_gpu() { return {"none, for sm_90", "none", commit(), today()}; }

}  // namespace sonoma::bench
