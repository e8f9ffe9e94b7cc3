#include "sonoma/target.hpp"

#include <algorithm>
#include <array>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// What one SM holds beside the shared memory of a block and registers, which are in Target.
struct Facts {
  Target target;
  int threads, blocks;
};

// CUDA C++ Programming Guide, "Compute Capabilities": shared memory per block (opt-in) and
// registers per SM; threads and blocks of an SM (the latter and the sizes of shared memory also in
// cuda_occupancy.h of the toolkit); SMs of the largest data-centre (else desktop or module) part.
constexpr std::array facts = {
    Facts{{75, 40, 64 * 1024, 65536}, 1024, 16},     // T4
    Facts{{80, 108, 163 * 1024, 65536}, 2048, 32},   // A100
    Facts{{86, 84, 99 * 1024, 65536}, 1536, 16},     // RTX 3090, A40
    Facts{{87, 16, 163 * 1024, 65536}, 1536, 16},    // Jetson AGX Orin
    Facts{{89, 142, 99 * 1024, 65536}, 1536, 24},    // L40
    Facts{{90, 132, 227 * 1024, 65536}, 2048, 32},   // H100, H200
    Facts{{100, 148, 227 * 1024, 65536}, 2048, 32},  // B200
    Facts{{103, 148, 227 * 1024, 65536}, 2048, 32},  // B300
    Facts{{110, 20, 227 * 1024, 65536}, 1536, 24},   // Jetson Thor
    Facts{{120, 170, 99 * 1024, 65536}, 1536, 24},   // RTX 5090
    Facts{{121, 48, 99 * 1024, 65536}, 1536, 24},    // GB10
};

// Of one that is not known, those of the newest known before it.
const Facts& facts_of(int arch) {
  const Facts* closest = &facts.front();
  for (const Facts& one : facts) {
    if (one.target.arch <= arch) closest = &one;
  }
  return *closest;
}

std::string archs_allowed() {
  std::string allowed = "one of";
  for (const Facts& one : facts) allowed += " " + arch_name(one.target);
  return allowed +
         "; CUDA 13 compiles for no older GPU, and the emulated device (Device::cpu, --device cpu) "
         "needs none";
}

}  // namespace

int Target::threads_of_sm() const { return facts_of(arch).threads; }
int Target::blocks_of_sm() const { return facts_of(arch).blocks; }

const std::vector<int>& known_archs() {
  static const std::vector<int> archs = [] {
    std::vector<int> list;
    for (const Facts& one : facts) list.push_back(one.target.arch);
    return list;
  }();
  return archs;
}

Target target_for(std::string_view arch) {
  std::string_view digits = arch;
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (arch.starts_with(prefix)) digits.remove_prefix(prefix.size());
  }
  for (const Facts& one : facts) {
    if (digits == std::to_string(one.target.arch)) return one.target;
  }
  throw UnsupportedProblem("arch", std::string(arch), archs_allowed());
}

void validate(const Target& target) {
  // `allowed` is put together where it is needed: a choice asks often.
  const auto require = [](const char* field, int value, int least, const auto& allowed) {
    if (value >= least) return;
    throw UnsupportedProblem(std::string("target.") + field, std::to_string(value), allowed());
  };
  constexpr int every_gpu = 48 * 1024;
  require("arch", target.arch, facts.front().target.arch, archs_allowed);
  require("sms", target.sms, 1, [] { return "1 multiprocessor or more"; });
  require("shared_bytes", target.shared_bytes, every_gpu,
          [] { return std::to_string(every_gpu) + " or more, which every GPU has"; });
  require("registers", target.registers, 1024 * 32,
          [] { return "32768 or more: a block of 1024 threads"; });
}

bool runs_on(int arch, int capability) {
  if (arch == capability) return true;
  const auto is_tegra = [](int one) { return one == 87 || one == 110; };
  if (is_tegra(arch) || is_tegra(capability)) return false;
  return arch / 10 == capability / 10 && arch <= capability;
}

std::string arch_name(const Target& target) { return "sm_" + std::to_string(target.arch); }

std::string to_string(const Target& target) {
  return arch_name(target) + " sms=" + std::to_string(target.sms) +
         " shared=" + std::to_string(target.shared_bytes) +
         " registers=" + std::to_string(target.registers);
}

}  // namespace sonoma
