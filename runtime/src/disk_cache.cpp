#include "disk_cache.hpp"

#include <algorithm>
#include <utility>

namespace sonoma {

DiskCache::DiskCache(const Config& config, const Log& log)
    : read_enabled_(config.cache_read),
      write_enabled_(config.cache_write),
      limit_bytes_(config.cache_limit_bytes),
      entry_limit_bytes_(config.cache_entry_limit_bytes),
      log_(log) {
  for (const std::filesystem::path& path : config.system_caches) {
    CacheFolder folder(path, CacheFolder::Trust::shared, false);
    if (!folder.usable() && !folder.is_missing()) {
      log_.warn("the system's cache folder " + path.string() + " is not used: " + folder.fault());
    }
    if (folder.usable()) system_.push_back(std::move(folder));
  }
  if (config.cache_dir.empty()) {
    log_.warn(
        "compiled kernels are kept in memory only: none of SONOMA_CACHE_DIR, XDG_CACHE_HOME "
        "and HOME names a folder");
    return;
  }
  own_ = CacheFolder(config.cache_dir, CacheFolder::Trust::own, true);
  if (own_.usable()) return;
  log_.warn("compiled kernels are kept in memory only: the cache folder " +
            config.cache_dir.string() + " cannot be used: " + own_.fault());
}

std::optional<Binary> DiskCache::load(const CompileInputs& inputs,
                                      const std::string& preferred) const {
  if (!read_enabled_ || (!usable() && system_.empty())) return std::nullopt;
  const std::string name = entry_file_name(cache_key(inputs));
  std::optional<Binary> best;
  const auto look = [&](const CacheFolder& folder) {
    auto found = folder.usable() ? find(folder, name, inputs) : std::nullopt;
    const bool right = found && (preferred.empty() || found->made_by == preferred);
    if (found && (right || !best)) best = std::move(found);
    return right;
  };
  if (!look(own_)) (void)std::any_of(system_.begin(), system_.end(), look);
  return best;
}

std::optional<Binary> DiskCache::find(const CacheFolder& folder, const std::string& name,
                                      const CompileInputs& inputs) const {
  const bool own = &folder == &own_;
  std::string why;
  bool failed = false;
  std::optional<CacheEntry> entry = folder.read(name, why, failed);
  if (entry && entry->inputs == inputs) {
    if (own && write_enabled_) folder.touch(name);  // the order in which entries are dropped
    return std::move(entry->binary);
  }
  if (entry) why = "it was made from other inputs";
  if (why.empty()) return std::nullopt;  // not there
  const bool drops = own && !failed;     // what cannot be read today may be sound
  if (drops) (void)folder.remove(name);
  log_.warn("cache entry " + (folder.path() / name).string() +
            (drops ? " is dropped: " : " is not used: ") + why);
  return std::nullopt;
}

void DiskCache::store(const CompileInputs& inputs, const Binary& binary) const {
  if (!usable() || !write_enabled_) return;
  const std::string name = entry_file_name(cache_key(inputs));
  const std::string bytes = encode({inputs, binary});
  if (bytes.size() > entry_limit_bytes_) {
    return log_.info("cache entry of " + inputs.name + " is not kept: its " +
                     std::to_string(bytes.size()) + " bytes are more than " +
                     std::to_string(entry_limit_bytes_) + ", the limit of an entry");
  }
  if (!own_.write(name, bytes)) {
    return log_.warn("cache entry " + (own_.path() / name).string() +
                     " cannot be written: " + last_error());
  }
  if (inputs.kind != "text") enforce_limit();
}

void DiskCache::remove(const CompileInputs& inputs) const {
  if (usable() && write_enabled_) (void)own_.remove(entry_file_name(cache_key(inputs)));
}

CacheClaim DiskCache::claim(const CompileInputs& inputs) const {
  if (!usable() || !write_enabled_ || !read_enabled_) return {};
  return CacheClaim::take(own_, cache_key(inputs));
}

std::string DiskCache::keep_source(const CompileInputs& inputs) const {
  if (!usable() || !write_enabled_) return {};
  const std::string name = cache_key(inputs) + (inputs.kind == "host" ? ".cpp" : ".cu");
  return own_.write(name, inputs.source) ? (own_.path() / name).string() : std::string();
}

void DiskCache::enforce_limit() const {
  std::vector<CacheFile> entries = own_.files();
  for (const CacheFile& file : entries) {
    if (is_abandoned(file)) (void)own_.remove(file.name);
  }
  std::erase_if(entries, [](const CacheFile& file) { return !is_entry_file(file.name); });
  std::uint64_t total = 0;
  for (const CacheFile& entry : entries) total += entry.bytes;
  for (const CacheFile& entry : entries) {
    if (total <= limit_bytes_) return;
    if (own_.remove(entry.name)) total -= entry.bytes;
  }
}

}  // namespace sonoma
