#include "cache_claim.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

namespace sonoma {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Where process numbers mean the same: containers of one host may have numbers of their own.
std::string this_host() {
  std::array<char, 256> name{}, numbers{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  if (::readlink("/proc/self/ns/pid", numbers.data(), numbers.size() - 1) < 0) return {};
  return std::string(name.data()) + " " + numbers.data();
}

// A claim as it was seen: one that was given back and taken again is another.
struct Seen {
  ino_t inode = 0;
  timespec made{};
  pid_t process = 0;  ///< of this host; 0: elsewhere, or not known

  [[nodiscard]] bool is_same(const struct stat& facts) const {
    return facts.st_ino == inode && facts.st_mtim.tv_sec == made.tv_sec &&
           facts.st_mtim.tv_nsec == made.tv_nsec;
  }
  [[nodiscard]] bool has_died() const {
    return process != 0 && ::kill(process, 0) != 0 && errno == ESRCH;
  }
};

// The process that a claim names, if it is one of this host.
pid_t process_in(std::string_view text, std::string_view host) {
  const std::size_t line = text.find('\n');
  if (host.empty() || line == std::string_view::npos || text.substr(0, line) != host) return 0;
  pid_t process = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + line + 1, end, process);
  return error == std::errc{} && stop != end && *stop == '\n' && process > 0 ? process : 0;
}

class Waiter {
 public:
  Waiter(const CacheFolder& folder, const std::string& key, const ClaimTimes& times)
      : folder_(folder),
        entry_(entry_file_name(key)),
        claim_(claim_file_name(key)),
        times_(times),
        host_(this_host()) {}

  // True: this process has the claim.
  bool wait() {
    const auto start = Clock::now();
    for (milliseconds pause(2);; pause = std::min(pause * 3 / 2, milliseconds(400))) {
      if (create()) return true;
      if (errno != EEXIST) return false;  // no claims here
      if (Clock::now() - start > times_.longest) return false;
      std::this_thread::sleep_for(spread(pause));
      refresh();
      const bool given_back = !look();
      if (folder_.has(entry_) || given_back) return false;
      while_it_stays_ = !is_stale();
      if (!while_it_stays_) take_away();
    }
  }

 private:
  bool create() {
    if (while_it_stays_) {
      errno = EEXIST;
      return false;
    }
    const std::string text = host_ + "\n" + std::to_string(::getpid()) + "\n";
    return ::symlinkat(text.c_str(), folder_.get(), claim_.c_str()) == 0;
  }

  // Opening the folder makes a network file system ask its server what is in it.
  void refresh() const {
    const File again(::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }

  // False where there is no claim any more.
  bool look() {
    struct stat facts {};
    if (::fstatat(folder_.get(), claim_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (seen_ && seen_->is_same(facts)) return true;
    std::array<char, 4096> text{};
    const ssize_t size = ::readlinkat(folder_.get(), claim_.c_str(), text.data(), text.size());
    const std::string_view said(text.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
    seen_ = Seen{facts.st_ino, facts.st_mtim, process_in(said, host_)};
    since_ = Clock::now();
    return true;
  }

  // By this process's own clock: a server's may be another.
  [[nodiscard]] bool is_stale() const {
    return seen_ && (seen_->has_died() || Clock::now() - since_ > times_.stale);
  }

  // Where two do so at once, one may take away what the other has just made: two make the entry.
  void take_away() {
    struct stat facts {};
    if (::fstatat(folder_.get(), claim_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        seen_->is_same(facts)) {
      (void)folder_.remove(claim_);
    }
  }

  // Not all at the same time.
  milliseconds spread(milliseconds pause) {
    std::uniform_int_distribution<milliseconds::rep> around(pause.count() / 2,
                                                            pause.count() * 3 / 2);
    return milliseconds(around(random_));
  }

  const CacheFolder& folder_;
  const std::string entry_, claim_;
  const ClaimTimes times_;
  const std::string host_;
  std::minstd_rand random_{static_cast<unsigned>(::getpid())};
  std::optional<Seen> seen_;
  Clock::time_point since_;
  bool while_it_stays_ = false;  // no need to try
};

}  // namespace

CacheClaim CacheClaim::take(const CacheFolder& folder, const std::string& key,
                            const ClaimTimes& times) {
  Waiter waiter(folder, key, times);
  return waiter.wait() ? CacheClaim(folder, claim_file_name(key)) : CacheClaim();
}

CacheClaim::CacheClaim(CacheClaim&& other) noexcept
    : folder_(std::exchange(other.folder_, nullptr)), name_(std::move(other.name_)) {}

CacheClaim::~CacheClaim() {
  if (folder_ != nullptr) (void)folder_->remove(name_);
}

}  // namespace sonoma
