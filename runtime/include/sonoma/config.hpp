// Everything the runtime takes from outside, read once. The library never looks at the environment
// anywhere else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sonoma {

enum class LogLevel { off, error, warn, info, debug };

struct Config {
  /// Folder of the disk cache; created 0700 if it is not there. Empty: binaries are kept in memory
  /// only. SONOMA_CACHE_DIR, else $XDG_CACHE_HOME/sonoma, else $HOME/.cache/sonoma.
  std::filesystem::path cache_dir;
  bool cache_read = true;   ///< off where SONOMA_CACHE_READ_OFF is set (and neither "" nor "0")
  bool cache_write = true;  ///< off where SONOMA_CACHE_WRITE_OFF is set (and neither "" nor "0")
  std::uint64_t cache_limit_bytes = 512ull << 20;  ///< least recently used entries go first

  /// What `sonoma tune` found on this machine. SONOMA_WISDOM, else
  /// $XDG_CONFIG_HOME/sonoma/wisdom.json, else $HOME/.config/sonoma/wisdom.json: measured with
  /// effort, so not among caches. Empty: the shipped wisdom only.
  std::filesystem::path wisdom_file;

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

/// The configuration of this process: its environment at the first use of the runtime.
[[nodiscard]] const Config& config();

}  // namespace sonoma
