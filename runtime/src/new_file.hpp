// A file that takes the place of another one, or of none, when it is complete: who reads sees the
// old one or the whole new one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string_view>

#include "file.hpp"

namespace sonoma {

class NewFile {
 public:
  /// Its mode is `mode`, whatever the umask, or else 0644 less the umask. It is written beside
  /// `path`, as `<path>.new.<process>`. Such files of writers that were killed go when they are
  /// older than ten minutes.
  explicit NewFile(const std::filesystem::path& path, std::optional<mode_t> mode = {});
  /// Leaves no trace where it did not take its place.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// False where it could not be made; last_error() says why, as it does of the others.
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(file_); }
  [[nodiscard]] bool write(std::string_view bytes) { return write_all(file_, bytes); }
  /// All that was written is on the disk.
  [[nodiscard]] bool sync();
  [[nodiscard]] bool take_place();

 private:
  std::filesystem::path path_, temporary_;
  File file_;
};

}  // namespace sonoma
