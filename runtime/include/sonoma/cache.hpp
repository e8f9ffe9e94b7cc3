// The disk cache of compiled kernels, for people and clusters: `sonoma cache`. See docs/caching.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/config.hpp"

namespace SONOMA_API sonoma {

/// One sound entry.
struct CachedKernel {
  std::filesystem::path path;
  std::string key;       ///< SHA-256 over every input of the compilation, hexadecimal
  std::string kind;      ///< "cubin", "host" for the emulated device, "text" of the generator
  std::string name;      ///< of the kernel; of a text, the length
  std::string arch;      ///< e.g. "sm_90"
  std::string compiler;  ///< that made it: product, version and build
  std::uint64_t bytes = 0;
  std::int64_t made = 0;       ///< or unpacked; seconds since 1970
  std::int64_t last_used = 0;  ///< seconds since 1970; not each use of a busy time is recorded
  bool used_since = false;     ///< after it was made
};

/// A file of the cache folder that is no sound entry.
struct CacheFault {
  std::filesystem::path path;
  std::string reason;
  bool unread = false;  ///< the system did not let it be read: it may be sound
};

struct CacheContents {
  std::vector<CachedKernel> kernels;  ///< compiled; least recently used first
  std::vector<CachedKernel> texts;    ///< and tables, as the generator made them; in that order
  std::vector<CacheFault> faults;
};

/// A folder of the cache, and what is in it.
struct CachePlace {
  std::filesystem::path path;
  bool system = false;          ///< only read: one of Config::system_caches
  std::string not_used;         ///< why it is not; empty: it is
  CacheContents contents = {};  ///< nothing where it is not used
};

struct CachePruning {
  std::size_t removed_files = 0;
  std::uint64_t removed_bytes = 0;
  std::uint64_t kept_bytes = 0;
};

// All throw FftError (Stage::cache) where the cache folder cannot be used.

/// The folder; it need not exist yet.
[[nodiscard]] std::filesystem::path cache_path(const Config& config = sonoma::config());

/// Reads and checks every file of the user's folder; changes none. Files that are just being
/// written are left out.
[[nodiscard]] CacheContents inspect_cache(const Config& config = sonoma::config());

/// The same of all folders, in the order in which plans look: the user's, then the system's that
/// there are. Throws nothing: CachePlace::not_used says what is the matter.
[[nodiscard]] std::vector<CachePlace> cache_places(const Config& config = sonoma::config());

/// Removes what is unsound, what interrupted writers left and sources kept for error messages, then
/// the least recently used entries until at most `keep_bytes` are left. Leaves unknown files alone.
CachePruning prune_cache(std::uint64_t keep_bytes, const Config& config = sonoma::config());

}  // namespace sonoma
