#include "sonoma/cache.hpp"

#include "disk_cache.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma {
namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;

DiskCache open_cache(const Config& config, const Log& log) {
  (void)cache_path(config);
  DiskCache cache(config, log);
  if (!cache.usable()) {
    throw FftError(Stage::cache, "the cache folder " + config.cache_dir.string() +
                                     " cannot be used: it must be a folder of this user with mode "
                                     "0700; SONOMA_CACHE_DIR names another one");
  }
  return cache;
}

bool is_kept_source(const std::string& name) {
  return name.size() > 64 && name.find_first_not_of("0123456789abcdef") == 64 &&
         (name.ends_with(".cu") || name.ends_with(".cpp"));
}

bool is_stale(const DiskCache& cache, const CacheFile& file) {
  if (file.is_directory) return false;
  if (is_temporary_file(file.name)) return is_abandoned(file);
  if (is_kept_source(file.name)) return true;
  std::string why;
  return is_entry_file(file.name) && !cache.read(file.name, why) && !why.empty();
}

}  // namespace

std::filesystem::path cache_path(const Config& config) {
  if (config.cache_dir.empty()) {
    throw FftError(Stage::cache,
                   "no cache folder: set one of SONOMA_CACHE_DIR, XDG_CACHE_HOME and HOME");
  }
  return config.cache_dir;
}

CacheContents inspect_cache(const Config& config) {
  const Log log(LogLevel::off);
  const DiskCache cache = open_cache(config, log);
  CacheContents contents;
  for (const CacheFile& file : cache.files()) {
    const std::filesystem::path path = cache.path() / file.name;
    if (is_kept_source(file.name)) continue;
    if (is_temporary_file(file.name)) {
      if (is_abandoned(file)) contents.faults.push_back({path, "left by an interrupted writer"});
      continue;
    }
    std::string why = "not a file of the cache";
    if (is_entry_file(file.name)) {
      why.clear();
      if (const auto entry = cache.read(file.name, why)) {
        const CompileInputs& inputs = entry->inputs;
        auto& list = inputs.kind == "text" ? contents.texts : contents.kernels;
        list.push_back({path, file.name.substr(0, 64), inputs.kind, inputs.name, inputs.arch,
                        inputs.compiler, file.bytes, file.used_ns / nanoseconds});
      }
    }
    if (!why.empty()) contents.faults.push_back({path, why});
  }
  return contents;
}

CachePruning prune_cache(std::uint64_t keep_bytes, const Config& config) {
  const Log log(LogLevel::off);
  const DiskCache cache = open_cache(config, log);
  CachePruning result;
  const auto remove = [&](const CacheFile& file) {
    if (!cache.remove_file(file.name)) return false;
    ++result.removed_files;
    result.removed_bytes += file.bytes;
    return true;
  };
  std::vector<CacheFile> kept;
  for (const CacheFile& file : cache.files()) {
    if (is_stale(cache, file) && remove(file)) continue;
    if (!is_entry_file(file.name)) continue;
    kept.push_back(file);
    result.kept_bytes += file.bytes;
  }
  for (const CacheFile& file : kept) {
    if (result.kept_bytes <= keep_bytes) break;
    if (remove(file)) result.kept_bytes -= file.bytes;
  }
  return result;
}

}  // namespace sonoma
