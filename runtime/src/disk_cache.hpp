// Compiled kernels on disk: one content-addressed file each, in the user's folder and, beneath it,
// in folders of the system that are only read. Correct without locks: an entry appears by rename
// and is never changed afterwards, and nothing that is read is trusted before its owner, mode,
// size, checksum and echoed inputs are right. Whatever goes wrong costs a compilation and one line
// in the log, never an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cache_claim.hpp"
#include "cache_entry.hpp"
#include "cache_folder.hpp"
#include "log.hpp"
#include "sonoma/config.hpp"

namespace sonoma {

class DiskCache {
 public:
  /// Makes the user's folder (0700) if need be. Where a folder cannot be used, says so once and
  /// goes without it.
  DiskCache(const Config& config, const Log& log);

  /// The entry, if it is there and sound; marks it as used. An unsound one of the user's is
  /// removed. `preferred`: of several the one that this compiler made, else the user's comes first.
  [[nodiscard]] std::optional<Binary> load(const CompileInputs& inputs,
                                           const std::string& preferred = {}) const;

  /// Best effort, in the user's folder. Removes what killed writers left, and the least recently
  /// used entries beyond the limit: with kernels, not with texts, which come with a kernel.
  void store(const CompileInputs& inputs, const Binary& binary) const;

  void remove(const CompileInputs& inputs) const;

  /// Waits while another process makes the entry, and then or at once takes the claim on it: look
  /// again before making it.
  [[nodiscard]] CacheClaim claim(const CompileInputs& inputs) const;

  /// Writes a source that does not compile beside the entries; its path, or "" if it cannot.
  [[nodiscard]] std::string keep_source(const CompileInputs& inputs) const;

  /// Of the user's folder.
  [[nodiscard]] bool usable() const { return own_.usable(); }
  [[nodiscard]] const CacheFolder& folder() const { return own_; }

 private:
  [[nodiscard]] std::optional<Binary> find(const CacheFolder& folder, const std::string& name,
                                           const CompileInputs& inputs) const;
  void enforce_limit() const;

  bool read_enabled_, write_enabled_;
  std::uint64_t limit_bytes_, entry_limit_bytes_;
  const Log& log_;
  CacheFolder own_;
  std::vector<CacheFolder> system_;  // usable ones, in the order of search
};

}  // namespace sonoma
