#include "sonoma/cache.hpp"

#include <cerrno>

#include "cache_listing.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma {
namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;

bool is_kept_source(const std::string& name) {
  return name.size() > 64 && name.find_first_not_of("0123456789abcdef") == 64 &&
         (name.ends_with(".cu") || name.ends_with(".cpp"));
}

// `fault`: why that cannot be known.
bool is_stale(const CacheFolder& folder, const CacheFile& file, std::string& fault) {
  if (file.is_directory) return false;
  if (is_temporary_file(file.name)) return is_abandoned(file);
  if (is_kept_source(file.name)) return true;
  if (!is_entry_file(file.name)) return false;
  std::string why;
  bool failed = false;
  const bool sound = folder.read_entry(file.name, why, failed).has_value();
  if (failed) fault = why;
  return !sound && !why.empty() && !failed;
}

}  // namespace

CacheFolder open_cache(const Config& config) {
  CacheFolder folder(cache_path(config), CacheFolder::Trust::own, true);
  if (!folder.usable()) {
    throw FftError(Stage::cache, "the cache folder " + config.cache_dir.string() +
                                     " cannot be used: " + folder.fault() +
                                     "; it must be a folder of this user with mode 0700; "
                                     "SONOMA_CACHE_DIR names another one");
  }
  return folder;
}

std::vector<CacheFile> files_of(const CacheFolder& folder) {
  std::string why;
  if (auto files = folder.list(why)) return *std::move(files);
  throw FftError(Stage::cache,
                 "the cache folder " + folder.path().string() + " cannot be listed: " + why);
}

CachedKernel described(const CacheFile& file, const std::filesystem::path& path,
                       const CacheEntry& entry) {
  const CompileInputs& inputs = entry.inputs;
  return {path,
          file.name.substr(0, 64),
          inputs.kind,
          inputs.name,
          inputs.arch,
          inputs.compiler.empty() ? entry.binary.made_by : inputs.compiler,
          file.bytes,
          file.made_ns / nanoseconds,
          file.used_ns / nanoseconds,
          file.used_ns > file.made_ns};
}

CacheContents contents_of(const CacheFolder& folder) {
  CacheContents contents;
  for (const CacheFile& file : files_of(folder)) {
    const std::filesystem::path path = folder.path() / file.name;
    if (is_kept_source(file.name)) continue;
    if (is_temporary_file(file.name)) {
      if (is_abandoned(file)) contents.faults.push_back({path, "left by an interrupted writer"});
      continue;
    }
    std::string why = "not a file of the cache";
    bool failed = false;
    if (is_entry_file(file.name)) {
      why.clear();
      if (const auto entry = folder.read_entry(file.name, why, failed)) {
        auto& list = entry->inputs.kind == "text" ? contents.texts : contents.kernels;
        list.push_back(described(file, path, *entry));
      }
    }
    if (!why.empty()) contents.faults.push_back({path, why, failed});
  }
  return contents;
}

std::filesystem::path cache_path(const Config& config) {
  if (config.cache_dir.empty()) {
    throw FftError(Stage::cache,
                   "no cache folder: set one of SONOMA_CACHE_DIR, XDG_CACHE_HOME and HOME");
  }
  return config.cache_dir;
}

CacheContents inspect_cache(const Config& config) { return contents_of(open_cache(config)); }

std::vector<CachePlace> cache_places(const Config& config) {
  std::vector<CachePlace> places;
  const auto add = [&](const CacheFolder& folder, bool system) {
    CachePlace& place = places.emplace_back(CachePlace{folder.path(), system, folder.fault()});
    try {
      place.contents = contents_of(folder);
    } catch (const FftError& error) {
      place.not_used = error.message();
    }
  };
  if (!config.cache_dir.empty()) {
    add(CacheFolder(config.cache_dir, CacheFolder::Trust::own, false), false);
  }
  for (const std::filesystem::path& path : config.system_caches) {
    const CacheFolder folder(path, CacheFolder::Trust::shared, false);
    if (!folder.is_missing()) add(folder, true);
  }
  return places;
}

CachePruning prune_cache(std::uint64_t keep_bytes, const Config& config) {
  const CacheFolder folder = open_cache(config);
  CachePruning result;
  std::string fault;  // of the first file that stays and should not
  const auto stays = [&](const CacheFile& file, const std::string& why) {
    if (fault.empty()) fault = (folder.path() / file.name).string() + " " + why;
  };
  const auto remove = [&](const CacheFile& file) {
    if (!folder.remove(file.name)) {
      if (errno != ENOENT) stays(file, "cannot be removed: " + last_error());
      return false;
    }
    ++result.removed_files;
    result.removed_bytes += file.bytes;
    return true;
  };
  std::vector<CacheFile> kept;
  for (const CacheFile& file : files_of(folder)) {
    std::string unread;
    if (is_stale(folder, file, unread) && remove(file)) continue;
    if (!unread.empty()) stays(file, "cannot be read: " + unread);
    if (!is_entry_file(file.name)) continue;
    kept.push_back(file);
    result.kept_bytes += file.bytes;
  }
  for (const CacheFile& file : kept) {
    if (result.kept_bytes <= keep_bytes) break;
    if (remove(file)) result.kept_bytes -= file.bytes;
  }
  if (!fault.empty()) {
    throw FftError(Stage::cache,
                   fault + "; " + std::to_string(result.removed_files) + " files were removed");
  }
  return result;
}

}  // namespace sonoma
