// Compiled kernels on disk: one content-addressed file each. Correct without locks: an entry
// appears by rename and is never changed afterwards, and nothing that is read is trusted before its
// owner, mode, size, checksum and echoed inputs are right. Whatever goes wrong costs a compilation
// and one line in the log, never an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache_entry.hpp"
#include "file.hpp"
#include "log.hpp"
#include "sonoma/config.hpp"

namespace sonoma {

/// A file of the cache folder.
struct CacheFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::int64_t used_ns = 0;  ///< last use, nanoseconds since 1970
  bool is_directory = false;
};

class DiskCache {
 public:
  /// Makes the folder (0700) if need be. Where it cannot be used, says so once and stays empty.
  DiskCache(const Config& config, const Log& log);

  /// The entry, if it is there and sound; marks it as used. An unsound one is removed.
  [[nodiscard]] std::optional<Binary> load(const CompileInputs& inputs) const;

  /// Best effort. Removes what killed writers left, and the least recently used entries beyond the
  /// limit.
  void store(const CompileInputs& inputs, const Binary& binary) const;

  void remove(const CompileInputs& inputs) const;

  /// Writes a source that does not compile beside the entries; its path, or "" if it cannot.
  [[nodiscard]] std::string keep_source(const CompileInputs& inputs) const;

  [[nodiscard]] bool usable() const { return static_cast<bool>(folder_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Everything in the folder, least recently used first.
  [[nodiscard]] std::vector<CacheFile> files() const;
  /// The entry in the file of that name; or nothing, and why.
  [[nodiscard]] std::optional<CacheEntry> read(const std::string& name, std::string& why) const;
  [[nodiscard]] bool remove_file(const std::string& name) const;

 private:
  void open_folder();
  // read() of a file of any name.
  [[nodiscard]] std::optional<CacheEntry> read_any(const std::string& name, std::string& why) const;
  [[nodiscard]] bool write_file(const std::string& name, const std::string& bytes) const;
  void enforce_limit() const;

  std::filesystem::path path_;
  bool read_enabled_, write_enabled_;
  std::uint64_t limit_bytes_;
  const Log& log_;
  File folder_;
};

/// "<key>.sonoma"
[[nodiscard]] std::string entry_file_name(const std::string& key);
/// True for names that DiskCache gives to finished entries.
[[nodiscard]] bool is_entry_file(const std::string& name);
/// True for names that DiskCache gives to entries being written.
[[nodiscard]] bool is_temporary_file(const std::string& name);
/// True for a temporary file whose writer has had ten minutes: it was killed.
[[nodiscard]] bool is_abandoned(const CacheFile& file);

}  // namespace sonoma
