#include "file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace sonoma {

bool File::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  return descriptor < 0 || ::close(descriptor) == 0;
}

bool write_all(const File& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_exactly(const File& file, std::uint64_t size, std::string& bytes) {
  bytes.resize(size + 1);  // one more: a file that has grown is not the one that was looked at
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return done == size;
}

std::string shared_fault(const struct stat& facts) {
  if (facts.st_uid != 0 && facts.st_uid != ::geteuid()) {
    return "it belongs to another user: root or this user must own it";
  }
  if ((facts.st_mode & 0022) != 0) {
    return "others than its owner can write it: chmod go-w would allow its use";
  }
  return {};
}

std::string last_error() { return std::generic_category().message(errno); }

}  // namespace sonoma
