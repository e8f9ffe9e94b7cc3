#include "cache_folder.hpp"

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
#include <utility>

namespace sonoma {
namespace {

constexpr std::uint64_t largest_file = 256ull << 20;  // beyond that no file is read
constexpr std::string_view entry_suffix = ".sonoma";
constexpr std::string_view temporary_prefix = ".writing-", claim_prefix = ".making-";
constexpr std::int64_t second_ns = 1'000'000'000;

std::string random_name() {
  std::random_device entropy;  // two processes must not agree, whatever their seeds
  char digits[17];
  std::snprintf(digits, sizeof digits, "%08x%08x", entropy(), entropy());
  return std::string(temporary_prefix) + digits;
}

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * second_ns + time.tv_nsec; }

}  // namespace

std::string entry_file_name(const std::string& key) { return key + std::string(entry_suffix); }

std::string claim_file_name(const std::string& key) { return std::string(claim_prefix) + key; }

bool is_entry_file(const std::string& name) {
  return name.size() == 64 + entry_suffix.size() && name.ends_with(entry_suffix) &&
         name.find_first_not_of("0123456789abcdef") == 64;
}

bool is_temporary_file(const std::string& name) {
  return name.starts_with(temporary_prefix) || name.starts_with(claim_prefix);
}

bool is_abandoned(const CacheFile& file) {
  constexpr std::int64_t longest_ns = 600 * second_ns;
  return is_temporary_file(file.name) && now_ns() - file.made_ns > longest_ns;
}

CacheFolder::CacheFolder(std::filesystem::path path, Trust trust, bool make)
    : path_(std::move(path)), trust_(trust) {
  if (make) {
    std::error_code error;
    std::filesystem::create_directories(path_.parent_path(), error);
    const bool made = ::mkdir(path_.c_str(), trust == Trust::own ? 0700 : 0755) == 0;
    if (!made && errno != EEXIST) fault_ = last_error();
    if (made && trust == Trust::shared) (void)::chmod(path_.c_str(), 0755);  // whatever the umask
  }
  // One that an administrator names may be a symbolic link.
  const int link = trust == Trust::own ? O_NOFOLLOW : 0;
  folder_ = File(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | link));
  missing_ = !folder_ && errno == ENOENT;
  if (fault_.empty()) fault_ = folder_ ? folder_fault() : last_error();
  if (!fault_.empty()) (void)folder_.close();
}

// Empty if nobody but those who are trusted can have written it.
std::string CacheFolder::folder_fault() const {
  struct stat facts {};
  if (::fstat(get(), &facts) != 0) return last_error();
  if (trust_ == Trust::shared) return shared_fault(facts);
  if (facts.st_uid != ::geteuid()) return "it belongs to another user";
  if ((facts.st_mode & 0777) == 0700) return {};
  // A folder that was just made by hand is tightened; one in use is left as it is.
  std::string why;
  const auto there = list(why);
  if (there && there->empty() && ::fchmod(get(), 0700) == 0) return {};
  return "its mode is not 0700: chmod 700 would allow its use";
}

std::string CacheFolder::file_fault(const struct stat& facts) const {
  if (!S_ISREG(facts.st_mode)) return "it is not a plain file";
  if (static_cast<std::uint64_t>(facts.st_size) > largest_file) return "it is too large";
  if (trust_ == Trust::shared) return shared_fault(facts);
  if (facts.st_uid != ::geteuid()) return "it belongs to another user";
  return (facts.st_mode & 07777) == 0600 ? "" : "its mode is not 0600";
}

std::optional<CacheEntry> CacheFolder::read(const std::string& name, std::string& why,
                                            bool& failed) const {
  failed = false;
  const auto fault = [&](const std::string& cause) {
    why = cause, failed = true;
    return std::nullopt;
  };
  // O_NONBLOCK: opening a FIFO must not wait for its writer. O_NOATIME, of one's own files: to look
  // is not to use.
  const int quiet = trust_ == Trust::own ? O_NOATIME : 0;
  const auto open = [&](int flags) {
    return File(
        ::openat(get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags));
  };
  File file = open(quiet);
  if (!file && errno == EPERM) file = open(0);
  if (!file && errno == ENOENT) return std::nullopt;
  if (!file && errno != ELOOP) return fault(last_error());
  struct stat facts {};
  if (file && ::fstat(file.get(), &facts) != 0) return fault(last_error());
  why = file ? file_fault(facts) : "it is a symbolic link";
  if (!why.empty()) return std::nullopt;
  std::string bytes;
  if (!read_exactly(file, static_cast<std::uint64_t>(facts.st_size), bytes)) {
    return fault("it cannot be read");
  }
  return decode(std::move(bytes), why);
}

std::optional<CacheEntry> CacheFolder::read_entry(const std::string& name, std::string& why) const {
  bool failed = false;
  return read_entry(name, why, failed);
}

std::optional<CacheEntry> CacheFolder::read_entry(const std::string& name, std::string& why,
                                                  bool& failed) const {
  std::optional<CacheEntry> entry = read(name, why, failed);
  if (entry && is_entry_file(name) && name != entry_file_name(cache_key(entry->inputs))) {
    why = "its name is not the key of its inputs";
    return std::nullopt;
  }
  return entry;
}

bool CacheFolder::has(const std::string& name) const {
  struct stat facts {};
  return ::fstatat(get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

// No fsync: after a power failure the checksum finds what did not reach the disk.
bool CacheFolder::write(const std::string& name, const std::string& bytes) const {
  const std::string temporary = random_name();
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  File file(::openat(get(), temporary.c_str(), flags, 0600));
  if (!file) return false;
  // fchmod: a umask may have taken away even the owner's bits.
  const mode_t mode = trust_ == Trust::own ? 0600 : 0644;
  const bool written = ::fchmod(file.get(), mode) == 0 && write_all(file, bytes);
  if (written && file.close() && ::renameat(get(), temporary.c_str(), get(), name.c_str()) == 0) {
    return true;
  }
  const int cause = errno;
  (void)::unlinkat(get(), temporary.c_str(), 0);
  errno = cause;
  return false;
}

bool CacheFolder::remove(const std::string& name) const {
  return ::unlinkat(get(), name.c_str(), 0) == 0;
}

// The time of access is the last use, that of modification when it was made. A thousand processes
// that use an entry at once mark it a few times.
void CacheFolder::touch(const std::string& name) const {
  constexpr std::int64_t short_while_ns = 600 * second_ns;
  struct stat facts {};
  if (::fstatat(get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
  const std::int64_t used = nanoseconds(facts.st_atim);
  if (used > nanoseconds(facts.st_mtim) && now_ns() - used < short_while_ns) return;
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  (void)::utimensat(get(), name.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

std::vector<CacheFile> CacheFolder::files() const {
  std::string why;
  return list(why).value_or(std::vector<CacheFile>());
}

std::optional<std::vector<CacheFile>> CacheFolder::list(std::string& why) const {
  std::vector<CacheFile> found;
  if (!usable()) return found;
  const auto fault = [&] {
    why = last_error();
    return std::nullopt;
  };
  const int descriptor = ::openat(get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(
      descriptor < 0 ? nullptr : ::fdopendir(descriptor), [](DIR* d) { return ::closedir(d); });
  if (!folder) {
    why = last_error();
    (void)File(descriptor).close();
    return std::nullopt;
  }
  while (errno = 0, true) {
    const dirent* item = ::readdir(folder.get());
    if (item == nullptr && errno != 0) return fault();
    if (item == nullptr) break;
    const std::string name = item->d_name;
    struct stat facts {};
    if (name == "." || name == "..") continue;
    if (::fstatat(get(), item->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) continue;  // gone since
      return fault();
    }
    found.push_back({name, static_cast<std::uint64_t>(facts.st_size), nanoseconds(facts.st_mtim),
                     std::max(nanoseconds(facts.st_atim), nanoseconds(facts.st_mtim)),
                     S_ISDIR(facts.st_mode)});
  }
  std::sort(found.begin(), found.end(), [](const CacheFile& a, const CacheFile& b) {
    return a.used_ns != b.used_ns ? a.used_ns < b.used_ns : a.name < b.name;
  });
  return found;
}

}  // namespace sonoma
