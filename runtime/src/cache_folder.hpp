// One folder of cache entries: files that appear by rename and never change afterwards. Nothing in
// it is believed before its owner, mode, size and checksum are right.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache_entry.hpp"
#include "file.hpp"

namespace sonoma {

/// A file of the folder.
struct CacheFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::int64_t made_ns = 0;  ///< nanoseconds since 1970
  std::int64_t used_ns = 0;  ///< last use; no more than made_ns: none since
  bool is_directory = false;
};

class CacheFolder {
 public:
  /// Whose entries are believed. own: this user's, which nobody else can read. shared: root's and
  /// this user's, which nobody but their owner can write.
  enum class Trust { own, shared };

  /// Of no use.
  CacheFolder() = default;
  /// Opens the folder; with `make` it is made if need be: own 0700, shared 0755. Of no use, with
  /// the reason in fault(), where it cannot be opened or is not to be believed.
  CacheFolder(std::filesystem::path path, Trust trust, bool make);

  [[nodiscard]] bool usable() const { return static_cast<bool>(folder_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] bool is_missing() const { return missing_; }  ///< there is no such folder

  /// Everything in it, least recently used first; or nothing, and why.
  [[nodiscard]] std::optional<std::vector<CacheFile>> list(std::string& why) const;
  /// The same, or no files.
  [[nodiscard]] std::vector<CacheFile> files() const;
  /// The entry in the file of that name; or nothing, and why. Nothing and no reason: no such file.
  /// `failed` becomes true where the system did not let it be read: it may be sound.
  [[nodiscard]] std::optional<CacheEntry> read(const std::string& name, std::string& why,
                                               bool& failed) const;
  /// The same, which must lie where its inputs say.
  [[nodiscard]] std::optional<CacheEntry> read_entry(const std::string& name, std::string& why,
                                                     bool& failed) const;
  [[nodiscard]] std::optional<CacheEntry> read_entry(const std::string& name,
                                                     std::string& why) const;
  [[nodiscard]] bool has(const std::string& name) const;

  /// False, with errno, if it could not be written.
  [[nodiscard]] bool write(const std::string& name, const std::string& bytes) const;
  [[nodiscard]] bool remove(const std::string& name) const;
  /// Marks it as used, unless it was a short while ago.
  void touch(const std::string& name) const;

  /// Its descriptor.
  [[nodiscard]] int get() const { return folder_.get(); }

 private:
  [[nodiscard]] std::string folder_fault() const;
  [[nodiscard]] std::string file_fault(const struct stat& facts) const;

  std::filesystem::path path_;
  Trust trust_ = Trust::own;
  std::string fault_;
  bool missing_ = false;
  File folder_;
};

/// "<key>.sonoma"
[[nodiscard]] std::string entry_file_name(const std::string& key);
/// True for names that finished entries have.
[[nodiscard]] bool is_entry_file(const std::string& name);
/// True for names of entries being written, and of claims (see cache_claim.hpp).
[[nodiscard]] bool is_temporary_file(const std::string& name);
/// True for such a file whose owner has had ten minutes: it was killed.
[[nodiscard]] bool is_abandoned(const CacheFile& file);

/// ".making-<key>"
[[nodiscard]] std::string claim_file_name(const std::string& key);

}  // namespace sonoma
