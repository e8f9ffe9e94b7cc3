// The disk cache in one file: packed on one machine, unpacked on others. See docs/caching.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/cache.hpp"
#include "sonoma/config.hpp"

namespace SONOMA_API sonoma {

/// What pack_cache() did.
struct CachePacking {
  std::size_t entries = 0;         ///< that were packed
  std::uint64_t bytes = 0;         ///< of the entries
  std::uint64_t packed_bytes = 0;  ///< of the file
  std::vector<CacheFault> faults;  ///< what was left out because it is not sound
};

/// What unpack_cache() did.
struct CacheUnpacking {
  std::filesystem::path folder;    ///< where they are now
  std::size_t added = 0;           ///< entries that were not there, or not sound
  std::size_t there = 0;           ///< sound ones that were, and stay as they are
  std::uint64_t added_bytes = 0;   ///< of the added ones
  std::vector<CacheFault> faults;  ///< of the file: entries that were refused, and why
};

/// What an entry is made of.
struct CachedParts {
  CachedKernel about;                 ///< its head
  std::string source;                 ///< CUDA or, of the emulated device, C++ text
  std::string binary;                 ///< cubin or shared object; empty: of a text
  std::vector<std::uint32_t> tables;  ///< of a text of the generator: what its kernel reads
  std::string log;                    ///< the compiler's
};

// All throw FftError (Stage::cache) where the cache folder or the file cannot be used.

/// Writes the sound entries of the user's folder that `wanted` says (empty: all) to `file`, in the
/// place of what was there: each packed by zlib. A reader sees the old file or the new one.
CachePacking pack_cache(const std::filesystem::path& file,
                        const std::function<bool(const CachedKernel&)>& wanted = {},
                        const Config& config = sonoma::config());

/// Adds the entries of `file` to the user's folder or, where `folder` is not empty, to that one,
/// which is made if need be for all users to read: one of Config::system_caches. Each is checked
/// before it is written, and a damaged one is refused: the others are added. What is there and
/// sound stays.
///
/// Who makes the file decides what runs on the GPU: take it from whom you would take a program.
CacheUnpacking unpack_cache(const std::filesystem::path& file,
                            const std::filesystem::path& folder = {},
                            const Config& config = sonoma::config());

/// The sound entries of the user's folder whose keys begin with `key` (of CachedKernel::key).
[[nodiscard]] std::vector<CachedParts> read_cached(const std::string& key,
                                                   const Config& config = sonoma::config());

}  // namespace sonoma
