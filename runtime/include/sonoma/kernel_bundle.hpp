// Kernels made ahead of time by `sonoma aot`: how a program comes by them. make_plan() looks for a
// request among them before all other places, and needs neither NVRTC nor a folder for a cache
// where it finds it. See docs/ahead-of-time.md.
#pragma once

#include <filesystem>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// Makes the kernels of a bundle (kernels.sonoma, which `sonoma aot` writes) known to all plans
/// that this process makes from now on; those that were made stay as they are. The file is read at
/// once and may go afterwards. Like a library it is trusted: kernels that somebody else can have
/// changed do anything on the GPU. Safe from many threads. Throws FftError (Stage::cache) where the
/// file cannot be read, is damaged, or is of another version of the format.
///
/// SONOMA_KERNELS names bundles for a program that does not call this.
void load_kernels(const std::filesystem::path& file);

/// The same of kernels that are part of the program: the source file that `sonoma aot` writes
/// defines one of these, and sonoma_add_kernels() of CMake links it. Nothing is read before the
/// first plan is made; kernels that cannot be used are then left out, with a line in the log.
class LinkedKernels {
 public:
  /// `name`: for messages. Memory from `begin` to `end` stays as it is for ever. The constructor
  /// does not throw: without memory it ends the process, as all that runs before main().
  LinkedKernels(const char* name, const unsigned char* begin, const unsigned char* end) noexcept;
};

}  // namespace sonoma
