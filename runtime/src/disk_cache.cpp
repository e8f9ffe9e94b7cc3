#include "disk_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <system_error>

namespace sonoma {
namespace {

constexpr std::uint64_t largest_entry = 256ull << 20;
constexpr std::string_view entry_suffix = ".sonoma";
constexpr std::string_view temporary_prefix = ".writing-";

std::string random_name() {
  std::random_device entropy;  // two processes must not agree, whatever their seeds
  char digits[17];
  std::snprintf(digits, sizeof digits, "%08x%08x", entropy(), entropy());
  return std::string(temporary_prefix) + digits;
}

// Empty if nobody but this user can have written the folder.
std::string folder_fault(const File& folder, bool is_empty) {
  struct stat facts {};
  if (::fstat(folder.get(), &facts) != 0) return last_error();
  if (facts.st_uid != ::geteuid()) return "it belongs to another user";
  if ((facts.st_mode & 0777) == 0700) return {};
  // A folder that was just made by hand is tightened; one in use is left as it is.
  if (is_empty && ::fchmod(folder.get(), 0700) == 0) return {};
  return "its mode is not 0700: chmod 700 would allow its use";
}

}  // namespace

std::string entry_file_name(const std::string& key) { return key + std::string(entry_suffix); }

bool is_entry_file(const std::string& name) {
  return name.size() == 64 + entry_suffix.size() && name.ends_with(entry_suffix) &&
         name.find_first_not_of("0123456789abcdef") == 64;
}

bool is_temporary_file(const std::string& name) { return name.starts_with(temporary_prefix); }

bool is_abandoned(const CacheFile& file) {
  constexpr std::int64_t longest_write_ns = 600'000'000'000;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto now_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  return is_temporary_file(file.name) && now_ns - file.used_ns > longest_write_ns;
}

DiskCache::DiskCache(const Config& config, const Log& log)
    : path_(config.cache_dir),
      read_enabled_(config.cache_read),
      write_enabled_(config.cache_write),
      limit_bytes_(config.cache_limit_bytes),
      log_(log) {
  if (path_.empty()) {
    log_.warn(
        "compiled kernels are kept in memory only: none of SONOMA_CACHE_DIR, XDG_CACHE_HOME "
        "and HOME names a folder");
    return;
  }
  open_folder();
}

void DiskCache::open_folder() {
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  const bool made = ::mkdir(path_.c_str(), 0700) == 0;
  std::string fault = made || errno == EEXIST ? "" : last_error();
  folder_ = File(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fault.empty()) fault = folder_ ? folder_fault(folder_, files().empty()) : last_error();
  if (fault.empty()) return;
  (void)folder_.close();
  log_.warn("compiled kernels are kept in memory only: the cache folder " + path_.string() +
            " cannot be used: " + fault);
}

std::optional<Binary> DiskCache::load(const CompileInputs& inputs) const {
  if (!usable() || !read_enabled_) return std::nullopt;
  const std::string name = entry_file_name(cache_key(inputs));
  std::string why;
  std::optional<CacheEntry> entry = read_any(name, why);
  if (entry && entry->inputs == inputs) {
    // The order in which entries are dropped.
    if (write_enabled_)
      (void)::utimensat(folder_.get(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
    return std::move(entry->binary);
  }
  if (entry) why = "it was made from other inputs";
  if (why.empty()) return std::nullopt;  // not there
  (void)remove_file(name);
  log_.warn("cache entry " + (path_ / name).string() + " is dropped: " + why);
  return std::nullopt;
}

std::optional<CacheEntry> DiskCache::read(const std::string& name, std::string& why) const {
  std::optional<CacheEntry> entry = read_any(name, why);
  if (entry && is_entry_file(name) && name != entry_file_name(cache_key(entry->inputs))) {
    why = "its name is not the key of its inputs";
    return std::nullopt;
  }
  return entry;
}

std::optional<CacheEntry> DiskCache::read_any(const std::string& name, std::string& why) const {
  // O_NONBLOCK: opening a FIFO must not wait for its writer.
  const File file(
      ::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    if (errno != ENOENT) why = errno == ELOOP ? "it is a symbolic link" : last_error();
    return std::nullopt;
  }
  struct stat facts {};
  std::string bytes;
  if (::fstat(file.get(), &facts) != 0)
    why = last_error();
  else if (!S_ISREG(facts.st_mode))
    why = "it is not a plain file";
  else if (facts.st_uid != ::geteuid())
    why = "it belongs to another user";
  else if ((facts.st_mode & 07777) != 0600)
    why = "its mode is not 0600";
  else if (static_cast<std::uint64_t>(facts.st_size) > largest_entry)
    why = "it is too large";
  else if (!read_exactly(file, static_cast<std::uint64_t>(facts.st_size), bytes))
    why = "it cannot be read";
  if (!why.empty()) return std::nullopt;
  return decode(std::move(bytes), why);
}

void DiskCache::store(const CompileInputs& inputs, const Binary& binary) const {
  if (!usable() || !write_enabled_) return;
  const std::string name = entry_file_name(cache_key(inputs));
  if (!write_file(name, encode({inputs, binary}))) {
    log_.warn("cache entry " + (path_ / name).string() + " cannot be written: " + last_error());
    return;
  }
  enforce_limit();
}

// No fsync: after a power failure the checksum finds what did not reach the disk.
bool DiskCache::write_file(const std::string& name, const std::string& bytes) const {
  const std::string temporary = random_name();
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  File file(::openat(folder_.get(), temporary.c_str(), flags, 0600));
  if (!file) return false;
  // fchmod: a umask may have taken away even the owner's bits.
  const bool written = ::fchmod(file.get(), 0600) == 0 && write_all(file, bytes);
  if (written && file.close() &&
      ::renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) == 0) {
    return true;
  }
  const int cause = errno;
  (void)::unlinkat(folder_.get(), temporary.c_str(), 0);
  errno = cause;
  return false;
}

void DiskCache::remove(const CompileInputs& inputs) const {
  if (usable() && write_enabled_) (void)remove_file(entry_file_name(cache_key(inputs)));
}

bool DiskCache::remove_file(const std::string& name) const {
  return ::unlinkat(folder_.get(), name.c_str(), 0) == 0;
}

std::string DiskCache::keep_source(const CompileInputs& inputs) const {
  if (!usable() || !write_enabled_) return {};
  const std::string name = cache_key(inputs) + (inputs.kind == "cubin" ? ".cu" : ".cpp");
  return write_file(name, inputs.source) ? (path_ / name).string() : std::string();
}

std::vector<CacheFile> DiskCache::files() const {
  std::vector<CacheFile> found;
  if (!usable()) return found;
  const int descriptor = ::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(
      descriptor < 0 ? nullptr : ::fdopendir(descriptor), [](DIR* d) { return ::closedir(d); });
  if (!folder) return found;
  while (const dirent* item = ::readdir(folder.get())) {
    const std::string name = item->d_name;
    struct stat facts {};
    if (name == "." || name == "..") continue;
    if (::fstatat(folder_.get(), item->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    found.push_back({name, static_cast<std::uint64_t>(facts.st_size),
                     facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec,
                     S_ISDIR(facts.st_mode)});
  }
  std::sort(found.begin(), found.end(), [](const CacheFile& a, const CacheFile& b) {
    return a.used_ns != b.used_ns ? a.used_ns < b.used_ns : a.name < b.name;
  });
  return found;
}

void DiskCache::enforce_limit() const {
  std::vector<CacheFile> entries = files();
  for (const CacheFile& file : entries) {
    if (is_abandoned(file)) (void)remove_file(file.name);
  }
  std::erase_if(entries, [](const CacheFile& file) { return !is_entry_file(file.name); });
  std::uint64_t total = 0;
  for (const CacheFile& entry : entries) total += entry.bytes;
  for (const CacheFile& entry : entries) {
    if (total <= limit_bytes_) return;
    if (remove_file(entry.name)) total -= entry.bytes;
  }
}

}  // namespace sonoma
