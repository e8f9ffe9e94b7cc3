#include "new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>

namespace sonoma {
namespace {

namespace fs = std::filesystem;

bool is_of_writer(const std::string& name, const std::string& prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

// No writer takes so long.
bool is_abandoned(const fs::directory_entry& entry) {
  constexpr std::chrono::minutes longest(10);
  std::error_code error;
  const auto written = entry.last_write_time(error);
  return !error && fs::file_time_type::clock::now() - written > longest;
}

void remove_abandoned(const fs::path& path) {
  const std::string prefix = path.filename().string() + ".new.";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error, ignored;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (is_of_writer(at->path().filename().string(), prefix) && is_abandoned(*at)) {
      fs::remove(at->path(), ignored);
    }
  }
}

}  // namespace

NewFile::NewFile(const fs::path& path, std::optional<mode_t> mode)
    : path_(path), temporary_(path.string() + ".new." + std::to_string(::getpid())) {
  remove_abandoned(path_);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
  file_ = File(::open(temporary_.c_str(), flags, 0644));
  if (!file_) {
    temporary_.clear();  // whatever is there is not ours
    return;
  }
  if (!mode || ::fchmod(file_.get(), *mode) == 0) return;
  const int cause = errno;
  (void)file_.close();
  errno = cause;
}

NewFile::~NewFile() {
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
}

bool NewFile::sync() { return ::fsync(file_.get()) == 0; }

bool NewFile::take_place() {
  if (!file_.close() || ::rename(temporary_.c_str(), path_.c_str()) != 0) return false;
  temporary_.clear();
  return true;
}

}  // namespace sonoma
