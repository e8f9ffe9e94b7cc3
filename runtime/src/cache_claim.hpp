// The right to make a cache entry. Of many processes that miss it at once one makes it, and the
// others wait for it. Correct without: where a claim cannot be taken, or takes too long, everybody
// makes the entry, which is the same one.
//
// A claim is a symbolic link beside the entries, to nothing: its text says which process has it. A
// link is made once and with its text, on network file systems too, and so that a process that is
// killed leaves no claim that says nothing. No lock, which they may not keep. One whose process has
// died is taken over at once on the same host, elsewhere after `ClaimTimes::stale`.
#pragma once

#include <chrono>
#include <string>

#include "cache_folder.hpp"

namespace sonoma {

struct ClaimTimes {
  std::chrono::milliseconds stale{60'000};     ///< a claim that stays so long is taken over
  std::chrono::milliseconds longest{180'000};  ///< so long is waited at most, whatever happens
};

class CacheClaim {
 public:
  /// None.
  CacheClaim() = default;
  /// Returns when this process has the claim, when the entry has appeared, or when waiting is of no
  /// use: another process gave its claim back without an entry, or there are no claims here.
  [[nodiscard]] static CacheClaim take(const CacheFolder& folder, const std::string& key,
                                       const ClaimTimes& times = {});

  CacheClaim(CacheClaim&& other) noexcept;
  CacheClaim& operator=(CacheClaim&&) = delete;
  ~CacheClaim();  ///< gives it back

  [[nodiscard]] explicit operator bool() const { return folder_ != nullptr; }

 private:
  CacheClaim(const CacheFolder& folder, std::string name)
      : folder_(&folder), name_(std::move(name)) {}

  const CacheFolder* folder_ = nullptr;
  std::string name_;
};

}  // namespace sonoma
