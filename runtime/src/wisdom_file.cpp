#include "sonoma/wisdom_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "file.hpp"

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

// What is in the file, changed and saved, while other processes wait.
template <class Change>
Wisdom changed(const fs::path& file, Change&& change) {
  make_folder(file);
  const File folder(::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) (void)::flock(folder.get(), LOCK_EX);  // where there are no locks, it goes without
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

void save_wisdom(const fs::path& file, const Wisdom& wisdom) {
  if (file.empty()) fail("SONOMA_WISDOM", "is not set, nor is HOME; name a file for the wisdom");
  make_folder(file);
  const std::string temporary = file.string() + ".new." + std::to_string(::getpid());
  File open(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  const bool written = open && write_all(open, to_json_text(wisdom)) && open.close();
  if (written && ::rename(temporary.c_str(), file.c_str()) == 0) return;
  const std::string cause = last_error();
  (void)::unlink(temporary.c_str());
  fail(file, "cannot be written: " + cause);
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
