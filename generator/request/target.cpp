#include "sonoma/target.hpp"

#include <algorithm>
#include <array>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// CUDA C++ Programming Guide, "Compute Capabilities": shared memory per block (opt-in) and
// registers per SM; SMs of the largest data-centre (else desktop) part.
constexpr std::array facts = {
    Target{75, 40, 64 * 1024, 65536},     // T4
    Target{80, 108, 163 * 1024, 65536},   // A100
    Target{86, 84, 99 * 1024, 65536},     // RTX 3090, A40
    Target{89, 142, 99 * 1024, 65536},    // L40
    Target{90, 132, 227 * 1024, 65536},   // H100, H200
    Target{100, 148, 227 * 1024, 65536},  // B200
    Target{120, 170, 99 * 1024, 65536},   // RTX 5090
};

}  // namespace

int Target::threads_of_sm() const {
  if (arch == 75) return 1024;
  return arch == 86 || arch == 89 || arch == 120 ? 1536 : 2048;
}

int Target::blocks_of_sm() const {
  if (arch == 75 || arch == 86) return 16;
  return arch == 89 || arch == 120 ? 24 : 32;
}

const std::vector<int>& known_archs() {
  static const std::vector<int> archs = [] {
    std::vector<int> list;
    for (const Target& target : facts) list.push_back(target.arch);
    return list;
  }();
  return archs;
}

Target target_for(std::string_view arch) {
  std::string_view digits = arch;
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (arch.starts_with(prefix)) digits.remove_prefix(prefix.size());
  }
  for (const Target& target : facts) {
    if (digits == std::to_string(target.arch)) return target;
  }
  std::string allowed = "one of";
  for (const Target& target : facts) allowed += " " + arch_name(target);
  throw UnsupportedProblem("arch", std::string(arch),
                           allowed +
                               "; CUDA 13 compiles for no older GPU, and the emulated device "
                               "(Device::cpu, --device cpu) needs none");
}

std::string arch_name(const Target& target) { return "sm_" + std::to_string(target.arch); }

std::string to_string(const Target& target) {
  return arch_name(target) + " sms=" + std::to_string(target.sms) +
         " shared=" + std::to_string(target.shared_bytes) +
         " registers=" + std::to_string(target.registers);
}

}  // namespace sonoma
