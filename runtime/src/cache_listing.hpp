// What is in a folder of the cache, as people are told.
#pragma once

#include <filesystem>

#include "cache_folder.hpp"
#include "sonoma/cache.hpp"

namespace sonoma {

/// The user's folder. Throws FftError (Stage::cache) where it cannot be used.
[[nodiscard]] CacheFolder open_cache(const Config& config);

/// CacheFolder::list(). Throws FftError (Stage::cache) where it fails.
[[nodiscard]] std::vector<CacheFile> files_of(const CacheFolder& folder);

[[nodiscard]] CachedKernel described(const CacheFile& file, const std::filesystem::path& path,
                                     const CacheEntry& entry);

/// Nothing of a folder that cannot be used. Throws as files_of().
[[nodiscard]] CacheContents contents_of(const CacheFolder& folder);

}  // namespace sonoma
