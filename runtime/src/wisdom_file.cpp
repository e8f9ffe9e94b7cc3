#include "sonoma/wisdom_file.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>

#include "file.hpp"
#include "new_file.hpp"

namespace sonoma {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw FftError(Stage::wisdom, file.string() + ": " + what);
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void make_folder(const fs::path& file) {
  std::error_code error;
  fs::create_directories(folder_of(file), error);
  if (error) fail(file, "its folder cannot be made: " + error.message());
}

// Where there are no locks, it goes without.
void lock(const File& folder, const fs::path& file) {
  using std::chrono::steady_clock;
  constexpr std::chrono::seconds patience(5);
  constexpr std::chrono::milliseconds turn(20);
  const auto end = steady_clock::now() + patience;
  while (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (steady_clock::now() > end) {
      fail(file, "another program has locked its folder " + folder_of(file).string() + " for " +
                     std::to_string(patience.count()) +
                     " seconds: end that program (fuser names it), or name another file");
    }
    std::this_thread::sleep_for(turn);
  }
}

// What is in the file, changed and saved, while other processes wait.
template <class Change>
Wisdom changed(const fs::path& file, Change&& change) {
  make_folder(file);
  const File folder(::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) lock(folder, file);
  Wisdom all = load_wisdom(file).value_or(Wisdom());
  change(all);
  save_wisdom(file, all);
  return all;
}

}  // namespace

std::optional<Wisdom> load_wisdom(const fs::path& file) {
  if (file.empty()) return std::nullopt;
  const File open(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!open && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!open) fail(file, "cannot be read: " + last_error());
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) fail(file, "cannot be read: " + error.message());
  std::string text;
  if (!read_exactly(open, size, text)) fail(file, "cannot be read: it is changing");
  try {
    return parse_wisdom(text);
  } catch (const BadWisdom& bad) {
    fail(file, bad.what());
  }
}

Wisdom load_system_wisdom(const fs::path& folder,
                          const std::function<void(const std::string&)>& skip) {
  Wisdom all;
  std::error_code error;
  if (folder.empty()) return all;
  const bool there = fs::exists(folder, error);
  if (error) skip(folder.string() + " cannot be read: " + error.message());
  if (!there) return all;
  const auto believed = [&](const fs::path& path) {
    struct stat facts {};
    const std::string fault =
        ::stat(path.c_str(), &facts) == 0 ? shared_fault(facts) : last_error();
    if (!fault.empty()) skip(path.string() + " is not used: " + fault);
    return fault.empty();
  };
  if (!believed(folder)) return all;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".json") files.push_back(at->path());
  }
  if (error) skip(folder.string() + " cannot be read: " + error.message());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    if (!believed(file)) continue;
    try {
      all.merge(load_wisdom(file).value_or(Wisdom()));
    } catch (const FftError& bad) {
      skip(bad.what());
    }
  }
  return all;
}

namespace {

// What is no regular file stays what it is: a pipe, a terminal. So does a file that the program has
// open under such a name: /dev/stdout.
bool is_written_through(const fs::path& file, const struct stat& facts) {
  const std::string name = file.string();
  return !S_ISREG(facts.st_mode) || name == "/dev/stdout" || name == "/dev/stderr" ||
         name.starts_with("/dev/fd/") || name.starts_with("/proc/");
}

void write_through(const fs::path& file, const std::string& text) {
  File open(::open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (open && write_all(open, text) && open.close()) return;
  fail(file, "cannot be written: " + last_error());
}

// Not the link to a file, but the file.
fs::path behind_links(const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return error ? file : real;
}

}  // namespace

void save_wisdom(const fs::path& file, const Wisdom& wisdom) {
  if (file.empty()) fail("SONOMA_WISDOM", "is not set, nor is HOME; name a file for the wisdom");
  struct stat facts {};
  const bool there = ::stat(file.c_str(), &facts) == 0;
  if (!there && errno != ENOENT) fail(file, "cannot be looked at: " + last_error());
  if (there && is_written_through(file, facts)) return write_through(file, to_json_text(wisdom));
  make_folder(file);
  const fs::path real = there ? behind_links(file) : file;
  const std::optional<mode_t> mode =
      there ? std::optional<mode_t>(facts.st_mode & 07777) : std::nullopt;
  NewFile fresh(real, mode);
  const bool written = fresh && fresh.write(to_json_text(wisdom)) &&
                       fresh.sync() &&  // it took hours to measure
                       fresh.take_place();
  if (!written) fail(file, "cannot be written: " + last_error());
}

Wisdom merge_into_wisdom(const fs::path& file, const Wisdom& found) {
  return changed(file, [&](Wisdom& all) { all.merge(found); });
}

Wisdom replace_in_wisdom(const fs::path& file, const std::vector<WisdomEntry>& found) {
  return changed(file, [&](Wisdom& all) {
    for (const WisdomEntry& entry : found) all.replace(entry);
  });
}

}  // namespace sonoma
