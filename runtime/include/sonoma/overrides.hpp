// Edited kernels that take the place of emitted ones: `sonoma override add` verifies and keeps
// them; plans that ask for it (PlanOptions::overrides, Config::overrides) use them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/program.hpp"
#include "sonoma/target.hpp"

namespace SONOMA_API sonoma {

/// One kernel's. It belongs to one launch, and to the very text that it was made of: where the
/// generator emits another one for that launch, it is stale and not used.
struct Override {
  std::string kernel;       ///< its name
  std::string arch;         ///< "sm_90"
  std::string launch;       ///< see launch_id()
  std::string original;     ///< text_id() of what was emitted
  std::string text;         ///< in its place
  std::string request;      ///< options of the command line that emit the original
  std::string verified_on;  ///< "NVIDIA H200", or "emulated device"
  double rel_l2 = 0;        ///< the worst that was seen there
  double ms = 0, original_ms = 0, copy_ms = 0;  ///< beside each other; 0: not timed
  std::string date;                             ///< UTC, "2026-11-24"

  bool operator==(const Override&) const = default;
};

/// A hash of all that a text is emitted for, whichever generator emits it and wherever a program
/// reads and writes: 64 hexadecimal digits.
[[nodiscard]] std::string launch_id(const Launch& launch, const Target& target);

/// A hash of a text as it was emitted.
[[nodiscard]] std::string text_id(const CudaSource& source);

/// The edited kernels of a plan, as far as it knows them: kernel, arch, launch, original and text.
[[nodiscard]] std::vector<Override> edited_kernels(const Plan& plan);

struct Overrides {
  std::vector<Override> entries;      ///< in the order of their files' names
  std::vector<std::string> problems;  ///< files that are not taken, and why
};

/// Of a folder that need not be there. A kernel is code: files are read only where they and the
/// folder belong to this user or to root, and nobody else may write them.
[[nodiscard]] Overrides load_overrides(const std::filesystem::path& folder);

/// Replaces what the folder has for this launch, and makes the folder. Throws FftError
/// (Stage::overrides).
void save_override(const std::filesystem::path& folder, const Override& kept);
/// The same errors; nothing where it is not there.
void remove_override(const std::filesystem::path& folder, const Override& gone);

}  // namespace sonoma
