// The machine a kernel is generated for. Pure data: the runtime fills it from a device query, the
// command line from --arch.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

struct Target {
  int arch = 90;                  ///< compute capability * 10, e.g. 90 for sm_90
  int sms = 132;                  ///< streaming multiprocessors
  int shared_bytes = 227 * 1024;  ///< shared memory one block can use
  int registers = 65536;          ///< 32-bit registers of one SM

  auto operator<=>(const Target&) const = default;

  // What one SM holds at once (CUDA C++ Programming Guide, "Technical Specifications per Compute
  // Capability").
  [[nodiscard]] int threads_of_sm() const;  ///< that an SM holds at once
  [[nodiscard]] int blocks_of_sm() const;   ///< that an SM holds at once
  /// The most shared memory of all blocks of an SM that leaves its L1 cache more than 28 KB (CUDA
  /// C++ Programming Guide, "Shared Memory" of each architecture: its sizes). Loads are under way
  /// through that cache: with the largest size kernels took a fifth longer (bench/NOTES.md).
  [[nodiscard]] int shared_beside_cache() const { return shared_bytes + 1024 - 32 * 1024; }

  // Which primitives exist.
  [[nodiscard]] bool has_mma_m16n8k16() const { return arch >= 80; }  ///< a tensor-core instruction
  /// Complex words: the larger of two halves, in each half of a word, is one instruction.
  [[nodiscard]] bool has_words() const { return arch >= 80; }
  /// One instruction asks the L2 cache for many bytes.
  [[nodiscard]] bool has_bulk_prefetch() const { return arch >= 90; }
  [[nodiscard]] bool has_clusters() const { return arch >= 90; }  ///< of blocks
  /// Half of the lanes of FP32 (CUDA C++ Programming Guide, "Arithmetic Instructions").
  [[nodiscard]] bool has_fast_fp64() const { return arch == 80 || arch == 90 || arch == 100; }
  /// A launch may begin before the one before it has ended.
  [[nodiscard]] bool has_dependent_launches() const { return arch >= 90; }
};

/// Facts of the architectures Sonoma emits for: see known_archs().
/// Accepts "sm_90", "90" and "compute_90"; throws UnsupportedProblem otherwise.
[[nodiscard]] Target target_for(std::string_view arch);

/// Every architecture target_for accepts, ascending: 75, 80, 86, 87, 89, 90, 100, 103, 110, 120 and
/// 121.
[[nodiscard]] const std::vector<int>& known_archs();

/// Throws UnsupportedProblem, naming the field, for a GPU that no kernel is emitted for: before
/// sm_75, or without multiprocessors, registers or shared memory.
void validate(const Target& target);

/// True where a cubin for `arch` runs on a GPU of this compute capability (times 10): the same
/// major number and no larger a minor one; of Jetsons (87, 110) only their own (CUDA C++
/// Programming Guide, "Binary Compatibility").
[[nodiscard]] bool runs_on(int arch, int capability);

/// "sm_90"
[[nodiscard]] std::string arch_name(const Target& target);
[[nodiscard]] std::string to_string(const Target& target);

}  // namespace sonoma
