// Everything the runtime takes from outside, read once. The library never looks at the environment
// anywhere else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

enum class LogLevel { off, error, warn, info, debug };

struct Config {
  /// Folder of the disk cache; created 0700 if it is not there. Empty: binaries are kept in memory
  /// only. SONOMA_CACHE_DIR, else $XDG_CACHE_HOME/sonoma, else $HOME/.cache/sonoma.
  std::filesystem::path cache_dir;
  bool cache_read = true;   ///< off where SONOMA_CACHE_READ_OFF is set (and neither "" nor "0")
  bool cache_write = true;  ///< off where SONOMA_CACHE_WRITE_OFF is set (and neither "" nor "0")
  /// Of all entries: the least recently used go first. SONOMA_CACHE_LIMIT_MIB.
  std::uint64_t cache_limit_bytes = 512ull << 20;
  /// Of one entry: larger ones are not kept. SONOMA_CACHE_ENTRY_LIMIT_MIB.
  std::uint64_t cache_entry_limit_bytes = 64ull << 20;
  /// Folders of entries that are only read, after the user's, in this order: `sonoma cache unpack
  /// --to` fills them. Believed where they, and what is in them, belong to root or this user and
  /// nobody but the owner can write them. SONOMA_SYSTEM_CACHE, with colons between them; set to
  /// nothing: none.
  std::vector<std::filesystem::path> system_caches = {"/var/cache/sonoma"};

  /// Bundles of kernels made ahead of time (see kernel_bundle.hpp), beside those that are linked
  /// in. SONOMA_KERNELS: files with colons between them.
  std::vector<std::filesystem::path> kernel_bundles;
  /// Only kernels that were made ahead of time may be used: see PlanOptions::aot_only. On where
  /// SONOMA_AOT_ONLY is set (and neither "" nor "0").
  bool aot_only = false;

  /// What `sonoma tune` found on this machine. SONOMA_WISDOM, else
  /// $XDG_CONFIG_HOME/sonoma/wisdom.json, else $HOME/.config/sonoma/wisdom.json: measured with
  /// effort, so not among caches. Empty: the shipped wisdom only.
  std::filesystem::path wisdom_file;
  /// Folder of more of it, in files *.json, which counts where the user's file says nothing. Files
  /// are believed as those of system_caches. SONOMA_SYSTEM_WISDOM; set to nothing: none.
  std::filesystem::path system_wisdom = "/etc/sonoma/wisdom.d";

  /// Edited kernels that `sonoma override add` has kept. SONOMA_OVERRIDES_DIR, else
  /// $XDG_CONFIG_HOME/sonoma/overrides, else $HOME/.config/sonoma/overrides.
  std::filesystem::path overrides_dir;
  /// All plans use them: where SONOMA_OVERRIDES is set (and neither "" nor "0").
  bool overrides = false;

  /// Where NVRTC is looked for, before the loader's own path: SONOMA_CUDA_PATH.
  std::filesystem::path cuda_path;
  /// The same, after it: CUDA_PATH, CUDA_HOME, /usr/local/cuda and the build's own wheels.
  std::vector<std::filesystem::path> cuda_roots;
  /// The driver's file name, tried in this order.
  std::vector<std::string> driver_libraries = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};

  /// The compiler of the emulated device. SONOMA_CXX; empty: c++.
  std::string host_compiler;
  /// Where it gets a private folder for each compilation: TMPDIR.
  std::filesystem::path temporary_dir = "/tmp";
  LogLevel log_level = LogLevel::warn;  ///< SONOMA_LOG: off, error, warn, info or debug; to stderr

  /// `lookup` is getenv or a stand-in for it (null pointer: not set). Throws std::invalid_argument
  /// naming the variable, its value and what is allowed.
  [[nodiscard]] static Config from_environment(
      const std::function<const char*(const char*)>& lookup);
};

/// The configuration of this process: that of configure(), else its environment at the first use of
/// the runtime.
[[nodiscard]] const Config& config();

/// Makes `settings` the configuration of this process, in place of the environment; start from
/// Config::from_environment() to change some of it only. Once, before anything else of the runtime
/// is used: throws std::logic_error afterwards.
void configure(const Config& settings);

}  // namespace sonoma
