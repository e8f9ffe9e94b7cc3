#include "gpu_facts.hpp"

#include <algorithm>
#include <array>

namespace sonoma {
namespace {

constexpr std::int64_t MB = 1 << 20;

// NVIDIA's data sheets and architecture white papers; of the H100 and the H200 also what the driver
// says. The first one of an architecture is the part of target_for().
constexpr std::array all = {
    GpuFacts{"T4", 75, 40, 1.59e9, 320e9, 4 * MB},
    GpuFacts{"A100", 80, 108, 1.41e9, 2039e9, 40 * MB},
    GpuFacts{"A40", 86, 84, 1.74e9, 696e9, 6 * MB},
    GpuFacts{"Orin", 87, 16, 1.3e9, 204.8e9, 4 * MB},
    GpuFacts{"L40", 89, 142, 2.49e9, 864e9, 96 * MB},
    GpuFacts{"H200", 90, 132, 1.98e9, 4.8e12, 60 * MB},
    GpuFacts{"H100 80GB HBM3", 90, 132, 1.98e9, 3.35e12, 50 * MB},
    GpuFacts{"H100 PCIe", 90, 114, 1.755e9, 2.04e12, 50 * MB},
    GpuFacts{"B200", 100, 148, 1.965e9, 8e12, 126 * MB},
    GpuFacts{"B300", 103, 148, 1.92e9, 8e12, 126 * MB},
    GpuFacts{"Thor", 110, 20, 1.57e9, 273e9, 32 * MB},
    GpuFacts{"RTX 5090", 120, 170, 2.41e9, 1792e9, 96 * MB},
    GpuFacts{"GB10", 121, 48, 2.42e9, 273e9, 24 * MB},
};

}  // namespace

const GpuFacts& measured_gpu() { return *std::ranges::find(all, "H200", &GpuFacts::name); }

const GpuFacts& gpu_facts(const Target& target, std::string_view device) {
  const auto named = std::ranges::find_if(all, [&](const GpuFacts& one) {
    return one.arch == target.arch && device.find(one.name) != device.npos;
  });
  if (named != all.end()) return *named;
  const auto first = std::ranges::find(all, target.arch, &GpuFacts::arch);
  return first != all.end() ? *first : measured_gpu();
}

}  // namespace sonoma
