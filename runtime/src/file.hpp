// The few POSIX calls the cache stands on, each with its failure as a value.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sonoma {

/// Owns a file descriptor.
class File {
 public:
  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() { (void)close(); }

  [[nodiscard]] explicit operator bool() const { return descriptor_ >= 0; }
  [[nodiscard]] int get() const { return descriptor_; }

  /// False if the system reports that the data did not arrive (NFS and full disks do so here).
  [[nodiscard]] bool close();

 private:
  int descriptor_ = -1;
};

[[nodiscard]] bool write_all(const File& file, std::string_view bytes);

/// True if exactly `size` bytes were there.
[[nodiscard]] bool read_exactly(const File& file, std::uint64_t size, std::string& bytes);

/// Why what has these facts is not to be believed: somebody else than root and this user can have
/// written it. Empty: nobody can.
[[nodiscard]] std::string shared_fault(const struct stat& facts);

/// "Permission denied" for the current errno.
[[nodiscard]] std::string last_error();

}  // namespace sonoma
